//! The order of players in a table.

use super::{BayesElo, CrossTable};

/// Players by rating, then those without one by their score; those who have not played last.
pub fn ranking(table: &CrossTable, ratings: Option<&BayesElo>) -> Vec<usize> {
    let standing = |player: usize| {
        let results = table.of(player);
        let points = results.wins as f64 + results.draws as f64 / 2.0;
        let score = points / results.games().max(1) as f64;
        let elo = ratings.and_then(|all| all.ratings[player]).map(|it| it.elo);
        let is_rated = ratings.is_none() || elo.is_some();
        ((results.games() > 0, is_rated), elo.unwrap_or(0.0), score)
    };
    let mut players: Vec<usize> = (0..table.players()).collect();
    players.sort_by(|&a, &b| {
        let (a, b) = (standing(a), standing(b));
        let by_elo = b.1.total_cmp(&a.1);
        b.0.cmp(&a.0).then(by_elo).then(b.2.total_cmp(&a.2))
    });
    players
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::GameResult;
    use crate::ratings::bayes_elo;

    #[test]
    fn who_has_no_rating_comes_after_those_that_have_one() {
        let mut table = CrossTable::new(3);
        for (first, second) in [(0, 2), (0, 2), (2, 0), (1, 0)] {
            table.add(first, second, GameResult::Win);
        }
        let ratings = bayes_elo(&table.clone().without(&[1])).expect("ratings");
        assert!(ratings.ratings[1].is_none() && ratings.ratings[2].is_some());
        assert_eq!(ranking(&table, Some(&ratings)), [0, 2, 1]);
        assert_eq!(ranking(&table, None), [1, 0, 2]);
    }
}
