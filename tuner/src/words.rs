//! Wording shared by many messages.

use std::path::Path;

use foundation::process::command_on;

/// What continues a run in this folder that `sprt resume` does not finish.
pub(crate) fn same_command(folder: &Path) -> String {
    format!("the same command and `{}`", command_on("--out", folder))
}
