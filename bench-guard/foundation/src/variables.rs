//! Every environment variable that a tool reads, in one list, from which the reference is made.

/// Another place for built engines and their source trees.
pub const CACHE: &str = "WHETSTONE_CACHE";
/// Another place for run folders.
pub const STATE: &str = "WHETSTONE_STATE";
/// The default of `--concurrency`.
pub const CONCURRENCY: &str = "WHETSTONE_CONCURRENCY";
/// Set by continuous integration.
pub const CI: &str = "CI";

/// Name and meaning of each, as the reference prints them.
pub const ALL: [(&str, &str); 6] = [
    (
        CACHE,
        "folder for built engines and their source trees; safe to delete [default: `whetstone` in the XDG cache folder]",
    ),
    (
        STATE,
        "folder for runs and their journals [default: `whetstone` in the XDG state folder]",
    ),
    (
        CONCURRENCY,
        "games played at the same time, where `--concurrency` is not given",
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
