//! The report for a person: one line per commit, what is wrong below it, and the counts.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write,
};

use crate::check::{BenchVerdict, Checked, Report};
use foundation::counted;

/// With more commits than this, only those that somebody should look at have a line.
const ALL_SHOWN: usize = 60;

pub(crate) fn check(report: &Report, all: bool) -> String {
    let all = all || report.commits.len() <= ALL_SHOWN;
    let mut text = String::new();
    for checked in &report.commits {
        let verdict = checked.judgement.verdict;
        if all || verdict.is_wrong() || verdict.is_doubtful() {
            line(&mut text, checked);
        }
    }
    text.push_str(&counts(report));
    text
}

fn line(text: &mut String, checked: &Checked) {
    let verdict = checked.judgement.verdict;
    let color = match () {
        () if verdict.is_wrong() => "\x1b[31m",
        () if verdict.is_doubtful() => "\x1b[33m",
        () if verdict == BenchVerdict::Ok => "\x1b[32m",
        () => "\x1b[2m",
    };
    // A number in brackets is only what the message says.
    let bench = match (checked.bench, checked.message_bench) {
        (Some(bench), _) => bench.to_string(),
        (None, Some(bench)) => format!("({bench})"),
        (None, None) => "-".to_owned(),
    };
    let commit = &checked.commit;
    let subject = plain(&checked.subject());
    let _ = writeln!(
        text,
        "{color}{verdict:<17}\x1b[0m {}  {bench:>10}  {subject}",
        commit.short()
    );
    if verdict.is_wrong() || verdict.is_doubtful() {
        let _ = writeln!(text, "    {}", plain(&checked.judgement.detail));
    }
    for warning in &checked.warnings {
        let _ = writeln!(text, "    warning: {}", plain(warning));
    }
    for line in checked.log.iter().flat_map(|log| log.lines()) {
        let _ = writeln!(text, "    | {}", plain(line));
    }
}

/// `20 commits: 18 ok, 1 mismatch, 1 missing`.
pub(crate) fn counts(report: &Report) -> String {
    // A commit has a verdict for each engine.
    let ids = report.commits.iter().map(|checked| &checked.commit.id);
    let commits = match ids.collect::<HashSet<_>>().len() {
        0 => return "no commit to check".to_owned(),
        count => counted(count, "commit"),
    };
    // Verdicts that are right come first, then the rest by importance.
    let mut counts: BTreeMap<(bool, BenchVerdict), usize> = BTreeMap::new();
    for checked in &report.commits {
        let verdict = checked.judgement.verdict;
        *counts
            .entry((verdict != BenchVerdict::Ok, verdict))
            .or_default() += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|((_, verdict), count)| format!("{count} {verdict}"))
        .collect();
    let how = if report.built { "" } else { " (messages only)" };
    format!("{commits}: {}{how}", counts.join(", "))
}

/// Foreign text without what a terminal or a job on GitHub would act on.
pub(crate) fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    text.replace("##[", "## [")
}
