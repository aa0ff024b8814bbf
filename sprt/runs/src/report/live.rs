//! The boards of the games being played, for the page of `sprt serve`: a file in the run's folder,
//! rewritten while somebody looks.
//!
//! Whoever looks touches a second file; without that nothing is written.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use foundation::Failure;
use serde::{Deserialize, Serialize};

use super::{Event, Reporter};
use engine_client::{Color, EngineScore, Limit};
use referee::arena::event::Event as Arena;
use referee::openings::Opening;

const BOARDS: &str = "live.json";
const WATCHED: &str = "watched";

/// A viewer asks again within this time.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);
/// Time between two writings.
const WRITE: Duration = Duration::from_millis(300);

/// Games of fewer nodes or plies a move are over before anybody has seen them, and writing their
/// moves would cost more than the games.
const FEWEST_NODES: u64 = 2000;
const LOWEST_DEPTH: u32 = 6;

/// What one slot is playing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    pub slot: usize,
    pub pair: u64,
    pub game: usize,
    pub white: String,
    pub black: String,
    /// Whether the new engine has White.
    pub new_is_white: bool,
    pub opening: Opening,
    pub moves: Vec<LiveMove>,
    /// What White's and Black's clocks show in milliseconds, after the last move.
    pub clocks: Option<[u64; 2]>,
    /// How the game ended.
    pub end: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveMove {
    pub text: String,
    /// From the mover's view.
    pub score: Option<EngineScore>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub ms: u64,
}

/// Writes the boards.
pub struct Live {
    run: PathBuf,
    is_worth_watching: bool,
    boards: Vec<Board>,
    written: Instant,
    is_watched: bool,
}

impl Live {
    pub fn new(run: &Path, limits: &[&Limit]) -> Self {
        let is_worth_watching = limits.iter().any(|limit| {
            limit.nodes.is_none_or(|nodes| nodes >= FEWEST_NODES)
                && limit.depth.is_none_or(|depth| depth >= LOWEST_DEPTH)
        });
        Self {
            run: run.to_owned(),
            is_worth_watching,
            boards: Vec::new(),
            written: Instant::now(),
            is_watched: false,
        }
    }

    fn board(&mut self, slot: usize) -> &mut Board {
        if self.boards.len() <= slot {
            self.boards.resize_with(slot + 1, Board::default);
        }
        &mut self.boards[slot]
    }

    fn take_in(&mut self, event: &Arena) {
        match event {
            Arena::GameStarted(start) => {
                *self.board(start.id.slot) = Board {
                    slot: start.id.slot,
                    pair: start.id.pair,
                    game: start.id.game,
                    white: start.white.name.clone(),
                    black: start.black.name.clone(),
                    new_is_white: start.new == Color::White,
                    opening: start.opening.clone(),
                    ..Board::default()
                };
            }
            Arena::MoveMade(made) => {
                let board = self.board(made.id.slot);
                board.moves.push(LiveMove {
                    text: made.played.text.clone(),
                    score: made.played.info.score,
                    depth: made.played.info.depth,
                    nodes: made.played.info.nodes,
                    ms: made.played.time.as_millis() as u64,
                });
                board.clocks = made
                    .clocks
                    .map(|both| [both.white, both.black].map(|left| left.as_millis() as u64));
            }
            Arena::GameFinished(finished) => {
                self.board(finished.id.slot).end = Some(finished.finished.end.text());
            }
            Arena::SlotClosed(closed) => *self.board(closed.slot) = Board::default(),
            // A void game is started again, which clears its board.
            Arena::GameVoided(_) | Arena::Fault(_) | Arena::EngineRestarted(_) => {}
        }
    }

    /// `is_last`: nothing more may come for long, so what was not written yet must be now.
    fn write_if_watched(&mut self, is_last: bool) {
        if self.is_watched && (is_last || self.written.elapsed() >= WRITE) {
            self.written = Instant::now();
            // A picture that could not be drawn is no reason to end a match; it is not synced
            // either.
            let _ = self.write();
        }
    }

    fn write(&self) -> std::io::Result<()> {
        let making = self.run.join(".live.json");
        fs::write(&making, serde_json::to_vec(&self.boards)?)?;
        fs::rename(making, self.run.join(BOARDS))
    }
}

impl Reporter for Live {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Live(event) => {
                self.take_in(event);
                let is_last = matches!(event, Arena::GameFinished(_) | Arena::SlotClosed(_));
                self.write_if_watched(is_last);
            }
            Event::Finished(..) => {
                for file in [BOARDS, WATCHED] {
                    // It exists only if there was a viewer.
                    let _ = fs::remove_file(self.run.join(file));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn wants_live(&self) -> bool {
        self.is_worth_watching
    }

    fn wants_moves(&mut self) -> bool {
        self.is_watched = self.is_worth_watching && is_watched(&self.run);
        self.is_watched
    }
}

fn is_watched(run: &Path) -> bool {
    let touched = fs::metadata(run.join(WATCHED)).and_then(|file| file.modified());
    touched.is_ok_and(|time| {
        SystemTime::now()
            .duration_since(time)
            .is_ok_and(|age| age < LONGEST_SILENCE)
    })
}

/// The boards of a run, as its process last wrote them; asks it to keep writing them.
pub fn boards(run: &Path) -> Vec<Board> {
    // Where this cannot be written there are no boards to be seen; the rest of the page is.
    let _ = fs::write(run.join(WATCHED), "");
    let text = fs::read(run.join(BOARDS)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}
