//! Ways in which the engine of a source tree may be built, the likeliest first.

use std::{fmt::Write, fs, path::Path};

use super::projects;
use crate::build::makefile::{self, Located};
use crate::programs::on_path;

/// Targets that engines are built by where the first one in their Makefile does something else.
const TARGETS: [&str; 5] = ["openbench", "build", "release", "native", "all"];

/// A folder and a command, to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Empty where the Makefile is found by itself.
    pub(crate) folder: String,
    pub(crate) command: String,
    /// What is unusual about this way, for the comment in the settings.
    pub(crate) why: Option<String>,
}

impl Candidate {
    /// Whether make would read a network that it was not given.
    pub(super) fn takes_network(&self, root: &Path) -> bool {
        let folder = match (self.folder.as_str(), makefile::locate(root)) {
            ("", Located::In(folder)) => folder,
            (folder, _) => folder.to_owned(),
        };
        self.command.starts_with("make ")
            && !self.command.contains("EVALFILE=")
            && read_makefile(&root.join(folder)).contains("EVALFILE")
    }
}

/// The ways that a source tree offers. `folder` is set if it is known from elsewhere, `arguments`
/// go to make.
pub(crate) fn candidates(root: &Path, folder: Option<&str>, arguments: &str) -> Vec<Candidate> {
    let located = match folder {
        Some(folder) => vec![folder.to_owned()],
        None => match makefile::locate(root) {
            // One in the root may be for something else.
            Located::In(place) => {
                let other = (place != "src" && !read_makefile(&root.join("src")).is_empty())
                    .then(|| "src".to_owned());
                std::iter::once(String::new()).chain(other).collect()
            }
            Located::Ambiguous(folders) => folders,
            Located::Nowhere => Vec::new(),
        },
    };
    let mut found = Vec::new();
    for folder in &located {
        let place = match (folder.as_str(), makefile::locate(root)) {
            ("", Located::In(place)) => root.join(place),
            (folder, _) => root.join(folder),
        };
        let makefile = read_makefile(&place);
        let arguments = if arguments.contains(" CC=") || arguments.contains(" CXX=") {
            arguments.to_owned()
        } else {
            arguments.to_owned() + &other_compilers(&makefile, &|name| on_path(name).is_some())
        };
        let plain = format!("make -j{{jobs}} EXE={{exe}}{arguments}");
        found.push(Candidate {
            folder: folder.clone(),
            command: plain.clone(),
            why: None,
        });
        for target in targets(&makefile) {
            found.push(Candidate {
                folder: folder.clone(),
                command: plain.replacen("make ", &format!("make {target} "), 1),
                why: Some(format!("the engine is made by the target `{target}`")),
            });
        }
    }
    for line in projects::lines(root) {
        found.push(Candidate {
            folder: ".".to_owned(),
            command: line,
            why: Some("an OpenBench worker needs a Makefile".to_owned()),
        });
    }
    found
}

fn read_makefile(folder: &Path) -> String {
    ["GNUmakefile", "makefile", "Makefile"]
        .iter()
        .find_map(|name| fs::read_to_string(folder.join(name)).ok())
        .unwrap_or_default()
}

/// Compilers to use instead of those that the Makefile names first and that are not installed.
fn other_compilers(makefile: &str, is_installed: &dyn Fn(&str) -> bool) -> String {
    let mut arguments = String::new();
    for (variable, others) in [("CC", ["gcc", "clang"]), ("CXX", ["g++", "clang++"])] {
        let named = makefile.lines().find_map(|line| {
            let value = line.trim_start().strip_prefix(variable)?.trim_start();
            let value = value.trim_start_matches([':', '?']).strip_prefix('=')?;
            value.split_whitespace().next()
        });
        let missing = named.is_some_and(|name| !name.starts_with('$') && !is_installed(name));
        if missing && let Some(other) = others.iter().find(|other| is_installed(other)) {
            let _ = write!(arguments, " {variable}={other}");
        }
    }
    arguments
}

fn targets(text: &str) -> Vec<&'static str> {
    let has = |target: &&&str| {
        text.lines().any(|line| {
            let rest = line.strip_prefix(**target).map(str::trim_start);
            rest.is_some_and(|rest| rest.starts_with(':') && !rest.starts_with(":="))
        })
    };
    TARGETS.iter().filter(has).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        candidates(root.path(), None, " CC=gcc")
            .into_iter()
            .map(|candidate| (candidate.folder, candidate.command))
            .collect()
    }

    #[test]
    fn a_makefile_whose_first_target_is_help_has_others() {
        let found = commands(&[("src/Makefile", "help:\n\nbuild: net\n\nall := x\n")]);
        let expected = [
            "make -j{jobs} EXE={exe} CC=gcc",
            "make build -j{jobs} EXE={exe} CC=gcc",
        ];
        assert_eq!(
            found,
            expected.map(|command| (String::new(), command.to_owned()))
        );
    }

    #[test]
    fn a_makefile_in_the_root_does_not_hide_that_of_the_sources() {
        let found = commands(&[("Makefile", "doc:\n"), ("src/Makefile", "engine:\n")]);
        let folders: Vec<&str> = found.iter().map(|(folder, _)| folder.as_str()).collect();
        assert_eq!(folders, ["", "src"]);
    }

    #[test]
    fn a_compiler_that_is_not_installed_is_replaced() {
        let of = |makefile: &str| other_compilers(makefile, &|name| name.starts_with('g'));
        assert_eq!(of("EXE = x\nCC  = clang\n"), " CC=gcc");
        assert_eq!(of("CXX ?= clang++ -flto\n"), " CXX=g++");
        assert_eq!(of("CC = gcc\nCC = clang\nCCFLAGS = clang\n"), "");
    }

    #[test]
    fn a_cargo_engine_without_a_makefile_is_copied_out_of_its_target_folder() {
        let found = commands(&[("Cargo.toml", "[package]\nname = 'tiny'\n")]);
        let command = "cargo build --release && cp 'target/release/tiny' {exe}";
        assert_eq!(found, [(".".to_owned(), command.to_owned())]);
    }
}
