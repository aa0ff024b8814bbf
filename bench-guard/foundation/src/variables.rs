//! Every environment variable that a tool reads, in one list, from which the reference is made.

/// Declares a constant for each variable, and the list of all with what they mean.
macro_rules! variables {
    ($($constant:ident = $name:literal, $meaning:literal;)*) => {
        $(#[doc = $meaning] pub const $constant: &str = $name;)*

        /// Name and meaning of each, as the reference prints them.
        pub const ALL: &[(&str, &str)] = &[$(($constant, $meaning)),*];
    };
}

variables! {
    CACHE = "WHETSTONE_CACHE",
        "folder for built engines, their source trees and digests; may be deleted, except for what a run that is to go on has built [default: `whetstone` in the XDG cache folder]";
    STATE = "WHETSTONE_STATE",
        "folder for runs and their journals [default: `whetstone` in the XDG state folder]";
    LOCKS = "WHETSTONE_LOCKS",
        "folder for the locks by which runs keep off each other's processors; containers of one machine may share it [default: `/run/lock`, else `/tmp`]";
    CONCURRENCY = "WHETSTONE_CONCURRENCY",
        "games played at the same time, where `--concurrency` is not given";
    OPENBENCH_SERVER = "OPENBENCH_SERVER",
        "address of the OpenBench server, where `--server` is not given";
    OPENBENCH_USERNAME = "OPENBENCH_USERNAME",
        "who logs in to the OpenBench server, where `--username` is not given";
    OPENBENCH_PASSWORD = "OPENBENCH_PASSWORD",
        "password for the OpenBench server; read before the password file of whetstone.toml";
    OPENBENCH_PASSWORD_FILE = "OPENBENCH_PASSWORD_FILE",
        "file with that password as its first line, which only its owner can read";
    CI = "CI",
        "if set, no progress bars are drawn";
    NO_COLOR = "NO_COLOR",
        "if set and not empty, output is not coloured unless `--color always` is given";
    PATH = "PATH",
        "where `sprt` and `tuner` look for an engine that is neither a path nor a git revision";
}
