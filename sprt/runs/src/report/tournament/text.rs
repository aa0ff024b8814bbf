//! The tables of a tournament as text: those that BayesElo prints, and the bracket of a knock-out.

use std::fmt::Write as _;

use stats::ratings::{los_table, rating_table};

use crate::report::TournamentState;
use crate::tournament::{Figures, Place, StageFigures};

/// All tables, with a blank line between them.
pub fn tables(state: &TournamentState<'_>) -> String {
    let figures = Figures::of(state.plan, state.standing);
    let mut text = places(&figures.places);
    text.push_str(&ratings(state));
    if let Some(ratings) = state.standing.ratings() {
        text.push_str(
            "\nhow likely the engine of a row is stronger than that of a column, in percent\n",
        );
        let (names, table) = (state.plan.names(), state.standing.table());
        text.push_str(&los_table(&names, table, ratings));
    }
    for stage in &figures.stages {
        text.push('\n');
        push_stage(&mut text, stage);
    }
    text.trim_end().to_owned()
}

/// The table of ratings.
pub(in crate::report) fn ratings(state: &TournamentState<'_>) -> String {
    let (names, standing) = (state.plan.names(), state.standing);
    rating_table(&names, standing.table(), standing.ratings())
}

/// The table of a Swiss tournament; empty for other kinds.
fn places(places: &[Place]) -> String {
    if places.is_empty() {
        return String::new();
    }
    let widths = places.iter().map(|place| place.name.chars().count());
    let width = widths.max().unwrap_or(0).max("engine".len());
    let mut text = format!("place {:width$} points  of opponents\n", "engine");
    for place in places {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{:>5} {:width$} {:>6.1}  {:>12.1}",
            place.place, place.name, place.points, place.opponents
        );
    }
    text.push('\n');
    text
}

fn push_stage(text: &mut String, stage: &StageFigures) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{}", stage.name);
    for played in &stage.matches {
        let first = &played.first;
        let Some(second) = &played.second else {
            let _ = writeln!(text, "  {first} has no opponent");
            continue;
        };
        let [own, other] = played.points;
        let _ = write!(text, "  {first} {own} : {other} {second}");
        match played.tie_breaks {
            0 => {}
            1 => text.push_str(", after a tie-break"),
            more => {
                let _ = write!(text, ", after {more} tie-breaks");
            }
        }
        if own == other
            && let Some(winner) = &played.winner
        {
            let _ = write!(text, "; {winner} goes on, being listed first");
        }
        text.push('\n');
    }
}
