//! Results of games between several players, by who moved first.

use crate::{GameResult, Wdl};

/// Results of each player against each other. Players are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// One row for each player who moved first, one column for each opponent.
    cells: Vec<Wdl>,
}

impl CrossTable {
    pub fn new(players: usize) -> Self {
        Self {
            players,
            cells: vec![Wdl::default(); players * players],
        }
    }

    pub fn players(&self) -> usize {
        self.players
    }

    /// Counts a game, with the result of the player who moved first.
    pub fn add(&mut self, first: usize, second: usize, result: GameResult) {
        self.cells[first * self.players + second].add(result);
    }

    /// The games in which `first` moved first, from its point of view.
    pub fn moving_first(&self, first: usize, second: usize) -> Wdl {
        self.cells[first * self.players + second]
    }

    /// All games of the two, from the point of view of `player`.
    pub fn between(&self, player: usize, opponent: usize) -> Wdl {
        sum(
            self.moving_first(player, opponent),
            self.moving_first(opponent, player).reversed(),
        )
    }

    /// All games of a player, from its point of view.
    pub fn of(&self, player: usize) -> Wdl {
        (0..self.players)
            .map(|opponent| self.between(player, opponent))
            .fold(Wdl::default(), sum)
    }

    /// The table without the games of some players.
    #[must_use]
    pub fn without(mut self, left_out: &[usize]) -> Self {
        for (place, cell) in self.cells.iter_mut().enumerate() {
            let both = [place / self.players, place % self.players];
            if both.iter().any(|player| left_out.contains(player)) {
                *cell = Wdl::default();
            }
        }
        self
    }

    /// Games of all players.
    pub fn games(&self) -> u64 {
        self.cells.iter().map(Wdl::games).sum()
    }

    /// The players with games, if the games connect all of them.
    pub(super) fn connected_players(&self) -> Option<Vec<usize>> {
        let active: Vec<usize> = (0..self.players)
            .filter(|&player| self.of(player).games() > 0)
            .collect();
        let have_met = |a, b| self.between(a, b).games() > 0;
        let is_connected = reached(&active, have_met) == active.len();
        (active.len() > 1 && is_connected).then_some(active)
    }

    /// The same, if also no group of them has won every game against the others: only then does
    /// the likelihood of ratings have a maximum (Ford 1957).
    pub(super) fn comparable_players(&self) -> Option<Vec<usize>> {
        let active = self.connected_players()?;
        let took_points = |a: usize, b: usize| {
            let games = self.between(a, b);
            games.wins + games.draws > 0
        };
        let all = |edge: &dyn Fn(usize, usize) -> bool| reached(&active, edge) == active.len();
        (all(&took_points) && all(&|a, b| took_points(b, a))).then_some(active)
    }
}

/// How many of the players can be reached from the first one.
fn reached(players: &[usize], edge: impl Fn(usize, usize) -> bool) -> usize {
    let mut waiting: Vec<usize> = players.iter().take(1).copied().collect();
    let mut seen = waiting.clone();
    while let Some(from) = waiting.pop() {
        for &to in players {
            if !seen.contains(&to) && edge(from, to) {
                seen.push(to);
                waiting.push(to);
            }
        }
    }
    seen.len()
}

fn sum(a: Wdl, b: Wdl) -> Wdl {
    Wdl {
        wins: a.wins + b.wins,
        losses: a.losses + b.losses,
        draws: a.draws + b.draws,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{Draw, Loss, Win};

    #[test]
    fn games_are_counted_from_the_view_that_is_asked_for() {
        let mut table = CrossTable::new(3);
        table.add(0, 1, Win);
        table.add(1, 0, Win);
        table.add(1, 0, Draw);
        table.add(2, 0, Loss);
        let wdl = |wins, losses, draws| Wdl {
            wins,
            losses,
            draws,
        };
        assert_eq!(table.moving_first(1, 0), wdl(1, 0, 1));
        assert_eq!(table.between(0, 1), wdl(1, 1, 1));
        assert_eq!(table.between(1, 0), wdl(1, 1, 1));
        assert_eq!(table.of(0), wdl(2, 1, 1));
        assert_eq!((table.of(2), table.games()), (wdl(0, 1, 0), 4));
    }

    #[test]
    fn groups_that_never_met_or_never_lost_are_distinguished() {
        let mut table = CrossTable::new(5);
        table.add(0, 1, Draw);
        table.add(2, 3, Draw);
        assert_eq!(table.connected_players(), None);
        table.add(1, 2, Win);
        assert_eq!(table.connected_players(), Some(vec![0, 1, 2, 3]));
        assert_eq!(table.comparable_players(), None);
        table.add(3, 0, Win);
        assert_eq!(table.comparable_players(), Some(vec![0, 1, 2, 3]));
    }
}
