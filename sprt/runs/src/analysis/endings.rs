//! How games ended, how long they were, and how much depended on the openings.

use std::collections::BTreeMap;

use stats::GameResult;

use crate::pair_record::PairLine;
use crate::standing::game_result;
use engine_client::Color;

/// Plies that one step of the lengths covers.
pub const LENGTH_STEP: usize = 10;

/// A way to end: games won, drawn and lost by the new engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// In the words of the record, with White and Black left out.
    pub text: String,
    pub is_fault: bool,
    pub results: [u64; 3],
}

/// Pairs by how far the opening decided them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// The new engine, and the base engine, won both games.
    pub new_won_both: u64,
    pub base_won_both: u64,
    /// One game was won, the other drawn.
    pub new_ahead: u64,
    pub base_ahead: u64,
    pub drawn_twice: u64,
    /// Whoever had that colour won.
    pub white_won_both: u64,
    pub black_won_both: u64,
}

fn place(result: GameResult) -> usize {
    match result {
        GameResult::Win => 0,
        GameResult::Draw => 1,
        GameResult::Loss => 2,
    }
}

pub(super) fn endings(lines: &[PairLine]) -> Vec<Ending> {
    let mut found: BTreeMap<&str, Ending> = BTreeMap::new();
    for game in lines.iter().flat_map(|line| &line.games) {
        let text = game.text.as_str();
        let text = ["White ", "Black ", "White's ", "Black's "]
            .iter()
            .find_map(|color| text.strip_prefix(color))
            .unwrap_or(text);
        let ending = found.entry(text).or_insert_with(|| Ending {
            text: capitalised(text),
            is_fault: game.end.is_fault(),
            results: [0; 3],
        });
        ending.results[place(game_result(game))] += 1;
    }
    let mut endings: Vec<Ending> = found.into_values().collect();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.results.iter().sum::<u64>()));
    endings
}

/// "Wins by adjudication", "Draw by stalemate".
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

pub(super) fn lengths(lines: &[PairLine]) -> Vec<[u64; 3]> {
    let mut lengths = vec![];
    for game in lines.iter().flat_map(|line| &line.games) {
        let step = game.plies / LENGTH_STEP;
        if lengths.len() <= step {
            lengths.resize(step + 1, [0; 3]);
        }
        lengths[step][place(game_result(game))] += 1;
    }
    lengths
}

impl Openings {
    pub fn of(lines: &[PairLine]) -> Self {
        let mut openings = Self::default();
        // An opening that was played with one colour shows nothing about itself.
        let is_swapped = |line: &&PairLine| matches!(&line.games[..], [first, second] if first.new != second.new);
        for line in lines.iter().filter(is_swapped) {
            let results = line.games.iter().map(game_result);
            let points = results.map(|result| 2 - place(result)).sum::<usize>();
            let count = match (points, line.games[0].winner) {
                (4, _) => &mut openings.new_won_both,
                (3, _) => &mut openings.new_ahead,
                (1, _) => &mut openings.base_ahead,
                (0, _) => &mut openings.base_won_both,
                (_, Some(Color::White)) => &mut openings.white_won_both,
                (_, Some(Color::Black)) => &mut openings.black_won_both,
                (_, None) => &mut openings.drawn_twice,
            };
            *count += 1;
        }
        openings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair_record::GameRecord;
    use referee::arena::EndKind;

    fn pair(winners: [Option<Color>; 2]) -> PairLine {
        let game = |new, winner, plies| GameRecord {
            new,
            winner,
            end: EndKind::Rules,
            spoiler: None,
            text: match winner {
                Some(Color::White) => "White mates".into(),
                Some(Color::Black) => "Black mates".into(),
                None => "Draw by stalemate".into(),
            },
            detail: None,
            plies,
            diagnostics: crate::diagnostics::BothDiagnostics::default(),
        };
        PairLine {
            players: None,
            pair: 0,
            games: vec![
                game(Color::White, winners[0], 45),
                game(Color::Black, winners[1], 61),
            ],
            games_end: 0,
            games_synced: None,
        }
    }

    #[test]
    fn an_opening_that_one_colour_wins_is_distinguished_from_an_engine_that_wins() {
        use Color::{Black, White};
        let mut one_colour = pair([Some(White), Some(Black)]);
        one_colour.games[1].new = White;
        let lines = [
            pair([Some(White), Some(White)]),
            pair([Some(Black), Some(Black)]),
            pair([Some(White), Some(Black)]),
            pair([None, Some(White)]),
            pair([None, None]),
            one_colour,
        ];
        let openings = Openings::of(&lines);
        assert_eq!(
            openings,
            Openings {
                white_won_both: 1,
                black_won_both: 1,
                new_won_both: 1,
                base_ahead: 1,
                drawn_twice: 1,
                ..Openings::default()
            }
        );
    }

    #[test]
    fn endings_are_counted_for_the_new_engine_whatever_its_colour() {
        let lines = [
            pair([Some(Color::White), Some(Color::White)]),
            pair([None, Some(Color::Black)]),
        ];
        let endings = endings(&lines);
        assert_eq!(endings[0].text, "Mates");
        assert_eq!(endings[0].results, [2, 0, 1]);
        assert_eq!(lengths(&lines)[4], [1, 1, 0]);
        assert_eq!(lengths(&lines)[6], [1, 0, 1]);
    }
}
