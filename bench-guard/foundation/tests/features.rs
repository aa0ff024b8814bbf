//! Code that two tools share is compiled once: with the features that each tool needs when built
//! alone, all crates of this workspace and their dependencies are the same.
//!
//! Cargo chooses the features of a crate for everything that is built together. If a dependency of
//! one tool turns on a feature of a low crate, every crate that depends on it is compiled again for
//! the next tool.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const TOOLS: [&str; 4] = ["sprt", "tuner", "bench-guard", "openbench"];

/// The crates that a package is built from, each with its sets of features: one as a part of the program, one as a part
/// of the build.
type Crates = BTreeMap<String, BTreeSet<String>>;

fn crates_of(package: &str) -> Crates {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--edges", "normal,build"])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p};{f}"])
        .args(["--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let mut crates = Crates::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some((name, features)) = line.split_once(';') {
            let sets = crates.entry(name.to_owned()).or_default();
            sets.insert(features.trim_end_matches(" (*)").to_owned());
        }
    }
    crates
}

/// The crates of this workspace, with their dependencies, that are not the same for two tools.
fn differences(one: &Crates, other: &Crates) -> Vec<String> {
    // Only what lies in a folder has one behind its name.
    let ours = one
        .keys()
        .filter(|name| name.ends_with(')') && !name.ends_with("(proc-macro)"));
    let shared = ours.filter(|name| other.contains_key(*name));
    let mut below = BTreeSet::new();
    for name in shared {
        let package = name.split(' ').next().unwrap_or_default();
        below.extend(crates_of(package).into_keys());
    }
    let differs = |name: &String| {
        let (one, other) = (one.get(name)?, other.get(name)?);
        (one != other).then(|| format!("{name}: {one:?} and {other:?}"))
    };
    below.iter().filter_map(differs).collect()
}

#[test]
fn no_crate_of_ours_is_compiled_again_for_the_next_tool() {
    let tools = TOOLS.map(|tool| (tool, crates_of(tool)));
    let mut found = Vec::new();
    for (place, (name, crates)) in tools.iter().enumerate() {
        assert!(crates.keys().any(|name| name.starts_with("foundation ")));
        for (other, others) in &tools[..place] {
            let mut differences = differences(crates, others);
            if *name == "openbench" {
                // Of what the client shares, only the small crate of its command line uses macros that need this one.
                differences.retain(|it| !it.starts_with("syn v2."));
            }
            found.extend(
                differences
                    .into_iter()
                    .map(|it| format!("{name}, {other}: {it}")),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
