//! Leiserchess: Kings with lasers among pawns that are mirrors, by the rules of 2018.

mod board;
mod fen;
mod laser;
mod moves;
mod notation;
mod square;
#[cfg(test)]
mod vectors;
