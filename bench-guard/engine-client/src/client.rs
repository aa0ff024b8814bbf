//! The dialogue with an engine: handshake, options, new games, searches.
//!
//! Lean by design: one write per ply (position and go together), no ping between plies, and of the
//! lines of a search only the last scored one is kept, unparsed until the move is there. Every wait
//! has a deadline. The wording is up to the [`Dialect`].

use std::time::Duration;

use foundation::Failure;
use tokio::time::Instant;

use super::dialect::{Dialect, Introduction, ScoreQuality, Search};
use super::kept_lines::KeptLines;
use super::log::DialogueLog;
use super::process::{Broken, Process, within};
use crate::{Fault, Info, Launch, Silence, Timeouts, UciOption};

mod alone;
mod handshake;
mod ponder;
mod search;

/// A move, and what the engine said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The word after `bestmove`, whatever it is; empty if there was none.
    pub best: String,
    /// From the end of writing the command to the arrival of the move.
    pub elapsed: Duration,
    pub info: Info,
    /// Whether the engine was already pondering on this position when it was asked.
    pub is_ponder_hit: bool,
    /// The lines that match the patterns of the launch.
    pub lines: Vec<String>,
}

/// A search on the opponent's time.
#[derive(Debug)]
struct Pondering {
    /// The opponent's move in the position that is searched.
    reply: String,
    /// The engine's move, if it gave one before the ponder hit.
    early: Option<String>,
    /// Why the engine can no longer be talked to.
    broken: Option<Broken>,
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
    /// The last scored info line of the running search, and how much it counts.
    scored: Vec<u8>,
    scored_quality: ScoreQuality,
    /// The last line, if a scored line that belongs to it may follow.
    head: Vec<u8>,
    /// The command that makes it search; the buffer is reused.
    command: String,
    /// Whether the engine has said anything since it was last asked for a move.
    has_output: bool,
    /// Whether the engine ever gave a move that it was not asked for.
    sends_unsolicited_moves: bool,
    /// When it was last asked for a move, and the word it gave.
    asked: Instant,
    last_move: String,
    may_have_repeated: bool,
    is_sound: bool,
    kept: KeptLines,
    /// Whether the engine is to ponder, the reply that it named with its last move, and what it is
    /// pondering on now.
    ponders: bool,
    expected_reply: String,
    pondering: Option<Pondering>,
}

/// How long an engine is waited for before the first reminder.
const REMINDER: Duration = Duration::from_millis(200);
/// How long an engine has to end after `quit`, before it is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);
/// How long the guard of an engine whose output has ended may take to say how it ended.
const REPORT_TIMEOUT: Duration = Duration::from_secs(3);
/// An engine whose time is up is sent `stop`; a late move is accepted for this long.
pub const LATE_MOVE_GRACE: Duration = Duration::from_millis(100);
/// The word before a move, for messages.
const BEST_MOVE: &str = "bestmove";
/// The most letters that are kept of an engine's name or of a move.
const LONGEST_NAME: usize = 100;

impl Engine {
    /// Starts an engine, shakes hands and sets its options.
    ///
    /// # Errors
    /// The file cannot be started, is no UCI engine, or has no such option or value.
    pub async fn start(launch: &Launch, timeouts: Timeouts) -> Result<Self, Failure> {
        let mut process = Process::start(launch)?;
        let log = launch.log.as_ref();
        process.log = log.map(|target| DialogueLog::new(target, &launch.name));
        let mut engine = Self {
            process,
            dialect: launch.dialect,
            launch_name: launch.name.clone(),
            timeouts,
            name: String::new(),
            author: String::new(),
            options: Vec::new(),
            scored: Vec::new(),
            scored_quality: ScoreQuality::Missing,
            head: Vec::new(),
            command: String::new(),
            has_output: false,
            sends_unsolicited_moves: false,
            asked: Instant::now(),
            last_move: String::new(),
            may_have_repeated: false,
            is_sound: true,
            kept: KeptLines::new(&launch.keep_lines)?,
            ponders: launch.ponder,
            expected_reply: String::new(),
            pondering: None,
        };
        engine.shake_hands().await?;
        let mut options = launch.offered_options.clone();
        options.retain(|(name, _)| engine.option(name).is_some());
        options.extend_from_slice(&launch.options);
        options.extend(engine.ponder_option()?);
        engine.set_options(&options).await?;
        engine.send_lines(&launch.init).await?;
        Ok(engine)
    }

    /// The log has a part for each game; this is its number, from 1.
    pub fn begin_log_of_game(&mut self, number: u64) {
        if let Some(log) = &mut self.process.log {
            log.begin_game(number);
        }
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    pub async fn new_game(&mut self) -> Result<(), Fault> {
        self.last_move.clear();
        self.ping(self.dialect.new_game()).await
    }

    async fn ping(&mut self, before: &str) -> Result<(), Fault> {
        let timeout = self.timeouts.answer;
        let ready = async {
            let ping = self.dialect.ping();
            self.process.expect_answer();
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
            Err(broken) => Err(self.fault(broken, timeout, self.dialect.pong()).await),
        }
    }

    /// Writes a remark to the log, about what the engine said.
    pub fn remark(&mut self, text: &str) {
        if let Some(log) = &mut self.process.log {
            log.remark(text);
        }
    }

    /// Whether it can still be asked; `false` after a fault.
    pub fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// Sends `lines` as they are, and calls `hear` with each line of the answer, up to and
    /// including one that begins with `last`. This may leave the engine in a state that the other
    /// methods do not expect.
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
        self.converse_until(lines, None, last, timeout, |text| {
            hear(text);
            text.trim_start().starts_with(last)
        })
        .await
    }

    /// Like [`Engine::converse`], but ends at a line for which `is_last` returns true; a fault
    /// calls that line `expected`. Some engines leave their answer in a buffer until they print
    /// something else: if there is a `reminder`, it is sent from time to time, less and less often.
    ///
    /// # Errors
    /// The engine ended, or printed no such line within `timeout`.
    pub async fn converse_until(
        &mut self,
        lines: &str,
        reminder: Option<&str>,
        expected: &str,
        timeout: Duration,
        mut is_last: impl FnMut(&str) -> bool + Send,
    ) -> Result<(), Fault> {
        self.process.discard(|_| ());
        self.process.expect_answer();
        let conversation = async {
            self.process.send(lines).await?;
            let mut pause = REMINDER;
            loop {
                let line = match reminder {
                    None => self.process.line().await?,
                    Some(reminder) => {
                        let line = within(Instant::now() + pause, self.process.line()).await;
                        if matches!(line, Err(Broken::Late)) {
                            pause *= 2;
                            self.process.send(reminder).await?;
                            continue;
                        }
                        line?
                    }
                };
                let text = String::from_utf8_lossy(self.process.text(line));
                if is_last(&text) {
                    return Ok(());
                }
            }
        };
        match within(Instant::now() + timeout, conversation).await {
            Ok(()) => Ok(()),
            Err(broken) => Err(self.fault(broken, timeout, expected).await),
        }
    }

    /// Bytes that it has in memory now; `None` where the system does not say.
    pub fn memory(&self) -> Option<u64> {
        self.process.memory()
    }

    /// The end of what it said on stderr so far.
    pub fn last_errors(&self) -> String {
        self.process.last_errors()
    }

    /// The fault of an engine that did not say `expected`.
    async fn fault(&mut self, broken: Broken, waited: Duration, expected: &str) -> Fault {
        self.is_sound = false;
        match broken {
            Broken::Late => Fault::Silent(Silence {
                waited,
                said: self.process.last_line(expected),
            }),
            Broken::Closed => Fault::Crashed(
                self.process
                    .exit_report(Instant::now() + REPORT_TIMEOUT)
                    .await,
            ),
        }
    }

    /// Asks the engine to end, and waits a moment for it to obey; then it is killed.
    pub async fn quit(mut self) {
        self.end().await;
    }

    /// Like [`Engine::quit`], for an engine that is about to be replaced by another process.
    pub(super) async fn end(&mut self) {
        self.ends_within(QUIT_TIMEOUT).await;
    }

    /// Ends what is left of its process, which cannot be asked for anything any more.
    pub(super) async fn kill(&mut self) {
        self.is_sound = false;
        self.process.kill().await;
    }

    /// Asks the engine to end, and returns whether it did within `timeout`.
    pub async fn exits_on_quit(mut self, timeout: Duration) -> bool {
        self.ends_within(timeout).await
    }

    async fn ends_within(&mut self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        within(deadline, self.process.send(self.dialect.quit()))
            .await
            .is_ok()
            && self.process.ended(deadline).await
    }
}
