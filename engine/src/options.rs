//! UCI options: the fixed ones, and one spin a parameter.

use crate::params::{Params, SPECS};
use crate::search::job::Settings;
use crate::search::reductions::Reductions;

pub const DEFAULT_HASH: usize = 16;
pub const MAX_HASH: usize = 65_536;
pub const MAX_THREADS: usize = 256;
const MAX_MULTI_PV: usize = 218;
const MAX_OVERHEAD: u64 = 5_000;

/// What has to be done after an option has been set.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    Settings,
    Hash(usize),
    Threads(usize),
    ClearHash,
}

/// The `option` lines of the answer to `uci`.
pub fn declarations() -> Vec<String> {
    let defaults = Settings::default();
    let mut lines = vec![
        format!("option name Hash type spin default {DEFAULT_HASH} min 1 max {MAX_HASH}"),
        format!("option name Threads type spin default 1 min 1 max {MAX_THREADS}"),
        format!(
            "option name Move Overhead type spin default {} min 0 max {MAX_OVERHEAD}",
            defaults.overhead
        ),
        format!(
            "option name MultiPV type spin default {} min 1 max {MAX_MULTI_PV}",
            defaults.multi_pv
        ),
        "option name Ponder type check default false".to_owned(),
        format!(
            "option name UCI_Chess960 type check default {}",
            defaults.chess960
        ),
        format!(
            "option name PruningStats type check default {}",
            defaults.pruning_stats
        ),
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

/// Sets an option by its case-insensitive name. A bad name or value is refused with a reason and
/// changes nothing.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<Change, String> {
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "hash" => Ok(Change::Hash(spin(name, value, 1, MAX_HASH)?)),
        "threads" => Ok(Change::Threads(spin(name, value, 1, MAX_THREADS)?)),
        "clear hash" => Ok(Change::ClearHash),
        "ponder" => check(name, value).map(|_| Change::Settings),
        "move overhead" => {
            settings.overhead = spin(name, value, 0, MAX_OVERHEAD)?;
            Ok(Change::Settings)
        }
        "multipv" => {
            settings.multi_pv = spin(name, value, 1, MAX_MULTI_PV)?;
            Ok(Change::Settings)
        }
        "uci_chess960" => {
            settings.chess960 = check(name, value)?;
            Ok(Change::Settings)
        }
        "pruningstats" => {
            settings.pruning_stats = check(name, value)?;
            Ok(Change::Settings)
        }
        _ => {
            let index = Params::index(name).ok_or_else(|| format!("unknown option '{name}'"))?;
            let number = value
                .parse::<i32>()
                .map_err(|_| format!("{name}: expected an integer, got '{value}'"))?;
            settings.params.set(index, number)?;
            settings.reductions = Reductions::new(&settings.params);
            Ok(Change::Settings)
        }
    }
}

fn spin<T>(name: &str, value: &str, min: T, max: T) -> Result<T, String>
where
    T: Copy + std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number = value
        .parse::<T>()
        .map_err(|_| format!("{name}: expected an integer, got '{value}'"))?;
    if number < min || number > max {
        return Err(format!("{name}: expected {min} to {max}, got {number}"));
    }
    Ok(number)
}

fn check(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name}: expected true or false, got '{value}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_refused_and_change_nothing() {
        let mut settings = Settings::default();
        let before = settings.params.clone();
        for (name, value) in [
            ("RfpMargin", "9999"),
            ("RfpMargin", "-5"),
            ("RfpMargin", ""),
            ("RfpMargin", "50.5"),
            ("RfpMargin", "1e2"),
            ("RfpMargin", "99999999999999999999"),
            ("Hash", "0"),
            ("Threads", "zwei"),
            ("UCI_Chess960", "maybe"),
            ("NoSuchOption", "1"),
        ] {
            assert!(set(&mut settings, name, value).is_err(), "{name} {value}");
        }
        assert_eq!(settings.params, before);
    }

    #[test]
    fn case_does_not_matter() {
        let mut settings = Settings::default();
        assert_eq!(set(&mut settings, "rfpmargin", "33"), Ok(Change::Settings));
        assert_eq!(settings.params.rfp_margin(), 33);
        assert_eq!(set(&mut settings, "HASH", "8"), Ok(Change::Hash(8)));
        assert_eq!(
            set(&mut settings, "move OVERHEAD", "77"),
            Ok(Change::Settings)
        );
        assert_eq!(settings.overhead, 77);
    }

    #[test]
    fn every_parameter_is_declared_once() {
        let lines = declarations();
        for spec in &SPECS {
            let start = format!(
                "option name {} type spin default {} ",
                spec.name, spec.default
            );
            assert_eq!(
                lines.iter().filter(|line| line.starts_with(&start)).count(),
                1
            );
        }
    }
}
