//! What an engine's search does, seen from outside: its answers to fixed positions under a fixed limit.
//!
//! Two settings whose traces are equal, node for node, did not differ to the search. Positions come from the run's book.

use std::sync::Arc;
use std::time::Duration;

use bench_guard::Failure;
use sprt::engine::{Engine, Launch, Patience, Warden};
use sprt::limit::{Clocks, Limit};
use sprt::plan::PlayPlan;
use sprt::score::Score;

/// The answer to one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub best: String,
    pub score: Option<Score>,
    pub nodes: Option<u64>,
}

/// The answers to all positions.
pub type Trace = Vec<Answer>;

/// Share of positions at which the move or the score differs.
pub fn share_changed(base: &Trace, other: &Trace) -> f64 {
    let changed = base
        .iter()
        .zip(other)
        .filter(|(a, b)| a.best != b.best || a.score != b.score)
        .count();
    changed as f64 / base.len().max(1) as f64
}

/// How to ask.
#[derive(Debug, Clone)]
pub struct Questions {
    /// What follows `position `, and the `go` line.
    commands: Arc<Vec<String>>,
    patience: Patience,
    launch: Launch,
}

impl Questions {
    /// The first `count` positions of the plan's book, asked under `limit`.
    pub fn new(launch: Launch, play: &PlayPlan, limit: Limit, count: u64) -> Result<Self, Failure> {
        let (book, variant) = (play.open_book()?, play.variant()?);
        let commands = (0..count.min(book.len()))
            .map(|index| {
                let game = variant.start(&book.opening(index)?)?;
                let mut command = format!("position {}\n", game.position());
                limit.write_go(Clocks::default(), &mut command);
                Ok(command)
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        let patience = play.patience();
        Ok(Self {
            commands: Arc::new(commands),
            patience: Patience {
                startup: patience.startup,
                // A depth that takes a minute at usual values may take many at unusual ones.
                answer: patience.answer.max(Duration::from_mins(2)),
            },
            launch,
        })
    }

    pub fn positions(&self) -> usize {
        self.commands.len()
    }
}

/// An engine that is asked.
#[derive(Debug)]
pub struct Prober {
    pub engine: Engine,
    questions: Questions,
    _warden: Warden,
}

impl Prober {
    pub async fn start(questions: &Questions) -> Result<Self, Failure> {
        let warden = Warden::start()?;
        let engine = Engine::start(&questions.launch, questions.patience, &warden).await?;
        Ok(Self {
            engine,
            questions: questions.clone(),
            _warden: warden,
        })
    }

    /// The answers with the options as they are.
    pub async fn trace(&mut self) -> Result<Trace, Failure> {
        let mut trace = Trace::new();
        for command in self.questions.commands.iter() {
            let fault = |fault: sprt::engine::Fault| {
                let name = &self.questions.launch.name;
                Failure::engine(format!("`{name}` failed at a fixed search: {fault}")).hint(
                    format!(
                        "give it by hand: {}",
                        command.trim_end().replace('\n', "; ")
                    ),
                )
            };
            self.engine.new_game().await.map_err(fault)?;
            let answer = self
                .engine
                .search(command, self.questions.patience.answer)
                .await
                .map_err(fault)?;
            trace.push(Answer {
                best: answer.best,
                score: answer.info.score,
                nodes: answer.info.nodes,
            });
        }
        Ok(trace)
    }

    /// The answers with one option at `value`, which is put back to `usual` afterwards.
    pub async fn trace_with(
        &mut self,
        name: &str,
        value: &str,
        usual: &str,
    ) -> Result<Trace, Failure> {
        let set = |value: &str| vec![(name.to_owned(), value.to_owned())];
        self.engine.set_options(&set(value)).await?;
        let trace = self
            .trace()
            .await
            .map_err(|failure| failure.context(format_args!("{name} = {value}")))?;
        self.engine.set_options(&set(usual)).await?;
        Ok(trace)
    }

    pub async fn quit(self) {
        self.engine.quit().await;
    }
}
