//! `[[bench-guard.variant]]` of `whetstone.toml`: another build of an engine, or another machine to run
//! it on.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// A variant of an engine. Keys that it does not set are as in the section of its engine.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct VariantSettings {
    /// What verdicts call it.
    pub(super) name: String,
    /// The engine, where it is not the main one of the repository.
    pub(super) engine: Option<String>,
    pub(super) build: Option<String>,
    /// Variables of the build and of the engine. A `build` that begins with `make` gets them on its
    /// command line too, where they come before what the Makefile says.
    #[serde(default)]
    pub(super) variables: BTreeMap<String, String>,
    /// What starts the engine, like `["qemu-x86_64", "-cpu", "Nehalem"]`.
    #[serde(default)]
    pub(super) runner: Vec<String>,
    pub(super) build_limit: Option<f64>,
    /// By default ten times that of the engine.
    pub(super) bench_limit: Option<f64>,
}
