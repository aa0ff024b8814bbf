//! What a slot is given to play, and what it gives back.

use std::sync::Arc;

use engine_client::Color;
use foundation::{Failure, is_default};
use serde::{Deserialize, Serialize};

use super::game::FinishedGame;
use super::setup::MatchSetup;
use crate::openings::Opening;

/// What a slot is to play.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number of the pair, which comes back with its games.
    pub pair: u64,
    pub opening: Opening,
    /// The new engine's colour in each game.
    pub games: Vec<Color>,
    /// Options of base and new for this job, besides those of the match. Engines keep what they
    /// were given, so whoever sets an option sets it in every job.
    pub options: [Vec<(String, String)>; 2],
    /// Who plays, and by which rules; `None` is the setup of the scheduler.
    pub setup: Option<Arc<MatchSetup>>,
}

impl Job {
    /// Two games with one opening, in which the new engine has White first and Black then.
    pub fn pair(pair: u64, opening: Opening) -> Self {
        Self {
            pair,
            opening,
            games: vec![Color::White, Color::Black],
            options: Default::default(),
            setup: None,
        }
    }
}

/// The games of one job, in the order of play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedPair {
    pub pair: u64,
    pub games: Vec<FinishedGame>,
    /// Games that were played again because the runner was suspended.
    #[serde(default, skip_serializing_if = "is_default")]
    pub void_games: u32,
}

impl FinishedPair {
    /// The names of the new engine and of the other one.
    pub fn players(&self) -> Option<[String; 2]> {
        let game = self.games.first()?;
        let (new, base) = match game.new {
            Color::White => (&game.white, &game.black),
            Color::Black => (&game.black, &game.white),
        };
        Some([new.name.clone(), base.name.clone()])
    }

    /// The game that an engine spoiled, if one did.
    pub fn faulty_game(&self) -> Option<&FinishedGame> {
        self.games.iter().find(|game| game.end.is_fault())
    }
}

/// A job that could not be played to its end.
#[derive(Clone, Debug)]
pub struct JobFault {
    /// The engine that could not be started with its options; `None` where it is not known which.
    pub is_new: Option<bool>,
    pub failure: Failure,
}

/// A job that was played, or could not be.
#[derive(Clone, Debug)]
pub struct FinishedJob {
    pub pair: u64,
    pub result: Result<FinishedPair, JobFault>,
}

/// What slots send back.
#[derive(Debug)]
pub(super) enum SlotMessage {
    Finished(FinishedJob),
    /// A slot could not start its engines, and ends. It did not play the job.
    Broken {
        /// Its number, where the run goes on without it.
        further: Option<usize>,
        job: Option<Job>,
        failure: Failure,
    },
}
