//! Records of games (PGN) as text, whatever the game.

use foundation::game_texts::GameTexts;
use foundation::{Failure, failure::OrUnable};

/// Where each game begins.
pub fn game_starts(text: &[u8]) -> Vec<u32> {
    let games = GameTexts::new(text).map_while(Result::ok);
    games.map(|game| game.offset as u32).collect()
}

/// The value of a tag in the text of a game.
pub fn tag<'a>(game: &'a str, name: &str) -> Option<&'a str> {
    let mut tags = game.lines().take_while(|line| line.starts_with('['));
    tags.find_map(|line| {
        let value = line.strip_prefix('[')?.strip_prefix(name)?;
        value.strip_prefix(" \"")?.strip_suffix("\"]")
    })
}

/// The game that a text begins with.
///
/// # Errors
/// There is none, or its end is missing.
pub(super) fn first_game(text: &[u8]) -> Result<String, Failure> {
    let game = GameTexts::new(text).next().transpose();
    let game = game.or_unable("read a game")?;
    let game = game.ok_or_else(|| Failure::unable("there is no game"))?;
    match game.problem {
        None => Ok(game.text),
        Some(problem) => Err(Failure::unable(problem)),
    }
}
