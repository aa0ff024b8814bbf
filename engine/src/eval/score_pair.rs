//! A pair of middle-game and endgame centipawns, added and scaled as one.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScorePair {
    pub mg: i32,
    pub eg: i32,
}

/// Middle-game and endgame value, in centipawns.
pub const fn s(mg: i32, eg: i32) -> ScorePair {
    ScorePair { mg, eg }
}

impl Add for ScorePair {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        s(self.mg + other.mg, self.eg + other.eg)
    }
}

impl Sub for ScorePair {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        s(self.mg - other.mg, self.eg - other.eg)
    }
}

impl Neg for ScorePair {
    type Output = Self;
    fn neg(self) -> Self {
        s(-self.mg, -self.eg)
    }
}

impl Mul<i32> for ScorePair {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        s(self.mg * factor, self.eg * factor)
    }
}

impl AddAssign for ScorePair {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for ScorePair {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
