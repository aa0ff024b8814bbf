//! Applies the rules of adjudication to one game, ply by ply.

use std::sync::Arc;

use super::rules::Rules;
use crate::tablebase::Tablebase;
use engine_client::{Color, EngineScore};

/// What the engines' scores have decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// `None` is a draw.
    pub winner: Option<Color>,
    /// In the words match runners use.
    pub text: String,
    /// The rule that fired, for people who wonder.
    pub rule: &'static str,
}

/// Applies the rules to one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Rules,
    tablebase: Option<Arc<dyn Tablebase>>,
    /// Plies that the engines have played.
    plies: u32,
    /// Plies in a row with level scores.
    level: u32,
    /// Moves in a row that White and Black have called their games lost.
    lost: [u32; 2],
    /// Plies in a row that the game was called decided, by whoever moved.
    decided: u32,
}

impl Adjudicator {
    pub fn new(rules: Rules, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        Self {
            rules,
            tablebase,
            plies: 0,
            level: 0,
            lost: [0; 2],
            decided: 0,
        }
    }

    /// Takes in a move and says whether it ends the game. `full_moves` are those played with it,
    /// `irreversible` is whether it was a capture or the like. `position` is asked for where tables
    /// may know the outcome.
    pub(crate) fn after_ply(
        &mut self,
        mover: Color,
        score: Option<EngineScore>,
        full_moves: u32,
        irreversible: bool,
        position: impl FnOnce() -> String,
    ) -> Option<Adjudication> {
        self.plies += 1;
        self.tables(irreversible, position)
            .or_else(|| self.resignation(mover, score))
            .or_else(|| self.draw(score, full_moves, irreversible))
            .or_else(|| self.too_long())
    }

    fn tables(
        &self,
        irreversible: bool,
        position: impl FnOnce() -> String,
    ) -> Option<Adjudication> {
        // Only then tables know what becomes of the position under any rule that counts moves.
        let tablebase = self.tablebase.as_ref().filter(|_| irreversible)?;
        let winner = tablebase.winner(&position())?;
        Some(Adjudication {
            winner,
            text: format!("{}: {}", verdict(winner), tablebase.name()),
            rule: "endgame tables",
        })
    }

    fn resignation(&mut self, mover: Color, score: Option<EngineScore>) -> Option<Adjudication> {
        let rule = self.rules.resign?;
        let side = mover as usize;
        let count = |row: u32, goes_on: bool| if goes_on { row + 1 } else { 0 };
        let is_lost = score.is_some_and(|it| it.is_lost(rule.score));
        let is_won = score.is_some_and(|it| it.is_won(rule.score));
        self.lost[side] = count(self.lost[side], is_lost);
        self.decided = count(self.decided, is_lost || is_won);
        // As fastchess counts: it is always the mover that resigns, and with a two-sided rule the
        // plies of both sides make one row.
        let resigns = if rule.twosided {
            is_lost && self.decided >= rule.movecount.saturating_mul(2)
        } else {
            self.lost[side] >= rule.movecount
        };
        let winner = mover.opponent();
        resigns.then(|| Adjudication {
            winner: Some(winner),
            text: verdict(Some(winner)).to_owned(),
            rule: "resign rule",
        })
    }

    fn draw(
        &mut self,
        score: Option<EngineScore>,
        full_moves: u32,
        irreversible: bool,
    ) -> Option<Adjudication> {
        let rule = self.rules.draw?;
        if irreversible {
            self.level = 0;
        }
        if score.is_some_and(|it| it.is_level(rule.score)) {
            self.level += 1;
        } else {
            self.level = 0;
        }
        let agreed = self.level / 2 >= rule.movecount && full_moves >= rule.movenumber;
        agreed.then_some(drawn("draw rule"))
    }

    fn too_long(&self) -> Option<Adjudication> {
        let limit = self.rules.max_moves?;
        (self.plies / 2 >= limit).then_some(drawn("move limit"))
    }
}

fn drawn(rule: &'static str) -> Adjudication {
    Adjudication {
        winner: None,
        text: verdict(None).to_owned(),
        rule,
    }
}

fn verdict(winner: Option<Color>) -> &'static str {
    match winner {
        None => "Draw by adjudication",
        Some(Color::White) => "White wins by adjudication",
        Some(Color::Black) => "Black wins by adjudication",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjudication::{DrawRule, ResignRule};

    const OFF: Rules = Rules {
        draw: None,
        resign: None,
        max_moves: None,
    };

    /// Plays plies from White's first move on; each is a score in centipawns or a word. Gives the
    /// ply that ended the game, from 1, and the rule and winner.
    fn play(rules: Rules, plies: &str) -> Option<(usize, &'static str, Option<Color>)> {
        let mut adjudicator = Adjudicator::new(rules, None);
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
            let full_moves = (index as u32).div_ceil(2);
            if let Some(verdict) =
                adjudicator.after_ply(mover, score, full_moves, irreversible, String::new)
            {
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
            ..OFF
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
            // The irreversible move is the first of the new row.
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
            ..OFF
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
            // The row is of four plies, and ends with a move of the loser.
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
            // Signs are not compared: who moves and calls its game lost loses it.
            (true, "500 500 500 500 -500", wins(5, Color::Black)),
        ] {
            assert_eq!(play(rules(twosided), plies), expected, "{twosided} {plies}");
        }
    }

    #[test]
    fn a_game_at_the_move_limit_is_drawn_unless_it_is_decided() {
        let rules = Rules {
            max_moves: Some(2),
            ..OFF
        };
        assert_eq!(play(rules, "0 0 0 0 0"), Some((4, "move limit", None)));
        let rules = Rules {
            max_moves: Some(1),
            ..OFF
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
            draw: None,
        };
        assert_eq!(
            play(rules, "0 -100"),
            Some((2, "resign rule", Some(Color::White)))
        );
    }

    #[test]
    fn without_rules_games_go_on() {
        assert_eq!(play(OFF, &"0 -900 ".repeat(200)), None);
    }
}
