//! The report for a program. Fields are only ever added.

use schemars::JsonSchema;
use serde::Serialize;

use foundation::{Failure, failure::OrUnable};

use crate::check::{Checked, Report};

const VERSION: u32 = 1;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Check<'a> {
    schema: &'static str,
    version: u32,
    /// Whether engines were built, or messages read only.
    built: bool,
    /// What is doubtful about the settings.
    warnings: &'a [String],
    commits: Vec<Row<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Row<'a> {
    commit: &'a str,
    subject: &'a str,
    verdict: &'static str,
    message_bench: Option<u64>,
    bench: Option<u64>,
    parent_bench: Option<u64>,
    detail: &'a str,
    warnings: &'a [String],
    log: Option<&'a str>,
}

impl<'a> From<&'a Checked> for Row<'a> {
    fn from(checked: &'a Checked) -> Self {
        Self {
            commit: &checked.commit.id,
            subject: checked.commit.subject(),
            verdict: checked.judgement.verdict.name(),
            message_bench: checked.message_bench,
            bench: checked.bench,
            parent_bench: checked.parent_bench,
            detail: &checked.judgement.detail,
            warnings: &checked.warnings,
            log: checked.log.as_deref(),
        }
    }
}

pub(crate) fn check(report: &Report) -> Result<String, Failure> {
    print(&Check {
        schema: "bench-guard-check",
        version: VERSION,
        built: report.built,
        warnings: &report.warnings,
        commits: report.commits.iter().map(Row::from).collect(),
    })
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Message<'a> {
    schema: &'static str,
    version: u32,
    bench: Option<u64>,
    verdict: &'static str,
    detail: &'a str,
    warnings: &'a [String],
}

pub(crate) fn message(
    bench: Option<u64>,
    verdict: &'static str,
    detail: &str,
    warnings: &[String],
) -> Result<String, Failure> {
    print(&Message {
        schema: "bench-guard-message",
        version: VERSION,
        bench,
        verdict,
        detail,
        warnings,
    })
}

/// One object, with line breaks.
pub(crate) fn print(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).or_unable("write the result as JSON")
}
