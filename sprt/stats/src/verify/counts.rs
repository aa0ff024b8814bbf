//! Whether the counts of a block are consistent, and if not, which of them is wrong.
//!
//! The counts are redundant: games are the sum of wins, losses and draws, and twice the pairs; wins
//! minus losses follow from the pairs, and so do limits for each. So a single wrong count can be
//! found and corrected from the others.

use crate::block::PrintedGames;
use crate::{Pentanomial, Wdl};

use super::figure::CheckedFigure;

/// The printed counts, of which at least one part is present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counts {
    pub games: Option<PrintedGames>,
    pub penta: Option<[u64; 5]>,
}

/// The single counts that can be corrected.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Number,
    Wins,
    Losses,
    Draws,
    Pairs(usize),
}

impl Place {
    const ALL: [Self; 9] = [
        Self::Number,
        Self::Wins,
        Self::Losses,
        Self::Draws,
        Self::Pairs(0),
        Self::Pairs(1),
        Self::Pairs(2),
        Self::Pairs(3),
        Self::Pairs(4),
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Number => "Games N",
            Self::Wins => "Games W",
            Self::Losses => "Games L",
            Self::Draws => "Games D",
            Self::Pairs(0) => "Penta LL",
            Self::Pairs(1) => "Penta LD",
            Self::Pairs(2) => "Penta DD+WL",
            Self::Pairs(3) => "Penta WD",
            Self::Pairs(_) => "Penta WW",
        }
    }
}

impl Counts {
    pub(super) fn wdl(&self) -> Option<Wdl> {
        self.games.map(
            |PrintedGames {
                 wins,
                 losses,
                 draws,
                 ..
             }| Wdl {
                wins,
                losses,
                draws,
            },
        )
    }

    pub(super) fn pentanomial(&self) -> Option<Pentanomial> {
        self.penta.map(Pentanomial)
    }

    fn consistent(&self) -> bool {
        let (wdl, pairs) = (self.wdl(), self.pentanomial());
        let sums = match (self.games, wdl) {
            (Some(games), Some(wdl)) => games.number == wdl.games(),
            _ => true,
        };
        let feasible = match (wdl, pairs) {
            (Some(wdl), Some(pairs)) => pairs.allows(&wdl),
            _ => true,
        };
        sums && feasible
    }

    fn at(&mut self, place: Place) -> Option<&mut u64> {
        match (place, &mut self.games, &mut self.penta) {
            (Place::Number, Some(games), _) => Some(&mut games.number),
            (Place::Wins, Some(games), _) => Some(&mut games.wins),
            (Place::Losses, Some(games), _) => Some(&mut games.losses),
            (Place::Draws, Some(games), _) => Some(&mut games.draws),
            (Place::Pairs(index), _, Some(penta)) => penta.get_mut(index),
            _ => None,
        }
    }

    /// The counts with the one at `place` replaced by what the sums require, if all are then
    /// consistent.
    fn repaired(mut self, place: Place) -> Option<Self> {
        let games = self.games?;
        let count = *self.at(place)?;
        // The other terms of the same sum.
        let value = match place {
            Place::Number => self.wdl()?.games(),
            Place::Pairs(_) => {
                (games.number / 2).checked_sub(self.pentanomial()?.pairs() - count)?
            }
            _ => games.number.checked_sub(self.wdl()?.games() - count)?,
        };
        *self.at(place)? = value;
        self.consistent().then_some(self)
    }

    /// One line for every printed count, with the expected one, and the counts to continue with:
    /// corrected if possible, otherwise as printed.
    pub(super) fn check(mut self) -> (Vec<CheckedFigure>, Self) {
        let printed = |place: Place, found: u64, right: u64| CheckedFigure {
            name: place.name(),
            found: found.to_string(),
            recomputed: right.to_string(),
            agrees: found == right,
        };
        let repaired = if self.consistent() {
            Some(self)
        } else {
            Place::ALL.iter().find_map(|&place| self.repaired(place))
        };
        let Some(mut right) = repaired else {
            return (self.contradictions(), self);
        };
        let figures = Place::ALL
            .iter()
            .filter_map(|&place| Some(printed(place, *self.at(place)?, *right.at(place)?)))
            .collect();
        (figures, right)
    }

    /// The inconsistency when more than one count is wrong.
    fn contradictions(&self) -> Vec<CheckedFigure> {
        let (Some(games), Some(wdl)) = (self.games, self.wdl()) else {
            return Vec::new();
        };
        let compare = |name, found: i128, right: i128| CheckedFigure {
            name,
            found: found.to_string(),
            recomputed: right.to_string(),
            agrees: found == right,
        };
        let number = i128::from(games.number);
        let mut figures = vec![compare(
            "Games N, as W + L + D",
            number,
            i128::from(wdl.games()),
        )];
        if let Some(pairs) = self.pentanomial() {
            let surplus = i128::from(wdl.wins) - i128::from(wdl.losses);
            figures.push(compare(
                "Games N, as twice the pairs",
                number,
                i128::from(pairs.games()),
            ));
            figures.push(compare(
                "Games W - L, from the pairs",
                surplus,
                pairs.surplus(),
            ));
            if figures.iter().all(|figure| figure.agrees) {
                let Pentanomial([_, ld, middle, wd, _]) = pairs;
                figures.push(CheckedFigure {
                    name: "Games D, from the pairs",
                    found: games.draws.to_string(),
                    recomputed: format!("{} plus an even number up to {}", ld + wd, 2 * middle),
                    agrees: false,
                });
            }
        }
        figures
    }
}
