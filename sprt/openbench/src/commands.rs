//! Commands that `sprt openbench` and `tuner openbench` have in common.

pub mod fetch;
pub mod watch;
