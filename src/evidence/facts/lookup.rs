//! A lookup or connection that somebody tried, and a client's complaint about one.

use jiff::Timestamp;

use crate::source::Quote;

/// A try and how it ended.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// Which kind of evidence.
    pub kind: LookupKind,
    /// The name asked for; empty where the text does not say.
    pub name: String,
    /// The server asked, address only; empty where unknown.
    pub server: String,
    /// Addresses answered.
    pub answers: Vec<String>,
    /// How it ended.
    pub result: LookupResult,
    /// The line that tells the result.
    pub quote: Quote,
    /// When.
    pub at: Option<Timestamp>,
    /// How many lines say the same.
    pub count: u64,
}

/// Which kind of evidence a lookup is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LookupKind {
    /// dig, nslookup, host, getent, Resolve-DnsName by a person.
    Tool,
    /// An application's error text about a name.
    Application,
    /// A connection to an address or a name: nc, curl, telnet, an application's dial error.
    Connection,
}

/// How a try ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LookupResult {
    /// Answered, or connected.
    Answered,
    /// NXDOMAIN, `no such host`.
    NoSuchName,
    /// SERVFAIL, `server misbehaving`.
    ServerFailure,
    /// REFUSED as an rcode.
    RefusedAnswer,
    /// Nothing came back.
    TimedOut,
    /// The port refused.
    ConnectionRefused,
    /// EAI_AGAIN: time-out or SERVFAIL.
    TryAgain,
    /// TLS or another protocol's error after the connection stood.
    AfterConnect,
}
