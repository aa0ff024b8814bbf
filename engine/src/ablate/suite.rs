//! A suite of positions with best moves (`bm`) or moves to avoid (`am`), as EPD.

use std::fs;
use std::time::Instant;

use cozy_chess::Move;

use crate::position::Position;
use crate::san;
use crate::search::job::{Job, Settings};
use crate::search::limits::Limits;
use crate::search::{Signals, ThreadData, threads};
use crate::tt::Table;

/// MiB of the table, which is cleared for each position.
const HASH: usize = 4;

struct Problem {
    position: Position,
    best: Vec<Move>,
    avoid: Vec<Move>,
}

pub(super) struct Suite {
    problems: Vec<Problem>,
}

impl Suite {
    pub fn read(path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let lines = text.lines().enumerate();
        let problems: Vec<Problem> = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(index, line)| {
                problem(line).map_err(|error| format!("{path}:{}: {error}", index + 1))
            })
            .collect::<Result<_, _>>()?;
        if problems.is_empty() {
            return Err(format!(
                "{path}: expected positions with bm or am, got none"
            ));
        }
        Ok(Self { problems })
    }

    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// How many positions are solved with so many nodes each.
    pub fn solved(&self, settings: &Settings, nodes: u64) -> usize {
        let mut table = Table::new(HASH);
        let mut data = [ThreadData::default()];
        let mut is_solved = |problem: &&Problem| {
            table.clear();
            data[0].clear();
            let job = Job {
                position: problem.position.clone(),
                earlier_keys: Vec::new(),
                limits: Limits {
                    nodes,
                    ..Limits::default()
                },
                settings: settings.clone(),
                start: Instant::now(),
                verbose: false,
            };
            let found = threads::run(&job, &mut data, &table, &Signals::default()).best;
            found.is_some_and(|best| {
                !problem.avoid.contains(&best)
                    && (problem.best.is_empty() || problem.best.contains(&best))
            })
        };
        self.problems
            .iter()
            .filter(|problem| is_solved(problem))
            .count()
    }
}

/// Four fields, then operations that end with a semicolon.
fn problem(line: &str) -> Result<Problem, String> {
    let mut fields = line.splitn(5, ' ');
    let fen: Vec<&str> = fields.by_ref().take(4).collect();
    let position = Position::from_fen(&fen.join(" "))?;
    let operations = fields.next().unwrap_or_default();
    let moves = |code: &str| -> Result<Vec<Move>, String> {
        let operation = operations
            .split(';')
            .find_map(|text| text.trim().strip_prefix(code)?.strip_prefix(' '));
        let texts = operation.unwrap_or_default().split_whitespace();
        texts
            .map(|text| {
                san::parse(&position, text).ok_or_else(|| {
                    format!("{code}: expected a legal move in SAN or UCI notation, got '{text}'")
                })
            })
            .collect()
    };
    let (best, avoid) = (moves("bm")?, moves("am")?);
    if best.is_empty() && avoid.is_empty() {
        return Err("expected an operation bm or am".to_owned());
    }
    Ok(Problem {
        position,
        best,
        avoid,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_moves_and_moves_to_avoid_are_read() {
        let problem = problem("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8# h3; am d1a1; id \"x\";");
        let problem = problem.unwrap();
        assert_eq!((problem.best.len(), problem.avoid.len()), (2, 1));
    }

    #[test]
    fn lines_that_pose_no_problem_are_refused() {
        for (line, told) in [
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id \"x\";", "bm or am"),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qd8;", "'Qd8'"),
            ("nonsense", "FEN"),
        ] {
            let error = problem(line).err().unwrap();
            assert!(error.contains(told), "{error}");
        }
    }
}
