//! What was found of each setting.

use std::collections::BTreeMap;

use analysis::blunders::figures::Estimate;
use runs::pair_record::PairLine;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloFigures, openbench_elo};

use crate::checks::prober::{Trace, share_changed};

/// One setting against the baseline, which is the first of all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Ablated {
    pub name: String,
    pub options: BTreeMap<String, String>,
    /// To the depth, over all positions; null where the engine reports none.
    pub nodes: Option<u64>,
    /// Nodes over the baseline's.
    pub ratio: Option<f64>,
    /// The share of positions whose move or score changes.
    pub changed: f64,
    /// Whether no move, score or count of nodes changes: it is not measured any further.
    pub changes_nothing: bool,
    pub suite: Option<SuiteResult>,
    pub games: Option<Games>,
    /// A game, with its 95% interval; null without a judge.
    pub blunders: Option<Rate>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SuiteResult {
    pub solved: usize,
    pub searches: usize,
    pub points: u64,
    pub most_points: u64,
}

/// Against the baseline, from the setting's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Games {
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    /// Pairs by twice their score.
    pub pentanomial: [u64; 5],
    /// Null where all pairs have the same score. A bound is null where the interval of the score
    /// goes below 0 or above 1.
    pub elo: Option<EloFigures>,
}

/// A figure with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Rate {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

impl From<Estimate> for Rate {
    fn from(Estimate { low, value, high }: Estimate) -> Self {
        Self { low, value, high }
    }
}

impl Ablated {
    /// The results of fixed searches with a setting.
    pub(crate) fn of_searches(&self, base: &Trace, own: &Trace) -> Self {
        let nodes = total(own);
        let before = total(base).filter(|nodes| *nodes > 0);
        Self {
            nodes,
            ratio: nodes
                .zip(before)
                .map(|(own, base)| own as f64 / base as f64),
            changed: share_changed(base, own),
            changes_nothing: base == own,
            ..self.clone()
        }
    }
}

fn total(trace: &Trace) -> Option<u64> {
    trace.iter().map(|answer| answer.nodes).sum()
}

/// The games of every setting against the baseline.
pub(crate) fn games(lines: &[PairLine], baseline: &str) -> BTreeMap<String, Games> {
    let mut found: BTreeMap<String, Games> = BTreeMap::new();
    for line in lines {
        let Some(players) = &line.players else {
            continue;
        };
        // In the journal, `new` is the colour of the first of the two.
        let own = usize::from(players[0] == baseline);
        let entry = found.entry(players[own].clone()).or_default();
        let mut half_points = 0;
        for game in &line.games {
            let is_first = game.winner.map(|winner| winner == game.new);
            match is_first {
                None => {
                    entry.draws += 1;
                    half_points += 1;
                }
                Some(is_first) if is_first == (own == 0) => {
                    entry.wins += 1;
                    half_points += 2;
                }
                Some(_) => entry.losses += 1,
            }
        }
        if line.games.len() == 2 {
            entry.pentanomial[half_points] += 1;
        }
    }
    for entry in found.values_mut() {
        entry.elo = elo(&entry.pentanomial);
    }
    found
}

fn elo(pentanomial: &[u64; 5]) -> Option<EloFigures> {
    // Pairs that all have the same score say nothing of how pairs vary.
    let is_known = pentanomial.iter().filter(|pairs| **pairs > 0).count() > 1;
    is_known.then(|| openbench_elo(pentanomial).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::prober::Answer;

    fn answer(best: &str, nodes: u64) -> Answer {
        Answer {
            best: best.to_owned(),
            score: None,
            nodes: Some(nodes),
        }
    }

    #[test]
    fn a_setting_that_changes_no_search_is_distinguished_from_one_that_changes_nodes() {
        let base = vec![answer("e2e4", 100), answer("d2d4", 300)];
        let row = Ablated::default();
        let same = row.of_searches(&base, &base);
        assert!(same.changes_nothing && same.ratio == Some(1.0) && same.changed == 0.0);
        let slower = vec![answer("e2e4", 300), answer("c2c4", 300)];
        let other = row.of_searches(&base, &slower);
        assert!(!other.changes_nothing && other.ratio == Some(1.5) && other.changed == 0.5);
    }

    fn line(players: [&str; 2], winners: [Option<&str>; 2]) -> PairLine {
        let game = |new: &str, winner: Option<&str>| serde_json::json!({"new": new, "winner": winner, "end": "rules", "text": "", "plies": 9});
        let text = serde_json::json!({
            "pair": 0, "players": players, "games_end": 0,
            "games": [game("white", winners[0]), game("black", winners[1])],
        });
        serde_json::from_value(text).expect("a line")
    }

    #[test]
    fn pairs_that_are_all_alike_have_no_interval() {
        assert_eq!(elo(&[0, 0, 20, 0, 0]), None);
        assert_eq!(elo(&[0; 5]), None);
        assert!(elo(&[0, 1, 20, 1, 0]).is_some());
    }

    #[test]
    fn an_interval_that_goes_below_a_score_of_0_has_no_lower_bound() {
        let elo = elo(&[4, 0, 1, 1, 0]).expect("a figure");
        assert_eq!(elo.low, Some(f64::NEG_INFINITY));
        assert!(elo.value < elo.high, "{elo:?}");
    }

    #[test]
    fn games_are_counted_from_the_view_of_the_setting() {
        let lines = [
            // The setting has White in the first game and Black in the second.
            line(["x", BASE], [Some("white"), None]),
            line([BASE, "x"], [Some("white"), Some("black")]),
        ];
        let found = games(&lines, BASE)["x"];
        assert_eq!((found.wins, found.losses, found.draws), (1, 2, 1));
        assert_eq!(found.pentanomial, [1, 0, 0, 1, 0]);
        assert!(
            found
                .elo
                .is_some_and(|elo| elo.low < elo.value && elo.value < Some(0.0))
        );
    }

    const BASE: &str = "baseline";
}
