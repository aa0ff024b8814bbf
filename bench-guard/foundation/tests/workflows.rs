//! The workflows and actions of this repository are what GitHub can read: YAML, in which each step of somebody else is
//! pinned, each job has a limit, and each script and package that is named is there.
//!
//! Whether GitHub's machines do what is meant is not tested.

use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![root().join(".github")];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension() {
                _ if path.is_dir() => pending.push(path),
                Some(extension) if extension == "yml" => files.push(path),
                _ => {}
            }
        }
    }
    files
}

/// What is wrong with a workflow or an action.
fn complaints(text: &str) -> Vec<String> {
    let documents = match YamlLoader::load_from_str(text) {
        Ok(documents) => documents,
        Err(error) => return vec![format!("no YAML: {error}")],
    };
    let [document] = documents.as_slice() else {
        return vec![format!("{} documents", documents.len())];
    };
    let mut complaints = Vec::new();
    let mut steps: Vec<&Yaml> = document["runs"]["steps"]
        .as_vec()
        .into_iter()
        .flatten()
        .collect();
    if let Some(jobs) = document["jobs"].as_hash() {
        if document["permissions"].is_badvalue() {
            complaints.push("no permissions".to_owned());
        }
        for (name, job) in jobs {
            if job["timeout-minutes"].as_i64().is_none() {
                complaints.push(format!(
                    "{}: no timeout-minutes",
                    name.as_str().unwrap_or("?")
                ));
            }
            steps.extend(job["steps"].as_vec().into_iter().flatten());
        }
    }
    if steps.is_empty() {
        complaints.push("no steps".to_owned());
    }
    for step in steps {
        match (step["uses"].as_str(), step["run"].as_str()) {
            (Some(used), None) => complaints.extend(unpinned(used)),
            (None, Some(script)) => complaints.extend(missing(script)),
            _ => complaints.push(format!("neither `uses` nor `run`: {step:?}")),
        }
    }
    complaints
}

/// A tag can be moved to something else; a commit cannot.
fn unpinned(used: &str) -> Option<String> {
    if let Some(place) = used.strip_prefix("./") {
        return (!root().join(place).is_dir()).then(|| format!("`{used}` is not there"));
    }
    let commit = used.rsplit('@').next().unwrap_or_default();
    let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!is_commit).then(|| format!("`{used}` is not pinned to a commit"))
}

/// Scripts and packages that a step names and that are not there.
fn missing(script: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let words: Vec<&str> = script.split_whitespace().collect();
    let mut missing = Vec::new();
    for pair in words.windows(2) {
        let is_there = match pair {
            ["bash", file] if !file.contains('$') => root().join(file).is_file(),
            ["-p", package] => [format!("\"{package}\""), format!("/{package}\"")]
                .iter()
                .any(|member| manifest.contains(member)),
            _ => true,
        };
        if !is_there {
            missing.push(format!("`{}`: no such thing here", pair.join(" ")));
        }
    }
    missing
}

#[test]
fn each_workflow_and_action_can_be_read_and_names_what_is_there() {
    let files = files();
    assert!(files.len() >= 5, "{files:?}");
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a file");
        wrong.extend(
            complaints(&text)
                .into_iter()
                .map(|it| format!("{}: {it}", path.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_github_could_not_read_is_found() {
    let workflow = |step: &str| {
        format!(
            "permissions: {{}}\njobs:\n  a:\n    timeout-minutes: 5\n    steps:\n      - {step}\n"
        )
    };
    assert_eq!(
        complaints(&workflow("run: cargo test -p foundation")),
        Vec::<String>::new()
    );
    for (step, said) in [
        ("run: cargo test -- memory:: tests", "no YAML"),
        ("uses: actions/checkout@v4", "not pinned"),
        ("uses: ./.github/actions/none", "not there"),
        ("run: bash .ci/none", "no such thing"),
        ("run: cargo test -p none", "no such thing"),
        ("name: nothing", "neither"),
    ] {
        let complaints = complaints(&workflow(step));
        assert!(
            complaints.iter().any(|it| it.contains(said)),
            "{step}: {complaints:?}"
        );
    }
    let unlimited = complaints("jobs:\n  a:\n    steps:\n      - run: make\n");
    assert_eq!(unlimited, ["no permissions", "a: no timeout-minutes"]);
}
