//! This tool's part of the reference, made from its types.

use foundation::reference::table;

use crate::ablation::report::Report;
use crate::commands::{history, lint, list, screen, simulate, transfer};
use crate::run::printed::Printed;
use crate::run::{result, server};

/// The JSON objects that commands print: command, schema, and the members as a table.
pub fn objects() -> Vec<(&'static str, &'static str, String)> {
    const MEMBER: &str = "member";
    vec![
        (
            "report, show",
            "tuner-result",
            table::<Printed<result::RunResult>>(MEMBER),
        ),
        (
            "report of a server's tune",
            "tuner-server-result",
            table::<Printed<server::ServerResult>>(MEMBER),
        ),
        (
            "validate --transfer",
            "tuner-transfer",
            table::<transfer::TransferReport>(MEMBER),
        ),
        ("list", "tuner-list", table::<list::ListReport>(MEMBER)),
        (
            "history",
            "tuner-history",
            table::<history::HistoryReport>(MEMBER),
        ),
        ("lint", "tuner-lint", table::<lint::LintReport>(MEMBER)),
        (
            "screen",
            "tuner-screen",
            table::<screen::ScreenReport>(MEMBER),
        ),
        ("ablate", "tuner-ablation", table::<Report>(MEMBER)),
        (
            "simulate",
            "tuner-simulation",
            table::<simulate::SimulationReport>(MEMBER),
        ),
    ]
}
