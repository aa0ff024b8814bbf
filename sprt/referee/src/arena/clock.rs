//! The clocks of one game. Pure: the caller passes in the time of each move.
//!
//! As in other runners, a player starts with base and increment, gets the increment after each
//! move, and the base of the next stage, or of the last again, after the moves of a stage. A flag
//! falls when a move took longer than the time that was left plus the margin; an overrun within the
//! margin leaves an empty clock. Where both have an hourglass, what one uses is added to the other's
//! time, as in cutechess.

use std::time::Duration;

use engine_client::{Clocks, Color, Face, Limit, SideLimit, Stage, TimeControl};

/// Both players' time, each under its own limit.
#[derive(Clone, Debug)]
pub struct Clock {
    /// White's first.
    sides: [Side; 2],
}

#[derive(Clone, Debug)]
struct Side {
    rule: SideLimit,
    left: Duration,
    /// Number of the stage, from 0.
    stage: usize,
    /// Moves made in it.
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

    pub fn limit(&self, mover: Color) -> &Limit {
        &self.sides[index(mover)].rule.limit
    }

    /// What both clocks show when `mover` is to move.
    pub fn shows(&self, mover: Color) -> Clocks {
        let side = &self.sides[index(mover)];
        let [white, black] = self.sides.each_ref().map(Side::face);
        Clocks {
            white,
            black,
            moves_to_go: side
                .present_stage()
                .and_then(|stage| Some(stage.moves? - side.moves)),
        }
    }

    /// How long `mover` may be silent before its flag falls; `None` where no clock runs.
    pub fn allows(&self, mover: Color) -> Option<Duration> {
        let side = &self.sides[index(mover)];
        (!side.rule.limit.has_no_clock()).then(|| side.left + side.rule.margin)
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
        side.move_made(took);
        if self.sides.iter().all(Side::has_hourglass) {
            self.sides[index(mover.opponent())].left += took;
        }
        Ok(())
    }
}

impl Side {
    fn new(rule: SideLimit) -> Self {
        let mut side = Self {
            rule,
            left: Duration::ZERO,
            stage: 0,
            moves: 0,
        };
        side.left = match (side.present_stage(), side.rule.limit.movetime) {
            (Some(stage), _) => ms(stage.base_ms) + ms(stage.increment_ms),
            (None, Some(time)) => ms(time),
            (None, None) => Duration::ZERO,
        };
        side
    }

    fn has_hourglass(&self) -> bool {
        let control = self.rule.limit.clock.as_ref();
        control.is_some_and(TimeControl::is_hourglass)
    }

    fn present_stage(&self) -> Option<Stage> {
        let control = self.rule.limit.clock.as_ref()?;
        Some(control.stage(self.stage))
    }

    /// Subtracts the time of a move and adds the increment, and the base of the next stage where
    /// one begins.
    fn move_made(&mut self, took: Duration) {
        let Some(stage) = self.present_stage() else {
            return;
        };
        self.left = self.left.saturating_sub(took);
        self.moves += 1;
        if stage.moves == Some(self.moves) {
            self.stage += 1;
            self.moves = 0;
        }
        let is_first_of_stage = self.moves == 0;
        if let Some(stage) = self.present_stage() {
            self.left += ms(stage.increment_ms);
            if is_first_of_stage {
                self.left += ms(stage.base_ms);
            }
        }
    }

    /// `None` where no clock runs from move to move.
    fn face(&self) -> Option<Face> {
        self.present_stage().map(|stage| Face {
            left: self.left,
            increment_ms: stage.increment_ms,
        })
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

    fn timed(text: &str) -> Limit {
        Limit::clock(text.parse::<TimeControl>().expect("a time control"))
    }

    fn side(limit: Limit, margin: u64) -> SideLimit {
        let margin = ms(margin);
        SideLimit { limit, margin }
    }

    fn clock(text: &str, margin: u64) -> Clock {
        let side = side(timed(text), margin);
        Clock::new(side.clone(), side)
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
    fn stages_follow_each_other_and_the_last_comes_again() {
        let mut clock = clock("2/1+0.1,1/5,3/0.5+0.2", 0);
        let mut shown = Vec::new();
        for _ in 0..8 {
            let (white, to_go) = (
                left(clock.shows(Color::White))[0],
                clock.shows(Color::White),
            );
            shown.push((white.map(|it| it.as_millis()), to_go.moves_to_go));
            assert_eq!(clock.charge(Color::White, ms(100)), Ok(()));
        }
        let expected = [
            (1100, 2),
            (1100, 1),
            // The base of the second stage, which has no increment.
            (6000, 1),
            (5900 + 700, 3),
            (6600 + 100, 2),
            (6800, 1),
            (6700 + 700, 3),
            (7500, 2),
        ];
        let expected = expected.map(|(ms, to_go)| (Some(ms), Some(to_go)));
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_one_uses_of_an_hourglass_the_other_gets() {
        let mut clock = clock("hg1", 0);
        assert_eq!(clock.charge(Color::White, ms(300)), Ok(()));
        assert_eq!(clock.both(), Some([ms(700), ms(1300)]));
        assert_eq!(clock.charge(Color::Black, ms(1200)), Ok(()));
        assert_eq!(clock.both(), Some([ms(1900), ms(100)]));
        assert_eq!(clock.charge(Color::White, ms(1901)), Err(Overrun(ms(1))));
        // Beside a usual clock it is one that only runs down.
        let sides = ["hg1", "1+0.1"].map(|text| side(timed(text), 0));
        let [hourglass, usual] = sides;
        let mut clock = Clock::new(hourglass, usual);
        assert_eq!(clock.charge(Color::White, ms(300)), Ok(()));
        assert_eq!(clock.both(), Some([ms(700), ms(1100)]));
    }

    #[test]
    fn nodes_beside_a_clock_leave_the_clock_as_it_is() {
        let both = Limit {
            nodes: Some(5),
            ..timed("1")
        };
        let mut clock = Clock::new(side(both.clone(), 0), side(both, 0));
        assert_eq!(clock.allows(Color::White), Some(ms(1000)));
        assert_eq!(clock.charge(Color::White, ms(1001)), Err(Overrun(ms(1))));
    }

    #[test]
    fn a_move_time_starts_anew_each_move_and_nodes_have_no_clock() {
        let (time, nodes) = (side(Limit::movetime(100), 10), side(Limit::nodes(1), 10));
        let mut clock = Clock::new(time.clone(), time);
        for _ in 0..3 {
            assert_eq!(clock.charge(Color::White, ms(110)), Ok(()));
        }
        assert_eq!(clock.charge(Color::White, ms(111)), Err(Overrun(ms(11))));
        assert_eq!(Clock::new(nodes.clone(), nodes).allows(Color::White), None);
    }

    #[test]
    fn each_side_has_its_own_limit() {
        let mut clock = Clock::new(side(timed("1+0.5"), 0), side(Limit::movetime(90), 250));
        assert_eq!(*clock.limit(Color::Black), Limit::movetime(90));
        assert_eq!(clock.allows(Color::White), Some(ms(1500)));
        assert_eq!(clock.allows(Color::Black), Some(ms(340)));
        assert_eq!(left(clock.shows(Color::White)), [Some(ms(1500)), None]);
        assert_eq!(clock.charge(Color::White, ms(200)), Ok(()));
        assert_eq!(clock.left(Color::White), Some(ms(1800)));
        assert_eq!(clock.left(Color::Black), None);
    }
}
