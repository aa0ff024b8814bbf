//! The engine under test: it is sent commands and read line by line, and is restarted where a step
//! left it in an unusable state.

use std::path::PathBuf;
use std::time::Duration;

use foundation::Failure;
use tokio::time::Instant;

use super::exchange::Exchange;
use super::question::{Question, USUAL};
use engine_client::process::{Broken, Process, within};
use engine_client::{Dialect as _, Introduction, UCI};

/// The most lines between a command and its answer.
const MOST_LINES: usize = 100_000;
/// How long to wait for an engine's last lines.
const LAST_LINES_TIMEOUT: Duration = Duration::from_millis(300);
/// How long to wait for the answer of an engine that speaks another protocol.
const OTHER_PROTOCOL_TIMEOUT: Duration = Duration::from_millis(500);
/// Starts in a row that may fail where others went well.
const MOST_FAILED_STARTS: u32 = 3;
/// An engine that should end by itself is not killed before this.
const GRACE: Duration = Duration::from_secs(30);

/// How to start the engine, and how long to wait for it.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub command: PathBuf,
    pub arguments: Vec<String>,
    /// Set after every start.
    pub options: Vec<(String, String)>,
    /// From the start to `uciok`.
    pub startup: Duration,
    /// For every other answer.
    pub answer: Duration,
}

/// Why a step did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Objection {
    Failed(String),
    /// There is nothing to examine.
    Skipped(String),
}

/// What a part of a step found; an objection ends the step.
pub(super) type Checked<T> = Result<T, Objection>;

pub(super) fn failed<T>(why: impl Into<String>) -> Checked<T> {
    Err(Objection::Failed(why.into()))
}

pub(super) fn skipped<T>(why: impl Into<String>) -> Checked<T> {
    Err(Objection::Skipped(why.into()))
}

impl Objection {
    /// Names the words that the engine failed at.
    pub(super) fn after(self, words: &str) -> Self {
        match self {
            Self::Failed(why) => Self::Failed(format!("{why} after `{words}`")),
            Self::Skipped(_) => self,
        }
    }
}

impl From<Failure> for Objection {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.message().to_owned())
    }
}

/// A search and what was said during it, the `bestmove` line last.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    pub question: Question,
    pub go: String,
    pub lines: Vec<String>,
    /// From the end of writing `go` to the arrival of the move.
    pub elapsed: Duration,
}

impl Searched {
    /// The word after `bestmove`; empty where there is none.
    pub(super) fn best(&self) -> &str {
        let last = self.lines.last().map_or("", String::as_str);
        last.split_whitespace().nth(1).unwrap_or("")
    }

    /// The lines that begin with `info`, without `info string`.
    pub(super) fn info_lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.lines.iter().map(|line| line.trim()).filter(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some("info") && words.next() != Some("string")
        })
    }

    /// For messages: the command and the position.
    pub(super) fn what(&self) -> String {
        format!("`{}` after `position {}`", self.go, self.question.text())
    }
}

/// An engine, if one runs, and what was said in this step.
pub(super) struct Subject {
    settings: Settings,
    process: Option<Process>,
    introduction: Vec<String>,
    exchange: Exchange,
    /// Those of usual positions, or why there are none.
    searches: Option<Result<Vec<Searched>, String>>,
    has_started: bool,
    failed_starts: u32,
    /// Why the program never began.
    never_began: Option<Failure>,
}

impl Subject {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            process: None,
            introduction: Vec::new(),
            exchange: Exchange::default(),
            searches: None,
            has_started: false,
            failed_starts: 0,
            never_began: None,
        }
    }

    /// Why the program never began, if it is no program that can be started here.
    pub(super) fn never_began(&mut self) -> Option<Failure> {
        self.never_began.take()
    }

    /// Whether no further command will be answered.
    pub(super) fn cannot_be_started(&self) -> bool {
        let most = if self.has_started {
            MOST_FAILED_STARTS
        } else {
            1
        };
        self.failed_starts >= most
    }

    /// How long the engine has for an answer.
    pub(super) fn answer_timeout(&self) -> Duration {
        self.settings.answer
    }

    /// Another process of the same engine.
    pub(super) fn another_process(&self) -> Self {
        Self::new(self.settings.clone())
    }

    /// What was said since it was last asked for.
    pub(super) fn take_exchange(&mut self) -> Exchange {
        std::mem::take(&mut self.exchange)
    }

    /// Shows this search alone, in place of all that was said.
    pub(super) fn show_only(&mut self, searched: &Searched) {
        self.exchange = Exchange::default();
        let position = format!("position {}", searched.question.text());
        self.exchange.sent(&position);
        self.exchange.sent(&searched.go);
        for line in &searched.lines {
            self.exchange.read(line);
        }
    }

    /// Ends the process; the next question starts a new one.
    pub(super) fn end(&mut self) {
        self.process = None;
    }

    /// The lines between `uci` and `uciok`.
    pub(super) async fn introduction(&mut self) -> Checked<Vec<String>> {
        self.ready().await?;
        Ok(self.introduction.clone())
    }

    /// Makes sure that an engine is running that has answered `uci` and `isready`.
    pub(super) async fn ready(&mut self) -> Checked<()> {
        if self.process.is_some() {
            return Ok(());
        }
        self.introduce().await?;
        let prepared = self.prepare().await;
        self.count_start(prepared.is_ok());
        prepared
    }

    /// Starts a new process and sends `uci`.
    pub(super) async fn introduce(&mut self) -> Checked<()> {
        let introduced = self.start().await;
        if introduced.is_err() {
            self.count_start(false);
        }
        introduced
    }

    fn count_start(&mut self, went_well: bool) {
        self.has_started |= went_well;
        self.failed_starts = if went_well { 0 } else { self.failed_starts + 1 };
    }

    async fn prepare(&mut self) -> Checked<()> {
        let options = self.settings.options.clone();
        for (name, value) in options {
            self.send(&format!("setoption name {name} value {value}\n"))
                .await?;
        }
        self.ping().await.map(drop)
    }

    async fn start(&mut self) -> Checked<()> {
        let Settings {
            command,
            arguments,
            startup,
            ..
        } = self.settings.clone();
        self.process = None;
        let process = Process::start_with_grace(&command, &arguments, GRACE)?;
        self.process = Some(process);
        self.send("uci\n").await?;
        let deadline = Instant::now() + startup;
        let mut lines = Vec::new();
        let why = loop {
            let Some(line) = self.read_line(deadline).await? else {
                break self.missing("uciok", startup);
            };
            match UCI.introduction(&line) {
                Introduction::Done => {
                    self.introduction = lines;
                    return Ok(());
                }
                Introduction::Refused => break format!("it answers `uci` with `{line}`"),
                _ if lines.len() == MOST_LINES => {
                    break format!("no `uciok` among {MOST_LINES} lines");
                }
                _ => lines.push(line),
            }
        };
        match self.other_protocol().await {
            Some(name) => failed(format!("it is an engine for {name}: {why}")),
            None => failed(why),
        }
    }

    /// What the engine speaks instead of UCI, if that is known.
    async fn other_protocol(&mut self) -> Option<&'static str> {
        let other = UCI.other_protocol()?;
        self.send(other.question).await.ok()?;
        let deadline = Instant::now() + OTHER_PROTOCOL_TIMEOUT;
        loop {
            let line = self.read_line(deadline).await.ok()??;
            if line.starts_with(other.answer) {
                return Some(other.name);
            }
        }
    }

    /// Sends words with their line ends.
    pub(super) async fn send(&mut self, text: &str) -> Checked<()> {
        self.exchange.sent(text);
        let deadline = Instant::now() + self.settings.answer;
        let Some(process) = &mut self.process else {
            return failed("there is no engine");
        };
        process.expect_answer();
        match within(deadline, process.send(text)).await {
            Ok(()) => Ok(()),
            Err(Broken::Late) => failed("it does not read its input"),
            Err(Broken::Closed) => self.unexpected_exit().await,
        }
    }

    /// The next line; `None` where there is none before the deadline.
    pub(super) async fn read_line(&mut self, deadline: Instant) -> Checked<Option<String>> {
        let Some(process) = &mut self.process else {
            return failed("there is no engine");
        };
        match within(deadline, process.line()).await {
            Ok(line) => {
                let line = String::from_utf8_lossy(process.text(line)).into_owned();
                self.exchange.read(&line);
                Ok(Some(line))
            }
            Err(Broken::Late) => Ok(None),
            Err(Broken::Closed) => self.unexpected_exit().await,
        }
    }

    /// What is said of an engine that did not answer with `expected`.
    fn missing(&self, expected: &str, waited: Duration) -> String {
        let missing = format!("no `{expected}` within {waited:.1?}");
        let process = self.process.as_ref();
        match process.and_then(|process| process.last_line(expected)) {
            Some(said) => format!("{missing}; {said}"),
            None => missing,
        }
    }

    /// All lines up to the first that begins with the word `last`, that one too.
    pub(super) async fn read_until(&mut self, last: &str, wait: Duration) -> Checked<Vec<String>> {
        let deadline = Instant::now() + wait;
        let mut lines = Vec::new();
        while lines.len() < MOST_LINES {
            let Some(line) = self.read_line(deadline).await? else {
                return failed(self.missing(last, wait));
            };
            let is_last = line.split_whitespace().next() == Some(last);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
        failed(format!("no `{last}` among {MOST_LINES} lines"))
    }

    /// All that is said within `wait`.
    pub(super) async fn read_for(&mut self, wait: Duration) -> Checked<Vec<String>> {
        let deadline = Instant::now() + wait;
        let mut lines = Vec::new();
        while lines.len() < MOST_LINES
            && let Some(line) = self.read_line(deadline).await?
        {
            lines.push(line);
        }
        Ok(lines)
    }

    /// Sends `isready` and waits for the answer; returns the lines before it.
    pub(super) async fn ping(&mut self) -> Checked<Vec<String>> {
        self.send("isready\n").await?;
        let mut lines = self.read_until("readyok", self.settings.answer).await?;
        lines.pop();
        Ok(lines)
    }

    /// A search of a position, begun and waited for.
    pub(super) async fn search(
        &mut self,
        question: &Question,
        go: &str,
        wait: Duration,
    ) -> Checked<Searched> {
        self.begin(question, go).await?;
        self.finish(question, go, wait).await
    }

    /// Sends position and `go`, in one write as in a match.
    pub(super) async fn begin(&mut self, question: &Question, go: &str) -> Checked<()> {
        self.ready().await?;
        let position = question.text();
        self.send(&format!("position {position}\n{go}\n")).await
    }

    /// Waits for the move of a search.
    pub(super) async fn finish(
        &mut self,
        question: &Question,
        go: &str,
        wait: Duration,
    ) -> Checked<Searched> {
        let asked = Instant::now();
        match self.read_until("bestmove", wait).await {
            Ok(lines) => Ok(Searched {
                question: question.clone(),
                go: go.to_owned(),
                lines,
                elapsed: asked.elapsed(),
            }),
            Err(objection) => Err(objection.after(go)),
        }
    }

    /// Searches of usual positions, for steps that judge what is said during a search. They are
    /// made once; where they fail, the first step that asks for them does.
    pub(super) async fn usual_searches(&mut self) -> Checked<Vec<Searched>> {
        match &self.searches {
            None => {}
            Some(Ok(searches)) => return Ok(searches.clone()),
            Some(Err(why)) => return skipped(format!("its searches failed before: {why}")),
        }
        let searched = self.search_usual_positions().await;
        self.searches = match &searched {
            Ok(searches) => Some(Ok(searches.clone())),
            Err(Objection::Failed(why)) => Some(Err(why.clone())),
            Err(Objection::Skipped(_)) => None,
        };
        searched
    }

    /// A limit under which a search does not end is left out: the step that is named for it says so.
    async fn search_usual_positions(&mut self) -> Checked<Vec<Searched>> {
        let mut searches = Vec::new();
        let mut endless = None;
        for go in ["go depth 5", "go nodes 20000"] {
            for question in Question::standard(USUAL)? {
                self.ready().await?;
                self.send("ucinewgame\n").await?;
                self.ping().await?;
                match self.search(&question, go, self.settings.answer * 2).await {
                    Ok(searched) => searches.push(searched),
                    Err(objection) if self.process.is_some() => {
                        self.end();
                        endless = Some(objection);
                        break;
                    }
                    Err(objection) => return Err(objection),
                }
            }
        }
        match endless {
            Some(objection) if searches.is_empty() => Err(objection),
            _ => Ok(searches),
        }
    }

    /// Waits for the engine to end, and returns whether it did within `wait`.
    pub(super) async fn ended(&mut self, wait: Duration) -> bool {
        match &mut self.process {
            None => true,
            Some(process) => process.ended(Instant::now() + wait).await,
        }
    }

    pub(super) fn close_input(&mut self) {
        self.exchange.note("the input is closed");
        if let Some(process) = &mut self.process {
            process.close_input();
        }
    }

    /// The objection to an engine that ended when it should not have.
    async fn unexpected_exit<T>(&mut self) -> Checked<T> {
        let Some(mut process) = self.process.take() else {
            return failed("there is no engine");
        };
        let report = process
            .exit_report(Instant::now() + LAST_LINES_TIMEOUT)
            .await;
        if let Some(failure) = process.start_failure() {
            let why = failure.message().to_owned();
            if !self.has_started {
                self.never_began = Some(failure);
            }
            return failed(why);
        }
        failed(format!("the engine {report}"))
    }
}
