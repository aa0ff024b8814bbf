//! A game of Leiserchess from its start to now: Ko, and how the rules end it.

use engine_client::Color;

use super::board::{Board, Piece, Role};
use super::fen::{OPENING, write_fen};
use super::moves::{breaks_ko, moves, turn};
use super::notation::Move;
use super::picture::{danger, picture};
use crate::game::{Ending, Game, IllegalMove, LineFault, Phase, Picture, Record};

/// Occurrences of a position that make a draw.
const REPETITIONS: usize = 3;

/// Invariant: `boards` has one element more than `moves`, and the last is the present position.
#[derive(Clone)]
pub(super) struct LeiserGame {
    boards: Vec<Board>,
    moves: Vec<Move>,
    /// What the last move zapped.
    zapped: Option<Piece>,
    /// Plies since something was zapped.
    quiet: u32,
    quiet_limit: u32,
    /// What engines are sent after `position `.
    text: String,
}

impl LeiserGame {
    /// A position that is set up has no history: Ko does not bind its first move.
    pub(super) fn new(board: Board, quiet_limit: u32) -> Self {
        let fen = write_fen(&board);
        let text = if fen == OPENING {
            "startpos".to_owned()
        } else {
            format!("fen {fen}")
        };
        Self {
            boards: vec![board],
            moves: Vec::new(),
            zapped: None,
            quiet: 0,
            quiet_limit,
            text,
        }
    }

    pub(super) fn board(&self) -> &Board {
        &self.boards[self.moves.len()]
    }

    /// The piece whose loss has decided the game.
    fn lost_king(&self) -> Option<Piece> {
        self.zapped.filter(|piece| piece.role == Role::King)
    }

    fn pawns(&self, color: Color) -> usize {
        let pieces = self.board().pieces();
        let is_pawn = |piece: Piece| piece.role == Role::Pawn && piece.color == color;
        pieces.filter(|(_, piece)| is_pawn(*piece)).count()
    }

    /// Makes a move; `false` where it is illegal.
    fn make(&mut self, played: Move) -> bool {
        if self.lost_king().is_some() || !moves(self.board()).contains(&played) {
            return false;
        }
        let turn = turn(self.board(), played);
        let before = self.boards.iter().rev().nth(1);
        if breaks_ko(before, &turn.board) {
            return false;
        }
        self.quiet = turn.zapped.map_or(self.quiet + 1, |_| 0);
        self.zapped = turn.zapped;
        self.boards.push(turn.board);
        self.moves.push(played);
        true
    }

    /// Whether the present position has come often enough. Nothing from before the last zap can
    /// come again.
    fn is_repeated(&self) -> bool {
        let since_zap = self.boards.iter().rev().take(self.quiet as usize + 1);
        since_zap.filter(|board| *board == self.board()).count() >= REPETITIONS
    }
}

impl Game for LeiserGame {
    fn to_move(&self) -> Color {
        self.board().to_move
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        let is_first = self.moves.is_empty();
        if !Move::parse(text).is_some_and(|played| self.make(played)) {
            return Err(IllegalMove(text.to_owned()));
        }
        self.text.push_str(if is_first { " moves " } else { " " });
        self.text.push_str(text);
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        let draw = |text| Some(Ending { winner: None, text });
        if let Some(decided) = self.ending_without_history() {
            Some(decided)
        } else if self.is_repeated() {
            draw("Draw by 3-fold repetition")
        } else if self.quiet >= self.quiet_limit {
            draw("Draw by moves without a zap")
        } else {
            None
        }
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
        let first = usize::from(self.boards[0].to_move == Color::Black);
        (first + self.moves.len()) as u32 / 2
    }

    fn last_move_is_irreversible(&self) -> bool {
        self.zapped.is_some()
    }

    fn key(&self) -> u64 {
        key(self.board())
    }

    fn current(&self) -> String {
        write_fen(self.board())
    }

    fn line_fault(&self, line: &str, made: usize, mate: Option<i32>) -> Option<LineFault> {
        let mut game = self.clone();
        let mut plies = made as i64;
        for text in line.split_ascii_whitespace().skip(made) {
            if !Move::parse(text).is_some_and(|played| game.make(played)) {
                return Some(LineFault::IllegalMove);
            }
            plies += 1;
        }
        // The winner makes the last move, unless the loser shoots its own King.
        let due = match mate? {
            0 => return None,
            moves if moves > 0 => 2 * i64::from(moves) - 1,
            moves => -2 * i64::from(moves),
        };
        let is_due = plies == due || plies == due - 1;
        (!is_due || game.lost_king().is_none()).then_some(LineFault::NoMate)
    }

    fn record(&self) -> Record {
        let start = write_fen(&self.boards[0]);
        Record {
            moves: self.moves.iter().map(ToString::to_string).collect(),
            first_move: (1, self.boards[0].to_move),
            last_position: self.current(),
            start: (start != OPENING).then_some(start),
        }
    }

    fn picture(&self) -> Option<Picture> {
        let last = self.moves.last().map(|played| {
            let before = &self.boards[self.moves.len() - 1];
            (before, *played)
        });
        Some(picture(self.board(), last))
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        let before = self.boards.iter().rev().nth(1);
        let all = moves(self.board()).into_iter();
        all.filter(|played| !breaks_ko(before, &turn(self.board(), *played).board))
            .map(|played| played.to_string())
            .collect()
    }

    /// By Ko.
    fn forbidden_by_history(&self) -> Option<String> {
        let before = self.boards.iter().rev().nth(1);
        let mut all = moves(self.board()).into_iter();
        all.find(|played| breaks_ko(before, &turn(self.board(), *played).board))
            .map(|played| played.to_string())
    }

    fn ending_without_history(&self) -> Option<Ending> {
        let king = self.lost_king()?;
        let shooter = self.to_move().opponent();
        let text = match (shooter, king.color == shooter) {
            (Color::White, false) => "White zaps the King",
            (Color::Black, false) => "Black zaps the King",
            (Color::White, true) => "White zaps its own King",
            (Color::Black, true) => "Black zaps its own King",
        };
        Some(Ending {
            winner: Some(king.color.opponent()),
            text,
        })
    }

    fn phase(&self) -> Phase {
        match self.pawns(Color::White) + self.pawns(Color::Black) {
            0..=5 => Phase::Endgame,
            6..=11 => Phase::Middlegame,
            _ => Phase::Opening,
        }
    }

    fn material(&self, color: Color) -> i32 {
        self.pawns(color) as i32
    }

    fn is_forcing(&self, text: &str) -> bool {
        Move::parse(text).is_some_and(|played| turn(self.board(), played).zapped.is_some())
    }

    fn danger(&self, text: &str) -> Option<&'static str> {
        danger(self.board(), Move::parse(text)?)
    }
}

/// FNV-1a of the position as text (Fowler, Noll and Vo): the same on every machine.
pub(super) fn key(board: &Board) -> u64 {
    write_fen(board)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}
