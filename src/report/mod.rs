//! The report and its renderings. Renderers read only [`Report`].

mod model;

pub use model::*;
