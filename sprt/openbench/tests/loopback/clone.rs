//! A clone of an engine, and tests that are submitted from it.

use std::fs;
use std::path::{Path, PathBuf};

use foundation::Failure;
use openbench::session::Session;
use openbench::settings::Settings;
use openbench::submit::{Report, submit};
use openbench_command::flags::{FieldArgs, SubmitFlags};
use openbench_command::workload::Kind;

use crate::git_of_tests::git;
use crate::server::printer;

/// A clone of an engine whose bench stands in a file, and what it pushes to.
pub struct Clone {
    folder: tempfile::TempDir,
}

impl Clone {
    pub fn new() -> Self {
        let clone = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir_all(clone.here()).expect("a folder");
        clone.git(&["init", "-q", "-b", "main"]);
        clone.git(&["init", "-q", "--bare", "../github/tinyrust.git"]);
        clone.git(&[
            "remote",
            "add",
            "origin",
            "git@github.com:localdev/tinyrust.git",
        ]);
        let there = clone.folder.path().join("github/");
        clone.git(&[
            "config",
            &format!("url.{}/.insteadOf", there.display()),
            "git@github.com:localdev/",
        ]);
        fs::write(clone.here().join("Makefile"), "all:\n\t{ echo '#!/bin/sh'; echo \"echo $$(cat bench) nodes 1000 nps\"; } > $(EXE)\n\tchmod +x $(EXE)\n").expect("written");
        fs::write(
            clone.here().join("whetstone.toml"),
            "[bench-guard]\nbuild = 'make EXE={exe}'\n",
        )
        .expect("written");
        clone.commit(302_378, "Begin\n\nBench: 302378");
        clone.git(&["push", "-q", "origin", "main"]);
        clone.git(&["checkout", "-q", "-b", "better"]);
        clone.commit(302_398, "Widen the margin\n\nBench: 302398");
        clone.git(&["push", "-q", "origin", "better"]);
        clone
    }

    pub fn here(&self) -> PathBuf {
        self.folder.path().join("engine")
    }

    pub fn git(&self, arguments: &[&str]) {
        git(&self.here(), arguments);
    }

    pub fn commit(&self, bench: u64, message: &str) {
        fs::write(self.here().join("bench"), bench.to_string()).expect("written");
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// Submits the branch that is checked out.
    pub async fn test(&self, session: &mut Session) -> Result<Report, Failure> {
        test(session, &self.here(), fields(), SubmitFlags::default()).await
    }
}

pub fn fields() -> FieldArgs {
    FieldArgs {
        engine: Some("TinyRust".into()),
        tc: Some("N=2000".into()),
        ..FieldArgs::default()
    }
}

pub async fn test(
    session: &mut Session,
    here: &Path,
    fields: FieldArgs,
    flags: SubmitFlags,
) -> Result<Report, Failure> {
    test_of(session, here, &Settings::default().with(&fields), flags).await
}

pub async fn test_of(
    session: &mut Session,
    here: &Path,
    settings: &Settings,
    mut flags: SubmitFlags,
) -> Result<Report, Failure> {
    // Builds of the tests stay with the tests.
    flags.cache = Some(here.join("../cache"));
    let kind = Kind::Test;
    submit(session, kind, settings, here, None, &flags, printer()).await
}

pub fn id(report: &Report) -> (u64, bool) {
    let submitted = report.submitted().expect("submitted");
    (submitted.id, submitted.existed)
}
