//! Statistics of pruning: samples of cuts leave the search as it is, and find false cuts.

use engine::params::Params;
use engine::position::Position;
use engine::search::job::{SearchResult, Settings};
use engine::search::limits::Limits;
use engine::techniques::PruningMode;

use crate::harness::{Harness, depth};

const FENS: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/PBN1PN2/1P2QPPP/R1BR2K1 b - - 0 1",
    "8/8/4k1p1/1R3p1p/5P1P/4K1P1/r7/8 w - - 0 1",
];

fn search(fen: &str, settings: &Settings, limits: Limits) -> SearchResult {
    let position = Position::from_fen(fen).unwrap();
    Harness::with(settings.clone()).run(&position, &[], limits)
}

fn sampling(every: u64) -> Settings {
    Settings {
        pruning_stats: true,
        pruning_sample: every,
        ..Settings::default()
    }
}

#[test]
fn samples_leave_the_search_as_it_is() {
    let nodes = Limits {
        nodes: 20_001,
        ..Limits::default()
    };
    for fen in FENS {
        for limits in [depth(9), nodes.clone()] {
            let plain = search(fen, &Settings::default(), limits.clone());
            for every in [0, 1, 7] {
                let sampled = search(fen, &sampling(every), limits.clone());
                assert_eq!(
                    (plain.nodes, plain.score, &plain.line),
                    (sampled.nodes, sampled.score, &sampled.line),
                    "{fen}, every {every}"
                );
            }
        }
    }
}

#[test]
fn every_cut_is_sampled_when_asked_for_and_none_by_default() {
    let result = search(FENS[0], &sampling(1), depth(9));
    for name in [
        "reverse futility",
        "null move",
        "quiescence delta",
        "SEE pruning",
    ] {
        let tally = result.stats.of(name).unwrap();
        assert!(
            tally.cut > 0 && tally.tried >= tally.cut,
            "{name}: {tally:?}"
        );
        assert_eq!(tally.sampled, tally.cut, "{name}");
        assert!(tally.false_cuts < tally.cut, "{name}: {tally:?}");
        assert!(tally.saved().unwrap() > 0, "{name}");
    }
    let plain = search(FENS[0], &sampling(0), depth(9));
    assert_eq!(plain.stats.of("null move").unwrap().sampled, 0);
}

#[test]
fn careless_margins_make_more_false_cuts() {
    let rate = |margin| {
        let mut settings = sampling(1);
        let index = Params::index("RfpMargin").unwrap();
        settings.params.set(index, margin).unwrap();
        let tallies = FENS.map(|fen| {
            let result = search(fen, &settings, depth(9));
            result.stats.of("reverse futility").unwrap()
        });
        let sum =
            |of: fn(&engine::search::stats::Tally) -> u64| tallies.iter().map(of).sum::<u64>();
        sum(|tally| tally.false_cuts) as f64 / sum(|tally| tally.sampled) as f64
    };
    assert!(rate(20) > rate(200), "{} {}", rate(20), rate(200));
}

#[test]
fn without_pruning_nothing_is_cut_and_the_tree_is_larger() {
    let with = |pruning| {
        let settings = Settings {
            pruning,
            ..sampling(0)
        };
        FENS.map(|fen| search(fen, &settings, depth(10)))
    };
    let disabled = with(PruningMode::Disabled);
    for name in [
        "reverse futility",
        "null move",
        "late move pruning",
        "quiescence delta",
    ] {
        for result in &disabled {
            assert_eq!(result.stats.of(name).unwrap().cut, 0, "{name}");
        }
    }
    // In a single position, less pruning may find a shorter way.
    let [most, more, usual] = [
        disabled,
        with(PruningMode::Conservative),
        with(PruningMode::Baseline),
    ]
    .map(|results| results.iter().map(|result| result.nodes).sum::<u64>());
    assert!(most > more && more > usual, "{most} {more} {usual}");
}
