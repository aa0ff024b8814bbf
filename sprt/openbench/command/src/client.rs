//! Starts `sprt-openbench`, which takes the place of this process: the terminal, signals and the
//! exit code are its own.
//!
//! It is looked for in the folder of the program that starts it, then on the PATH, as git and cargo
//! do. Under `cargo run` it is built first, beside the program that runs.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use foundation::{Failure, Printer, failure::OrUnable, variables};
use serde::Serialize;

/// The client's name.
pub const PROGRAM: &str = "sprt-openbench";
/// Its package in this workspace.
const PACKAGE: &str = "openbench";
/// The word before the client's own.
const WORD: &str = "openbench";

/// Hands the client the command line of this process, less the word `openbench`. Returns only if
/// that fails.
pub fn hand_over(printer: Printer) -> Failure {
    let arguments = without_word(std::env::args_os().skip(1));
    start(&arguments, None, Path::new("."), printer)
}

/// Starts the client in a folder with these arguments, and `stdin` if it is to read something.
/// Returns only if that fails.
pub fn start(
    arguments: &[OsString],
    stdin: Option<File>,
    folder: &Path,
    printer: Printer,
) -> Failure {
    let program = match program(printer) {
        Ok(program) => program,
        Err(failure) => return failure,
    };
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(folder);
    if let Some(file) = stdin {
        command.stdin(Stdio::from(file));
    }
    Failure::unable(format!(
        "cannot start `{}`: {}",
        program.display(),
        command.exec()
    ))
}

/// Runs the client to its end, without printing its result, as one step of another command.
///
/// # Errors
/// It cannot be started, or it did not succeed; it has already said why.
pub fn call(arguments: &[OsString], printer: Printer) -> Result<(), Failure> {
    let program = program(printer)?;
    let status = Command::new(&program)
        .args(arguments)
        .stdout(Stdio::null())
        .status()
        .or_unable(format_args!("start `{}`", program.display()))?;
    if status.success() {
        return Ok(());
    }
    let words: Vec<_> = arguments
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    Err(Failure::unable(format!(
        "`{PROGRAM} {}` failed: {status}",
        words.join(" ")
    )))
}

fn program(printer: Printer) -> Result<PathBuf, Failure> {
    let own = std::env::current_exe().or_unable("find out where this program is")?;
    if let Some(workspace) = Workspace::of_cargo_run(&own) {
        return workspace.build(printer);
    }
    let client = find(own.parent(), std::env::var_os(variables::PATH).as_deref())?;
    // One found by a relative entry of the PATH is not there from another folder.
    let client =
        std::path::absolute(&client).or_unable(format_args!("find `{}`", client.display()))?;
    if let Some(warning) = other_version(&client) {
        printer.warn(&warning);
    }
    Ok(client)
}

/// What to report about a client of another version. It may lack flags that are passed on.
fn other_version(client: &Path) -> Option<String> {
    const OURS: &str = env!("CARGO_PKG_VERSION");
    let output = Command::new(client)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let version = output.ok().filter(|output| output.status.success());
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version
        .as_deref()
        .and_then(|line| line.split_whitespace().last());
    if version == Some(OURS) {
        return None;
    }
    let theirs = version.map_or_else(
        || "does not report its version".to_owned(),
        |version| format!("has version {version}"),
    );
    Some(format!(
        "`{}` {theirs}, and this program has {OURS}; install both from the same sources or archive",
        client.display()
    ))
}

/// Flags as they are typed, from structs whose serialisation is flat and in kebab case. A flag of a
/// later struct replaces the same flag of an earlier one.
///
/// # Errors
/// A path is not UTF-8.
pub fn typed<T: Serialize>(layers: &[&T]) -> Result<Vec<OsString>, Failure> {
    let mut flags = serde_json::Map::new();
    for layer in layers {
        let layer = serde_json::to_value(layer).or_unable("hand flags over")?;
        let layer = layer.as_object().into_iter().flatten();
        let given = layer.filter(|(_, value)| !value.is_null());
        flags.extend(given.map(|(name, value)| (name.clone(), value.clone())));
    }
    let typed = flags.into_iter().filter_map(|(name, value)| match value {
        serde_json::Value::Bool(true) => Some(format!("--{name}")),
        serde_json::Value::String(text) => Some(format!("--{name}={text}")),
        _ => None,
    });
    Ok(typed.map(OsString::from).collect())
}

fn without_word(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut found = false;
    arguments
        .filter(|argument| {
            found || argument != WORD || {
                found = true;
                false
            }
        })
        .collect()
}

fn find(folder: Option<&Path>, path: Option<&OsStr>) -> Result<PathBuf, Failure> {
    let folders = folder.map(Path::to_owned).into_iter();
    let folders = folders.chain(path.into_iter().flat_map(std::env::split_paths));
    let mut programs = folders.map(|folder| folder.join(PROGRAM));
    programs.find(|program| program.is_file()).ok_or_else(|| {
        let beside = folder.map_or_else(String::new, |folder| {
            format!("in `{}` nor ", folder.display())
        });
        Failure::unable(format!("`{PROGRAM}` is neither {beside}on the PATH")).hint(
            "it speaks to OpenBench servers and is installed by itself: in a clone of Whetstone, \
             `cargo install --locked --path sprt/openbench`",
        )
    })
}

/// The workspace whose program `cargo run` started.
struct Workspace {
    cargo: OsString,
    manifest: PathBuf,
    /// Where the program lies.
    folder: PathBuf,
}

impl Workspace {
    /// None if this is not a `cargo run` in our workspace, but an installed program.
    fn of_cargo_run(own: &Path) -> Option<Self> {
        let cargo = std::env::var_os("CARGO")?;
        let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
        let root = package
            .ancestors()
            .find(|folder| folder.join("Cargo.lock").is_file())?;
        let manifest = root.join("sprt/openbench/Cargo.toml");
        let folder = own.parent()?;
        // Cargo locks the folder into which it builds.
        let is_built_here = folder.join(".cargo-lock").is_file() && manifest.is_file();
        is_built_here.then(|| Self {
            cargo,
            manifest,
            folder: folder.to_owned(),
        })
    }

    /// Builds the client as the running program was built; if nothing changed, that takes no time.
    fn build(&self, printer: Printer) -> Result<PathBuf, Failure> {
        let program = self.folder.join(PROGRAM);
        if !program.is_file() {
            printer.note(&format!(
                "building `{PROGRAM}`, which speaks to OpenBench servers"
            ));
        }
        let profile = match self.folder.file_name().and_then(OsStr::to_str) {
            Some("debug") | None => "dev",
            Some(profile) => profile,
        };
        let status = Command::new(&self.cargo)
            .args(["build", "--quiet", "--package", PACKAGE, "--bin", PROGRAM])
            .args(["--profile", profile, "--manifest-path"])
            .arg(&self.manifest)
            .arg("--target-dir")
            .args(self.folder.parent())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .or_unable(format_args!("start `{}`", self.cargo.display()))?;
        if status.success() {
            Ok(program)
        } else {
            Err(Failure::unable(format!(
                "`{PROGRAM}` does not build: {status}"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::{ServerArgs, SubmitFlags, TuneArgs};

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_client_gets_the_line_without_the_first_openbench() {
        let line = "-v openbench networks list openbench --json";
        let rest = without_word(words(line).into_iter());
        assert_eq!(rest, words("-v networks list openbench --json"));
    }

    #[test]
    fn a_path_that_cannot_be_handed_over_loses_no_flag_beside_it() {
        use std::os::unix::ffi::OsStrExt as _;
        let server = ServerArgs {
            server: Some("https://bench.example.org".into()),
            password_file: Some(OsStr::from_bytes(b"d\xfc/pw").into()),
            ..ServerArgs::default()
        };
        let failure = typed(&[&server]).expect_err("not UTF-8");
        assert!(failure.to_string().contains("UTF-8"), "{failure}");
    }

    #[test]
    fn flags_are_typed_as_they_were_read() {
        let flags = SubmitFlags {
            dry_run: true,
            assume_pushed: true,
            ..SubmitFlags::default()
        };
        let mut all = typed(&[&flags]).expect("words");
        let [file, line] = [["0.2", "9"], ["0.1", ""]].map(|[ratio, length]| TuneArgs {
            spsa_a_ratio: Some(ratio.into()),
            spsa_iterations: Some(length.to_owned()).filter(|length| !length.is_empty()),
            ..TuneArgs::default()
        });
        all.extend(typed(&[&file, &line]).expect("words"));
        all.extend(
            typed(&[&ServerArgs {
                password_file: Some("a b".into()),
                ..ServerArgs::default()
            }])
            .expect("words"),
        );
        let expected = [
            "--dry-run",
            "--assume-pushed",
            "--spsa-a-ratio=0.1",
            "--spsa-iterations=9",
            "--password-file=a b",
        ];
        let mut all: Vec<_> = all.iter().map(|word| word.to_string_lossy()).collect();
        all.sort();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(all, expected);
    }

    #[test]
    fn the_folder_of_the_program_comes_before_the_path() {
        let [own, other] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
        let find = || find(Some(own.path()), Some(other.path().as_os_str()));
        let failure = find().expect_err("not there");
        assert!(
            failure
                .next_step()
                .is_some_and(|hint| hint.contains("cargo install"))
        );
        for folder in [&other, &own] {
            let program = folder.path().join(PROGRAM);
            std::fs::write(&program, "").expect("written");
            assert_eq!(find().ok(), Some(program));
        }
    }
}
