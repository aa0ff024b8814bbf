//! Which proof of a passed test is required of functional commits.

use clap::ValueEnum;

/// The kind of proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Required {
    /// An OpenBench block whose figures are those of its counts
    Block,
    /// Also the trailer of a run of `sprt`, with the sources of the commit
    Run,
    /// Also the trailer of a test of an OpenBench server, with the sources of the commit
    Openbench,
}
