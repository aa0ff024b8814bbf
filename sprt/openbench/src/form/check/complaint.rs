//! One thing that is wrong with a form, and the message for a list of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use foundation::Failure;

use crate::form::preset;

/// One thing that is wrong with a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub field: &'static str,
    pub ours: String,
    /// The server's message about it; empty where it crashes or says nothing.
    pub server: String,
}

/// All complaints as one failure.
pub fn failure(complaints: &[Complaint]) -> Failure {
    let mut text = String::from("the server would not take this:");
    for Complaint {
        field,
        ours,
        server,
    } in complaints
    {
        let _ = write!(text, "\n  {field}: {ours}");
        if !server.is_empty() {
            let _ = write!(text, " (server: `{server}`)");
        }
    }
    let flags: BTreeSet<String> = complaints
        .iter()
        .map(|complaint| preset::flag(complaint.field))
        .collect();
    let flags: Vec<String> = flags.into_iter().collect();
    Failure::unable(text).hint(format!(
        "set {}, or the same without dashes in [openbench] of whetstone.toml",
        flags.join(", ")
    ))
}
