//! Every parameter affects the search: another value searches another tree.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;

use engine::bench::run_all;
use engine::params::{Params, SPECS, Spec};
use engine::search::job::Settings;
use engine::search::reductions::Reductions;

/// Tried in turn until a difference shows; at the last every technique acts somewhere in
/// the bench.
const DEPTHS: [i32; 4] = [4, 6, 8, 10];

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
        reductions: Reductions::new(&params),
        params,
        ..Settings::default()
    }
}

fn nodes(values: &[(&str, i32)], depth: i32) -> u64 {
    run_all(&settings(values), depth, |_| {})
}

/// What is set before, by name and value.
type Gate = Vec<(&'static str, i32)>;

/// Whether some value in the range of the parameter changes the node count of the bench.
fn has_effect(spec: &Spec, plain: &mut HashMap<(Gate, i32), u64>) -> bool {
    let gate = gate(spec.name);
    let values = [
        spec.min,
        spec.max,
        spec.min + 1,
        i32::midpoint(spec.min, spec.max),
    ];
    DEPTHS.into_iter().any(|depth| {
        let usual = *plain
            .entry((gate.clone(), depth))
            .or_insert_with(|| nodes(&gate, depth));
        values
            .into_iter()
            .filter(|&value| value != spec.default)
            .any(|value| {
                let mut all = gate.clone();
                all.push((spec.name, value));
                nodes(&all, depth) != usual
            })
    })
}

#[test]
fn every_parameter_changes_the_search() {
    let mut plain = HashMap::new();
    let dead: Vec<&str> = SPECS
        .iter()
        .filter(|spec| exempt(spec.name).is_none())
        .filter(|spec| !has_effect(spec, &mut plain))
        .map(|spec| spec.name)
        .collect();
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
