//! As much of UCI as counting nodes needs: one engine, one search at a time, every wait with a
//! deadline.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use crate::environment::Environment;
use foundation::{
    Failure,
    failure::OrUnable,
    process::{self, Group},
};

/// For answers that need no search.
const TIMEOUT: Duration = Duration::from_secs(15);

/// A longer line is cut: no engine needs it, and none may fill the memory.
const LONGEST_LINE: u64 = 64 << 10;

/// An engine that waits for commands. Killed with its children when dropped.
pub(crate) struct Engine {
    name: String,
    stdin: ChildStdin,
    lines: Receiver<String>,
    _group: Group,
}

impl Engine {
    /// Starts a binary and sets options, given as `NAME=VALUE`. `name` is what messages call it.
    pub(crate) fn start(binary: &Path, name: &str, options: &[String]) -> Result<Self, Failure> {
        let mut command = Command::new(binary);
        Environment::default().apply(&mut command);
        process::scrub(&mut command);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut group = Group::spawn(&mut command)
            .or_unable(format_args!("start `{}`", binary.display()))
            .map_err(|failure| failure.hint("give a program that speaks UCI"))?;
        let (Some(stdin), Some(stdout)) = (group.child.stdin.take(), group.child.stdout.take())
        else {
            return Err(Failure::unable(format!(
                "failed to talk to `{}`",
                binary.display()
            )));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            while let Ok(1..) = (&mut reader)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)
            {
                if sender
                    .send(String::from_utf8_lossy(&line).trim().to_owned())
                    .is_err()
                {
                    return;
                }
                line.clear();
            }
        });
        let mut engine = Self {
            name: name.to_owned(),
            stdin,
            lines,
            _group: group,
        };
        engine.ask("uci", "uciok", TIMEOUT, |_| {})?;
        for option in options {
            let (key, value) = option.split_once('=').ok_or_else(|| {
                Failure::unable(format!("`{option}` is not an option")).hint("write NAME=VALUE")
            })?;
            engine.send(&format!("setoption name {key} value {value}"))?;
        }
        engine.ask("isready", "readyok", TIMEOUT, |_| {})?;
        Ok(engine)
    }

    /// The nodes the engine tells last when it searches a position to a depth, nothing remembered
    /// from before.
    pub(crate) fn nodes(&mut self, fen: &str, depth: u32, limit: Duration) -> Result<u64, Failure> {
        self.send("ucinewgame")?;
        self.ask("isready", "readyok", TIMEOUT, |_| {})?;
        self.send(&format!("position fen {fen}"))?;
        let mut nodes = None;
        self.ask(&format!("go depth {depth}"), "bestmove", limit, |line| {
            nodes = told_nodes(line).or(nodes);
        })
        .map_err(|failure| failure.context(format_args!("position `{fen}`")))?;
        nodes.ok_or_else(|| {
            Failure::engine(format!("{} told no node count for `{fen}`", self.name))
                .hint("`go depth` must be answered by `info … nodes N …`")
        })
    }

    fn send(&mut self, command: &str) -> Result<(), Failure> {
        writeln!(self.stdin, "{command}")
            .and_then(|()| self.stdin.flush())
            .map_err(|_| self.gone(command))
    }

    /// Sends a command and hears lines until one begins with `answer`.
    fn ask(
        &mut self,
        command: &str,
        answer: &str,
        limit: Duration,
        mut hear: impl FnMut(&str),
    ) -> Result<(), Failure> {
        self.send(command)?;
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(answer) => return Ok(()),
                Ok(line) => hear(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(command)),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = limit.as_secs();
                    return Err(Failure::engine(format!(
                        "{} gave no `{answer}` within {seconds} s after `{command}`",
                        self.name
                    )));
                }
            }
        }
    }

    fn gone(&self, command: &str) -> Failure {
        Failure::engine(format!("{} ended at `{command}`", self.name))
            .hint("run it by hand: it must answer `uci` by `uciok`")
    }
}

/// The node count in an `info` line.
fn told_nodes(line: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    (words.next()? == "info").then_some(())?;
    while let Some(word) = words.next() {
        match word {
            "string" => return None,
            "nodes" => return words.next()?.parse().ok(),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::told_nodes;

    #[test]
    fn nodes_are_read_from_info_lines_only() {
        assert_eq!(told_nodes("info depth 3 nodes 42 pv e2e4"), Some(42));
        assert_eq!(told_nodes("info string nodes 42"), None);
        assert_eq!(told_nodes("bestmove e2e4 nodes 42"), None);
        assert_eq!(told_nodes("info nodes"), None);
    }
}
