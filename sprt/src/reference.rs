//! This tool's part of the reference, made from its types and its flags.

use clap::Args;
use foundation::reference::table;

use crate::commands::{calc, check, list, plan, verify};
use runs::plan::settings::NewFlags;
use runs::plan::{MatchFlags, TestFlags};
use runs::report::{json, tournament};

/// The keys of `[sprt]`, which are the flags of a run, as a table.
pub fn keys() -> String {
    keys_of::<MatchFlags>() + &keys_of::<TestFlags>()
}

/// The keys of `[sprt.base]` and `[sprt.new]`, as a table.
pub fn engine_keys() -> String {
    keys_of::<NewFlags>()
        .replace("| `new-", "| `")
        .replace("NEW", "the engine")
}

/// The rows of a table of keys: one for each flag that takes a value.
pub fn keys_of<T: Args>() -> String {
    let command = T::augment_args(clap::Command::new("flags"));
    command
        .get_arguments()
        .filter_map(|argument| {
            let (key, help) = (argument.get_long()?, argument.get_help()?);
            Some(format!(
                "| `{key}` | {} |\n",
                help.to_string().replace('|', "\\|")
            ))
        })
        .collect()
}

/// The JSON objects that commands print: command, schema, and the members as a table.
pub fn objects() -> Vec<(&'static str, &'static str, String)> {
    const MEMBER: &str = "member";
    vec![
        (
            "run, resume, show",
            "sprt-result",
            table::<json::Json>(MEMBER),
        ),
        (
            "tournament, resume, show",
            "sprt-tournament",
            table::<tournament::Json>(MEMBER),
        ),
        (
            "suite, resume, show",
            "sprt-suite",
            table::<analysis::suite::report::Json>(MEMBER),
        ),
        (
            "blunders, resume, show",
            "sprt-blunders",
            table::<analysis::blunders::report::Json>(MEMBER),
        ),
        (
            "stats",
            "sprt-stats",
            table::<analysis::games::report::Json<'_>>(MEMBER),
        ),
        ("list", "sprt-list", table::<list::Json>(MEMBER)),
        ("calc", "sprt-calc", table::<calc::Output>(MEMBER)),
        ("verify", "sprt-verify", table::<verify::Output>(MEMBER)),
        (
            "verify --replay",
            "sprt-replay",
            table::<verify::replay::Output>(MEMBER),
        ),
        ("check", "sprt-check", table::<check::Output>(MEMBER)),
        ("plan", "sprt-forecast", table::<plan::Output>(MEMBER)),
    ]
}
