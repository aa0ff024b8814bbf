//! Wording shared by many messages.

use clap::ValueEnum;
use clap::builder::PossibleValue;

/// The name that a value has on the command line.
pub(crate) fn value_name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value
        .as_ref()
        .map_or("", PossibleValue::get_name)
        .to_owned()
}
