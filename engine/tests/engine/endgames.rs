//! Endgames against a bare king, played out.

use engine::position::Position;

use crate::harness::{Harness, nodes};

/// Plays a position with both sides at a fixed number of nodes and returns the half-moves to mate,
/// if there is one before the fifty-move rule ends the game.
fn half_moves_to_mate(fen: &str, limit: u64) -> Option<usize> {
    let mut position = Position::from_fen(fen).unwrap();
    let mut earlier_keys = Vec::new();
    let mut harness = Harness::new();
    for half_moves in 0..=100 {
        if !position.has_moves() {
            return position.in_check().then_some(half_moves);
        }
        let best = harness.run(&position, &earlier_keys, nodes(limit)).best;
        earlier_keys.push(position.key());
        position = position.play(best.unwrap());
        // Two knights or a lone bishop are left: the piece was lost.
        if position.board().occupied().len() < 4 {
            return None;
        }
    }
    None
}

/// Random legal positions of king and two pieces against a bare king, White to move.
fn starts(pieces: [char; 2], count: usize) -> Vec<String> {
    let mut state = 1_u64;
    let mut random = move |bound: u64| {
        // Knuth's linear congruential generator.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut starts = Vec::new();
    while starts.len() < count {
        let mut board = [[None; 8]; 8];
        let mut colours = Vec::new();
        for piece in ['K', 'k', pieces[0], pieces[1]] {
            let (rank, file) = (random(8) as usize, random(8) as usize);
            board[rank][file] = Some(piece);
            if piece == 'B' {
                colours.push((rank + file) % 2);
            }
        }
        let ranks = board.map(|rank| {
            rank.map(|piece| piece.map_or("1".to_owned(), String::from))
                .concat()
        });
        let fen = format!("{} w - - 0 1", ranks.join("/"));
        let is_complete = board.as_flattened().iter().flatten().count() == 4;
        let is_pair_of_bishops = colours.len() < 2 || colours[0] != colours[1];
        if is_complete && is_pair_of_bishops && Position::from_fen(&fen).is_ok() {
            starts.push(fen);
        }
    }
    starts
}

/// The starts that are not won.
fn failures(pieces: [char; 2], count: usize) -> Vec<String> {
    let mut starts = starts(pieces, count);
    starts.retain(|fen| half_moves_to_mate(fen, 5_000).is_none());
    starts
}

/// The share of starts that must be won, in percent. A longest win takes 33 moves of 50 in perfect
/// play, so that a start in the worst corner leaves little room.
const WON: usize = 95;

fn wins_nearly_all(pieces: [char; 2], count: usize) {
    let failures = failures(pieces, count);
    let most = count * (100 - WON) / 100;
    assert!(
        failures.len() <= most,
        "{} of {count}: {failures:?}",
        failures.len()
    );
}

#[test]
fn bishop_and_knight_mate_within_the_fifty_move_rule() {
    wins_nearly_all(['B', 'N'], 20);
}

#[test]
fn two_bishops_mate_within_the_fifty_move_rule() {
    wins_nearly_all(['B', 'B'], 20);
}

#[test]
#[ignore = "a minute; after a change of these endgames: cargo test -p engine --test engine endgames -- --ignored"]
fn nearly_all_of_many_starts_are_won() {
    wins_nearly_all(['B', 'N'], 200);
    wins_nearly_all(['B', 'B'], 200);
}
