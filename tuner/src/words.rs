//! Wording shared by many messages.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use foundation::process::command_on;

/// The name that a value has on the command line.
pub(crate) fn value_name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value
        .as_ref()
        .map_or("", PossibleValue::get_name)
        .to_owned()
}

/// What continues a run in this folder that `sprt resume` does not finish.
pub(crate) fn same_command(folder: &Path) -> String {
    format!("the same command and `{}`", command_on("--out", folder))
}
