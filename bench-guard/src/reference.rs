//! This tool's part of the reference, made from its types.

use foundation::reference::table;

use crate::{
    commands::{bench, bisect, compare, fix, init, nps, perft},
    report::json::{self, description},
    settings::Settings,
};

/// The keys of `[bench-guard]`, as a table.
pub fn keys() -> String {
    table::<Settings>("key")
}

/// The JSON objects that commands print: command, schema, and the members as a table.
pub fn objects() -> Vec<(&'static str, &'static str, String)> {
    vec![
        description::<json::Check>(),
        description::<json::Message>(),
        description::<bench::Speeds>(),
        description::<bisect::Bisection>(),
        description::<compare::Comparison>(),
        description::<perft::Counted>(),
        description::<nps::Compared>(),
        description::<fix::Fixed>(),
        description::<init::Initialised>(),
    ]
}
