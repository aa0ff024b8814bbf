//! What was found, for a person, for a program, for a pull request, and for GitHub. No reporter decides anything.

mod format;
mod github;
pub(crate) mod json;
pub(crate) mod markdown;
mod text;

pub(crate) use format::{Format, FormatArgs};
pub(crate) use github::{annotations, outputs};
pub(crate) use json::{Object, check as check_json, message as message_json, object};
pub(crate) use text::{check as check_text, plain};

use crate::check::{BenchVerdict, Checked, Report};

fn by_importance(report: &Report) -> Vec<&Checked> {
    let mut sorted: Vec<&Checked> = report.commits.iter().collect();
    sorted.sort_by_key(|checked| -> BenchVerdict { checked.judgement.verdict });
    sorted
}
