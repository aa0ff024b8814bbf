#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::time::Instant;

use super::iterate::{Found, Job, run};
use super::limits::Limits;
use super::settings::Settings;
use super::worker::Signals;
use crate::fen;
use crate::moves;
use crate::params::Params;
use crate::score::{DECIDED, won_in};
use crate::tt::Table;
use crate::turn::Move;

fn search(start: &str, line: &[&str], limits: Limits, settings: Settings) -> Found {
    let mut board = fen::parse(start).unwrap();
    let mut keys = vec![board.key()];
    for text in line {
        board.make(moves::parse(&board, text).unwrap());
        keys.push(board.key());
    }
    let job = Job {
        board,
        keys,
        limits,
        settings,
        start: Instant::now(),
    };
    let table = Arc::new(Table::new(4));
    run(&job, &table, &mut Vec::new(), &Signals::default(), &|_| {})
}

fn to_depth(depth: i32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

const TACTICS: &str = "ssse3SW2/3sw4/5se1sw/ne1nw5/6SESW/2NE1NE3/6NW1/7NN W";

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    for nodes in [1, 7, 500, 5_000] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let found = search(TACTICS, &[], limits, Settings::default());
        assert_eq!(found.nodes, nodes);
        assert!(!found.line.is_empty());
    }
}

#[test]
fn a_search_that_is_stopped_plays_the_best_move_whether_moves_are_chosen_or_not() {
    let board = fen::parse(TACTICS).unwrap();
    let all = moves::legal(&board);
    for nodes in (1_000..20_000).step_by(700) {
        let limits = |search_moves: &[Move]| Limits {
            nodes: Some(nodes),
            search_moves: search_moves.to_vec(),
            ..Limits::default()
        };
        let [free, chosen] = [&[][..], &all[..]]
            .map(|moves| search(TACTICS, &[], limits(moves), Settings::default()).line[0]);
        assert_eq!(chosen, free, "{nodes}");
    }
}

#[test]
fn a_king_in_the_beam_is_zapped_at_once() {
    // The beam hits the king unless white interferes.
    let found = search(
        "4ss3/8/8/8/nw7/8/SE7/4NN3 W",
        &[],
        to_depth(4),
        Settings::default(),
    );
    assert_eq!(found.score, won_in(1));
    let found = search(
        "4ss3/8/8/8/nw7/8/SE7/4NN3 B",
        &[],
        to_depth(4),
        Settings::default(),
    );
    assert_eq!(found.score, won_in(1));
}

#[test]
fn what_would_be_the_third_time_is_a_draw() {
    let shuffle = ["g4g5", "e6e7", "g5g4", "e7e6"].repeat(2);
    let settings = Settings {
        params: Params::default().with(&[("DrawScore", 77)]),
        ..Settings::default()
    };
    let limits = Limits {
        search_moves: vec![moves::parse(&fen::parse(fen::OPENING).unwrap(), "g4g5").unwrap()],
        ..to_depth(3)
    };
    let found = search(fen::OPENING, &shuffle, limits, settings);
    assert_eq!(found.score, 77);
}

#[test]
fn a_line_of_the_search_can_be_played() {
    for depth in 1..7 {
        for start in [fen::OPENING, TACTICS] {
            let found = search(start, &[], to_depth(depth), Settings::default());
            let mut board = fen::parse(start).unwrap();
            for mv in found.line {
                assert!(moves::legal(&board).contains(&mv), "{start} {depth} {mv}");
                if board.make(mv).lost().is_some() {
                    assert!(found.score.abs() > DECIDED);
                }
            }
        }
    }
}

#[test]
fn every_technique_can_be_switched_off() {
    let nodes = |values: &[(&str, i32)]| {
        let mut settings = Settings::default();
        for &(name, value) in values {
            settings.set(Params::index(name).unwrap(), value).unwrap();
        }
        search(TACTICS, &[], to_depth(7), settings).nodes
    };
    let usual = nodes(&[]);
    for switch in [
        ("RfpMaxDepth", 0),
        ("RazorMaxDepth", 0),
        ("NmpMinDepth", 100),
        ("FutilityMaxDepth", 0),
        ("LmpMaxDepth", 0),
        ("IirMinDepth", 100),
    ] {
        assert_ne!(nodes(&[switch]), usual, "{switch:?}");
    }
}

#[test]
fn helpers_share_the_work_and_end_with_it() {
    let settings = Settings {
        threads: 3,
        ..Settings::default()
    };
    let found = search(TACTICS, &[], to_depth(6), settings);
    assert_eq!(found.depth, 6);
    assert!(!found.line.is_empty());
}
