//! git as tests start it: without variables and settings of whoever runs them.

use std::path::Path;
use std::process::Command;

/// What git prints in this folder; it must succeed.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    foundation::process::scrub(&mut git);
    let output = git
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=A", "-c", "user.email=a@b", "-C"])
        .arg(folder)
        .args(arguments)
        .output()
        .expect("git");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
