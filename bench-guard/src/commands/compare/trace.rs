//! What an engine reported in the search of one position, depth by depth. Pure.

use engine_client::{Dialect as _, EngineScore, Info, ScoreQuality, UCI};

/// One search.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SearchTrace {
    /// Nodes when each depth was complete, in the order of the depths.
    pub(crate) depths: Vec<(u32, u64)>,
    /// The nodes reported last.
    pub(crate) nodes: Option<u64>,
    /// Of the deepest iteration that was reported.
    pub(crate) score: Option<EngineScore>,
    /// By our clock, from `go` to the move.
    pub(crate) seconds: f64,
}

impl SearchTrace {
    pub(crate) fn add_line(&mut self, line: &str) {
        let line = line.trim().as_bytes();
        if !line.starts_with(b"info ") || line.starts_with(b"info string") {
            return;
        }
        let info = Info::parse(line);
        self.nodes = info.nodes.or(self.nodes);
        // A bound, or another variation than the best, does not end an iteration.
        if UCI.score_quality(line) != ScoreQuality::Exact {
            return;
        }
        self.score = info.score.or(self.score);
        if let (Some(depth), Some(nodes)) = (info.depth, info.nodes) {
            self.depths.retain(|(reported, _)| *reported < depth);
            self.depths.push((depth, nodes));
        }
    }

    /// Adds a depth that was not reported, with the nodes of another search that ended with it.
    pub(crate) fn add(&mut self, depth: u32, nodes: u64) {
        let place = self
            .depths
            .partition_point(|(reported, _)| *reported < depth);
        self.depths.insert(place, (depth, nodes));
    }

    /// Nodes when a depth was complete, if the engine reported it.
    pub(crate) fn nodes_to(&self, depth: u32) -> Option<u64> {
        let reported = self.depths.iter().find(|(reported, _)| *reported == depth);
        reported.map(|(_, nodes)| *nodes)
    }

    /// The effective branching factor: the growth of nodes per ply, on average over the second half
    /// of the depths. None if the engine reported too little.
    pub(crate) fn branching_factor(&self) -> Option<f64> {
        let &(last, most) = self.depths.last()?;
        let &(first, least) = self.depths.iter().find(|(depth, _)| *depth >= last / 2)?;
        let plies = last.checked_sub(first).filter(|plies| *plies > 0)?;
        (least > 0).then(|| (most as f64 / least as f64).powf(1.0 / f64::from(plies)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traced(lines: &[&str]) -> SearchTrace {
        let mut trace = SearchTrace::default();
        for line in lines {
            trace.add_line(line);
        }
        trace
    }

    #[test]
    fn a_depth_ends_with_its_last_exact_score() {
        let trace = traced(&[
            "info depth 1 score cp 5 nodes 20 pv e2e4",
            "info depth 2 score cp 9 lowerbound nodes 60 pv d2d4",
            "info depth 2 score cp 12 nodes 90 pv d2d4",
            "info depth 2 multipv 2 score cp 1 nodes 95 pv a2a3",
            "info string nodes 7",
            "info nodes 99",
            "bestmove d2d4 nodes 3",
        ]);
        assert_eq!(trace.depths, [(1, 20), (2, 90)]);
        assert_eq!(trace.nodes, Some(99));
        assert_eq!(trace.score, Some(EngineScore::Cp(12)));
    }

    #[test]
    fn a_depth_that_is_searched_anew_counts_once() {
        let trace = traced(&[
            "info depth 1 score cp 5 nodes 20",
            "info depth 2 score cp 5 nodes 40",
            "info depth 1 score cp 5 nodes 60",
            "info depth 2 score cp 5 nodes 80",
        ]);
        assert_eq!(trace.depths, [(1, 60), (2, 80)]);
    }

    #[test]
    fn depths_stay_in_their_order() {
        let mut trace = traced(&[
            "info depth 1 score cp 5 nodes 20",
            "info depth 3 score cp 5 nodes 80",
        ]);
        trace.add(2, 40);
        assert_eq!(trace.depths, [(1, 20), (2, 40), (3, 80)]);
    }

    #[test]
    fn the_branching_factor_is_the_growth_a_ply_over_the_second_half() {
        let lines: Vec<String> = (1..=8u32)
            .map(|depth| format!("info depth {depth} score cp 0 nodes {}", 3u64.pow(depth)))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let factor = traced(&lines).branching_factor().expect("eight depths");
        assert!((factor - 3.0).abs() < 1e-9, "{factor}");
        assert_eq!(traced(&lines[..1]).branching_factor(), None);
        assert_eq!(SearchTrace::default().branching_factor(), None);
    }
}
