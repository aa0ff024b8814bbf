//! Standard chess and Chess960, as the referee judges them.
//!
//! Moves and legality come from `shakmaty`; draws by repetition, by fifty moves and by material are
//! decided here. Moves are in the engines' notation: castling is the king's two-square step in
//! standard chess and king-takes-rook in Chess960, and each variant refuses the other's. Invariant
//! of [`ChessGame`]: the last element of `keys` is the key of `board`.

use std::path::PathBuf;
use std::sync::Arc;

use foundation::Failure;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Move, Position, attacks, san::SanPlus, uci::UciMove,
};

use self::color::color;
use self::fen::{parse_fen, write_fen};
use self::key::key;
use self::syzygy::Syzygy;
use super::{
    BookFile, Embedded, Ending, Game, Generator, IllegalMove, LineFault, Opening, Openings, Phase,
    Picture, Record, Variant,
};
use crate::adjudication;
use crate::tablebase::{TableUse, Tablebase};
use engine_client::{Color, Dialect, UCI};

mod books;
mod color;
pub mod epd;
pub mod fen;
mod fischer;
pub mod generator;
mod key;
mod packed;
pub mod pgn;
mod polyglot;
mod study;
mod syzygy;

/// Chess from the usual start position, or from any position with standard castling.
pub static STANDARD: ChessVariant = ChessVariant(CastlingMode::Standard, false);

/// Fischer random chess, also from positions with a different back rank for each side.
pub static CHESS960: ChessVariant = ChessVariant(CastlingMode::Chess960, false);

/// Double Fischer random chess: Chess960 whose built-in start positions have a back rank for each
/// side.
pub(crate) static DFRC: ChessVariant = ChessVariant(CastlingMode::Chess960, true);

/// Half-moves without capture or pawn move that make a draw.
const FIFTY_MOVES: u32 = 100;

/// Chess under one of its two castling rules, and whether each side has its own back rank.
#[derive(Debug, Clone, Copy)]
pub struct ChessVariant(CastlingMode, bool);

impl ChessVariant {
    /// The castling rule of a variant of that name, for readers of chess files; `None` where it is
    /// no chess.
    pub fn castling_mode(variant_name: &str) -> Option<CastlingMode> {
        [STANDARD, CHESS960, DFRC]
            .into_iter()
            .find(|variant| variant.name() == variant_name)
            .map(|variant| variant.0)
    }

    /// Whether a position need not be given because everybody knows it.
    fn is_usual_start(self, position: &Chess) -> bool {
        self.0.is_standard()
            && *position == Chess::default()
            && position.halfmoves() == 0
            && position.fullmoves().get() == 1
    }
}

impl Variant for ChessVariant {
    fn name(&self) -> &'static str {
        match self {
            Self(CastlingMode::Standard, _) => "standard",
            Self(CastlingMode::Chess960, false) => "chess960",
            Self(CastlingMode::Chess960, true) => "dfrc",
        }
    }

    fn other_names(&self) -> &'static [&'static str] {
        match self {
            Self(CastlingMode::Chess960, false) => &["fischerandom", "fischerrandom"],
            Self(CastlingMode::Standard, _) => &["chess", "from position"],
            _ => &[],
        }
    }

    fn pgn_name(&self) -> Option<&'static str> {
        match self.0 {
            CastlingMode::Standard => None,
            CastlingMode::Chess960 => Some("Chess960"),
        }
    }

    fn dialect(&self) -> &'static dyn Dialect {
        &UCI
    }

    fn engine_options(&self) -> &'static [(&'static str, &'static str)] {
        match self.0 {
            CastlingMode::Standard => &[],
            CastlingMode::Chess960 => &[("UCI_Chess960", "true")],
        }
    }

    /// Some engines come with Chess960 switched on.
    fn offered_options(&self) -> &'static [(&'static str, &'static str)] {
        match self.0 {
            CastlingMode::Standard => &[("UCI_Chess960", "false")],
            CastlingMode::Chess960 => &[],
        }
    }

    fn adjudication(&self) -> adjudication::Rules {
        adjudication::Rules::USUAL
    }

    fn read_openings(
        &self,
        file: BookFile,
        plies: Option<u32>,
    ) -> Result<Box<dyn Openings>, Failure> {
        books::read(file, self.0, plies)
    }

    fn embedded_openings(&self) -> Result<Embedded, Failure> {
        books::embedded(self.0, self.1)
    }

    fn tablebase(
        &self,
        folders: &[PathBuf],
        table_use: TableUse,
    ) -> Result<Arc<dyn Tablebase>, Failure> {
        Ok(Arc::new(Syzygy::open(folders, self.0, table_use)?))
    }

    fn generator(&self) -> Option<&'static dyn Generator> {
        match self.0 {
            CastlingMode::Standard => Some(&generator::RANDOM_LINES),
            CastlingMode::Chess960 => None,
        }
    }

    fn position_fields(&self) -> usize {
        4
    }

    fn study(&self, text: &str) -> Result<Box<dyn Game>, Failure> {
        let start = study::parse_fen(text, self.0)?;
        Ok(Box::new(ChessGame::new(start, *self)))
    }

    fn start(&self, opening: &Opening) -> Result<Box<dyn Game>, Failure> {
        let start = match &opening.start {
            Some(text) => parse_fen(text, self.0)?,
            None if self.0.is_standard() => Chess::default(),
            None => parse_fen(fen::CLASSICAL, self.0)?,
        };
        let mut game = ChessGame::new(start, *self);
        for (index, text) in opening.moves.iter().enumerate() {
            game.refuse_if_over(index)?;
            game.play(text).map_err(|illegal| {
                Failure::unable(format!(
                    "move {} of the opening, `{}`, is illegal in `{}`",
                    index + 1,
                    illegal.0,
                    write_fen(&game.board, self.0)
                ))
            })?;
        }
        game.refuse_if_over(opening.moves.len())?;
        Ok(Box::new(game))
    }
}

/// A game of chess from its start to now.
#[derive(Clone)]
struct ChessGame {
    variant: ChessVariant,
    start: Chess,
    moves: Vec<Move>,
    board: Chess,
    /// Keys of all positions since the start, the present one last.
    keys: Vec<u64>,
    /// What is sent to engines after `position `.
    text: String,
}

impl ChessGame {
    fn new(start: Chess, variant: ChessVariant) -> Self {
        let text = if variant.is_usual_start(&start) {
            "startpos".to_owned()
        } else {
            format!("fen {}", write_fen(&start, variant.0))
        };
        Self {
            variant,
            moves: Vec::new(),
            keys: vec![key(&start)],
            board: start.clone(),
            start,
            text,
        }
    }

    /// The legal move that an engine means by `text`; upper case, null moves and drops mean none.
    fn find_legal(&self, text: &str) -> Option<Move> {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let wanted = UciMove::from_ascii(text.as_bytes()).ok()?;
        let found = wanted.to_move(&self.board).ok()?;
        // Castling may be meant in the words of the other variant.
        (found.to_uci(self.variant.0) == wanted).then_some(found)
    }

    /// Whether the present position has occurred twice before, with the same moves possible each
    /// time.
    fn is_third_repetition(&self) -> bool {
        // No position from before the last capture or pawn move can come again, nor one with the
        // other side to move.
        let reversible = self.board.halfmoves() as usize;
        let Some((present, past)) = self.keys.split_last() else {
            return false;
        };
        past.iter()
            .rev()
            .take(reversible)
            .skip(1)
            .step_by(2)
            .filter(|key| *key == present)
            .nth(1)
            .is_some()
    }

    /// Plays a legal move, which engines write as `text`.
    fn make(&mut self, found: Move, text: &str) {
        if self.moves.is_empty() {
            self.text.push_str(" moves");
        }
        self.text.push(' ');
        self.text.push_str(text);
        self.moves.push(found);
        self.board.play_unchecked(found);
        self.keys.push(key(&self.board));
    }

    fn refuse_if_over(&self, moves: usize) -> Result<(), Failure> {
        match self.ending() {
            None => Ok(()),
            Some(Ending { text, .. }) => Err(Failure::unable(format!(
                "the game is over after {moves} moves of the opening ({text}), in `{}`",
                write_fen(&self.board, self.variant.0)
            ))),
        }
    }
}

impl Game for ChessGame {
    fn to_move(&self) -> Color {
        color(self.board.turn())
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        let Some(found) = self.find_legal(text) else {
            return Err(IllegalMove(text.to_owned()));
        };
        self.make(found, text);
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        if let Some(decided) = self.ending_without_history() {
            Some(decided)
        } else if self.board.halfmoves() >= FIFTY_MOVES {
            Some(draw("Draw by fifty moves rule"))
        } else if self.is_third_repetition() {
            Some(draw("Draw by 3-fold repetition"))
        } else {
            None
        }
    }

    fn can_win(&self, side: Color) -> bool {
        let side = match side {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        };
        !self.board.has_insufficient_material(side)
    }

    fn position(&self) -> &str {
        &self.text
    }

    fn position_after(&self, text: &str) -> Option<String> {
        let mut next = self.clone();
        next.play(text).ok()?;
        next.ending().is_none().then_some(next.text)
    }

    fn full_moves(&self) -> u32 {
        self.board.fullmoves().get() - 1
    }

    fn last_move_is_irreversible(&self) -> bool {
        self.moves.last().is_some_and(|last| last.is_zeroing())
    }

    fn key(&self) -> u64 {
        key(&self.board)
    }

    fn current(&self) -> String {
        write_fen(&self.board, self.variant.0)
    }

    fn line_fault(&self, line: &str, made: usize, mate: Option<i32>) -> Option<LineFault> {
        let mut board = self.board.clone();
        let mut plies = made as i64;
        for text in line.split_ascii_whitespace().skip(made) {
            let said = UciMove::from_ascii(text.as_bytes()).ok();
            let Some(played) = said.and_then(|said| said.to_move(&board).ok()) else {
                return Some(LineFault::IllegalMove);
            };
            board.play_unchecked(played);
            plies += 1;
        }
        // The winner makes the last move.
        let due = match mate? {
            0 => return None,
            moves if moves > 0 => 2 * i64::from(moves) - 1,
            moves => -2 * i64::from(moves),
        };
        (plies != due || !board.is_checkmate()).then_some(LineFault::NoMate)
    }

    fn record(&self) -> Record {
        let mut board = self.start.clone();
        let moves = self
            .moves
            .iter()
            .map(|played| SanPlus::from_move_and_play_unchecked(&mut board, *played).to_string())
            .collect();
        Record {
            start: (!self.variant.is_usual_start(&self.start))
                .then(|| write_fen(&self.start, self.variant.0)),
            moves,
            first_move: (self.start.fullmoves().get(), color(self.start.turn())),
            last_position: write_fen(&board, self.variant.0),
        }
    }

    fn picture(&self) -> Option<Picture> {
        let pieces = self.board.board().iter().map(|(square, piece)| {
            let shape = [piece.color.char(), piece.role.upper_char()];
            (square.to_string(), shape.iter().collect())
        });
        Some(Picture {
            files: "abcdefgh",
            ranks: "87654321",
            pieces: pieces.collect(),
            ..Picture::default()
        })
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        let moves = self.board.legal_moves();
        let texts = moves.iter().map(|it| it.to_uci(self.variant.0).to_string());
        texts.collect()
    }

    fn can_move(&self) -> bool {
        can_move(&self.board)
    }

    fn find(&self, said: &str) -> Result<String, &'static str> {
        let found = study::find(&self.board, said)?;
        Ok(found.to_uci(self.variant.0).to_string())
    }

    fn play_recorded(&mut self, said: &str) -> Result<String, IllegalMove> {
        let found = study::find(&self.board, said).map_err(|_| IllegalMove(said.to_owned()))?;
        let text = found.to_uci(self.variant.0).to_string();
        self.make(found, &text);
        Ok(text)
    }

    fn position_without_history(&self) -> String {
        let fen = self.current();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        format!("{} 0 1", fields.join(" "))
    }

    fn ending_without_history(&self) -> Option<Ending> {
        if !can_move(&self.board) {
            return Some(match (self.board.is_check(), self.to_move()) {
                (false, _) => draw("Draw by stalemate"),
                (true, Color::Black) => Ending {
                    winner: Some(Color::White),
                    text: "White mates",
                },
                (true, Color::White) => Ending {
                    winner: Some(Color::Black),
                    text: "Black mates",
                },
            });
        }
        self.board
            .is_insufficient_material()
            .then(|| draw("Draw by insufficient mating material"))
    }

    fn phase(&self) -> Phase {
        study::phase(&self.board)
    }

    fn theme(&self) -> String {
        study::theme(&self.board)
    }

    fn material(&self, color: Color) -> i32 {
        study::material(&self.board, color)
    }

    fn is_forcing(&self, text: &str) -> bool {
        self.find_legal(text)
            .is_some_and(|found| study::is_forcing(&self.board, found))
    }

    fn capture(&self, text: &str) -> Option<String> {
        let found = self.find_legal(text).filter(|found| found.is_capture())?;
        Some(found.to().to_string())
    }
}

/// Whether there is a legal move. In most positions one is found without listing all: where there
/// is no check, a pawn or a knight that is on no line with its king is free to move.
fn can_move(position: &Chess) -> bool {
    let (board, us) = (position.board(), position.turn());
    let Some(king) = board.king_of(us).filter(|_| !position.is_check()) else {
        return !position.legal_moves().is_empty();
    };
    let unpinned = position.us() & !attacks::queen_attacks(king, Bitboard::EMPTY);
    let pawns = unpinned & board.pawns();
    let before_pawns = us.fold_wb(Bitboard(pawns.0 << 8), Bitboard(pawns.0 >> 8));
    let mut knights = (unpinned & board.knights()).into_iter();
    (before_pawns & !board.occupied()).any()
        || knights.any(|knight| (attacks::knight_attacks(knight) & !position.us()).any())
        || !position.legal_moves().is_empty()
}

fn draw(text: &'static str) -> Ending {
    Ending { winner: None, text }
}

#[cfg(test)]
mod tests;
