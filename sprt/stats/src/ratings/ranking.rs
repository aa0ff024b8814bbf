//! The order of players in a table.

use super::{BayesElo, CrossTable};

/// Players by rating, or by their score where they have none; those who have not played last.
pub fn ranking(table: &CrossTable, ratings: Option<&BayesElo>) -> Vec<usize> {
    let standing = |player: usize| {
        let results = table.of(player);
        let points = results.wins as f64 + results.draws as f64 / 2.0;
        let score = points / results.games().max(1) as f64;
        let elo = ratings.and_then(|all| all.ratings[player]).map(|it| it.elo);
        (results.games() > 0, elo.unwrap_or(0.0), score)
    };
    let mut players: Vec<usize> = (0..table.players()).collect();
    players.sort_by(|&a, &b| {
        let (a, b) = (standing(a), standing(b));
        let by_elo = b.1.total_cmp(&a.1);
        b.0.cmp(&a.0).then(by_elo).then(b.2.total_cmp(&a.2))
    });
    players
}
