//! Which games are cut short, as the command line says it and the plan keeps it.

use foundation::Failure;
use serde::{Deserialize, Serialize};

/// Which games are cut short; `None` switches a rule off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Full moves in a row, both sides', with level scores; a capture or pawn move begins a new
    /// row.
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
    /// The values in the order of `keys`, where they were given; `None` if the rule is switched
    /// off.
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

    #[test]
    fn rules_are_read_with_commas_and_with_blanks() {
        let draw = Some(DrawRule {
            movenumber: 40,
            movecount: 8,
            score: 10,
        });
        for text in [
            "movenumber=40,movecount=8,score=10",
            "movenumber=40 movecount=8 score=10",
            "score=10, movecount=8,movenumber=40",
        ] {
            assert_eq!(DrawRule::parse(text), Ok(draw));
        }
        assert_eq!(
            ResignRule::parse("movecount=3 score=400"),
            Ok(Some(ResignRule {
                movecount: 3,
                score: 400,
                twosided: false,
            }))
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
