//! Whole runs by the real program, against an engine whose best values are known.

mod ablate;
mod apply;
mod choices;
#[path = "../../../sprt/openbench/src/git_of_tests.rs"]
mod git_of_tests;
mod history;
mod lint;
mod mistakes;
mod openbench;
mod preflight;
mod prove;
mod readme;
mod report;
mod resume;
mod signals;
mod simulate;
mod support;
