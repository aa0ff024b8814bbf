//! A mate score is followed by a line that mates, and mates in as many moves.

use engine::position::Position;
use engine::score::{self, MATE};
use engine::search::job::SearchResult;

use crate::harness::{Harness, nodes};

/// Winning positions of many kinds; played on, they go through all lengths of mate.
const POSITIONS: &str = "\
rnbq2nr/pppp2p1/3bp1k1/5pNp/5P2/1QP3P1/PP1PP2P/RNB1KB1R w KQ - 3 7
r1bq1rk1/pp3p1p/2np1P2/2p1p3/2P1P2N/2PP2Q1/P5PP/R4RK1 b - - 0 1
r1b1k1nr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/R1B1K2R b KQkq - 0 1
4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1
8/8/4k3/8/8/4K3/8/R6R w - - 0 1
2kr3r/ppp2ppp/2n1b3/2b1P3/5Bnq/2N2N2/PPP1B1PP/R2Q1R1K w - - 0 1
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
6k1/5ppp/8/8/8/8/r4PPP/1R1b2K1 w - - 0 1
r4rk1/1b2bppp/p1n1pn2/1pp5/3P4/PBN1PN2/1P2QPPP/R1BR2K1 w - - 0 1";

/// What is wrong with the line of a result, if anything.
fn fault(position: &Position, result: &SearchResult) -> Option<String> {
    if !score::is_mate(result.score) {
        return None;
    }
    let due = (MATE - result.score.abs()) as usize;
    let mut last = position.clone();
    let mut line = String::new();
    for &mv in &result.line {
        line.push_str(&last.uci(mv, false));
        line.push(' ');
        last = last.play(mv);
    }
    let mated = last.in_check() && !last.has_moves();
    (!mated || result.line.len() != due).then(|| {
        let (fen, score) = (position.board(), score::uci(result.score));
        format!("{fen}: {score}: {line}(depth {})", result.depth)
    })
}

#[test]
fn lines_of_mate_scores_mate() {
    let mut scores = 0;
    let mut faults = Vec::new();
    for (index, fen) in POSITIONS.lines().enumerate() {
        for budget in [300, 500, 700, 1_000, 1_500, 2_000, 3_000] {
            let mut harness = Harness::new();
            let mut position = Position::from_fen(fen).unwrap();
            let mut earlier_keys = Vec::new();
            for ply in 0..100 {
                // The loser's budget varies, so that games differ.
                let limits = nodes(budget + 37 * (ply % 5) + index as u64);
                let result = harness.run(&position, &earlier_keys, limits);
                let Some(best) = result.best else { break };
                scores += u32::from(score::is_mate(result.score));
                faults.extend(fault(&position, &result));
                earlier_keys.push(position.key());
                position = position.play(best);
            }
        }
    }
    assert!(scores > 200, "{scores} mate scores");
    assert!(
        faults.is_empty(),
        "{} of {scores}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
