//! What happens in the slots, as it happens.
//!
//! These events are only made where somebody listens, and come in the order in which they happen,
//! those of simultaneous games interleaved. A [`super::Source`] gets finished pairs, which it can
//! put in the order of the schedule.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::end::GameFault;
use super::game::{FinishedGame, PlayedMove, Player};
use super::time::milliseconds;
use crate::openings::Opening;
use engine_client::Color;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    GameStarted(GameStarted),
    MoveMade(MoveMade),
    GameFinished(GameFinished),
    /// A game that does not count, because the runner was suspended under a clock, or an engine
    /// spoiled the game meanwhile. It is played again under the same number.
    GameVoided(GameVoided),
    /// An engine spoiled a game; the game's end follows.
    Fault(Fault),
    /// The engines of a slot were started again.
    EngineRestarted(EngineRestarted),
    /// A slot plays no more games.
    SlotClosed(SlotClosed),
}

/// Which game of a match this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The number of its pair, from 0.
    pub pair: u64,
    /// Its number in the pair, from 0.
    pub game: usize,
    /// The slot in which it is played, from 0.
    pub slot: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStarted {
    #[serde(flatten)]
    pub id: GameId,
    pub white: Player,
    pub black: Player,
    /// The colour of the new engine.
    pub new: Color,
    pub opening: Opening,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveMade {
    #[serde(flatten)]
    pub id: GameId,
    /// Half-moves so far, this one and those of the opening among them.
    pub ply: usize,
    pub mover: Color,
    pub played: PlayedMove,
    /// `None` where no clock runs.
    pub clocks: Option<Clocks>,
}

/// What both clocks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    #[serde(rename = "white_ms", with = "milliseconds")]
    pub white: Duration,
    #[serde(rename = "black_ms", with = "milliseconds")]
    pub black: Duration,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFinished {
    #[serde(flatten)]
    pub id: GameId,
    pub finished: FinishedGame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameVoided {
    #[serde(flatten)]
    pub id: GameId,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    #[serde(flatten)]
    pub id: GameId,
    pub engine: String,
    pub color: Color,
    #[serde(flatten)]
    pub fault: GameFault,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineRestarted {
    pub slot: usize,
    pub engine: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotClosed {
    pub slot: usize,
}
