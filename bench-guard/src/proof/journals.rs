//! The run folders in which the games of proofs are looked up.
//!
//! A run folder has `plan.json`, `pairs.jsonl` and `games.pgn`. Only the parts of the first two
//! that a proof mentions are read here.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use engine_client::{Color, Limit};
use serde::Deserialize;
use stats::{GameResult, Pentanomial, Test, Verdict, Wdl};

use super::{Proof, Source};
use foundation::{
    Failure, digest,
    failure::OrUnable,
    run_folder::{self, PLAN, SPRT},
};

const PAIRS: &str = "pairs.jsonl";
const GAMES: &str = "games.pgn";

/// Folders nested deeper than this are not searched.
const DEEPEST: usize = 4;

/// Runs by the digest of their journal.
#[derive(Debug)]
pub(crate) struct Journals {
    folder: PathBuf,
    runs: HashMap<String, PathBuf>,
}

/// The parts of a plan that a proof mentions.
#[derive(Deserialize)]
struct Plan {
    base: Side,
    new: Side,
    test: Test,
    limit: Limit,
    book: Book,
    #[serde(default)]
    on_fault: String,
}

#[derive(Deserialize)]
struct Side {
    inputs: Option<String>,
    options: Vec<(String, String)>,
    limit: Option<Limit>,
}

#[derive(Deserialize)]
struct Book {
    sha256: String,
    seed: u64,
}

#[derive(Deserialize)]
struct Line {
    pair: u64,
    games: Vec<Game>,
}

#[derive(Deserialize)]
struct Game {
    new: Color,
    winner: Option<Color>,
    end: String,
}

impl Game {
    fn result(&self) -> GameResult {
        match self.winner {
            None => GameResult::Draw,
            Some(winner) if winner == self.new => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// As PGN writes it.
    fn tag(&self) -> &'static str {
        match self.winner {
            None => "1/2-1/2",
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
        }
    }

    fn is_spoiled(&self) -> bool {
        !matches!(self.end.as_str(), "rules" | "adjudication")
    }
}

impl Journals {
    /// The runs in a folder and its subfolders.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let mut runs = HashMap::new();
        collect(folder, DEEPEST, &mut runs)
            .or_unable(format_args!("read `{}`", folder.display()))
            .map_err(|failure| {
                failure.hint("`--journals` names a folder with run folders of `sprt`")
            })?;
        Ok(Self {
            folder: folder.to_owned(),
            runs,
        })
    }

    /// Where a proof contradicts its games; empty if they confirm it.
    pub(crate) fn against(&self, proof: &Proof) -> Vec<String> {
        let Source::Run { journal, .. } = &proof.source else {
            return Vec::new();
        };
        let Some(run) = self.runs.get(journal) else {
            return vec![format!(
                "no run in `{}` has the journal {journal}",
                self.folder.display()
            )];
        };
        compared(run, proof).unwrap_or_else(|why| vec![why])
    }
}

fn collect(
    folder: &Path,
    depth: usize,
    runs: &mut HashMap<String, PathBuf>,
) -> std::io::Result<()> {
    let journal = folder.join(PAIRS);
    if journal.is_file() {
        runs.insert(digest::of_file(&journal)?.0, folder.to_owned());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if depth > 0 && entry.file_type()?.is_dir() {
            collect(&entry.path(), depth - 1, runs)?;
        }
    }
    Ok(())
}

/// Where a proof contradicts its run.
fn compared(run: &Path, proof: &Proof) -> Result<Vec<String>, String> {
    let text = |name: &str| {
        let path = run.join(name);
        fs::read_to_string(&path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
    };
    let plan = run_folder::read_plan(run, &SPRT).map_err(|failure| failure.to_string())?;
    let (pairs, games) = (text(PAIRS)?, text(GAMES)?);
    let broken = |name: &str, why: String| format!("`{}`: {why}", run.join(name).display());
    let plan: Plan =
        serde_json::from_str(&plan).map_err(|error| broken(PLAN, error.to_string()))?;
    let lines = lines(&pairs).map_err(|why| broken(PAIRS, why))?;
    let mut against = differences(&plan, proof, &games);
    against.extend(miscounted(&lines, &plan, proof));
    let tags: Vec<&str> = results(&games).collect();
    let journaled: Vec<&str> = lines
        .iter()
        .flat_map(|line| &line.games)
        .map(Game::tag)
        .collect();
    if tags != journaled {
        against.push(format!("`{GAMES}` has other results than `{PAIRS}`"));
    }
    Ok(against
        .into_iter()
        .map(|why| format!("{why} (run `{}`)", run.display()))
        .collect())
}

fn lines(text: &str) -> Result<Vec<Line>, String> {
    let mut lines: Vec<Line> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line: Line =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        if line.pair != number as u64 {
            return Err(format!(
                "line {} has pair {}, expected {number}",
                number + 1,
                line.pair
            ));
        }
        lines.push(line);
    }
    Ok(lines)
}

/// The values of the tag `Result`, game by game.
fn results(pgn: &str) -> impl Iterator<Item = &str> {
    pgn.lines()
        .filter_map(|line| line.strip_prefix("[Result \"")?.strip_suffix("\"]"))
}

/// Where a proof contradicts the plan or the games.
fn differences(plan: &Plan, proof: &Proof, pgn: &str) -> Vec<String> {
    let Source::Run {
        book, seed, games, ..
    } = &proof.source
    else {
        return Vec::new();
    };
    let limit = |side: &Side| side.limit.as_ref().unwrap_or(&plan.limit).openbench();
    let played = [
        (
            "the digest of NEW",
            plan.new.inputs.as_deref() == Some(&proof.new),
        ),
        (
            "the digest of BASE",
            plan.base.inputs.as_deref() == Some(&proof.base),
        ),
        (
            "the options",
            [&plan.new, &plan.base]
                .iter()
                .all(|side| side.options == proof.options),
        ),
        (
            "the limit",
            [&plan.new, &plan.base]
                .iter()
                .all(|side| limit(side) == proof.limit),
        ),
        ("the test", plan.test == proof.test),
        ("the book", plan.book.sha256 == *book),
        ("the seed", plan.book.seed == *seed),
        (
            "the digest of the games",
            digest::of_bytes(pgn.as_bytes()) == *games,
        ),
    ];
    played
        .into_iter()
        .filter(|(_, agrees)| !agrees)
        .map(|(what, _)| format!("{what} is not that of the run"))
        .collect()
}

/// Where a proof contradicts the pairs: their counts, and whether the test ended with the last of
/// them and not before.
fn miscounted(lines: &[Line], plan: &Plan, proof: &Proof) -> Option<String> {
    let (mut pairs, mut games) = (Pentanomial::default(), Wdl::default());
    let mut verdict = Verdict::Undecided;
    for line in lines {
        let [first, second] = line.games.as_slice() else {
            return Some(format!(
                "pair {} has {} games, expected two",
                line.pair,
                line.games.len()
            ));
        };
        if verdict != Verdict::Undecided {
            return Some(format!("the test was decided before pair {}", line.pair));
        }
        if plan.on_fault == "void" && (first.is_spoiled() || second.is_spoiled()) {
            continue;
        }
        if first.new == second.new {
            return Some(format!(
                "in pair {} both games have NEW on the same side",
                line.pair
            ));
        }
        let results = [first.result(), second.result()];
        pairs.add(results);
        for result in results {
            games.add(result);
        }
        verdict = plan.test.verdict(plan.test.llr(&pairs, &games));
    }
    if pairs.0 != proof.penta {
        return Some(format!("its games give the pairs {:?}", pairs.0));
    }
    (verdict != Verdict::H1).then(|| "its games do not pass the test".to_owned())
}
