//! Values of flags, held against what makes sense.

use std::ops::RangeInclusive;

use clap::builder::RangedU64ValueParser;
use foundation::Failure;

/// Seconds that any wait may last at most, so that no sum of times overflows.
pub(super) const WEEK: u64 = 7 * 24 * 60 * 60;

/// Reads the seconds of a flag for a wait.
pub fn wait_seconds() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=WEEK)
}

/// The value of a flag, if it lies in the range of what makes sense.
pub(super) fn within(flag: &str, value: u64, range: RangeInclusive<u64>) -> Result<u64, Failure> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = range.into_inner();
    let expected = if value < least {
        format!("at least {least}")
    } else {
        format!("at most {most}")
    };
    Err(Failure::unable(format!(
        "--{flag} {value}: expected {expected}"
    )))
}

/// The milliseconds by which a move may exceed its time.
pub(super) fn time_margin(ms: u64) -> Result<u64, Failure> {
    within("time-margin", ms, 0..=1000 * WEEK)
}
