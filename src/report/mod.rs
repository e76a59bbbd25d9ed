//! The report and its renderings. Renderers read only [`Report`].

mod build;
mod chart;
pub mod escape;
mod facts;
mod filters;
pub mod html;
pub mod json;
pub mod markdown;
mod model;
mod page;
#[cfg(test)]
mod sample;
pub mod terminal;
#[cfg(test)]
#[path = "../../tests/support/schema.rs"]
mod validator;
mod view;
mod words;

pub use build::build;
pub use model::*;

/// A template could not be filled: a defect of this program, never of the bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError(String);

impl std::fmt::Display for RenderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the report could not be written: {}", self.0)
    }
}

impl std::error::Error for RenderError {}

impl From<askama::Error> for RenderError {
    fn from(error: askama::Error) -> Self {
        RenderError(error.to_string())
    }
}
