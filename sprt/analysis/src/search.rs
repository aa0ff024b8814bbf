//! One question to one engine: what it plays in a position, and from when on it meant to.

use std::time::{Duration, Instant};

use engine_client::{
    Clocks, Color, Dialect, Engine, EngineScore, Fault, Heads, Info, Limit, ScoreQuality, Search,
    node_limit,
};

/// How much longer than its limit a search may take.
const GRACE: Duration = Duration::from_secs(5);
/// Moves of an expected line that are kept: the longest mates of any suite are shorter.
const LONGEST_LINE: usize = 512;

/// What an engine reported during a search, where it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchTrace {
    /// Changes of the move or of the mate that it had in mind, in their order.
    pub changes: Vec<Change>,
    /// Its move.
    pub best: String,
    /// The last line with an exact score, and the moves that it expected.
    pub last: Info,
    pub line: Vec<String>,
    /// The score of the second line, or what it is at most, where the engine reports several.
    pub second: Option<EngineScore>,
    pub elapsed: Duration,
}

/// From here on it meant to play another move, or saw another mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub best: String,
    pub mate: Option<i32>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub ms: u64,
}

/// Searches a position, with nothing kept from the one before.
///
/// # Errors
/// The engine ended, or gave no move within `timeout`, or within what its limit takes.
pub(crate) async fn search(
    engine: &mut Engine,
    dialect: &'static dyn Dialect,
    fen: &str,
    limit: &Limit,
    timeout: Duration,
) -> Result<SearchTrace, Fault> {
    engine.new_game().await?;
    let mut command = String::new();
    let mover = mover(fen);
    let search = Search {
        position: &format!("fen {fen}"),
        mover,
        limit,
        clocks: Clocks::default(),
    };
    dialect.search(&search, &mut command);
    let (mut trace, mut heads) = (SearchTrace::default(), Heads::default());
    let start = Instant::now();
    let longest = timeout.max(duration(limit));
    engine
        .converse_until(&command, None, "bestmove", longest, |line| {
            heads
                .join(dialect, line.trim())
                .is_some_and(|line| trace.add_line((dialect, mover), &line, start.elapsed()))
        })
        .await?;
    trace.elapsed = start.elapsed();
    Ok(trace)
}

/// The side to move, as all positions name it after the pieces.
fn mover(fen: &str) -> Color {
    match fen.split(' ').nth(1) {
        Some(side) if side.eq_ignore_ascii_case("b") => Color::Black,
        _ => Color::White,
    }
}

/// How long a search with this limit may take; zero if the limit does not say.
fn duration(limit: &Limit) -> Duration {
    let time = limit.movetime.map(|ms| Duration::from_millis(ms) + GRACE);
    let nodes = limit.nodes.map(node_limit::timeout);
    time.max(nodes).unwrap_or_default()
}

impl SearchTrace {
    /// Whether the line ends the search.
    fn add_line(
        &mut self,
        (dialect, mover): (&dyn Dialect, Color),
        line: &str,
        elapsed: Duration,
    ) -> bool {
        if let Some(best) = dialect.best_move(line.as_bytes()) {
            self.best = String::from_utf8_lossy(best).into_owned();
            return true;
        }
        self.add_info((dialect, mover), line, elapsed);
        false
    }

    fn add_info(&mut self, (dialect, mover): (&dyn Dialect, Color), line: &str, elapsed: Duration) {
        if is_second(line) {
            self.second = dialect.info(line.as_bytes(), mover).score;
        }
        if dialect.score_quality(line.as_bytes()) != ScoreQuality::Exact {
            return;
        }
        let info = dialect.info(line.as_bytes(), mover);
        let moves = dialect.line_of(line.as_bytes()).unwrap_or_default();
        let moves = String::from_utf8_lossy(moves);
        let moves: Vec<&str> = moves.split_ascii_whitespace().take(LONGEST_LINE).collect();
        let Some(best) = moves.first() else {
            return;
        };
        let mate = match info.score {
            Some(EngineScore::Mate(moves)) => Some(moves),
            _ => None,
        };
        let is_new = |last: &Change| last.best != *best || last.mate != mate;
        // A second line belongs to the first before it.
        if self.line.first().is_none_or(|before| before != best) {
            self.second = None;
        }
        if self.changes.last().is_none_or(is_new) {
            self.changes.push(Change {
                best: (*best).to_owned(),
                mate,
                nodes: info.nodes,
                depth: info.depth,
                ms: elapsed.as_millis() as u64,
            });
        }
        self.last = info;
        self.line = moves.into_iter().map(str::to_owned).collect();
    }
}

/// Whether a line has the score of the second best move, or an upper bound of it, in any order.
fn is_second(line: &str) -> bool {
    let words = line
        .split_ascii_whitespace()
        .take_while(|word| *word != "string");
    let words: Vec<&str> = words.collect();
    words.windows(2).any(|pair| pair == ["multipv", "2"]) && !words.contains(&"lowerbound")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_client::UCI;

    const PLAIN: (&dyn Dialect, Color) = (&UCI, Color::White);

    #[test]
    fn only_changes_of_mind_are_kept() {
        let mut trace = SearchTrace::default();
        for (ms, line) in [
            (1, "info depth 1 score cp 5 nodes 20 pv e2e4"),
            (2, "info depth 2 score cp 9 nodes 50 pv e2e4 e7e5"),
            (3, "info depth 3 score cp 9 lowerbound nodes 60 pv d2d4"),
            (4, "info depth 3 multipv 2 score cp 1 nodes 70 pv a2a3"),
            (5, "info depth 3 score cp 12 nodes 90 pv d2d4 d7d5"),
            (6, "info depth 4 score mate 3 nodes 200 pv d2d4"),
            (7, "bestmove d2d4 ponder d7d5"),
        ] {
            trace.add_line(PLAIN, line, Duration::from_millis(ms));
        }
        let seen: Vec<_> = trace
            .changes
            .iter()
            .map(|it| (it.best.as_str(), it.mate, it.nodes, it.ms))
            .collect();
        assert_eq!(
            seen,
            [
                ("e2e4", None, Some(20), 1),
                ("d2d4", None, Some(90), 5),
                ("d2d4", Some(3), Some(200), 6)
            ]
        );
        assert_eq!((trace.best.as_str(), trace.line.len()), ("d2d4", 1));
        assert_eq!(trace.last.depth, Some(4));
    }

    #[test]
    fn the_second_line_belongs_to_the_first_before_it() {
        let mut trace = SearchTrace::default();
        let mut hear = |line: &str| {
            trace.add_line(PLAIN, line, Duration::ZERO);
            trace.second
        };
        let seen = [
            "info depth 5 multipv 1 score cp 90 nodes 9 pv e2e4",
            "info depth 5 multipv 2 score cp -30 nodes 9 pv d2d4",
            "info depth 6 multipv 1 score cp 95 nodes 20 pv e2e4",
            "info depth 6 multipv 2 score cp -40 lowerbound nodes 20 pv d2d4",
            "info depth 6 multipv 3 score cp -80 nodes 20 pv a2a3",
            "info depth 7 multipv 1 score cp 20 nodes 30 pv d2d4",
            "info depth 7 multipv 2 score mate -3 nodes 30 pv e2e4",
            "info depth 8 multipv 2 score cp -90 upperbound nodes 40 pv e2e4",
            "info depth 9 score cp -95 nodes 50 pv e2e4 multipv 2",
            "info depth 9 score cp -99 lowerbound multipv 2 nodes 60 pv e2e4",
        ]
        .map(&mut hear);
        let of = |cp| Some(EngineScore::Cp(cp));
        let mate = Some(EngineScore::Mate(-3));
        assert_eq!(
            seen,
            [
                None,
                of(-30),
                of(-30),
                of(-30),
                of(-30),
                None,
                mate,
                of(-90),
                of(-95),
                of(-95)
            ]
        );
    }
}
