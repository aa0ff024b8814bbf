//! The engine's entry for an OpenBench server: its presets fill what the forms demand.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Fields of all three forms that the author of a workload need not fill in.
const COMMON: [&str; 8] = [
    "book_name",
    "upload_pgns",
    "priority",
    "throughput",
    "syzygy_wdl",
    "syzygy_adj",
    "win_adj",
    "draw_adj",
];
const TEST: [&str; 3] = ["workload_size", "test_bounds", "test_confidence"];
const TUNE: [&str; 7] = [
    "spsa_reporting_type",
    "spsa_distribution_type",
    "spsa_alpha",
    "spsa_gamma",
    "spsa_A_ratio",
    "spsa_iterations",
    "spsa_pairs_per",
];
const DATAGEN: [&str; 4] = [
    "workload_size",
    "datagen_max_games",
    "datagen_custom_genfens",
    "datagen_play_reverses",
];
/// What each side of a workload needs.
const SIDE: [&str; 3] = ["network", "options", "time_control"];

fn presets(kind: &str) -> Map<String, Value> {
    let entry: Value = serde_json::from_str(include_str!("../../openbench.json")).unwrap();
    entry[kind].as_object().unwrap().clone()
}

/// A preset as the form sees it: over the default one, `both_x` as `dev_x` and `base_x`.
fn fields(kind: &str, name: &str) -> BTreeSet<String> {
    let presets = presets(kind);
    let keys = [&presets["default"], &presets[name]]
        .into_iter()
        .flat_map(|preset| preset.as_object().unwrap().keys());
    keys.flat_map(|key| match key.strip_prefix("both_") {
        Some(rest) => vec![format!("dev_{rest}"), format!("base_{rest}")],
        None => vec![key.clone()],
    })
    .collect()
}

fn expected(own: &[&str], sides: &[&str], branches: &[&str]) -> BTreeSet<String> {
    let mut fields: BTreeSet<String> = COMMON
        .iter()
        .chain(own)
        .chain(branches)
        .map(|&field| field.to_owned())
        .collect();
    for side in sides {
        fields.extend(SIDE.map(|field| format!("{side}_{field}")));
    }
    fields
}

#[test]
fn every_preset_fills_every_field_and_no_unknown_one() {
    for (kind, expected) in [
        (
            "test_presets",
            expected(&TEST, &["dev", "base"], &["base_branch"]),
        ),
        ("tune_presets", expected(&TUNE, &["dev"], &["dev_branch"])),
        (
            "datagen_presets",
            expected(&DATAGEN, &["dev", "base"], &["dev_branch", "base_branch"]),
        ),
    ] {
        let names: Vec<String> = presets(kind).keys().cloned().collect();
        // The form applies STC when the engine is chosen.
        assert!(names.contains(&"STC".to_owned()), "{kind}");
        for name in names {
            assert_eq!(fields(kind, &name), expected, "{kind} {name}");
        }
    }
}
