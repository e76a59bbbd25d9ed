//! The report: what every rendering reads, and the JSON contract `dnsmortem.report/1`.

use std::borrow::Cow;

use serde::Serialize;

use crate::problem::Problem;

/// The value of `schema`; changes only with an incompatible change of the contract.
pub const SCHEMA: &str = "dnsmortem.report/1";

/// One analysed incident.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Which program wrote it.
    pub tool: Tool,
    /// What was read.
    pub bundle: Bundle,
    /// What is known of the cluster.
    pub cluster: Cluster,
    /// The answer.
    pub verdict: Verdict,
    /// The seven hops of a query, in order.
    pub path: Vec<PathHop>,
    /// One for each failure id that a detector looked for.
    pub findings: Vec<Finding>,
    /// What memory CoreDNS needs.
    pub sizing: Sizing,
    /// The eight questions that close a DNS incident.
    pub checklist: Vec<CheckItem>,
    /// Who is hurt.
    pub affected: Affected,
    /// What can be drawn over time.
    pub series: Vec<Series>,
    /// The policy matrix.
    pub access: Vec<Access>,
    /// Lookups taken apart.
    pub lookups: Vec<Lookup>,
    /// What happened when, in UTC.
    pub timeline: Vec<Moment>,
    /// Thresholds and settings in force.
    pub options: Options,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tool {
    /// `dnsmortem`.
    pub name: String,
    /// Its release.
    pub version: String,
}

/// What was given and what became of each file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bundle {
    /// Name of the folder or file as given, without its parents.
    pub name: String,
    /// SHA-256 of the file, as `sha256sum` prints it; null for a folder.
    pub sha256: Option<String>,
    /// RFC 3339, UTC; null where nothing says so.
    pub collected_at: Option<String>,
    /// Every entry, sorted by path.
    pub files: Vec<File>,
    /// Everything that was cut, unreadable or unrecognised.
    pub problems: Vec<BundleProblem>,
}

impl Bundle {
    /// Takes problems in; each stands once, in order of path.
    pub fn add(&mut self, problems: &[Problem]) {
        self.problems.extend(problems.iter().map(|problem| BundleProblem {
            path: problem.path.to_string(),
            message: problem.line.map_or(problem.message.clone(), |line| format!("line {line}: {}", problem.message)),
        }));
        self.problems.sort();
        self.problems.dedup();
    }
}

/// One entry of the bundle.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct File {
    /// Relative to the bundle.
    pub path: String,
    /// Size after unpacking.
    pub bytes: u64,
    /// Lines of the decoded text; 0 for what is no text.
    pub lines: u64,
    /// What it was taken for.
    pub kind: Cow<'static, str>,
    /// Anything worth saying about it; may be empty.
    pub note: String,
}

/// One problem of the bundle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BundleProblem {
    /// The entry; empty for the whole bundle.
    pub path: String,
    /// One line.
    pub message: String,
}

/// What is known of the cluster; null where unknown.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cluster {
    /// For example `1.32.1`.
    pub kubernetes_version: Option<String>,
    /// For example `1.11.3`, without vendor suffix.
    pub coredns_version: Option<String>,
    /// `kubeadm`, `k3s`, `openshift`, `eks`, `aks`, `gke`, `rke2`, `kops`, `kind`, `minikube`.
    pub distribution: Option<String>,
    /// How many nodes.
    pub nodes: Option<u64>,
    /// How many pods.
    pub pods: Option<u64>,
    /// How many Services.
    pub services: Option<u64>,
    /// ClusterIP of the DNS Service.
    pub dns_service_ip: Option<String>,
    /// Of the DNS workload.
    pub replicas: Replicas,
}

/// Replicas of the DNS workload.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replicas {
    /// Wanted.
    pub desired: Option<u64>,
    /// Ready.
    pub ready: Option<u64>,
}

/// When the failure holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Still so at collection.
    Ongoing,
    /// It healed or was mended before collection.
    Past,
    /// Nothing is broken yet.
    Latent,
}

/// How the analysis ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Something is or was broken, and it is named.
    FaultFound,
    /// Nothing is broken now; something will be.
    RiskOnly,
    /// The evidence shows DNS working.
    Healthy,
    /// Names resolve; what fails comes after.
    NotDns,
    /// The evidence does not decide.
    Inconclusive,
}

/// How sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// One indirect fact.
    Possible,
    /// Two independent indirect facts.
    Likely,
    /// The failing component or the kernel says so.
    Confirmed,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// When it holds; null where nothing was found.
    pub when: Option<When>,
    /// How the analysis ended.
    pub outcome: Outcome,
    /// A failure id, or null.
    pub root_cause: Option<String>,
    /// How sure.
    pub confidence: Confidence,
    /// One sentence.
    pub headline: String,
    /// Ids from the cause to what people saw.
    pub chain: Vec<String>,
    /// Further independent root causes.
    pub others: Vec<String>,
}

/// A hop of a query's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Hop {
    /// The pod's resolver.
    Client,
    /// NetworkPolicies.
    Policy,
    /// The ClusterIP and what implements it.
    Service,
    /// The addresses behind the Service.
    Endpoints,
    /// CoreDNS itself.
    Server,
    /// The Kubernetes API that it watches.
    Api,
    /// The resolvers that it forwards to.
    Upstream,
}

impl Hop {
    /// All seven, in the order a query takes them.
    pub const ALL: [Hop; 7] =
        [Hop::Client, Hop::Policy, Hop::Service, Hop::Endpoints, Hop::Server, Hop::Api, Hop::Upstream];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Hop::Client => "client",
            Hop::Policy => "policy",
            Hop::Service => "service",
            Hop::Endpoints => "endpoints",
            Hop::Server => "server",
            Hop::Api => "api",
            Hop::Upstream => "upstream",
        }
    }
}

/// State of a hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HopState {
    /// The evidence shows it working.
    Ok,
    /// It works with faults.
    Degraded,
    /// It does not work.
    Broken,
    /// Nothing tells.
    Unknown,
}

/// One hop and what was seen of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathHop {
    /// Which.
    pub hop: Hop,
    /// How it is.
    pub state: HopState,
    /// One sentence.
    pub why: String,
    /// Ids of the found findings that concern it.
    pub findings: Vec<String>,
}

/// How a detector answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Confirmed or likely.
    Found,
    /// Possible.
    Suspected,
    /// Examined, and not so.
    RuledOut,
    /// The evidence is missing.
    NotChecked,
    /// This cluster has no such part.
    NotApplicable,
    /// A defect of this program.
    Crashed,
}

/// How bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// For information.
    Info,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Some names do not resolve, or the next restart breaks it.
    High,
    /// Names do not resolve.
    Critical,
}

/// What a finding is in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The first thing that happened.
    RootCause,
    /// It made it possible or worse.
    Contributing,
    /// Something else explains it.
    Symptom,
    /// Not yet.
    Risk,
}

/// One answer of one detector.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The failure id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Where on the path; null for what concerns none.
    pub hop: Option<Hop>,
    /// How the detector answered.
    pub status: Status,
    /// How sure; null unless found or suspected.
    pub confidence: Option<Confidence>,
    /// How bad.
    pub severity: Severity,
    /// What it is in the chain; null unless found or suspected.
    pub role: Option<Role>,
    /// When it was first seen, RFC 3339, UTC; null where nothing says so.
    pub since: Option<String>,
    /// What happened here, or what was examined, or what is missing.
    pub summary: String,
    /// `kind/namespace/name`.
    pub subjects: Vec<String>,
    /// What proves it.
    pub evidence: Vec<Evidence>,
    /// What would settle it.
    pub missing: Vec<Missing>,
    /// What to do.
    pub fixes: Vec<Fix>,
    /// The page that explains it.
    pub docs: String,
}

/// One quoted line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// Relative to the bundle.
    pub path: String,
    /// Counted from 1 in the decoded text.
    pub line: u32,
    /// Counted from 1, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// As in RFC 6901, for objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// At most 400 characters.
    pub quote: String,
    /// True: for the finding; false: against it.
    pub supports: bool,
    /// What it shows; may be empty.
    pub note: String,
}

/// What would settle a question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// The evidence that is not in the bundle.
    pub what: String,
    /// How to collect it.
    pub command: String,
}

/// Kind of remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FixKind {
    /// To run in a shell.
    Command,
    /// A diff or an object.
    Patch,
    /// For a person.
    Manual,
}

/// Whether the fix was tried on the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FixCheck {
    /// Applied to the model and judged again.
    Verified,
    /// Nothing in the model can tell.
    NotComputable,
}

/// A remedy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// What kind.
    pub kind: FixKind,
    /// The command, the patch or the words.
    pub body: String,
    /// Whether it was tried.
    pub check: FixCheck,
    /// What can go wrong; may be empty.
    pub risk: String,
}

/// What memory CoreDNS needs, and where each number comes from.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sizing {
    /// Counts and measurements put in.
    pub inputs: Vec<SizingInput>,
    /// `(pods + services) / 1000 + 54`, MB (10^6 bytes); null without counts.
    pub need_default_mb: Option<f64>,
    /// `(pods + services) / 250 + 56`, MB (10^6 bytes); null without counts.
    pub need_autopath_mb: Option<f64>,
    /// Which of the two applies to this Corefile: `default` or `autopath`; null where unknown.
    pub mode: Option<String>,
    /// Measured resident memory in steady state, bytes.
    pub measured_rss_bytes: Option<u64>,
    /// Measured working set, bytes (`kubectl top`, cgroup).
    pub measured_working_set_bytes: Option<u64>,
    /// The limit of the container, bytes.
    pub limit_bytes: Option<u64>,
    /// Lower end of the estimate for the peak of a re-list, bytes (2 × steady).
    pub peak_low_bytes: Option<u64>,
    /// Upper end of the estimate for the peak of a re-list, bytes (3 × steady).
    pub peak_high_bytes: Option<u64>,
    /// What the limit should be, bytes, a whole multiple of 10Mi.
    pub recommended_limit_bytes: Option<u64>,
    /// The arithmetic, line by line.
    pub arithmetic: Vec<String>,
    /// When the limit is met, or why that cannot be said.
    pub runway: Option<String>,
    /// What would make it better.
    pub missing: Vec<Missing>,
}

/// One number that went into the sizing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SizingInput {
    /// `services`, `endpoint-addresses`, `pods`, `rss`, `limit` …
    pub name: String,
    /// The number.
    pub value: f64,
    /// `objects`, `bytes`.
    pub unit: String,
    /// True where the bundle shows only part of it.
    pub lower_bound: bool,
    /// In words: which list or metric.
    pub from: String,
    /// The file; null for a default.
    pub path: Option<String>,
    /// The line; null for a default.
    pub line: Option<u32>,
}

/// State of a checklist item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CheckState {
    /// So it should be.
    Pass,
    /// So it should not be.
    Fail,
    /// Nothing tells.
    Unknown,
}

/// One of the eight questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckItem {
    /// For example `pdb-exists`.
    pub id: String,
    /// The question.
    pub item: String,
    /// The answer.
    pub state: CheckState,
    /// One sentence.
    pub why: String,
    /// What shows it.
    pub evidence: Vec<Evidence>,
}

/// Whom it hurts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Everybody.
    AllClients,
    /// Names outside the cluster.
    ExternalNames,
    /// Names inside the cluster.
    ClusterNames,
    /// Pods of one node.
    OneNode,
    /// Pods of one namespace.
    OneNamespace,
    /// Pods of one image.
    OneImage,
    /// Answers over one packet.
    LargeAnswers,
    /// Nothing tells.
    Unknown,
}

/// Who is hurt, as far as known.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Affected {
    /// How far it reaches.
    pub scope: Scope,
    /// Names of nodes, namespaces, images.
    pub members: Vec<String>,
    /// One sentence.
    pub why: String,
}

/// Something that can be drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// For example `rss`.
    pub name: String,
    /// For example `bytes`.
    pub unit: String,
    /// For example a pod.
    pub subject: String,
    /// Sorted by time.
    pub points: Vec<Point>,
    /// In words: which files.
    pub source: String,
    /// Limit, recommended limit, re-list peak.
    pub lines: Vec<ReferenceLine>,
}

/// One sample.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// RFC 3339, UTC.
    pub at: String,
    /// In the series' unit.
    pub value: f64,
}

/// A level drawn across.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReferenceLine {
    /// What it is.
    pub name: String,
    /// In the series' unit.
    pub value: f64,
}

/// One row of the policy matrix.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Access {
    /// The clients' namespace.
    pub namespace: String,
    /// Label set or example.
    pub pods: String,
    /// `allowed`, `blocked`, `depends`.
    pub udp: String,
    /// `allowed`, `blocked`, `depends`.
    pub tcp: String,
    /// Which policies select them.
    pub policies: Vec<String>,
    /// One sentence.
    pub why: String,
}

/// One lookup taken apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lookup {
    /// What was asked for.
    pub name: String,
    /// Which resolver.
    pub resolver: String,
    /// Which queries it takes, in order.
    pub queries: Vec<String>,
    /// How many of them are wasted.
    pub wasted: u64,
    /// How often it was seen.
    pub seen: u64,
}

/// One line of the timeline.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moment {
    /// RFC 3339, UTC.
    pub at: String,
    /// `exact`, `seconds`, `minutes`, `hours`, `days`: how far off it can be.
    pub precision: String,
    /// What happened.
    pub what: String,
    /// The file that says so.
    pub path: String,
    /// The line that says so.
    pub line: u32,
    /// `kind/namespace/name`, or empty.
    pub about: String,
}

/// Thresholds and settings in force.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Options {
    /// Name and value of each bar.
    pub thresholds: Vec<Threshold>,
    /// Ids that the user silenced.
    pub suppressions: Vec<String>,
    /// Rules that the user added.
    pub user_rules: Vec<String>,
    /// What was masked.
    pub redactions: Vec<String>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Threshold {
    /// For example `memory-investigate-share`.
    pub name: String,
    /// Its value.
    pub value: f64,
}
