//! What progress says of a tournament.

use foundation::counted;

use super::sentence::progress_in_words;
use crate::report::TournamentState;
use crate::report::outlook::{duration, speed as in_words};
use crate::report::part::{Part, WIDEST_MARGIN};
use crate::tournament::Figures;

/// What is said before the first game.
pub(in crate::report) fn introduction(state: &TournamentState<'_>) -> Vec<String> {
    let plan = state.plan;
    let (format, play) = (&plan.format, &plan.play);
    vec![
        format!(
            "{}: {} of {} engines, {} of two games a pairing",
            format.title,
            format.kind.words(),
            plan.engines.len(),
            counted(format.rounds, "round")
        ),
        format!(
            "{}, {} at a time, {}, seed {}; run {}",
            plan.limit_in_prose(),
            play.concurrency,
            counted(play.book.openings, "opening"),
            play.book.reading.seed,
            state.run.display()
        ),
    ]
}

/// The parts of the line about a running tournament, the most important first.
pub fn parts(state: &TournamentState<'_>, games_per_second: Option<f64>) -> Vec<Part> {
    let figures = Figures::of(state.plan, state.standing);
    let stage = figures
        .stages
        .last()
        .map(|stage| format!("{}: ", stage.name));
    let mut parts = vec![stage.unwrap_or_default() + &progress_in_words(state.standing)];
    let left = state.standing.schedule().pairs_left();
    let speed = games_per_second.filter(|speed| *speed > 0.0);
    if let Some(speed) = speed.filter(|_| left > 0) {
        parts.push(format!("~{} to go", duration(2.0 * left as f64 / speed)));
    }
    if let Some(leader) = figures.leader()
        && let (Some(elo), Some(error)) = (leader.elo, leader.error)
    {
        if error <= WIDEST_MARGIN {
            parts.push(format!("{} leads: {elo:.0} +- {error:.0}", leader.name));
        } else {
            parts.push(format!("{} leads", leader.name));
        }
    } else if figures.engines.iter().any(|row| row.elo.is_some()) {
        parts.push("nobody leads".to_owned());
    }
    parts.extend(speed.map(in_words));
    parts.into_iter().map(Part::of).collect()
}
