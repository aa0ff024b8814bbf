//! Statistics of games as tables.

use foundation::counted;
use std::collections::BTreeMap;

use crate::games::statistics::{Effort, Statistics};
use crate::table::drawn;
use referee::game::Phase;

/// Players, reasons and openings that are shown; `--json` has all.
const MOST_PLAYERS: usize = 20;
const MOST_REASONS: usize = 12;

pub fn text(statistics: &Statistics) -> String {
    let mut parts = vec![players(statistics), by_part(statistics)];
    parts.extend(counts("how games ended", &statistics.reasons));
    parts.extend(counts("opening", &statistics.openings));
    if let Some(lengths) = statistics.lengths() {
        parts.push(format!(
            "{} of {} to {} half-moves, mean {:.1}, median {}",
            counted(statistics.games, "game"),
            lengths.shortest,
            lengths.longest,
            lengths.mean,
            lengths.median
        ));
    }
    parts.join("\n\n")
}

fn players(statistics: &Statistics) -> String {
    let head = [
        "player", "games", "won", "drawn", "lost", "score", "moves", "s", "nodes", "depth", "kn/s",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, player) in statistics.by_games().into_iter().take(MOST_PLAYERS) {
        let decided = player.wins + player.draws + player.losses;
        let points = player.wins as f64 + player.draws as f64 / 2.0;
        let score = (decided > 0).then(|| format!("{:.1} %", 100.0 * points / decided as f64));
        let counts =
            [player.games, player.wins, player.draws, player.losses].map(|count| count.to_string());
        let mut row = vec![name.to_owned()];
        row.extend(counts);
        row.push(score.unwrap_or_default());
        row.extend(cells(&player.all));
        rows.push(row);
    }
    drawn(rows)
}

/// By phase and by window of moves, for the players with most games.
fn by_part(statistics: &Statistics) -> String {
    let head = ["player", "part", "moves", "s", "nodes", "depth", "kn/s"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, player) in statistics.by_games().into_iter().take(2) {
        let phases = Phase::ALL.iter().map(|phase| phase.name().to_owned());
        let windows = statistics.named_windows(player);
        let windows = windows.map(|(name, effort)| (format!("moves {name}"), effort));
        let parts = phases.zip(&player.phases).chain(windows);
        for (part, effort) in parts.filter(|(_, effort)| effort.moves > 0) {
            rows.push([vec![name.to_owned(), part], cells(effort).to_vec()].concat());
        }
    }
    drawn(rows)
}

fn cells(effort: &Effort) -> [String; 5] {
    let shown = |value: Option<f64>, decimals: usize| {
        value.map_or_else(String::new, |value| format!("{value:.decimals$}"))
    };
    [
        effort.moves.to_string(),
        shown(effort.seconds(), 3),
        shown(effort.nodes(), 0),
        shown(effort.depth(), 1),
        shown(effort.nodes_per_second().map(|it| it / 1000.0), 0),
    ]
}

fn counts(head: &str, counts: &BTreeMap<String, u64>) -> Option<String> {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut rows = vec![vec![head.to_owned(), "games".to_owned()]];
    rows.extend(
        sorted
            .iter()
            .take(MOST_REASONS)
            .map(|(name, count)| vec![(*name).clone(), count.to_string()]),
    );
    (!counts.is_empty()).then(|| drawn(rows))
}
