//! Whether an engine searches the same again: in a new game of the same process, after a bench, in
//! another process, in other surroundings, and with other hash sizes if these are declared not to
//! matter.

mod elsewhere;

use std::path::Path;

use engine_client::{
    Clocks, Engine, EngineScore, Fault, Info, Launch, Limit, Timeouts, UCI,
    node_limit::{self, Breach},
    uci,
};
use foundation::Failure;

use crate::bench::{self, BenchSettings};

/// Nodes of each search: deep enough to use the hash table, histories and pruning.
const NODES: u64 = 20_000;

/// Plies of each search, if an engine does not keep a limit of nodes.
const DEPTH: u32 = 7;

/// Megabytes, and the share, by which memory may grow from one bench to the next.
const GROWTH: (u64, f64) = (4, 1.1);

/// The searches, one after another in one game, so that each one finds the hash table and histories
/// of those before it.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2q1rk1/pp2bppp/2n1pn2/2pp1b2/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
    "r2q1rk1/pp2bppp/2n1pn2/2pp1b2/3P1B2/2PBPN2/PP1NQPPP/R4RK1 b - - 1 9",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P3KP1/8/8 w - - 0 40",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// What is tried.
pub(crate) struct Trial<'a> {
    pub(crate) binary: &'a Path,
    pub(crate) bench: &'a BenchSettings,
    /// What its bench is.
    pub(crate) nodes: u64,
    /// Hash sizes in MB with which it searches the same.
    pub(crate) hash_sizes: &'a [u32],
}

/// The result of a search of one position.
type Found = (String, Option<EngineScore>, Option<u64>);

impl Trial<'_> {
    /// What differs the second time, in words; empty if all is the same.
    ///
    /// # Errors
    /// The engine does not start or failed.
    pub(crate) fn differences(&self) -> Result<Vec<String>, Failure> {
        engine_client::block_on(self.all())
    }

    async fn all(&self) -> Result<Vec<String>, Failure> {
        let mut differences = elsewhere::differences(self.binary, self.bench, self.nodes)?;
        let limit = self.kept_limit().await?;
        let mut engine = self.start(None).await?;
        let first = self.searches(&mut engine, &limit).await?;
        let mut compare = |again: &[Found], when: &str| {
            let differs = |index: &usize| first[*index] != again[*index];
            if let Some(index) = (0..first.len()).find(differs) {
                differences.push(format!(
                    "search {} of {} {when}: {} instead of {}",
                    index + 1,
                    first.len(),
                    in_words(&again[index]),
                    in_words(&first[index])
                ));
            }
        };
        let again = self.searches(&mut engine, &limit).await?;
        compare(&again, "differs after `ucinewgame` in the same process");
        let benches = [
            self.bench(&mut engine).await?,
            self.bench(&mut engine).await?,
        ];
        let again = self.searches(&mut engine, &limit).await?;
        compare(&again, "differs after a bench in the same process");
        engine.quit().await;
        let mut other = self.start(None).await?;
        let again = self.searches(&mut other, &limit).await?;
        compare(&again, "differs in another process");
        other.quit().await;
        for size in self.hash_sizes {
            let mut other = self.start(Some(*size)).await?;
            let again = self.searches(&mut other, &limit).await?;
            compare(&again, &format!("differs with Hash {size}"));
            other.quit().await;
        }
        let [(one, before), (two, after)] = benches;
        if one != two {
            let number = |bench: Option<u64>| {
                bench.map_or_else(|| "none".to_owned(), |bench| bench.to_string())
            };
            differences.push(format!(
                "two benches in one process are {} and {}",
                number(one),
                number(two)
            ));
        }
        if let (Some(_), Some(before), Some(after)) = (one, before, after)
            && after > before + (GROWTH.0 << 20)
            && after as f64 > before as f64 * GROWTH.1
        {
            differences.push(format!(
                "a second bench left {} MiB in memory, the first one {}",
                after >> 20,
                before >> 20
            ));
        }
        Ok(differences)
    }

    async fn start(&self, hash: Option<u32>) -> Result<Engine, Failure> {
        let hash = hash.map(|size| ("Hash".to_owned(), size.to_string()));
        let launch = Launch {
            variables: Some(self.bench.environment.variables()),
            options: hash.into_iter().collect(),
            ..Launch::new("the engine", self.binary, &UCI)
        };
        let timeouts = Timeouts {
            startup: self.bench.time_limit,
            answer: self.bench.time_limit,
        };
        Engine::start(&launch, timeouts).await
    }

    /// A limit that the engine keeps: nodes, or else a depth.
    async fn kept_limit(&self) -> Result<Limit, Failure> {
        for limit in [Limit::nodes(NODES), Limit::depth(DEPTH)] {
            let mut engine = self.start(None).await?;
            engine.new_game().await.map_err(|fault| failed(&fault))?;
            let timeout = node_limit::timeout(NODES);
            match engine.search(&command(POSITIONS[1], &limit), timeout).await {
                Ok(answer) if keeps(&limit, &answer.info) => {
                    engine.quit().await;
                    return Ok(limit);
                }
                // It keeps searching, or ends with the engine's next start.
                Ok(_) | Err(Fault::Silent(_)) => {}
                Err(fault) => return Err(failed(&fault)),
            }
        }
        Err(Failure::unable(format!(
            "the engine keeps neither `go nodes {NODES}` nor `go depth {DEPTH}`: whether it searches the same again cannot be told"
        ))
        .hint("leave out --repro, or teach the engine one of these limits"))
    }

    async fn searches(&self, engine: &mut Engine, limit: &Limit) -> Result<Vec<Found>, Failure> {
        engine.new_game().await.map_err(|fault| failed(&fault))?;
        let mut found = Vec::new();
        for fen in POSITIONS {
            let answer = engine
                .search(&command(fen, limit), self.bench.time_limit)
                .await;
            let answer = answer.map_err(|fault| failed(&fault))?;
            found.push((answer.best, answer.info.score, answer.info.nodes));
        }
        Ok(found)
    }

    /// A bench in the running process, and the memory that it leaves; no bench where the engine does
    /// not know the word.
    async fn bench(&self, engine: &mut Engine) -> Result<(Option<u64>, Option<u64>), Failure> {
        let line = format!("ucinewgame\n{}\nisready\n", self.bench.arguments.join(" "));
        let mut said = String::new();
        let ended = engine.converse(&line, "readyok", self.bench.time_limit, |line| {
            said.push_str(line);
            said.push('\n');
        });
        ended.await.map_err(|fault| failed(&fault))?;
        let nodes = bench::read(&said).map(|bench| bench.nodes);
        Ok((nodes, engine.memory()))
    }
}

fn command(fen: &str, limit: &Limit) -> String {
    let mut command = format!("position fen {fen}\n");
    uci::write_go(limit, Clocks::default(), &mut command);
    command
}

/// Whether a search reported nothing beyond its limit.
fn keeps(limit: &Limit, info: &Info) -> bool {
    let too_many = |nodes| matches!(node_limit::judge(NODES, &[nodes]), Some(Breach::TooMany(_)));
    match limit.depth {
        Some(most) => info.depth.is_none_or(|depth| depth <= most),
        None => !info.nodes.is_some_and(too_many),
    }
}

fn failed(fault: &Fault) -> Failure {
    Failure::engine(format!("the engine failed when it searched again: {fault}"))
}

fn in_words((best, score, nodes): &Found) -> String {
    let score = match score {
        Some(EngineScore::Cp(centipawns)) => format!(", {centipawns} cp"),
        Some(EngineScore::Mate(moves)) => format!(", mate in {moves}"),
        None => String::new(),
    };
    let nodes = nodes.map_or_else(String::new, |nodes| format!(", {nodes} nodes"));
    format!("`{best}`{score}{nodes}")
}
