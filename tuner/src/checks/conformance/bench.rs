//! Whether the bench, the signature by which a search is known, sees the parameters, and equals
//! itself.
//!
//! Only where `bench` is a command of the engine's UCI dialogue: as an argument it comes before
//! options can be set. What it prints is read as an OpenBench worker reads it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use engine_client::Fault;
use foundation::Failure;
use tokio_util::sync::CancellationToken;

use super::report::{Listener, Report};
use super::subject::setting;
use crate::checks::complaint::{Complaint, ENGINE, shortened};
use crate::checks::prober::{Prober, Questions};
use referee::tasks;

/// The time that an OpenBench worker waits.
const LONGEST: Duration = Duration::from_mins(1);
/// Time for all benches with one parameter moved; those that do not fit into it are
/// left out.
const BUDGET: Duration = Duration::from_mins(2);
/// How many of the last lines are kept to be read.
const LINES_KEPT: usize = 200;
/// Time for the last lines on stderr, which may arrive after those on stdout.
const LAG: Duration = Duration::from_millis(100);

/// The result of `bench`.
enum BenchOutcome {
    Nodes(u64),
    /// No such command, or nothing that can be read.
    Nothing,
    Late,
    Crashed(String),
}

/// The bench as it is without any option set.
struct Usual {
    nodes: u64,
    took: Duration,
}

impl Usual {
    /// With other values it may take longer, and then it is not blind.
    fn timeout(&self) -> Duration {
        self.took * 4 + Duration::from_secs(10)
    }
}

/// Adds complaints about the bench as they are found; `effective` are options and values that
/// change searches.
pub(super) async fn inspect(
    questions: &Questions,
    jobs: usize,
    effective: Vec<(String, String)>,
    report: &mut Report,
    stop: &CancellationToken,
    listener: &mut dyn Listener,
) -> Result<(), Failure> {
    let usual = match repeatable(questions, &effective).await? {
        Ok(Some(usual)) => usual,
        Ok(None) => return Ok(()),
        Err(text) => {
            report.add(vec![Complaint::new(ENGINE, &text)], listener);
            return Ok(());
        }
    };
    let fit = BUDGET.div_duration_f64(usual.took) * jobs as f64;
    let step = (effective.len() as f64 / fit).ceil().max(1.0) as usize;
    let tried = match step {
        1 => String::new(),
        _ => format!(" (one of {step} parameters was tried)"),
    };
    let (timeout, usual) = (usual.timeout(), usual.nodes);
    let benches = effective.len().div_ceil(step);
    listener.benched(0, benches);
    let alone = effective.into_iter().step_by(step).map(|(name, value)| {
        let (questions, tried) = (questions.clone(), tried.clone());
        async move {
            let one = [(name, value)];
            let outcome = bench(&questions, &one, timeout).await?;
            let [(name, value)] = one;
            let is_blind = matches!(outcome, BenchOutcome::Nodes(nodes) if nodes == usual);
            let complaint = is_blind.then(|| {
                let text = format!(
                    "`bench` is blind to it: {usual} nodes as usual, though searches change{tried}"
                );
                Complaint::new(&name, text).detail(&value)
            });
            Ok(Vec::from_iter(complaint))
        }
    });
    tasks::run_all(alone, jobs, stop, |done, blind: &Vec<Complaint>| {
        report.add(blind.clone(), listener);
        listener.benched(done, benches);
    })
    .await?;
    Ok(())
}

/// The usual bench, where there is one, and where it can be repeated and sees any option at all;
/// else what is wrong with it.
async fn repeatable(
    questions: &Questions,
    effective: &[(String, String)],
) -> Result<Result<Option<Usual>, String>, Failure> {
    let started = Instant::now();
    let usual = match bench(questions, &[], LONGEST).await? {
        BenchOutcome::Nodes(nodes) => Usual {
            nodes,
            took: started.elapsed(),
        },
        BenchOutcome::Nothing => return Ok(Ok(None)),
        BenchOutcome::Late => {
            let longest = LONGEST.as_secs();
            return Ok(Err(format!("`bench` gives no answer within {longest} s")));
        }
        BenchOutcome::Crashed(how) => {
            return Ok(Err(format!("`bench` ends the engine: {}", shortened(&how))));
        }
    };
    let nodes = usual.nodes;
    match bench(questions, &[], usual.timeout()).await? {
        BenchOutcome::Nodes(again) if again != nodes => Ok(Err(format!(
            "`bench` cannot be repeated: {nodes} nodes, then {again}"
        ))),
        _ if effective.is_empty() => Ok(Ok(None)),
        _ => match bench(questions, effective, usual.timeout()).await? {
            BenchOutcome::Nodes(all) if all == nodes => Ok(Err(format!(
                "`bench` is blind to options: {nodes} nodes also with all parameters at values \
                 that change searches"
            ))),
            _ => Ok(Ok(Some(usual))),
        },
    }
}

/// The bench of a new process after some options are set.
async fn bench(
    questions: &Questions,
    options: &[(String, String)],
    timeout: Duration,
) -> Result<BenchOutcome, Failure> {
    let mut prober = Prober::start(questions).await?;
    let mut lines: VecDeque<String> = VecDeque::new();
    let on_line = |line: &str| {
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
        .converse(&command, "readyok", timeout, on_line)
        .await
    {
        Err(Fault::Silent(_)) => return Ok(BenchOutcome::Late),
        Err(Fault::Crashed(how)) => return Ok(BenchOutcome::Crashed(how)),
        Ok(()) => {}
    }
    let mut found = bench_guard::bench::read(&lines.make_contiguous().join("\n"));
    if found.is_none() {
        tokio::time::sleep(LAG).await;
        found = bench_guard::bench::read(&prober.engine.last_errors());
    }
    prober.quit().await;
    Ok(found.map_or(BenchOutcome::Nothing, |bench| {
        BenchOutcome::Nodes(bench.nodes)
    }))
}
