//! What every reader of a format asks of its list.

use foundation::Failure;

use super::location::Source;
use crate::parameter::{self, Field, Parameter};

/// Turns the first fault of a list into a complaint at the place that `place` gives for it.
pub(super) fn checked(
    source: Source,
    parameters: Vec<Parameter>,
    place: impl Fn(usize, Field) -> usize,
) -> Result<Vec<Parameter>, Failure> {
    match parameter::check(&parameters) {
        Ok(()) => Ok(parameters),
        Err((index, field, reason)) => Err(source.fault(place(index, field), reason)),
    }
}
