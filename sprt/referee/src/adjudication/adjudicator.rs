//! Applies the rules of adjudication to one game, ply by ply.

use std::sync::Arc;

use super::rules::Rules;
use super::ruling::{Adjudication, Ply, Rule};
use super::tables::Tables;
use crate::tablebase::Tablebase;

/// Applies the rules to one game.
pub struct Adjudicator {
    rules: Vec<Box<dyn Rule>>,
}

impl Adjudicator {
    pub fn new(rules: &Rules, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        let tables = tablebase.map(|tables| Box::new(Tables(tables)) as Box<dyn Rule>);
        Self {
            rules: tables.into_iter().chain(rules.begin()).collect(),
        }
    }

    /// Takes in a move and says whether it ends the game.
    pub(crate) fn after_ply(&mut self, ply: &Ply<'_>) -> Option<Adjudication> {
        self.rules.iter_mut().find_map(|rule| rule.after_ply(ply))
    }
}

#[cfg(test)]
mod tests {
    use engine_client::{Color, EngineScore};

    use super::*;
    use crate::adjudication::{DrawRule, ResignRule};

    /// Plays plies from White's first move on; each is a score in centipawns or a word. Gives the
    /// ply that ended the game, from 1, and the rule and winner.
    fn play(rules: Rules, plies: &str) -> Option<(usize, &'static str, Option<Color>)> {
        let mut adjudicator = Adjudicator::new(&rules, None);
        for (index, word) in plies.split_whitespace().enumerate() {
            let mover = if index % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            let (word, irreversible) = word
                .strip_prefix('!')
                .map_or((word, false), |word| (word, true));
            let score = match word.strip_prefix('M') {
                Some(moves) => Some(EngineScore::Mate(moves.parse().expect("moves"))),
                None => word.parse().ok().map(EngineScore::Cp),
            };
            let ply = Ply {
                mover,
                score,
                full_moves: (index as u32).div_ceil(2),
                irreversible,
                position: &String::new,
            };
            if let Some(verdict) = adjudicator.after_ply(&ply) {
                return Some((index + 1, verdict.rule, verdict.winner));
            }
        }
        None
    }

    #[test]
    fn a_draw_needs_both_sides_level_in_a_row_after_its_move_number() {
        let rules = |movenumber, movecount| Rules {
            draw: Some(DrawRule {
                movenumber,
                movecount,
                score: 10,
            }),
            ..Rules::default()
        };
        let draw = |ply| Some((ply, "draw rule", None));
        for (movenumber, movecount, plies, expected) in [
            (0, 2, "0 0 0 0", draw(4)),
            (0, 2, "0 0 0", None),
            (0, 2, "10 -10 10 -10", draw(4)),
            (0, 2, "11 0 0 0 0 0", draw(5)),
            (0, 2, "0 0 0 -11 0 0 0", None),
            (0, 2, "0 0 ? 0 0 0 0", draw(7)),
            (0, 2, "0 0 M5 0 0 0 0", draw(7)),
            // The irreversible move is the first of the new count.
            (0, 2, "0 0 !0 0 0 0", draw(6)),
            (0, 2, "0 0 0 !0 0 0 0", draw(7)),
            (0, 1, "!0 !0 !0 !0", None),
            // Scores before the move number count.
            (3, 2, "0 0 0 0 0 0 0", draw(6)),
            (3, 2, "0 0 0 0 0 50 0 0 0 0", draw(10)),
        ] {
            assert_eq!(
                play(rules(movenumber, movecount), plies),
                expected,
                "{plies}"
            );
        }
    }

    #[test]
    fn an_engine_resigns_after_its_own_moves_in_a_row() {
        let rules = |twosided| Rules {
            resign: Some(ResignRule {
                movecount: 2,
                score: 400,
                twosided,
            }),
            ..Rules::default()
        };
        let wins = |ply, winner| Some((ply, "resign rule", Some(winner)));
        for (twosided, plies, expected) in [
            (false, "-400 0 -400", wins(3, Color::Black)),
            (false, "0 -401 0 -900", wins(4, Color::White)),
            (false, "-399 0 -400 0", None),
            (false, "-400 0 0 0 -400 0 0", None),
            (false, "-400 0 ? 0 -400 0", None),
            (false, "M-9 0 -400 0", wins(3, Color::Black)),
            (false, "M9 0 900 0", None),
            (false, "-500 -500 -500", wins(3, Color::Black)),
            // The count covers four plies, and ends with a move of the loser.
            (
                true,
                "-400 400 -400 0 -400 400 -400 400 -400",
                wins(9, Color::Black),
            ),
            (true, "-400 0 -400 0 -400 0", None),
            (true, "M-3 M2 M-2 M1 M-1", wins(5, Color::Black)),
            (true, "500 -500 500 -500", wins(4, Color::White)),
            (
                true,
                "500 -500 ? -500 500 -500 500 -500",
                wins(8, Color::White),
            ),
            // Signs are not compared: a mover that calls its game lost loses it.
            (true, "500 500 500 500 -500", wins(5, Color::Black)),
        ] {
            assert_eq!(play(rules(twosided), plies), expected, "{twosided} {plies}");
        }
    }

    #[test]
    fn a_game_at_the_move_limit_is_drawn_unless_it_is_decided() {
        let rules = Rules {
            max_moves: Some(2),
            ..Rules::default()
        };
        assert_eq!(play(rules, "0 0 0 0 0"), Some((4, "move limit", None)));
        let rules = Rules {
            max_moves: Some(1),
            ..Rules::default()
        };
        assert_eq!(play(rules, "? ?"), Some((2, "move limit", None)));
        let resign = Some(ResignRule {
            movecount: 1,
            score: 100,
            twosided: false,
        });
        let rules = Rules {
            resign,
            max_moves: Some(1),
            ..Rules::default()
        };
        assert_eq!(
            play(rules, "0 -100"),
            Some((2, "resign rule", Some(Color::White)))
        );
    }

    #[test]
    fn without_rules_games_go_on() {
        assert_eq!(play(Rules::default(), &"0 -900 ".repeat(200)), None);
    }
}
