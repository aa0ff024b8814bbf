//! The JSON that describes an engine to a server, made from its repository and checked by building
//! it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bench_guard::build;
use bench_guard::repository::Repository;
use bench_guard::settings::{self, Settings};
use foundation::process::{self, End};
use foundation::{Failure, Printer, failure::OrUnable};
use serde_json::{Map, Value, json};

use super::check::{NO_BOOK, PRESETS, check};
use crate::submit::revision;

/// Members of an engine's entry that the user sets instead of what is found out.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    pub name: Option<String>,
    pub source: Option<String>,
    pub compilers: Vec<String>,
}

/// An engine, as the server's `Engines/NAME.json` describes it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub json: Value,
}

/// The server's words for each system.
const SYSTEMS: [&str; 3] = ["Linux", "Windows", "Darwin"];

impl Entry {
    /// The file with the token of a private engine, beside the server's configuration.
    pub fn credentials(&self) -> Option<String> {
        let is_private = self.json.get("private").is_some_and(|it| it == true);
        let name = self.name.replace(' ', "").to_lowercase();
        is_private.then(|| format!("credentials.{name}"))
    }

    /// The books that its presets name.
    pub fn books(&self) -> Vec<&str> {
        let presets = PRESETS
            .iter()
            .filter_map(|(kind, _)| self.json.get(kind)?.as_object());
        let mut books: Vec<&str> = presets
            .flat_map(Map::values)
            .filter_map(|preset| preset.get("book_name")?.as_str())
            .filter(|book| *book != NO_BOOK)
            .collect();
        books.sort_unstable();
        books.dedup();
        books
    }
}

/// Builds and benches `HEAD` as a worker does, and describes the engine. An `openbench.json` in the
/// engine's folder is used as it is, with the speed that was measured. Of several engines, it is the
/// one whose folder `here` is in.
pub fn describe(here: &Path, overrides: &Overrides, printer: Printer) -> Result<Entry, Failure> {
    let (found, repository) = Settings::of_folder(here)?;
    let settings = found.build_settings(settings::cores());
    let folder = repository.root().join(&settings.folder);
    let name = engine_name(repository.root(), overrides.name.as_deref())?;
    let source = match &overrides.source {
        Some(source) => source.clone(),
        None => revision::own_address(&repository).ok_or_else(|| {
            Failure::unable(
                "no remote of this repository is on GitHub, from where workers would build it",
            )
            .hint("give --source https://github.com/USER/REPO")
        })?,
    };
    let revision = repository.resolve("HEAD")?;
    let built = build::build(&repository, &revision, &settings, &|line| {
        printer.note(line);
    })?;
    let nps = built.bench.nps.filter(|nps| *nps > 0).ok_or_else(|| {
        Failure::engine(
            "the bench does not report nodes per second, which a worker needs to scale time controls",
        )
        .hint("print `<nodes> nodes <nps> nps` as the last line of `bench`")
    })?;
    printer.note(&format!(
        "bench {}, {nps} nodes per second",
        built.bench.nodes
    ));
    match genfens(&built.binary)? {
        0 => printer
            .warn("the engine knows no `genfens`: data generation needs a book, or that command"),
        lines => printer.note(&format!("genfens gives openings ({lines} of 2)")),
    }
    let file = folder.join("openbench.json");
    let mut json = match std::fs::read_to_string(&file) {
        Ok(text) => {
            printer.note(&format!("taking {}", file.display()));
            serde_json::from_str(&text).or_unable(format_args!("read {}", file.display()))?
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let compilers = compilers(&folder, &overrides.compilers)?;
            let (base, doubt) = base_branch(&repository);
            if let Some(doubt) = doubt {
                printer.warn(&doubt);
            }
            made(&settings.folder, &compilers, &base)
        }
        Err(error) => return Err(error).or_unable(format_args!("read {}", file.display())),
    };
    let Some(object) = json.as_object_mut() else {
        return Err(Failure::unable(format!(
            "{} is no JSON object",
            file.display()
        )));
    };
    object.insert("nps".to_owned(), json!(nps));
    object.insert("source".to_owned(), json!(source));
    check(&json).map_err(|failure| failure.context(file.display()))?;
    Ok(Entry { name, json })
}

/// A name that can be used as a file name, in an address, and as one word of a worker's command.
fn engine_name(root: &Path, wished: Option<&str>) -> Result<String, Failure> {
    let own = root.file_name().unwrap_or_default().to_string_lossy();
    let name = wished.unwrap_or(&own);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-+".contains(&byte);
    if name.is_empty() || name.starts_with('.') || !name.bytes().all(is_plain) {
        return Err(
            Failure::unable(format!("`{name}` is no name for an engine on a server"))
                .hint("give --engine NAME, of letters and digits"),
        );
    }
    Ok(name.to_owned())
}

/// The branch that tests are played against: the default branch of `origin`, otherwise the current
/// one, and what the user has to know of that.
fn base_branch(repository: &Repository) -> (String, Option<String>) {
    let target = |name: &str| {
        let words = ["symbolic-ref", "--quiet", "--short", name];
        let target = repository.git().text(&words).ok()?;
        Some(target.trim().to_owned())
    };
    let default = target("refs/remotes/origin/HEAD");
    if let Some(name) = default
        .as_deref()
        .and_then(|name| name.strip_prefix("origin/"))
    {
        return (name.to_owned(), None);
    }
    let name = target("HEAD").unwrap_or_else(|| "main".to_owned());
    let doubt = format!(
        "tests will be played against the branch `{name}`: this clone does not say which branch of \
         `origin` is the default one. If it is another, change `base_branch` in `server/Engines`, or run \
         `git remote set-head origin --auto` and this again"
    );
    (name, Some(doubt))
}

/// Compilers, judged by the files in the engine's folder.
fn compilers(folder: &Path, wished: &[String]) -> Result<Vec<String>, Failure> {
    if !wished.is_empty() {
        return Ok(wished.to_vec());
    }
    if let Ok(text) = std::fs::read_to_string(folder.join("Cargo.toml")) {
        return Ok(vec![cargo(&text)]);
    }
    let names = files(folder, 3);
    let has = |ends: &[&str]| {
        names.iter().any(|name| {
            let end = name.rsplit_once('.').map_or("", |(_, end)| end);
            ends.contains(&end)
        })
    };
    let known: [(&[&str], &[&str]); 4] = [
        (&["cpp", "cc", "cxx"], &["g++", "clang++"]),
        (&["c"], &["gcc", "clang"]),
        (&["go"], &["go"]),
        (&["cs"], &["dotnet"]),
    ];
    let found = known.iter().find(|(ends, _)| has(ends));
    found
        .map(|(_, compilers)| compilers.iter().map(|&name| name.to_owned()).collect())
        .ok_or_else(|| {
            Failure::unable(format!(
                "no sources of a known language in {}",
                folder.display()
            ))
            .hint("give --compiler NAME, as the engine's Makefile takes it in CC or CXX")
        })
}

/// `cargo`, at least in the version that the package asks for.
fn cargo(manifest: &str) -> String {
    let package = toml::from_str::<toml::Table>(manifest).ok();
    let of = |table: &toml::Table| {
        table
            .get("package")?
            .get("rust-version")?
            .as_str()
            .map(str::to_owned)
    };
    let of_workspace = |table: &toml::Table| {
        table
            .get("workspace")
            .and_then(toml::Value::as_table)
            .and_then(of)
    };
    match package.and_then(|table| of(&table).or_else(|| of_workspace(&table))) {
        Some(version) => format!("cargo>={version}"),
        None => "cargo".to_owned(),
    }
}

/// Names of files in a folder and in the folders in it, down to a depth.
fn files(folder: &Path, depth: usize) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder {
            names.push(name);
        } else if depth > 0 && !name.starts_with('.') {
            names.extend(files(&entry.path(), depth - 1));
        }
    }
    names
}

/// How many of two openings the engine makes when called as a worker calls it.
fn genfens(binary: &Path) -> Result<usize, Failure> {
    let folder = tempfile::tempdir().or_unable("make a folder for the engine")?;
    let mut command = Command::new(binary);
    command
        .args(["genfens 2 seed 1 book None ", "quit"])
        .current_dir(folder.path());
    // A worker gives up after 15 seconds without an opening.
    let ended =
        process::run(command, Duration::from_secs(15), &|| None).or_unable("start the engine")?;
    let text = ended.output.text();
    let lines = text
        .lines()
        .filter(|line| line.starts_with("info string genfens "))
        .count();
    match ended.end {
        End::Stopped(reason) => Err(Failure::unable(reason)),
        _ => Ok(lines),
    }
}

/// An entry with presets that suit most engines.
fn made(folder: &str, compilers: &[String], base: &str) -> Value {
    let both = |hash: u32, control: &str, size: u32| json!({"both_options": format!("Threads=1 Hash={hash}"), "both_time_control": control, "workload_size": size});
    let adjudication = json!({
        "book_name": "UHO_Lichess_4852_v1.epd",
        "win_adj": "movecount=3 score=400",
        "draw_adj": "movenumber=40 movecount=8 score=10",
    });
    let mut test = adjudication.clone();
    test["base_branch"] = json!(base);
    test["test_bounds"] = json!("[0.00, 5.00]");
    test["test_confidence"] = json!("[0.05, 0.05]");
    json!({
        "private": false,
        "build": {"path": folder, "compilers": compilers, "cpuflags": [], "systems": SYSTEMS},
        "test_presets": {
            "default": test,
            "STC": both(16, "8.0+0.08", 32),
            "LTC": both(64, "40.0+0.4", 8),
        },
        "tune_presets": {
            "default": adjudication,
            "STC": {"dev_options": "Threads=1 Hash=16", "dev_time_control": "8.0+0.08"},
        },
        "datagen_presets": {
            "default": {"win_adj": "None", "draw_adj": "None", "workload_size": 128},
            "5k nodes": {"both_options": "Threads=1 Hash=16", "both_time_control": "N=5000"},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git_of_tests::git;

    #[test]
    fn an_entry_of_ours_is_one_that_the_server_takes() {
        let mut entry = made("src", &["gcc".to_owned()], "main");
        entry["nps"] = json!(1_000_000);
        entry["source"] = json!("https://github.com/example/engine");
        assert_eq!(check(&entry), Ok(()));
    }

    #[test]
    fn a_base_that_the_clone_does_not_name_is_doubted() {
        let place = tempfile::tempdir().expect("a folder");
        let git = |arguments: &[&str]| git(place.path(), arguments);
        git(&["init", "-q", "-b", "margin"]);
        let repository = Repository::discover(place.path()).expect("a repository");
        let (name, doubt) = base_branch(&repository);
        assert_eq!(name, "margin");
        let doubt = doubt.expect("a doubt");
        assert!(
            doubt.contains("`margin`") && doubt.contains("`base_branch`"),
            "{doubt}"
        );
        git(&[
            "symbolic-ref",
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
        ]);
        assert_eq!(base_branch(&repository), ("main".to_owned(), None));
    }

    #[test]
    fn a_compiler_is_found_by_the_sources() {
        let folder = tempfile::tempdir().expect("a folder");
        let found = || compilers(folder.path(), &[]);
        assert!(found().is_err());
        std::fs::create_dir(folder.path().join("src")).expect("a folder");
        std::fs::write(folder.path().join("src/main.c"), "").expect("written");
        assert_eq!(found().expect("C"), ["gcc", "clang"]);
        std::fs::write(folder.path().join("src/search.cpp"), "").expect("written");
        assert_eq!(found().expect("C++"), ["g++", "clang++"]);
        std::fs::write(
            folder.path().join("Cargo.toml"),
            "[workspace.package]\nrust-version = '1.95'\n",
        )
        .expect("written");
        assert_eq!(found().expect("Rust"), ["cargo>=1.95"]);
    }

    #[test]
    fn a_name_is_fit_for_a_file() {
        let root = Path::new("/home/alice/whetstone");
        assert_eq!(engine_name(root, None).as_deref(), Ok("whetstone"));
        for name in ["", "../x", ".hidden", "a/b", "my engine"] {
            assert!(engine_name(root, Some(name)).is_err(), "{name}");
        }
    }
}
