//! A worker's side, after OpenBench's `Client/worker.py` and `Client/pgn_util.py`: how it reads the
//! runner's stdout and the games' file. Where Python would raise, this panics or returns an error.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex_lite::Regex;

/// What a worker makes of stdout.
#[derive(Debug, Default)]
pub struct Results {
    /// Losses, draws and wins of dev.
    pub trinomial: [u32; 3],
    pub pentanomial: [u32; 5],
    pub crashes: u32,
    pub timelosses: u32,
    pub illegals: u32,
    /// Results by game number.
    pub told: BTreeMap<u64, String>,
    /// The lines of the games.
    pub lines: Vec<String>,
    /// Games whose pair is not complete.
    pub halves: usize,
}

impl Results {
    /// Reads stdout up to its end or its first empty line. Everything after that would be lost, so
    /// there must be nothing.
    pub fn read(stdout: &[u8]) -> Result<Self, String> {
        let mut results = Self::default();
        let mut open = BTreeMap::new();
        for line in stdout.split_inclusive(|byte| *byte == b'\n') {
            if !line.ends_with(b"\n") {
                return Err("a line is torn".to_owned());
            }
            let line = line.trim_ascii();
            if line.is_empty() {
                return Err("an empty line ends the reading".to_owned());
            }
            if !line.is_ascii() {
                return Err("a byte is not ASCII".to_owned());
            }
            let line = std::str::from_utf8(line).map_err(|error| error.to_string())?;
            if line.contains("Finished game") {
                results.update(line, &mut open)?;
            } else if !line.contains("Started game") {
                return Err(format!("the worker would echo `{line}`"));
            }
        }
        results.halves = open.len();
        Ok(results)
    }

    fn update(&mut self, line: &str, open: &mut BTreeMap<u64, u32>) -> Result<(), String> {
        let reason = line.split(':').nth(1).ok_or("no colon")?;
        self.crashes += u32::from(reason.contains("disconnect") || reason.contains("stalls"));
        self.timelosses += u32::from(reason.contains("on time"));
        self.illegals += u32::from(reason.contains("illegal"));

        let tokens: Vec<&str> = line.split_whitespace().collect();
        let game: u64 = tokens[2].parse().map_err(|error| format!("{error}"))?;
        let result = tokens[6].to_owned();
        let white = match result.as_str() {
            "0-1" => 0,
            "1/2-1/2" => 1,
            "1-0" => 2,
            other => return Err(format!("KeyError: {other}")),
        };
        self.lines.push(line.to_owned());
        if self.told.insert(game, result).is_some() {
            return Err(format!("game {game} is told twice"));
        }
        open.insert(game, white);
        let first = if game % 2 == 1 { game } else { game - 1 };
        let (Some(odd), Some(even)) = (open.get(&first), open.get(&(first + 1))) else {
            return Ok(());
        };
        let (odd, even) = (*odd as usize, 2 - *even as usize);
        self.trinomial[odd] += 1;
        self.trinomial[even] += 1;
        self.pentanomial[odd + even] += 1;
        open.retain(|game, _| *game != first && *game != first + 1);
        Ok(())
    }
}

/// A game as the worker reads it back.
#[derive(Debug)]
pub struct WrittenGame {
    pub headers: Vec<(String, String)>,
    /// Moves with their comments.
    pub moves: Vec<(String, String)>,
    /// The first result in the text of the moves.
    pub result: String,
}

impl WrittenGame {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn pattern(text: &'static str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// `pgn_iterator` and `format_movelist`; all of the text must be games.
pub fn read_games(text: &str) -> Vec<WrittenGame> {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r#""([^"]*)""#));
    static MOVE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"\s*(?:\d+\.{1,3} )?([a-zA-Z0-9+=#*-]+) (?:\s*\{\s*([^}]*)\s*\})?")
    });
    static RESULT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*(1-0|0-1|1/2-1/2|\*)"));
    let mut lines = text.lines();
    let mut block = || -> Vec<&str> {
        lines
            .by_ref()
            .map(str::trim_end)
            .take_while(|line| !line.is_empty())
            .collect()
    };
    let mut games = Vec::new();
    loop {
        let (headers, moves) = (block(), block());
        if headers.is_empty() || moves.is_empty() {
            assert!(headers.is_empty(), "a game without moves ends the reading");
            return games;
        }
        let headers = headers
            .iter()
            .map(|line| {
                let name = line.split_whitespace().next().expect("a name");
                let value = VALUE.captures(line).expect("a value");
                (name[1..].to_owned(), value[1].to_owned())
            })
            .collect();
        let moves = moves.join(" ");
        let comment = |found: &regex_lite::Captures<'_>| {
            found
                .get(2)
                .map_or_else(String::new, |comment| comment.as_str().to_owned())
        };
        games.push(WrittenGame {
            headers,
            moves: MOVE
                .captures_iter(&moves)
                .map(|found| (found[1].to_owned(), comment(&found)))
                .collect(),
            result: RESULT
                .captures(&moves)
                .map_or("*", |found| found.extract::<1>().1[0])
                .to_owned(),
        });
    }
}

/// `format_move_comment_verbose`; `None` is `unknown`.
pub fn verbose_comment(comment: &str) -> Option<String> {
    static FIELDS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
        [
            r"((?:[+-]?M?\d+(?:\.\d+)?)/(?:\d+))",
            r"([\d.]+s)",
            r"n=(\d+)",
            r"sd=(\d+)",
            r#"line="([^"]*)""#,
        ]
        .map(pattern)
    });
    let [score, time, nodes, depth, line] = FIELDS
        .each_ref()
        .map(|field| Some(field.captures(comment)?.get(1)?.as_str()));
    let mut text = format!("{} {}, n={}, sd={}", score?, time?, nodes?, depth?);
    if let Some(kept) = line.and_then(|line| line.strip_prefix("info string pgncomment ")) {
        text.push_str(", line=");
        text.push_str(kept);
    }
    Some(text)
}

/// `get_version` and its comparison: the first number of stdout, as integers.
pub fn version(stdout: &str) -> Option<Vec<u32>> {
    let found = pattern(r"\d+\.\d+(\.\d+)?").find(stdout)?;
    found
        .as_str()
        .split('.')
        .map(|part| part.parse().ok())
        .collect()
}

#[test]
fn the_worker_s_rules_are_those_of_the_worker() {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("../../data/finished_game_lines.json")).expect("JSON");
    for case in table.as_array().expect("cases") {
        let lines = case["lines"].as_array().expect("lines");
        let lines: Vec<&str> = lines.iter().filter_map(|line| line.as_str()).collect();
        let read = Results::read((lines.join("\n") + "\n").as_bytes());
        if case["exception"].is_string() {
            assert!(read.is_err(), "{lines:?}");
            continue;
        }
        let (read, expected) = (read.expect("no exception"), &case["result"]);
        assert_eq!(
            serde_json::json!(read.trinomial),
            expected["trinomial"],
            "{lines:?}"
        );
        assert_eq!(
            serde_json::json!(read.pentanomial),
            expected["pentanomial"],
            "{lines:?}"
        );
        let counts = [read.crashes, read.timelosses, read.illegals].map(u64::from);
        let expected = ["crashes", "timelosses", "illegals"].map(|key| expected[key].as_u64());
        assert_eq!(counts.map(Some), expected, "{lines:?}");
    }
}
