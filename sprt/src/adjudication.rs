//! Ends games that are decided in the opinion of the engines that play them.
//!
//! Rules come from the command line, stay in the plan, and give a verdict after each ply from the mover's score. They know
//! nothing of the game but move numbers and whether a move was irreversible. Games that the rules of the game have ended
//! are none of their business.

use foundation::Failure;
use serde::{Deserialize, Serialize};

use crate::engine::EngineScore;
use crate::game::Color;

/// Which games are cut short; `None` switches a rule off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Full moves that the engines play at most; then it is a draw.
    pub max_moves: Option<u32>,
}

/// A draw once both engines have called the game level for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Full moves that must have been played, by the position's own counter.
    pub movenumber: u32,
    /// Full moves in a row, both sides', with level scores; a capture or pawn move begins a new row.
    pub movecount: u32,
    /// Centipawns to either side that still are level.
    pub score: i32,
}

/// A loss for the engine that has called its game lost for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Moves in a row.
    pub movecount: u32,
    /// Centipawns behind.
    pub score: i32,
    /// Whether the opponent must have called its game won for as long.
    pub twosided: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            draw: Some(DrawRule {
                movenumber: 40,
                movecount: 8,
                score: 10,
            }),
            resign: Some(ResignRule {
                movecount: 3,
                score: 400,
                twosided: false,
            }),
            max_moves: None,
        }
    }
}

/// What the engines' scores have decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// `None` is a draw.
    pub winner: Option<Color>,
    /// In the words match runners use.
    pub text: &'static str,
    /// The rule that fired, for people who wonder.
    pub rule: &'static str,
}

/// Applies the rules to one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Rules,
    /// Plies that the engines have played.
    plies: u32,
    /// Plies in a row with level scores.
    level: u32,
    /// Moves in a row that White and Black have called their games lost, and won.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Adjudicator {
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            plies: 0,
            level: 0,
            lost: [0; 2],
            won: [0; 2],
        }
    }

    /// Takes in a move and says whether it ends the game. `full_moves` are those played with it, `irreversible` is whether
    /// it was a capture or the like.
    pub fn after_ply(
        &mut self,
        mover: Color,
        score: Option<EngineScore>,
        full_moves: u32,
        irreversible: bool,
    ) -> Option<Adjudication> {
        self.plies += 1;
        self.resignation(mover, score)
            .or_else(|| self.draw(score, full_moves, irreversible))
            .or_else(|| self.too_long())
    }

    fn resignation(&mut self, mover: Color, score: Option<EngineScore>) -> Option<Adjudication> {
        let rule = self.rules.resign?;
        let side = mover as usize;
        let count = |row: u32, goes_on: bool| if goes_on { row + 1 } else { 0 };
        self.lost[side] = count(
            self.lost[side],
            score.is_some_and(|it| it.is_lost(rule.score)),
        );
        self.won[side] = count(
            self.won[side],
            score.is_some_and(|it| it.is_won(rule.score)),
        );
        // With a two-sided rule it may be the winner's score that completes the rows.
        [mover, mover.opponent()].into_iter().find_map(|loser| {
            let winner = loser.opponent();
            let resigns = self.lost[loser as usize] >= rule.movecount
                && (!rule.twosided || self.won[winner as usize] >= rule.movecount);
            resigns.then_some(Adjudication {
                winner: Some(winner),
                text: match winner {
                    Color::White => "White wins by adjudication",
                    Color::Black => "Black wins by adjudication",
                },
                rule: "resign rule",
            })
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
        text: "Draw by adjudication",
        rule,
    }
}

impl DrawRule {
    /// Reads `movenumber=40,movecount=8,score=10`; `none` is no rule.
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        let fields = Fields {
            text,
            keys: &["movenumber", "movecount", "score"],
            example: "movenumber=40,movecount=8,score=10",
        };
        let Some([movenumber, movecount, score]) = fields.read()? else {
            return Ok(None);
        };
        Ok(Some(Self {
            movenumber: fields.number("movenumber", movenumber, 0)? as u32,
            movecount: fields.number("movecount", movecount, 1)? as u32,
            score: fields.number("score", score, 0)?,
        }))
    }
}

impl ResignRule {
    /// Reads `movecount=3,score=400` with `twosided=true` or without; `none` is no rule.
    pub fn parse(text: &str) -> Result<Option<Self>, Failure> {
        let fields = Fields {
            text,
            keys: &["movecount", "score", "twosided"],
            example: "movecount=3,score=400[,twosided=true]",
        };
        let Some([movecount, score, twosided]) = fields.read()? else {
            return Ok(None);
        };
        Ok(Some(Self {
            movecount: fields.number("movecount", movecount, 1)? as u32,
            score: fields.number("score", score, 1)?,
            twosided: match twosided {
                None | Some("false") => false,
                Some("true") => true,
                Some(other) => {
                    return Err(
                        fields.wrong(&format!("`twosided` is `{other}`, expected true or false"))
                    );
                }
            },
        }))
    }
}

/// `key=value` words, separated by commas or blanks.
struct Fields<'a> {
    text: &'a str,
    keys: &'static [&'static str],
    example: &'static str,
}

impl<'a> Fields<'a> {
    /// The values in the order of `keys`, where they were given; `None` if the rule is switched off.
    fn read<const N: usize>(&self) -> Result<Option<[Option<&'a str>; N]>, Failure> {
        if matches!(self.text.trim(), "none" | "off") {
            return Ok(None);
        }
        let mut values = [None; N];
        let words = self
            .text
            .split([',', ' ', '\t'])
            .filter(|word| !word.is_empty());
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| self.wrong(&format!("`{word}` is not KEY=VALUE")))?;
            let place = self
                .keys
                .iter()
                .zip(&mut values)
                .find_map(|(known, place)| (*known == key).then_some(place))
                .ok_or_else(|| self.wrong(&format!("there is no `{key}`")))?;
            if place.replace(value).is_some() {
                return Err(self.wrong(&format!("`{key}` comes twice")));
            }
        }
        Ok(Some(values))
    }

    fn number(&self, key: &str, value: Option<&str>, least: i32) -> Result<i32, Failure> {
        let value = value.ok_or_else(|| self.wrong(&format!("`{key}` is missing")))?;
        match value.parse::<i32>() {
            Ok(number) if number >= least => Ok(number),
            _ => Err(self.wrong(&format!(
                "`{key}` is `{value}`, expected a whole number from {least}"
            ))),
        }
    }

    fn wrong(&self, why: &str) -> Failure {
        Failure::unable(format!("`{}` is no adjudication rule: {why}", self.text))
            .hint(format!("expected {}, or `none`", self.example))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OFF: Rules = Rules {
        draw: None,
        resign: None,
        max_moves: None,
    };

    /// Plays plies from White's first move on; each is a score in centipawns or a word. Gives the ply that ended the
    /// game, from 1, and the rule and winner.
    fn play(rules: Rules, plies: &str) -> Option<(usize, &'static str, Option<Color>)> {
        let mut adjudicator = Adjudicator::new(rules);
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
            if let Some(verdict) = adjudicator.after_ply(mover, score, full_moves, irreversible) {
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
            (
                true,
                "-400 400 -400 0 -400 400 -400 400",
                wins(8, Color::Black),
            ),
            (true, "-400 0 -400 0 -400 0", None),
            (true, "M-3 M2 M-2 M1", wins(4, Color::Black)),
            (true, "500 -500 500 -500", wins(4, Color::White)),
            // Both think they are losing: nobody has won.
            (true, "-500 -500 -500 -500 -500 -500", None),
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

    #[test]
    fn rules_are_read_with_commas_and_with_blanks() {
        let draw = Rules::default().draw;
        for text in [
            "movenumber=40,movecount=8,score=10",
            "movenumber=40 movecount=8 score=10",
            "score=10, movecount=8,movenumber=40",
        ] {
            assert_eq!(DrawRule::parse(text), Ok(draw));
        }
        assert_eq!(
            ResignRule::parse("movecount=3 score=400"),
            Ok(Rules::default().resign)
        );
        let twosided = ResignRule::parse("movecount=3,score=400,twosided=true").expect("a rule");
        assert!(twosided.is_some_and(|rule| rule.twosided));
        assert_eq!(DrawRule::parse("none"), Ok(None));
        assert_eq!(ResignRule::parse(" none "), Ok(None));
    }

    #[test]
    fn what_is_no_rule_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "`movecount` is missing"),
            ("movecount=3", "`score` is missing"),
            (
                "movecount=0,score=1",
                "`movecount` is `0`, expected a whole number from 1",
            ),
            ("movecount=3,score=-400", "`score` is `-400`"),
            ("movecount=3,score=4e2", "`score` is `4e2`"),
            ("movecount=3,score=400,twosided=yes", "`twosided` is `yes`"),
            ("movecount=3,score=400,score=1", "`score` comes twice"),
            ("movecount=3,scores=400", "there is no `scores`"),
            ("3 400", "`3` is not KEY=VALUE"),
        ] {
            let failure = ResignRule::parse(text).expect_err(text);
            assert!(failure.message().contains(reason), "{failure}");
            assert!(
                failure
                    .next_step()
                    .is_some_and(|hint| hint.contains("movecount=3,score=400"))
            );
        }
        assert!(DrawRule::parse("movecount=3,score=400").is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,40}|((move(number|count)|score|twosided)(=-?[0-9]{1,12})?[, ]?){0,5}") {
            let _ = (DrawRule::parse(&text), ResignRule::parse(&text));
        }
    }
}
