//! UCI options: the fixed ones, and one spin option per parameter.

use crate::params::{Params, SPECS};
use crate::search::settings::Settings;

pub(crate) const DEFAULT_HASH: usize = 16;
const MAX_HASH: usize = 65_536;
const MAX_THREADS: usize = 256;
const MAX_MULTI_PV: usize = 256;
const MAX_OVERHEAD: u64 = 5_000;
const MAX_QUIET: usize = 1_000;

/// What the caller has to do after an option has been set.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Settings,
    Hash(usize),
    ClearHash,
}

/// The `option` lines that answer `uci`.
pub(crate) fn declarations() -> Vec<String> {
    let defaults = Settings::default();
    let spin = |name: &str, default: u64, min: u64, max: u64| {
        format!("option name {name} type spin default {default} min {min} max {max}")
    };
    let mut lines = vec![
        spin("Hash", DEFAULT_HASH as u64, 1, MAX_HASH as u64),
        spin("Threads", 1, 1, MAX_THREADS as u64),
        spin("MultiPV", 1, 1, MAX_MULTI_PV as u64),
        spin("Move Overhead", defaults.overhead, 0, MAX_OVERHEAD),
        spin(
            "Quiet Limit",
            defaults.quiet_limit as u64,
            1,
            MAX_QUIET as u64,
        ),
        "option name OwnBook type check default false".to_owned(),
        "option name Ponder type check default false".to_owned(),
        "option name Clear Hash type button".to_owned(),
    ];
    lines.extend(SPECS.iter().map(|spec| {
        format!(
            "option name {} type spin default {} min {} max {}",
            spec.name, spec.default, spec.min, spec.max
        )
    }));
    lines
}

/// Sets an option; the case of its name does not matter.
///
/// # Errors
/// The name or value is invalid; nothing has changed.
pub(crate) fn set(settings: &mut Settings, name: &str, value: &str) -> Result<Change, String> {
    match name.to_ascii_lowercase().as_str() {
        "hash" => return Ok(Change::Hash(spin(name, value, 1, MAX_HASH)?)),
        "clear hash" => return Ok(Change::ClearHash),
        "threads" => settings.threads = spin(name, value, 1, MAX_THREADS)?,
        "multipv" => settings.multi_pv = spin(name, value, 1, MAX_MULTI_PV)?,
        "move overhead" => settings.overhead = spin(name, value, 0, MAX_OVERHEAD)?,
        "quiet limit" => settings.quiet_limit = spin(name, value, 1, MAX_QUIET)?,
        "ownbook" => settings.own_book = check(name, value)?,
        // Only the GUI needs it.
        "ponder" => drop(check(name, value)?),
        _ => {
            let index = Params::index(name).ok_or_else(|| format!("unknown option '{name}'"))?;
            let number = value
                .parse::<i32>()
                .map_err(|_| format!("{name}: expected an integer, got '{value}'"))?;
            settings.set(index, number)?;
        }
    }
    Ok(Change::Settings)
}

fn check(name: &str, value: &str) -> Result<bool, String> {
    value
        .parse()
        .map_err(|_| format!("{name}: expected true or false, got '{value}'"))
}

fn spin<T>(name: &str, value: &str, min: T, max: T) -> Result<T, String>
where
    T: Copy + std::str::FromStr + PartialOrd + std::fmt::Display,
{
    value
        .parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("{name}: expected a number from {min} to {max}, got '{value}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_course_are_known_whatever_their_case() {
        let mut settings = Settings::default();
        for name in [
            "mobility",
            "kaggressive",
            "kface",
            "pbetween",
            "pcentral",
            "lcoverage",
        ] {
            assert_eq!(
                set(&mut settings, name, "7"),
                Ok(Change::Settings),
                "{name}"
            );
        }
        assert_eq!(settings.params.l_coverage(), 7);
        assert_eq!(set(&mut settings, "HASH", "64"), Ok(Change::Hash(64)));
    }

    #[test]
    fn bad_values_are_refused_and_change_nothing() {
        let mut settings = Settings::default();
        let before = settings.params.clone();
        for (name, value) in [
            ("KFace", "10001"),
            ("KFace", "-1"),
            ("KFace", ""),
            ("KFace", "1.5"),
            ("Hash", "0"),
            ("Threads", "many"),
            ("MultiPV", "257"),
            ("Ponder", "perhaps"),
            ("NoSuchOption", "1"),
        ] {
            assert!(set(&mut settings, name, value).is_err(), "{name} {value}");
        }
        assert_eq!(settings.params, before);
    }
}
