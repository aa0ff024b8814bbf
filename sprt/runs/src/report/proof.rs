//! The trailer of a commit message by which a test that passed is bound to its commit.

use std::path::Path;

use bench_guard::proof::{Proof, Source};
use foundation::{Failure, digest, failure::OrUnable};
use stats::Verdict;

use super::MatchState;
use crate::plan::{EngineSettings, Plan};
use crate::run_folder::{games_path, journal_path};

/// The proof that a run gives, or why it gives none: the test has not passed, or what was played does
/// not show what the sources are worth.
///
/// # Errors
/// The files of the run cannot be read.
pub(super) fn proof(state: &MatchState<'_>) -> Result<Result<Proof, &'static str>, Failure> {
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

/// Why a test that passed has no proof; `None` where it has one, or has not passed.
pub(super) fn lack(state: &MatchState<'_>) -> Option<&'static str> {
    let has_passed = state.standing.verdict() == Verdict::H1;
    sides(state.plan).err().filter(|_| has_passed)
}

/// Makes sure that each proof of a message is the one that the run gives.
///
/// # Errors
/// One is not, or there is none on either side.
pub fn same_proof(message: &str, state: &MatchState<'_>) -> Result<(), Failure> {
    let own = proof(state)?.map_err(|why| Failure::no(format!("the run proves nothing: {why}")))?;
    let found = Proof::find(message);
    if found.is_empty() {
        return Err(Failure::no("the message has no trailer `SPRT-Proof`")
            .hint("without FILE the run alone is played again"));
    }
    for (line, proof) in found {
        let wrong = match proof {
            Ok(proof) if proof == own => continue,
            Ok(_) => "is not that of the run".to_owned(),
            Err(why) => format!("cannot be read: {why}"),
        };
        return Err(Failure::no(format!("the proof in line {line} {wrong}"))
            .hint("`sprt show RUN` prints the one that belongs to it"));
    }
    Ok(())
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
    if plan.games_of_a_pair() != 2 {
        return Err("openings were not played with both colours");
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
