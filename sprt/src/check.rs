//! Checks whether an engine speaks UCI the way match runners and user interfaces expect: a named
//! list of steps, each passed, failed or skipped, with its dialogue.
//!
//! ```text
//! steps ─ each ─▶ subject (a process, written and read line by line) ─▶ objection, or none
//!                    │
//!                    └─ question: a position, and the rules that judge the answer
//! ```
//! Every wait is bounded. A step that fails costs the engine its process, and the next step starts
//! with a new one, so that no mistake is counted twice. An engine that does not answer when it is
//! started is not asked again: the steps that are left are not run.

use std::pin::Pin;
use std::time::{Duration, Instant};

use foundation::Failure;

mod control;
mod exchange;
mod handshake;
mod limits;
mod lines;
mod moves;
mod question;
mod subject;

pub(crate) use subject::Settings;
use subject::{Checked, Objection, Subject};

/// A step by its name.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub name: &'static str,
    /// What is right, as a sentence about the engine.
    pub expected: &'static str,
    examine: for<'a> fn(&'a mut Subject) -> Examination<'a>,
}

type Examination<'a> = Pin<Box<dyn Future<Output = Checked<()>> + Send + 'a>>;

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Examined {
    pub name: &'static str,
    pub expected: &'static str,
    pub outcome: Outcome,
    pub took: Duration,
    /// What was said: lines with `>` before those that were sent and `<` before those that were
    /// read.
    pub exchange: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
    /// The engine can no longer be started.
    NotRun,
}

macro_rules! steps {
    ($($name:literal, $path:path, $expected:literal;)*) => {
        &[$(Step {
            name: $name,
            expected: $expected,
            examine: |subject| Box::pin($path(subject)),
        }),*]
    };
}

/// All steps, in the order in which they run.
pub(crate) const STEPS: &[Step] = steps! {
    "uci", handshake::answers_uci, "answers `uci` with `uciok`";
    "id", handshake::id, "reports its name and its author, each once";
    "options", handshake::options, "its options are well-formed";
    "option-defaults", handshake::defaults, "defaults lie in their ranges";
    "option-names", handshake::unique_options, "no two options have the same name";
    "isready", handshake::isready, "answers `isready` with `readyok`";
    "ucinewgame", handshake::new_game, "goes on after `ucinewgame`";
    "setoption", handshake::set_options, "takes every option at its default";
    "setoption-nonsense", handshake::nonsense_options, "survives unknown options and invalid values";
    "unknown-commands", handshake::unknown_words, "ignores what it does not know";
    "blanks", handshake::blanks, "reads past blanks, tabs and carriage returns";
    "lines-in-parts", handshake::lines_in_parts, "reads lines that come in parts and together";
    "position-startpos", moves::start, "moves legally from the start position";
    "position", moves::usual, "moves legally from a FEN and after moves";
    "position-tricky", moves::tricky, "moves legally where pins, checks and counters are tricky";
    "few-moves", moves::few_moves, "finds the only legal moves";
    "promotion", moves::promotions, "promotes, with the piece in lower case";
    "en-passant", moves::en_passant, "captures en passant, understands it, and knows when it may not";
    "castling", moves::after_castling, "understands castling to both sides";
    "castling-notation", moves::castling, "writes castling as a move of the king by two squares";
    "chess960", moves::chess960, "moves legally in Chess960, and in standard chess after it";
    "near-mate", moves::near_mate, "mates in one, and moves legally where it is mated";
    "game-over", moves::game_over, "goes on after a position without a legal move";
    "long-game", moves::long_game, "moves legally after a game of 300 plies";
    "searchmoves", moves::searchmoves, "keeps to the moves after `searchmoves`";
    "depth", limits::depth, "searches to the depth of `go depth`";
    "nodes", limits::nodes, "keeps `go nodes`";
    "movetime", limits::movetime, "moves within `go movetime`";
    "clock", limits::clock, "moves before its flag falls";
    "movestogo", limits::moves_to_go, "moves before its flag falls with `movestogo`";
    "low-clock", limits::low_clock, "moves at once when no time is left";
    "infinite", control::infinite, "searches until `stop` after `go infinite`";
    "stop-at-once", control::stop_at_once, "hears a `stop` right after `go`";
    "stop-when-idle", control::stop_when_idle, "ignores `stop` when it does not search";
    "isready-during-search", control::isready_during_search, "answers `isready` during a search, and searches on";
    "go-twice", control::go_twice, "survives a second `go` during a search";
    "ponder", control::ponder, "ponders until `ponderhit` or `stop`";
    "multipv", control::multi_pv, "reports as many lines as `MultiPV` says";
    "lines", lines::known_lines, "says nothing during a search but `info` and `bestmove`";
    "info", lines::info_lines, "its `info` lines are well-formed";
    "pv", lines::legal_variations, "its variations are legal";
    "pv-bestmove", lines::best_is_first_of_variation, "plays the first move of its last variation";
    "bestmove", lines::best_move_lines, "its `bestmove` lines are well-formed, and the move to ponder is legal";
    "score-sign", lines::signs_of_scores, "its scores are those of the side to move";
    "score-mate", lines::mate_scores, "its mate scores have the right sign";
    "silence", control::silence_after_move, "says nothing after the move";
    "two-at-a-time", control::two_at_a_time, "runs as two processes at a time";
    "quit", control::quit, "ends on `quit`";
    "quit-during-search", control::quit_during_search, "ends on `quit` during a search";
    "eof", control::end_of_input, "ends when its input does";
    "eof-during-search", control::end_of_input_during_search, "ends when its input does, during a search";
};

/// Runs `steps` one after the other; `each` is called with each result as soon as there is one.
///
/// # Errors
/// The program does not begin at all.
pub(crate) async fn examine(
    settings: Settings,
    steps: &[Step],
    mut each: impl FnMut(Examined),
) -> Result<(), Failure> {
    let mut subject = Subject::new(settings);
    for step in steps {
        let started = Instant::now();
        let outcome = if subject.cannot_be_started() {
            Outcome::NotRun
        } else {
            match (step.examine)(&mut subject).await {
                Ok(()) => Outcome::Passed,
                Err(Objection::Skipped(why)) => Outcome::Skipped(why),
                Err(Objection::Failed(why)) => {
                    subject.end();
                    Outcome::Failed(why)
                }
            }
        };
        if let Some(failure) = subject.never_began() {
            return Err(failure);
        }
        let exchange = subject.take_exchange().into_lines();
        each(Examined {
            name: step.name,
            expected: step.expected,
            outcome,
            took: started.elapsed(),
            exchange,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_steps_are_unique() {
        let mut names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
