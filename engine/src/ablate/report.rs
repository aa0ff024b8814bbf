//! The results of `ablate` as a table and as a JSON object.

use std::fmt::Write as _;

use super::duel::Duel;
use super::request::Request;
use super::suite::Suite;

/// One technique; the first row is the engine as it is set.
pub(super) struct Row {
    pub name: String,
    pub nodes: u64,
    pub solved: Option<usize>,
    pub duel: Option<Duel>,
}

pub(super) struct Report {
    depth: i32,
    nodes: u64,
    games: u32,
    seed: u64,
    positions: usize,
    rows: Vec<Row>,
}

impl Report {
    pub fn new(request: &Request, suite: Option<&Suite>) -> Self {
        Self {
            depth: request.depth,
            nodes: request.nodes,
            games: request.games,
            seed: request.seed,
            positions: suite.map_or(0, Suite::len),
            rows: Vec::new(),
        }
    }

    pub fn head(&self) -> String {
        let depth = format!("nodes to depth {}", self.depth);
        let elo = format!("Elo at {} nodes (95%)", self.nodes);
        format!(
            "{:<44} {depth:>18} {:>7} {:>9} {elo:>26}   W L D",
            "technique", "ratio", "suite"
        )
    }

    /// Takes a row and returns it as a line of the table.
    pub fn add(&mut self, row: Row) -> String {
        let base = self.rows.first().map_or(row.nodes, |base| base.nodes);
        let ratio = row.nodes as f64 / base.max(1) as f64;
        let suite = row.solved.map_or("-".to_owned(), |solved| {
            format!("{solved}/{}", self.positions)
        });
        let (mut elo, mut games) = ("-".to_owned(), String::new());
        if let Some(duel) = row.duel {
            games = format!("{} {} {}", duel.wins, duel.losses, duel.draws);
            if let Some([low, value, high]) = duel.elo() {
                elo = format!("{value:.1} [{low:.1}, {high:.1}]");
            }
        }
        let line = format!(
            "{:<44} {:>18} {ratio:>7.3} {suite:>9} {elo:>26}   {games}",
            row.name, row.nodes
        );
        self.rows.push(row);
        line.trim_end().to_owned()
    }

    /// Figures that do not exist, or are infinite, are null.
    pub fn json(&self) -> String {
        let mut text = format!(
            r#"{{"schema":"ablation","version":1,"depth":{},"nodes":{},"games":{},"seed":{},"positions":{},"rows":["#,
            self.depth, self.nodes, self.games, self.seed, self.positions
        );
        for (index, row) in self.rows.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let solved = row
                .solved
                .map_or("null".to_owned(), |solved| solved.to_string());
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                r#"{comma}{{"name":"{}","nodes":{},"solved":{solved}"#,
                row.name, row.nodes
            );
            if let Some(duel) = row.duel {
                let finite = |value: f64| {
                    if value.is_finite() {
                        format!("{value:.2}")
                    } else {
                        "null".to_owned()
                    }
                };
                let [low, value, high] = duel.elo().unwrap_or([f64::NAN; 3]).map(finite);
                let _ = write!(
                    text,
                    r#","wins":{},"losses":{},"draws":{},"elo":{{"low":{low},"value":{value},"high":{high}}}"#,
                    duel.wins, duel.losses, duel.draws
                );
            }
            text.push('}');
        }
        text.push_str("]}");
        text
    }
}
