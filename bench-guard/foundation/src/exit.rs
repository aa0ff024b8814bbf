//! The exit codes of all tools, in one place.

use std::process::ExitCode;

/// What a process tells its caller, in the manner of `grep`: a valid "no" differs from "could not
/// answer".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Yes: H1 accepted, bench right, tune finished.
    Yes = 0,
    /// A valid no: H0 accepted, bench wrong or missing.
    No = 1,
    /// Could not answer: usage, environment, network.
    Unable = 2,
    /// An engine's fault prevented an answer.
    EngineFault = 3,
    /// Undecided: the game limit was reached.
    Undecided = 4,
    /// Ended by SIGINT, resumable.
    Interrupted = 130,
    /// Ended by SIGTERM, resumable.
    Terminated = 143,
}

impl Exit {
    /// Every code with its meaning, as the reference prints them.
    pub const MEANINGS: [(Self, &str); 7] = [
        (Self::Yes, "yes: H1 accepted, bench right, tune finished"),
        (Self::No, "a valid no: H0 accepted, bench wrong or missing"),
        (
            Self::Unable,
            "could not answer: usage, environment, network",
        ),
        (Self::EngineFault, "an engine's fault prevented an answer"),
        (
            Self::Undecided,
            "undecided: the limit of games or the budget was reached first, or an interval contains what was asked for; \
             `sprt show` of a run that goes on; `sprt openbench watch` of a workload that somebody stopped",
        ),
        (
            Self::Interrupted,
            "ended by SIGINT, or by Stop on a run's page; resumable",
        ),
        (Self::Terminated, "ended by SIGTERM or SIGHUP; resumable"),
    ];
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
