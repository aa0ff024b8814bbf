//! Games as a browser shows them: a position after each move, in the words of the game's variant.

use foundation::Failure;
use serde::Serialize;

use engine_client::{Color, EngineScore};
use referee::game::{BookFile, Opening, Variant};
use runs::analysis::record::RecordedGame;
use runs::report::live::Board;

/// A game that was played.
#[derive(Serialize)]
pub(super) struct Replay {
    pub white: String,
    pub black: String,
    pub result: String,
    pub first_is_black: bool,
    pub first_number: u32,
    /// One position more than there are moves.
    pub positions: Vec<String>,
    pub moves: Vec<ReplayMove>,
}

#[derive(Serialize)]
pub(super) struct ReplayMove {
    /// As records write it, and as engines do.
    pub text: String,
    pub engine_text: String,
    pub is_book: bool,
    pub score: Option<String>,
    pub depth: Option<u32>,
    pub seconds: Option<f64>,
    pub note: String,
}

/// Game number `game` of a text of games.
pub(super) fn replay(
    variant: &dyn Variant,
    text: &str,
    games: &[RecordedGame],
    game: usize,
) -> Result<Replay, Failure> {
    let recorded = games
        .get(game)
        .ok_or_else(|| Failure::unable(format!("the record has no game {}", game + 1)))?;
    let file = BookFile {
        name: "games.pgn".to_owned(),
        inner_name: "games.pgn".to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    let Opening { start, moves } = variant.read_openings(file, None)?.read(game as u64)?;
    let first = variant.record(
        &Opening {
            start: start.clone(),
            moves: Vec::new(),
        },
        &[],
    )?;
    let tag = |name: &str| recorded.tag(name).unwrap_or_default().to_owned();
    Ok(Replay {
        white: tag("White"),
        black: tag("Black"),
        result: tag("Result"),
        first_is_black: first.first_move.1 == Color::Black,
        first_number: first.first_move.0,
        positions: positions(variant, start, &moves)?,
        moves: recorded
            .moves
            .iter()
            .zip(moves)
            .map(|(said, engine_text)| ReplayMove {
                text: said.text.clone(),
                engine_text,
                is_book: said.is_book,
                score: said.score.clone(),
                depth: said.depth,
                seconds: said.seconds,
                note: said.note.clone(),
            })
            .collect(),
    })
}

fn positions(
    variant: &dyn Variant,
    start: Option<String>,
    moves: &[String],
) -> Result<Vec<String>, Failure> {
    let mut game = variant.start(&Opening {
        start,
        moves: Vec::new(),
    })?;
    let mut positions = vec![game.record().last_position];
    for text in moves {
        if game.play(text).is_err() {
            break;
        }
        positions.push(game.record().last_position);
    }
    Ok(positions)
}

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
    pub last_move: Option<String>,
    /// All moves as records write them, the opening's first, and how many those are.
    pub moves: Vec<String>,
    pub book_moves: usize,
    pub first_is_black: bool,
    pub first_number: u32,
    pub clocks: Option<[u64; 2]>,
    /// What White and Black said last, in pawns from their own view, with the depth.
    pub said: [Option<String>; 2],
    pub end: Option<String>,
}

/// The board as it stands; `None` for a slot that has not begun, or whose moves make no sense.
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
    Some(LiveBoard {
        slot: board.slot,
        pair: board.pair,
        game: board.game,
        new_is_white: board.new_is_white,
        position: record.last_position,
        last_move: texts.last().map(|text| (*text).to_owned()),
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
