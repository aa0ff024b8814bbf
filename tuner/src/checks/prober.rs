//! Black-box probes of an engine's search: its answers to fixed positions under a fixed limit.
//!
//! Two settings whose traces are equal, node for node, did not differ to the search. Positions come
//! from the run's book.

use std::sync::Arc;
use std::time::Duration;

use engine_client::{Clocks, Engine, EngineScore, Fault, Launch, Limit, Timeouts};
use foundation::Failure;
use referee::game::Variant;
use referee::openings::Opening;
use runs::plan::PlayPlan;

/// A depth that takes a minute at usual values may take many at unusual ones.
const LONGEST_ANSWER: Duration = Duration::from_mins(2);

/// Endgames: rooks, minor pieces, queens, pawns alone, and one with a fortress near.
const ENDGAMES: [&str; 5] = [
    "8/5pk1/6p1/1p1R3p/1P5P/3r2P1/5PK1/8 w - - 0 1",
    "8/p4k2/1p2b1p1/2p1K2p/P1P1N2P/1P4P1/8/8 b - - 0 1",
    "6k1/5p2/1q4p1/p2Q3p/7P/1P4P1/5PK1/8 w - - 0 1",
    "8/1p3k2/p1p2p2/P1P2P2/1P2K1P1/8/8/8 w - - 0 1",
    "8/8/4kb2/7p/5K1P/6P1/4B3/8 b - - 0 1",
];

/// The answer to one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub best: String,
    pub score: Option<EngineScore>,
    pub nodes: Option<u64>,
}

/// The answers to all positions.
pub(crate) type Trace = Vec<Answer>;

/// Share of positions at which the move or the score differs.
pub(crate) fn share_changed(base: &Trace, other: &Trace) -> f64 {
    let changed = base
        .iter()
        .zip(other)
        .filter(|(a, b)| a.best != b.best || a.score != b.score)
        .count();
    changed as f64 / base.len().max(1) as f64
}

/// How to ask.
#[derive(Clone)]
pub(crate) struct Questions {
    openings: Arc<Vec<Opening>>,
    /// The lines `position …` of the openings.
    positions: Arc<Vec<String>>,
    variant: &'static dyn Variant,
    limit: Limit,
    timeouts: Timeouts,
    launch: Launch,
}

impl Questions {
    /// The first `count` positions of the plan's book, asked under `limit`.
    pub(crate) fn new(
        launch: Launch,
        play: &PlayPlan,
        limit: Limit,
        count: u64,
    ) -> Result<Self, Failure> {
        let (book, variant) = (play.open_book()?, play.variant()?);
        let openings = (0..count.min(book.len()))
            .map(|index| book.opening(index))
            .collect::<Result<Vec<_>, Failure>>()?;
        let positions = positions(&openings, variant)?;
        let timeouts = play.timeouts();
        Ok(Self {
            openings: Arc::new(openings),
            positions: Arc::new(positions),
            variant,
            limit,
            timeouts: Timeouts {
                startup: timeouts.startup,
                answer: timeouts.answer.max(LONGEST_ANSWER),
            },
            launch,
        })
    }

    /// Deeper searches, with endgames among the positions where the game is chess.
    pub(crate) fn deeper(&self, depth: u32) -> Result<Self, Failure> {
        let mut openings = self.openings.to_vec();
        if self.variant.name() == "standard" {
            openings.extend(ENDGAMES.map(|fen| Opening {
                start: Some(fen.to_owned()),
                moves: Vec::new(),
            }));
        }
        Ok(Self {
            positions: Arc::new(positions(&openings, self.variant)?),
            openings: Arc::new(openings),
            limit: Limit::depth(depth),
            ..self.clone()
        })
    }

    /// The same questions, with less time to answer each.
    #[must_use]
    pub(crate) fn within(&self, timeout: Duration) -> Self {
        let mut questions = self.clone();
        questions.timeouts.answer = timeout.min(self.timeouts.answer);
        questions
    }

    pub(crate) fn positions(&self) -> &[String] {
        &self.positions
    }

    pub(crate) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// How long each answer may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeouts.answer
    }

    /// The first move of a trace that the rules do not allow.
    pub(crate) fn first_illegal(&self, trace: &Trace) -> Option<String> {
        let answers = self.openings.iter().zip(trace);
        answers
            .filter(|(opening, answer)| {
                let game = self.variant.start(opening);
                game.is_ok_and(|mut game| game.play(&answer.best).is_err())
            })
            .map(|(_, answer)| answer.best.clone())
            .next()
    }

    /// Position and `go`, with line ends.
    fn command(&self, position: &str) -> String {
        let mut command = position.to_owned();
        engine_client::uci::write_go(&self.limit, Clocks::default(), &mut command);
        command
    }
}

/// The lines `position …` of openings.
fn positions(openings: &[Opening], variant: &dyn Variant) -> Result<Vec<String>, Failure> {
    let line = |opening| Ok(format!("position {}\n", variant.start(opening)?.position()));
    openings.iter().map(line).collect()
}

/// An engine that is asked.
pub(crate) struct Prober {
    pub engine: Engine,
    questions: Questions,
}

impl Prober {
    pub(crate) async fn start(questions: &Questions) -> Result<Self, Failure> {
        let engine = Engine::start(&questions.launch, questions.timeouts).await?;
        Ok(Self {
            engine,
            questions: questions.clone(),
        })
    }

    /// The answers with the options as they are.
    pub(crate) async fn trace(&mut self) -> Result<Trace, Failure> {
        let name = self.questions.launch.name.clone();
        self.try_trace().await.map_err(|(fault, command)| {
            Failure::engine(format!("`{name}` failed at a fixed search: {fault}")).hint(format!(
                "give it by hand: {}",
                command.trim_end().replace('\n', "; ")
            ))
        })
    }

    /// The answers with the options as they are, or what went wrong at which command.
    pub(crate) async fn try_trace(&mut self) -> Result<Trace, (Fault, String)> {
        let mut trace = Trace::new();
        for index in 0..self.questions.positions.len() {
            trace.push(self.answer(index).await?);
        }
        Ok(trace)
    }

    /// Hands every line of the answers, with the options as they are, to `handle`.
    pub(crate) async fn for_each_line(
        &mut self,
        mut handle: impl FnMut(&str) + Send,
    ) -> Result<(), Failure> {
        let timeout = self.questions.timeouts.answer;
        for position in self.questions.positions.iter() {
            let command = self.questions.command(position);
            let answered = match self.engine.new_game().await {
                Ok(()) => {
                    let lines = self
                        .engine
                        .converse(&command, "bestmove", timeout, &mut handle);
                    lines.await.map(drop)
                }
                Err(fault) => Err(fault),
            };
            answered.map_err(|fault| {
                let name = &self.questions.launch.name;
                Failure::engine(format!("`{name}` failed at a fixed search: {fault}"))
            })?;
        }
        Ok(())
    }

    /// Whether the answers are these; the first that is not ends it.
    pub(crate) async fn agrees(&mut self, expected: &Trace) -> Result<bool, (Fault, String)> {
        for (index, expected) in expected.iter().enumerate() {
            if self.answer(index).await? != *expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answer to one position, in a new game.
    async fn answer(&mut self, index: usize) -> Result<Answer, (Fault, String)> {
        let command = self.questions.command(&self.questions.positions[index]);
        let timeout = self.questions.timeouts.answer;
        let answer = match self.engine.new_game().await {
            Ok(()) => self.engine.search(&command, timeout).await,
            Err(fault) => Err(fault),
        };
        match answer {
            Ok(answer) => Ok(Answer {
                best: answer.best,
                score: answer.info.score,
                nodes: answer.info.nodes,
            }),
            Err(fault) => Err((fault, command)),
        }
    }

    /// The answers with one option at `value`, which is put back to `usual` afterwards.
    pub(crate) async fn trace_with(
        &mut self,
        name: &str,
        value: &str,
        usual: &str,
    ) -> Result<Trace, Failure> {
        let set = |value: &str| vec![(name.to_owned(), value.to_owned())];
        let of_value = |failure: Failure| failure.context(format_args!("{name} = {value}"));
        let is_set = self.engine.set_options(&set(value)).await;
        is_set.map_err(of_value)?;
        let trace = self.trace().await.map_err(of_value)?;
        self.engine.set_options(&set(usual)).await?;
        Ok(trace)
    }

    pub(crate) async fn quit(self) {
        self.engine.quit().await;
    }

    /// Sends `quit` and returns whether the engine exits in time; it is killed otherwise.
    pub(crate) async fn exits_on_quit(self, timeout: Duration) -> bool {
        self.engine.exits_on_quit(timeout).await
    }
}
