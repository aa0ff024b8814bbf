//! The part of a project file that is about a match: its keys are flags without the dashes, and the
//! command line wins over them.

use std::path::Path;

use clap::Args;
use foundation::config::Config;
use foundation::{Failure, failure::OrUnable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::contender;
use super::match_flags::MatchFlags;
use super::settings::EngineFlags;
use super::test_flags::TestFlags;
use referee::adjudication::RuleFlags;

/// The sections of a project file with the settings of one engine: `[sprt.base]`.
pub const BASE: &str = "base";
pub const NEW: &str = "new";
pub const SIDES: [&str; 2] = [BASE, NEW];

/// The flags of a limit; where one of them is given, those of a project file do not count.
pub const LIMITS: [&str; 4] = ["tc", "nodes", "depth", "movetime"];

/// The length of a match without a test, and the flags of a test: one excludes the others.
const LENGTH: [&str; 1] = ["games"];
const TEST: [&str; 5] = ["max-games", "bounds", "alpha", "beta", "model"];

/// What belongs to the length: a test may not have it.
pub const WITH_LENGTH: [&str; 3] = ["games", "games-per-opening", "colors"];

/// Which keys of a file do not count where one of the others is given.
const REPLACED: [(&[&str], &[&str]); 2] = [(&LIMITS, &LIMITS), (&TEST, &LENGTH)];

/// Flags that are options of engines.
const OPTIONS: [(&str, &str); 2] = [("threads", "Threads"), ("hash", "Hash")];

/// Puts command-line arguments over what a project file's section says.
///
/// # Errors
/// The section holds a value of the wrong type.
pub fn overlay<T: Serialize + DeserializeOwned>(
    typed: &T,
    section: &toml::Table,
) -> Result<T, Failure> {
    let typed = table_of(typed)?;
    let mut merged = section.clone();
    take_out(&mut merged, &typed);
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

/// The flags as a section. TOML can hold everything that can be typed, except numbers beyond its
/// range.
fn table_of(typed: &impl Serialize) -> Result<toml::Table, Failure> {
    toml::Table::try_from(typed).map_err(|error| {
        let flags = serde_json::to_value(typed).unwrap_or_default();
        let is_beyond = |value: &serde_json::Value| value.as_u64() > Some(i64::MAX as u64);
        let mut flags = flags.as_object().into_iter().flatten();
        let what = match flags.find(|(_, value)| is_beyond(value)) {
            Some((flag, value)) => format!("--{flag} {value}: the number is too large"),
            None => format!("a flag cannot be used: {error}"),
        };
        Failure::unable(what).hint(format!("expected at most {}", i64::MAX))
    })
}

/// What a file says of one engine, without what `typed` flags for all engines say instead.
///
/// # Errors
/// A number among the flags is beyond TOML's range.
pub fn side_under(typed: &MatchFlags, side: &toml::Table) -> Result<toml::Table, Failure> {
    let typed = table_of(typed)?;
    let mut side = side.clone();
    take_out(&mut side, &typed);
    // Arguments, lines and options of an engine come after those of all.
    side.retain(|key, value| value.is_array() || !typed.contains_key(key));
    if let Some(toml::Value::Array(options)) = typed.get("option") {
        let names: Vec<&str> = options.iter().filter_map(option_name).collect();
        take_out_options(&mut side, &names);
    }
    Ok(side)
}

/// Takes out of a section what typed flags replace.
fn take_out(section: &mut toml::Table, typed: &toml::Table) {
    let is_typed = |key: &&str| typed.contains_key(*key);
    for (replaced, by) in REPLACED {
        if by.iter().any(is_typed) {
            section.retain(|key, _| !replaced.contains(&key));
        }
    }
    if section.contains_key(LENGTH[0]) && TEST.iter().any(is_typed) {
        section.retain(|key, _| !WITH_LENGTH.contains(&key));
    }
    for (flag, option) in OPTIONS {
        if is_typed(&flag) {
            take_out_options(section, &[option]);
        }
    }
}

fn take_out_options(section: &mut toml::Table, names: &[&str]) {
    if let Some(toml::Value::Array(options)) = section.get_mut("option") {
        options.retain(|option| {
            let name = option_name(option).unwrap_or_default();
            !names.iter().any(|other| other.eq_ignore_ascii_case(name))
        });
    }
}

/// The name in `Hash=16`.
fn option_name(option: &toml::Value) -> Option<&str> {
    Some(option.as_str()?.split_once('=')?.0.trim())
}

/// What the nearest `whetstone.toml` says of matches. `help` is the command that lists the flags.
///
/// # Errors
/// The file cannot be read, or has an unknown key.
pub fn match_section(help: &str) -> Result<toml::Table, Failure> {
    project_section("sprt", help, |key| {
        is_known::<MatchFlags>(key) || is_known::<TestFlags>(key) || SIDES.contains(&key)
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
    config.section::<RuleFlags>(tool)?;
    if is_known("bounds") {
        config.section::<TestFlags>(tool)?;
        let both = TEST.iter().find(|key| section.contains_key(**key));
        if let (Some(key), true) = (both, section.contains_key(LENGTH[0])) {
            return Err(config
                .wrong_key(
                    tool,
                    key,
                    "`games`, a match without a test, excludes the key",
                )
                .hint("leave one of the two out"));
        }
    }
    if is_known(BASE) {
        config.section::<Sides>(tool)?;
    }
    start_paths_from(config.folder(), &mut section)?;
    for side in SIDES {
        if let Some(toml::Value::Table(side)) = section.get_mut(side) {
            start_paths_from(config.folder(), side)?;
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

/// Makes the relative paths of a section start from the folder of its file, which is empty where
/// they do so as they are.
///
/// # Errors
/// A folder has a name that cannot stand in a list.
pub fn start_paths_from(folder: &Path, section: &mut toml::Table) -> Result<(), Failure> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    let here = "find out which folder this is";
    let folder = std::path::absolute(folder).or_unable(here)?;
    for key in ["book", "dir", "engine"] {
        if let Some(toml::Value::String(path)) = section.get_mut(key) {
            // Without the dot of `./engine`.
            let from_there = std::path::absolute(folder.join(&*path)).or_unable(here)?;
            // An engine may also be a git revision, or a program on the search path.
            if key != "engine" || contender::means_path(path, &from_there) {
                *path = from_there.display().to_string();
            }
        }
    }
    if let Some(toml::Value::String(folders)) = section.get_mut("syzygy") {
        let from_there = std::env::split_paths(folders).map(|own| folder.join(own));
        let joined = std::env::join_paths(from_there).or_unable("join the folders of `syzygy`")?;
        *folders = joined.display().to_string();
    }
    Ok(())
}

/// The settings of one engine in a section.
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
    fn a_typed_test_replaces_the_length_of_the_file_and_the_other_way_round() {
        let section = |text| toml::from_str::<toml::Table>(text).expect("TOML");
        let typed = TestFlags {
            max_games: Some(10),
            ..TestFlags::default()
        };
        let merged = overlay(&typed, &section("games = 4")).expect("flags");
        assert_eq!((merged.games, merged.max_games), (None, Some(10)));
        let unpaired = section("games = 100\ngames-per-opening = 4\ncolors = 'new-white'");
        let merged = overlay(&typed, &unpaired).expect("flags");
        assert!(merged.resolve().is_ok(), "{merged:?}");
        let typed = TestFlags {
            games: Some(10),
            ..TestFlags::default()
        };
        let merged = overlay(&typed, &section("max-games = 4\nbounds = '0,3'")).expect("flags");
        assert_eq!(
            (merged.games, merged.max_games, merged.bounds),
            (Some(10), None, None)
        );
    }

    #[test]
    fn typed_flags_win_over_the_options_and_the_engines_of_the_file() {
        let section: toml::Table =
            toml::from_str("option = ['threads=2', 'Style=Solid']").expect("TOML");
        let typed = MatchFlags {
            threads: Some(1),
            tc: Some("8+0.08".into()),
            option: vec!["Contempt=0".into()],
            ..MatchFlags::default()
        };
        let merged = overlay(&typed, &section).expect("flags");
        assert_eq!(merged.option, ["Style=Solid", "Contempt=0"]);
        let side = "nodes = 50\ntime-margin = 5\narg = ['x']\noption = ['THREADS=2', 'contempt=9', 'Style=Wild']";
        let side = side_under(&typed, &toml::from_str(side).expect("TOML")).expect("a section");
        let flags: EngineFlags = side.try_into().expect("flags");
        assert_eq!((flags.nodes, flags.time_margin), (None, Some(5)));
        assert_eq!(
            (flags.arg, flags.option),
            (vec!["x".to_owned()], vec!["Style=Wild".to_owned()])
        );
    }

    #[test]
    fn relative_paths_start_from_the_folder_of_their_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["HEAD", "plain", "built"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("built/Makefile"), "").expect("a file");
        let started = |section: &str| {
            let mut section: toml::Table = toml::from_str(section).expect("TOML");
            start_paths_from(folder.path(), &mut section).expect("paths");
            section.into_iter().next().expect("a key").1
        };
        let there = |name: &str| folder.path().join(name).display().to_string();
        for (section, expected) in [
            ("book = 'missing.epd'", there("missing.epd")),
            ("dir = '.'", there("")),
            ("syzygy = 'wdl:/dtz'", format!("{}:/dtz", there("wdl"))),
            ("engine = './missing'", there("missing")),
            ("engine = 'built'", there("built")),
            ("engine = '.'", there("")),
            ("engine = 'plain'", there("plain")),
            // A folder that builds nothing hides no revision.
            ("engine = 'HEAD'", "HEAD".to_owned()),
        ] {
            let started = started(section);
            let (found, expected) = (started.as_str().expect("a path"), Path::new(&expected));
            assert_eq!(Path::new(found), expected, "{section}");
        }
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
    fn a_number_that_no_file_can_hold_is_named() {
        let typed = MatchFlags {
            seed: Some(u64::MAX),
            ..MatchFlags::default()
        };
        let no_file = toml::Table::new();
        let failures = [
            overlay(&typed, &no_file).map(|_| ()),
            side_under(&typed, &no_file).map(|_| ()),
        ];
        for failure in failures {
            let failure = failure.expect_err("too large");
            let expected = "--seed 18446744073709551615: the number is too large";
            assert_eq!(failure.message(), expected);
        }
    }

    #[test]
    fn flags_are_known_by_their_long_names() {
        assert!(is_known::<MatchFlags>("draw-adj") && is_known::<TestFlags>("max-games"));
        assert!(!is_known::<MatchFlags>("bounds"));
    }
}
