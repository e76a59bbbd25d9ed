//! What is known beforehand: versions, plugins, messages, sizes. Data and arithmetic, no flow.

pub mod corefile;
pub mod messages;
pub mod plugins;
pub mod sizing;
pub mod version;
