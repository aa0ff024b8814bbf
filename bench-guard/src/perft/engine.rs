//! Asks an engine for its counts. The command, and the place of the number in the answer, differ
//! from engine to engine, so both are found out at the start position, whose 8902 leaves at depth 3
//! are unmistakable. An engine that counts these wrong may still have 400 at depth 2.

use std::time::Duration;

use engine_client::{Engine, Fault, Launch, Timeouts};
use foundation::Failure;

/// Leaves of the start position at these depths.
const KNOWN: [(u32, u64); 2] = [(3, 8902), (2, 400)];

/// How long to wait for an engine that does not know a command.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Makes an engine print what it keeps in a buffer.
const REMINDER: Option<&str> = Some("isready\n");

/// What an engine is expected to print, in words.
const LEAVES: &str = "the number of leaves";

/// The commands by which engines count.
const COMMANDS: [&str; 3] = ["go perft", "perft", "perftree"];

/// The command that an engine understands, and the text before the number in its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wording {
    command: &'static str,
    shape: Shape,
}

impl Wording {
    /// Finds out the engine's command. Each is tried with a process of its own: an engine may take
    /// one for a search without end, or wait for more words.
    ///
    /// # Errors
    /// It has no such command, or counts the start position wrong.
    pub(crate) async fn find(launch: &Launch, timeouts: Timeouts) -> Result<Self, Failure> {
        for known in KNOWN {
            for command in COMMANDS {
                let mut engine = Engine::start(launch, timeouts).await?;
                let timeout = timeouts.answer.min(TIMEOUT);
                let found = tried(&mut engine, command, known, timeout).await;
                engine.quit().await;
                if let Some(wording) = found {
                    return Ok(wording);
                }
            }
        }
        let (depth, leaves) = KNOWN[0];
        Err(Failure::unable(format!(
            "`{}` gives {leaves} for none of {}",
            launch.name,
            COMMANDS.map(|command| format!("`{command} {depth}`")).join(", ")
        ))
        .hint("perft needs a UCI command `go perft N`, or `perft N`, that prints the leaves of the position that was set"))
    }
}

/// An engine whose wording is known.
pub(crate) struct Counter<'a> {
    engine: &'a mut Engine,
    wording: Wording,
    limit: Duration,
}

impl<'a> Counter<'a> {
    /// One count may take as long as `limit`.
    pub(crate) fn new(engine: &'a mut Engine, wording: Wording, limit: Duration) -> Self {
        Self {
            engine,
            wording,
            limit,
        }
    }

    /// The engine's number of leaves at a position.
    ///
    /// # Errors
    /// It ended, or did not answer in time.
    pub(crate) async fn count(&mut self, fen: &str, depth: u32) -> Result<u64, Fault> {
        let lines = format!(
            "ucinewgame\nposition fen {fen}\n{} {depth}\n",
            self.wording.command
        );
        let shape = &self.wording.shape;
        let mut count = None;
        self.engine
            .converse_until(&lines, REMINDER, LEAVES, self.limit, |line| {
                count = number_after(line, shape, depth);
                count.is_some()
            })
            .await?;
        Ok(count.unwrap_or_default())
    }
}

async fn tried(
    engine: &mut Engine,
    command: &'static str,
    (depth, leaves): (u32, u64),
    timeout: Duration,
) -> Option<Wording> {
    let mut shape = None;
    let lines = format!("ucinewgame\nposition startpos\n{command} {depth}\n");
    let _ = engine
        .converse_until(&lines, REMINDER, LEAVES, timeout, |line| {
            shape = shape_before(line, leaves, depth);
            shape.is_some()
        })
        .await;
    shape.map(|shape| Wording { command, shape })
}

/// The text before a number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shape {
    /// With a placeholder for each number.
    text: String,
    /// Which of these numbers is the depth. Another, like the time, may equal it by chance.
    depth: Option<usize>,
}

/// The text before the known number.
fn shape_before(line: &str, number: u64, depth: u32) -> Option<Shape> {
    let (number, depth) = (number.to_string(), depth.to_string());
    let (from, _) = numbers(line).find(|(from, to)| line[*from..*to] == number)?;
    let before = &line[..from];
    let equal: Vec<(usize, usize)> = numbers(before)
        .enumerate()
        .filter(|(_, (from, to))| before[*from..*to] == depth)
        .map(|(at, (from, _))| (at, from))
        .collect();
    let named = equal
        .iter()
        .find(|(_, from)| before[..*from].trim_end().ends_with("depth"));
    Some(Shape {
        text: text_of(before),
        depth: named.or(equal.first()).map(|(at, _)| *at),
    })
}

/// The first number that follows such a text.
fn number_after(line: &str, wanted: &Shape, depth: u32) -> Option<u64> {
    let depth = depth.to_string();
    let is_wanted = |before: &str| {
        let is_depth = |at| {
            numbers(before)
                .nth(at)
                .is_some_and(|(from, to)| before[from..to] == depth)
        };
        text_of(before) == wanted.text && wanted.depth.is_none_or(is_depth)
    };
    numbers(line)
        .find(|(from, _)| is_wanted(&line[..*from]))
        .and_then(|(from, to)| line[from..to].parse().ok())
}

/// Where the numbers of a line are; digits within a word do not count.
fn numbers(line: &str) -> impl Iterator<Item = (usize, usize)> {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let starts = line
        .char_indices()
        .filter(move |(at, c)| is_word(*c) && !line[..*at].ends_with(is_word));
    starts.filter_map(move |(from, _)| {
        let rest = &line[from..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        word.bytes()
            .all(|b| b.is_ascii_digit())
            .then_some((from, from + length))
    })
}

/// The text with a placeholder for each number, and blanks between words.
fn text_of(text: &str) -> String {
    let mut shape = String::new();
    let mut end = 0;
    for (from, to) in numbers(text) {
        shape.push_str(&text[end..from]);
        shape.push('#');
        end = to;
    }
    shape.push_str(&text[end..]);
    shape.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_found_where_the_known_one_stood() {
        for (known, other, expected) in [
            ("Nodes searched: 8902", "Nodes searched: 97", Some(97)),
            (
                "perft 3 = 8902 (12 ms)",
                "perft 4 = 197281 (8 ms)",
                Some(197_281),
            ),
            (
                "info depth 3 nodes 8902 time 1",
                "info depth 4 nodes 5 time 9",
                Some(5),
            ),
            // A time that equals the depth.
            (
                "info depth 3 time 0 nodes 8902",
                "info depth 4 time 4 nodes 5",
                Some(5),
            ),
            (
                "info depth 3 time 3 nodes 8902",
                "info depth 4 time 1 nodes 5",
                Some(5),
            ),
            (
                "info time 3 depth 3 nodes 8902",
                "info time 4 depth 4 nodes 5",
                Some(5),
            ),
            // An earlier depth of the same engine.
            (
                "info depth 3 nodes 8902 time 1",
                "info depth 2 nodes 5 time 9",
                None,
            ),
            ("8902", "12", Some(12)),
            ("8902", "e2e4: 12", None),
            ("  Total:   8902", "Total: 7", Some(7)),
            ("8902 nodes 100 nps", "44 nodes 100 nps", Some(44)),
        ] {
            let shape = shape_before(known, 8902, 3).expect(known);
            assert_eq!(number_after(other, &shape, 4), expected, "{other}");
        }
        assert_eq!(shape_before("e2e4: 600", 8902, 3), None);
        assert_eq!(shape_before("18902 a8902", 8902, 3), None);
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_too_odd(line in "([0-9]|\\PC| ){0,40}") {
            if let Some(shape) = shape_before(&line, 8902, 3) {
                let _ = number_after(&line, &shape, 3);
            }
        }
    }
}
