//! How a run ended, for people, for commit messages and for programs.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use crate::contender::Contender;
use crate::plan::Plan;
use crate::tally::{Faults, Tally};
use stats::block::Block;
use stats::{MatchCounts, Summary, Verdict};

/// A run's end, or its state so far.
pub struct RunResult<'a> {
    plan: &'a Plan,
    tally: &'a Tally,
    run: &'a Path,
    summary: Option<Summary>,
}

/// The object that `--json` prints. Fields are only ever added.
#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    version: u32,
    #[serde(flatten)]
    summary: &'a Option<Summary>,
    pairs: u64,
    faults: BothFaults<'a>,
    base: Side<'a>,
    new: Side<'a>,
    limit: String,
    seed: u64,
    run: String,
}

#[derive(Serialize)]
struct BothFaults<'a> {
    base: &'a Faults,
    new: &'a Faults,
}

#[derive(Serialize)]
struct Side<'a> {
    source: &'a str,
    name: &'a str,
    commit: &'a Option<String>,
    bench: Option<u64>,
    sha256: &'a str,
}

impl<'a> RunResult<'a> {
    pub fn new(plan: &'a Plan, tally: &'a Tally, run: &'a Path) -> Self {
        // The tally counts pairs and games from the same results, so they never contradict each other.
        let score = MatchCounts::new(tally.pentanomial, tally.wdl).ok();
        let summary = score.map(|score| Summary::of(&plan.test, &score));
        Self {
            plan,
            tally,
            run,
            summary,
        }
    }

    pub fn json(&self) -> String {
        let side = |contender: &'a Contender| Side {
            source: &contender.source,
            name: &contender.name,
            commit: &contender.commit,
            bench: contender.bench,
            sha256: &contender.sha256,
        };
        let json = Json {
            schema: "sprt-result",
            version: 1,
            summary: &self.summary,
            pairs: self.tally.pairs(),
            faults: BothFaults {
                base: &self.tally.base_faults,
                new: &self.tally.new_faults,
            },
            base: side(&self.plan.base),
            new: side(&self.plan.new),
            limit: self.plan.play.limit.openbench(),
            seed: self.plan.play.book.reading.seed,
            run: self.run.display().to_string(),
        };
        // No map has odd keys and no number lacks a JSON form (the summary leaves those out).
        serde_json::to_string_pretty(&json).unwrap_or_default()
    }

    /// OpenBench's block.
    pub fn block(&self) -> String {
        let number = |name: &str, default: u32| {
            let options = &self.plan.new.options;
            let found = options
                .iter()
                .find(|(option, _)| option.eq_ignore_ascii_case(name));
            found
                .and_then(|(_, value)| value.parse().ok())
                .unwrap_or(default)
        };
        Block {
            pairs: &self.tally.pentanomial,
            games: &self.tally.wdl,
            test: Some(&self.plan.test),
            limit: &self.plan.play.limit.openbench(),
            threads: number("Threads", 1),
            hash: number("Hash", 16),
        }
        .to_string()
    }

    /// The verdict in words, with what a reader must know beside it.
    pub fn sentence(&self) -> String {
        let (new, base) = (&self.plan.new.name, &self.plan.base.name);
        let mut sentence = match self.tally.verdict(&self.plan.test) {
            Verdict::H1 => format!("H1 accepted: {new} is stronger than {base}"),
            Verdict::H0 => format!("H0 accepted: {new} is not stronger than {base}"),
            Verdict::Undecided => format!("undecided between {new} and {base}"),
        };
        // Writing to a `String` cannot fail.
        let unbiased = self.summary.as_ref().map(|summary| summary.unbiased_elo);
        if let Some((low, value, high)) =
            unbiased.and_then(|elo| Some((elo.low?, elo.value?, elo.high?)))
        {
            let _ = write!(
                sentence,
                "; allowing for the stop, Elo {value:.1} [{low:.1}, {high:.1}]"
            );
        }
        for (name, faults) in [
            (base, &self.tally.base_faults),
            (new, &self.tally.new_faults),
        ] {
            if faults.sum() > 0 {
                let _ = write!(sentence, "\n{name} spoiled games: {}", faults.words());
            }
        }
        sentence
    }
}
