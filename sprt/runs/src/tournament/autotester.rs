//! The configuration of Leiserchess's autotester (`lauto.jar`), as students of MIT's 6.172 write it.
//!
//! ```text
//! cpus = 12                        games at a time
//! book = ../tests/book.dta
//! game_rounds = 50                 games in all; 1000 without it
//! title = My funky test
//! adjudicate = 200                 draw after so many moves of each side; 400 without it
//!
//! # players follow
//! player = reference
//! invoke = ../player/leiserchess   the program, with arguments
//! fis = 60 0.5                     seconds, and seconds a move
//! hash = 64                        any other key is an option of the engine
//! ```
//! Levels are `fis`, `depth`, `nodes = 1,000,000` and `tc = MOVES SECONDS`; without one a player
//! searches to depth 4. Where there are several, the tester's order holds: `tc`, `nodes`, `depth`,
//! `fis`. Players of one `family` do not meet. `=` may be left out. Engines play to the end: scores
//! end no game. Relative paths start from the folder of the file, where something is there.
//!
//! The game is Leiserchess as the tester referees it, unless `--variant` names another, and the table
//! is that of the course's BayesElo. A book is a list of openings, one a line, as moves from the
//! start position, of which the first ten are played. Games come in pairs with the colours exchanged, so an odd number of them is made
//! even.

use std::path::Path;

use foundation::Failure;

use super::plan::RatingMethod;
use super::request::{EngineRequest, Request};

const VARIANT: &str = "leiserchess-staff";
const USUAL_GAMES: u64 = 1000;
const USUAL_MOVES: u32 = 400;
/// The tester keeps `adjudicate` between these.
const FEWEST_MOVES: u32 = 2;
const MOST_MOVES: u32 = 4000;
const USUAL_DEPTH: u32 = 4;
/// The tester plays no more of an opening.
const BOOK_PLIES: u32 = 10;
/// Shorter lines are nothing to it, such as `--`.
const SHORTEST_LINE: usize = 3;

const HEADER_KEYS: [&str; 6] = ["cpus", "book", "game_rounds", "title", "adjudicate", "desc"];

/// A player's levels, of which one counts.
#[derive(Default)]
struct Levels {
    tc: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    fis: Option<String>,
}

/// Reads a file's text.
///
/// # Errors
/// The first line that makes no sense, by its number.
pub(super) fn parse(file: &Path, text: &str) -> Result<Request, Failure> {
    let mut request = Request::default();
    request.tournament.games = Some(USUAL_GAMES);
    request.tournament.ratings = Some(RatingMethod::Course);
    request.play.variant = Some(VARIANT.to_owned());
    request.tournament.title = Some("Autotest".to_owned());
    request.play.rules.max_moves = Some(USUAL_MOVES);
    request.play.rules.draw_adj = Some("none".to_owned());
    request.play.rules.resign_adj = Some("none".to_owned());
    let mut levels: Vec<Levels> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.len() < SHORTEST_LINE || line.starts_with('#') {
            continue;
        }
        let place = format!("`{}`, line {}", file.display(), number + 1);
        let wrong = |what: String| Failure::unable(format!("{place}: {what}"));
        let (key, value) =
            split(line).ok_or_else(|| wrong(format!("expected `KEY = VALUE`, got `{line}`")))?;
        let done = match levels.last_mut() {
            None => header(&mut request, file, key, value),
            Some(levels) => match request.engines.last_mut() {
                Some(player) if key != "player" => of_player(player, levels, file, key, value),
                _ => Ok(()),
            },
        };
        done.map_err(wrong)?;
        if key == "player" {
            let mut names = request.engines.iter().map(|player| &player.flags.name);
            if names.any(|name| name.as_deref() == Some(value)) {
                return Err(wrong(format!("player `{value}` is defined twice")));
            }
            let mut player = EngineRequest {
                place,
                ..EngineRequest::default()
            };
            player.flags.name = Some(value.to_owned());
            request.engines.push(player);
            levels.push(Levels::default());
        }
    }
    for (player, levels) in request.engines.iter_mut().zip(levels) {
        if player.source.is_empty() {
            let name = player.flags.name.as_deref().unwrap_or_default();
            return Err(Failure::unable(format!(
                "{}: player `{name}` has no `invoke`",
                player.place
            ))
            .hint("expected the path of a program, such as invoke = ../player/leiserchess"));
        }
        levels.apply(player);
    }
    Ok(request)
}

/// `KEY = VALUE`, or `KEY VALUE`.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = match line.split_once('=') {
        Some(both) => both,
        None => line.split_once(char::is_whitespace)?,
    };
    let (key, value) = (key.trim(), value.trim());
    (!key.is_empty() && !value.is_empty()).then_some((key, value))
}

fn header(request: &mut Request, file: &Path, key: &str, value: &str) -> Result<(), String> {
    match key {
        "cpus" => request.play.concurrency = Some(whole(key, value)?),
        "book" => {
            request.play.book = Some(from_folder(file, value).into());
            request.play.book_plies = Some(BOOK_PLIES);
        }
        "game_rounds" => request.tournament.games = Some(whole(key, value)?),
        "title" => request.tournament.title = Some(value.to_owned()),
        "adjudicate" => {
            let moves: u32 = whole(key, value)?;
            request.play.rules.max_moves = Some(moves.clamp(FEWEST_MOVES, MOST_MOVES));
        }
        // A description for the reader.
        "desc" | "player" => {}
        _ => {
            return Err(format!(
                "unknown key `{key}` before the first player; known are {}",
                HEADER_KEYS.join(", ")
            ));
        }
    }
    Ok(())
}

fn of_player(
    player: &mut EngineRequest,
    levels: &mut Levels,
    file: &Path,
    key: &str,
    value: &str,
) -> Result<(), String> {
    match key {
        "invoke" => {
            // As Java's `Runtime.exec` splits it.
            let mut words = value.split_whitespace();
            player.source = from_folder(file, words.next().unwrap_or_default());
            player.flags.arg = words.map(str::to_owned).collect();
        }
        "family" => player.family = Some(value.to_owned()),
        "depth" => levels.depth = Some(whole(key, value)?),
        "nodes" => levels.nodes = Some(whole(key, &value.replace([',', '.'], ""))?),
        "fis" => {
            let [main, increment] = two_numbers(key, value, "MAIN INCREMENT, in seconds")?;
            levels.fis = Some(format!("{main}+{increment}"));
        }
        "tc" => {
            let [moves, seconds] = two_numbers(key, value, "MOVES SECONDS")?;
            levels.tc = Some(format!("{moves}/{seconds}"));
        }
        "desc" => {}
        // A header's key among the players would be taken for an option that no engine has.
        "cpus" | "book" | "game_rounds" | "title" | "adjudicate" => {
            return Err(format!("`{key}` belongs before the first player"));
        }
        _ => player.flags.option.push(format!("{key}={value}")),
    }
    Ok(())
}

impl Levels {
    fn apply(self, player: &mut EngineRequest) {
        let flags = &mut player.flags;
        match self {
            Self { tc: Some(tc), .. } => flags.tc = Some(tc),
            Self {
                nodes: Some(nodes), ..
            } => flags.nodes = Some(nodes),
            Self {
                depth: Some(depth), ..
            } => flags.depth = Some(depth),
            Self { fis: Some(fis), .. } => flags.tc = Some(fis),
            Self { .. } => flags.depth = Some(USUAL_DEPTH),
        }
    }
}

fn whole<N: std::str::FromStr>(key: &str, value: &str) -> Result<N, String> {
    let number = value.parse();
    number.map_err(|_| format!("`{key}` expects a whole number, got `{value}`"))
}

/// Two numbers as they are written. More are refused: further stages of `tc` have no counterpart
/// here.
fn two_numbers<'a>(key: &str, value: &'a str, expected: &str) -> Result<[&'a str; 2], String> {
    let words: Vec<&str> = value.split_whitespace().collect();
    match words[..] {
        [a, b]
            if [a, b]
                .iter()
                .all(|word| word.parse::<f64>().is_ok_and(|it| it >= 0.0)) =>
        {
            Ok([a, b])
        }
        _ => Err(format!("`{key}` expects {expected}, got `{value}`")),
    }
}

/// Resolves a path: relative to the file if something exists there, else unchanged.
fn from_folder(file: &Path, path: &str) -> String {
    let there = file.parent().unwrap_or(Path::new("")).join(path);
    if there.exists() {
        there.display().to_string()
    } else {
        path.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The minimal example of the autotester's README, with the lecture's level.
    const LECTURE: &str = "cpus = 12\nbook = ../tests/book.dta\ntitle = My funky test\n\
        game_rounds = 50\nadjudicate = 200\n\n# now we have the player definitions\n# --\n\n\
        player = reference\ninvoke = ../player/leiserchess --quiet\nfis = 60 0.5\n\n\
        player = depth_2\ninvoke = ../player/leiserchess\ndepth = 2\nhash = 64\nfamily = mine\n\n\
        player = plain\ninvoke = ../player/leiserchess\n";

    fn read(text: &str) -> Result<Request, Failure> {
        parse(Path::new("tests/basic.txt"), text)
    }

    #[test]
    fn the_example_of_the_course_is_read_as_it_stands() {
        let request = read(LECTURE).expect("a tournament");
        assert_eq!(request.tournament.title.as_deref(), Some("My funky test"));
        assert_eq!(
            (request.tournament.games, request.play.concurrency),
            (Some(50), Some(12))
        );
        assert_eq!(request.play.rules.max_moves, Some(200));
        assert_eq!(request.play.book_plies, Some(10));
        assert_eq!(request.play.variant.as_deref(), Some("leiserchess-staff"));
        let [reference, second, plain] = &request.engines[..] else {
            panic!("three players: {request:?}");
        };
        assert_eq!(reference.flags.name.as_deref(), Some("reference"));
        assert_eq!(reference.source, "../player/leiserchess");
        assert_eq!(reference.flags.arg, ["--quiet"]);
        assert_eq!(reference.flags.tc.as_deref(), Some("60+0.5"));
        assert_eq!(
            (second.flags.depth, &second.flags.option[..]),
            (Some(2), &["hash=64".to_owned()][..])
        );
        assert_eq!(second.family.as_deref(), Some("mine"));
        assert_eq!(plain.flags.depth, Some(4));
        assert_eq!(reference.place, "`tests/basic.txt`, line 10");
    }

    #[test]
    fn the_form_without_equals_signs_is_the_same() {
        let plain = LECTURE.replace(" = ", " ");
        assert_eq!(read(&plain), read(LECTURE));
        // Short lines are nothing to the tester.
        let ruled = LECTURE.replace("player = plain", "--\nplayer = plain");
        assert_eq!(read(&ruled).map(|it| it.engines.len()), Ok(3));
    }

    #[test]
    fn levels_are_taken_in_the_testers_order() {
        let level = |lines: &str| {
            let text = format!("player = a\ninvoke = b\n{lines}");
            let engine = read(&text).expect("a player").engines.remove(0);
            (engine.flags.tc, engine.flags.nodes, engine.flags.depth)
        };
        assert_eq!(level("fis = 6 0.1\ndepth = 3\n"), (None, None, Some(3)));
        assert_eq!(
            level("depth = 3\nnodes = 1,000,000\n"),
            (None, Some(1_000_000), None)
        );
        assert_eq!(
            level("nodes = 5\ntc = 40 60\n"),
            (Some("40/60".into()), None, None)
        );
    }

    #[test]
    fn what_makes_no_sense_is_named_with_its_line() {
        for (from, to, words) in [
            ("cpus = 12", "cpu = 12", "line 1: unknown key `cpu`"),
            (
                "cpus = 12",
                "cpus = many",
                "line 1: `cpus` expects a whole number, got `many`",
            ),
            (
                "fis = 60 0.5",
                "fis = 60",
                "line 12: `fis` expects MAIN INCREMENT",
            ),
            ("fis = 60 0.5", "fis = -1 0.5", "line 12: `fis`"),
            (
                "player = depth_2",
                "player = reference",
                "line 14: player `reference` is defined twice",
            ),
            (
                "invoke = ../player/leiserchess\n",
                "",
                "line 14: player `depth_2` has no `invoke`",
            ),
            (
                "depth = 2",
                "cpus = 2",
                "line 16: `cpus` belongs before the first player",
            ),
            (
                "depth = 2",
                "depth",
                "line 16: expected `KEY = VALUE`, got `depth`",
            ),
        ] {
            let failure = read(&LECTURE.replacen(from, to, 1)).expect_err(to);
            assert!(failure.message().contains(words), "{to}: {failure}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(cpus|book|player|invoke|fis|tc|nodes|=| |\n|#|,|\\.|-|[0-9]{1,22}|[a-z]{1,3}){0,40}") {
            let _ = read(&text);
        }

        #[test]
        fn no_change_of_one_letter_panics(place in 0..LECTURE.len(), letter in any::<char>()) {
            let mut text = LECTURE.to_owned();
            text.replace_range(place..=place, &letter.to_string());
            let _ = read(&text);
        }
    }
}
