//! Answers for programs, as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use foundation::{Failure, failure::OrUnable, reference::table};

use crate::check::{Checked, Report};

/// What a command prints with `--json`. Each object says which it is and in which version.
pub(crate) trait Object: Serialize + JsonSchema {
    /// `bench-guard-` and the name of the command.
    const SCHEMA: &'static str;
}

/// Fields are only ever added, so that one version serves.
const VERSION: u32 = 1;

#[derive(Serialize, JsonSchema)]
struct Labelled<'a, T> {
    schema: &'static str,
    version: u32,
    #[serde(flatten)]
    object: &'a T,
}

/// One object, with line breaks.
pub(crate) fn object<T: Object>(object: &T) -> Result<String, Failure> {
    serde_json::to_string_pretty(&Labelled {
        schema: T::SCHEMA,
        version: VERSION,
        object,
    })
    .or_unable("write the result as JSON")
}

/// The command, the schema, and the members as a table for the reference.
pub(crate) fn description<T: Object>() -> (&'static str, &'static str, String) {
    let command = T::SCHEMA.trim_start_matches("bench-guard-");
    (command, T::SCHEMA, table::<Labelled<'_, T>>("member"))
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Check<'a> {
    /// Whether engines were built, or messages read only.
    built: bool,
    /// What is doubtful about the settings.
    warnings: &'a [String],
    commits: Vec<Row<'a>>,
}

impl Object for Check<'_> {
    const SCHEMA: &'static str = "bench-guard-check";
}

#[derive(Serialize, JsonSchema)]
struct Row<'a> {
    commit: &'a str,
    /// The engine that is meant; null is the main one of the repository.
    engine: Option<&'a str>,
    subject: &'a str,
    verdict: &'static str,
    message_bench: Option<u64>,
    bench: Option<u64>,
    parent_bench: Option<u64>,
    detail: &'a str,
    warnings: &'a [String],
    log: Option<&'a str>,
    /// What its variants gave, as far as they were built.
    variants: Vec<Variant<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Variant<'a> {
    name: &'a str,
    /// Null where it does not build or has no bench.
    bench: Option<u64>,
}

impl<'a> From<&'a Checked> for Row<'a> {
    fn from(checked: &'a Checked) -> Self {
        Self {
            commit: &checked.commit.id,
            engine: checked.engine.as_deref(),
            subject: checked.commit.subject(),
            verdict: checked.judgement.verdict.name(),
            message_bench: checked.message_bench,
            bench: checked.bench,
            parent_bench: checked.parent_bench,
            detail: &checked.judgement.detail,
            warnings: &checked.warnings,
            log: checked.log.as_deref(),
            variants: checked
                .variants
                .iter()
                .map(|variant| Variant {
                    name: &variant.name,
                    bench: variant.outcome.bench(),
                })
                .collect(),
        }
    }
}

pub(crate) fn check(report: &Report) -> Result<String, Failure> {
    object(&Check {
        built: report.built,
        warnings: &report.warnings,
        commits: report.commits.iter().map(Row::from).collect(),
    })
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Message<'a> {
    bench: Option<u64>,
    verdict: &'static str,
    detail: &'a str,
    warnings: &'a [String],
}

impl Object for Message<'_> {
    const SCHEMA: &'static str = "bench-guard-message";
}

pub(crate) fn message(
    bench: Option<u64>,
    verdict: &'static str,
    detail: &str,
    warnings: &[String],
) -> Result<String, Failure> {
    object(&Message {
        bench,
        verdict,
        detail,
        warnings,
    })
}
