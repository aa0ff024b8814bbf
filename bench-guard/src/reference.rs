//! This tool's part of the reference, made from its types.

use foundation::reference::table;

use crate::commands::{bench, bisect, compare, fix, init};
use crate::report::json;
use crate::settings::Settings;

/// The keys of `[bench-guard]`, as a table.
pub fn keys() -> String {
    table::<Settings>("key")
}

/// The JSON objects that commands print: command, schema, and the members as a table.
pub fn objects() -> Vec<(&'static str, &'static str, String)> {
    const MEMBER: &str = "member";
    vec![
        ("check", "bench-guard-check", table::<json::Check>(MEMBER)),
        (
            "message",
            "bench-guard-message",
            table::<json::Message>(MEMBER),
        ),
        ("bench", "bench-guard-bench", table::<bench::Speeds>(MEMBER)),
        (
            "bisect",
            "bench-guard-bisect",
            table::<bisect::Bisection>(MEMBER),
        ),
        (
            "compare",
            "bench-guard-compare",
            table::<compare::Comparison>(MEMBER),
        ),
        ("fix", "bench-guard-fix", table::<fix::Fixed>(MEMBER)),
        (
            "init",
            "bench-guard-init",
            table::<init::Initialised>(MEMBER),
        ),
    ]
}
