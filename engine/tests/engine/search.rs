//! What the search must find, and what it must not depend on.

use std::sync::atomic::Ordering::Relaxed;

use engine::params::Params;
use engine::position::Position;
use engine::score::{self, mate_in};
use engine::search::job::SearchResult;
use engine::search::limits::Limits;
use engine::search::{Signals, ThreadData};

use crate::harness::{Harness, depth, nodes};

impl Harness {
    /// From a position after some moves; the best move as text beside the result.
    fn search(&mut self, fen: &str, moves: &str, limits: Limits) -> (SearchResult, String) {
        self.search_under(fen, moves, limits, &Signals::default())
    }

    fn search_under(
        &mut self,
        fen: &str,
        moves: &str,
        limits: Limits,
        signals: &Signals,
    ) -> (SearchResult, String) {
        let mut position = Position::from_fen(fen).unwrap();
        let mut earlier_keys = Vec::new();
        for text in moves.split_whitespace() {
            earlier_keys.push(position.key());
            position = position.play(position.parse_move(text, false).unwrap());
        }
        let result = self.run_under(&position, &earlier_keys, limits, signals);
        let best = result
            .best
            .map_or_else(String::new, |mv| position.uci(mv, false));
        (result, best)
    }
}

#[test]
fn mates_are_found_with_their_length() {
    for (fen, first, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        (
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "h5f7",
            1,
        ),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5),
    ] {
        let (result, best) = Harness::new().search(fen, "", depth(14));
        assert_eq!(
            result.score,
            mate_in(plies),
            "{fen}: {}",
            score::uci(result.score)
        );
        assert!(first.is_empty() || best == first, "{fen}: {best}");
    }
}

#[test]
fn a_mate_limit_ends_the_search() {
    let limits = Limits {
        mate: Some(3),
        ..Limits::default()
    };
    let (result, _) = Harness::new().search("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "", limits);
    assert_eq!(result.score, mate_in(5));
}

#[test]
fn stalemate_is_a_draw_and_is_avoided_by_the_stronger_side() {
    // Qg6 would stalemate.
    let (result, best) = Harness::new().search("7k/8/5K2/8/8/8/6Q1/8 w - - 0 1", "", depth(8));
    assert!(score::is_won(result.score) && best != "g2g6", "{best}");
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for fen in [stalemate, mate] {
        assert_eq!(Harness::new().search(fen, "", depth(5)).0.best, None);
    }
}

#[test]
fn the_fifty_move_rule_counts_but_not_before_mate() {
    // One half-move is left, and no move of White's is a capture, a pawn's or mate: the draw is
    // certain.
    let (result, _) = Harness::new().search("8/5k2/3R4/8/4K3/8/6r1/8 w - - 99 120", "", depth(8));
    assert_eq!(result.score, score::DRAW);
    // Mate on the hundredth half-move still wins.
    let (result, best) =
        Harness::new().search("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 90", "", depth(6));
    assert_eq!((result.score, best.as_str()), (mate_in(1), "d1d8"));
}

#[test]
fn a_losing_side_repeats_when_it_can() {
    // Three rooks threaten mate; White's queen checks for ever.
    let fen = "6k1/5p1p/5Q2/8/8/8/rrr5/7K w - - 0 1";
    let (result, best) = Harness::new().search(fen, "", depth(14));
    assert_eq!(result.score, score::DRAW, "{best}");
}

#[test]
fn a_third_occurrence_in_the_game_is_a_draw() {
    // White is a rook up. Going back to a1 would make the same position for the third time, with
    // Black to move.
    let moves = "a1b1 h8g8 b1a1 g8h8 a1b1 h8g8 b1a1 g8h8 a1b1 h8g8";
    let fen = "7k/7p/8/8/8/8/7P/R6K w - - 0 1";
    let limits = |text: &str| {
        let position = Position::from_fen("6k1/7p/8/8/8/8/7P/1R5K w - - 0 1").unwrap();
        let search_moves = vec![position.parse_move(text, false).unwrap()];
        Limits {
            depth: 6,
            search_moves,
            ..Limits::default()
        }
    };
    assert_eq!(
        Harness::new().search(fen, moves, limits("b1a1")).0.score,
        score::DRAW
    );
    assert!(Harness::new().search(fen, moves, limits("b1b7")).0.score > 200);
}

#[test]
fn node_limits_are_exact_and_searches_repeatable() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    for limit in [1, 2, 100, 5_000, 20_001] {
        let mut harness = Harness::new();
        let (first, best) = harness.search(fen, "", nodes(limit));
        assert_eq!(first.nodes, limit);
        assert!(!best.is_empty());
        // As `ucinewgame` does.
        harness.clear();
        let (second, again) = harness.search(fen, "", nodes(limit));
        assert_eq!(
            (first.score, first.depth, best),
            (second.score, second.depth, again)
        );
    }
}

#[test]
fn a_search_stopped_in_its_first_move_keeps_the_score_it_had() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    for limit in (200..10_000).step_by(97) {
        let (result, _) = Harness::new().search(fen, "", nodes(limit));
        assert!(result.score.abs() < 500, "{limit} nodes: {}", result.score);
    }
}

#[test]
fn a_search_stopped_before_it_begins_still_sees_a_mate() {
    let signals = Signals::default();
    signals.stop.store(true, Relaxed);
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    for threads in [1, 3] {
        let mut harness = Harness::new();
        harness.threads.resize_with(threads, ThreadData::default);
        let (result, best) = harness.search_under(fen, "", Limits::default(), &signals);
        assert_eq!(best, "h5f7");
        assert!(result.nodes < 10_000, "{}", result.nodes);
    }
}

#[test]
fn a_reduction_never_makes_the_search_deeper() {
    // At depth 1 there is nothing to take off, so it makes no difference whether reductions begin
    // there or at 2.
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let nodes = [1, 2].map(|least| {
        let mut harness = Harness::new();
        let index = Params::index("LmrMinDepth").unwrap();
        harness.settings.params.set(index, least).unwrap();
        harness.search(fen, "", depth(8)).0.nodes
    });
    assert_eq!(nodes[0], nodes[1]);
}

#[test]
fn search_moves_restrict_the_root() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    let search_moves = vec![position.parse_move("h2h3", false).unwrap()];
    let (_, best) = Harness::new().search(
        fen,
        "",
        Limits {
            depth: 6,
            search_moves,
            ..Limits::default()
        },
    );
    assert_eq!(best, "h2h3");
}

#[test]
fn several_threads_find_the_same_mate() {
    let mut harness = Harness::new();
    harness.threads.resize_with(3, ThreadData::default);
    let (result, best) = harness.search("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "", depth(24));
    assert_eq!((result.score, best.as_str()), (mate_in(5), "f6a6"));
}

#[test]
fn the_clock_is_kept() {
    use engine::search::time::Clock;
    let clock = Clock {
        left: 300,
        increment: 0,
        moves_to_go: None,
    };
    let limits = Limits {
        clock: Some(clock),
        ..Limits::default()
    };
    let (result, _) = Harness::new().search(
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "",
        limits,
    );
    // That it ended at all is the point; a search without a clock would go on for hours.
    assert!(result.depth >= 1);
}
