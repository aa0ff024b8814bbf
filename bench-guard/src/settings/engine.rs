//! The section `[bench-guard.engine.NAME]` of `whetstone.toml`: another engine of the repository.

use schemars::JsonSchema;
use serde::Deserialize;

use super::pattern::PathPatterns;
use crate::message::{is_engine_name, label};
use foundation::Failure;

/// The settings of another engine of the repository.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct EngineSettings {
    /// Where its Makefile is, relative to the root of the repository.
    pub(super) folder: String,
    pub(super) build: Option<String>,
    pub(super) bench: Option<Vec<String>>,
    pub(super) build_limit: Option<f64>,
    pub(super) bench_limit: Option<f64>,
    pub(super) environment: Option<Vec<String>>,
    /// A commit that touches none of these paths needs no bench of this engine; by default all in its
    /// folder.
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) paths: Option<PathPatterns>,
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) ignore: Option<PathPatterns>,
}

impl EngineSettings {
    /// How it is built and benched, without what its commits owe and which variables a build sees.
    pub(super) fn without_rules(&self) -> Self {
        Self {
            environment: None,
            paths: None,
            ignore: None,
            ..self.clone()
        }
    }
}

pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    if !is_engine_name(name) {
        return Err(Failure::unable(format!(
            "`[bench-guard.engine.{name}]` of whetstone.toml: an engine cannot be called `{name}`"
        ))
        .hint(format!(
            "lower-case letters, digits and `-`; a name that ends with `bench` or `nodes` would make OpenBench read `{}: 1`",
            label(Some(name))
        )));
    }
    Ok(())
}
