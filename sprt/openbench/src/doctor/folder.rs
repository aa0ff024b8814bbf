//! Checks that are only possible on the machine of an instance.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use foundation::{Failure, failure::OrUnable};
use nix::sys::statvfs::statvfs;

use super::Finding;

/// Archives of games take some megabytes per test.
const FREE_GIB: f64 = 5.0;
/// The start of the key in OpenBench's own settings, which everybody can read.
const PUBLIC_KEY: &str = "@!zw2l8til1";

/// Examines the folder of an instance, or a checkout of OpenBench that is served.
pub fn examine(folder: &Path) -> Result<Vec<Finding>, Failure> {
    let disk = statvfs(folder).or_unable(format_args!(
        "find out how full the disk of {} is",
        folder.display()
    ))?;
    let free = disk.blocks_available() as f64 * disk.fragment_size() as f64 / f64::from(1 << 30);
    Ok([Some(space(free)), key(folder), secrets(folder)]
        .into_iter()
        .flatten()
        .collect())
}

fn space(free: f64) -> Finding {
    if free < FREE_GIB {
        Finding::bad(
            "disk",
            format!("{free:.1} GiB are free"),
            "delete archives of games that were fetched, or old backups",
        )
    } else {
        Finding::good("disk", format!("{free:.0} GiB are free"))
    }
}

/// The settings of a checkout, if that is what is served.
fn key(folder: &Path) -> Option<Finding> {
    let settings = fs::read_to_string(folder.join("OpenSite/settings.py")).ok()?;
    if folder.join("OpenSite/instance.py").is_file() || !settings.contains(PUBLIC_KEY) {
        return Some(Finding::good("key", "not the public one"));
    }
    Some(Finding::bad(
        "key",
        "SECRET_KEY is the one in OpenBench's repository: whoever knows it can forge what the server signs",
        "set a random SECRET_KEY",
    ))
}

fn secrets(folder: &Path) -> Option<Finding> {
    let mode = fs::metadata(folder.join(".env")).ok()?.permissions().mode() & 0o777;
    if mode.trailing_zeros() >= 6 {
        return Some(Finding::good(
            "secrets",
            ".env is readable by its owner only",
        ));
    }
    Some(Finding::bad(
        "secrets",
        format!(".env has mode {mode:o}"),
        "run `chmod 600 .env`",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;

    #[test]
    fn a_full_disk_a_public_key_and_readable_secrets_are_bad() {
        assert_eq!(
            (space(4.9).state, space(50.0).state),
            (State::Bad, State::Good)
        );
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!((key(folder.path()), secrets(folder.path())), (None, None));
        fs::create_dir(folder.path().join("OpenSite")).expect("a folder");
        fs::write(
            folder.path().join("OpenSite/settings.py"),
            "SECRET_KEY = '@!zw2l8til1(0eb'",
        )
        .expect("written");
        assert_eq!(
            key(folder.path()).map(|finding| finding.state),
            Some(State::Bad)
        );
        let file = folder.path().join(".env");
        fs::write(&file, "").expect("written");
        let with = |mode| {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("set");
            secrets(folder.path()).map(|finding| finding.state)
        };
        assert_eq!(
            (with(0o644), with(0o600)),
            (Some(State::Bad), Some(State::Good))
        );
        assert!(!examine(folder.path()).expect("a disk").is_empty());
    }
}
