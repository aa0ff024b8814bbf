//! How close engines came to the ends of their clocks, from a sample of games.

use super::moves::side_of;
use super::record::RecordedGame;
use super::sample::Sampled;
use crate::plan::Plan;

/// The least time in seconds that base and new had left after a move, by the record, whose times are
/// rounded. None where they had no clock, or one of several stages.
pub(super) fn least_time_left(plan: &Plan, games: &[Sampled]) -> [Option<f64>; 2] {
    let mut least: [Option<f64>; 2] = [None; 2];
    for Sampled { game, .. } in games {
        let mut clocks = [true, false].map(|is_white| clock_of(game, is_white));
        for (ply, played) in game.moves.iter().enumerate() {
            let (side, is_white) = side_of(plan, game, ply);
            let (Some(seconds), Some((left, increment))) =
                (played.seconds, &mut clocks[usize::from(!is_white)])
            else {
                continue;
            };
            let after = *left - seconds;
            least[side] = Some(least[side].map_or(after, |known| known.min(after)));
            // The engine was not asked for a move of the book.
            if played.is_book {
                continue;
            }
            // As the referee's clock: what the margin forgave is not owed.
            *left = after.max(0.0) + *increment;
        }
    }
    least
}

/// What a side has for its first move, which the increment precedes, and the increment, in seconds.
fn clock_of(game: &RecordedGame, is_white: bool) -> Option<(f64, f64)> {
    let own = if is_white {
        "WhiteTimeControl"
    } else {
        "BlackTimeControl"
    };
    let clock = game.tag(own).or_else(|| game.tag("TimeControl"))?;
    let (base, increment) = clock.split_once('+').unwrap_or((clock, "0"));
    let increment: f64 = increment.parse().ok()?;
    Some((base.parse::<f64>().ok()? + increment, increment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::record;
    use crate::plan::tests::plan;

    fn least(tags: &str) -> [Option<f64>; 2] {
        least_after("book", tags)
    }

    /// `book` is what is said of moves of the book.
    fn least_after(book: &str, tags: &str) -> [Option<f64>; 2] {
        let text = format!(
            "[White \"new\"]\n[Black \"base\"]\n{tags}\n\n1. e4 {{{book}}} e5 {{{book}}} \
             2. Nf3 {{+1.20/9 0.750s, n=2}} Nc6 {{0.00/7 0.250s, n=1}} 3. Nc3 {{0.00/7 0.500s, n=1}} 1-0\n\n"
        );
        let game = record::parse(&text).remove(0);
        least_time_left(&plan(), &[Sampled { pair: 0, game }])
    }

    #[test]
    fn time_left_is_what_the_clock_had_before_its_increment() {
        assert_eq!(least("[TimeControl \"1+0.125\"]"), [Some(0.875), Some(0.0)]);
        assert_eq!(
            least("[WhiteTimeControl \"2\"]\n[BlackTimeControl \"1+0.5\"]"),
            [Some(1.25), Some(0.75)]
        );
    }

    #[test]
    fn moves_of_the_book_give_no_time() {
        let tags = "[TimeControl \"1+0.125\"]";
        assert_eq!(least_after("0 0 0", tags), least(tags));
    }

    #[test]
    fn time_that_the_margin_forgave_is_not_owed() {
        assert_eq!(
            least("[TimeControl \"0.5+0.125\"]"),
            [Some(0.375), Some(-0.375)]
        );
    }

    #[test]
    fn limits_without_a_clock_of_one_stage_have_none() {
        for tags in ["", "[TimeControl \"40/1+0.5\"]", "[TimeControl \"-\"]"] {
            assert_eq!(least(tags), [None, None], "{tags}");
        }
    }
}
