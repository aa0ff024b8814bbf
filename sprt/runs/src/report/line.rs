//! What progress says of a match.

use foundation::counted;
use stats::Test;

use super::MatchState;
use super::outlook::{self, Outlook};
use super::part::{Part, WIDEST_MARGIN};
use crate::standing::Standing;

/// What is said before the first game.
pub(super) fn introduction(state: &MatchState<'_>) -> Vec<String> {
    let MatchState {
        plan,
        run,
        standing,
    } = state;
    let play = &plan.play;
    let mut lines = vec![format!(
        "{} against {}: {}, {} at a time, {}, seed {}",
        plan.new.name,
        plan.base.name,
        plan.limit_in_prose(),
        play.concurrency,
        counted(play.book.openings, "opening"),
        play.book.reading.seed
    )];
    let Test {
        elo0,
        elo1,
        alpha,
        beta,
        model,
        ..
    } = plan.test;
    let question = match standing.max_games().filter(|_| plan.no_test) {
        Some(games) => format!("{} without a test", counted(games, "game")),
        None => format!(
            "SPRT [{elo0:.2}, {elo1:.2}] {}, alpha {alpha}, beta {beta}",
            model.name()
        ),
    };
    lines.push(format!("{question}; run {}", run.display()));
    if let Some(difference) = plan.difference() {
        lines.push(format!("settings, base -> new: {difference}"));
    }
    lines
}

/// The parts of the line about a running test, the most important first.
pub fn parts(standing: &Standing, games_per_second: Option<f64>) -> Vec<Part> {
    let Some(summary) = standing.summary() else {
        return vec![Part::of("no games yet".to_owned())];
    };
    let tally = standing.tally();
    let mut parts = Vec::new();
    if standing.test().is_some() {
        let (lower, upper) = standing.bounds();
        let short = format!("LLR {:.2}", summary.llr.unwrap_or(0.0));
        parts.push(Part {
            long: format!("{short} ({lower:.2}, {upper:.2})"),
            short,
        });
    }
    parts.push(Part::of(outlook::games(standing)));
    if let Some(outlook) = Outlook::of(standing, games_per_second) {
        let short = outlook.expected();
        let most = outlook.at_most().map(|most| format!(", {most}"));
        parts.push(Part {
            long: format!("{short}{}", most.unwrap_or_default()),
            short,
        });
        parts.extend(outlook.no_decision().map(Part::of));
    }
    if let Some((value, margin)) = summary.elo.with_larger_side()
        && margin <= WIDEST_MARGIN
    {
        parts.push(Part::of(format!("Elo {value:.1} +- {margin:.1}")));
    }
    let wdl = &tally.wdl;
    let games = format!("{} W {} L {} D", wdl.wins, wdl.losses, wdl.draws);
    parts.push(Part::of(games));
    if tally.pentanomial.pairs() > 0 {
        let [ll, ld, middle, dw, ww] = tally.pentanomial.0;
        parts.push(Part::of(format!("penta {ll}, {ld}, {middle}, {dw}, {ww}")));
    }
    parts.extend(games_per_second.map(|speed| Part::of(outlook::speed(speed))));
    parts
}

#[cfg(test)]
mod tests {
    use super::super::part;
    use super::*;

    #[test]
    fn the_line_has_no_elo_before_there_are_enough_pairs() {
        let plan = crate::plan::tests::plan();
        let told = |pairs| {
            let tally = crate::standing::tests::tally(pairs);
            let parts = parts(&Standing::new(&plan, &tally), None);
            part::fitting(&parts, usize::MAX)
        };
        assert!(!told([0, 1, 0, 1, 0]).contains("Elo"));
        assert!(told([0, 10, 80, 12, 0]).contains("Elo "));
    }
}
