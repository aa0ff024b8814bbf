//! What the journal keeps of a pair of games.

use engine_client::Color;
use foundation::is_default;
use referee::arena::{EndKind, FinishedGame, FinishedPair};
use serde::{Deserialize, Deserializer, Serialize};

use crate::diagnostics::BothDiagnostics;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairLine {
    pub pair: u64,
    /// In a tournament, the engine with White in the first game and its opponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 2]>,
    /// One, or two with colours swapped.
    #[serde(deserialize_with = "without_room_for_more")]
    pub games: Vec<GameRecord>,
    /// Length of `games.pgn` with this pair's games.
    pub games_end: u64,
    /// How much of it was on disk when this line was written; all in journals of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_synced: Option<u64>,
}

/// There may be a million games in memory.
fn without_room_for_more<'de, D: Deserializer<'de>>(games: D) -> Result<Vec<GameRecord>, D::Error> {
    let mut games = Vec::deserialize(games)?;
    games.shrink_to_fit();
    Ok(games)
}

/// What the journal keeps of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The colour of the new engine.
    pub new: Color,
    /// `None` is a draw.
    pub winner: Option<Color>,
    pub end: EndKind,
    /// Who spoiled the game, where it was drawn all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoiler: Option<Color>,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Of the whole game, the opening's among them.
    pub plies: usize,
    #[serde(rename = "conduct", default, skip_serializing_if = "is_default")]
    pub diagnostics: BothDiagnostics,
}

impl GameRecord {
    /// The engine that spoiled the game: the loser by a fault, or the one that is named for it.
    pub(crate) fn spoiled_by(&self) -> Option<Color> {
        let loser = self.winner.map(Color::opponent);
        self.spoiler.or(loser).filter(|_| self.end.is_fault())
    }

    pub(crate) fn of_pair(pair: &FinishedPair) -> Vec<Self> {
        pair.games.iter().map(Self::from).collect()
    }
}

impl From<&FinishedGame> for GameRecord {
    fn from(game: &FinishedGame) -> Self {
        Self {
            new: game.new,
            winner: game.end.winner(),
            end: game.end.kind(),
            spoiler: game
                .end
                .spoiled_by()
                .filter(|_| game.end.winner().is_none()),
            text: game.end.text(),
            detail: game.end.detail(),
            plies: game.plies(),
            diagnostics: BothDiagnostics::of_game(game),
        }
    }
}
