//! Known log messages, by version where the wording changed. Data only: the scanner in `evidence/log` applies it.
//!
//! Wordings: CoreDNS 1.0 to 1.15 (its own sources and recorded runs), client-go 0.17 to 0.35, Linux 4 to 6.

/// What a known message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    // ---- CoreDNS: start and stop
    /// `CoreDNS-1.11.3`: the process has read its Corefile and listens. Field `version`.
    Banner,
    /// `[INFO] SIGTERM: Shutting down servers then terminating`.
    Sigterm,
    /// `[INFO] plugin/health: Going into lameduck mode for 5s`. Field `duration`.
    Lameduck,
    /// `Running configuration SHA512 = …` (MD5 to 1.9.0). Field `hash`.
    ConfigHash,
    /// A bare line without level: the process ends at once, exit 1. Fields `file`, `line`, `plugin`, `text`.
    StartFailed,
    /// `open /etc/coredns/Corefile: no such file or directory`, or it is a directory or unreadable. Field `reason`.
    CorefileMissing,
    /// No banner, the binary did not understand its flags. Field `flag`.
    BadFlag,
    /// `unable to load in-cluster configuration`, no token: the pod's ServiceAccount is not mounted.
    NotInCluster,
    /// `[FATAL] plugin/loop: Loop (…) detected for zone "."`, and the older wordings. Fields `source`, `zone`.
    Loop,
    /// `Listen: listen tcp :53: bind: address already in use`. Fields `proto`, `address`, `port`.
    PortInUse,
    /// `bind: permission denied`. Fields `proto`, `address`, `port`.
    PortDenied,
    /// `bind: cannot assign requested address`. Fields `proto`, `address`, `port`.
    AddressMissing,
    // ---- CoreDNS: reload
    /// `[INFO] Reloading`.
    Reloading,
    /// `[INFO] Reloading complete`.
    ReloadComplete,
    /// `Corefile changed but reload failed: …`, `Restart failed: …`, `Corefile parse failed: …`. Field `text`.
    ReloadFailed,
    // ---- CoreDNS: Kubernetes API
    /// `… is forbidden: User "…" cannot list resource "…"`. Fields `resource`, `user`, `verb`, `group`.
    ApiForbidden,
    /// `Unauthorized`.
    ApiUnauthorized,
    /// `x509: …` or another TLS failure on the way to the API. Field `reason`.
    ApiTls,
    /// `dial tcp IP:443: …`, `TLS handshake timeout`, `context deadline exceeded`. Fields `address`, `reason`.
    ApiUnreachable,
    /// The API server answers with an error: not ready, 429, 500, 503, leader changed. Field `reason`.
    ApiUnhealthy,
    /// `the server could not find the requested resource`.
    ApiResourceUnknown,
    /// `starting server with unsynced Kubernetes API` (1.8.4+).
    ApiUnsynced,
    /// `waiting for Kubernetes API before starting server` (1.9.1+).
    ApiWaiting,
    /// A failed watch whose reason this version does not print (1.11.4 to 1.13.1).
    ApiFailedSilently,
    /// `watch of *v1.Service ended with: …`: routine after an API server restart.
    WatchEnded,
    // ---- CoreDNS: probes
    /// `plugin/ready: Still waiting on: "kubernetes"` (`Plugins not ready` from 1.12.2). Field `plugins`.
    NotReady,
    /// `Local health request to "…" took more than 1s: 3.2s` (1.8.4+). Field `duration`.
    HealthSlow,
    /// `Local health request to "…" failed: …` (1.8.4+). Field `reason`.
    HealthFailed,
    // ---- CoreDNS: queries
    /// `plugin/errors: 2 name. A: …` towards an upstream. Fields `to`, `reason`, `name`, `type`.
    UpstreamError,
    /// The same for the loop plugin's own HINFO probe. Fields `to`, `reason`.
    UpstreamProbeError,
    /// `concurrent queries exceeded maximum N`. Field `limit`.
    MaxConcurrent,
    /// `dns: overflow unpacking uint16`, `buffer size too small` (1.10.1). Field `name`.
    Overflow,
    /// `Recovered from panic in server: …` (1.8.7+). Field `text`.
    PanicRecovered,
    /// `panic: …`, `fatal error: …`: the process ends with exit 2. Field `text`.
    PanicFatal,
    /// `goroutine 1 [running]:`.
    Stack,
    /// `No files matching import glob pattern: …`: harmless. Field `pattern`.
    GlobEmpty,
    // ---- container runtime
    /// `exec format error`, `exec user process caused …`.
    ExecFormat,
    /// `exec /coredns: operation not permitted`, `no such file or directory`. Field `reason`.
    ExecDenied,
    // ---- NodeLocal DNSCache
    /// `Starting node-cache image: …`.
    NodeCacheStart,
    // ---- applications and people
    /// An application says that a name does not exist. Fields `name`, `server`.
    AppNoSuchName,
    /// An application's lookup timed out or was refused. Fields `name`, `server`, `reason`.
    AppLookupFailed,
    /// An application's connection to an address failed. Fields `address`, `reason`.
    AppConnectFailed,
    /// An application reached a machine whose certificate is for another name. Field `name`.
    AppTlsFailed,
}

/// How one message is recognised: any of the literals, then the expression on the message without its prefixes.
pub struct Pattern {
    /// What it says.
    pub signal: Signal,
    /// At least one of these stands in the line.
    pub literals: &'static [&'static str],
    /// Named groups become the sample's fields.
    pub regex: &'static str,
    /// Which fields tell two wordings apart; the others are kept of the first.
    pub key: &'static [&'static str],
}

const fn pattern(
    signal: Signal,
    literals: &'static [&'static str],
    regex: &'static str,
    key: &'static [&'static str],
) -> Pattern {
    Pattern { signal, literals, regex, key }
}

/// The first pattern that matches a line decides, so the special stands before the general.
pub const PATTERNS: &[Pattern] = &[
    pattern(Signal::Banner, &["CoreDNS-"], r"^(?:\[INFO\] )?CoreDNS-(?P<version>\S+)$", &["version"]),
    pattern(
        Signal::NodeCacheStart,
        &["Starting node-cache image"],
        r"Starting node-cache image: (?P<version>\S+)",
        &["version"],
    ),
    // ---- loop: 1.3.1 on; 1.2.3 to 1.3.0; 1.2.1 and 1.2.2
    pattern(
        Signal::Loop,
        &["plugin/loop: Loop ("],
        r#"plugin/loop: Loop \((?P<source>\S+) -> (?P<listen>[^)]*)\) detected for zone "(?P<zone>[^"]*)""#,
        &["source", "zone"],
    ),
    pattern(
        Signal::Loop,
        &["Forwarding loop detected in"],
        r#"Forwarding loop detected in "(?P<zone>[^"]*)" zone"#,
        &["zone"],
    ),
    pattern(
        Signal::Loop,
        &["more than twice, loop detected"],
        r#"Seen "HINFO IN (?P<name>\S*)" more than twice, loop detected"#,
        &[],
    ),
    // ---- reload: the text behind may be any start failure, so it stands before those
    pattern(
        Signal::ReloadFailed,
        &["Corefile changed but reload failed", "Restart failed: ", "Corefile parse failed", "[PANIC] Restart: "],
        r"(?:Corefile changed but reload failed|Restart failed|Corefile parse failed|\[PANIC\] Restart): (?P<text>.*)$",
        &["text"],
    ),
    pattern(Signal::Reloading, &["Reloading"], r"^\[INFO\] (?:SIGUSR1: )?Reloading$", &[]),
    pattern(Signal::ReloadComplete, &["Reloading complete"], r"^\[INFO\] Reloading complete$", &[]),
    pattern(
        Signal::ConfigHash,
        &["Running configuration "],
        r"Running configuration (?:MD5|SHA512) = (?P<hash>[0-9a-f]+)",
        &["hash"],
    ),
    // ---- listeners
    pattern(
        Signal::PortInUse,
        &["bind: address already in use"],
        r"listen (?P<proto>\w+) (?P<address>\[[^\]]*\]|[^:\s]*):(?P<port>\d+): bind: address already in use",
        &["proto", "address", "port"],
    ),
    pattern(
        Signal::PortDenied,
        &["bind: permission denied"],
        r"listen (?P<proto>\w+) (?P<address>\[[^\]]*\]|[^:\s]*):(?P<port>\d+): bind: permission denied",
        &["proto", "address", "port"],
    ),
    pattern(
        Signal::AddressMissing,
        &["bind: cannot assign requested address"],
        r"listen (?P<proto>\w+) (?P<address>\[[^\]]*\]|[^:\s]*):(?P<port>\d+): bind: cannot assign requested address",
        &["proto", "address", "port"],
    ),
    // ---- Kubernetes API: six shapes by client-go version, the reason decides
    // routine after an API server restart, whatever the reason behind it says
    pattern(Signal::WatchEnded, &["ended with: "], r"watch of (?P<kind>\S+) ended with: (?P<reason>.*)$", &["reason"]),
    pattern(
        Signal::ApiForbidden,
        &[" is forbidden: User "],
        r#"(?P<what>\S+) is forbidden: User "(?P<user>[^"]*)" cannot (?P<verb>\w+) resource "(?P<resource>[^"]*)"(?: in API group "(?P<group>[^"]*)")?"#,
        &["resource", "user", "verb"],
    ),
    pattern(
        Signal::ApiTls,
        &["x509: ", "first record does not look like a TLS handshake", "tls: "],
        r"(?:reflector|plugin/kubernetes).*?(?P<reason>x509: .*?|tls: .*?)(?: logger=.*)?$",
        &["reason"],
    ),
    pattern(
        Signal::ApiUnauthorized,
        &["Unauthorized", "the server has asked for the client to provide credentials"],
        r"(?:reflector|plugin/kubernetes).*(?:: Unauthorized|: the server has asked for the client to provide credentials)",
        &[],
    ),
    pattern(
        Signal::ApiResourceUnknown,
        &["the server could not find the requested resource"],
        r"(?:reflector|plugin/kubernetes).*the server could not find the requested resource",
        &[],
    ),
    pattern(
        Signal::ApiUnreachable,
        &[
            "dial tcp ",
            "TLS handshake timeout",
            "context deadline exceeded",
            "http2: client connection lost",
            "net/http: ",
        ],
        r#"(?:reflector|plugin/kubernetes).*?(?:Get "?https?://(?P<host>[^/"]+)[^:]*"?: )?(?:dial tcp (?P<address>\S+): )?(?P<reason>(?:connect: )?(?:connection refused|no route to host|network is unreachable|i/o timeout|connection timed out)|.*TLS handshake timeout|.*context deadline exceeded|http2: client connection lost|net/http: [^:]*)(?: logger=.*)?(?: \(.*\))?$"#,
        &["address", "reason"],
    ),
    pattern(
        Signal::ApiUnhealthy,
        &[
            "apiserver not ready",
            "Too many requests",
            "Internal error occurred",
            "etcdserver: ",
            "the server is currently unable",
            "rpc error: ",
            "server gave HTTP response to HTTPS client",
            "an error on the server",
        ],
        r"(?:reflector|plugin/kubernetes).*?(?P<reason>apiserver not ready|Too many requests|Internal error occurred.*|etcdserver: .*|the server is currently unable.*|rpc error: .*|http: server gave HTTP response to HTTPS client|an error on the server.*?)(?: logger=.*)?$",
        &["reason"],
    ),
    pattern(Signal::ApiUnsynced, &["starting server with unsynced Kubernetes API"], "unsynced Kubernetes API", &[]),
    pattern(
        Signal::ApiWaiting,
        &["waiting for Kubernetes API before starting server"],
        "waiting for Kubernetes API",
        &[],
    ),
    pattern(
        Signal::ApiFailedSilently,
        &["plugin/kubernetes: Unhandled Error", "plugin/kubernetes: Failed to watch"],
        r"plugin/kubernetes: (?:Unhandled Error|Failed to watch)\s*$",
        &[],
    ),
    pattern(
        Signal::ApiUnreachable,
        &["Kubernetes API connection failure"],
        r#"Kubernetes API connection failure: (?:Get "?https?://(?P<address>[^/"]+)[^"]*"?: )?(?P<reason>.*)$"#,
        &["address", "reason"],
    ),
    // ---- probes
    pattern(
        Signal::NotReady,
        &["plugin/ready: "],
        r#"plugin/ready: (?:Still waiting on|Plugins not ready): "(?P<plugins>[^"]*)""#,
        &["plugins"],
    ),
    pattern(
        Signal::HealthSlow,
        &["took more than 1s"],
        r"Local health request to .* took more than 1s: (?P<duration>\S+)",
        &[],
    ),
    pattern(
        Signal::HealthFailed,
        &["Local health request to"],
        r"Local health request to .* failed: (?P<reason>.*)$",
        &[],
    ),
    pattern(Signal::Sigterm, &["SIGTERM: "], r"SIGTERM: Shutting down", &[]),
    pattern(Signal::Lameduck, &["lameduck mode for"], r"lameduck mode for (?P<duration>\S+)", &[]),
    // ---- panics
    pattern(
        Signal::PanicRecovered,
        &["Recovered from panic in server"],
        r"Recovered from panic in server: (?P<text>.*)$",
        &[],
    ),
    pattern(Signal::PanicFatal, &["panic: ", "fatal error: "], r"^(?P<text>(?:panic|fatal error): .*)$", &["text"]),
    pattern(Signal::Stack, &["[running]:"], r"^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[running\]:", &[]),
    // ---- the binary
    pattern(
        Signal::ExecFormat,
        &["exec format error", "exec user process caused"],
        r"(?P<text>exec (?:user process caused|format error).*)$",
        &[],
    ),
    pattern(
        Signal::ExecDenied,
        &["exec /", "exec: \"", "exec failed"],
        r#"exec:? "?/?\S*coredns"?:.*(?P<reason>operation not permitted|permission denied|no such file or directory)"#,
        &["reason"],
    ),
    pattern(
        Signal::BadFlag,
        &["flag provided but not defined"],
        r"flag provided but not defined: (?P<flag>\S+)",
        &["flag"],
    ),
    pattern(
        Signal::CorefileMissing,
        &["loading Caddyfile via flag: ", "/Corefile: no such file or directory"],
        r"(?:loading Caddyfile via flag: )?(?:open|read) (?P<file>\S+): (?P<reason>.*)$",
        &["reason"],
    ),
    pattern(
        Signal::NotInCluster,
        &[
            "unable to load in-cluster configuration",
            "serviceaccount/token: no such file",
            "serviceaccount/token: open",
        ],
        r"^plugin/kubernetes: (?P<text>.*)$",
        &[],
    ),
    pattern(
        Signal::GlobEmpty,
        &["No files matching import glob pattern"],
        r"import glob pattern: (?P<pattern>.*)$",
        &["pattern"],
    ),
    // ---- start failures: bare lines, without level and without time
    pattern(
        Signal::StartFailed,
        &[" - Error during parsing: ", " - Syntax error: ", " - Parse error: "],
        r"^(?:plugin/(?P<plugin>\S+): )?(?P<file>\S+):(?P<line>\d+) - (?P<text>(?:Error during parsing|Syntax error|Parse error): .*)$",
        &["text", "line"],
    ),
    pattern(
        Signal::StartFailed,
        &[
            "cannot serve ",
            "error inspecting server blocks: ",
            "no action found for directive",
            "zone overlap listener capacity",
        ],
        r"^(?P<text>(?:cannot serve|error inspecting server blocks:|no action found for directive).*)$",
        &["text"],
    ),
    pattern(Signal::StartFailed, &["plugin/"], r"^plugin/(?P<plugin>[a-z0-9_]+): (?P<text>.+)$", &["text"]),
    pattern(
        Signal::StartFailed,
        &[
            "maximum snippet import depth",
            "redeclaration of previously declared snippet",
            "Failed to initialize server",
        ],
        r"^(?P<text>.*(?:maximum snippet import depth|redeclaration of previously declared snippet|Failed to initialize server).*)$",
        &["text"],
    ),
    // ---- what applications say
    pattern(
        Signal::AppNoSuchName,
        &["no such host", "Name or service not known", "ENOTFOUND", "UnknownHostException", "NXDOMAIN"],
        r#"(?:lookup (?P<name>[^\s:"']+)(?: on (?P<server>\S+?):53)?: no such host|ENOTFOUND (?P<n2>[\w.-]+)|UnknownHostException: (?P<n3>[\w.-]+)|Name or service not known)"#,
        &["name", "n2", "n3"],
    ),
    pattern(
        Signal::AppLookupFailed,
        &["lookup ", "EAI_AGAIN", "Temporary failure in name resolution", "Try again", "bad address"],
        r#"(?:lookup (?P<name>[^\s:"']+) on (?P<server>\S+?):53: (?P<reason>.*?)["\\}]*$|EAI_AGAIN(?: (?P<n2>[\w.-]+))?|(?P<r2>Temporary failure in name resolution)|bad address '(?P<n3>[^']+)'|(?P<r3>Try again)$)"#,
        &["name", "server", "n2", "n3"],
    ),
    pattern(
        Signal::AppTlsFailed,
        &["x509: certificate is valid for", "ERR_TLS_CERT_ALTNAME_INVALID", "no alternative certificate subject name"],
        r"(?:x509: certificate is valid for .*, not (?P<name>[\w.-]+)|ERR_TLS_CERT_ALTNAME_INVALID|no alternative certificate subject name)",
        &["name"],
    ),
    pattern(
        Signal::AppConnectFailed,
        &["connect: connection refused", "i/o timeout", "Connection refused", "connection timed out"],
        r"(?:dial (?:tcp|udp) (?P<address>[0-9a-fA-F.:\[\]]+): (?P<reason>(?:connect: )?(?:connection refused|no route to host|connection timed out|i/o timeout))|\((?P<a2>[0-9.]+:\d+)\): (?P<r2>Connection refused))",
        &["address", "reason", "a2"],
    ),
];
