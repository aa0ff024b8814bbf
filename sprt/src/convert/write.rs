//! What was asked for, in our words.

use foundation::{Failure, process::word};

use super::options::Asked;
use super::side::Flags;
use super::tool::Tool;

/// Flags of `sprt run` whose value may be left out.
const SWITCHES: [&str; 5] = [
    "syzygy-ignore-50",
    "pgn-min",
    "pgn-crc32",
    "ponder",
    "log-gzip",
];
/// Flags of tournaments alone.
const OF_TOURNAMENTS: [&str; 1] = ["book-policy"];

/// A program and the flags of its engine.
type Engine = (String, Flags);

/// A command line of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Converted {
    /// `run` or `tournament`, and what follows.
    pub(crate) words: Vec<String>,
    /// What is different, a sentence each.
    pub(crate) remarks: Vec<String>,
}

/// Converts the words after the name of a tool's program.
///
/// # Errors
/// They ask for games that cannot be played here, or for none.
pub(crate) fn convert(tool: Tool, words: &[String]) -> Result<Converted, Failure> {
    Asked::read(tool, words)?.write()
}

impl Asked {
    /// # Errors
    /// No match can be made of it.
    fn write(mut self) -> Result<Converted, Failure> {
        let tool = self.tool;
        if self.sides.len() < 2 {
            return Err(Failure::unable(format!(
                "got {} engines, expected two or more",
                self.sides.len()
            ))
            .hint("give -engine cmd=PROGRAM name=NAME tc=SECONDS+INCREMENT for each"));
        }
        let mut engines = Vec::new();
        for (index, mut side) in std::mem::take(&mut self.sides).into_iter().enumerate() {
            for (key, value) in &self.each {
                side.read(tool, key, value, &mut self.remarks)?;
            }
            engines.push(side.finish(index + 1)?);
        }
        self.remarks.dedup();
        let usual = self.usual(&engines);
        let mut words = match <[Engine; 2]>::try_from(engines) {
            Ok(two) if self.kind.is_none_or(|kind| kind != "knock-out") => self.run(two),
            Ok(two) => self.tournament(two.into()),
            Err(engines) => self.tournament(engines),
        }?;
        for (flag, value) in usual {
            put(&mut words, "", flag, value);
        }
        let or_none = |rule: Option<String>| rule.unwrap_or_else(|| "none".to_owned());
        put(&mut words, "", "draw-adj", &or_none(self.draw.take()));
        put(&mut words, "", "resign-adj", &or_none(self.resign.take()));
        let is_run = words[0] == "run";
        let writes_pgn = self.flags.iter().any(|(flag, _)| *flag == "pgn");
        for (flag, value) in &self.flags {
            let is_idle = match *flag {
                "pgn-crc32" => !writes_pgn,
                flag => is_run && OF_TOURNAMENTS.contains(&flag),
            };
            if !is_idle {
                put(&mut words, "", flag, value);
            }
        }
        Ok(Converted {
            words,
            remarks: self.remarks,
        })
    }

    /// What the tool does where nothing was said, and we would do otherwise.
    fn usual(&mut self, engines: &[Engine]) -> Vec<(&'static str, &'static str)> {
        let of_all = |name: &str| self.flags.iter().any(|(flag, _)| *flag == name);
        let has = |(_, flags): &Engine, name: &str| flags.iter().any(|(flag, _)| *flag == name);
        let is_timed = |it: &Engine| has(it, "tc") || has(it, "movetime");
        let mut usual = Vec::new();
        if !of_all("concurrency") && !self.is_quick {
            usual.push(("concurrency", "1"));
        }
        // The margin of one engine counts before that of all.
        if engines
            .iter()
            .any(|it| is_timed(it) && !has(it, "time-margin"))
        {
            usual.push(("time-margin", "0"));
        }
        let has_book = of_all("book");
        let sets = |(_, flags): &Engine, name: &str| {
            let mut options = flags.iter().filter(|(flag, _)| *flag == "option");
            options.any(|(_, value)| value.starts_with(&format!("{name}=")))
        };
        let are_set = |name: &str| engines.iter().all(|it| sets(it, name));
        if !are_set("Hash") || !are_set("Threads") {
            self.remark("engines get Hash=16 and Threads=1 unless told otherwise; there, they keep their own defaults");
        }
        if !has_book {
            self.remark("without -openings, games begin with the openings embedded here; there, with the start position");
        }
        usual
    }

    /// The first engine is the one whose results are reported, as NEW's are here.
    fn run(&mut self, [new, base]: [Engine; 2]) -> Result<Vec<String>, Failure> {
        let mut words = vec!["run".to_owned(), base.0, new.0];
        for (side, flags) in [("base-", base.1), ("new-", new.1)] {
            for (flag, value) in flags {
                put(&mut words, side, flag, &value);
            }
        }
        let games = self.games.max(1).saturating_mul(self.rounds.max(1));
        let Some(test) = self.test.take() else {
            if !self.repeats {
                put(&mut words, "", "games-per-opening", "1");
            }
            let games = if self.repeats {
                self.even_games()
            } else {
                games
            };
            put(&mut words, "", "games", &games.to_string());
            if let Some(colors) = self.colors() {
                put(&mut words, "", "colors", colors);
            }
            return Ok(words);
        };
        if !self.swaps {
            return Err(Failure::unable(
                "-noswap with -sprt: a test counts pairs of games with both colours",
            )
            .hint("leave out -noswap"));
        }
        if !self.repeats {
            self.remarks.push(
                "each opening is played with both colours, for the test counts pairs of games"
                    .to_owned(),
            );
        }
        if self.tool == Tool::Cutechess {
            self.remarks.push(
                "cutechess tests single games, this tests pairs: verdicts come sooner".to_owned(),
            );
        }
        for (flag, value) in test {
            put(&mut words, "", flag, &value);
        }
        let games = self.even_games();
        put(&mut words, "", "max-games", &games.to_string());
        if self.is_reversed {
            put(&mut words, "", "colors", "base-first");
        }
        Ok(words)
    }

    /// The games of two engines, as pairs.
    fn even_games(&mut self) -> u64 {
        let games = self.games.max(1).saturating_mul(self.rounds.max(1));
        if games.is_multiple_of(2) {
            return games;
        }
        let even = games.saturating_add(1);
        self.remarks.push(format!(
            "games are played in pairs: {even} of two engines, not {games}"
        ));
        even
    }

    fn colors(&self) -> Option<&'static str> {
        match (self.swaps, self.is_reversed) {
            (true, false) => None,
            (true, true) => Some("base-first"),
            (false, false) => Some("new-white"),
            (false, true) => Some("base-white"),
        }
    }

    fn tournament(&mut self, engines: Vec<Engine>) -> Result<Vec<String>, Failure> {
        if self.test.is_some() {
            return Err(Failure::unable(format!(
                "-sprt with {} engines: a test compares two",
                engines.len()
            ))
            .hint("leave out -sprt, or all engines but two"));
        }
        if !self.swaps || self.is_reversed {
            self.remarks.push(
                "-noswap and -reverse: in a tournament, engines play each opening with both colours"
                    .to_owned(),
            );
        }
        if !self.repeats {
            self.remarks.push(
                "in a tournament, each opening is played twice, with both colours".to_owned(),
            );
        }
        let mut words = vec!["tournament".to_owned()];
        for (program, flags) in engines {
            let flags = flags
                .iter()
                .map(|(flag, value)| word(&format!("{flag}={value}")));
            let spec: Vec<String> = std::iter::once(word(&program)).chain(flags).collect();
            words.extend(["--engine".to_owned(), spec.join(" ")]);
        }
        put(&mut words, "", "kind", self.kind.unwrap_or("round-robin"));
        if let Some(seeds) = &self.seeds {
            put(&mut words, "", "seeds", seeds);
        }
        let rounds = self.even_games().div_ceil(2);
        put(&mut words, "", "rounds", &rounds.to_string());
        Ok(words)
    }
}

/// A value that looks like a flag stands behind an equals sign, and so does one that may be left
/// out.
fn put(words: &mut Vec<String>, side: &str, flag: &str, value: &str) {
    if value.is_empty() && SWITCHES.contains(&flag) {
        words.push(format!("--{side}{flag}"));
    } else if value.starts_with('-') || SWITCHES.contains(&flag) {
        words.push(format!("--{side}{flag}={value}"));
    } else {
        words.extend([format!("--{side}{flag}"), value.to_owned()]);
    }
}
