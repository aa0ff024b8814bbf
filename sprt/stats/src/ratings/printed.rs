//! Ratings as BayesElo prints them.

use std::fmt::Write as _;

use super::{BayesElo, CrossTable, ranking};

/// The output of BayesElo's `ratings`, with players who have not played last and without figures.
/// Without ratings, players are ordered by their score.
pub fn rating_table(names: &[&str], table: &CrossTable, ratings: Option<&BayesElo>) -> String {
    let width = name_width(names).max(4);
    let mut text = format!(
        "Rank {:width$} {:>5} {:>4} {:>4} {:>5} {:>5} {:>5} {:>5}\n",
        "Name", "Elo", "+", "-", "games", "score", "oppo.", "draws"
    );
    for (place, player) in ranking(table, ratings).into_iter().enumerate() {
        let rating = ratings.and_then(|all| all.ratings[player]);
        let rating = rating.map(|it| [it.elo, it.plus, it.minus, it.opposition].map(rounded));
        let [elo, plus, minus, opposition] = rating.unwrap_or_default();
        let results = table.of(player);
        let games = results.games();
        let share = |points: f64| {
            if games == 0 {
                String::new()
            } else {
                format!("{}%", rounded(100.0 * points / games as f64))
            }
        };
        let score = share(results.wins as f64 + results.draws as f64 / 2.0);
        let draws = share(results.draws as f64);
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{:>4} {:width$} {elo:>5} {plus:>4} {minus:>4} {games:>5} {score:>5} \
             {opposition:>5} {draws:>5}",
            place + 1,
            names[player],
        );
    }
    text
}

/// The output of BayesElo's `los`: the likelihood of superiority of the row's player in percent,
/// rounded down, under the first two letters of the column's.
pub fn los_table(names: &[&str], table: &CrossTable, ratings: &BayesElo) -> String {
    let width = name_width(names);
    let order: Vec<usize> = ranking(table, Some(ratings))
        .into_iter()
        .filter(|&player| ratings.ratings[player].is_some())
        .collect();
    let mut text = format!("{:width$} ", "");
    for &player in &order {
        let start: String = names[player].chars().take(2).collect();
        let _ = write!(text, "{start:>3}");
    }
    text.push('\n');
    for &player in &order {
        let _ = write!(text, "{:width$} ", names[player]);
        for &opponent in &order {
            let percent = ratings.superiority[player][opponent]
                .map_or(String::new(), |los| ((100.0 * los) as u32).to_string());
            let _ = write!(text, "{percent:>3}");
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

fn name_width(names: &[&str]) -> usize {
    names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
}

/// Without decimals, and without a minus before zero.
fn rounded(value: f64) -> String {
    format!("{}", value.round() + 0.0)
}
