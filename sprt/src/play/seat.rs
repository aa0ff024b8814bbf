//! Who plays a side.

use foundation::Failure;
use serde::Serialize;

/// A person, or an engine by its place on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Seat {
    Person,
    Engine(usize),
}

impl Seat {
    /// Reads `person`, or the number of an engine from 1.
    ///
    /// # Errors
    /// It is neither, or there is no such engine.
    pub(super) fn read(text: &str, engines: usize) -> Result<Self, Failure> {
        if text == "person" {
            return Ok(Self::Person);
        }
        let place = text.parse::<usize>().ok();
        let place = place.filter(|place| (1..=engines).contains(place));
        place.map(|place| Self::Engine(place - 1)).ok_or_else(|| {
            Failure::unable(format!(
                "a seat is for `person` or an engine from 1 to {engines}, got `{text}`"
            ))
        })
    }
}
