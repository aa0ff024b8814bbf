//! Positions that engines get wrong, and the rules that judge the answers.

use foundation::Failure;

use referee::game::{self, Game, Opening, Variant};

/// A position, by its start and the moves after it, in which there is a move to make.
#[derive(Clone, Debug)]
pub(super) struct Question {
    variant: &'static dyn Variant,
    opening: Opening,
    text: String,
}

/// Start positions (`startpos` or a FEN) and moves.
pub(super) type Lines = &'static [(&'static str, &'static str)];

const START: &str = "startpos";

const STANDARD: &str = "standard";
const CHESS960: &str = "chess960";

/// Openings, middlegames and endings.
pub(super) const USUAL: Lines = &[
    (START, ""),
    (START, "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4"),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "",
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
        "",
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", ""),
];

/// Where engines have gone wrong: pins, double checks, many moves, few pieces.
pub(super) const TRICKY: Lines = &[
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "",
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "",
    ),
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", ""),
    ("8/8/8/8/8/8/6k1/4K2R w K - 0 1", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 98 120", ""),
    ("1k6/8/8/3Q4/8/8/8/7K w - - 0 1", ""),
    ("8/8/8/8/5K2/2k5/5P2/8 b - - 0 1", ""),
];

/// All legal moves are promotions.
pub(super) const PROMOTIONS: Lines = &[
    ("8/5P1k/8/8/8/1r6/2r5/K7 w - - 0 1", ""),
    ("k7/2R5/1R6/8/8/8/5p1K/8 b - - 0 1", ""),
];

/// The only legal move is an en passant capture.
pub(super) const EN_PASSANT: Lines = &[
    ("8/8/7R/k7/p7/8/1P2B3/1R4K1 w - - 0 1", "b2b4"),
    ("1r4k1/1p2b3/8/P7/K7/7r/8/8 b - - 0 1", "b7b5"),
    ("8/8/7R/k7/pP6/8/4B3/1R4K1 b - b3 0 1", ""),
];

/// An en passant capture was made, or is to be refused because it opens a line to the king.
pub(super) const AFTER_EN_PASSANT: Lines = &[
    ("8/3p4/8/R3P2k/8/8/8/6K1 b - - 0 1", "d7d5 e5d6"),
    ("6k1/8/8/8/r3p2K/8/3P4/8 w - - 0 1", "d2d4 e4d3"),
    ("8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1", "d2d4"),
];

/// The last move is castling, and the rook gives check.
pub(super) const AFTER_CASTLING: Lines = &[
    ("5k2/p7/8/8/8/8/P7/4K2R w K - 0 1", "e1g1"),
    ("3k4/p7/8/8/8/8/P7/R3K3 w Q - 0 1", "e1c1"),
    ("4k2r/p7/8/8/8/8/P7/5K2 b k - 0 1", "e8g8"),
    ("r3k3/p7/8/8/8/8/P7/3K4 b q - 0 1", "e8c8"),
];

/// The same in Chess960, where the king takes the rook.
const AFTER_CHESS960_CASTLING: Lines = &[
    ("5k2/p7/8/8/8/8/P7/4K2R w K - 0 1", "e1h1"),
    ("3k4/p7/8/8/8/8/P7/RK6 w A - 0 1", "b1a1"),
    ("4k2r/p7/8/8/8/8/P7/5K2 b k - 0 1", "e8h8"),
];

/// There is one legal move, or all end a double check.
pub(super) const FEW_MOVES: Lines = &[
    ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", ""),
    ("4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1", ""),
    ("k7/1Q6/8/8/8/8/8/7K b - - 0 1", ""),
];

/// The mover mates at once.
pub(super) const MATE_IN_ONE: Lines = &[
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", ""),
    ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", ""),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", ""),
];

/// Whatever the mover does, it is mated by the next move.
pub(super) const MATED_IN_ONE: Lines = &[
    ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", ""),
    ("r7/8/8/8/8/6k1/8/7K w - - 0 1", ""),
];

/// The mover is a queen up, or down.
pub(super) const QUEEN_UP: Lines = &[
    ("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1", ""),
    ("3qk3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1", ""),
];
pub(super) const QUEEN_DOWN: Lines = &[
    ("4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1", ""),
    ("3qk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", ""),
];

/// Plies of a game that is longer than most.
const LONG: u32 = 300;

impl Question {
    fn new(
        variant: &'static dyn Variant,
        start: Option<&str>,
        moves: &[&str],
    ) -> Result<Self, Failure> {
        let opening = Opening {
            start: start.map(str::to_owned),
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
        };
        let text = variant.start(&opening)?.position().to_owned();
        Ok(Self {
            variant,
            opening,
            text,
        })
    }

    fn of(variant: &str, lines: Lines) -> Result<Vec<Self>, Failure> {
        let variant = game::find(variant)?;
        let question = |(start, moves): &(&str, &str)| {
            let moves: Vec<&str> = moves.split_whitespace().collect();
            Self::new(variant, (*start != START).then_some(*start), &moves)
        };
        lines.iter().map(question).collect()
    }

    /// Positions of standard chess.
    pub(super) fn standard(lines: Lines) -> Result<Vec<Self>, Failure> {
        Self::of(STANDARD, lines)
    }

    pub(super) fn start() -> Result<Self, Failure> {
        Self::new(game::find(STANDARD)?, None, &[])
    }

    /// Start positions, and positions after castling.
    pub(super) fn chess960() -> Result<Vec<Self>, Failure> {
        let variant = game::find(CHESS960)?;
        let starts = variant.embedded_openings()?.openings;
        let start = |index| Self::new(variant, starts.read(index)?.start.as_deref(), &[]);
        let mut questions: Vec<Self> = (0..starts.len())
            .step_by(97)
            .map(start)
            .collect::<Result<_, Failure>>()?;
        questions.extend(Self::of(CHESS960, AFTER_CHESS960_CASTLING)?);
        Ok(questions)
    }

    /// Where White may castle to both sides, and how its moves are written.
    pub(super) fn castling() -> Result<(Self, [&'static str; 2]), Failure> {
        let fen = "4k3/p7/8/8/8/8/P7/R3K2R w KQ - 0 1";
        Ok((
            Self::new(game::find(STANDARD)?, Some(fen), &[])?,
            ["e1g1", "e1c1"],
        ))
    }

    /// The end of a long random game.
    pub(super) fn long_game() -> Result<Self, Failure> {
        let variant = game::find(STANDARD)?;
        let generator = variant
            .generator()
            .ok_or_else(|| Failure::unable(format!("no games are drawn for `{STANDARD}`")))?;
        let draw = |number| {
            let line = generator.draw(1, number, LONG)?;
            let moves: Vec<&str> = line.moves.iter().map(String::as_str).collect();
            // Not one that was drawn on its way.
            Self::new(variant, None, &moves).ok()
        };
        (0..1000)
            .find_map(draw)
            .ok_or_else(|| Failure::unable("no random game is long enough"))
    }

    /// What follows `position `.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The position as a game that can be played on.
    pub(super) fn game(&self) -> Result<Box<dyn Game>, Failure> {
        self.variant.start(&self.opening)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, Position as _};

    use super::*;

    fn position(question: &Question) -> Chess {
        let fen: Fen = question
            .game()
            .expect("a game")
            .current()
            .parse()
            .expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("legal")
    }

    #[test]
    fn positions_are_what_their_names_say() {
        for question in Question::standard(PROMOTIONS).expect("positions") {
            let legal = position(&question).legal_moves();
            assert!(!legal.is_empty() && legal.iter().all(|legal| legal.is_promotion()));
        }
        for question in Question::standard(EN_PASSANT).expect("positions") {
            let legal = position(&question).legal_moves();
            assert!(!legal.is_empty() && legal.iter().all(|legal| legal.is_en_passant()));
        }
        for question in Question::standard(AFTER_CASTLING).expect("positions") {
            assert!(position(&question).is_check(), "{}", question.text());
        }
        for question in Question::standard(FEW_MOVES).expect("positions") {
            assert!(position(&question).legal_moves().len() <= 3);
        }
        let mates = |position: &Chess| {
            position.legal_moves().iter().any(|&legal| {
                let mut after = position.clone();
                after.play_unchecked(legal);
                after.is_checkmate()
            })
        };
        for question in Question::standard(MATE_IN_ONE).expect("positions") {
            assert!(mates(&position(&question)), "{}", question.text());
        }
        for question in Question::standard(MATED_IN_ONE).expect("positions") {
            let position = position(&question);
            for &legal in &position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(legal);
                assert!(mates(&after), "{}", question.text());
            }
        }
    }

    #[test]
    fn all_positions_have_a_move_to_make() {
        for questions in [
            Question::standard(USUAL),
            Question::standard(TRICKY),
            Question::standard(AFTER_EN_PASSANT),
            Question::standard(QUEEN_UP),
            Question::standard(QUEEN_DOWN),
            Question::chess960(),
            Question::castling().map(|(question, _)| vec![question]),
            Question::long_game().map(|question| vec![question]),
        ] {
            let questions = questions.expect("positions");
            assert!(!questions.is_empty());
            assert!(questions.iter().all(|it| it.game().is_ok()));
        }
        let long = Question::long_game().expect("a game");
        assert_eq!(long.opening.moves.len(), LONG as usize);
    }
}
