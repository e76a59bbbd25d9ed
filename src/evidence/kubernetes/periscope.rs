//! AKS Periscope's `podscontainerlogs`: an object with the log in `containerLog` (aks-periscope,
//! pkg/collector/pods_containerlogs_collector.go, December 2026). At most the last 100 lines.

use crate::evidence::facts::Fact;
use crate::evidence::log::{self, Splitter};
use crate::evidence::objects::Node;
use crate::recognize::Hints;

/// The lines that the collector asks for.
const TAIL: u64 = 100;

/// The log in the object, its lines quoted as they stand there.
pub fn logs(node: Node, hints: &Hints) -> Vec<Fact> {
    let written = node.get("containerLog");
    let named = |key: &str| node.get(key).as_str().map(str::to_owned);
    let owner = Hints {
        pod: named("name").or_else(|| hints.pod.clone()),
        container: named("containerName").or_else(|| hints.container.clone()),
        ..hints.clone()
    };
    let mut splitter = Splitter::new(node.quote().source.path.clone(), log::owner(&owner));
    for (index, line) in written.as_str().unwrap_or("").lines().enumerate() {
        splitter.line(u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1), line.as_bytes());
    }
    let mut logs = splitter.finish();
    for log in &mut logs {
        log.requote(|line| written.quote_line(line.saturating_sub(1)));
        log.first_line = written.line();
        log.capped = (log.lines == TAIL).then(|| format!("only the last {TAIL} lines, as its collector keeps them"));
    }
    logs.into_iter().map(|log| Fact::Log(Box::new(log))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::messages::Signal;

    #[test]
    fn a_log_in_a_string_is_read_and_quoted_where_it_stands() {
        let text = r#"{"name":"coredns-abc","ready":"0/1","containerName":"coredns","containerLog":".:53\nCoreDNS-1.11.3\n[FATAL] plugin/loop: Loop (127.0.0.1:4 -\u003e :53) detected for zone \".\", see https"}"#;
        let section = crate::text::Section::whole(std::sync::Arc::new(crate::text::Text::new("x", text.into())));
        let mut found = Vec::new();
        crate::evidence::objects::read(&section, &crate::bundle::Budget::default(), &mut |_, node| {
            found = logs(node, &Hints::default());
        });
        let [Fact::Log(log)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((log.owner.pod.as_deref(), log.owner.container.as_deref()), (Some("coredns-abc"), Some("coredns")));
        let quote = &log.tally(Signal::Loop).unwrap().first;
        assert_eq!(quote.source.line, 1);
        assert!(text.contains(quote.text.trim_matches('…')) && quote.text.contains("plugin/loop"), "{}", quote.text);
    }
}
