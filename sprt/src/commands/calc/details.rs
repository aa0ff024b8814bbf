//! The figures beyond the summary: other models and other programs' conventions for the same
//! counts.

use schemars::JsonSchema;
use serde::Serialize;

use super::row::{Row, estimate, number, percent, row};
use stats::{
    EloFigures, MatchCounts, Test, Wdl, bayes_elo_llr, closed_form_llr, logistic_elo, logistic_llr,
    normalized_elo, normalized_llr, openbench_elo,
};

/// The field names are those of the JSON output.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Details {
    /// With pairs as the independent units, which they are.
    by_pairs: Option<Figures>,
    /// As if every game were independent.
    by_games: Option<Figures>,
    /// From the single games in the BayesElo model; like fishtest, also where a count is zero.
    llr_bayesian: Option<f64>,
}

/// With the test's hypotheses read in each unit.
#[derive(Debug, Serialize, JsonSchema)]
struct Figures {
    llr_normalized: f64,
    /// The closed form that fishtest offers as an approximation.
    llr_normalized_closed_form: f64,
    llr_logistic: f64,
    /// OpenBench's, with Student's interval.
    elo: EloFigures,
    /// fishtest's, with half the width of its normal interval.
    elo_regularized: f64,
    elo_regularized_margin: f64,
    los: f64,
    nelo: f64,
    nelo_margin: f64,
    nelo_simple_margin: f64,
}

impl Details {
    pub(super) fn of(test: &Test, score: &MatchCounts) -> Self {
        let games = score.wdl().map(Wdl::worst_to_best);
        Self {
            by_pairs: score
                .pentanomial()
                .and_then(|pairs| Figures::of(test, &pairs.0)),
            by_games: games.and_then(|counts| Figures::of(test, &counts)),
            llr_bayesian: games.and_then(|counts| bayes_elo_llr(&counts, test.elo0, test.elo1)),
        }
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (of, figures) in [("pairs", &self.by_pairs), ("games", &self.by_games)] {
            if let Some(figures) = figures {
                rows.extend(figures.rows(of));
            }
        }
        rows.push(row("LLR bayesian, games", number(self.llr_bayesian, 2)));
        rows
    }
}

impl Figures {
    fn of<const K: usize>(test: &Test, counts: &[u64; K]) -> Option<Self> {
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let logistic = logistic_elo(counts);
        let normalized = normalized_elo(counts);
        Some(Self {
            llr_normalized: normalized_llr(counts, test.elo0, test.elo1),
            llr_normalized_closed_form: closed_form_llr(counts, test.elo0, test.elo1),
            llr_logistic: logistic_llr(counts, test.elo0, test.elo1),
            elo: openbench_elo(counts).into(),
            elo_regularized: logistic.value,
            elo_regularized_margin: logistic.margin,
            los: logistic.los,
            nelo: normalized.value,
            nelo_margin: normalized.margin,
            nelo_simple_margin: normalized.simple_margin,
        })
    }

    fn rows(&self, of: &str) -> [Row; 7] {
        let named = |name: &str, value: String| row(&format!("{name}, {of}"), value);
        let with_margin = |value: f64, margin: f64| format!("{value:.2} +- {margin:.2}");
        [
            named("LLR normalized", number(Some(self.llr_normalized), 2)),
            named(
                "LLR closed form",
                number(Some(self.llr_normalized_closed_form), 2),
            ),
            named("LLR logistic", number(Some(self.llr_logistic), 2)),
            named("Elo", estimate(&self.elo)),
            named(
                "Elo regularized",
                with_margin(self.elo_regularized, self.elo_regularized_margin),
            ),
            named("nElo", with_margin(self.nelo, self.nelo_margin)),
            named("LOS", percent(Some(self.los))),
        ]
    }
}
