//! Statistics of players: results, and the cost of a move by phase and move number.
//!
//! A game is added and forgotten. Names that come from a file are counted up to a limit, so that no
//! file can fill the memory.

use std::collections::BTreeMap;

use engine_client::Color;
use referee::game::Phase;
use schemars::JsonSchema;
use serde::Serialize;

use super::game::{Game, GameMove, winner};
use crate::window;

/// The most players, reasons and openings that are counted separately; others are counted together.
const MOST_NAMES: usize = 10_000;
const OTHERS: &str = "(others)";
/// The most windows of moves that are counted separately; the last holds all later moves.
const MOST_WINDOWS: usize = 30;

/// Everything that was counted.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Own moves of a player in one window.
    pub window: u32,
    pub games: u64,
    pub players: BTreeMap<String, PlayerStatistics>,
    /// Games by how they ended, and by the opening that their tags name.
    pub reasons: BTreeMap<String, u64>,
    pub openings: BTreeMap<String, u64>,
    /// Games by their number of half-moves, those of the book counted.
    lengths: BTreeMap<usize, u64>,
}

/// One player's games and moves.
#[derive(Clone, Debug, Default)]
pub struct PlayerStatistics {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub all: Effort,
    /// Opening, middlegame, endgame.
    pub phases: [Effort; 3],
    /// By the number of the player's own move in the game.
    windows: Vec<Effort>,
}

/// Sums over moves that were not out of a book; values that a record lacks are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    pub moves: u64,
    seconds: Sum,
    nodes: Sum,
    depth: Sum,
    /// Over moves whose record has both.
    nodes_timed: f64,
    seconds_timed: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    count: u64,
    sum: f64,
}

/// Half-moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Lengths {
    pub shortest: usize,
    pub median: f64,
    pub mean: f64,
    pub longest: usize,
}

impl Sum {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.count += 1;
            self.sum += value;
        }
    }

    fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Effort {
    fn add(&mut self, played: &GameMove) {
        let note = &played.note;
        let nodes = note.nodes.map(|nodes| nodes as f64);
        self.moves += 1;
        self.seconds.add(note.seconds);
        self.nodes.add(nodes);
        self.depth.add(note.depth.map(f64::from));
        if let (Some(nodes), Some(seconds)) = (nodes, note.seconds) {
            self.nodes_timed += nodes;
            self.seconds_timed += seconds;
        }
    }

    /// Means per move; `None` where no record has the value.
    pub fn seconds(&self) -> Option<f64> {
        self.seconds.mean()
    }

    pub fn nodes(&self) -> Option<f64> {
        self.nodes.mean()
    }

    pub fn depth(&self) -> Option<f64> {
        self.depth.mean()
    }

    /// All nodes over all seconds. Records are in milliseconds: no speed can be computed for faster
    /// moves.
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.seconds_timed > 0.0).then(|| self.nodes_timed / self.seconds_timed)
    }
}

impl Statistics {
    pub fn new(window: u32) -> Self {
        Self {
            window: window.max(1),
            ..Self::default()
        }
    }

    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        *self.lengths.entry(game.moves.len()).or_default() += 1;
        let reason = game.reason.as_deref().unwrap_or("unknown");
        *known(&mut self.reasons, reason) += 1;
        if let Some(opening) = &game.opening {
            *known(&mut self.openings, opening) += 1;
        }
        for (name, color) in game.players.iter().zip([Color::White, Color::Black]) {
            let window = self.window as usize;
            known(&mut self.players, name).add(game, color, window);
        }
    }

    /// `None` where there is no game.
    pub fn lengths(&self) -> Option<Lengths> {
        let counts = self.lengths.iter();
        let counts = counts.map(|(length, games)| (*length as f64, *games));
        let all: f64 = self
            .lengths
            .iter()
            .map(|(length, games)| (*length as u64 * games) as f64)
            .sum();
        Some(Lengths {
            shortest: *self.lengths.first_key_value()?.0,
            median: stats::median(counts)?,
            mean: all / self.games as f64,
            longest: *self.lengths.last_key_value()?.0,
        })
    }

    /// A player's windows by the name of their moves, such as `1-10`; the last holds all later ones,
    /// `291+`.
    pub fn named_windows<'a>(
        &self,
        player: &'a PlayerStatistics,
    ) -> impl Iterator<Item = (String, &'a Effort)> + use<'a> {
        window::named(&player.windows, self.window, MOST_WINDOWS)
    }

    /// Those with most games first.
    pub fn by_games(&self) -> Vec<(&str, &PlayerStatistics)> {
        let mut players: Vec<_> = self
            .players
            .iter()
            .map(|(name, player)| (name.as_str(), player))
            .collect();
        players.sort_by_key(|(_, player)| std::cmp::Reverse(player.games));
        players
    }
}

impl PlayerStatistics {
    /// The windows of equal length: not the one that holds all later moves.
    pub fn equal_windows(&self) -> &[Effort] {
        &self.windows[..self.windows.len().min(MOST_WINDOWS - 1)]
    }

    fn add(&mut self, game: &Game, color: Color, window: usize) {
        self.games += 1;
        if let Some(result) = game.result {
            match winner(result) {
                None => self.draws += 1,
                Some(winner) if winner == color => self.wins += 1,
                Some(_) => self.losses += 1,
            }
        }
        let own = game.moves.iter().filter(|played| played.mover == color);
        for (number, played) in own.enumerate() {
            if played.note.is_book {
                continue;
            }
            self.all.add(played);
            let phase = Phase::ALL.iter().position(|phase| *phase == played.phase);
            self.phases[phase.unwrap_or_default()].add(played);
            let place = (number / window).min(MOST_WINDOWS - 1);
            if self.windows.len() <= place {
                self.windows.resize(place + 1, Effort::default());
            }
            self.windows[place].add(played);
        }
    }
}

/// The count of a name, or of all others where there are too many.
fn known<'a, T: Default>(counts: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    let is_known = counts.contains_key(name) || counts.len() < MOST_NAMES;
    let name = if is_known { name } else { OTHERS };
    counts.entry(name.to_owned()).or_default()
}

#[cfg(test)]
mod tests {
    use super::super::pgn;
    use super::*;

    fn of(text: &str) -> Statistics {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let mut statistics = Statistics::new(2);
        pgn::read(file.path(), None, |_, game| {
            statistics.add(&game.expect("a game"));
        })
        .expect("read");
        statistics
    }

    const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
        1. e4 {book} e5 {book} 2. Qh5 {+0.31/12 0.100s, n=1000} Nc6 {0.00/8 0.050s, n=200}\n\
        3. Bc4 {+0.40/14 0.300s, n=5000} Nf6 {0.00/10 0.000s} 4. Qxf7# {+M1/1 0.000s, n=0, White mates} 1-0\n\n";

    #[test]
    fn moves_of_the_book_are_not_counted() {
        let swapped = GAME
            .replace("White \"A\"", "White \"B\"")
            .replace("Black \"B\"", "Black \"A\"");
        let statistics = of(&[GAME, &swapped].concat());
        let a = &statistics.players["A"];
        assert_eq!((a.games, a.wins, a.draws, a.losses), (2, 1, 0, 1));
        assert_eq!(a.all.moves, 5);
        assert_eq!(statistics.reasons["White mates"], 2);
        assert_eq!(
            statistics
                .lengths()
                .map(|it| (it.shortest, it.median, it.longest)),
            Some((7, 7.0, 7))
        );
        let b = &of(GAME).players["B"];
        assert_eq!(
            (b.all.depth(), b.all.nodes(), b.all.seconds()),
            (Some(9.0), Some(200.0), Some(0.025))
        );
        assert_eq!(b.all.nodes_per_second(), Some(4000.0));
        let windows: Vec<u64> = b.windows.iter().map(|it| it.moves).collect();
        assert_eq!(
            windows,
            [1, 1],
            "own moves 1 and 2 (one of the book), 3 and 4"
        );
        assert_eq!(b.phases[0].moves, 2);
    }

    #[test]
    fn the_last_window_holds_all_later_moves() {
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(40).join(" ");
        let statistics = of(&format!("[White \"A\"]\n[Black \"B\"]\n\n{shuffle} *\n\n"));
        let player = &statistics.players["A"];
        let windows: Vec<_> = statistics.named_windows(player).collect();
        let named = |place: usize| (windows[place].0.as_str(), windows[place].1.moves);
        assert_eq!((named(0), named(28)), (("1-2", 2), ("57-58", 2)));
        assert_eq!((named(29), windows.len()), (("59+", 22), 30));
        assert_eq!(player.equal_windows().len(), 29, "what a chart can show");
    }

    #[test]
    fn names_without_end_are_counted_together() {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for number in 0..MOST_NAMES + 5 {
            *known(&mut counts, &number.to_string()) += 1;
        }
        assert_eq!((counts.len(), counts[OTHERS]), (MOST_NAMES + 1, 5));
    }

    #[test]
    fn no_games_have_no_lengths() {
        assert_eq!(Statistics::new(10).lengths(), None);
    }
}
