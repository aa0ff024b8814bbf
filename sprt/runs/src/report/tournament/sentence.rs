//! How a tournament ended, in words.

use std::fmt::Write as _;

use foundation::counted;

use crate::report::TournamentState;
use crate::tournament::{Figures, Kind, SpoiledBy, TournamentStanding};

/// How a tournament ended, or stands.
pub fn sentence(state: &TournamentState<'_>) -> String {
    let (plan, standing) = (state.plan, state.standing);
    let figures = Figures::of(plan, standing);
    let kind = plan.format.kind.words();
    let spoiled = figures.spoiled.iter();
    let spoiled: Vec<String> = spoiled
        .map(|SpoiledBy { engine, why }| format!("{engine} {}", why.words()))
        .collect();
    let mut sentence = match (spoiled.is_empty(), &figures.winner) {
        (false, _) if plan.format.kind == Kind::KnockOut => {
            format!("no result: {}", spoiled.join(", "))
        }
        (false, _) => format!(
            "no rating rests on games of an engine that spoiled them: {}",
            spoiled.join(", ")
        ),
        (true, Some(winner)) => format!("{winner} won the {kind}"),
        (true, None) if figures.is_over => {
            format!(
                "the {kind} is over after {}",
                counted(figures.games, "game")
            )
        }
        (true, None) => format!("the {kind} is not over: {}", progress_in_words(standing)),
    };
    if figures.is_over && plan.format.kind == Kind::KnockOut && spoiled.is_empty() {
        // Writing to a `String` cannot fail.
        let _ = write!(sentence, " after {}", counted(figures.games, "game"));
    }
    // After few games they are little more than the values from which the ratings start.
    if figures.is_over
        && let (Some(advantage), Some(draw_elo)) = (figures.advantage, figures.draw_elo)
    {
        // No -0.
        let advantage = advantage.round() + 0.0;
        let _ = write!(
            sentence,
            "; the first move is worth {advantage} Elo, draw Elo {draw_elo:.0}"
        );
    }
    for row in &figures.engines {
        if row.faults.sum() > 0 {
            let _ = write!(
                sentence,
                "\n{} spoiled games: {}",
                row.name,
                row.faults.words()
            );
        }
    }
    if figures.void_pairs > 0 {
        let _ = write!(
            sentence,
            "\npairs that do not count: {}",
            figures.void_pairs
        );
    }
    sentence
}

/// `12 of 180 pairs`, of the stage in a knock-out, `turn 2 of 4, 12 of 180 pairs` of a Swiss one.
pub(super) fn progress_in_words(standing: &TournamentStanding) -> String {
    let (played, pairs) = standing.schedule().progress();
    let turns = standing.schedule().turns();
    let turns = turns.map(|(turn, turns)| format!("turn {turn} of {turns}, "));
    format!("{}{played} of {pairs} pairs", turns.unwrap_or_default())
}
