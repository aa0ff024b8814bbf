//! The trailer of a commit message by which a test that passed is bound to its commit.

use std::path::Path;

use bench_guard::proof::{Proof, Source};
use foundation::{Failure, digest, failure::OrUnable};
use stats::Verdict;

use super::MatchState;
use crate::plan::{EngineSettings, Plan};
use crate::run_folder::{games_path, journal_path};

/// The proof that a run gives, or why it gives none: the test has not passed, or the engines are not
/// revisions that differ in nothing but their sources.
///
/// # Errors
/// The files of the run cannot be read.
pub fn proof(state: &MatchState<'_>) -> Result<Result<Proof, &'static str>, Failure> {
    let MatchState {
        plan,
        run,
        standing,
    } = state;
    if standing.verdict() != Verdict::H1 {
        return Ok(Err("the test has not passed"));
    }
    let (new, base) = match sides(plan) {
        Ok(sides) => sides,
        Err(why) => return Ok(Err(why)),
    };
    Ok(Ok(Proof {
        source: Source::Run {
            book: plan.play.book.sha256.clone(),
            seed: plan.play.book.reading.seed,
            journal: digest_of(&journal_path(run))?,
            games: digest_of(&games_path(run))?,
        },
        engine: plan.new.engine.clone(),
        new,
        base,
        limit: plan.limit_in_words(),
        options: plan.new.settings.options.clone(),
        test: plan.test,
        penta: standing.tally().pentanomial.0,
    }))
}

/// The sources of NEW and BASE, where nothing else makes a difference between them.
fn sides(plan: &Plan) -> Result<(String, String), &'static str> {
    let (Some(new), Some(base)) = (&plan.new.inputs, &plan.base.inputs) else {
        return Err("an engine was not built from a git revision");
    };
    if plan.new.engine != plan.base.engine {
        return Err("the two are different engines of the repository");
    }
    if plan.new.settings != plan.base.settings {
        return Err("the engines have different settings");
    }
    let options = plan.new.settings.options.clone();
    let plain = EngineSettings {
        options,
        restart: plan.new.settings.restart,
        ..EngineSettings::default()
    };
    if plan.new.settings != plain {
        return Err("the engines have settings beside their options");
    }
    if plan.test.overshoot_correction {
        return Err("the bounds of the test were corrected by the overshoot");
    }
    Ok((new.clone(), base.clone()))
}

fn digest_of(file: &Path) -> Result<String, Failure> {
    let digest = digest::of_file(file).or_unable(format_args!("read `{}`", file.display()))?;
    Ok(digest.0)
}
