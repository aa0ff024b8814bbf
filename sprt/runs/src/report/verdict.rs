//! The verdict in words, with what a reader must know besides.

use std::fmt::Write as _;

use foundation::counted;
use stats::{Test, Verdict};

use super::MatchState;
use crate::plan::Plan;
use crate::standing::{NoVerdict, Standing};
use crate::status::Status;

/// How a run ended, or stands.
pub fn sentence(state: &MatchState<'_>, status: Status) -> String {
    let (plan, standing) = (state.plan, state.standing);
    let mut sentence = match standing.no_verdict() {
        Some(reason) => format!("no verdict: {}", words(reason)),
        None => verdict(plan, standing, status),
    };
    let tally = standing.tally();
    let (new, base) = (&plan.new.name, &plan.base.name);
    for (name, faults) in [(base, &tally.base_faults), (new, &tally.new_faults)] {
        if faults.sum() > 0 {
            // Writing to a `String` cannot fail.
            let _ = write!(sentence, "\n{name} spoiled games: {}", faults.words());
        }
    }
    for (name, diagnostics) in [
        (base, &tally.diagnostics.base),
        (new, &tally.diagnostics.new),
    ] {
        if !diagnostics.words().is_empty() {
            let _ = write!(sentence, "\n{name} printed {}", diagnostics.words());
        }
    }
    if standing.is_played_alike() {
        let _ = write!(
            sentence,
            "\nin every pair each engine won what the other won: {new} and {base} seem to play alike; compare the \
             two programs and their settings"
        );
    }
    if tally.void_pairs > 0 {
        let _ = write!(sentence, "\npairs that do not count: {}", tally.void_pairs);
    }
    sentence
}

/// What the test says, with the Elo that allows for its stop.
fn verdict(plan: &Plan, standing: &Standing, status: Status) -> String {
    let (new, base) = (&plan.new.name, &plan.base.name);
    let Test { elo0, elo1, .. } = plan.test;
    // A test of negative bounds asks whether something was lost, not whether something was gained.
    let mut sentence = match standing.verdict() {
        Verdict::H1 if elo0 < 0.0 => format!("H1 accepted: {new} is not weaker than {base}"),
        Verdict::H1 => format!("H1 accepted: {new} is stronger than {base}"),
        Verdict::H0 if elo1 <= 0.0 => format!("H0 accepted: {new} is weaker than {base}"),
        Verdict::H0 => format!("H0 accepted: {new} is not stronger than {base}"),
        // Nothing has stopped yet that would have to be allowed for.
        Verdict::Undecided if status != Status::Over => {
            return format!("no decision yet between {new} and {base}");
        }
        Verdict::Undecided => {
            let games = standing.tally().wdl.games();
            let used_up = if standing.is_book_used_up() {
                ": all openings of the book are played, and more games would be copies of these"
            } else {
                ""
            };
            format!(
                "no decision between {new} and {base} after {}{used_up}",
                counted(games, "game")
            )
        }
        Verdict::NoTest => return strength(plan, standing),
    };
    let Some(summary) = standing.summary() else {
        return sentence;
    };
    // Where the plain interval does not exist, neither does this one.
    let exists = summary.elo.low.is_some() && summary.elo.high.is_some();
    let elo = summary.unbiased_elo;
    if let (true, Some(low), Some(value), Some(high)) = (exists, elo.low, elo.value, elo.high) {
        // Writing to a `String` cannot fail.
        let _ = write!(
            sentence,
            "; allowing for the stopping rule, Elo {value:.1} [{low:.1}, {high:.1}]"
        );
    }
    sentence
}

/// What a match without a test has shown.
fn strength(plan: &Plan, standing: &Standing) -> String {
    let (new, base) = (&plan.new.name, &plan.base.name);
    let mut sentence = format!("no test: {new} against {base}");
    let Some(summary) = standing.summary() else {
        return sentence;
    };
    let elo = summary.elo;
    // Writing to a `String` cannot fail.
    if let (Some(low), Some(value), Some(high)) = (elo.low, elo.value, elo.high) {
        let _ = write!(sentence, ", Elo {value:.1} [{low:.1}, {high:.1}]");
    }
    if let (Some(nelo), Some(margin)) = (summary.nelo, summary.nelo_margin) {
        let _ = write!(sentence, ", nElo {nelo:.1} +- {margin:.1}");
    }
    if let Some(los) = summary.los {
        let _ = write!(sentence, ", LOS {:.1}%", 100.0 * los);
    }
    sentence
}

fn words(reason: NoVerdict) -> &'static str {
    match reason {
        NoVerdict::Fault => "an engine spoiled a game, and --on-fault stop was given",
        NoVerdict::FaultsInARow => "an engine spoiled a game in each of the last five pairs",
        NoVerdict::ManyFaults => "engines spoiled more than a tenth of the games",
        NoVerdict::FaultsDecided => {
            "without the games that an engine spoiled, the test would not be decided"
        }
        NoVerdict::Copies => {
            "openings of the book were played again, which at this limit gives copies of games"
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn said(bounds: (f64, f64), pairs: [u64; 5]) -> String {
        let mut plan = crate::plan::tests::plan();
        plan.test =
            Test::new(bounds.0, bounds.1, 0.05, 0.05, stats::Model::Normalized).expect("a test");
        let tally = crate::standing::tests::tally(pairs);
        let standing = Standing::new(&plan, &tally);
        verdict(&plan, &standing, Status::Over)
    }

    #[test]
    fn a_simplification_that_passed_is_not_weaker() {
        let said = said((-5.0, 0.0), [10, 200, 500, 300, 40]);
        assert!(
            said.starts_with("H1 accepted: new is not weaker than base"),
            "{said}"
        );
    }

    #[test]
    fn a_simplification_that_failed_is_weaker() {
        let said = said((-5.0, 0.0), [40, 300, 500, 200, 10]);
        assert!(
            said.starts_with("H0 accepted: new is weaker than base"),
            "{said}"
        );
    }

    #[test]
    fn a_run_in_progress_has_no_decision_yet() {
        let plan = crate::plan::tests::plan();
        let standing = Standing::new(&plan, &crate::standing::tests::tally([1, 2, 3, 2, 1]));
        assert_eq!(
            verdict(&plan, &standing, Status::Running),
            "no decision yet between new and base"
        );
    }

    #[test]
    fn engines_that_play_alike_are_named_after_many_level_pairs() {
        let plan = crate::plan::tests::plan();
        let mut tally = crate::standing::tests::tally([0, 0, 50, 0, 0]);
        let says = |tally: &_| {
            let (standing, run) = (Standing::new(&plan, tally), Path::new("run"));
            let state = MatchState {
                plan: &plan,
                run,
                standing: &standing,
            };
            sentence(&state, Status::Running).contains("seem to play alike")
        };
        tally.wdl = stats::Wdl {
            wins: 40,
            losses: 40,
            draws: 20,
        };
        assert!(says(&tally));
        // Two engines that draw all games need not be the same.
        tally.wdl = stats::Wdl {
            wins: 2,
            losses: 2,
            draws: 96,
        };
        assert!(!says(&tally));
        tally.pentanomial.0[1] = 1;
        assert!(!says(&tally));
    }

    #[test]
    fn one_even_pair_has_no_interval_of_elo() {
        assert_eq!(
            said((0.0, 5.0), [0, 0, 1, 0, 0]),
            "no decision between new and base after 2 games"
        );
    }
}
