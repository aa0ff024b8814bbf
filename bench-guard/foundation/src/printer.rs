//! Where output goes: stdout carries the result, stderr everything else.
//!
//! Only this module writes to either, so that `--json`, `--quiet`, colour and broken pipes are
//! settled once.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use anstream::{ColorChoice, adapter::strip_str};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::failure::OrUnable;
use crate::{Exit, Failure, variables};

/// The output flags every command of every tool takes.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct OutputArgs {
    /// Colour the output; auto: on a terminal, unless `NO_COLOR` is set
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    pub color: When,
    /// Print the result, warnings and errors, nothing else
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more about what is done (-vv: also what is sent to and read from others)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
}

/// When to do something that is left to the program to decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// How much is said on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    Quiet,
    Normal,
    Verbose,
    Trace,
}

/// Why a result could not be written, from the first time that this happened.
static LOST: OnceLock<String> = OnceLock::new();

fn note_lost(written: io::Result<()>) {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = LOST.set(error.to_string());
        }
        _ => {}
    }
}

/// Writes for a command. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Printer {
    verbosity: Verbosity,
    color: ColorChoice,
}

impl Printer {
    pub fn new(args: OutputArgs) -> Self {
        let verbosity = match (args.quiet, args.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Verbose,
            (false, _) => Verbosity::Trace,
        };
        let color = match args.color {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        Self { verbosity, color }
    }

    /// The flags that make another tool write like this one.
    pub fn flags(self) -> Vec<&'static str> {
        let verbosity = match self.verbosity {
            Verbosity::Quiet => Some("-q"),
            Verbosity::Normal => None,
            Verbosity::Verbose => Some("-v"),
            Verbosity::Trace => Some("-vv"),
        };
        let color = match self.color {
            ColorChoice::Always | ColorChoice::AlwaysAnsi => Some("--color=always"),
            ColorChoice::Never => Some("--color=never"),
            ColorChoice::Auto => None,
        };
        verbosity.into_iter().chain(color).collect()
    }

    /// The result, to stdout, with one line end added. A reader that has gone away is no error; any
    /// other trouble makes [`Self::finish`] fail.
    pub fn result(self, text: &str) {
        let mut stdout = anstream::AutoStream::new(io::stdout(), self.color);
        note_lost(writeln!(stdout, "{text}").and_then(|()| stdout.flush()));
    }

    /// The same of what need not be UTF-8.
    pub fn bytes(self, bytes: &[u8]) {
        let mut stdout = io::stdout().lock();
        let mut write = || {
            stdout
                .write_all(bytes)
                .and_then(|()| stdout.write_all(b"\n"))
        };
        note_lost(write().and_then(|()| stdout.flush()));
    }

    /// The result as one JSON object, with line breaks.
    pub fn json(self, object: &impl Serialize) -> Result<(), Failure> {
        self.result(&serde_json::to_string_pretty(object).or_unable("write the result as JSON")?);
        Ok(())
    }

    /// The end of a command: returns its exit code, and prints its failure if it failed. A result
    /// that could not be written is never a success.
    pub fn finish(self, done: Result<Exit, Failure>) -> Exit {
        match (done, LOST.get()) {
            (Err(failure), _) => self.fail(&failure),
            (Ok(_), Some(error)) => self.fail(
                &Failure::unable(format!("failed to write the result to stdout: {error}"))
                    .hint("is the disk full, or the file that stdout goes to too large?"),
            ),
            (Ok(exit), None) => exit,
        }
    }

    /// A line about what is going on, to stderr; silent with `--quiet`.
    pub fn note(self, text: &str) {
        self.stderr_from(Verbosity::Normal, text);
    }

    /// A line that only `--verbose` shows.
    pub fn detail(self, text: &str) {
        self.stderr_from(Verbosity::Verbose, text);
    }

    /// A line that only `-vv` shows.
    pub fn trace(self, text: &str) {
        self.stderr_from(Verbosity::Trace, text);
    }

    /// Something the user should know although the command continues; not silenced by `--quiet`.
    pub fn warn(self, text: &str) {
        let text = plain(text);
        self.stderr_from(Verbosity::Quiet, &format!("\x1b[33mwarning:\x1b[0m {text}"));
    }

    /// The end of a command that could not answer; returns the exit code.
    pub fn fail(self, failure: &Failure) -> Exit {
        self.stderr_from(
            Verbosity::Quiet,
            &format!("\x1b[31merror:\x1b[0m {}", plain(failure.message())),
        );
        if let Some(hint) = failure.next_step() {
            let hint = plain(hint);
            self.stderr_from(Verbosity::Quiet, &format!("\x1b[36mhint:\x1b[0m {hint}"));
        }
        failure.exit()
    }

    pub fn is_verbose(self) -> bool {
        self.verbosity >= Verbosity::Verbose
    }

    pub fn verbosity(self) -> Verbosity {
        self.verbosity
    }

    /// Whether a progress bar may be drawn: on a terminal, not in CI, not with `--quiet`, and not
    /// with `--verbose`, whose lines would not fit beside a bar.
    pub fn draws_progress(self) -> bool {
        self.verbosity == Verbosity::Normal
            && io::stderr().is_terminal()
            && std::env::var_os(variables::CI).is_none()
    }

    fn stderr_from(self, threshold: Verbosity, text: &str) {
        if self.verbosity >= threshold {
            let mut stderr = anstream::AutoStream::new(io::stderr(), self.color);
            let _ = writeln!(stderr, "{}", inert(text));
        }
    }
}

/// Text that may be foreign, without characters that a terminal would act on.
fn plain(text: &str) -> String {
    let is_plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(is_plain).collect()
}

/// Text of which no line is a command to GitHub Actions: `::error::…`, or `##[error]…` anywhere.
fn inert(text: &str) -> String {
    let line = |line: &str| {
        let seen = strip_str(line).to_string();
        let is_command = seen.trim_start().starts_with("::");
        if is_command {
            line.replacen("::", ": :", 1)
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = text.split(['\n', '\r']).map(line).collect();
    lines.join("\n").replace("##[", "## [")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_command_to_github() {
        let text = "a\n::notice::x\r  ::y::z\n\x1b[0m::w\nb ::c\n##[error]d";
        let expected = "a\n: :notice::x\n  : :y::z\n\x1b[0m: :w\nb ::c\n## [error]d";
        assert_eq!(inert(text), expected);
    }

    #[test]
    fn a_warning_keeps_its_lines_and_nothing_else_that_acts() {
        assert_eq!(plain("a\n\tb\x1b[31m\rc"), "a\n\tb[31mc");
    }
}
