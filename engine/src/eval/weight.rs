//! A pair of middle-game and endgame centipawns, added and scaled as one.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    pub middle: i32,
    pub end: i32,
}

/// Middle-game and endgame value, in centipawns.
pub const fn weight(middle: i32, end: i32) -> Weight {
    Weight { middle, end }
}

impl Add for Weight {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        weight(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Weight {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        weight(self.middle - other.middle, self.end - other.end)
    }
}

impl Neg for Weight {
    type Output = Self;
    fn neg(self) -> Self {
        weight(-self.middle, -self.end)
    }
}

impl Mul<i32> for Weight {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        weight(self.middle * factor, self.end * factor)
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Weight {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
