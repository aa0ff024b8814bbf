//! Ratings of several players from the results of their games: what BayesElo prints, and what Ordo
//! prints.
//!
//! Both assume that a player's strength is one number. Of two players whose strengths differ by
//! `d` Elo, the first mover being given its advantage, BayesElo's model has a win and a loss for
//! each side with a band of `draw_elo` between them for the draw; Ordo's has only the mean score,
//! in which a draw is half a win.
//!
//! A [`CrossTable`] holds the results, [`bayes_elo`] and [`ordo`] rate them. Figures that the
//! results do not determine are `None`.

mod bayes_elo;
mod cross_table;
mod matrix;
mod newton;
mod ordo;
mod printed;
mod ranking;

pub use bayes_elo::{BayesElo, BayesRating, bayes_elo, bayes_elo_exact};
pub use cross_table::CrossTable;
pub use ordo::{Ordo, ordo};
pub use printed::{los_table, rating_table};
pub use ranking::ranking;
