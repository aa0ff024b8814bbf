//! An engine's configuration file of an OpenBench server (`Engines/<Name>.json`): how it is built,
//! and the presets of its tests.

use std::{collections::BTreeMap, process::Command, time::Duration};

use foundation::{
    Failure,
    process::{self, End, Ended},
};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Engine {
    pub(crate) build: Build,
    #[serde(default)]
    pub(crate) test_presets: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Build {
    #[serde(default)]
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) compilers: Vec<String>,
}

impl Engine {
    pub(crate) fn parse(bytes: &[u8], name: &str) -> Result<Self, Failure> {
        serde_json::from_slice(bytes).map_err(|error| {
            Failure::unable(format!("`{name}` is not an OpenBench engine: {error}"))
                .hint("give the file `Engines/<Name>.json` of the server")
        })
    }

    /// The arguments that a worker passes to make for the compiler: those for the first entry that
    /// is installed.
    pub(crate) fn compiler_argument(&self) -> Result<String, Failure> {
        let compilers = &self.build.compilers;
        if compilers.is_empty() {
            return Ok(String::new());
        }
        let installed = compilers.iter().find(|entry| is_installed(entry));
        let Some(entry) = installed else {
            return Err(Failure::unable(format!(
                "none of the compilers of the engine is installed: {}",
                compilers.join(", ")
            ))
            .hint("install one of them, and see that it is on the PATH"));
        };
        Ok(argument(name_of(entry)))
    }

    /// A value of the presets `default` and `STC`, of which the second wins, as in a worker's form.
    pub(crate) fn preset(&self, key: &str) -> Option<&str> {
        ["STC", "default"]
            .iter()
            .find_map(|preset| self.test_presets.get(*preset)?.get(key)?.as_str())
    }

    /// The bounds of all presets, without repetitions.
    pub(crate) fn bounds(&self) -> Vec<[f64; 2]> {
        let mut all: Vec<[f64; 2]> = Vec::new();
        for preset in self.test_presets.values() {
            let text = preset.get("test_bounds").and_then(|value| value.as_str());
            if let Some(bounds) = text.and_then(pair)
                && !all.contains(&bounds)
            {
                all.push(bounds);
            }
        }
        all
    }

    /// Alpha and beta; OpenBench writes them in the other order.
    pub(crate) fn confidence(&self) -> Option<[f64; 2]> {
        let [beta, alpha] = pair(self.preset("test_confidence")?)?;
        Some([alpha, beta])
    }
}

/// `[0.00, 5.00]`.
pub(crate) fn pair(text: &str) -> Option<[f64; 2]> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (first, second) = inside.split_once(',')?;
    Some([first.trim().parse().ok()?, second.trim().parse().ok()?])
}

fn name_of(entry: &str) -> &str {
    entry.split(">=").next().unwrap_or(entry).trim()
}

/// As a worker passes it: nothing for Rust, `CXX` for C++, otherwise `CC`.
fn argument(compiler: &str) -> String {
    if compiler.contains("cargo") || compiler.contains("rustc") {
        String::new()
    } else if compiler.contains("++") {
        format!(" CXX={compiler}")
    } else {
        format!(" CC={compiler}")
    }
}

fn is_installed(entry: &str) -> bool {
    // A file of the repository names it.
    let mut command = Command::new(name_of(entry));
    command.arg("--version");
    let ended = process::run(command, Duration::from_secs(10), &|| None);
    let Ok(Ended {
        end: End::Exited(status),
        output,
    }) = ended
    else {
        return false;
    };
    let Some((_, least)) = entry.split_once(">=") else {
        return status.success();
    };
    let found = output.text();
    version(&found).is_some_and(|found| version(least).is_some_and(|least| found >= least))
}

/// The first `1.2` or `1.2.3` in a text.
fn version(text: &str) -> Option<Vec<u32>> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|word| {
            word.split('.')
                .map_while(|part| part.parse().ok())
                .collect()
        })
        .find(|numbers: &Vec<u32>| numbers.len() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_become_the_arguments_of_a_worker() {
        assert_eq!(argument(name_of("clang++>=10.0.0")), " CXX=clang++");
        assert_eq!(argument(name_of("gcc>=9.0.0")), " CC=gcc");
        assert_eq!(argument(name_of("cargo>=1.70.0")), "");
        assert_eq!(
            version("gcc (Debian 14.2.0-19) 14.2.0"),
            Some(vec![14, 2, 0])
        );
        assert!(version("1.85.1") > version("1.85"));
        assert!(!is_installed("no-such-compiler-at-all>=1.0"));
    }

    #[test]
    fn presets_are_read_with_confidence_in_the_right_order() {
        let text = r#"{"build": {"path": "src", "compilers": []}, "test_presets": {
            "default": {"test_confidence": "[0.10, 0.05]", "test_bounds": "[0.00, 5.00]"},
            "STC": {"both_time_control": "8.0+0.08"},
            "Simplification": {"test_bounds": "[-5.00, 0.00]"}}}"#;
        let engine = Engine::parse(text.as_bytes(), "x").expect("an engine");
        assert_eq!(engine.confidence(), Some([0.05, 0.1]));
        assert_eq!(engine.bounds(), [[-5.0, 0.0], [0.0, 5.0]]);
        assert_eq!(engine.preset("both_time_control"), Some("8.0+0.08"));
        assert!(Engine::parse(b"{}", "x").is_err());
    }
}
