//! What a format of parameter lists must be able to do.

use std::ops::Range;

use foundation::Failure;

use super::location::Source;
use super::params_file::{ParamsFile, SpsaKeys};
use crate::parameter::Parameter;

/// What was read or written, and what was lost on the way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Converted<T> {
    pub content: T,
    pub warnings: Vec<String>,
}

/// Reads a list; `games` is the length of the run that it was meant for, where that matters.
pub(super) type Reader = fn(Source, u64) -> Result<Converted<ParamsFile>, Failure>;

/// A format: a type without fields, in a file of its own, with a line in `format.rs`.
pub(crate) trait Syntax {
    /// Whether a list looks like this; it begins with its first line that is neither empty nor a
    /// comment. Whether it is valid comes out when it is read.
    fn fits(&self, list: &str) -> bool;

    /// None where the format has values without ranges, which cannot be tuned.
    fn reader(&self) -> Option<Reader> {
        None
    }

    /// Whether values may be texts. The tuners of the other formats set options to numbers, which
    /// few engines take for a switch.
    fn has_choices(&self) -> bool {
        false
    }

    /// Whether parameters may have fractions.
    fn has_floats(&self) -> bool {
        true
    }

    /// Name and value in a line of a text without ranges, where it has any.
    fn value_in<'a>(&self, _line: &'a str) -> Option<(&'a str, &'a str)> {
        None
    }

    /// Where the values of these parameters stand, as ranges of bytes.
    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure>;

    /// Writes a list for a run of this shape and so many games.
    fn write(&self, parameters: &[Parameter], spsa: &SpsaKeys, games: u64) -> Converted<String>;
}
