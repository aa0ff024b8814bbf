//! The keys of `-engine` and `-each`, as the flags of an engine here.

use std::path::Path;

use foundation::Failure;

use super::tool::Tool;
use crate::fastchess::arguments;

/// Flags without dashes and side, with their values.
pub(super) type Flags = Vec<(&'static str, String)>;

/// Flags that end an engine's thinking.
const LIMITS: [&str; 4] = ["tc", "movetime", "nodes", "depth"];

/// What is said of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) command: Option<String>,
    folder: Option<String>,
    flags: Flags,
}

impl Side {
    /// Takes in `key=value`; a remark where it changes nothing here.
    pub(super) fn read(
        &mut self,
        tool: Tool,
        key: &str,
        value: &str,
        remarks: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let value = value.to_owned();
        if let Some(name) = key.strip_prefix("option.") {
            self.flags.push(("option", format!("{name}={value}")));
            return Ok(());
        }
        match key {
            "cmd" => self.command = Some(value),
            "dir" => self.folder = Some(value),
            "name" => self.set("name", value),
            "args" => {
                for word in arguments(&value) {
                    self.flags.push(("arg", word));
                }
            }
            "arg" => self.flags.push(("arg", value)),
            "initstr" => {
                for line in value.split("\\n") {
                    self.flags.push(("init", line.to_owned()));
                }
            }
            "tc" if matches!(value.as_str(), "inf" | "infinite") => {
                self.flags.retain(|(flag, _)| *flag != "tc");
            }
            // For all moves, which is what a control without a number of moves means.
            "tc" => self.set("tc", seconds_of(value.trim_start_matches("inf/"))),
            "st" => {
                let seconds: f64 = value.trim_end_matches('s').parse().map_err(|_| {
                    Failure::unable(format!("st={value}: expected seconds, such as st=0.5"))
                })?;
                // What is shorter than a millisecond is one.
                let milliseconds = (seconds * 1000.0).round().max(1.0);
                self.set("movetime", format!("{milliseconds:.0}"));
            }
            "nodes" => self.set("nodes", value),
            "depth" | "plies" => self.set("depth", value),
            "timemargin" => self.set("time-margin", value),
            "restart" if value == "on" => self.set("restart", "game".to_owned()),
            "restart" => {}
            "ponder" => self.set("ponder", "true".to_owned()),
            "proto" if value == "uci" => {}
            "proto" => {
                return Err(Failure::unable(format!(
                    "proto={value}: engines are spoken to in UCI only"
                ))
                .hint("an adapter from UCI to xboard, such as PolyGlot's, can stand between"));
            }
            "conf" => {
                return Err(Failure::unable(format!(
                    "conf={value}: engines.json of cutechess is not read"
                ))
                .hint("name the engine's program: cmd=PROGRAM"));
            }
            "whitepov" if tool == Tool::Cutechess => {
                return Err(Failure::unable(
                    "whitepov: an engine whose scores are White's cannot be adjudicated here",
                ));
            }
            _ => remarks.push(format!(
                "`{key}={value}` of an engine has no counterpart here"
            )),
        }
        Ok(())
    }

    /// The last value counts.
    fn set(&mut self, flag: &'static str, value: String) {
        self.flags.retain(|(other, _)| *other != flag);
        self.flags.push((flag, value));
    }

    /// The program, and the flags with the working folder.
    ///
    /// # Errors
    /// No program is named, or no limit.
    pub(super) fn finish(mut self, number: usize) -> Result<(String, Flags), Failure> {
        let command = self.command.ok_or_else(|| {
            Failure::unable(format!("engine {number} has no cmd="))
                .hint("name its program: -engine cmd=./engine name=dev tc=8+0.08")
        })?;
        if !self.flags.iter().any(|(flag, _)| LIMITS.contains(flag)) {
            return Err(Failure::unable(format!(
                "engine {number} has no limit: it would never move"
            ))
            .hint("give it one: tc=8+0.08, st=0.5, nodes=10000 or depth=8"));
        }
        let command = match &self.folder {
            // There, a relative program lies in the engine's folder; a bare name may.
            Some(folder)
                if !command.starts_with('/')
                    && (command.contains('/') || Path::new(folder).join(&command).is_file()) =>
            {
                let inside = command.strip_prefix("./").unwrap_or(&command);
                format!("{}/{inside}", folder.trim_end_matches('/'))
            }
            _ => command,
        };
        if let Some(folder) = self.folder.take() {
            self.flags.push(("dir", folder));
        }
        Ok((command, self.flags))
    }
}

/// `40/1:30+0.5` with the minutes in seconds.
fn seconds_of(text: &str) -> String {
    let (moves, rest) = match text.rsplit_once('/') {
        Some((moves, rest)) => (format!("{moves}/"), rest),
        None => (String::new(), text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, ""));
    let minutes = base.split_once(':');
    let seconds = minutes.and_then(|(minutes, seconds)| {
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    });
    match (seconds, increment) {
        (None, _) => text.to_owned(),
        (Some(seconds), "") => format!("{moves}{seconds}"),
        (Some(seconds), increment) => format!("{moves}{seconds}+{increment}"),
    }
}
