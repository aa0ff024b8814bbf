//! A run drawn as one self-contained HTML page.
//!
//! Figures come from [`crate::run::result::RunResult`] and the session; nothing is computed here
//! but places on paper. The page loads nothing.

mod claims;
mod class;
pub(crate) mod live;
pub(crate) mod page;
pub(crate) mod past_tunes;
mod paste;
pub(crate) mod server_page;
mod slices;
mod trajectories;
