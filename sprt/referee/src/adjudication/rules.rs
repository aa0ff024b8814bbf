//! The rules of a match: their flags, what stands in its plan, and what a game is watched with.

use clap::Args;
use foundation::Failure;
use serde::{Deserialize, Serialize};

use super::draw::{Draw, DrawRule};
use super::move_limit::MoveLimit;
use super::resign::{Resign, ResignRule};
use super::ruling::Rule;

/// Which games are cut short; `None` switches a rule off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Full moves that the engines play at most; then it is a draw.
    pub max_moves: Option<u32>,
}

/// The rules as flags and keys of files; `None` where one was not given.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct RuleFlags {
    /// Draw when both agree, or `none` [default: movenumber=40,movecount=8,score=10]
    #[arg(long, value_name = "RULE")]
    pub draw_adj: Option<String>,
    /// Resign when hopeless, or `none`; with twosided=true both must say so [default:
    /// movecount=3,score=400]
    #[arg(long, value_name = "RULE")]
    pub resign_adj: Option<String>,
    /// Draw after so many moves of each side
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,
}

impl RuleFlags {
    /// The rules that were given, and those of `other` where none was.
    ///
    /// # Errors
    /// A rule cannot be read.
    pub fn over(&self, other: &Rules) -> Result<Rules, Failure> {
        let (draw, resign) = (&self.draw_adj, &self.resign_adj);
        if self.max_moves == Some(0) {
            return Err(Failure::unable("--max-moves 0: expected at least 1")
                .hint("without the flag, games have no such limit"));
        }
        Ok(Rules {
            draw: draw.as_deref().map_or(Ok(other.draw), DrawRule::parse)?,
            resign: resign
                .as_deref()
                .map_or(Ok(other.resign), ResignRule::parse)?,
            max_moves: self.max_moves.or(other.max_moves),
        })
    }
}

impl Rules {
    /// The usual rules in chess.
    pub const USUAL: Self = Self {
        draw: Some(DrawRule::USUAL),
        resign: Some(ResignRule::USUAL),
        max_moves: None,
    };

    /// The flags that give the same rules, whatever the defaults are.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        let or_none = |rule: Option<String>| rule.unwrap_or_else(|| "none".to_owned());
        let mut flags = vec![
            ("draw-adj", or_none(self.draw.map(|it| it.to_string()))),
            ("resign-adj", or_none(self.resign.map(|it| it.to_string()))),
        ];
        flags.extend(self.max_moves.map(|most| ("max-moves", most.to_string())));
        flags
    }

    /// The rules that are on, for a game that begins, in the order in which they are asked.
    pub(super) fn begin(&self) -> Vec<Box<dyn Rule>> {
        let mut rules: Vec<Box<dyn Rule>> = Vec::new();
        if let Some(rule) = self.resign {
            rules.push(Box::new(Resign {
                rule,
                lost: [0; 2],
                decided: 0,
            }));
        }
        if let Some(rule) = self.draw {
            rules.push(Box::new(Draw { rule, level: 0 }));
        }
        if let Some(most) = self.max_moves {
            rules.push(Box::new(MoveLimit { most, plies: 0 }));
        }
        rules
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

    #[test]
    fn a_limit_of_no_moves_is_refused() {
        let flags = |max_moves| RuleFlags {
            max_moves: Some(max_moves),
            ..RuleFlags::default()
        };
        let failure = flags(0).over(&Rules::USUAL).expect_err("no game");
        assert!(failure.message().contains("--max-moves 0"), "{failure}");
        let rules = flags(1).over(&Rules::USUAL).expect("a limit");
        assert_eq!(rules.max_moves, Some(1));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,40}|((move(number|count)|score|twosided)(=-?[0-9]{1,12})?[, ]?){0,5}") {
            let _ = (DrawRule::parse(&text), ResignRule::parse(&text));
        }
    }
}
