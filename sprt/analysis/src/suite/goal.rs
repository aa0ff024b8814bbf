//! What solves a position: moves to find or to avoid, moves that earn points, a mate.
//!
//! | operation | meaning |
//! |---|---|
//! | `bm` | each of these moves solves it; `bm #N` is a mate, as in matetrack's files |
//! | `am` | any other move solves it; passed over where there is a `bm` |
//! | `dm` | mate in so many moves |
//! | `c0` | points of moves, `f5=10, Be5+=2`, as in the Strategic Test Suite |
//! | `c7`, `c8`, `c9` | the same in its first versions: moves and points in lists of equal length |
//!
//! A position with points and without `bm` is solved by the moves with most points.

use clap::ValueEnum;
use referee::game::Game;
use serde::{Deserialize, Serialize};

use super::epd::Line;

/// Moves are in the engines' notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Goal {
    pub best: Vec<String>,
    pub avoid: Vec<String>,
    pub points: Vec<(String, u32)>,
    /// Moves to mate; negative where the side to move is mated.
    pub mate: Option<i32>,
}

/// Which mates solve a position that asks for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MateRule {
    /// Any that the engine reports at the end, as matetrack counts them
    #[default]
    Any,
    /// No longer than the one that is known
    Best,
    /// Any that the engine's line, played out, ends in
    Proved,
}

impl Goal {
    /// # Errors
    /// What is wrong with the solutions, in words that follow the line's number.
    pub(super) fn of(line: &Line<'_>, position: &dyn Game) -> Result<Self, String> {
        let mut goal = Self::default();
        for word in line.operands("bm").unwrap_or_default().split([' ', ',']) {
            match word.strip_prefix('#') {
                Some(moves) => goal.mate = Some(mate("bm #", moves)?),
                None if word.is_empty() => {}
                None => goal.best.push(find(word, position)?),
            }
        }
        for word in line.operands("am").unwrap_or_default().split([' ', ',']) {
            if !word.is_empty() {
                goal.avoid.push(find(word, position)?);
            }
        }
        if let Some(moves) = line.operands("dm") {
            goal.mate = Some(mate("dm ", moves)?);
        }
        goal.points = points(line, position)?;
        if goal.best.is_empty() && goal.avoid.is_empty() && goal.mate.is_none() {
            let most = goal.most_points();
            let best = goal.points.iter().filter(|(_, points)| *points == most);
            goal.best = best.map(|(text, _)| text.clone()).collect();
            if goal.best.is_empty() {
                return Err("no solution: expected `bm`, `am`, `dm` or scored moves".to_owned());
            }
        }
        Ok(goal)
    }

    /// Whether playing this move, or this mate, solves it. `mate` is what the engine claims.
    pub(super) fn is_solved_by(&self, best: &str, mate: Option<i32>, rule: MateRule) -> bool {
        let among = |moves: &[String]| moves.iter().any(|it| it == best);
        if !self.best.is_empty() {
            among(&self.best)
        } else if let Some(known) = self.mate {
            mate.is_some_and(|mate| match rule {
                MateRule::Any | MateRule::Proved => mate.signum() == known.signum(),
                MateRule::Best => mate.signum() == known.signum() && mate.abs() <= known.abs(),
            })
        } else {
            !among(&self.avoid)
        }
    }

    pub(super) fn points_of(&self, best: &str) -> u32 {
        let found = self.points.iter().find(|(text, _)| text == best);
        found.map_or(0, |(_, points)| *points)
    }

    pub(super) fn most_points(&self) -> u32 {
        self.points
            .iter()
            .map(|(_, points)| *points)
            .max()
            .unwrap_or(0)
    }
}

fn find(word: &str, position: &dyn Game) -> Result<String, String> {
    let found = position.find(word);
    found.map_err(|why| format!("the solution `{word}` {why}"))
}

fn mate(before: &str, moves: &str) -> Result<i32, String> {
    let number = moves
        .trim()
        .parse::<i32>()
        .ok()
        .filter(|it| *it != 0 && it.abs() < 1000);
    number.ok_or_else(|| format!("`{before}{moves}` is no number of moves to mate"))
}

/// The points of moves, in whichever form the line has them.
fn points(line: &Line<'_>, position: &dyn Game) -> Result<Vec<(String, u32)>, String> {
    let in_one = line
        .operands("c0")
        .map(|text| text.replace(" =", "=").replace("= ", "="));
    let words = |text: &str| -> Vec<String> {
        text.split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    if let Some(pairs) = in_one.as_deref().map(words)
        && pairs.iter().all(|pair| scored(pair).is_some())
    {
        let pairs = pairs.iter().filter_map(|pair| scored(pair));
        return pairs
            .map(|(text, points)| Ok((find(text, position)?, points)))
            .collect();
    }
    let lists: Vec<Vec<String>> = ["c7", "c8", "c9"]
        .iter()
        .filter_map(|word| line.operands(word))
        .map(words)
        .collect();
    let numbers = |list: &Vec<String>| {
        list.iter()
            .map(|word| word.parse().ok())
            .collect::<Option<Vec<u32>>>()
    };
    let Some(values) = lists
        .iter()
        .find_map(numbers)
        .filter(|values| !values.is_empty())
    else {
        return Ok(Vec::new());
    };
    let Some(moves) = lists.iter().find(|list| numbers(list).is_none()) else {
        return Err("points without moves: expected both in `c7`, `c8` and `c9`".to_owned());
    };
    if moves.len() != values.len() {
        return Err(format!(
            "{} moves with {} points",
            moves.len(),
            values.len()
        ));
    }
    let pairs = moves.iter().zip(values);
    pairs
        .map(|(text, points)| Ok((find(text, position)?, points)))
        .collect()
}

/// `f5=10`; a promotion has an equals sign of its own.
fn scored(pair: &str) -> Option<(&str, u32)> {
    let (text, points) = pair.rsplit_once('=')?;
    Some((text, points.parse().ok()?))
}
