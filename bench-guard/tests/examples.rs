//! The workflows that authors copy: the inputs and flags in them exist in the action and in
//! bench-guard.

use std::fs;

use bench_guard::cli::Cli;
use clap::Parser as _;

fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = fs::read_dir(folder).expect("examples");
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("read");
        (path.display().to_string(), text)
    };
    files.map(read).collect()
}

#[test]
fn their_inputs_are_those_of_the_action() {
    let action = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../.github/actions/bench-guard/action.yml"
    );
    let action = fs::read_to_string(action).expect("the action");
    let inputs: Vec<&str> = action
        .lines()
        .skip_while(|line| *line != "inputs:")
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '))
        .collect();
    assert!(inputs.contains(&"range"), "{inputs:?}");
    let mut used = 0;
    for (file, text) in examples() {
        let steps = text.split("- uses: OWNER/whetstone/.github/actions/bench-guard@main");
        for step in steps.skip(1) {
            let lines = step
                .lines()
                .skip(1)
                .skip_while(|line| line.trim() != "with:");
            for line in lines
                .skip(1)
                .take_while(|line| line.starts_with("          "))
            {
                let (name, _) = line.trim().split_once(':').expect("an input");
                assert!(inputs.contains(&name), "{file}: {name}");
                used += 1;
            }
        }
    }
    assert!(used >= 3);
}

#[test]
fn their_command_lines_are_understood() {
    let mut read = 0;
    for (file, text) in examples() {
        let lines = text
            .lines()
            .filter_map(|line| line.split_once("- run: bench-guard "));
        for (_, words) in lines {
            let words = words.replace(['"', '$'], "");
            let line = std::iter::once("bench-guard").chain(words.split_whitespace());
            Cli::try_parse_from(line).unwrap_or_else(|error| panic!("{file}: {error}"));
            read += 1;
        }
    }
    assert!(read >= 2);
}
