//! The words `key=value` after `-engine`, parsed to a [`Side`].

use std::path::PathBuf;

use foundation::Failure;

use super::values::{arguments, number};
use super::warnings::Warnings;
use engine_client::{Limit, Restart, Stage, TimeControl};

/// One of the two engines of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) name: String,
    /// As it was given: relative to `folder` where it has a slash, else looked for there and on the
    /// search path.
    pub(crate) command: String,
    /// The engine's working folder.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) arguments: Vec<String>,
    pub(crate) limit: Limit,
    /// Milliseconds that a move may exceed its time.
    pub(crate) time_margin_ms: u64,
    pub(crate) options: Vec<(String, String)>,
    pub(crate) restart: Restart,
}

/// The settings of an engine so far; `-each` adds to those of `-engine`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SideWords {
    name: Option<String>,
    command: Option<String>,
    folder: Option<PathBuf>,
    arguments: Vec<String>,
    clock: Option<TimeControl>,
    movetime_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time_margin_ms: u64,
    options: Vec<(String, String)>,
    restart: Restart,
}

impl SideWords {
    /// Takes in `key=value`.
    ///
    /// # Errors
    /// The value of a known key cannot be used.
    pub(crate) fn read(
        &mut self,
        key: &str,
        value: &str,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        if let Some(option) = key.strip_prefix("option.") {
            self.options.push((option.to_owned(), value.to_owned()));
            return Ok(());
        }
        match key {
            "name" => self.name = Some(value.to_owned()),
            "cmd" => self.command = Some(value.to_owned()),
            "dir" => self.folder = Some(value.into()),
            "args" => self.arguments = arguments(value),
            "tc" => self.clock = time_control(value)?,
            "st" => self.movetime_ms = Some(movetime(value)?),
            "nodes" => self.nodes = Some(positive("nodes", value)?),
            "depth" | "plies" => {
                self.depth = Some(positive(key, value)?.try_into().unwrap_or(u32::MAX));
            }
            "timemargin" => self.time_margin_ms = number("timemargin", value)?,
            "proto" if value != "uci" => {
                return Err(Failure::unable(format!(
                    "proto={value}: expected uci, the only protocol that is spoken here"
                )));
            }
            "proto" => {}
            "restart" => self.restart = restart(value)?,
            _ => warnings.unknown(format!("{key}={value}"), "-engine"),
        }
        Ok(())
    }

    /// The engine, if enough was said; `number` is its place on the command line, from 1.
    ///
    /// # Errors
    /// It has no program or no limit.
    pub(crate) fn finish(self, number: usize, warnings: &mut Warnings) -> Result<Side, Failure> {
        let Some(command) = self.command else {
            return Err(Failure::unable(format!("engine {number} has no cmd="))
                .hint("name its program: -engine cmd=./engine name=dev tc=8+0.08"));
        };
        // The file's name without folder and extension, as fastchess names what was given no name.
        let stem = || {
            let stem = PathBuf::from(&command);
            let stem = stem
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned());
            stem.unwrap_or_else(|| format!("engine{number}"))
        };
        let name = self
            .name
            .filter(|name| !name.is_empty())
            .unwrap_or_else(stem);
        let mut limit = Limit {
            clock: self.clock,
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime_ms,
        };
        if limit == Limit::default() {
            return Err(
                Failure::unable(format!("engine `{name}` has no time control"))
                    .hint("give it tc=SECONDS+INCREMENT, st=SECONDS, nodes=N or depth=N"),
            );
        }
        if limit.movetime.is_some() && limit.clock.take().is_some() {
            warnings.push(format!(
                "engine `{name}` has two limits; `{limit}` counts, its clock does not"
            ));
        }
        Ok(Side {
            name: word(&name),
            command,
            folder: self.folder,
            arguments: self.arguments,
            limit,
            time_margin_ms: self.time_margin_ms,
            options: self.options,
            restart: self.restart,
        })
    }
}

/// A name that can stand between blanks and before a colon in a line that a worker splits at both.
fn word(name: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_graphic() && *letter != ':';
    name.chars()
        .map(|letter| if is_plain(&letter) { letter } else { '_' })
        .collect()
}

/// `[MOVES/]SECONDS[+INCREMENT]`; `inf`, also after the slash, is no clock at all.
fn time_control(text: &str) -> Result<Option<TimeControl>, Failure> {
    match text
        .strip_prefix("inf")
        .map(|rest| rest.strip_prefix("inite").unwrap_or(rest))
    {
        Some("") => Ok(None),
        _ if text.contains("hg") => Err(Failure::unable(format!(
            "tc={text}: fastchess has no hourglass"
        ))
        .hint("`sprt run --tc hg60` plays with one")),
        // Any number of moves in the time that follows.
        Some(rest) if rest.starts_with('/') => rest[1..].parse().map(Some),
        _ => text.parse().map(Some),
    }
}

/// Whether an engine plays each game with a process of its own.
fn restart(value: &str) -> Result<Restart, Failure> {
    match value {
        "on" => Ok(Restart::Game),
        "off" => Ok(Restart::Never),
        _ => Err(Failure::unable(format!(
            "restart={value}: expected on or off"
        ))),
    }
}

/// Seconds with decimals, in milliseconds.
fn movetime(text: &str) -> Result<u64, Failure> {
    // A time control without moves and increment is a number of seconds.
    let control = text.parse::<TimeControl>();
    match control.map(|control| (control.stage(0), control == control.stage(0).into())) {
        Ok((
            Stage {
                moves: None,
                base_ms,
                increment_ms: 0,
            },
            true,
        )) => Ok(base_ms),
        _ => Err(Failure::unable(format!(
            "st={text}: expected a time in seconds above 0, such as st=0.5"
        ))),
    }
}

fn positive(key: &str, value: &str) -> Result<u64, Failure> {
    match number(key, value)? {
        0 => Err(Failure::unable(format!("{key}=0: expected at least 1"))),
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(words: &[&str]) -> (Result<Side, Failure>, Vec<String>) {
        let mut warnings = Warnings::default();
        let mut side = SideWords::default();
        for word in words {
            let (key, value) = word.split_once('=').expect("key=value");
            if let Err(failure) = side.read(key, value, &mut warnings) {
                return (Err(failure), warnings.all());
            }
        }
        (side.finish(1, &mut warnings), warnings.all())
    }

    fn limit(word: &str) -> Result<String, Failure> {
        let words: Vec<&str> = std::iter::once("cmd=e").chain(word.split(' ')).collect();
        side(&words).0.map(|side| side.limit.openbench())
    }

    #[test]
    fn every_time_control_that_a_worker_writes_is_read() {
        for (words, read) in [
            ("tc=8.00+0.08 timemargin=250", "8.0+0.08s"),
            ("tc=6.80+0.07", "6.8+0.07s"),
            ("tc=40/60.00+0.60", "40/60.0+0.60s"),
            ("tc=40/0.50+0.00", "40/0.5+0.00s"),
            ("tc=60.00+0.00", "60.0+0.00s"),
            ("tc=0.00+1.00", "0.0+1.00s"),
            ("tc=inf/10+0.1", "10.0+0.10s"),
            ("tc=1:30+1s", "90.0+1.00s"),
            ("tc=inf nodes=20000", "N=20000"),
            ("tc=infinite depth=8", "D=8"),
            ("st=0.09", "MT=90"),
            ("st=1.5s", "MT=1500"),
        ] {
            assert_eq!(limit(words).as_deref(), Ok(read), "{words}");
        }
    }

    #[test]
    fn no_time_is_no_time_control() {
        for words in [
            "tc=inf",
            "tc=0.00+0.00",
            "st=0.00",
            "nodes=0",
            "depth=0",
            "tc=hg",
            "tc=hg60",
            "st=1+1",
            "nodes=-3",
            "nodes=1e6",
            "timemargin=-1",
        ] {
            let failure = limit(words).expect_err(words);
            assert!(!failure.message().is_empty(), "{words}");
        }
    }

    #[test]
    fn nodes_and_a_clock_limit_an_engine_together() {
        let (side, warnings) = side(&["cmd=e", "tc=8+0.08", "nodes=5"]);
        let limit = side.expect("an engine").limit;
        assert_eq!(limit.openbench(), "8.0+0.08s N=5");
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn a_clock_beside_a_time_for_each_move_does_not_count() {
        let (side, warnings) = side(&["cmd=e", "tc=8+0.08", "st=5"]);
        assert_eq!(side.expect("an engine").limit, Limit::movetime(5000));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }

    #[test]
    fn names_can_stand_in_the_lines_that_a_worker_splits() {
        for (given, kept) in [
            ("name=Whetstone-dev", "Whetstone-dev"),
            ("name=a b:c", "a_b_c"),
            ("name=café", "caf_"),
            ("cmd=./bin/Engine-1.2", "Engine-1"),
        ] {
            let (side, _) = side(&["cmd=x", "nodes=1", given]);
            assert_eq!(side.map(|side| side.name).as_deref(), Ok(kept));
        }
    }

    #[test]
    fn options_keep_their_names_and_values_whole() {
        let (side, _) = side(&[
            "cmd=e",
            "nodes=1",
            "option.Move Overhead=20",
            "option.Margin=-2",
            "option.Lmr=4.575145946675303",
            "option.SyzygyPath=/tb/a:/tb/b",
        ]);
        let options = side.expect("an engine").options;
        let options: Vec<_> = options
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(
            options,
            [
                ("Move Overhead", "20"),
                ("Margin", "-2"),
                ("Lmr", "4.575145946675303"),
                ("SyzygyPath", "/tb/a:/tb/b")
            ]
        );
    }
}
