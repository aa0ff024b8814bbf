//! A board with what the search maintains incrementally: hash keys and the piece on each square.
//!
//! Moves are those of `cozy-chess`, so castling is the king taking its own rook; [`Position::uci`]
//! and [`Position::parse_move`] convert both UCI notations. Every position is legal, and only
//! legal moves may be played.

use cozy_chess::{
    BitBoard, Board, Color, FenParseError, File, Move, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_rook_moves,
};

use crate::generation::attackers;
use crate::zobrist::{NUMBERS, key_difference, state_key};

#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    /// The piece on each square: the board would have to look through its sets.
    mailbox: [Option<Piece>; 64],
    /// Key for repetitions and the transposition table. The en passant file is part of it only
    /// where a capture is legal.
    key: u64,
    /// The part of it that is not about pieces.
    state_key: u64,
    pawn_key: u64,
    /// By colour: all pieces except pawns.
    piece_keys: [u64; 2],
    reversible_plies: u16,
}

impl Position {
    pub(crate) fn new(board: Board) -> Self {
        let mut position = Self {
            key: state_key(&board),
            state_key: state_key(&board),
            pawn_key: 0,
            piece_keys: [0; 2],
            reversible_plies: u16::from(board.halfmove_clock()),
            mailbox: [None; 64],
            board,
        };
        for (color, piece, square) in pieces(&position.board.clone()) {
            position.toggle(color, piece, square, 1);
        }
        position
    }

    /// Reads a FEN: X-FEN or Shredder castling, clocks optional.
    pub fn from_fen(fen: &str) -> Result<Self, String> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        if !(2..=6).contains(&fields.len()) {
            return Err(format!(
                "expected a FEN of two to six fields, got {}",
                fields.len()
            ));
        }
        // The library takes missing ranks for empty ones.
        let width = |rank: &str| -> u32 {
            let letters = rank.chars();
            letters.map(|letter| letter.to_digit(10).unwrap_or(1)).sum()
        };
        if fields[0].split('/').map(width).ne([8; 8]) {
            return Err("expected eight ranks of eight squares".to_owned());
        }
        let field = |index: usize, default| fields.get(index).copied().unwrap_or(default);
        let castling = file_castling(fields[0], field(2, "-"));
        let halfmoves = field(4, "0")
            .parse::<u32>()
            .map_err(|_| "the half-move clock is not a number")?;
        let fullmoves = field(5, "1")
            .parse::<u32>()
            .map_err(|_| "the move number is not a number")?;
        let strict = |en_passant| {
            let (halfmoves, fullmoves) = (halfmoves.min(100), fullmoves.clamp(1, 65_535));
            let text = format!(
                "{} {} {castling} {en_passant} {halfmoves} {fullmoves}",
                fields[0], fields[1]
            );
            Board::from_fen(&text, true)
        };
        // Some programs give an en passant square after every double step, or a wrong one.
        let board = strict(field(3, "-"))
            .or_else(|error| strict("-").map_err(|_| error))
            .map_err(|error| match error {
                FenParseError::InvalidBoard => board_fault(fields[0], fields[1]),
                error => error.to_string(),
            })?;
        // The library does not see that a king attacks the other.
        if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
            return Err("the kings stand next to each other".to_owned());
        }
        Ok(Self::new(board))
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn key(&self) -> u64 {
        self.key
    }

    pub(crate) fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    pub(crate) fn piece_key(&self, color: Color) -> u64 {
        self.piece_keys[color as usize]
    }

    pub(crate) fn side(&self) -> Color {
        self.board.side_to_move()
    }

    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    pub fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        moves
    }

    /// Whether the side to move has a piece besides king and pawns, so that zugzwang is unlikely.
    pub(crate) fn has_pieces(&self) -> bool {
        let ours = self.board.colors(self.side());
        let quiet = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        !(ours & !quiet).is_empty()
    }

    /// All pieces with their squares.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Color, Piece, Square)> {
        pieces(&self.board)
    }

    pub(crate) fn moved_piece(&self, mv: Move) -> Piece {
        // A legal move always starts on a piece; the fallback is never used.
        self.mailbox[mv.from as usize].unwrap_or(Piece::Pawn)
    }

    /// The captured piece, also en passant. Castling captures nothing.
    pub(crate) fn captured(&self, mv: Move) -> Option<Piece> {
        if self.board.colors(!self.side()).has(mv.to) {
            return self.mailbox[mv.to as usize];
        }
        // A pawn that changes its file onto an empty square captures en passant.
        let en_passant = mv.from.file() != mv.to.file() && self.moved_piece(mv) == Piece::Pawn;
        en_passant.then_some(Piece::Pawn)
    }

    /// A capture or a promotion.
    pub(crate) fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion.is_some() || self.captured(mv).is_some()
    }

    pub(crate) fn is_castling(&self, mv: Move) -> bool {
        self.board.colors(self.side()).has(mv.to)
    }

    /// The key after the move, unless it changes castling rights or is otherwise special: good
    /// enough for a prefetch before the move is made.
    #[inline]
    pub(crate) fn likely_key_after(&self, mv: Move) -> u64 {
        let us = self.side();
        let key = self.key ^ key_difference(us, self.moved_piece(mv), mv.from, mv.to);
        match self.mailbox[mv.to as usize] {
            Some(victim) => key ^ NUMBERS.pieces[!us as usize][victim as usize][mv.to as usize],
            None => key,
        }
    }

    /// The same for a null move.
    pub(crate) fn likely_key_after_null_move(&self) -> u64 {
        self.key ^ NUMBERS.black_to_move
    }

    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        let mut next = self.clone();
        self.changes(mv, |color, piece, square, sign| {
            next.toggle(color, piece, square, sign);
        });
        next.board.play_unchecked(mv);
        next.state_key = state_key(&next.board);
        next.key ^= self.state_key ^ next.state_key;
        next.reversible_plies = match next.board.halfmove_clock() {
            0 => 0,
            _ => self.reversible_plies + 1,
        };
        next
    }

    /// Calls `change` with each piece that the move removes from the board (-1), then with each
    /// that it puts there (1): in Chess960 a castling king may go where its rook was.
    #[inline]
    pub(crate) fn changes(&self, mv: Move, mut change: impl FnMut(Color, Piece, Square, i32)) {
        let us = self.side();
        let piece = self.moved_piece(mv);
        if self.is_castling(mv) {
            let rank = Rank::First.relative_to(us);
            let (king, rook) = if mv.from < mv.to {
                (File::G, File::F)
            } else {
                (File::C, File::D)
            };
            change(us, Piece::King, mv.from, -1);
            change(us, Piece::Rook, mv.to, -1);
            change(us, Piece::King, Square::new(king, rank), 1);
            change(us, Piece::Rook, Square::new(rook, rank), 1);
        } else {
            if let Some(victim) = self.captured(mv) {
                let en_passant = victim == Piece::Pawn && !self.board.occupied().has(mv.to);
                let square = if en_passant {
                    Square::new(mv.to.file(), mv.from.rank())
                } else {
                    mv.to
                };
                change(!us, victim, square, -1);
            }
            change(us, piece, mv.from, -1);
            change(us, mv.promotion.unwrap_or(piece), mv.to, 1);
        }
    }

    /// The squares that the opponent attacks.
    pub(crate) fn threats(&self) -> BitBoard {
        let (board, them) = (&self.board, !self.side());
        let occupied = board.occupied();
        let pieces = |piece| board.colored_pieces(them, piece);
        let queens = pieces(Piece::Queen);
        let mut threats = attackers(self.side(), pieces(Piece::Pawn));
        threats |= get_king_moves(board.king(them));
        for square in pieces(Piece::Knight) {
            threats |= get_knight_moves(square);
        }
        for square in pieces(Piece::Bishop) | queens {
            threats |= get_bishop_moves(square, occupied);
        }
        for square in pieces(Piece::Rook) | queens {
            threats |= get_rook_moves(square, occupied);
        }
        threats
    }

    /// The squares that the opponent attacks by something that is worth less than a minor piece, less
    /// than a rook, less than a queen.
    pub(crate) fn lesser_threats(&self) -> [BitBoard; 3] {
        let (board, them) = (&self.board, !self.side());
        let occupied = board.occupied();
        let pieces = |piece| board.colored_pieces(them, piece);
        let by_pawns = attackers(self.side(), pieces(Piece::Pawn));
        let mut by_minors = by_pawns;
        for square in pieces(Piece::Knight) {
            by_minors |= get_knight_moves(square);
        }
        for square in pieces(Piece::Bishop) {
            by_minors |= get_bishop_moves(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in pieces(Piece::Rook) {
            by_rooks |= get_rook_moves(square, occupied);
        }
        [by_pawns, by_minors, by_rooks]
    }

    /// Whether a piece of the side to move is attacked by a lesser one.
    pub(crate) fn has_piece_under_lesser_threat(&self) -> bool {
        let pieces = |piece| self.board.colored_pieces(self.side(), piece);
        let [by_pawns, by_minors, by_rooks] = self.lesser_threats();
        let minors = pieces(Piece::Knight) | pieces(Piece::Bishop);
        let threatened = (minors & by_pawns)
            | (pieces(Piece::Rook) & by_minors)
            | (pieces(Piece::Queen) & by_rooks);
        !threatened.is_empty()
    }

    /// Plies since the last capture, pawn move or null move. No position from before can come again:
    /// a null move is not a move of the game.
    pub(crate) fn reversible_plies(&self) -> usize {
        usize::from(self.reversible_plies)
    }

    /// The position after a null move; none when in check.
    pub(crate) fn null_move(&self) -> Option<Self> {
        let board = self.board.null_move()?;
        let state_key = state_key(&board);
        Some(Self {
            key: self.key ^ self.state_key ^ state_key,
            state_key,
            board,
            reversible_plies: 0,
            ..self.clone()
        })
    }

    fn toggle(&mut self, color: Color, piece: Piece, square: Square, sign: i32) {
        let key = NUMBERS.pieces[color as usize][piece as usize][square as usize];
        self.key ^= key;
        if piece == Piece::Pawn {
            self.pawn_key ^= key;
        } else {
            self.piece_keys[color as usize] ^= key;
        }
        self.mailbox[square as usize] = (sign > 0).then_some(piece);
    }

    pub(crate) fn has_bare_king(&self) -> bool {
        let is_bare = |color| self.board.colors(color).len() == 1;
        Color::ALL.into_iter().any(is_bare)
    }

    /// Dead positions: bare kings, a single minor piece, or only bishops on squares of one colour.
    pub(crate) fn is_insufficient(&self) -> bool {
        let board = &self.board;
        let heavy =
            board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let bishops = board.pieces(Piece::Bishop);
        let knights = board.pieces(Piece::Knight);
        (bishops | knights).len() <= 1
            || knights.is_empty()
                && (bishops.is_subset(BitBoard::DARK_SQUARES)
                    || bishops.is_subset(BitBoard::LIGHT_SQUARES))
    }

    /// The move in UCI notation: castling is a king move in standard chess, king takes rook in
    /// Chess960.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        self.notated(mv, chess960).to_string()
    }

    /// The legal move named by the text; castling in either notation.
    pub fn parse_move(&self, text: &str, chess960: bool) -> Option<Move> {
        let wanted: Move = text.parse().ok()?;
        // The library reads capital letters and longer texts, too.
        if wanted.to_string() != text {
            return None;
        }
        let moves = self.moves();
        let named = |chess960| {
            moves
                .iter()
                .copied()
                .find(|&mv| self.notated(mv, chess960) == wanted)
        };
        named(chess960).or_else(|| named(!chess960))
    }

    /// The move with the squares that its notation names.
    fn notated(&self, mv: Move, chess960: bool) -> Move {
        // From elsewhere than in standard chess, a king's move to the same square may be another one.
        let is_standard = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
        if !self.is_castling(mv) || chess960 || !is_standard {
            return mv;
        }
        let file = if mv.from < mv.to { File::G } else { File::C };
        let to = Square::new(file, mv.from.rank());
        Move { to, ..mv }
    }
}

fn pieces(board: &Board) -> impl Iterator<Item = (Color, Piece, Square)> {
    Color::ALL.into_iter().flat_map(move |color| {
        Piece::ALL.into_iter().flat_map(move |piece| {
            let squares = board.colored_pieces(color, piece);
            squares
                .into_iter()
                .map(move |square| (color, piece, square))
        })
    })
}

/// What is wrong with a board that the FEN parser refuses.
fn board_fault(placement: &str, side: &str) -> String {
    if let Some(letter) = placement
        .chars()
        .find(|it| !"pnbrqkPNBRQK12345678/".contains(*it))
    {
        return format!("expected pieces such as 'n' or 'N', got '{letter}'");
    }
    let count = |letters: &str| placement.chars().filter(|it| letters.contains(*it)).count();
    let (white, black) = (count("K"), count("k"));
    if (white, black) != (1, 1) {
        return format!(
            "expected one king of each side, got {white} of White and {black} of Black"
        );
    }
    let mut ranks = placement.split('/');
    let ends = [ranks.next(), ranks.next_back()];
    if ends.iter().flatten().any(|rank| rank.contains(['p', 'P'])) {
        return "a pawn stands on the first or last rank".to_owned();
    }
    if count("P").max(count("p")) > 8 || count("PNBRQK").max(count("pnbrqk")) > 16 {
        return "a side has more than 8 pawns or 16 pieces".to_owned();
    }
    let (own, other) = if side == "w" {
        ("White", "b")
    } else {
        ("Black", "w")
    };
    if Board::from_fen(&format!("{placement} {other} - - 0 1"), true).is_ok() {
        return format!("{own} is to move and could take the king");
    }
    "no game leads to so many checks".to_owned()
}

/// Rewrites `KQkq` castling rights as the files of the outermost rooks, which covers Chess960 too.
/// Anything else is left for the FEN parser to refuse.
fn file_castling(placement: &str, rights: &str) -> String {
    let ranks: Vec<&str> = placement.split('/').collect();
    let pieces_on = |rank: &str| {
        let mut pieces = Vec::new();
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(empty) => pieces.extend((0..empty).map(|_| ' ')),
                None => pieces.push(letter),
            }
        }
        pieces
    };
    let rook_file = |right: char| -> Option<char> {
        let white = right.is_ascii_uppercase();
        let rank = pieces_on(if white { ranks.last()? } else { ranks.first()? });
        let (king, rook) = if white { ('K', 'R') } else { ('k', 'r') };
        let king = rank.iter().position(|&piece| piece == king)?;
        let rooks = rank.iter().enumerate().filter(|&(_, &piece)| piece == rook);
        let file = match right.to_ascii_lowercase() {
            'k' => rooks
                .map(|(file, _)| file)
                .filter(|&file| file > king)
                .max()?,
            'q' => rooks.map(|(file, _)| file).find(|&file| file < king)?,
            _ => return None,
        };
        let letter = char::from(b'a' + u8::try_from(file).ok()?);
        Some(if white {
            letter.to_ascii_uppercase()
        } else {
            letter
        })
    };
    rights
        .chars()
        .map(|right| rook_file(right).unwrap_or(right))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incremental_keys_and_mailbox_match_recomputed_ones() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        ];
        for fen in fens {
            let root = Position::from_fen(fen).unwrap();
            for mv in root.moves() {
                let child = root.play(mv);
                for reply in child.moves() {
                    let kept = child.play(reply);
                    let fresh = Position::new(kept.board().clone());
                    assert_eq!(kept.key, fresh.key);
                    assert_eq!(kept.pawn_key, fresh.pawn_key);
                    assert_eq!(kept.piece_keys, fresh.piece_keys);
                    assert_eq!(kept.mailbox, fresh.mailbox);
                    for square in Square::ALL {
                        assert_eq!(kept.mailbox[square as usize], kept.board.piece_on(square));
                    }
                }
            }
        }
    }

    #[test]
    fn en_passant_counts_in_the_key_only_where_it_can_be_taken() {
        let after = |fen: &str, mv: &str| {
            let position = Position::from_fen(fen).unwrap();
            position.play(position.parse_move(mv, false).unwrap())
        };
        let plain = after("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4");
        let same = Position::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").unwrap();
        assert_eq!(plain.key(), same.key());
        let taken = after("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4");
        let other = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1").unwrap();
        assert_ne!(taken.key(), other.key());
    }

    #[test]
    fn castling_is_read_and_printed_in_both_notations() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let short = position.parse_move("e1g1", false).unwrap();
        assert_eq!(position.parse_move("e1h1", false), Some(short));
        assert_eq!(position.uci(short, false), "e1g1");
        assert_eq!(position.uci(short, true), "e1h1");
        // Both lead to g1, so castling has to name the rook.
        let elsewhere = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        let [step, castles] =
            ["f1g1", "f1h1"].map(|text| elsewhere.parse_move(text, false).unwrap());
        assert!(elsewhere.is_castling(castles) && !elsewhere.is_castling(step));
        assert_eq!(
            [step, castles].map(|mv| elsewhere.uci(mv, false)),
            ["f1g1", "f1h1"]
        );
        let promotion = Position::from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(promotion.parse_move("a7a8q", false).is_some());
        for text in [
            "",
            "e1",
            "a7a8",
            "a7a8k",
            "a7a8Q",
            "a7a8qq",
            "A7A8q",
            "e1e3",
            "e1\u{e9}2",
        ] {
            assert_eq!(promotion.parse_move(text, false), None, "{text}");
        }
    }

    #[test]
    fn fens_are_read_leniently_where_the_meaning_is_clear() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 150 0",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().moves().len(), 20, "{fen}");
        }
        let chess960 = "1rk3r1/8/8/6p1/6P1/8/8/1RK3R1 w KQkq - 0 1";
        let position = Position::from_fen(chess960).unwrap();
        assert!(position.parse_move("c1g1", true).is_some());
        for fen in [
            "",
            "8/8",
            "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR x - - 0 1",
            "k7/8/8/8/8/8/8/8 w - - 0 1",
            "8/8/8/3kK3/8/8/8/8 w - - 0 1",
        ] {
            assert!(Position::from_fen(fen).is_err(), "{fen}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_board_is_told() {
        for (board, told) in [
            ("8/8/8/8/8/8/8/8 w", "got 0 of White and 0 of Black"),
            ("k7/8/8/8/8/8/8/KK6 w", "got 2 of White and 1 of Black"),
            (
                "8/8/8/8/8/8/7k/K6R w",
                "White is to move and could take the king",
            ),
            (
                "8/8/8/8/8/8/7K/k6r b",
                "Black is to move and could take the king",
            ),
            (
                "k6P/8/8/8/8/8/8/K7 w",
                "a pawn stands on the first or last rank",
            ),
            ("k7/pppppppp/p7/8/8/8/8/K7 w", "more than 8 pawns"),
            ("k7/8/8/8/8/8/8/K6 w", "eight ranks of eight squares"),
            ("k7/8/8/8/8/8/K7 w", "eight ranks of eight squares"),
            ("k7/8/8/8/8/8/8/K6X w", "got 'X'"),
            ("k6R/8/8/8/8/8/8/K6r w", "so many checks"),
            ("k7/8/8/8/8/8/8/K7 x", "The side to move is invalid"),
        ] {
            let error = Position::from_fen(&format!("{board} - - 0 1")).unwrap_err();
            assert!(error.contains(told), "{board}: {error}");
        }
    }

    #[test]
    fn insufficient_material() {
        let is_dead = |fen: &str| Position::from_fen(fen).unwrap().is_insufficient();
        assert!(is_dead("8/8/4k3/8/8/3K4/8/8 w - - 0 1"));
        assert!(is_dead("8/8/4k3/8/8/3KN3/8/8 w - - 0 1"));
        assert!(
            is_dead("8/8/4kb2/8/8/3K4/3B4/8 w - - 0 1"),
            "bishops on dark squares"
        );
        assert!(!is_dead("8/8/4kb2/8/8/3KB3/8/5B2 w - - 0 1"));
        assert!(!is_dead("8/8/4kn2/8/8/3KB3/8/8 w - - 0 1"));
        assert!(!is_dead("8/8/4k3/8/8/3KP3/8/8 w - - 0 1"));
    }
}
