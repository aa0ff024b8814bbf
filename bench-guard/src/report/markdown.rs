//! The report as Markdown: the summary of a job, or a comment for a pull request.
//!
//! Subjects, warnings and logs were written by whoever opened the pull request: all that could mean
//! something is escaped.

use std::fmt::Write;

use super::{by_importance, text::counts};
use crate::check::{Checked, Report};

/// GitHub drops a summary of more than 1 MiB as a whole.
pub(crate) const SUMMARY: usize = 1000 << 10;

/// GitHub takes a comment of up to 65,536 letters.
pub(crate) const COMMENT: usize = 64_000;

/// Counts, a table of commits, what is wrong or doubtful, and warnings, in no more than `most` bytes.
pub(crate) fn markdown(report: &Report, most: usize) -> String {
    let mut text = format!("### bench-guard\n\n{}\n", escaped(&counts(report)));
    let sorted = by_importance(report);
    if !sorted.is_empty() {
        table(&mut text, &sorted, most / 2);
    }
    let details = sorted.iter().copied().filter(|checked| {
        let verdict = checked.judgement.verdict;
        verdict.is_wrong() || verdict.is_doubtful()
    });
    let of_settings = report.warnings.iter();
    let of_settings = of_settings.map(|warning| format!("\n- {}\n", escaped(warning)));
    let of_commits = report.commits.iter().flat_map(|checked| {
        let short = checked.commit.short();
        let warnings = checked.warnings.iter();
        warnings.map(move |warning| format!("\n- `{short}` {}\n", escaped(warning)))
    });
    for part in details.map(detail).chain(of_settings).chain(of_commits) {
        if text.len() + part.len() > most {
            text.push_str("\nThe rest is left out.\n");
            break;
        }
        text.push_str(&part);
    }
    text
}

fn table(text: &mut String, sorted: &[&Checked], most: usize) {
    text.push_str(
        "\n| | commit | message | engine | parent | subject |\n|---|---|--:|--:|--:|---|\n",
    );
    let number = |bench: Option<u64>| bench.map_or_else(String::new, |bench| bench.to_string());
    let mut left_out = 0;
    for checked in sorted {
        let row = format!(
            "| {} | `{}` | {} | {} | {} | {} |\n",
            checked.judgement.verdict,
            checked.commit.short(),
            number(checked.message_bench),
            number(checked.bench),
            number(checked.parent_bench),
            escaped(&checked.subject()),
        );
        if text.len() + row.len() > most {
            left_out += 1;
        } else {
            text.push_str(&row);
        }
    }
    if left_out > 0 {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "\n{left_out} more commits are left out.");
    }
}

/// Why a commit is wrong or doubtful, folded.
fn detail(checked: &Checked) -> String {
    let log = match checked.log.as_deref() {
        None | Some("") => String::new(),
        Some(log) => format!("\n<pre>{}</pre>\n", escaped_block(log)),
    };
    format!(
        "\n<details><summary>{} <code>{}</code></summary>\n\n{}\n{log}</details>\n",
        checked.judgement.verdict,
        checked.commit.short(),
        escaped(&checked.judgement.detail),
    )
}

/// Text that means nothing in Markdown or HTML, on one line.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            // An entity is not taken for a mention, a reference or a table border.
            '|' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '@' | '\\' | '!' | '~' | ':' => {
                let _ = write!(safe, "&#{};", u32::from(c));
            }
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

fn escaped_block(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escaped).collect();
    // A blank line would end the HTML block.
    lines.join("&#10;")
}
