//! Games being played, as a browser shows them.

use engine_client::{Color, EngineScore};
use foundation::Failure;
use referee::game::{Opening, Picture, Variant};
use runs::games::Frame;
use runs::report::live::Board;
use serde::Serialize;

/// A game that is being played.
#[derive(Serialize)]
pub(super) struct LiveBoard {
    pub slot: usize,
    pub pair: u64,
    pub game: usize,
    pub white: String,
    pub black: String,
    pub new_is_white: bool,
    pub position: String,
    pub picture: Option<Picture>,
    /// What the last move changed.
    pub last: Option<Frame>,
    /// All moves as records write them, the opening's first, and how many those are.
    pub moves: Vec<String>,
    pub book_moves: usize,
    pub first_is_black: bool,
    pub first_number: u32,
    pub clocks: Option<[u64; 2]>,
    /// The last scores of White and Black, in pawns from their own point of view, with the depth.
    pub said: [Option<String>; 2],
    pub end: Option<String>,
}

/// The current board; `None` for a slot that has not begun or whose moves are invalid.
pub(super) fn live_board(variant: &dyn Variant, board: Board) -> Option<LiveBoard> {
    if board.white.is_empty() {
        return None;
    }
    let texts: Vec<&str> = board
        .moves
        .iter()
        .map(|played| played.text.as_str())
        .collect();
    let record = variant.record(&board.opening, &texts).ok()?;
    let first_is_black = record.first_move.1 == Color::Black;
    let book_moves = board.opening.moves.len();
    let mut said = [None, None];
    for (index, played) in board.moves.iter().enumerate() {
        let is_black = ((book_moves + index) % 2 == 1) != first_is_black;
        let score = played.score.map(|score: EngineScore| score.to_string());
        let depth = played.depth.unwrap_or(0);
        said[usize::from(is_black)] = score.map(|score| format!("{score} at depth {depth}"));
    }
    let (picture, last) = pictures(variant, &board.opening, &texts).ok()?;
    Some(LiveBoard {
        slot: board.slot,
        pair: board.pair,
        game: board.game,
        new_is_white: board.new_is_white,
        position: record.last_position,
        picture,
        last,
        moves: record.moves,
        book_moves,
        first_is_black,
        first_number: record.first_move.0,
        clocks: board.clocks,
        said,
        end: board.end,
        white: board.white,
        black: board.black,
    })
}

/// The present position, and what the last move changed.
fn pictures(
    variant: &dyn Variant,
    opening: &Opening,
    texts: &[&str],
) -> Result<(Option<Picture>, Option<Frame>), Failure> {
    let mut game = variant.start(opening)?;
    let (mut before, mut now) = (None, game.picture());
    for text in texts {
        if game.play(text).is_err() {
            break;
        }
        before = std::mem::replace(&mut now, game.picture());
    }
    let last = before
        .zip(now.as_ref())
        .map(|(before, now)| Frame::between(&before, now));
    Ok((now, last))
}
