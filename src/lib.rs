//! Reads an incident bundle of a Kubernetes cluster whose DNS failed, and writes the post-mortem.

pub mod problem;
pub mod report;
pub mod source;
pub mod text;
