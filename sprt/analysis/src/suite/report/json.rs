//! The object that `--json` prints, and the file `result.json`.

use foundation::{Failure, failure::OrUnable};
use referee::game::Picture;
use schemars::JsonSchema;
use serde::Serialize;

use crate::suite::comparison::Comparison;
use crate::suite::figures::{Figures, Found, in_order};
use crate::suite::folder::SuiteRun;

/// A suite's run.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    schema: &'static str,
    version: u32,
    /// Whether all searches have been made.
    complete: bool,
    /// Of engines that have none of their own.
    limit: String,
    /// Searches of each engine at each position, at limits around this one.
    budgets: u32,
    seed: u64,
    suites: Vec<Suite>,
    /// The first is BASE where there are two.
    engines: Vec<EngineJson>,
    /// Of two engines; null where there are more or fewer.
    comparison: Option<Comparison>,
    positions: Vec<PositionJson>,
}

#[derive(Serialize, JsonSchema)]
struct Suite {
    file: String,
    positions: usize,
}

#[derive(Serialize, JsonSchema)]
struct EngineJson {
    name: String,
    /// What it calls itself.
    engine_name: String,
    sha256: String,
    /// The commit it was built from; null for a program.
    commit: Option<String>,
    options: Vec<String>,
    limit: String,
    all: Found,
    themes: Vec<Theme>,
}

#[derive(Serialize, JsonSchema)]
struct Theme {
    theme: String,
    #[serde(flatten)]
    found: Found,
}

#[derive(Serialize, JsonSchema)]
struct PositionJson {
    id: Option<String>,
    fen: String,
    /// The board for pages; null where the game is chess.
    #[schemars(with = "Option<serde_json::Value>")]
    picture: Option<Picture>,
    theme: String,
    /// Moves in the engines' notation, `#N` for a mate.
    solution: String,
    answers: Vec<AnswerJson>,
}

#[derive(Serialize, JsonSchema)]
struct AnswerJson {
    /// Place in the list of engines, from 0.
    engine: usize,
    /// Which of the searches of this position, from 0.
    search: u32,
    best: String,
    /// In pawns, `+M5` for a mate in five plies; null where the engine gave none.
    score: Option<String>,
    solved: bool,
    points: u32,
    nodes: Option<u64>,
    depth: Option<u32>,
    ms: u64,
    /// Nodes from which on the solution was held to the end.
    solution_nodes: Option<u64>,
    solution_ms: Option<u64>,
    fault: Option<String>,
}

pub fn json(run: &SuiteRun) -> Result<String, Failure> {
    serde_json::to_string_pretty(&object(run)).or_unable("write JSON")
}

pub fn object(run: &SuiteRun) -> Json {
    let plan = &run.plan;
    Json {
        schema: "sprt-suite",
        version: 1,
        complete: run.is_over(),
        limit: plan.limit.to_string(),
        budgets: plan.budgets,
        seed: plan.seed,
        suites: plan
            .suites
            .iter()
            .map(|suite| Suite {
                file: suite.file.clone(),
                positions: suite.positions,
            })
            .collect(),
        engines: engines(run),
        comparison: plan.gate.map(|gate| Comparison::of(&gate, run)),
        positions: positions(run),
    }
}

fn engines(run: &SuiteRun) -> Vec<EngineJson> {
    let figures = Figures::of(run);
    let engines = run.plan.engines.iter().zip(figures.engines).enumerate();
    engines
        .map(|(place, (engine, all))| EngineJson {
            name: engine.name.clone(),
            engine_name: engine.engine_name.clone(),
            sha256: engine.sha256.clone(),
            commit: engine.commit.clone(),
            limit: engine.limit(&run.plan.limit).to_string(),
            options: engine
                .settings
                .options
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
            all,
            themes: figures
                .themes
                .iter()
                .map(|(theme, found)| Theme {
                    theme: theme.clone(),
                    found: found[place].clone(),
                })
                .collect(),
        })
        .collect()
}

fn positions(run: &SuiteRun) -> Vec<PositionJson> {
    let mut positions: Vec<PositionJson> = run
        .positions
        .iter()
        .map(|position| PositionJson {
            id: position.id.clone(),
            fen: position.fen.clone(),
            picture: position.picture(),
            theme: position.theme.clone(),
            solution: position.solution(),
            answers: Vec::new(),
        })
        .collect();
    for answer in in_order(run) {
        positions[answer.position].answers.push(AnswerJson {
            engine: answer.engine,
            search: answer.search,
            best: answer.best.clone(),
            score: answer.score.map(|score| score.to_string()),
            solved: answer.solved,
            points: answer.points,
            nodes: answer.nodes,
            depth: answer.depth,
            ms: answer.ms,
            solution_nodes: answer.since.and_then(|since| since.nodes),
            solution_ms: answer.since.map(|since| since.ms),
            fault: answer.fault.clone(),
        });
    }
    positions
}
