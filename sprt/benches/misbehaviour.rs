//! How a match ends in which an engine misbehaves: the table of `docs/misbehaviour.md`, as measured
//! on this machine.
//!
//! `cargo bench -p sprt --bench misbehaviour` plays each misbehaviour alone and prints the table in
//! Markdown. It fails where something ends otherwise than expected, or a process is left.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    dead_code,
    reason = "a program that shares its means with the tests, prints, and stops where it cannot measure"
)]

#[path = "../tests/runs/misbehaviour.rs"]
mod misbehaviour;
#[path = "../tests/runs/support.rs"]
mod support;

use std::process::ExitCode;

use misbehaviour::{Expected, TABLE};

/// Letters of a reason.
const LONGEST: usize = 110;

fn main() -> ExitCode {
    println!("| an engine that … | verdict | reason | s | left |\n|---|---|---|---|---|");
    let mut wrong = 0;
    for row in TABLE {
        let played = row.play();
        let verdict = match played.verdict {
            Expected::Crash => "crash".to_owned(),
            Expected::Stall => "stall".to_owned(),
            Expected::TimeLoss => "time loss".to_owned(),
            Expected::IllegalMove => "illegal move".to_owned(),
            Expected::PlaysOn => "plays on".to_owned(),
            Expected::Refused(code) => format!("refused, exit {code}"),
            Expected::Hangs => "HANGS".to_owned(),
        };
        let mut reason: String = played.reason.chars().take(LONGEST).collect();
        if played.reason.chars().count() > LONGEST {
            reason.push('…');
        }
        let reason = reason.replace('|', "\\|");
        let is_right = played.verdict == row.expected && played.left == 0;
        wrong += usize::from(!is_right);
        let mark = if is_right { "" } else { " (NOT AS EXPECTED)" };
        let reason = if reason.is_empty() {
            reason
        } else {
            format!(" {reason}")
        };
        println!(
            "| {} | {verdict}{mark} |{reason} | {:.2} | {} |",
            row.what.replace('|', "\\|"),
            played.seconds,
            played.left
        );
    }
    println!("\n{} misbehaviours, {wrong} not as expected", TABLE.len());
    ExitCode::from(u8::from(wrong > 0))
}
