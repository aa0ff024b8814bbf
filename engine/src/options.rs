//! UCI options: the fixed ones, and one spin option per parameter.

use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use crate::network::{self, Network};
use crate::params::{Params, SPECS};
use crate::search::job::Settings;
use crate::search::reductions::Reductions;
use crate::tablebase::Tablebase;
use crate::techniques::PruningMode;

pub const DEFAULT_HASH: usize = 16;
pub const MAX_HASH: usize = 65_536;
pub const MAX_THREADS: usize = 256;
const MAX_MULTI_PV: usize = 218;
const MAX_OVERHEAD: u64 = 5_000;
const MAX_SAMPLE: u64 = 1_000_000;

/// What the caller has to do after an option has been set.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    Settings,
    Hash(usize),
    Threads(usize),
    ClearHash,
    /// The evaluation has changed, so tables and histories are stale.
    Evaluation,
}

/// Values of `EvalFile` that name no file: the network of the build, and none.
const EMBEDDED: &str = "<embedded>";
const HAND_CRAFTED: &str = "<none>";
/// The most bytes that are read of a network file: 4,096 hidden values with 32 king buckets take 201
/// million.
const LARGEST_FILE: u64 = 1 << 28;

/// The `option` lines that answer `uci`.
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
            "option name Pruning type combo default {}{}",
            PruningMode::ALL[0].0,
            PruningMode::ALL
                .map(|(name, _)| format!(" var {name}"))
                .concat()
        ),
        format!(
            "option name PruningStats type check default {}",
            defaults.pruning_stats
        ),
        format!("option name PruningSample type spin default 0 min 0 max {MAX_SAMPLE}"),
        "option name Clear Hash type button".to_owned(),
        format!("option name EvalFile type string default {EMBEDDED}"),
    ];
    lines.push("option name SyzygyPath type string default <empty>".to_owned());
    lines.push(format!(
        "option name SyzygyProbeDepth type spin default {} min 1 max 100",
        defaults.probe_depth
    ));
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
    match name.to_ascii_lowercase().as_str() {
        "hash" => return Ok(Change::Hash(spin(name, value, 1, MAX_HASH)?)),
        "threads" => return Ok(Change::Threads(spin(name, value, 1, MAX_THREADS)?)),
        "clear hash" => return Ok(Change::ClearHash),
        "evalfile" => {
            settings.network = evaluation(value)?;
            return Ok(Change::Evaluation);
        }
        "syzygypath" => {
            settings.tablebase = match value {
                "" | "<empty>" => None,
                path => {
                    Some(Arc::new(Tablebase::open(path).map_err(|error| {
                        format!("SyzygyPath: {error}; unchanged")
                    })?))
                }
            };
        }
        "syzygyprobedepth" => settings.probe_depth = spin(name, value, 1, 100)?,
        // Only the GUI needs it.
        "ponder" => drop(check(name, value)?),
        "move overhead" => settings.overhead = spin(name, value, 0, MAX_OVERHEAD)?,
        "multipv" => settings.multi_pv = spin(name, value, 1, MAX_MULTI_PV)?,
        "uci_chess960" => settings.chess960 = check(name, value)?,
        "pruning" => {
            let named = |mode: &&(&str, PruningMode)| mode.0.eq_ignore_ascii_case(value);
            let Some(&(_, mode)) = PruningMode::ALL.iter().find(named) else {
                return Err(format!(
                    "{name}: expected baseline, conservative or disabled, got '{value}'"
                ));
            };
            settings.pruning = mode;
        }
        "pruningsample" => settings.pruning_sample = spin(name, value, 0, MAX_SAMPLE)?,
        "pruningstats" => settings.pruning_stats = check(name, value)?,
        _ => {
            let index = Params::index(name).ok_or_else(|| format!("unknown option '{name}'"))?;
            let number = value
                .parse::<i32>()
                .map_err(|_| format!("{name}: expected an integer, got '{value}'"))?;
            settings.params.set(index, number)?;
            settings.reductions = Arc::new(Reductions::new(&settings.params));
        }
    }
    Ok(Change::Settings)
}

/// The network that a value of `EvalFile` names.
fn evaluation(value: &str) -> Result<Option<Arc<Network>>, String> {
    match value {
        HAND_CRAFTED => Ok(None),
        EMBEDDED => Ok(network::embedded()),
        path => read_network(path)
            .map(|network| Some(Arc::new(network)))
            .map_err(|error| format!("EvalFile: {path}: {error}; unchanged")),
    }
}

fn read_network(path: &str) -> Result<Network, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    // A device or a pipe may be endless.
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err("expected a file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    Network::from_bytes(&bytes)
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
            ("Pruning", "some"),
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
        assert_eq!(
            set(&mut settings, "pruning", "Disabled"),
            Ok(Change::Settings)
        );
        assert_eq!(settings.pruning, PruningMode::Disabled);
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

    #[test]
    fn networks_that_cannot_be_used_are_refused() {
        let mut settings = Settings::default();
        let before = settings.network.is_some();
        let path = std::env::temp_dir().join(format!("network-{}.bin", std::process::id()));
        let name = path.to_string_lossy().into_owned();
        let mut load = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let result = set(&mut settings, "EvalFile", &name);
            (result, settings.network.is_some())
        };
        let network =
            network::tests::random(1, network::HIDDEN / 2, network::KingBuckets::ONE).to_bytes();
        let hidden = format!("expected a hidden layer of {}", network::HIDDEN);
        let size = format!("expected {} bytes", network.len());
        for (bytes, told) in [
            (&b"no network"[..], "expected a network"),
            (&network[..], &hidden),
            (&network[..9_999], &size),
        ] {
            let (result, is_set) = load(bytes);
            let error = result.unwrap_err();
            assert!(error.contains(told) && error.contains(&name), "{error}");
            assert_eq!(is_set, before, "unchanged");
        }
        let network =
            network::tests::random(1, network::HIDDEN, network::KingBuckets::ONE).to_bytes();
        assert_eq!(load(&network), (Ok(Change::Evaluation), true));
        std::fs::remove_file(&path).unwrap();
        assert!(
            set(&mut settings, "EvalFile", &name)
                .unwrap_err()
                .contains("unchanged")
        );
        assert!(settings.network.is_some());
        assert_eq!(
            set(&mut settings, "EvalFile", "<none>"),
            Ok(Change::Evaluation)
        );
        assert!(settings.network.is_none());
        assert_eq!(
            set(&mut settings, "EvalFile", "<embedded>"),
            Ok(Change::Evaluation)
        );
        assert!(settings.network.is_some());
    }
}
