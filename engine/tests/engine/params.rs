//! Every parameter affects the search: another value searches another tree.

use std::sync::Arc;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};

use engine::bench::run_all;
use engine::params::{Params, SPECS, Spec};
use engine::position::Position;
use engine::search::job::Settings;
use engine::search::reductions::Reductions;

use crate::harness::{self, Harness};

/// Tried in turn until a difference shows; at the last every technique acts somewhere in
/// the bench.
const DEPTHS: [i32; 2] = [6, 10];

/// Parameters that another value does not change in a bench, and why.
fn exempt(name: &str) -> Option<&'static str> {
    if name.starts_with("Tm") {
        return Some("read with a clock only");
    }
    None
}

/// What must be set for a parameter to have an effect at these depths.
fn gate(name: &str) -> Gate {
    match name {
        "DfpEnable" => vec![],
        "NmpVerifyFraction" => vec![("NmpVerifyDepth", 6), ("NmpBase", 256)],
        "EvasionMaxDepth" => vec![("EvasionEnable", 1)],
        "FrontierMargin" => vec![("FrontierEnable", 1)],
        "ExtendedMargin" => vec![("ExtendedEnable", 1)],
        // Razoring comes first, and hardly leaves a node so far below alpha.
        "LimitedRazorEnable" => vec![("RazorEnable", 0)],
        "LimitedRazorMargin" => vec![("LimitedRazorEnable", 1)],
        // The usual reduction leaves no depth for a second null move in these searches.
        "NmpOnce" => vec![("NmpBase", 256)],
        "LmrRefutedCount" => vec![("LmrRefuted", 1024)],
        "HindsightPlies" | "HindsightMargin" => vec![("HindsightEnable", 1)],
        _ if name.starts_with("Dfp") => vec![("DfpEnable", 1)],
        _ => vec![],
    }
}

fn settings(values: &[(&str, i32)]) -> Settings {
    let mut params = Params::default();
    for &(name, value) in values {
        params.set(Params::index(name).unwrap(), value).unwrap();
    }
    Settings {
        reductions: Arc::new(Reductions::new(&params)),
        params,
        ..Settings::default()
    }
}

fn nodes(values: &[(&str, i32)], depth: i32) -> u64 {
    run_all(&settings(values), depth, |_| {})
}

/// What is set before, by name and value.
type Gate = Vec<(&'static str, i32)>;

/// The positions of the bench, each searched with empty tables.
struct Bench {
    positions: Vec<Position>,
    harness: Harness,
    /// Nodes without the parameter in question, by what is set before, depth and position.
    usual: HashMap<(Gate, i32, usize), u64>,
}

impl Bench {
    fn new() -> Self {
        let fens = include_str!("../../bench.epd").lines().map(str::trim);
        let fens = fens.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self {
            positions: fens.map(|fen| Position::from_fen(fen).unwrap()).collect(),
            harness: Harness::new(),
            usual: HashMap::new(),
        }
    }

    fn nodes(&mut self, values: &[(&str, i32)], depth: i32, position: usize) -> u64 {
        self.harness.clear();
        self.harness.settings = settings(values);
        let position = &self.positions[position];
        self.harness.run(position, &[], harness::depth(depth)).nodes
    }

    /// Whether some value in the range of the parameter changes the nodes of a position.
    fn has_effect(&mut self, spec: &Spec) -> bool {
        let gate = gate(spec.name);
        let mut values = vec![
            spec.min,
            spec.max,
            spec.min + 1,
            i32::midpoint(spec.min, spec.max),
        ];
        values.retain(|&value| value != spec.default);
        DEPTHS.into_iter().any(|depth| {
            (0..self.positions.len()).any(|position| {
                let key = (gate.clone(), depth, position);
                let usual = match self.usual.get(&key) {
                    Some(&nodes) => nodes,
                    None => self.nodes(&gate, depth, position),
                };
                self.usual.insert(key, usual);
                values.iter().any(|&value| {
                    let mut all = gate.clone();
                    all.push((spec.name, value));
                    self.nodes(&all, depth, position) != usual
                })
            })
        })
    }
}

#[test]
fn every_parameter_changes_the_search() {
    let next = AtomicUsize::new(0);
    let dead_of_thread = || -> Vec<&str> {
        let mut bench = Bench::new();
        std::iter::from_fn(|| SPECS.get(next.fetch_add(1, Ordering::Relaxed)))
            .filter(|spec| exempt(spec.name).is_none())
            .filter(|spec| !bench.has_effect(spec))
            .map(|spec| spec.name)
            .collect()
    };
    let dead = thread::scope(|scope| {
        let threads: Vec<_> = (0..available_parallelism().map_or(1, usize::from))
            .map(|_| scope.spawn(dead_of_thread))
            .collect();
        let dead = threads.into_iter().map(|thread| thread.join().unwrap());
        dead.collect::<Vec<_>>().concat()
    });
    assert!(dead.is_empty(), "no effect: {dead:?}");
}

#[test]
fn setting_every_default_changes_nothing() {
    let all: Vec<(&str, i32)> = SPECS.iter().map(|spec| (spec.name, spec.default)).collect();
    assert_eq!(nodes(&all, 5), nodes(&[], 5));
}

#[test]
fn extreme_values_neither_crash_nor_hang() {
    let lowest: Vec<(&str, i32)> = SPECS.iter().map(|spec| (spec.name, spec.min)).collect();
    let highest: Vec<(&str, i32)> = SPECS.iter().map(|spec| (spec.name, spec.max)).collect();
    assert!(nodes(&lowest, 4) > 0);
    assert!(nodes(&highest, 4) > 0);
}
