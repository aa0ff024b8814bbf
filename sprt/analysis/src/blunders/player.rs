//! Who made a move: a player, or a setting of a player that the games have in several.

use std::collections::{BTreeMap, BTreeSet};

use crate::games::game::Game;

/// The options of a player in a game. Their order means nothing.
type Options<'a> = BTreeSet<&'a str>;

/// The names of all players, by the name and the options that a game has.
pub(super) struct Players<'a>(BTreeMap<(&'a str, Options<'a>), String>);

impl<'a> Players<'a> {
    pub(super) fn of(games: &'a [Game]) -> Self {
        let mut settings: BTreeMap<&str, BTreeSet<Options<'_>>> = BTreeMap::new();
        for (player, options) in games.iter().flat_map(sides) {
            settings.entry(player).or_default().insert(options);
        }
        let names = settings.iter().flat_map(|(player, all)| {
            all.iter()
                .map(|options| ((*player, options.clone()), name(player, options, all)))
        });
        Self(names.collect())
    }

    /// The name of White (0) or Black (1).
    pub(super) fn name(&self, game: &Game, side: usize) -> String {
        let key = (&*game.players[side], list(&game.options[side]));
        self.0.get(&key).cloned().unwrap_or_default()
    }
}

fn sides(game: &Game) -> impl Iterator<Item = (&str, Options<'_>)> {
    let players = game.players.iter().zip(&game.options);
    players.map(|(player, options)| (&**player, list(options)))
}

/// With several settings, the options that they do not have in common are a part of the name.
fn name(player: &str, options: &Options<'_>, all: &BTreeSet<Options<'_>>) -> String {
    let is_common = |option: &str| all.iter().all(|other| other.contains(option));
    let own = options.iter().copied().filter(|it| !is_common(it));
    match &own.collect::<Vec<_>>()[..] {
        [] => player.to_owned(),
        own => format!("{player} ({})", own.join("; ")),
    }
}

/// `Hash=16; Move Overhead=10`, as the tags `WhiteOptions` and `BlackOptions` have it.
fn list(options: &str) -> Options<'_> {
    let options = options.split("; ");
    options.filter(|option| !option.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blunders::judgement::tests::game;

    fn played(options: &str) -> Game {
        let tags = "[White \"A\"]\n[Black \"B\"]\n[BlackOptions \"Hash=16\"]\n";
        game(&format!("{tags}[WhiteOptions \"{options}\"]\n\n1. e4 *\n"))
    }

    #[test]
    fn settings_of_a_player_are_told_apart_by_what_differs() {
        let games = [
            "Hash=16",
            "Hash=16; Rfp=0",
            "Rfp=0; Hash=16",
            "Rfp=0; Hash=16; Move Overhead=9",
        ]
        .map(played);
        let names = |games: &[Game]| -> Vec<String> {
            let players = Players::of(games);
            let both = games.iter().flat_map(|game| [(game, 0), (game, 1)]);
            both.map(|(game, side)| players.name(game, side)).collect()
        };
        let expected = [
            "A",
            "B",
            "A (Rfp=0)",
            "B",
            "A (Rfp=0)",
            "B",
            "A (Move Overhead=9; Rfp=0)",
            "B",
        ];
        assert_eq!(names(&games), expected);
        assert_eq!(names(&games[..1]), ["A", "B"]);
    }
}
