//! Searches of all positions by one engine, each with nothing remembered from the one before.

use std::{
    fmt::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use engine_client::{Clocks, Engine, Fault, Launch, Limit, Timeouts, UCI, uci};
use foundation::Failure;

use super::trace::SearchTrace;
use crate::environment::Environment;

/// What is the same for all engines.
pub(crate) struct Task<'a> {
    pub(crate) fens: &'a [String],
    pub(crate) depth: u32,
    /// Set in each engine.
    pub(crate) options: &'a [(String, String)],
    /// Of one search.
    pub(crate) limit: Duration,
    /// From the start of the process to `uciok`.
    pub(crate) startup: Duration,
}

/// Starts `binary`, which messages call `name`, and searches all positions.
pub(crate) fn traces(
    task: &Task<'_>,
    binary: &Path,
    environment: &Environment,
    name: &str,
) -> Result<Vec<SearchTrace>, Failure> {
    engine_client::block_on(all(task, binary, environment, name))
}

async fn all(
    task: &Task<'_>,
    binary: &Path,
    environment: &Environment,
    name: &str,
) -> Result<Vec<SearchTrace>, Failure> {
    let launch = Launch {
        variables: Some(environment.variables()),
        options: task.options.to_vec(),
        ..Launch::new(name, binary, &UCI)
    };
    let timeouts = Timeouts {
        startup: task.startup,
        answer: task.limit,
    };
    let mut engine = Engine::start(&launch, timeouts).await?;
    let mut traces = Vec::with_capacity(task.fens.len());
    for fen in task.fens {
        let mut found = trace(&mut engine, name, task.limit, fen, task.depth).await?;
        // Many engines print few lines in a short search; such a depth is searched by itself.
        for depth in 1..task.depth {
            if found.nodes_to(depth).is_none() {
                let shorter = trace(&mut engine, name, task.limit, fen, depth).await?;
                found.add(depth, shorter.nodes.unwrap_or(0));
            }
        }
        // A search may end before its depth: it has found a mate, say.
        if found.nodes_to(task.depth).is_none() {
            found.add(task.depth, found.nodes.unwrap_or(0));
        }
        traces.push(found);
    }
    engine.quit().await;
    Ok(traces)
}

/// One search, in a new game.
async fn trace(
    engine: &mut Engine,
    name: &str,
    limit: Duration,
    fen: &str,
    depth: u32,
) -> Result<SearchTrace, Failure> {
    let searched = search(engine, limit, fen, depth).await;
    let trace = searched.map_err(|fault| {
        Failure::engine(format!("`{name}` failed at position `{fen}`: {fault}")).hint(format!(
            "give it by hand: position fen {fen}; go depth {depth}"
        ))
    })?;
    if trace.nodes.is_none() {
        return Err(
            Failure::engine(format!("`{name}` reported no node count for `{fen}`"))
                .hint("`go depth` must be answered by `info … nodes N …`"),
        );
    }
    Ok(trace)
}

async fn search(
    engine: &mut Engine,
    limit: Duration,
    fen: &str,
    depth: u32,
) -> Result<SearchTrace, Fault> {
    engine.new_game().await?;
    let mut command = String::new();
    // Writing to a `String` cannot fail.
    let _ = writeln!(command, "position fen {fen}");
    uci::write_go(&Limit::depth(depth), Clocks::default(), &mut command);
    let mut trace = SearchTrace::default();
    let start = Instant::now();
    engine
        .converse(&command, "bestmove", limit, |line| trace.add_line(line))
        .await?;
    trace.seconds = start.elapsed().as_secs_f64();
    Ok(trace)
}
