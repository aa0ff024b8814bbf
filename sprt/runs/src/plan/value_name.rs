//! The values of flags as they are typed.

use clap::ValueEnum;

/// A value of a flag that takes one of a list.
pub fn value_name(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}
