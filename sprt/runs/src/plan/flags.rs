//! What can be said about a match on the command line and in a project file, with the same names.
//!
//! [`MatchFlags`] says how games are played and serves every tool that plays them; [`TestFlags`]
//! says what is asked. Both hold command-line arguments only: a flag that was not given is `None`,
//! so that a project file can stand behind it.

use std::path::{Path, PathBuf};

use clap::Args;
use foundation::config::Config;
use foundation::{Failure, failure::OrUnable, printer::When};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::plan::OnFault;
use crate::plan::settings::EngineFlags;
use engine_client::Restart;
use referee::openings::Order;
use stats::Model;

/// How games are played.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Match")]
pub struct MatchFlags {
    /// Time control, [MOVES/]SECONDS[+INCREMENT], with commas between several stages [default: 8+0.08]
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Search so many nodes a move; without a clock, unless --tc is given too
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Search so many plies a move; without a clock, unless --tc is given too
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Think so many milliseconds a move
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Hash of each engine in MiB [default: 16]
    #[arg(long, value_name = "MIB")]
    pub hash: Option<u32>,
    /// Threads of each engine [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// Option for both engines; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub option: Vec<String>,
    /// Command-line argument for both engines; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arg: Vec<String>,
    /// Working folder of both engines [default: that of the run]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Line to send to both engines as it stands, after their options; may be repeated
    #[arg(long, value_name = "LINE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    /// When the engines' processes are started anew [default: never, but after a failure]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub restart: Option<Restart>,
    /// Let the engines think on their opponent's time, under a clock; a game needs twice the cores
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub ponder: Option<bool>,
    /// Opening book: EPD, PGN, Polyglot or lines of moves (`e2e4 e7e5`), also as .gz or .zip
    /// [default: an embedded one]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Order in which openings are taken [default: random]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub book_order: Option<Order>,
    /// Play no more than so many plies of each line of a book that has lines [default: all, of a
    /// Polyglot book 8]
    #[arg(long, value_name = "N")]
    pub book_plies: Option<u32>,
    /// Number of the first opening to take, from 1
    #[arg(long, value_name = "N")]
    pub book_start: Option<u64>,
    /// Seed of everything random [default: a new one, printed]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games played at the same time [default: cores / threads]
    #[arg(long, value_name = "N", env = "WHETSTONE_CONCURRENCY")]
    pub concurrency: Option<usize>,
    /// Bind each game to a processor [default: auto, which does so where no clock runs]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub affinity: Option<When>,
    /// Draw when both agree, or `none` [default: movenumber=40,movecount=8,score=10]
    #[arg(long, value_name = "RULE")]
    pub draw_adj: Option<String>,
    /// Resign when hopeless, or `none`; with twosided=true both must say so [default:
    /// movecount=3,score=400]
    #[arg(long, value_name = "RULE")]
    pub resign_adj: Option<String>,
    /// Adjudicate by the Syzygy tables in these folders, separated as in PATH
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<String>,
    /// Look up positions of at most so many pieces [default: all that the tables hold]
    #[arg(long, value_name = "N")]
    pub syzygy_pieces: Option<usize>,
    /// Draw after so many moves of each side
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,
    /// standard, chess960, or dfrc with a back rank for each side [default: standard]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Milliseconds that a move may exceed its time [default: 10]
    #[arg(long, value_name = "MS")]
    pub time_margin: Option<u64>,
    /// Milliseconds to wait after each game [default: 0]
    #[arg(long, value_name = "MS")]
    pub wait: Option<u64>,
    /// Seconds to wait for an engine to start [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub startup_timeout: Option<u64>,
    /// Seconds to wait for a move where no clock runs, and for `readyok` [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub move_timeout: Option<u64>,
}

/// What is asked of a match.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Test")]
pub struct TestFlags {
    /// Elo of H0 and H1, in the unit of the model [default: 0,5]
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub bounds: Option<String>,
    /// Probability of accepting H1 although H0 is true [default: 0.05]
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Probability of accepting H0 although H1 is true [default: 0.05]
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
    /// What the bounds mean [default: normalized]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub model: Option<Model>,
    /// What becomes of a pair in which an engine crashes, stalls, is late or makes an illegal move
    /// [default: forfeit]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub on_fault: Option<OnFault>,
    /// Move the bounds inwards by how far the ratio steps over them, as fishtest does: a shorter
    /// test
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub correct_overshoot: bool,
    /// Give up undecided after so many games, an even number
    #[arg(long, value_name = "N")]
    pub max_games: Option<u64>,
    /// Play so many games, without a test and a verdict
    #[arg(long, value_name = "N", conflicts_with_all = ["max_games", "bounds", "alpha", "beta", "model"])]
    pub games: Option<u64>,
    /// Games of each opening: in a match without a test 1, with alternating colours, or an even
    /// number [default: 2]
    #[arg(long, value_name = "N")]
    pub games_per_opening: Option<u64>,
}

/// The sections of a project file with the settings of one engine: `[sprt.base]`.
pub const BASE: &str = "base";
pub const NEW: &str = "new";
pub const SIDES: [&str; 2] = [BASE, NEW];

/// The flags of a limit; where one of them is given, those of a project file do not count.
pub const LIMITS: [&str; 4] = ["tc", "nodes", "depth", "movetime"];

/// Puts command-line arguments over what a project file's section says.
///
/// # Errors
/// The section holds a value of the wrong type.
pub fn overlay<T: Serialize + DeserializeOwned>(
    typed: &T,
    section: &toml::Table,
) -> Result<T, Failure> {
    // TOML has a form for everything that can be typed but numbers beyond its own.
    let typed = toml::Table::try_from(typed).map_err(|error| {
        Failure::unable(format!("a number among the flags cannot be used: {error}"))
            .hint(format!("expected at most {}", i64::MAX))
    })?;
    let mut merged = section.clone();
    if LIMITS.iter().any(|limit| typed.contains_key(*limit)) {
        merged.retain(|key, _| !LIMITS.contains(&key));
    }
    for (key, value) in typed {
        match (merged.get_mut(&key), value) {
            (Some(toml::Value::Array(earlier)), toml::Value::Array(later)) => earlier.extend(later),
            (_, value) => {
                merged.insert(key, value);
            }
        }
    }
    merged.try_into().map_err(|error| {
        Failure::unable(format!(
            "a setting of the project file cannot be used: {error}"
        ))
    })
}

/// What the nearest `whetstone.toml` says for one tool: keys are flags without the dashes, and a
/// relative path starts from the folder of that file, wherever in the project the tool was started.
/// `help` is the command that lists the flags.
///
/// # Errors
/// The file cannot be read, or has a key that `is_known` does not know.
pub fn project_section(
    tool: &str,
    help: &str,
    is_known: impl Fn(&str) -> bool,
) -> Result<toml::Table, Failure> {
    let here = std::env::current_dir().or_unable("find out which folder this is")?;
    let config = Config::find(&here)?;
    let mut section: toml::Table = config.section(tool)?;
    if let Some(key) = section.keys().find(|key| !is_known(key)) {
        return Err(config.wrong_key(tool, key, "unknown key").hint(format!(
            "its keys are flags without the dashes; see `{help}`"
        )));
    }
    // Read as flags here, where a value of the wrong type is known by its line.
    config.section::<MatchFlags>(tool)?;
    if is_known("bounds") {
        config.section::<TestFlags>(tool)?;
    }
    if is_known(BASE) {
        config.section::<Sides>(tool)?;
    }
    start_paths_from(config.folder(), &mut section);
    for side in SIDES {
        if let Some(toml::Value::Table(side)) = section.get_mut(side) {
            start_paths_from(config.folder(), side);
        }
    }
    Ok(section)
}

/// The sections of single engines, read to be checked.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Sides {
    base: EngineFlags,
    new: EngineFlags,
}

/// Makes relative paths start from the folder of the file that has them.
pub(crate) fn start_paths_from(folder: &Path, section: &mut toml::Table) {
    for name in ["book", "dir", "engine", "syzygy"] {
        if let Some(toml::Value::String(path)) = section.get_mut(name) {
            let from_there = folder.join(&*path);
            // An engine may also be a git revision, or a program on the search path.
            if from_there.exists() {
                *path = from_there.display().to_string();
            }
        }
    }
}

/// What a section says of one engine.
pub fn side(section: &toml::Table, name: &str) -> toml::Table {
    match section.get(name) {
        Some(toml::Value::Table(side)) => side.clone(),
        _ => toml::Table::new(),
    }
}

/// The keys a section may have: those of `T`.
pub fn is_known<T: Args>(key: &str) -> bool {
    let command = T::augment_args(clap::Command::new("flags"));
    command
        .get_arguments()
        .any(|argument| argument.get_long() == Some(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_wins_over_the_project_file() {
        let section: toml::Table =
            toml::from_str("tc = '60+0.6'\nhash = 64\noption = ['Ponder=false']").expect("TOML");
        let typed = MatchFlags {
            nodes: Some(5000),
            option: vec!["Contempt=0".into()],
            ..MatchFlags::default()
        };
        let merged = overlay(&typed, &section).expect("flags");
        assert_eq!(
            (merged.nodes, merged.tc, merged.hash),
            (Some(5000), None, Some(64))
        );
        assert_eq!(merged.option, ["Ponder=false", "Contempt=0"]);
    }

    #[test]
    fn a_setting_of_the_wrong_type_is_named() {
        let section: toml::Table = toml::from_str("hash = 'much'").expect("TOML");
        let failure = overlay(&MatchFlags::default(), &section).expect_err("a string is no number");
        assert!(
            failure.message().contains("much") && failure.message().contains("hash"),
            "{failure}"
        );
    }

    #[test]
    fn flags_are_known_by_their_long_names() {
        assert!(is_known::<MatchFlags>("draw-adj") && is_known::<TestFlags>("max-games"));
        assert!(!is_known::<MatchFlags>("bounds"));
    }
}
