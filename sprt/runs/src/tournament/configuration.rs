//! A tournament in a file.
//!
//! ```toml
//! [tournament]
//! title = "Spring"
//! kind = "round-robin"
//! rounds = 100
//!
//! [match]
//! tc = "8+0.08"
//!
//! [[engine]]
//! engine = "./mine"
//! option = ["Hash=64"]
//!
//! [[engine]]
//! engine = "stash"
//! nodes = 5000
//! ```
//! Keys are those of the command line, without dashes in front. Relative paths start from the
//! folder of the file. A file of Leiserchess's autotester is read as well ([`autotester`]).

use std::path::Path;

use foundation::config::Config;
use foundation::{Failure, failure::OrUnable};
use serde::Deserialize;

use super::autotester;
use super::request::{EngineRequest, Request, TournamentFlags};
use crate::plan::MatchFlags;
use crate::plan::project_file::start_paths_from;
use crate::plan::settings::EngineFlags;

const TOURNAMENT: &str = "tournament";
const MATCH: &str = "match";
const ENGINE: &str = "engine";

/// The keys of `[[engine]]`.
const ENGINE_KEYS: [&str; 14] = [
    "engine",
    "family",
    "name",
    "dir",
    "arg",
    "init",
    "option",
    "tc",
    "nodes",
    "depth",
    "movetime",
    "time-margin",
    "restart",
    "ponder",
];

/// An `[[engine]]`.
#[derive(Deserialize)]
struct EngineTable {
    engine: String,
    family: Option<String>,
    #[serde(flatten)]
    flags: EngineFlags,
}

/// Reads a file in either form.
///
/// # Errors
/// The first line that makes no sense, by its number.
pub fn read(file: &Path) -> Result<Request, Failure> {
    let text = std::fs::read_to_string(file)
        .or_unable(format_args!("read `{}`", file.display()))
        .map_err(|failure| {
            failure
                .hint("expected the configuration of a tournament; engines are given with --engine")
        })?;
    read_text(file, text)
}

/// Reads what stands in `file`, which need not be there.
///
/// # Errors
/// As for [`read`].
pub fn read_text(file: &Path, text: String) -> Result<Request, Failure> {
    if is_toml(file, &text) {
        parse(file, text)
    } else {
        autotester::parse(file, &text)
    }
}

/// By the extension; where that says nothing, by the section without which there is no tournament.
fn is_toml(file: &Path, text: &str) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "toml")
        || text.lines().any(|line| line.trim_start().starts_with('['))
}

fn parse(file: &Path, text: String) -> Result<Request, Failure> {
    let config = Config::parse(file, text, &[TOURNAMENT, MATCH, ENGINE])?;
    check_flags::<TournamentFlags>(&config, TOURNAMENT)?;
    check_flags::<MatchFlags>(&config, MATCH)?;
    config.check_keys(ENGINE, &ENGINE_KEYS)?;

    let tournament = config.section::<TournamentFlags>(TOURNAMENT)?;
    if tournament.rounds.is_some() && tournament.games.is_some() {
        return Err(config
            .wrong_key(TOURNAMENT, "rounds", "`games` excludes the key")
            .hint("leave one of the two out"));
    }
    // Read as flags first, where a value of the wrong type is known by its line.
    config.section::<MatchFlags>(MATCH)?;
    let mut play = config.section::<toml::Table>(MATCH)?;
    start_paths_from(config.folder(), &mut play)?;
    let play = play.try_into().or_unable("read the section [match]")?;

    let places = config.places(ENGINE);
    let mut engines = Vec::new();
    config.section::<Vec<EngineTable>>(ENGINE)?;
    for (mut table, place) in config
        .section::<Vec<toml::Table>>(ENGINE)?
        .into_iter()
        .zip(places)
    {
        start_paths_from(config.folder(), &mut table)?;
        let table: EngineTable = table
            .try_into()
            .map_err(|error: toml::de::Error| Failure::unable(error.message()).context(&place))?;
        engines.push(EngineRequest {
            source: table.engine,
            family: table.family,
            flags: table.flags,
            place,
        });
    }
    Ok(Request {
        tournament,
        play,
        engines,
    })
}

/// Makes sure that a section has no other keys than the flags `T`.
fn check_flags<T: clap::Args>(config: &Config, section: &str) -> Result<(), Failure> {
    let flags = T::augment_args(clap::Command::new("flags"));
    let known: Vec<&str> = flags
        .get_arguments()
        .filter_map(clap::Arg::get_long)
        .collect();
    config.check_keys(section, &known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Kind;
    use proptest::prelude::*;

    const SPRING: &str = "[tournament]\ntitle = \"Spring\"\nkind = \"gauntlet\"\nrounds = 100\n\n\
        [match]\nnodes = 2000\noption = [\"Ponder=false\"]\n\n\
        [[engine]]\nengine = \"./mine\"\nname = \"Mine\"\noption = [\"Hash=64\"]\n\n\
        [[engine]]\nengine = \"stash\"\nfamily = \"theirs\"\nnodes = 5000\n";

    fn spring(text: &str) -> Result<Request, Failure> {
        parse(Path::new("spring.toml"), text.to_owned())
    }

    #[test]
    fn sections_become_a_request() {
        let request = spring(SPRING).expect("a tournament");
        assert_eq!(request.tournament.kind, Some(Kind::Gauntlet));
        assert_eq!(
            (request.tournament.rounds, request.play.nodes),
            (Some(100), Some(2000))
        );
        let [mine, stash] = &request.engines[..] else {
            panic!("two engines: {request:?}");
        };
        assert_eq!(mine.flags.option, ["Hash=64"]);
        assert_eq!(
            (stash.flags.nodes, stash.family.as_deref()),
            (Some(5000), Some("theirs"))
        );
        assert_eq!(stash.place, "`spring.toml`, line 15");
    }

    #[test]
    fn what_is_unknown_or_of_the_wrong_type_is_named_with_its_line() {
        for (from, to, words) in [
            (
                "kind =",
                "knd =",
                "line 3: unknown key `knd` in section [tournament]",
            ),
            (
                "nodes = 2000",
                "nodez = 2000",
                "line 7: unknown key `nodez` in section [match]",
            ),
            (
                "family",
                "famly",
                "line 17: unknown key `famly` in section [engine]",
            ),
            ("rounds = 100", "rounds = 'many'", "line 4"),
            (
                "rounds = 100",
                "rounds = 100\ngames = 6",
                "line 4: section [tournament]: `games` excludes",
            ),
            ("nodes = 2000", "nodes = 'many'", "line 7"),
            ("\"gauntlet\"", "\"gantlet\"", "line 3"),
            ("[match]", "[matsch]", "line 6: unknown section `matsch`"),
            ("engine = \"stash\"\n", "", "engine"),
            ("name = \"Mine\"", "name = Mine", "line 12"),
        ] {
            let failure = spring(&SPRING.replace(from, to)).expect_err(to);
            assert!(failure.message().contains(words), "{to}: {failure}");
        }
    }

    #[test]
    fn the_keys_of_an_engine_are_those_of_its_flags() {
        let full = "name = 'a'\ndir = '.'\narg = ['a']\ninit = ['a']\noption = ['a=b']\ntc = '1'\n\
            nodes = 1\ndepth = 1\nmovetime = 1\ntime-margin = 1\nrestart = 'game'\nponder = true\n";
        let flags: EngineFlags = toml::from_str(full).expect("every key");
        let written = toml::Table::try_from(flags).expect("TOML");
        let mut known: Vec<&str> = ENGINE_KEYS[2..].to_vec();
        known.sort_unstable();
        assert_eq!(
            written.keys().map(String::as_str).collect::<Vec<_>>(),
            known
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\[\\[?|\\]\\]?|engine|match|tournament|rounds|option|=|\"|'|\n| |[0-9]{1,3}|[a-z]{1,4}|\\[\\]){0,40}") {
            let _ = spring(&text);
        }

        #[test]
        fn no_change_of_one_letter_panics(place in 0..SPRING.len(), letter in any::<char>()) {
            let mut text = SPRING.to_owned();
            text.replace_range(place..=place, &letter.to_string());
            let _ = spring(&text);
        }
    }
}
