//! Somebody else's function in place of an engine: a program that is started once, reads a line of
//! JSON for each pair from its standard input, and answers with the pair's result on its standard
//! output.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use foundation::process::Group;
use foundation::{Failure, failure::OrUnable};
use serde::{Deserialize, Serialize};

use crate::perturbation::Perturbation;
use crate::run::session::{Outcome, Session};

/// What the program is asked.
#[derive(Debug, Serialize)]
struct Question<'a> {
    pair: u64,
    seed: u64,
    names: &'a [&'a str],
    plus: &'a [f64],
    minus: &'a [f64],
}

/// What it answers: wins less losses of the plus side over the pair's two games.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    Plain(i32),
    Object { result: i32 },
}

/// The program, while it runs.
pub(crate) struct Program {
    command: String,
    timeout: Duration,
    group: Group,
    input: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
}

/// How long a program that has closed its output may still take to end.
const END: Duration = Duration::from_secs(5);
/// How long a line may take that is one too many, after the first answer.
const SURPLUS: Duration = Duration::from_millis(100);
/// The same, after the last answer.
const LAST: Duration = Duration::from_millis(500);

impl Program {
    /// Starts it by the shell.
    pub(crate) fn start(command: &str, timeout: Duration) -> Result<Self, Failure> {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut group = Group::spawn(&mut shell).or_unable(format_args!("start `{command}`"))?;
        let (input, output) = (group.child.stdin.take(), group.child.stdout.take());
        let (sender, lines) = mpsc::channel();
        if let Some(output) = output {
            // Ends when the program does, or when nobody listens any more.
            thread::spawn(move || {
                for line in BufReader::new(output).lines() {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Self {
            command: command.to_owned(),
            timeout,
            group,
            input,
            lines,
        })
    }

    /// Plays a run to its end.
    pub(crate) fn play(&mut self, session: &mut Session) -> Result<(), Failure> {
        let names: Vec<String> = session
            .tune()
            .parameters
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let seed = session.tune().seed;
        let mut last = None;
        loop {
            let Some((pair, perturbation)) = session.open().next() else {
                break;
            };
            let outcome = self.play_pair(pair, seed, &names, perturbation)?;
            session.answer(pair, outcome);
            let patience = last.map_or(SURPLUS, |_| Duration::ZERO);
            if let Ok(Ok(line)) = self.lines.recv_timeout(patience) {
                return Err(self.surplus(pair, &line));
            }
            last = Some(pair);
        }
        // If every answer was that of the pair before, the last comes only now. What a program prints
        // after its input has ended is not counted.
        if let (Some(pair), Ok(Ok(line))) = (last, self.lines.recv_timeout(LAST)) {
            return Err(self.surplus(pair, &line));
        }
        self.input = None;
        Ok(())
    }

    fn play_pair(
        &mut self,
        pair: u64,
        seed: u64,
        names: &[&str],
        perturbation: &Perturbation,
    ) -> Result<Outcome, Failure> {
        let question = Question {
            pair,
            seed,
            names,
            // The dummy is the tuner's own.
            plus: &perturbation.plus[..names.len()],
            minus: &perturbation.minus[..names.len()],
        };
        let question = serde_json::to_string(&question).or_unable("write JSON")?;
        let sent = self
            .input
            .as_mut()
            .map(|input| writeln!(input, "{question}").and_then(|()| input.flush()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.has_ended(pair));
        }
        let line = match self.lines.recv_timeout(self.timeout) {
            Ok(Ok(line)) => line,
            Ok(Err(error)) => {
                return Err(self.failure(pair, &format!("its answer cannot be read: {error}")));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(self.has_ended(pair)),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.timeout.as_secs_f64();
                return Err(self
                    .failure(pair, &format!("no answer within {seconds} s"))
                    .hint(
                        "it has to flush its output after each line; --oracle-timeout allows more",
                    ));
            }
        };
        let result = match serde_json::from_str(&line) {
            Ok(Answer::Plain(result) | Answer::Object { result }) => result,
            Err(_) => i32::MAX,
        };
        if let Ok(index @ 0..=4) = u8::try_from(result.saturating_add(2)) {
            return Ok(Outcome::Played(index));
        }
        Err(self.failure(pair, &format!("its answer is `{}`", shown(&line))).hint(
            "expected a whole number from -2 to 2, or {\"result\": N}: wins less losses of `plus`",
        ))
    }

    fn failure(&self, pair: u64, what: &str) -> Failure {
        Failure::unable(format!(
            "the oracle `{}`, pair {pair}: {what}",
            self.command
        ))
    }

    /// The answers from here on, or from the first, would be counted for other pairs.
    fn surplus(&self, pair: u64, line: &str) -> Failure {
        let what = format!("a line more than its answer: `{}`", shown(line));
        self.failure(pair, &what).hint(
            "expected one line a pair, after its question, and nothing else on standard output",
        )
    }

    fn has_ended(&mut self, pair: u64) -> Failure {
        let deadline = Instant::now() + END;
        let ended = loop {
            match self.group.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                ended => break ended,
            }
        };
        let how = match ended {
            Ok(Some(status)) => format!("it has ended ({status})"),
            _ => "it has closed its input or output".to_owned(),
        };
        self.failure(pair, &how)
            .hint("it is started once, and has to answer line by line until its input ends")
    }
}

fn shown(line: &str) -> String {
    line.chars().take(80).collect()
}
