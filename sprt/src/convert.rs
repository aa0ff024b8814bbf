//! Command lines of fastchess and cutechess-cli as command lines of ours.
//!
//! ```text
//! words ─ options ─▶ Asked ─ write ─▶ words of `sprt run` or `sprt tournament`, and remarks
//!            └─ side: the keys of an engine
//! ```
//! What has no counterpart here is an error where it would change the games, and a remark where it
//! only changes the output. Nothing is left out in silence.

mod options;
mod side;
mod tool;
mod write;

pub(crate) use options::Asked;
pub(crate) use tool::Tool;
pub(crate) use write::convert;

#[cfg(test)]
mod tests;
