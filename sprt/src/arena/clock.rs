//! The clocks of one game. Pure: it is told what a move took.
//!
//! As in other runners, a player starts with base and increment, gets the increment after each move, and with `moves/`
//! the base again after that many moves. A flag falls when a move took longer than what was left plus the margin; an
//! overrun within the margin leaves an empty clock.

use std::time::Duration;

use crate::game::Color;
use crate::limit::{Clocks, Limit, TimeControl};

/// Both players' time, under any limit.
#[derive(Clone, Debug)]
pub struct Clock {
    limit: Limit,
    margin: Duration,
    /// Time left and moves made, White's first.
    sides: [Side; 2],
}

#[derive(Clone, Copy, Debug)]
struct Side {
    left: Duration,
    moves: u32,
}

/// A flag fell; by how much the move was late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun(pub Duration);

impl Clock {
    pub fn new(limit: Limit, margin: Duration) -> Self {
        let left = match limit {
            Limit::Clock(control) => ms(control.base_ms) + ms(control.increment_ms),
            Limit::Movetime(time) => ms(time),
            Limit::Nodes(_) | Limit::Depth(_) => Duration::ZERO,
        };
        Self {
            limit,
            margin,
            sides: [Side { left, moves: 0 }; 2],
        }
    }

    /// What both clocks show when `mover` is to move.
    pub fn shows(&self, mover: Color) -> Clocks {
        let moves_to_go = match self.limit {
            Limit::Clock(TimeControl {
                moves: Some(moves), ..
            }) => Some(moves - self.sides[index(mover)].moves % moves),
            _ => None,
        };
        Clocks {
            white: self.sides[0].left,
            black: self.sides[1].left,
            moves_to_go,
        }
    }

    /// How long `mover` may be silent before its flag falls; `None` where no clock runs.
    pub fn allows(&self, mover: Color) -> Option<Duration> {
        match self.limit {
            Limit::Nodes(_) | Limit::Depth(_) => None,
            Limit::Clock(_) | Limit::Movetime(_) => {
                Some(self.sides[index(mover)].left + self.margin)
            }
        }
    }

    /// What `mover`'s clock shows; `None` where no clock runs from move to move.
    pub fn left(&self, mover: Color) -> Option<Duration> {
        matches!(self.limit, Limit::Clock(_)).then(|| self.sides[index(mover)].left)
    }

    /// What both clocks show, White's first.
    pub fn both(&self) -> Option<[Duration; 2]> {
        Some([self.left(Color::White)?, self.left(Color::Black)?])
    }

    /// Charges `mover` for a move.
    ///
    /// # Errors
    /// Its flag fell.
    pub fn charge(&mut self, mover: Color, took: Duration) -> Result<(), Overrun> {
        let left = self.sides[index(mover)].left;
        if self.allows(mover).is_some_and(|allowed| took > allowed) {
            return Err(Overrun(took.saturating_sub(left)));
        }
        if let Limit::Clock(control) = self.limit {
            let side = &mut self.sides[index(mover)];
            side.left = side.left.saturating_sub(took) + ms(control.increment_ms);
            side.moves += 1;
            if control
                .moves
                .is_some_and(|moves| side.moves.is_multiple_of(moves))
            {
                side.left += ms(control.base_ms);
            }
        }
        Ok(())
    }
}

fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str, margin: u64) -> Clock {
        Clock::new(
            Limit::Clock(text.parse().expect("a time control")),
            ms(margin),
        )
    }

    #[test]
    fn the_increment_comes_before_the_first_move_and_after_each() {
        let mut clock = clock("1+0.1", 0);
        assert_eq!(clock.shows(Color::White).white, ms(1100));
        assert_eq!(clock.charge(Color::White, ms(600)), Ok(()));
        assert_eq!(clock.shows(Color::Black).white, ms(600));
        assert_eq!(clock.shows(Color::Black).black, ms(1100));
    }

    #[test]
    fn a_flag_falls_only_beyond_the_margin() {
        let mut clock = clock("1", 50);
        assert_eq!(clock.allows(Color::Black), Some(ms(1050)));
        assert_eq!(
            clock.clone().charge(Color::Black, ms(1051)),
            Err(Overrun(ms(51)))
        );
        assert_eq!(clock.charge(Color::Black, ms(1050)), Ok(()));
        assert_eq!(clock.shows(Color::Black).black, ms(0));
    }

    #[test]
    fn moves_to_go_counts_down_and_the_base_comes_back() {
        let mut clock = clock("2/1", 0);
        assert_eq!(clock.shows(Color::White).moves_to_go, Some(2));
        assert_eq!(clock.charge(Color::White, ms(100)), Ok(()));
        assert_eq!(clock.shows(Color::White).moves_to_go, Some(1));
        assert_eq!(clock.shows(Color::Black).moves_to_go, Some(2));
        assert_eq!(clock.charge(Color::White, ms(100)), Ok(()));
        assert_eq!(clock.shows(Color::White).moves_to_go, Some(2));
        assert_eq!(clock.shows(Color::White).white, ms(1800));
    }

    #[test]
    fn a_move_time_starts_anew_each_move_and_nodes_have_no_clock() {
        let mut clock = Clock::new(Limit::Movetime(100), ms(10));
        for _ in 0..3 {
            assert_eq!(clock.charge(Color::White, ms(110)), Ok(()));
        }
        assert_eq!(clock.charge(Color::White, ms(111)), Err(Overrun(ms(11))));
        assert_eq!(
            Clock::new(Limit::Nodes(1), ms(10)).allows(Color::White),
            None
        );
    }
}
