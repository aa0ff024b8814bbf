//! The dialogue with an engine: handshake, options, new games, searches.
//!
//! Lean by intent: one write a ply (position and go together), no ping between plies, and of the info lines only the
//! last scored one is kept, unread until the move is there. Every wait has a deadline.

use std::path::PathBuf;
use std::time::Duration;

use foundation::Failure;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::info::Worth;
use super::process::{Broken, Process, within};
use super::{Fault, Info, ProcessGuard, UciOption};

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// What messages call it.
    pub name: String,
    pub command: PathBuf,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Set in this order, once, after the handshake.
    pub options: Vec<(String, String)>,
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
            launch_name: launch.name.clone(),
            timeouts,
            name: String::new(),
            author: String::new(),
            options: Vec::new(),
            scored: Vec::new(),
            scored_worth: Worth::Nothing,
        };
        engine.shake_hands().await?;
        engine.set_options(&launch.options).await?;
        Ok(engine)
    }

    async fn shake_hands(&mut self) -> Result<(), Failure> {
        let timeout = self.timeouts.startup;
        let answer = within(Instant::now() + timeout, self.introduction()).await;
        let what = match answer {
            Ok(()) => return Ok(()),
            Err(Broken::Closed) => self.process.exit_report(Instant::now() + FAREWELL).await,
            Err(Broken::Late) => format!("no `uciok` within {timeout:?}"),
        };
        Err(Failure::engine(format!(
            "`{}` did not answer `uci` as an engine must: {what}",
            self.launch_name
        ))
        .hint("start it by hand, type `uci`, and see what it prints; slow starters need --startup-timeout"))
    }

    async fn introduction(&mut self) -> Result<(), Broken> {
        self.process.send("uci\n").await?;
        loop {
            let line = self.process.line().await?;
            let text = String::from_utf8_lossy(self.process.text(line)).into_owned();
            let text = text.trim();
            if text == "uciok" {
                return Ok(());
            } else if let Some(name) = text.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.name);
            } else if let Some(author) = text.strip_prefix("id author ") {
                author.trim().clone_into(&mut self.author);
            } else if let Some(option) = text.strip_prefix("option ") {
                self.options.extend(UciOption::parse(option));
            }
        }
    }

    /// Sets options; each is checked against what the engine advertises.
    pub async fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        let mut lines = String::new();
        for (name, value) in options {
            let Some(option) = self
                .options
                .iter()
                .find(|option| option.name.eq_ignore_ascii_case(name))
            else {
                if OPTIONAL.contains(&name.as_str()) {
                    continue;
                }
                return Err(self.unknown_option(name));
            };
            option
                .accepts(value)
                .map_err(|failure| failure.context(&self.launch_name))?;
            lines.push_str("setoption name ");
            lines.push_str(&option.name);
            if option.kind != super::OptionKind::Button {
                lines.push_str(" value ");
                lines.push_str(value);
            }
            lines.push('\n');
        }
        self.ping(&lines).await.map_err(|fault| {
            Failure::engine(format!(
                "`{}` failed after its options were set: {fault}",
                self.launch_name
            ))
            .hint("start it by hand and set the same options")
        })
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
        self.ping("ucinewgame\n").await
    }

    async fn ping(&mut self, before: &str) -> Result<(), Fault> {
        let timeout = self.timeouts.answer;
        let ready = async {
            self.process.send(&format!("{before}isready\n")).await?;
            loop {
                let line = self.process.line().await?;
                if self.process.text(line).trim_ascii() == b"readyok" {
                    return Ok(());
                }
            }
        };
        match within(Instant::now() + timeout, ready).await {
            Ok(()) => Ok(()),
            Err(broken) => Err(self.fault(broken, timeout).await),
        }
    }

    /// Sends `command` (position and go, with line ends) and waits for the move.
    ///
    /// # Errors
    /// The engine ended, or said no move within `timeout`.
    pub async fn search(&mut self, command: &str, timeout: Duration) -> Result<Answer, Fault> {
        self.process.forget();
        self.scored.clear();
        self.scored_worth = Worth::Nothing;
        let answer = async {
            self.process.send(command).await?;
            let start = Instant::now();
            let best = self.best_move().await?;
            Ok(Answer {
                best,
                elapsed: start.elapsed(),
                info: Info::parse(&self.scored),
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
            self.process.send("stop\n").await?;
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
            if let Some(rest) = line.strip_prefix(b"bestmove") {
                let rest = String::from_utf8_lossy(rest);
                return Ok(rest
                    .split_ascii_whitespace()
                    .next()
                    .unwrap_or("")
                    .to_owned());
            }
            let worth = Worth::of(line);
            if worth != Worth::Nothing && worth >= self.scored_worth {
                self.scored_worth = worth;
                self.scored.clear();
                self.scored.extend_from_slice(line);
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
        within(deadline, self.process.send("quit\n")).await.is_ok()
            && self.process.ended(deadline).await
    }
}
