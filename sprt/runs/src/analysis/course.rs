//! How the test went: ratio and Elo after so many pairs, at a few hundred places of the run.

use stats::openbench_elo;

use crate::pair_record::PairLine;
use crate::plan::Plan;
use crate::standing::Tally;

/// More would not be seen.
const POINTS: usize = 300;

/// The test after `pairs` pairs.
#[derive(Clone, Copy, Debug)]
pub struct CoursePoint {
    pub pairs: u64,
    pub llr: f64,
    /// Elo with its 95% interval, as in OpenBench's block.
    pub elo: [f64; 3],
}

pub(super) fn course(plan: &Plan, lines: &[PairLine]) -> Vec<CoursePoint> {
    let step = lines.len().div_ceil(POINTS).max(1);
    let (mut tally, mut points) = (Tally::default(), vec![]);
    for (number, line) in lines.iter().enumerate() {
        tally.add(&line.games, plan.on_fault);
        // The last pair is always there: it is the one that decides.
        if (number + 1) % step == 0 || number + 1 == lines.len() {
            let elo = match tally.pentanomial.pairs() {
                0 => openbench_elo(&tally.wdl.worst_to_best()),
                _ => openbench_elo(&tally.pentanomial.0),
            };
            points.push(CoursePoint {
                pairs: number as u64 + 1,
                llr: plan.test.llr(&tally.pentanomial, &tally.wdl),
                elo: [elo.low, elo.value, elo.high],
            });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use engine_client::Color;
    use referee::arena::EndKind;

    use super::*;
    use crate::plan::OnFault;
    use crate::run_folder::tests::game;
    use crate::standing::Standing;

    #[test]
    fn the_course_ends_where_the_test_stands() {
        let mut plan = crate::plan::tests::plan();
        let line = |pair, end| PairLine {
            pair,
            players: None,
            games: vec![
                game(Color::White, Some(Color::White), EndKind::Rules),
                game(Color::Black, Some(Color::White), end),
            ],
            games_end: 0,
            games_synced: None,
        };
        let lines = [line(0, EndKind::Rules), line(1, EndKind::Crash)];
        for on_fault in [OnFault::Forfeit, OnFault::Void] {
            plan.on_fault = on_fault;
            let tally = *Standing::after(&plan, &lines).tally();
            let points = course(&plan, &lines);
            let llr = points.last().map(|point| point.llr);
            assert_eq!(llr, Some(plan.test.llr(&tally.pentanomial, &tally.wdl)));
        }
    }
}
