//! A game as a page plays it back: what each move changed, and what its engine said.

use std::collections::HashMap;

use foundation::Failure;
use serde::Serialize;

use super::Frame;
use crate::analysis::record::RecordedGame;
use engine_client::Color;
use referee::game::{BookFile, Game, Opening, Picture, Variant};

/// Judged mistakes: by the game's number in its run, from 1, the number of the full move, and
/// whether White made it.
pub type Mistakes = HashMap<(u64, u32, bool), String>;

/// A game that was played.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    pub first_is_black: bool,
    pub first_number: u32,
    /// As PGN has it.
    pub time_control: String,
    /// The other tags without which its PGN cannot be read or judged again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<(String, String)>,
    /// The first position; missing in games that are not drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Picture>,
    /// Positions as text, one more than there are moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<String>,
    pub moves: Vec<ReplayMove>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ReplayMove {
    /// As records write it, and as engines do.
    pub text: String,
    pub engine_text: String,
    pub is_book: bool,
    pub score: Option<String>,
    pub depth: Option<u32>,
    pub seconds: Option<f64>,
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<String>,
    #[serde(flatten)]
    pub frame: Option<Frame>,
}

impl Replay {
    /// Game number `game` of a text of games.
    ///
    /// # Errors
    /// It is missing, or illegal from its beginning.
    pub(super) fn of(
        variant: &dyn Variant,
        text: &str,
        games: &[RecordedGame],
        game: usize,
    ) -> Result<Self, Failure> {
        let recorded = games
            .get(game)
            .ok_or_else(|| Failure::unable(format!("the record has no game {}", game + 1)))?;
        let file = BookFile {
            name: "games.pgn".to_owned(),
            inner_name: "games.pgn".to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let Opening { start, moves } = variant.read_openings(file, None)?.read(game as u64)?;
        let mut played = variant.start(&Opening {
            start,
            moves: Vec::new(),
        })?;
        let first = played.record().first_move;
        let start = played.picture();
        let mut positions = vec![played.current()];
        let mut replay = Vec::with_capacity(moves.len());
        let mut picture = start.clone();
        for (said, engine_text) in recorded.moves.iter().zip(moves) {
            let frame = step(played.as_mut(), &engine_text, &mut picture, &mut positions);
            replay.push(ReplayMove {
                text: said.text.clone(),
                engine_text,
                is_book: said.is_book,
                score: said.score.clone(),
                depth: said.depth,
                seconds: said.seconds,
                nodes: said.nodes,
                note: said.note.clone(),
                mistake: None,
                frame,
            });
        }
        let kept = recorded.tags.iter().filter(|(name, _)| is_kept(name));
        Ok(Self {
            first_is_black: first.1 == Color::Black,
            first_number: first.0,
            time_control: recorded.tag("TimeControl").unwrap_or_default().to_owned(),
            tags: kept.cloned().collect(),
            start,
            positions,
            moves: replay,
        })
    }

    pub(super) fn with_mistakes(mut self, game: u64, mistakes: &Mistakes) -> Self {
        if mistakes.is_empty() {
            return self;
        }
        for (ply, played) in self.moves.iter_mut().enumerate() {
            let place = ply as u32 + u32::from(self.first_is_black);
            let key = (game, self.first_number + place / 2, place.is_multiple_of(2));
            played.mistake = mistakes.get(&key).cloned();
        }
        self
    }
}

fn is_kept(name: &str) -> bool {
    matches!(
        name,
        "Variant" | "WhiteOptions" | "BlackOptions" | "WhiteTimeControl" | "BlackTimeControl"
    )
}

/// Plays a move; what it changed, or nothing where it is illegal or not drawn.
fn step(
    game: &mut dyn Game,
    text: &str,
    picture: &mut Option<Picture>,
    positions: &mut Vec<String>,
) -> Option<Frame> {
    game.play(text).ok()?;
    positions.push(game.current());
    let after = game.picture()?;
    let before = picture.replace(after.clone())?;
    Some(Frame::between(&before, &after))
}

#[cfg(test)]
mod tests {
    use referee::game;

    use super::*;
    use crate::analysis::record::parse;

    #[test]
    fn a_replay_keeps_the_tags_that_its_record_needs() {
        let text = "[White \"A\"]\n[Variant \"Chess960\"]\n[WhiteOptions \"Hash=1\"]\n\
                    [TimeControl \"1+0.1\"]\n\n1. e4 {/3 0.001s, n=7} *\n\n";
        let variant = game::find("chess960").expect("a variant");
        let replay = Replay::of(variant, text, &parse(text), 0).expect("a game");
        let tags: Vec<_> = replay.tags.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(tags, ["Variant", "WhiteOptions"]);
        let first = &replay.moves[0];
        assert_eq!((first.seconds, first.nodes), (Some(0.001), Some(7)));
    }
}
