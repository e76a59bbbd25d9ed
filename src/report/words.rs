//! The words a person reads for the report's enums. The JSON has its own, in the model.

use super::model::*;

/// What a person reads.
pub(super) trait Word {
    /// Small letters, no punctuation.
    fn word(&self) -> &'static str;
}

macro_rules! words {
    ($($type:ident { $($variant:ident: $word:literal),+ $(,)? })+) => {
        $(impl Word for $type {
            fn word(&self) -> &'static str {
                match self { $($type::$variant => $word),+ }
            }
        })+
    };
}

words! {
    When { Ongoing: "still so at collection", Past: "over before collection", Latent: "not broken yet" }
    Outcome {
        FaultFound: "fault found", RiskOnly: "risk only", Healthy: "healthy", NotDns: "not DNS",
        Inconclusive: "inconclusive",
    }
    Confidence { Possible: "possible", Likely: "likely", Confirmed: "confirmed" }
    HopState { Ok: "ok", Degraded: "degraded", Broken: "broken", Unknown: "unknown" }
    Status {
        Found: "found", Suspected: "suspected", RuledOut: "ruled out", NotChecked: "not checked",
        NotApplicable: "not applicable", Crashed: "crashed",
    }
    Severity { Info: "info", Low: "low", Medium: "medium", High: "high", Critical: "critical" }
    Role { RootCause: "root cause", Contributing: "contributing", Symptom: "symptom", Risk: "risk" }
    FixCheck { Verified: "checked on the model of the cluster", NotComputable: "cannot be checked from the bundle" }
    CheckState { Pass: "pass", Fail: "fail", Unknown: "unknown" }
    Scope {
        AllClients: "all clients", ExternalNames: "names outside the cluster", ClusterNames: "names inside the cluster",
        OneNode: "pods of one node", OneNamespace: "pods of one namespace", OneImage: "pods of one image",
        LargeAnswers: "large answers", Unknown: "unknown",
    }
}

impl Confidence {
    /// What stands behind the word (`design` of the JSON contract: direct, two indirect facts, one).
    pub(super) fn because(self) -> &'static str {
        match self {
            Confidence::Confirmed => "the failing component or the kernel says so",
            Confidence::Likely => "two independent indirect facts agree",
            Confidence::Possible => "one indirect fact; something else could explain it",
        }
    }
}

/// `2026-03-04 08:12:03` from RFC 3339 in UTC; anything else as it stands. The reader is told elsewhere that it is UTC.
pub(super) fn utc(at: &str) -> String {
    match at.strip_suffix('Z').and_then(|rest| rest.split_once('T')) {
        Some((date, time)) => format!("{date} {time}"),
        None => at.to_owned(),
    }
}

/// Bytes as Kubernetes writes them: `170Mi`, `81.5Mi`.
pub(super) fn mebibytes(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10 + (1 << 19)) >> 20;
    match tenths % 10 {
        0 => format!("{}Mi", tenths / 10),
        rest => format!("{}.{rest}Mi", tenths / 10),
    }
}

/// A number with at most three decimals, without zeros at the end.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A value in its unit: bytes as Mi, anything else as it is.
pub(super) fn quantity(value: f64, unit: &str) -> String {
    if unit == "bytes" && (0.0..1e18).contains(&value) {
        mebibytes(value as u64)
    } else {
        format!("{} {unit}", number(value)).trim_end().to_owned()
    }
}

/// `path:line`; the path alone where there is no line.
pub(super) fn place(path: &str, line: Option<u32>) -> String {
    line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"))
}

/// What stands at a line of the bundle.
pub(super) trait Place {
    /// `path:line`.
    fn place(&self) -> String;
}

impl Place for Evidence {
    fn place(&self) -> String {
        place(&self.path, Some(self.line))
    }
}

impl Place for Moment {
    fn place(&self) -> String {
        place(&self.path, Some(self.line))
    }
}

impl HopState {
    /// A shape that says the same as the colour.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            HopState::Ok => "✓",
            HopState::Degraded => "!",
            HopState::Broken => "✗",
            HopState::Unknown => "?",
        }
    }
}

impl CheckState {
    /// A shape that says the same as the colour.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            CheckState::Pass => "✓",
            CheckState::Fail => "✗",
            CheckState::Unknown => "?",
        }
    }
}

impl FixKind {
    /// Is it for a person to do?
    pub(super) fn is_manual(self) -> bool {
        self == FixKind::Manual
    }

    /// Language of a fenced block.
    pub(super) fn language(self) -> &'static str {
        if self == FixKind::Command { "sh" } else { "diff" }
    }
}

/// `1 file`, `3 files`.
pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(mebibytes(178_257_920), "170Mi");
        assert_eq!(mebibytes(85_458_944), "81.5Mi");
        assert_eq!(mebibytes(u64::MAX), "17592186044416Mi");
        assert_eq!(number(54.0), "54");
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(1200.0), "1200");
        assert_eq!(number(f64::NAN), "NaN");
        assert_eq!(quantity(1_048_576.0, "bytes"), "1Mi");
        assert_eq!(quantity(-1.0, "bytes"), "-1 bytes");
        assert_eq!(count(1, "file", "files"), "1 file");
    }

    #[test]
    fn times_read_well() {
        assert_eq!(utc("2026-03-04T08:12:03Z"), "2026-03-04 08:12:03");
        assert_eq!(utc("yesterday"), "yesterday");
    }
}
