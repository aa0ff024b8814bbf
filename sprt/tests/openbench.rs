//! `sprt openbench` hands its command line to the client in its folder, and ends as that ends.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// A folder with `sprt` in it, as an installation has.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (built, here) = (env!("CARGO_BIN_EXE_sprt"), folder.path().join("sprt"));
        fs::hard_link(built, &here)
            .or_else(|_| fs::copy(built, &here).map(|_| ()))
            .expect("installed");
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A client of this version that prints its arguments, and exits with 4.
    fn client(&self, folder: &str) -> PathBuf {
        self.client_of(
            folder,
            concat!("echo openbench ", env!("CARGO_PKG_VERSION")),
        )
    }

    /// The same with something else for an answer to `--version`.
    fn client_of(&self, folder: &str, version: &str) -> PathBuf {
        let program = self.path().join(folder).join("sprt-openbench");
        fs::create_dir_all(self.path().join(folder)).expect("a folder");
        let script = format!(
            "#!/bin/sh\n[ \"$1\" != --version ] || {{ {version}; exit; }}\necho {folder} \"$@\"\nexit 4\n"
        );
        fs::write(&program, script).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
        program
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        Command::new(self.path().join("sprt"))
            .args(arguments)
            .env("PATH", self.path().join("path"))
            .output()
            .expect("started")
    }
}

#[test]
fn the_client_beside_the_program_is_started_in_its_place() {
    let installed = Installed::new();
    installed.client("path");
    let line = ["-v", "openbench", "stop", "21", "--allow-http"];
    let output = installed.run(&line);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(
        output.stdout, b"path -v stop 21 --allow-http\n",
        "{output:?}"
    );
    installed.client(".");
    assert_eq!(installed.run(&line).stdout, b". -v stop 21 --allow-http\n");
}

#[test]
fn a_client_of_another_version_is_reported_and_started() {
    let installed = Installed::new();
    for (version, told) in [
        (
            "echo openbench 0.0.7",
            "has version 0.0.7, and this program has",
        ),
        ("echo", "does not report its version"),
        ("exit 2", "does not report its version"),
    ] {
        installed.client_of("path", version);
        let output = installed.run(&["openbench", "list"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(told), "{version}: {text}");
        assert_eq!(output.status.code(), Some(4), "{version}: {text}");
    }
    installed.client("path");
    let output = installed.run(&["openbench", "list"]);
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_mistake_on_the_command_line_needs_no_client() {
    let installed = Installed::new();
    let output = installed.run(&["openbench", "list", "--password", "opensesame"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("unexpected argument"), "{text}");
    let help = installed.run(&["openbench", "submit", "test", "--help"]);
    assert!(
        String::from_utf8_lossy(&help.stdout).contains("--bounds"),
        "{help:?}"
    );
}

#[test]
fn without_a_client_the_way_to_install_it_is_told() {
    let output = Installed::new().run(&["openbench", "list"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("`sprt-openbench` is neither in `"), "{text}");
    assert!(
        text.contains("cargo install --locked --path sprt/openbench"),
        "{text}"
    );
}
