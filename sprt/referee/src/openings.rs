//! Where games start: books of openings, from files or built in.
//!
//! [`Book`] answers which opening a pair of games gets; the variant reads the formats of its books,
//! [`Reading`] says which openings come and [`order`] when, and [`judge`] which random ones are fair.

pub mod book;
pub mod file;
pub mod judge;
pub mod order;
pub mod reading;

pub use crate::game::Opening;
pub use book::Book;
pub use order::{Order, Used};
pub use reading::Reading;
