//! Every environment variable that a tool reads, in one list, from which the reference is made.

/// Another place for built engines, their source trees and digests.
pub const CACHE: &str = "WHETSTONE_CACHE";
/// Another place for run folders.
pub const STATE: &str = "WHETSTONE_STATE";
/// Another place for the locks by which runs keep off each other's processors.
pub const LOCKS: &str = "WHETSTONE_LOCKS";
/// The default of `--concurrency`.
pub const CONCURRENCY: &str = "WHETSTONE_CONCURRENCY";
/// The server of `sprt openbench`.
pub const OPENBENCH_SERVER: &str = "OPENBENCH_SERVER";
/// Who logs in there.
pub const OPENBENCH_USERNAME: &str = "OPENBENCH_USERNAME";
/// The password.
pub const OPENBENCH_PASSWORD: &str = "OPENBENCH_PASSWORD";
/// A file with the password.
pub const OPENBENCH_PASSWORD_FILE: &str = "OPENBENCH_PASSWORD_FILE";
/// Set by continuous integration.
pub const CI: &str = "CI";

/// Name and meaning of each, as the reference prints them.
pub const ALL: [(&str, &str); 11] = [
    (
        CACHE,
        "folder for built engines, their source trees and digests; safe to delete [default: `whetstone` in the XDG cache folder]",
    ),
    (
        STATE,
        "folder for runs and their journals [default: `whetstone` in the XDG state folder]",
    ),
    (
        LOCKS,
        "folder for the locks by which runs keep off each other's processors; containers of one machine may share it [default: `/run/lock`, else `/tmp`]",
    ),
    (
        CONCURRENCY,
        "games played at the same time, where `--concurrency` is not given",
    ),
    (
        OPENBENCH_SERVER,
        "address of the OpenBench server, where `--server` is not given",
    ),
    (
        OPENBENCH_USERNAME,
        "who logs in to the OpenBench server, where `--username` is not given",
    ),
    (
        OPENBENCH_PASSWORD,
        "password for the OpenBench server; read before any password file",
    ),
    (
        OPENBENCH_PASSWORD_FILE,
        "file with that password as its first line, which only its owner can read",
    ),
    (CI, "if set, no progress bars are drawn"),
    (
        "NO_COLOR",
        "if set and not empty, output is not coloured unless `--color always` is given",
    ),
    (
        "PATH",
        "where `sprt` and `tuner` look for an engine that is neither a path nor a git revision",
    ),
];
