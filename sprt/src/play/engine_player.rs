//! The engines at the table: each thinks when it is its turn, and is stopped when it is not any
//! more.

use std::time::{Duration, Instant};

use engine_client::{Color, Engine, Fault, Heads, Launch, Limit, ScoreQuality, Search, Timeouts};
use foundation::Failure;
use referee::arena::GameFault;

use super::seat::Seat;
use super::table::SharedTable;

/// An engine that is stopped has this long to say a move.
const STOP: Duration = Duration::from_secs(2);
/// How much longer than its limit says an engine may think.
const GRACE: Duration = Duration::from_secs(5);
/// Lines of thoughts that are kept.
const MOST_THOUGHTS: usize = 40;

/// One engine of the command line.
struct EnginePlayer {
    launch: Launch,
    timeouts: Timeouts,
    limit: Limit,
    engine: Option<Engine>,
}

/// What an engine is asked.
struct Task {
    engine: usize,
    version: u64,
    position: String,
    mover: Color,
    clocks: engine_client::Clocks,
    allowed: Option<Duration>,
    is_new: bool,
}

/// How a search ended.
enum Outcome {
    Move {
        best: String,
        line: String,
    },
    Failed(Fault),
    /// The table has changed.
    Stopped,
}

/// Plays the engines' moves for as long as there is a table.
pub(crate) async fn play_engines(
    shared: SharedTable,
    engines: Vec<(Launch, Limit)>,
    timeouts: Timeouts,
) {
    let mut players: Vec<EnginePlayer> = engines
        .into_iter()
        .map(|(launch, limit)| EnginePlayer {
            launch,
            timeouts,
            limit,
            engine: None,
        })
        .collect();
    let mut changes = shared.changes();
    loop {
        changes.borrow_and_update();
        if let Some(task) = next_task(&shared) {
            let player = &mut players[task.engine];
            if let Err(failure) = player.play(&shared, &task).await {
                let mut table = shared.table();
                // Another game may have begun while it did not start.
                if table.version == task.version {
                    let how = failure.message().to_owned();
                    table.engine_failed(task.mover, GameFault::Crash { how: how.clone() }, how);
                }
            }
        } else if changes.changed().await.is_err() {
            return;
        }
    }
}

fn next_task(shared: &SharedTable) -> Option<Task> {
    let table = shared.table();
    let Some(Seat::Engine(engine)) = table.mover() else {
        return None;
    };
    let mover = table.game.to_move();
    Some(Task {
        engine,
        version: table.version,
        position: table.game.position().to_owned(),
        mover,
        clocks: table.clock().shows(mover),
        allowed: table
            .clock()
            .left(mover)
            .and_then(|_| table.clock().allows(mover)),
        is_new: table.moves.len() < 2,
    })
}

impl EnginePlayer {
    async fn play(&mut self, shared: &SharedTable, task: &Task) -> Result<(), Failure> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(&self.launch, self.timeouts).await?,
        };
        let prepared = if task.is_new {
            engine.new_game().await
        } else {
            Ok(())
        };
        // What comes before is not thinking.
        let begun = Instant::now();
        let outcome = match prepared {
            Ok(()) => self.search(&mut engine, shared, task).await,
            Err(fault) => Outcome::Failed(fault),
        };
        let took = begun.elapsed();
        if engine.is_sound() {
            self.engine = Some(engine);
        }
        let mut table = shared.table();
        if table.version != task.version {
            return Ok(());
        }
        match outcome {
            Outcome::Stopped => {}
            Outcome::Move { best, line } => {
                let info = self.launch.dialect.info(line.as_bytes(), task.mover);
                let expected = self.launch.dialect.line_of(line.as_bytes());
                let expected = expected.map(|line| String::from_utf8_lossy(line).into_owned());
                if let Err(tried) = table.make(best, info, expected, took) {
                    let words = format!("{} played `{tried}`, which is illegal", self.launch.name);
                    let fault = GameFault::IllegalMove { tried, hint: None };
                    table.engine_failed(task.mover, fault, words);
                }
            }
            Outcome::Failed(fault) => {
                if matches!(fault, Fault::Silent(_)) && task.allowed.is_some() {
                    table.flag_fell(task.mover);
                } else {
                    let how = fault.to_string();
                    let words = format!("{}: {how}", self.launch.name);
                    table.engine_failed(task.mover, GameFault::Crash { how }, words);
                }
            }
        }
        Ok(())
    }

    /// Asks for a move; the engine's output is passed to the table meanwhile.
    async fn search(&self, engine: &mut Engine, shared: &SharedTable, task: &Task) -> Outcome {
        let dialect = self.launch.dialect;
        let search = Search {
            position: &task.position,
            mover: task.mover,
            limit: &self.limit,
            clocks: task.clocks,
        };
        let mut command = String::new();
        dialect.search(&search, &mut command);
        let timeout = match (task.allowed, self.limit.movetime) {
            (Some(allowed), _) => allowed,
            (None, Some(ms)) => Duration::from_millis(ms) + GRACE,
            (None, None) => self.timeouts.answer,
        };
        let (mut best, mut scored, mut heads) = (None, String::new(), Heads::default());
        let mut changes = shared.changes();
        // It may have changed before, while the engine started.
        let is_asked = || shared.table().version == task.version;
        let moved = async { while is_asked() && changes.changed().await.is_ok() {} };
        let on_line = |line: &str| {
            let Some(line) = heads.join(dialect, line) else {
                return;
            };
            if let Some(word) = dialect.best_move(line.as_bytes()) {
                best = Some(String::from_utf8_lossy(word).into_owned());
            } else if dialect.score_quality(line.as_bytes()) != ScoreQuality::Missing {
                scored = line.into_owned();
                let mut table = shared.table();
                if table.version == task.version {
                    table.thoughts.push(scored.clone());
                    let more = table.thoughts.len().saturating_sub(MOST_THOUGHTS);
                    table.thoughts.drain(..more);
                }
            }
        };
        let thinking = engine.converse(&command, "bestmove", timeout, on_line);
        let thought = tokio::select! {
            thought = thinking => Some(thought),
            () = moved => None,
        };
        match thought {
            Some(Ok(())) => Outcome::Move {
                best: best.unwrap_or_default(),
                line: scored,
            },
            Some(Err(fault)) => Outcome::Failed(fault),
            None => {
                // One that does not stop is of no use: its next answer would be this one.
                let stopped = engine.converse(dialect.stop(), "bestmove", STOP, |_| ());
                match stopped.await {
                    Ok(()) => Outcome::Stopped,
                    Err(fault) => Outcome::Failed(fault),
                }
            }
        }
    }
}
