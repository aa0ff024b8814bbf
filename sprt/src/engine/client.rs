//! The dialogue with an engine: handshake, options, new games, searches.
//!
//! Lean by intent: one write a ply (position and go together), no ping between plies, and of the
//! lines of a search only the last scored one is kept, unread until the move is there. Every wait
//! has a deadline. What is said how is the [`Dialect`]'s business.

use std::path::PathBuf;
use std::time::Duration;

use foundation::Failure;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::dialect::{Dialect, Heard, Introduction, Search, Worth};
use super::kept_lines::KeptLines;
use super::log::{DialogueLog, LogTarget};
use super::process::{Broken, Process, within};
use super::{Fault, Info, Restart, UciOption, cut};
use crate::game::Color;

mod ponder;

use ponder::Pondering;

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What messages call it.
    pub name: String,
    pub command: PathBuf,
    pub arguments: Vec<String>,
    /// Its working folder, where it is not ours.
    pub folder: Option<PathBuf>,
    /// Set in this order, once, after the handshake.
    pub options: Vec<(String, String)>,
    /// Set before these where the engine has them.
    pub offered_options: Vec<(String, String)>,
    /// Lines that are sent as they stand, after the options.
    pub init: Vec<String>,
    /// When its process is started anew although it did nothing wrong.
    pub restart: Restart,
    /// Whether it thinks on its opponent's time.
    pub ponder: bool,
    /// What it speaks.
    pub dialect: &'static dyn Dialect,
    /// Where the dialogue is written down.
    pub log: Option<LogTarget>,
    /// Regular expressions: of the lines of a search, the last that matches each is kept beside the
    /// move.
    pub keep_lines: Vec<String>,
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
    /// Whether it had begun to think about it before it was asked, on its opponent's time.
    pub is_ponder_hit: bool,
    /// Lines that were to be kept.
    pub lines: Vec<String>,
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
    /// Whether it said anything since it was last asked for a move.
    has_spoken: bool,
    /// Whether it once gave a move that it was not asked for.
    gives_spare_moves: bool,
    /// When it was last asked for a move, and the word it gave.
    asked: Instant,
    last_move: String,
    may_have_repeated: bool,
    is_sound: bool,
    kept: KeptLines,
    /// Whether it is to ponder, the reply that it named with its last move, and what it ponders on
    /// now.
    ponders: bool,
    expected_reply: String,
    pondering: Option<Pondering>,
}

/// Set where the engine has them and the user said nothing else; their absence is no error.
const OPTIONAL: [&str; 2] = ["Threads", "Hash"];
/// After a quit, before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);
/// After its time is up, an engine is told to stop, and has this long for a move that is late.
pub const LAST_CHANCE: Duration = Duration::from_millis(100);
/// For the answer of an engine that speaks another protocol.
const STRANGER: Duration = Duration::from_millis(500);
/// Letters of a name, of itself or of a move, that are kept.
const LONGEST_NAME: usize = 100;

impl Engine {
    /// Starts an engine, shakes hands and sets its options.
    ///
    /// # Errors
    /// The file cannot be started, is no UCI engine, or has no such option or value.
    pub async fn start(launch: &Launch, timeouts: Timeouts) -> Result<Self, Failure> {
        let folder = launch.folder.as_deref();
        let mut process = Process::start(&launch.command, &launch.arguments, folder)?;
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
            scored_worth: Worth::Nothing,
            command: String::new(),
            has_spoken: false,
            gives_spare_moves: false,
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
        engine.say(&launch.init).await?;
        Ok(engine)
    }

    /// Sends lines as they stand, and waits until the engine is done with them.
    async fn say(&mut self, lines: &[String]) -> Result<(), Failure> {
        let Some(last) = lines.last() else {
            return Ok(());
        };
        let text = lines.join("\n") + "\n";
        self.ping(&text).await.map_err(|fault| {
            Failure::engine(format!(
                "`{}` failed after it was sent `{last}`: {fault}",
                self.launch_name
            ))
            .hint("start it by hand and send it the same lines")
        })
    }

    async fn shake_hands(&mut self) -> Result<(), Failure> {
        let timeout = self.timeouts.startup;
        let hello = self.dialect.hello().trim_end();
        let answer = within(Instant::now() + timeout, self.introduction()).await;
        let what = match answer {
            Ok(true) => return Ok(()),
            Err(Broken::Closed) => {
                let report = self.process.exit_report(Instant::now() + FAREWELL).await;
                match self.process.start_failure() {
                    Some(failure) => return Err(failure),
                    None => report,
                }
            }
            Ok(false) | Err(Broken::Late) => match self.other_protocol().await {
                Some(protocol) => {
                    return Err(Failure::engine(format!(
                        "`{}` is an {protocol} engine: it does not answer `{hello}` as a {} engine must",
                        self.launch_name,
                        self.dialect.name()
                    ))
                    .hint(format!(
                        "use a build of it that speaks {}, or an adapter",
                        self.dialect.name()
                    )));
                }
                None => format!("no `{}` within {timeout:?}", self.dialect.welcome()),
            },
        };
        Err(Failure::engine(format!(
            "`{}` did not answer `{hello}` as a {} engine must: {what}",
            self.launch_name,
            self.dialect.name(),
        ))
        .hint(format!(
            "start it by hand, type `{hello}`, and see what it prints; slow starters need --startup-timeout"
        )))
    }

    /// What the engine speaks instead, if that is known.
    async fn other_protocol(&mut self) -> Option<&'static str> {
        let other = self.dialect.other_protocol()?;
        let answer = async {
            self.process.send(other.question).await?;
            loop {
                let line = self.process.line().await?;
                if self.process.text(line).starts_with(other.answer.as_bytes()) {
                    return Ok(other.name);
                }
            }
        };
        within(Instant::now() + STRANGER, answer).await.ok()
    }

    /// Whether the engine introduced itself; it did not if it refused the question, as engines for
    /// other protocols do.
    async fn introduction(&mut self) -> Result<bool, Broken> {
        self.process.send(self.dialect.hello()).await?;
        loop {
            let line = self.process.line().await?;
            let text = String::from_utf8_lossy(self.process.text(line));
            match self.dialect.introduction(&text) {
                Introduction::Done => return Ok(true),
                Introduction::Refused => return Ok(false),
                Introduction::Name(name) => self.name = cut(&name, LONGEST_NAME),
                Introduction::Author(author) => self.author = cut(&author, LONGEST_NAME),
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

    /// The log has a part for each game; this is its number, from 1.
    pub fn begin_log_of_game(&mut self, number: u64) {
        if let Some(log) = &mut self.process.log {
            log.begin_game(number);
        }
    }

    /// Tells the engine that what it remembers is of no use, and waits until it is ready.
    pub async fn new_game(&mut self) -> Result<(), Fault> {
        self.last_move.clear();
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

    /// Asks for a move and waits for it. A move that comes within [`LAST_CHANCE`] after `timeout`
    /// is an answer too, which took longer than `timeout`.
    ///
    /// # Errors
    /// The engine ended, or said no move in all that time.
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
        self.discard_spare_moves().await?;
        self.scored.clear();
        self.scored_worth = Worth::Nothing;
        self.has_spoken = false;
        self.kept.forget();
        if let Err(broken) = within(Instant::now() + timeout, self.process.send(command)).await {
            return Err(self.fault(broken, timeout).await);
        }
        self.asked = Instant::now();
        self.receive(mover, timeout).await
    }

    /// Waits for the move that was asked for.
    async fn receive(&mut self, mover: Color, timeout: Duration) -> Result<Answer, Fault> {
        let best = match within(self.asked + timeout, self.best_move()).await {
            Err(Broken::Late) => self.late_move().await,
            best => best,
        };
        let best = match best {
            Ok(best) => best,
            Err(broken) => return Err(self.fault(broken, timeout).await),
        };
        let info = self.thought(mover);
        self.may_have_repeated = self.scored_worth == Worth::Nothing && best == self.last_move;
        self.last_move.clone_from(&best);
        Ok(Answer {
            best,
            elapsed: self.asked.elapsed(),
            info,
            is_ponder_hit: false,
            lines: self.kept.take(),
        })
    }

    /// What it said last about the running search, or the one before.
    pub fn thought(&self, mover: Color) -> Info {
        match self.scored_worth {
            Worth::Nothing => Info::default(),
            _ => self.dialect.info(&self.scored, mover),
        }
    }

    /// The moves that it expected when it made its last one, unless its score was a bound.
    pub fn expected_line(&self) -> Option<&str> {
        let line = match self.scored_worth {
            Worth::Full => self.dialect.line_of(&self.scored)?,
            Worth::Nothing | Worth::SecondRate => return None,
        };
        std::str::from_utf8(line).ok()
    }

    /// Writes a remark on what it said to the log.
    pub fn remark(&mut self, text: &str) {
        if let Some(log) = &mut self.process.log {
            log.remark(text);
        }
    }

    /// Whether the last answer, if it is no legal move, may be the one before it said twice: the
    /// same word, and nothing was thought about it.
    pub fn may_have_repeated(&self) -> bool {
        self.may_have_repeated
    }

    /// Waits on after such an answer; time and `timeout` are counted from the question.
    ///
    /// # Errors
    /// As for [`Engine::think`].
    pub async fn think_on(&mut self, mover: Color, timeout: Duration) -> Result<Answer, Fault> {
        self.gives_spare_moves = true;
        self.receive(mover, timeout).await
    }

    /// A move that nobody asked for must not be taken for the next one. One that has come already
    /// is passed over; an engine that once gave one may still have another in store, and is waited
    /// for.
    async fn discard_spare_moves(&mut self) -> Result<(), Fault> {
        let (dialect, spare) = (self.dialect, &mut self.gives_spare_moves);
        self.process
            .discard(|line| *spare |= matches!(dialect.hear(line), Heard::Move(_)))
            .await;
        if self.gives_spare_moves {
            self.ping("").await?;
        }
        Ok(())
    }

    /// The move of an engine whose time is up.
    async fn late_move(&mut self) -> Result<String, Broken> {
        let last_chance = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + LAST_CHANCE, last_chance).await
    }

    /// Whether it said anything since it was last asked for a move.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Whether it can be asked more; not so after a fault.
    pub fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// Whether a searching engine still hears us: it is told to stop and has until the end of
    /// `timeout` to obey.
    pub async fn obeys_stop(&mut self, timeout: Duration) -> bool {
        let answer = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + timeout, answer).await.is_ok()
    }

    /// Sends `lines` as they are and lets `hear` have all that is said until a line that begins
    /// with `last`, which it gets too. What an engine does on such words need not be what the rest
    /// of this dialogue relies on.
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
        self.process.discard(|_| ()).await;
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
            self.has_spoken = true;
            match self.dialect.hear(line) {
                Heard::Move(word) => {
                    if self.ponders {
                        let reply = self.dialect.expected_reply(line).unwrap_or_default();
                        self.expected_reply = cut(&String::from_utf8_lossy(reply), LONGEST_NAME);
                    }
                    return Ok(cut(&String::from_utf8_lossy(word), LONGEST_NAME));
                }
                Heard::Thought(worth) => {
                    self.kept.see(line);
                    if worth != Worth::Nothing && worth >= self.scored_worth {
                        self.scored_worth = worth;
                        self.scored.clear();
                        self.scored.extend_from_slice(line);
                    }
                }
            }
        }
    }

    async fn fault(&mut self, broken: Broken, waited: Duration) -> Fault {
        self.is_sound = false;
        match broken {
            Broken::Late => Fault::Silent(waited),
            Broken::Closed => {
                Fault::Crashed(self.process.exit_report(Instant::now() + FAREWELL).await)
            }
        }
    }

    /// Asks the engine to end, and waits a moment for it to obey; then it is killed.
    pub async fn quit(mut self) {
        self.end().await;
    }

    /// The same for an engine whose place another process is to take.
    pub(super) async fn end(&mut self) {
        self.ends_within(FAREWELL).await;
    }

    /// Asks the engine to end, and tells whether it did within `timeout`.
    pub async fn obeys_quit(mut self, timeout: Duration) -> bool {
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
