//! The searches of several engines side by side: sums, means, and the positions in the order of
//! their differences. Pure.

use engine_client::EngineScore;
use schemars::JsonSchema;
use serde::Serialize;

use super::trace::SearchTrace;
use crate::report::Object;

/// What is printed with `--json`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Comparison {
    /// The first engine, with which the others are compared.
    a: String,
    /// The second one.
    b: String,
    pub(crate) depth: u32,
    total_a: u64,
    total_b: u64,
    pub(crate) engines: Vec<EngineSum>,
    /// Largest difference first.
    pub(crate) positions: Vec<Row>,
}

impl Object for Comparison {
    const SCHEMA: &'static str = "bench-guard-compare";
}

/// An engine over all positions.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EngineSum {
    pub(crate) name: String,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    /// Geometric mean over the positions of the growth of nodes a ply, over the second half of the
    /// depths; null where the engine told too little.
    pub(crate) branching_factor: Option<f64>,
    /// Nodes to each depth.
    pub(crate) depths: Vec<DepthMean>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DepthMean {
    pub(crate) depth: u32,
    /// Geometric mean over the positions that have a count.
    pub(crate) nodes: f64,
    /// The number of these positions.
    pub(crate) positions: usize,
}

/// One position.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Row {
    pub(crate) fen: String,
    a: u64,
    b: u64,
    /// b / a; null where a counted none.
    pub(crate) ratio: Option<f64>,
    /// In the order of the engines.
    pub(crate) engines: Vec<Cell>,
}

/// An engine's search of one position.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Cell {
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    /// Centipawns, from the mover's point of view; null where a mate was told, or nothing.
    score: Option<i32>,
    /// Moves to mate; negative where the mover is mated.
    mate: Option<i32>,
    branching_factor: Option<f64>,
    /// Nodes to each depth.
    depths: Vec<(u32, u64)>,
    #[serde(skip)]
    pub(crate) reported_score: Option<EngineScore>,
}

impl Comparison {
    /// Joins the searches of each engine, one for each position; there are at least two engines.
    pub(crate) fn new(
        names: &[String],
        fens: &[String],
        depth: u32,
        traces: &[Vec<SearchTrace>],
    ) -> Self {
        let engines: Vec<EngineSum> = names
            .iter()
            .zip(traces)
            .map(|(name, traces)| EngineSum::new(name, traces))
            .collect();
        let mut positions: Vec<Row> = fens
            .iter()
            .enumerate()
            .map(|(index, fen)| Row::new(fen, traces.iter().map(|engine| &engine[index])))
            .collect();
        // Equal ones stay in the order of the positions.
        positions.sort_by(|x, y| y.spread().total_cmp(&x.spread()));
        Self {
            a: names[0].clone(),
            b: names[1].clone(),
            depth,
            total_a: engines[0].nodes,
            total_b: engines[1].nodes,
            engines,
            positions,
        }
    }
}

impl EngineSum {
    fn new(name: &str, traces: &[SearchTrace]) -> Self {
        let deepest = traces.iter().filter_map(|trace| trace.depths.last());
        let deepest = deepest.map(|(depth, _)| *depth).max().unwrap_or(0);
        let depths = (1..=deepest).filter_map(|depth| {
            let reported = traces.iter().filter_map(|trace| trace.nodes_to(depth));
            let reported: Vec<f64> = reported.map(|nodes| nodes as f64).collect();
            Some(DepthMean {
                depth,
                nodes: geometric_mean(&reported)?,
                positions: reported.len(),
            })
        });
        let factors = traces.iter().filter_map(SearchTrace::branching_factor);
        Self {
            name: name.to_owned(),
            nodes: traces.iter().filter_map(|trace| trace.nodes).sum(),
            seconds: traces.iter().map(|trace| trace.seconds).sum(),
            branching_factor: geometric_mean(&factors.collect::<Vec<_>>()),
            depths: depths.collect(),
        }
    }

    pub(crate) fn nodes_to(&self, depth: u32) -> Option<f64> {
        let mean = self.depths.iter().find(|mean| mean.depth == depth);
        mean.map(|mean| mean.nodes)
    }
}

impl Row {
    fn new<'a>(fen: &str, traces: impl Iterator<Item = &'a SearchTrace>) -> Self {
        let engines: Vec<Cell> = traces.map(Cell::new).collect();
        let (a, b) = (engines[0].nodes, engines[1].nodes);
        Self {
            fen: fen.to_owned(),
            a,
            b,
            ratio: (a > 0).then(|| b as f64 / a as f64),
            engines,
        }
    }

    /// How far from equal, in either direction: ln(most / least), with one node added to each so
    /// that zero nodes cause no trouble.
    fn spread(&self) -> f64 {
        let nodes = || self.engines.iter().map(|cell| cell.nodes as f64 + 1.0);
        let (least, most) = (
            nodes().fold(f64::INFINITY, f64::min),
            nodes().fold(0.0, f64::max),
        );
        (most / least).ln()
    }
}

impl Cell {
    fn new(trace: &SearchTrace) -> Self {
        let (score, mate) = match trace.score {
            Some(EngineScore::Cp(score)) => (Some(score), None),
            Some(EngineScore::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Self {
            nodes: trace.nodes.unwrap_or(0),
            seconds: trace.seconds,
            score,
            mate,
            branching_factor: trace.branching_factor(),
            depths: trace.depths.clone(),
            reported_score: trace.score,
        }
    }
}

/// The geometric mean of numbers of at least 0, each counted as 1 at least.
fn geometric_mean(numbers: &[f64]) -> Option<f64> {
    let sum: f64 = numbers.iter().map(|number| number.max(1.0).ln()).sum();
    (!numbers.is_empty()).then(|| (sum / numbers.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(nodes: u64) -> SearchTrace {
        SearchTrace {
            depths: vec![(1, nodes / 4), (2, nodes)],
            nodes: Some(nodes),
            ..SearchTrace::default()
        }
    }

    fn compared(engines: &[&[u64]]) -> Comparison {
        let names: Vec<String> = (0..engines.len()).map(|index| index.to_string()).collect();
        let fens = ["x", "y", "z"].map(str::to_owned);
        let traces: Vec<Vec<SearchTrace>> = engines
            .iter()
            .map(|nodes| nodes.iter().map(|nodes| trace(*nodes)).collect())
            .collect();
        Comparison::new(&names, &fens[..engines[0].len()], 2, &traces)
    }

    #[test]
    fn the_largest_difference_comes_first_whichever_way_it_leans() {
        let compared = compared(&[&[100, 100, 0], &[110, 20, 0]]);
        let order: Vec<&str> = compared
            .positions
            .iter()
            .map(|row| row.fen.as_str())
            .collect();
        assert_eq!(order, ["y", "x", "z"]);
        assert_eq!(compared.positions[0].ratio, Some(0.2));
        assert_eq!(compared.positions[2].ratio, None);
    }

    #[test]
    fn with_three_engines_the_extremes_count() {
        let compared = compared(&[&[100, 100], &[100, 110], &[400, 100]]);
        assert_eq!(compared.positions[0].fen, "x");
        assert_eq!(compared.positions[0].ratio, Some(1.0));
        let nodes: Vec<u64> = compared.engines.iter().map(|engine| engine.nodes).collect();
        assert_eq!(nodes, [200, 210, 500]);
    }

    #[test]
    fn means_over_positions_are_geometric() {
        let compared = compared(&[&[100, 10_000], &[100, 100]]);
        let mean = compared.engines[0].nodes_to(2).expect("reported");
        assert!((mean - 1_000.0).abs() < 1e-6, "{mean}");
        assert_eq!(compared.engines[0].nodes_to(3), None);
        let factor = compared.engines[0].branching_factor.expect("two depths");
        assert!((factor - 4.0).abs() < 1e-9, "{factor}");
    }
}
