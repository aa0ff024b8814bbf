//! The report for GitHub Actions: annotations on stdout, outputs for later steps.
//!
//! Subjects, warnings and logs were written by whoever opened the pull request. In annotations,
//! line ends are escaped, so that no text can begin a workflow command; raw text is printed between
//! `stop-commands` fences with a token that nobody can know.

use std::{
    collections::HashSet,
    fmt::Write,
    hash::{BuildHasher, Hasher, RandomState},
};

use super::by_importance;
use crate::check::{BenchVerdict, Checked, Report};

/// GitHub shows the first ten errors and the first ten warnings of a step.
const SHOWN: usize = 10;

/// Annotations, the most important first, then the report for people, fenced.
pub(crate) fn annotations(report: &Report, text: &str) -> String {
    let mut annotations = String::new();
    let sorted = by_importance(report);
    let errors = sorted
        .iter()
        .filter(|checked| checked.judgement.verdict.is_wrong());
    for checked in errors.take(SHOWN) {
        annotate(
            &mut annotations,
            "error",
            checked,
            &checked.judgement.detail,
        );
    }
    let doubtful = sorted
        .iter()
        .filter(|checked| checked.judgement.verdict.is_doubtful())
        .map(|checked| (checked, &checked.judgement.detail));
    let warnings = sorted.iter().flat_map(|checked| {
        checked
            .warnings
            .iter()
            .map(move |warning| (checked, warning))
    });
    for (checked, detail) in doubtful.chain(warnings).take(SHOWN) {
        annotate(&mut annotations, "warning", checked, detail);
    }
    for warning in &report.warnings {
        let _ = writeln!(annotations, "::warning title=settings::{}", data(warning));
    }
    let token = token();
    format!("{annotations}::stop-commands::{token}\n{text}\n::{token}::")
}

fn annotate(annotations: &mut String, level: &str, checked: &Checked, detail: &str) {
    let verdict = checked.judgement.verdict;
    let commit = &checked.commit;
    let title = property(&format!("{verdict} {}", commit.short()));
    let text = data(&format!("{} ({})", detail, checked.subject()));
    let _ = writeln!(annotations, "::{level} title={title}::{text}");
}

/// `name=value` lines for later steps: numbers and fixed words, no foreign text.
pub(crate) fn outputs(report: &Report, strict: bool) -> String {
    // A commit has a row for each engine that it changes.
    let count = |is_counted: fn(BenchVerdict) -> bool| {
        let rows = report.commits.iter();
        let rows = rows.filter(|checked| is_counted(checked.judgement.verdict));
        let ids: HashSet<&str> = rows.map(|checked| checked.commit.id.as_str()).collect();
        ids.len()
    };
    let (checked, wrong) = (count(|_| true), count(BenchVerdict::is_wrong));
    let doubtful = count(BenchVerdict::is_doubtful) + report.warnings.len();
    let verdict = if report.fails(strict) { "failed" } else { "ok" };
    let bench = report
        .commits
        .iter()
        .rfind(|checked| checked.engine.is_none())
        .and_then(|checked| match checked.bench {
            None if !report.built => checked.message_bench,
            bench => bench,
        })
        .map_or_else(String::new, |bench| bench.to_string());
    format!(
        "verdict={verdict}\nchecked={checked}\nwrong={wrong}\ndoubtful={doubtful}\nbench={bench}\n"
    )
}

/// A word that no printed text contains, by design: 128 random bits.
fn token() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
