//! The dialogue with an engine: handshake, options, new games, searches.
//!
//! Lean by intent: one write a ply (position and go together), no ping between plies, and of the lines of a search only
//! the last scored one is kept, unread until the move is there. Every wait has a deadline. What is said how is the
//! [`Dialect`]'s business.

use std::path::PathBuf;
use std::time::Duration;

use foundation::Failure;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::dialect::{Dialect, Heard, Introduction, Search, Worth};
use super::process::{Broken, Process, within};
use super::{Fault, Info, ProcessGuard, UciOption};
use crate::game::Color;

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What messages call it.
    pub name: String,
    pub command: PathBuf,
    pub arguments: Vec<String>,
    /// Set in this order, once, after the handshake.
    pub options: Vec<(String, String)>,
    /// Set before these where the engine has them.
    pub offered_options: Vec<(String, String)>,
    /// What it speaks.
    pub dialect: &'static dyn Dialect,
}

/// How long an engine may be silent where no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub startup: Duration,
    /// Any other answer: `readyok`, and moves at fixed nodes or depth.
    pub answer: Duration,
}

/// A move, and what the engine said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The word after `bestmove`, whatever it is; empty if there was none.
    pub best: String,
    /// From the end of writing the command to the arrival of the move.
    pub elapsed: Duration,
    pub info: Info,
}

/// An engine that has answered `uciok`.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    dialect: &'static dyn Dialect,
    launch_name: String,
    timeouts: Timeouts,
    /// From `id name`.
    pub name: String,
    /// From `id author`.
    pub author: String,
    pub options: Vec<UciOption>,
    /// The last scored info line of the running search, and what it is worth.
    scored: Vec<u8>,
    scored_worth: Worth,
    /// What makes it search, kept for its room.
    command: String,
}

/// Set where the engine has them and the user said nothing else; their absence is no error.
const OPTIONAL: [&str; 2] = ["Threads", "Hash"];
/// After a quit, before the group is killed.
const FAREWELL: Duration = Duration::from_millis(300);

impl Engine {
    /// Starts an engine, shakes hands and sets its options.
    ///
    /// # Errors
    /// The file cannot be started, is no UCI engine, or has no such option or value.
    pub async fn start(
        launch: &Launch,
        timeouts: Timeouts,
        guard: &ProcessGuard,
    ) -> Result<Self, Failure> {
        let process = Process::start(&launch.command, &launch.arguments, guard)?;
        let mut engine = Self {
            process,
            dialect: launch.dialect,
            launch_name: launch.name.clone(),
            timeouts,
            name: String::new(),
            author: String::new(),
            options: Vec::new(),
            scored: Vec::new(),
            scored_worth: Worth::Nothing,
            command: String::new(),
        };
        engine.shake_hands().await?;
        let mut options = launch.offered_options.clone();
        options.retain(|(name, _)| engine.option(name).is_some());
        options.extend_from_slice(&launch.options);
        engine.set_options(&options).await?;
        Ok(engine)
    }

    async fn shake_hands(&mut self) -> Result<(), Failure> {
        let timeout = self.timeouts.startup;
        let answer = within(Instant::now() + timeout, self.introduction()).await;
        let what = match answer {
            Ok(()) => return Ok(()),
            Err(Broken::Closed) => self.process.exit_report(Instant::now() + FAREWELL).await,
            Err(Broken::Late) => format!("no `{}` within {timeout:?}", self.dialect.welcome()),
        };
        Err(Failure::engine(format!(
            "`{}` did not answer `{}` as a {} engine must: {what}",
            self.launch_name,
            self.dialect.hello().trim_end(),
            self.dialect.name(),
        ))
        .hint(format!(
            "start it by hand, type `{}`, and see what it prints; slow starters need --startup-timeout",
            self.dialect.hello().trim_end()
        )))
    }

    async fn introduction(&mut self) -> Result<(), Broken> {
        self.process.send(self.dialect.hello()).await?;
        loop {
            let line = self.process.line().await?;
            let text = String::from_utf8_lossy(self.process.text(line));
            match self.dialect.introduction(&text) {
                Introduction::Done => return Ok(()),
                Introduction::Name(name) => self.name = name,
                Introduction::Author(author) => self.author = author,
                Introduction::Option(option) => self.options.push(option),
                Introduction::Other => {}
            }
        }
    }

    /// Sets options; each is checked against what the engine advertises.
    pub async fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        let mut lines = String::new();
        for (name, value) in options {
            let Some(option) = self.option(name) else {
                if OPTIONAL.contains(&name.as_str()) {
                    continue;
                }
                return Err(self.unknown_option(name));
            };
            option
                .accepts(value)
                .map_err(|failure| failure.context(&self.launch_name))?;
            self.dialect.set_option(option, value, &mut lines);
        }
        self.ping(&lines).await.map_err(|fault| {
            Failure::engine(format!(
                "`{}` failed after its options were set: {fault}",
                self.launch_name
            ))
            .hint("start it by hand and set the same options")
        })
    }

    fn option(&self, name: &str) -> Option<&UciOption> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn unknown_option(&self, name: &str) -> Failure {
        let failure = Failure::unable(format!(
            "engine `{}` has no option `{name}`",
            self.launch_name
        ));
        let near = self
            .options
            .iter()
            .map(|option| (strsim::jaro_winkler(&option.name, name), &option.name));
        match near.max_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((likeness, near)) if likeness > 0.8 => {
                failure.hint(format!("did you mean `{near}`?"))
            }
            _ if self.options.is_empty() => failure.hint("it advertises no options at all"),
            _ => failure.hint("start it by hand and type `uci` to see its options"),
        }
    }

    /// Tells the engine that what it remembers is of no use, and waits until it is ready.
    pub async fn new_game(&mut self) -> Result<(), Fault> {
        self.ping(self.dialect.new_game()).await
    }

    async fn ping(&mut self, before: &str) -> Result<(), Fault> {
        let timeout = self.timeouts.answer;
        let ready = async {
            let ping = self.dialect.ping();
            self.process.send(&format!("{before}{ping}")).await?;
            loop {
                let line = self.process.line().await?;
                if self.process.text(line).trim_ascii() == self.dialect.pong().as_bytes() {
                    return Ok(());
                }
            }
        };
        match within(Instant::now() + timeout, ready).await {
            Ok(()) => Ok(()),
            Err(broken) => Err(self.fault(broken, timeout).await),
        }
    }

    /// Asks for a move and waits for it.
    ///
    /// # Errors
    /// The engine ended, or said no move within `timeout`.
    pub async fn think(&mut self, search: &Search<'_>, timeout: Duration) -> Result<Answer, Fault> {
        let mut command = std::mem::take(&mut self.command);
        command.clear();
        self.dialect.search(search, &mut command);
        let answer = self.answer(&command, search.mover, timeout).await;
        self.command = command;
        answer
    }

    /// Sends `command` (position and go, with line ends) and waits for the move.
    ///
    /// # Errors
    /// The engine ended, or said no move within `timeout`.
    pub async fn search(&mut self, command: &str, timeout: Duration) -> Result<Answer, Fault> {
        self.answer(command, Color::White, timeout).await
    }

    async fn answer(
        &mut self,
        command: &str,
        mover: Color,
        timeout: Duration,
    ) -> Result<Answer, Fault> {
        self.process.forget();
        self.scored.clear();
        self.scored_worth = Worth::Nothing;
        let answer = async {
            self.process.send(command).await?;
            let start = Instant::now();
            let best = self.best_move().await?;
            let elapsed = start.elapsed();
            let info = match self.scored_worth {
                Worth::Nothing => Info::default(),
                _ => self.dialect.info(&self.scored, mover),
            };
            Ok(Answer {
                best,
                elapsed,
                info,
            })
        };
        match within(Instant::now() + timeout, answer).await {
            Ok(answer) => Ok(answer),
            Err(broken) => Err(self.fault(broken, timeout).await),
        }
    }

    /// Whether a searching engine still hears us: it is told to stop and has until the end of `timeout` to obey.
    pub async fn obeys_stop(&mut self, timeout: Duration) -> bool {
        let answer = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + timeout, answer).await.is_ok()
    }

    /// Sends `lines` as they are and lets `hear` have all that is said until a line that begins with `last`, which
    /// it gets too. What an engine does on such words need not be what the rest of this dialogue relies on.
    ///
    /// # Errors
    /// The engine ended, or did not say `last` within `timeout`.
    pub async fn converse(
        &mut self,
        lines: &str,
        last: &str,
        timeout: Duration,
        mut hear: impl FnMut(&str) + Send,
    ) -> Result<(), Fault> {
        self.process.forget();
        let conversation = async {
            self.process.send(lines).await?;
            loop {
                let line = self.process.line().await?;
                let text = String::from_utf8_lossy(self.process.text(line));
                hear(&text);
                if text.trim_start().starts_with(last) {
                    return Ok(());
                }
            }
        };
        match within(Instant::now() + timeout, conversation).await {
            Ok(()) => Ok(()),
            Err(broken) => Err(self.fault(broken, timeout).await),
        }
    }

    /// The end of what it said on stderr so far.
    pub fn last_errors(&self) -> String {
        self.process.last_errors()
    }

    async fn best_move(&mut self) -> Result<String, Broken> {
        loop {
            let line = self.process.line().await?;
            let line = self.process.text(line);
            match self.dialect.hear(line) {
                Heard::Move(word) => return Ok(String::from_utf8_lossy(word).into_owned()),
                Heard::Thought(worth) if worth != Worth::Nothing && worth >= self.scored_worth => {
                    self.scored_worth = worth;
                    self.scored.clear();
                    self.scored.extend_from_slice(line);
                }
                Heard::Thought(_) => {}
            }
        }
    }

    async fn fault(&mut self, broken: Broken, waited: Duration) -> Fault {
        match broken {
            Broken::Late => Fault::Silent(waited),
            Broken::Closed => {
                Fault::Crashed(self.process.exit_report(Instant::now() + FAREWELL).await)
            }
        }
    }

    /// Asks the engine to end, and waits a moment for it to obey; its guard sees to the rest.
    pub async fn quit(self) {
        self.obeys_quit(FAREWELL).await;
    }

    /// Asks the engine to end, and tells whether it did within `timeout`.
    pub async fn obeys_quit(mut self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        within(deadline, self.process.send(self.dialect.quit()))
            .await
            .is_ok()
            && self.process.ended(deadline).await
    }
}
