//! Leiserchess: Kings with lasers among pawns that are mirrors, by the rules of 2018.

mod board;
mod laser;
mod square;
