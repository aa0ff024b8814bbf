//! Writes the source tree of a revision to a folder, as GitHub packs it for a worker: no `.git`, no
//! submodules, no LFS content, `export-ignore` honoured, no conversion that the user's settings ask
//! for.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use super::{Repository, Revision, program};
use foundation::{Failure, failure::OrUnable, process};

impl Repository {
    /// `folder` must exist and be empty.
    pub(crate) fn export(&self, revision: &Revision, folder: &Path) -> Result<(), Failure> {
        let git = match revision {
            Revision::Commit { .. } => self.git.clone(),
            Revision::WorkTree { snapshot } => self.git_with(snapshot),
        };
        let mut archive = git
            .command(&[
                "-c",
                "core.autocrlf=false",
                "-c",
                "core.attributesFile=/dev/null",
                "-c",
                "filter.lfs.smudge=",
                "-c",
                "filter.lfs.process=",
                "-c",
                "filter.lfs.required=false",
                "archive",
                "--format=tar",
                revision.tree(),
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| program::not_started(&error))?;
        let mut unpack = Command::new("tar");
        process::scrub(&mut unpack);
        // `-o`: a superuser's tar would give the files to whom the archive names.
        unpack
            .args(["-x", "-o", "-f", "-"])
            .current_dir(folder)
            .stderr(Stdio::piped());
        if let Some(packed) = archive.stdout.take() {
            unpack.stdin(packed);
        }
        let unpacked = unpack.output();
        // The reading end must be closed before git is waited for, or git waits for a reader that
        // has gone.
        drop(unpack);
        let archived = archive
            .wait_with_output()
            .or_unable("read from `git archive`")?;
        let unpacked = unpacked
            .or_unable("start `tar`")
            .map_err(|failure| failure.hint("install tar, and see that it is on the PATH"))?;
        if !archived.status.success() {
            return Err(program::failed("archive", &archived.stderr));
        }
        if !unpacked.status.success() {
            let reason = String::from_utf8_lossy(&unpacked.stderr);
            return Err(Failure::unable(format!(
                "failed to unpack the source tree of {}: {}",
                revision.name(),
                reason.trim()
            ))
            .hint("is the disk full? WHETSTONE_CACHE names another folder"));
        }
        Ok(())
    }
}
