//! Where games start: books of openings, from files or built in.
//!
//! [`Book`] answers which opening a pair of games gets; the variant reads the formats of its books,
//! [`order`] says which opening comes when, and [`judge`] which random ones are fair.

pub mod book;
pub mod file;
pub mod judge;
pub mod order;

pub use crate::game::Opening;
pub use book::{Book, Reading};
pub use order::{Order, Used};
