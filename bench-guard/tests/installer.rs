//! The installer of an archive, in a plain shell.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An archive as it is unpacked, with two programs in it.
struct Archive {
    folder: tempfile::TempDir,
}

impl Archive {
    fn new() -> Self {
        let archive = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        let installer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/install.sh");
        archive.write(
            "install.sh",
            &fs::read_to_string(installer).expect("the installer"),
        );
        for program in ["sprt", "tuner"] {
            archive.write(
                &format!("bin/{program}"),
                &format!("#!/bin/sh\necho {program} 1\n"),
            );
            archive.write(&format!("man/{program}.1"), ".TH\n");
            archive.write(&format!("completions/{program}.bash"), "");
            archive.write(&format!("completions/_{program}"), "");
            archive.write(&format!("completions/{program}.fish"), "");
        }
        archive.sum();
        archive
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn sum(&self) {
        let done = Command::new("sh")
            .args([
                "-c",
                "find bin man completions -type f | xargs sha256sum >SHA256SUMS",
            ])
            .current_dir(self.folder.path())
            .status();
        assert!(done.expect("a shell").success());
    }

    fn install(&self) -> Output {
        let mut shell = Command::new("sh");
        shell
            .arg(self.path("install.sh"))
            .env("PREFIX", self.path("to"));
        shell.output().expect("a shell")
    }
}

#[test]
fn programs_pages_and_completions_go_where_shells_look() {
    let archive = Archive::new();
    let done = archive.install();
    assert!(done.status.success(), "{done:?}");
    for file in [
        "bin/sprt",
        "share/man/man1/tuner.1",
        "share/bash-completion/completions/sprt",
        "share/zsh/site-functions/_sprt",
        "share/fish/vendor_completions.d/tuner.fish",
    ] {
        assert!(archive.path("to").join(file).is_file(), "{file}: {done:?}");
    }
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(
        told.contains("hint: add ") && told.contains("to PATH"),
        "{told}"
    );
    // A newer one replaces the installed one.
    archive.write("bin/sprt", "#!/bin/sh\necho sprt 2\n");
    archive.sum();
    assert!(archive.install().status.success());
    let new = Command::new(archive.path("to/bin/sprt"))
        .output()
        .expect("a program");
    assert_eq!(new.stdout, b"sprt 2\n");
}

#[test]
fn an_archive_that_was_changed_is_not_installed() {
    let archive = Archive::new();
    archive.write("bin/tuner", "#!/bin/sh\nexit 1\n");
    let done = archive.install();
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stderr).contains("hint: unpack the archive again"));
    assert!(!archive.path("to").exists());
}

#[test]
fn the_template_in_the_sources_fetches_nothing() {
    let archive = Archive::new();
    fs::remove_file(archive.path("SHA256SUMS")).expect("removed");
    let done = archive.install();
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    assert!(
        String::from_utf8_lossy(&done.stderr).contains("`make dist`"),
        "{done:?}"
    );
}
