//! The report for GitHub Actions: annotations on stdout, a table in the job summary, outputs for
//! later steps.
//!
//! Subjects, warnings and logs were written by whoever opened the pull request. In annotations line
//! ends are escaped, so no text can begin a workflow command; what is printed raw stands between
//! `stop-commands` fences with a token that nobody can know; in Markdown all that could mean
//! something is escaped.

use std::{
    fmt::Write,
    hash::{BuildHasher, Hasher, RandomState},
};

use super::text::counts;
use crate::check::{BenchVerdict, Checked, Report};

/// GitHub shows the first ten errors and the first ten warnings of a step.
const SHOWN: usize = 10;

/// GitHub drops a summary of more than 1 MiB as a whole.
const LARGEST_SUMMARY: usize = 1000 << 10;

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

/// The job summary, in Markdown.
pub(crate) fn summary(report: &Report) -> String {
    let mut text = format!("### bench-guard\n\n{}\n\n", markdown(&counts(report)));
    if report.commits.is_empty() {
        return text;
    }
    text.push_str(
        "| | commit | message | engine | parent | subject |\n|---|---|--:|--:|--:|---|\n",
    );
    let number = |bench: Option<u64>| bench.map_or_else(String::new, |bench| bench.to_string());
    let mut left_out = 0;
    for checked in by_importance(report) {
        let row = format!(
            "| {} | `{}` | {} | {} | {} | {} |\n",
            checked.judgement.verdict,
            checked.commit.short(),
            number(checked.message_bench),
            number(checked.bench),
            number(checked.parent_bench),
            markdown(&checked.subject()),
        );
        if text.len() + row.len() > LARGEST_SUMMARY / 2 {
            left_out += 1;
        } else {
            text.push_str(&row);
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "\n{left_out} more commits are left out.");
    }
    for checked in by_importance(report) {
        let verdict = checked.judgement.verdict;
        if !verdict.is_wrong() && !verdict.is_doubtful() {
            continue;
        }
        let log = checked.log.as_deref().unwrap_or_default();
        let log = if log.is_empty() {
            String::new()
        } else {
            format!("\n<pre>{}</pre>\n", markdown_block(log))
        };
        let block = format!(
            "\n<details><summary>{verdict} <code>{}</code></summary>\n\n{}\n{log}</details>\n",
            checked.commit.short(),
            markdown(&checked.judgement.detail),
        );
        if text.len() + block.len() > LARGEST_SUMMARY {
            break;
        }
        text.push_str(&block);
    }
    text
}

/// `name=value` lines for later steps: numbers and words of our own, nothing foreign.
pub(crate) fn outputs(report: &Report, strict: bool) -> String {
    let wrong = report
        .commits
        .iter()
        .filter(|checked| checked.judgement.verdict.is_wrong())
        .count();
    let doubtful = report
        .commits
        .iter()
        .filter(|checked| checked.judgement.verdict.is_doubtful())
        .count();
    let doubtful = doubtful + report.warnings.len();
    let verdict = if report.fails(strict) { "failed" } else { "ok" };
    let bench = report
        .commits
        .last()
        .and_then(|checked| checked.bench.or(checked.message_bench))
        .map_or_else(String::new, |bench| bench.to_string());
    let checked = report.commits.len();
    format!(
        "verdict={verdict}\nchecked={checked}\nwrong={wrong}\ndoubtful={doubtful}\nbench={bench}\n"
    )
}

fn by_importance(report: &Report) -> Vec<&Checked> {
    let mut sorted: Vec<&Checked> = report.commits.iter().collect();
    sorted.sort_by_key(|checked| -> BenchVerdict { checked.judgement.verdict });
    sorted
}

/// A word that nothing printed could contain by design: 128 random bits.
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

/// Text that means nothing in Markdown or HTML, on one line.
fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // An entity is no mention, no reference and no table border.
            '|' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '@' | '\\' | '!' | '~' | ':' => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

fn markdown_block(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(markdown).collect();
    // A blank line would end the HTML block.
    lines.join("&#10;")
}
