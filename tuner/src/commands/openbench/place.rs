//! The folder in which the OpenBench client starts: it benches the engine of that folder.

use std::path::{Path, PathBuf};

use bench_guard::settings::Settings;
use foundation::files;
use openbench_command::flags::ServerArgs;

/// The folder whose engine a parameter file is of: its own where that is in the repository of `here`
/// and `here` is in no folder of a further engine, and otherwise `here`.
pub(super) fn of_engine<'a>(here: &'a Path, file: &'a Path) -> &'a Path {
    let folder = files::folder(file);
    let engine_of = |folder: &Path| {
        let (engine, repository) = Settings::of_folder(folder).ok()?;
        let root = repository.root().canonicalize().ok()?;
        Some((root, engine.name().map(str::to_owned)))
    };
    match (engine_of(here), engine_of(folder)) {
        (Some((root, None)), Some((other, Some(_)))) if file.is_file() && root == other => folder,
        _ => here,
    }
}

/// What says the same to a client in another folder.
pub(super) fn in_any_folder(server: &ServerArgs) -> ServerArgs {
    let mut server = server.clone();
    server.password_file = server.password_file.as_deref().map(whole);
    server
}

pub(super) fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_the_folder_of_a_further_engine_is_of_that() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path();
        let of = |here: &str, file: &str| {
            let (here, file) = (root.join(here), root.join(file));
            let found = of_engine(&here, &file);
            found.strip_prefix(root).expect("inside").to_owned()
        };
        for folder in ["one/second", "one/tunes", "two/second"] {
            std::fs::create_dir_all(root.join(folder)).expect("a folder");
            std::fs::write(root.join(folder).join("params.toml"), "").expect("written");
        }
        for repository in ["one", "two"] {
            let section = "[bench-guard.engine.second]\nfolder = 'second'\n";
            let repository = root.join(repository);
            std::fs::write(repository.join("whetstone.toml"), section).expect("written");
            let mut git = std::process::Command::new("git");
            let made = git.args(["init", "-q"]).current_dir(&repository).status();
            assert!(made.expect("git runs").success());
        }
        assert_eq!(of("one", "one/second/params.toml"), Path::new("one/second"));
        for (here, file) in [
            ("one", "one/tunes/params.toml"),
            ("one", "one/second"),
            ("one/second", "one/tunes/params.toml"),
            ("one", "two/second/params.toml"),
        ] {
            assert_eq!(of(here, file), Path::new(here), "{file}");
        }
    }
}
