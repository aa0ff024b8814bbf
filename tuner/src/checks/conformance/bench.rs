//! Whether the bench, the signature by which a search is known, sees the parameters, and equals
//! itself.
//!
//! Only where `bench` is a command of the engine's UCI dialogue: as an argument it comes before
//! options can be set. What it prints is read as an OpenBench worker reads it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use foundation::Failure;
use sprt::engine::Fault;
use tokio_util::sync::CancellationToken;

use super::subject::setting;
use crate::checks::complaint::{Complaint, ENGINE, gist};
use crate::checks::prober::{Prober, Questions};
use sprt::team;

/// As long as an OpenBench worker waits.
const LONGEST: Duration = Duration::from_mins(1);
/// All benches with one parameter moved may take so long together; where there are more, some are
/// left out.
const BUDGET: Duration = Duration::from_mins(2);
/// How many of the last lines are kept to be read.
const LINES_KEPT: usize = 200;
/// What an engine says last on stderr may come after what it says last on stdout.
const LAG: Duration = Duration::from_millis(100);

/// What came of `bench`.
enum Told {
    Nodes(u64),
    /// No such command, or nothing that can be read.
    Nothing,
    Late,
    Crashed(String),
}

/// Complaints about the bench; `effective` are options and values that change searches.
pub async fn inspect(
    questions: &Questions,
    effective: Vec<(String, String)>,
    jobs: usize,
    stop: &CancellationToken,
) -> Result<Vec<Complaint>, Failure> {
    let complain = |text: String| Ok(vec![Complaint::new(ENGINE, text)]);
    let started = Instant::now();
    let usual = match bench(questions, &[], LONGEST).await? {
        Told::Nodes(nodes) => nodes,
        Told::Nothing => return Ok(Vec::new()),
        Told::Late => {
            return complain(format!(
                "`bench` gives no answer within {} s",
                LONGEST.as_secs()
            ));
        }
        Told::Crashed(how) => return complain(format!("`bench` ends the engine: {}", gist(&how))),
    };
    let took = started.elapsed();
    // With other values it may take longer, and then it is not blind.
    let timeout = took * 4 + Duration::from_secs(10);
    match bench(questions, &[], timeout).await? {
        Told::Nodes(nodes) if nodes != usual => {
            return complain(format!(
                "`bench` cannot be repeated: {usual} nodes, then {nodes}"
            ));
        }
        _ if effective.is_empty() => return Ok(Vec::new()),
        _ => {}
    }
    if let Told::Nodes(nodes) = bench(questions, &effective, timeout).await?
        && nodes == usual
    {
        return complain(format!(
            "`bench` is blind to options: {usual} nodes also with all parameters at values that \
             change searches"
        ));
    }
    let fit = BUDGET.div_duration_f64(took) * jobs as f64;
    let step = (effective.len() as f64 / fit).ceil().max(1.0) as usize;
    let tried = match step {
        1 => String::new(),
        _ => format!(" (one of {step} parameters was tried)"),
    };
    let alone = effective.into_iter().step_by(step).map(|(name, value)| {
        let (questions, tried) = (questions.clone(), tried.clone());
        async move {
            let one = [(name, value)];
            let told = bench(&questions, &one, timeout).await?;
            let [(name, value)] = one;
            Ok(matches!(told, Told::Nodes(nodes) if nodes == usual).then(|| {
                let text = format!(
                    "`bench` is blind to it: {usual} nodes as usual, though searches change{tried}"
                );
                Complaint::new(&name, text).detail(&value)
            }))
        }
    });
    let blind = team::all(alone, jobs, stop, |_, _| ()).await?;
    Ok(blind.into_iter().flatten().collect())
}

/// The bench of a new process after some options are set.
async fn bench(
    questions: &Questions,
    options: &[(String, String)],
    timeout: Duration,
) -> Result<Told, Failure> {
    let mut prober = Prober::start(questions).await?;
    let mut lines: VecDeque<String> = VecDeque::new();
    let hear = |line: &str| {
        // A search that is still running is no bench.
        if line.starts_with("info ") && !line.starts_with("info string") {
            return;
        }
        lines.push_back(line.to_owned());
        if lines.len() > LINES_KEPT {
            lines.pop_front();
        }
    };
    let mut command: String = options
        .iter()
        .map(|(name, value)| setting(name, value))
        .collect();
    command.push_str("bench\nisready\n");
    match prober
        .engine
        .converse(&command, "readyok", timeout, hear)
        .await
    {
        Err(Fault::Silent(_)) => return Ok(Told::Late),
        Err(Fault::Crashed(how)) => return Ok(Told::Crashed(how)),
        Ok(()) => {}
    }
    let mut told = bench_guard::bench::read(&lines.make_contiguous().join("\n"));
    if told.is_none() {
        tokio::time::sleep(LAG).await;
        told = bench_guard::bench::read(&prober.engine.last_errors());
    }
    prober.quit().await;
    Ok(told.map_or(Told::Nothing, |bench| Told::Nodes(bench.nodes)))
}
