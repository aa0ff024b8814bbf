//! What decides about a program besides its sources: the compilers of this machine, and the features
//! of its processor, for which `-march=native` stands.
//!
//! Compilers are told apart by place and size, which an update changes and a reinstallation of the
//! same does not: a cache is carried from one machine of a CI to the next.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use crate::programs;
use foundation::{digest, platform};

/// Programs that compile, as far as builds of engines call them by name.
const COMPILERS: [&str; 12] = [
    "c++", "cc", "clang", "clang++", "dotnet", "g++", "gcc", "ghc", "go", "javac", "rustc", "zig",
];

/// Variables that name another.
const VARIABLES: [&str; 3] = ["CC", "CXX", "RUSTC"];

/// A digest of all that, found out once.
pub(super) fn identity() -> &'static str {
    static IDENTITY: LazyLock<String> = LazyLock::new(|| {
        let named = VARIABLES.iter().filter_map(|name| env::var(name).ok());
        let names = COMPILERS.map(str::to_owned).into_iter().chain(named);
        let rustup = env::var_os("RUSTUP_HOME").map(PathBuf::from);
        let rustup = rustup.or_else(|| Some(env::home_dir()?.join(".rustup")));
        let mut parts = vec![platform::features()];
        parts.extend(names.filter_map(|name| compiler(&programs::on_path(&name)?)));
        parts.extend(rustup.map(|home| toolchains(&home)).unwrap_or_default());
        digest::of_parts(&parts)
    });
    &IDENTITY
}

/// Place and size of a program.
fn compiler(program: &Path) -> Option<String> {
    let place = program.canonicalize().ok()?;
    let size = fs::metadata(&place).ok()?.len();
    Some(format!("{} {size}", place.display()))
}

/// The compilers of Rust's toolchains. A `rustc` on the PATH may only choose among them. The name of
/// its largest library has a digest of the version.
fn toolchains(rustup: &Path) -> Vec<String> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let toolchains = entries(&rustup.join("toolchains"));
    let libraries = toolchains.flat_map(|toolchain| entries(&toolchain.path().join("lib")));
    let drivers = libraries.map(|library| library.path().display().to_string());
    let mut drivers: Vec<String> = drivers
        .filter(|path| path.contains("rustc_driver"))
        .collect();
    drivers.sort_unstable();
    drivers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_is_known_by_its_place_and_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        for place in [&first, &second] {
            fs::create_dir(place).expect("a folder");
        }
        let found = || compiler(&second.join("gcc"));
        assert_eq!(found(), None);
        fs::write(second.join("gcc"), "12").expect("written");
        let old = found();
        assert!(old.is_some());
        // Installed once more, as on the next machine of a CI.
        fs::write(second.join("gcc"), "12").expect("written");
        assert_eq!(found(), old);
        fs::write(second.join("gcc"), "13.1").expect("written");
        let new = found();
        assert_ne!(new, old);
        fs::write(first.join("gcc"), "13.1").expect("written");
        assert_ne!(compiler(&first.join("gcc")), new);
    }

    #[test]
    fn an_update_of_a_toolchain_is_another_compiler() {
        let home = tempfile::tempdir().expect("a folder");
        assert!(toolchains(home.path()).is_empty());
        let library = home.path().join("toolchains/stable/lib");
        fs::create_dir_all(&library).expect("folders");
        for name in ["librustc_driver-1a.so", "libstd-2b.so"] {
            fs::write(library.join(name), "").expect("written");
        }
        let old = toolchains(home.path());
        assert_eq!(old.len(), 1);
        fs::rename(
            library.join("librustc_driver-1a.so"),
            library.join("librustc_driver-3c.so"),
        )
        .expect("renamed");
        assert_ne!(toolchains(home.path()), old);
    }
}
