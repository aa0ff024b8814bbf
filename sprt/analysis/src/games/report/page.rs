//! The cost of a move, drawn by move number, as an HTML page that loads nothing.

use foundation::counted;
use plot::{Chart, Line};

use crate::games::statistics::{Effort, Statistics};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
/// The colours that a page has for two players.
const CLASSES: [&str; 2] = ["base", "new"];

/// Title of a chart, and what it shows.
type Measure = (&'static str, fn(&Effort) -> Option<f64>);

const MEASURES: [Measure; 4] = [
    ("Seconds a move", Effort::seconds),
    ("Nodes a move", Effort::nodes),
    ("Depth", Effort::depth),
    ("Nodes per second", Effort::nodes_per_second),
];

/// The two players with most games.
pub fn page(statistics: &Statistics) -> String {
    let charts: String = MEASURES
        .iter()
        .filter_map(|measure| chart(statistics, measure))
        .collect();
    let names: Vec<&str> = statistics
        .by_games()
        .into_iter()
        .take(2)
        .map(|(name, _)| name)
        .collect();
    let body = format!(
        "<p>{}; means over each player's own moves that are not out of a book.</p>\n{charts}",
        counted(statistics.games, "game")
    );
    plot::page(&names.join(" and "), &body)
}

/// `None` where no record has it.
fn chart(statistics: &Statistics, (title, of): &Measure) -> Option<String> {
    let window = f64::from(statistics.window);
    let players = statistics.by_games().into_iter().zip(CLASSES);
    let lines: Vec<Line> = players
        .map(|((name, player), class)| {
            let points = player.equal_windows().iter().enumerate();
            Line {
                label: name.to_owned(),
                class: class.to_owned(),
                points: points
                    .filter_map(|(place, effort)| {
                        Some(((place as f64 + 0.5) * window, of(effort)?))
                    })
                    .collect(),
            }
        })
        .filter(|line| line.points.len() > 1)
        .collect();
    let end = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|(x, _)| *x)
        .fold(0.0, f64::max);
    let chart = Chart {
        title: (*title).to_owned(),
        width: WIDTH,
        height: HEIGHT,
        bands: Vec::new(),
        levels: Vec::new(),
        end,
        x_name: "own moves",
        lines,
    };
    (!chart.lines.is_empty()).then(|| chart.svg())
}
