//! Standard chess and Chess960, as the referee judges them.
//!
//! Moves and legality come from `shakmaty`; draws by repetition, by fifty moves and by material are
//! decided here. Moves are in the engines' notation: castling is the king's two-square step in
//! standard chess and king-takes-rook in Chess960, and each variant refuses the other's. Invariant
//! of [`ChessGame`]: `legal` are the moves of `position`, and the last element of `keys` is its
//! key.

use std::path::PathBuf;
use std::sync::Arc;

use foundation::Failure;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, MoveList, Position, san::SanPlus, uci::UciMove,
    zobrist::Zobrist64,
};

use self::fen::{parse_fen, write_fen};
use self::syzygy::Syzygy;
use super::{
    BookFile, Color, Embedded, Ending, Game, Generator, IllegalMove, LineFault, Opening, Openings,
    Record, Tablebase, Variant,
};
use crate::adjudication::{self, DrawRule, ResignRule};
use crate::engine::{Dialect, UCI};

pub mod books;
pub mod epd;
pub mod fen;
pub mod fischer;
pub mod generator;
pub mod packed;
pub mod pgn;
mod polyglot;
mod syzygy;

/// Chess from the usual start position, or from any position with standard castling.
pub static STANDARD: ChessVariant = ChessVariant(CastlingMode::Standard, false);

/// Fischer random chess, also from positions with a different back rank for each side.
pub static CHESS960: ChessVariant = ChessVariant(CastlingMode::Chess960, false);

/// Double Fischer random chess: Chess960 whose built-in start positions have a back rank for each
/// side.
pub static DFRC: ChessVariant = ChessVariant(CastlingMode::Chess960, true);

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
            Self(CastlingMode::Chess960, false) => &["fischerandom"],
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
        adjudication::Rules {
            draw: Some(DrawRule {
                movenumber: 40,
                movecount: 8,
                score: 10,
            }),
            resign: Some(ResignRule {
                movecount: 3,
                score: 400,
                twosided: false,
            }),
            max_moves: None,
        }
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
        pieces: Option<usize>,
    ) -> Result<Arc<dyn Tablebase>, Failure> {
        Ok(Arc::new(Syzygy::open(folders, self.0, pieces)?))
    }

    fn generator(&self) -> Option<&'static dyn Generator> {
        match self.0 {
            CastlingMode::Standard => Some(&generator::RANDOM_LINES),
            CastlingMode::Chess960 => None,
        }
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
struct ChessGame {
    variant: ChessVariant,
    start: Chess,
    moves: Vec<Move>,
    board: Chess,
    legal: MoveList,
    /// Keys of all positions since the start, the present one last.
    keys: Vec<u64>,
    /// What engines are told after `position `.
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
            legal: start.legal_moves(),
            keys: vec![key(&start)],
            board: start.clone(),
            start,
            text,
        }
    }

    /// The legal move that an engine means by `text`; upper case, null moves and drops mean none.
    fn find(&self, text: &str) -> Option<Move> {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let wanted = UciMove::from_ascii(text.as_bytes()).ok()?;
        let mode = self.variant.0;
        self.legal
            .iter()
            .copied()
            .find(|legal| legal.to_uci(mode) == wanted)
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
        self.board.turn().into()
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        let Some(found) = self.find(text) else {
            return Err(IllegalMove(text.to_owned()));
        };
        if self.moves.is_empty() {
            self.text.push_str(" moves");
        }
        self.text.push(' ');
        self.text.push_str(text);
        self.moves.push(found);
        self.board.play_unchecked(found);
        self.legal = self.board.legal_moves();
        self.keys.push(key(&self.board));
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        if self.legal.is_empty() {
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
        if self.board.is_insufficient_material() {
            Some(draw("Draw by insufficient mating material"))
        } else if self.board.halfmoves() >= FIFTY_MOVES {
            Some(draw("Draw by fifty moves rule"))
        } else if self.is_third_repetition() {
            Some(draw("Draw by 3-fold repetition"))
        } else {
            None
        }
    }

    fn position(&self) -> &str {
        &self.text
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

    fn line_fault(&self, line: &str, mate: Option<i32>) -> Option<LineFault> {
        let mut board = self.board.clone();
        let mut plies = 0;
        for text in line.split_ascii_whitespace() {
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
            first_move: (self.start.fullmoves().get(), self.start.turn().into()),
            last_position: write_fen(&board, self.variant.0),
        }
    }
}

impl From<shakmaty::Color> for Color {
    fn from(color: shakmaty::Color) -> Self {
        match color {
            shakmaty::Color::White => Self::White,
            shakmaty::Color::Black => Self::Black,
        }
    }
}

/// Two positions with the same key are the same for repetition: placement, side to move, castling
/// rights, and en passant only where a capture is legal (FIDE Laws 9.2.3).
fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}

fn draw(text: &'static str) -> Ending {
    Ending { winner: None, text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::San;

    use super::*;

    fn after(variant: ChessVariant, start: Option<&str>, moves: &str) -> Box<dyn Game> {
        let mut game = variant
            .start(&Opening {
                start: start.map(str::to_owned),
                moves: Vec::new(),
            })
            .expect("a playable start");
        for text in moves.split_whitespace() {
            game.play(text).expect(text);
        }
        game
    }

    fn ending(start: &str, moves: &str) -> Option<&'static str> {
        after(STANDARD, Some(start), moves)
            .ending()
            .map(|ending| ending.text)
    }

    #[test]
    fn lines_that_cannot_be_played_and_mates_that_are_none_are_told() {
        let game = |fen: &str| {
            let opening = Opening {
                start: Some(fen.to_owned()),
                moves: Vec::new(),
            };
            STANDARD.start(&opening).expect("a game")
        };
        let ladder = game("7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
        for (line, mate, expected) in [
            ("b6b8", Some(1), None),
            ("b6b8", None, None),
            ("", None, None),
            ("b6b1 h8g8", None, None),
            ("b6b8 h8g8", None, Some(LineFault::IllegalMove)),
            ("b6b1 nonsense", None, Some(LineFault::IllegalMove)),
            ("b6b8", Some(2), Some(LineFault::NoMate)),
            ("b6b1 h8g8 b1b8", Some(2), None),
            ("b6b1", Some(1), Some(LineFault::NoMate)),
            ("b6b1 h8g8", Some(-1), Some(LineFault::NoMate)),
            ("", Some(0), None),
            ("a7a8", Some(i32::MIN), Some(LineFault::NoMate)),
        ] {
            assert_eq!(ladder.line_fault(line, mate), expected, "{line} {mate:?}");
        }
        let mated = game("6k1/R7/8/8/8/8/8/KR6 b - - 0 1");
        assert_eq!(mated.line_fault("g8f8 b1b8", Some(-1)), None);
    }

    #[test]
    fn mates_name_the_winner() {
        let game = after(STANDARD, None, "f2f3 e7e5 g2g4 d8h4");
        let expected = Ending {
            winner: Some(Color::Black),
            text: "Black mates",
        };
        assert_eq!(game.ending(), Some(expected));
        let game = after(STANDARD, None, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
        let expected = Ending {
            winner: Some(Color::White),
            text: "White mates",
        };
        assert_eq!(game.ending(), Some(expected));
    }

    #[test]
    fn stalemate_is_a_draw() {
        assert_eq!(
            ending("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7"),
            Some("Draw by stalemate")
        );
    }

    #[test]
    fn the_third_time_draws_and_the_start_counts() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        let game = after(STANDARD, None, there_and_back);
        assert_eq!(game.ending(), None);
        let game = after(STANDARD, None, &there_and_back.repeat(2));
        let expected = Ending {
            winner: None,
            text: "Draw by 3-fold repetition",
        };
        assert_eq!(game.ending(), Some(expected));
    }

    #[test]
    fn opening_moves_count_for_repetition() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].map(str::to_owned);
        let opening = Opening {
            start: None,
            moves: shuffle.to_vec(),
        };
        let mut game = STANDARD.start(&opening).expect("not yet over");
        for text in &shuffle {
            assert_eq!(game.ending(), None);
            game.play(text).expect("legal");
        }
        assert_eq!(
            game.ending().map(|e| e.text),
            Some("Draw by 3-fold repetition")
        );
        let opening = Opening {
            start: None,
            moves: [shuffle.clone(), shuffle].concat(),
        };
        let failure = STANDARD
            .start(&opening)
            .err()
            .expect("over before it begins");
        assert!(
            failure.message().contains("over after 8 moves"),
            "{failure}"
        );
    }

    #[test]
    fn an_en_passant_square_counts_for_repetition_only_where_a_capture_is_legal() {
        let dance = "g1f3 g8f6 f3g1 f6g8 ";
        // After e2e4 no pawn can capture: the first occurrence counts.
        let game = after(
            STANDARD,
            None,
            &format!("e2e4 {}", "g8f6 g1f3 f6g8 f3g1 ".repeat(2)),
        );
        assert_eq!(
            game.ending().map(|e| e.text),
            Some("Draw by 3-fold repetition")
        );
        // After d7d5 the pawn on e5 can: the position without that right comes only the second
        // time.
        let opening = "e2e4 a7a6 e4e5 d7d5 ";
        let game = after(STANDARD, None, &format!("{opening}{}", dance.repeat(2)));
        assert_eq!(game.ending(), None);
        let game = after(STANDARD, None, &format!("{opening}{}", dance.repeat(3)));
        assert_eq!(
            game.ending().map(|e| e.text),
            Some("Draw by 3-fold repetition")
        );
    }

    #[test]
    fn castling_rights_count_for_repetition() {
        // The first two king moves cost White its rights: the start does not come again.
        let start = "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1";
        let dance = "e1f1 e8f8 f1e1 f8e8 ";
        assert_eq!(ending(start, &dance.repeat(2)), None);
        assert_eq!(
            ending(start, &format!("{}e1f1", dance.repeat(2))),
            Some("Draw by 3-fold repetition")
        );
    }

    #[test]
    fn fifty_moves_draw_unless_the_last_one_mates() {
        let text = Some("Draw by fifty moves rule");
        assert_eq!(ending("4k3/8/8/8/8/8/R7/4K3 w - - 98 80", "a2a3"), None);
        assert_eq!(ending("4k3/8/8/8/8/8/R7/4K3 w - - 99 80", "a2a3"), text);
        assert_eq!(
            ending("7k/8/6K1/8/8/8/R7/8 w - - 99 80", "a2a8"),
            Some("White mates")
        );
        assert_eq!(ending("7k/8/6K1/8/8/8/P7/8 w - - 99 80", "a2a3"), None);
    }

    #[test]
    fn material_that_cannot_mate_draws() {
        let text = Some("Draw by insufficient mating material");
        for (placement, expected) in [
            ("4k3/8/8/8/8/8/3p4/4K3", text),
            ("4k3/8/8/8/8/8/3p4/4K2N", text),
            ("4k3/8/8/8/8/8/3p4/4K2B", text),
            ("2b1k3/8/8/8/8/8/3p4/4K2B", text),
            ("2b1k1B1/8/8/7b/8/8/3p4/4K2B", text),
            ("4kb2/8/8/8/8/8/3p4/4K2B", None),
            ("4kn2/8/8/8/8/8/3p4/4K2B", None),
            ("4kn2/8/8/8/8/8/3p4/4K2N", None),
            ("4k3/8/8/8/8/8/3p4/4KN1N", None),
            ("4k3/7p/8/8/8/8/3p4/4K3", None),
            ("4k3/8/8/8/8/8/3p4/4K2R", None),
            ("4k3/8/8/8/8/8/3p4/4K2Q", None),
        ] {
            assert_eq!(
                ending(&format!("{placement} w - - 0 1"), "e1d2"),
                expected,
                "{placement}"
            );
        }
    }

    #[test]
    fn each_variant_takes_its_own_castling_only() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let mut game = after(STANDARD, Some(start), "e1g1");
        assert_eq!(game.play("e8a8"), Err(IllegalMove("e8a8".into())));
        game.play("e8c8").expect("castles");
        let mut game = after(CHESS960, Some(start), "e1h1");
        assert_eq!(game.play("e8c8"), Err(IllegalMove("e8c8".into())));
        game.play("e8a8").expect("castles");
        assert_eq!(
            game.position(),
            "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8"
        );
        assert_eq!(game.record().moves, ["O-O", "O-O-O"]);
        assert_eq!(
            game.record().last_position,
            "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
        );
    }

    #[test]
    fn what_is_no_legal_move_is_refused_and_changes_nothing() {
        let mut game = after(STANDARD, Some("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), "");
        for text in [
            "",
            "0000",
            "(none)",
            "a7a8",
            "a7a8Q",
            "A7A8q",
            "a7a8k",
            "a7a8p",
            "a7a8qq",
            "e1e3",
            "e8e7",
            "P@a1",
            "p@a1",
            "a7a8q ",
            "\u{e9}1e2",
            "e1e1",
            "i9i9",
        ] {
            assert_eq!(game.play(text), Err(IllegalMove(text.to_owned())), "{text}");
        }
        assert_eq!(game.position(), "fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        game.play("a7a8n").expect("an under-promotion");
        assert_eq!(game.record().moves, ["a8=N"]);
    }

    #[test]
    fn a_record_begins_where_the_game_began() {
        let start = "4k3/8/8/8/8/8/4p3/3QK3 b - - 3 40";
        let game = after(STANDARD, Some(start), "e2d1q e1d1");
        assert_eq!(game.full_moves(), 40);
        assert!(game.last_move_is_irreversible());
        let expected = Record {
            start: Some(start.to_owned()),
            moves: vec!["exd1=Q+".into(), "Kxd1".into()],
            first_move: (40, Color::Black),
            last_position: "4k3/8/8/8/8/8/8/3K4 b - - 0 41".into(),
        };
        assert_eq!(game.record(), expected);
    }

    #[test]
    fn the_usual_start_is_called_startpos_in_standard_chess_only() {
        let game = after(STANDARD, Some(fen::CLASSICAL), "e2e4 e7e5");
        assert_eq!(game.position(), "startpos moves e2e4 e7e5");
        assert_eq!((game.record().start, game.full_moves()), (None, 1));
        let game = after(CHESS960, None, "e2e4");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        assert_eq!(game.position(), format!("fen {start} moves e2e4"));
        assert_eq!(game.record().start.as_deref(), Some(start));
    }

    #[test]
    fn an_opening_that_is_no_line_of_play_is_refused() {
        let start = |start: Option<&str>, moves: &[&str]| {
            let opening = Opening {
                start: start.map(str::to_owned),
                moves: moves.iter().map(|text| (*text).to_owned()).collect(),
            };
            STANDARD
                .start(&opening)
                .err()
                .expect("refused")
                .message()
                .to_owned()
        };
        assert!(
            start(None, &["e2e4", "e2e4"]).contains("move 2 of the opening, `e2e4`, is illegal")
        );
        assert!(start(None, &["f2f3", "e7e5", "g2g4", "d8h4"]).contains("Black mates"));
        assert!(start(Some("k7/8/1K6/8/8/8/8/8 w - - 0 1"), &[]).contains("insufficient"));
    }

    /// Plays on with moves that `choices` picks, checking each against the rules of text.
    fn play_through(variant: ChessVariant, start: &str, choices: &[u16]) {
        let mut game = after(variant, Some(start), "");
        let mut mirror = parse_fen(start, variant.0).expect("a legal start");
        let mut spoken = Vec::new();
        for choice in choices {
            if game.ending().is_some() {
                break;
            }
            let legal = mirror.legal_moves();
            let chosen = legal[usize::from(*choice) % legal.len()];
            let text = chosen.to_uci(variant.0).to_string();
            game.play(&text).expect(&text);
            mirror.play_unchecked(chosen);
            spoken.push(text);
        }
        let record = game.record();
        assert_eq!(record.last_position, write_fen(&mirror, variant.0));
        if !spoken.is_empty() {
            assert!(
                game.position()
                    .ends_with(&format!(" moves {}", spoken.join(" ")))
            );
        }
        // Reading the notation back gives the same moves.
        let mut board = parse_fen(start, variant.0).expect("a legal start");
        for (notation, text) in record.moves.iter().zip(&spoken) {
            let san: San = notation
                .trim_end_matches(['+', '#'])
                .parse()
                .expect(notation);
            let read = san.to_move(&board).expect(notation);
            assert_eq!(&read.to_uci(variant.0).to_string(), text);
            board.play_unchecked(read);
        }
        assert_eq!(record.moves.len(), spoken.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn random_games_read_back_from_their_notation(choices in prop::collection::vec(any::<u16>(), 0..200)) {
            play_through(STANDARD, fen::CLASSICAL, &choices);
            play_through(STANDARD, "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1", &choices);
            play_through(CHESS960, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", &choices);
            play_through(CHESS960, "1r1k3r/p7/8/8/8/8/P7/1R1K3R b HBhb - 0 1", &choices);
        }

        #[test]
        fn no_text_makes_the_referee_panic(text in "\\PC{0,8}|[a-h][1-8][a-h][1-8][nbrqNK]?") {
            for variant in [STANDARD, CHESS960] {
                let mut game = after(variant, None, "e2e4");
                let before = game.position().to_owned();
                if game.play(&text).is_err() {
                    prop_assert_eq!(game.position(), before);
                }
            }
        }
    }
}
