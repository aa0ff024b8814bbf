//! The clocks of one game. Pure: it is told what a move took.
//!
//! As in other runners, a player starts with base and increment, gets the increment after each
//! move, and with `moves/` the base again after that many moves. A flag falls when a move took
//! longer than what was left plus the margin; an overrun within the margin leaves an empty clock.

use std::time::Duration;

use crate::game::Color;
use crate::limit::{Clocks, Face, Limit, SideLimit, TimeControl};

/// Both players' time, each under its own limit.
#[derive(Clone, Debug)]
pub struct Clock {
    /// White's first.
    sides: [Side; 2],
}

#[derive(Clone, Copy, Debug)]
struct Side {
    rule: SideLimit,
    left: Duration,
    /// Moves made.
    moves: u32,
}

/// A flag fell; by how much the move was late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun(pub Duration);

impl Clock {
    pub fn new(white: SideLimit, black: SideLimit) -> Self {
        Self {
            sides: [white, black].map(Side::new),
        }
    }

    pub fn limit(&self, mover: Color) -> Limit {
        self.sides[index(mover)].rule.limit
    }

    /// What both clocks show when `mover` is to move.
    pub fn shows(&self, mover: Color) -> Clocks {
        let side = self.sides[index(mover)];
        let moves_to_go = match side.rule.limit {
            Limit::Clock(TimeControl {
                moves: Some(moves), ..
            }) => Some(moves - side.moves % moves),
            _ => None,
        };
        let [white, black] = self.sides.map(Side::face);
        Clocks {
            white,
            black,
            moves_to_go,
        }
    }

    /// How long `mover` may be silent before its flag falls; `None` where no clock runs.
    pub fn allows(&self, mover: Color) -> Option<Duration> {
        let side = self.sides[index(mover)];
        match side.rule.limit {
            Limit::Nodes(_) | Limit::Depth(_) => None,
            Limit::Clock(_) | Limit::Movetime(_) => Some(side.left + side.rule.margin),
        }
    }

    /// What `mover`'s clock shows; `None` where no clock runs from move to move.
    pub fn left(&self, mover: Color) -> Option<Duration> {
        self.sides[index(mover)].face().map(|face| face.left)
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
        let allowed = self.allows(mover);
        let side = &mut self.sides[index(mover)];
        if allowed.is_some_and(|allowed| took > allowed) {
            return Err(Overrun(took.saturating_sub(side.left)));
        }
        if let Limit::Clock(control) = side.rule.limit {
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

impl Side {
    fn new(rule: SideLimit) -> Self {
        let left = match rule.limit {
            Limit::Clock(control) => ms(control.base_ms) + ms(control.increment_ms),
            Limit::Movetime(time) => ms(time),
            Limit::Nodes(_) | Limit::Depth(_) => Duration::ZERO,
        };
        Self {
            rule,
            left,
            moves: 0,
        }
    }

    /// `None` where no clock runs from move to move.
    fn face(self) -> Option<Face> {
        match self.rule.limit {
            Limit::Clock(control) => Some(Face {
                left: self.left,
                increment_ms: control.increment_ms,
            }),
            Limit::Nodes(_) | Limit::Depth(_) | Limit::Movetime(_) => None,
        }
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

    fn side(limit: Limit, margin: u64) -> SideLimit {
        let margin = ms(margin);
        SideLimit { limit, margin }
    }

    fn clock(text: &str, margin: u64) -> Clock {
        let side = side(Limit::Clock(text.parse().expect("a time control")), margin);
        Clock::new(side, side)
    }

    fn left(clocks: Clocks) -> [Option<Duration>; 2] {
        [clocks.white, clocks.black].map(|face| face.map(|face| face.left))
    }

    #[test]
    fn the_increment_comes_before_the_first_move_and_after_each() {
        let mut clock = clock("1+0.1", 0);
        assert_eq!(left(clock.shows(Color::White))[0], Some(ms(1100)));
        assert_eq!(clock.charge(Color::White, ms(600)), Ok(()));
        let shown = left(clock.shows(Color::Black));
        assert_eq!(shown, [Some(ms(600)), Some(ms(1100))]);
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
        assert_eq!(left(clock.shows(Color::Black))[1], Some(ms(0)));
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
        assert_eq!(left(clock.shows(Color::White))[0], Some(ms(1800)));
    }

    #[test]
    fn a_move_time_starts_anew_each_move_and_nodes_have_no_clock() {
        let (time, nodes) = (side(Limit::Movetime(100), 10), side(Limit::Nodes(1), 10));
        let mut clock = Clock::new(time, time);
        for _ in 0..3 {
            assert_eq!(clock.charge(Color::White, ms(110)), Ok(()));
        }
        assert_eq!(clock.charge(Color::White, ms(111)), Err(Overrun(ms(11))));
        assert_eq!(Clock::new(nodes, nodes).allows(Color::White), None);
    }

    #[test]
    fn each_side_has_its_own_limit() {
        let control = Limit::Clock("1+0.5".parse().expect("a time control"));
        let mut clock = Clock::new(side(control, 0), side(Limit::Movetime(90), 250));
        assert_eq!(clock.limit(Color::Black), Limit::Movetime(90));
        assert_eq!(clock.allows(Color::White), Some(ms(1500)));
        assert_eq!(clock.allows(Color::Black), Some(ms(340)));
        assert_eq!(left(clock.shows(Color::White)), [Some(ms(1500)), None]);
        assert_eq!(clock.charge(Color::White, ms(200)), Ok(()));
        assert_eq!(clock.left(Color::White), Some(ms(1800)));
        assert_eq!(clock.left(Color::Black), None);
    }
}
