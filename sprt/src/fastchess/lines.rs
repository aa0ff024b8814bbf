//! What a worker reads on stdout, a line for each game.
//!
//! A worker splits these lines at blanks and colons: word 2 is the game's number, word 6 its
//! result, and between the first colon and the next it looks for `disconnect`, `stalls`, `on time`
//! and `illegal`. It stops reading at an empty line, and breaks down at a byte that is not ASCII.
//! Both games of a pair are reported together, when the pair is over: half a pair means nothing to
//! a worker, and a pair that has to be played again has not been reported.

use std::io::Write;

use foundation::{Failure, failure::OrUnable};

use super::score::Score;
use engine_client::Color;
use referee::arena::{FinishedGame, GameEnd, GameFault};
use runs::report::{Event, Reporter};

/// Writes the lines.
pub(crate) struct Lines<W> {
    pub(crate) out: W,
    /// Games with the same opening.
    pub(crate) games_per_round: u64,
    /// Where a score is to follow.
    pub(crate) score: Option<Score>,
}

impl<W: Write> Reporter for Lines<W> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::PairFinished(pair) = event {
            let first = pair.pair * self.games_per_round + 1;
            for (number, game) in (first..).zip(&pair.games) {
                // In one write: a reader gets a whole line or none, even if this process is killed.
                let mut line = finished(number, game) + "\n";
                if let Some(score) = &mut self.score {
                    line += &ascii(&score.after(game));
                }
                self.out
                    .write_all(line.as_bytes())
                    .and_then(|()| self.out.flush())
                    .or_unable("write to stdout")?;
            }
        }
        Ok(())
    }
}

/// `Finished game 1 (dev vs base): 1-0 {White mates}`
fn finished(number: u64, game: &FinishedGame) -> String {
    let (white, black) = (&game.white.name, &game.black.name);
    let result = match game.end.winner() {
        None => "1/2-1/2",
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
    };
    let reason = reason(&game.end);
    let line = format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}");
    ascii(&line.replace('\n', "?"))
}

fn ascii(text: &str) -> String {
    text.replace(|letter: char| !matches!(letter, ' '..='~' | '\n'), "?")
}

/// Why a game ended, in fastchess's words.
fn reason(end: &GameEnd) -> String {
    match end {
        GameEnd::Fault {
            fault:
                GameFault::TimeLoss {
                    late_ms: Some(late),
                    ..
                },
            ..
        } => format!("{} ({late}ms overrun)", end.text()),
        _ => end.text(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use engine_client::Limit;
    use referee::arena::{FinishedPair, Player};
    use referee::game::Opening;

    fn game(end: GameEnd) -> FinishedGame {
        let player = |name: &str| Player {
            name: name.to_owned(),
            engine_name: String::new(),
            engine_author: String::new(),
            limit: Limit::nodes(1),
        };
        FinishedGame {
            white: player("A-dev"),
            black: player("A-base"),
            new: Color::White,
            opening: Opening::default(),
            moves: Vec::new(),
            end,
            started: SystemTime::UNIX_EPOCH,
            duration: Duration::ZERO,
        }
    }

    fn rules(winner: Option<Color>, text: &str) -> GameEnd {
        let text = text.to_owned();
        GameEnd::Rules { winner, text }
    }

    fn fault(loser: Color, fault: GameFault) -> GameEnd {
        GameEnd::Fault {
            loser,
            fault,
            is_drawn: false,
        }
    }

    #[test]
    fn each_ending_has_fastchess_s_words() {
        use Color::{Black, White};
        let how = || "signal 11".to_owned();
        let adjudicated = |winner, text: &str| GameEnd::Adjudication {
            winner,
            text: text.to_owned(),
            rule: "tables".to_owned(),
        };
        for (end, written) in [
            (rules(Some(White), "White mates"), "1-0 {White mates}"),
            (rules(Some(Black), "Black mates"), "0-1 {Black mates}"),
            (
                rules(None, "Draw by stalemate"),
                "1/2-1/2 {Draw by stalemate}",
            ),
            (
                adjudicated(Some(Black), "Black wins by adjudication: SyzygyTB"),
                "0-1 {Black wins by adjudication: SyzygyTB}",
            ),
            (
                adjudicated(None, "Draw by adjudication"),
                "1/2-1/2 {Draw by adjudication}",
            ),
            (
                fault(White, GameFault::Crash { how: how() }),
                "0-1 {White disconnects}",
            ),
            (
                fault(Black, GameFault::Stall { how: how() }),
                "1-0 {Black's connection stalls}",
            ),
            (
                fault(
                    Black,
                    GameFault::IllegalMove {
                        tried: "a1:a9".to_owned(),
                        hint: None,
                    },
                ),
                "1-0 {Black makes an illegal move}",
            ),
            (
                fault(
                    White,
                    GameFault::TimeLoss {
                        late_ms: Some(52),
                        how: None,
                    },
                ),
                "0-1 {White loses on time (52ms overrun)}",
            ),
            (
                fault(
                    White,
                    GameFault::TimeLoss {
                        late_ms: None,
                        how: None,
                    },
                ),
                "0-1 {White loses on time}",
            ),
        ] {
            let expected = format!("Finished game 5 (A-dev vs A-base): {written}");
            assert_eq!(finished(5, &game(end)), expected);
        }
    }

    #[test]
    fn nothing_leaves_that_a_worker_cannot_decode() {
        let line = finished(1, &game(rules(None, "Dra\u{fc}\n\t{")));
        assert!(line.is_ascii() && !line.contains('\n'), "{line:?}");
    }

    #[test]
    fn game_numbers_name_the_round() {
        let mut lines = Lines {
            out: Vec::new(),
            games_per_round: 2,
            score: None,
        };
        let pair = FinishedPair {
            pair: 2,
            void_games: 0,
            games: vec![game(rules(None, "Draw by stalemate")); 2],
        };
        lines
            .on_event(&Event::PairFinished(&pair))
            .expect("written");
        let mut single = Lines {
            out: Vec::new(),
            games_per_round: 1,
            score: None,
        };
        let one = FinishedPair {
            games: pair.games[..1].to_vec(),
            ..pair
        };
        single
            .on_event(&Event::PairFinished(&one))
            .expect("written");
        let text = String::from_utf8(lines.out).expect("text");
        let numbers: Vec<_> = text.lines().map(|line| line.split(' ').nth(2)).collect();
        assert_eq!(numbers, [Some("5"), Some("6")]);
        assert!(single.out.starts_with(b"Finished game 3 ("));
    }
}
