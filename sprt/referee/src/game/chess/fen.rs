//! Chess positions as text: FEN, its four-field form, X-FEN and Shredder castling letters in;
//! strict FEN out.

use foundation::Failure;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, PositionErrorKinds, fen::Fen};

/// The start position of classical chess.
pub const CLASSICAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Largest move counter that is read; games stop far below, and nothing can overflow.
const COUNTER_LIMIT: u32 = 100_000;

/// Reads a position: four fields at least (placement, side, castling, en passant), counters
/// optional.
pub fn parse_fen(text: &str, mode: CastlingMode) -> Result<Chess, Failure> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    if !(4..=6).contains(&fields.len()) {
        return Err(refusal(
            text,
            &format!("got {} fields, expected 4 to 6", fields.len()),
        ));
    }
    let setup = Fen::from_ascii(fields.join(" ").as_bytes())
        .map_err(|error| refusal(text, &error.to_string().replace(" in fen", "")))?
        .into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() || setup.promoted.any() {
        return Err(refusal(text, "it belongs to another variant of chess"));
    }
    if setup.halfmoves > COUNTER_LIMIT || setup.fullmoves.get() > COUNTER_LIMIT {
        return Err(refusal(text, "a move counter is beyond any game"));
    }
    setup.position(mode).map_err(|error| {
        let failure = refusal(text, &reasons(error.kinds()));
        if error.kinds() == PositionErrorKinds::INVALID_CASTLING_RIGHTS && mode.is_standard() {
            failure.hint("for Chess960 positions, add `--variant chess960`")
        } else {
            failure
        }
    })
}

/// Writes a position as a FEN of six fields; Chess960 gets Shredder castling letters, which no
/// engine misreads.
pub(crate) fn write_fen(position: &Chess, mode: CastlingMode) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    if mode.is_standard() {
        return fen;
    }
    let letters = shredder_letters(position);
    fen.split(' ')
        .enumerate()
        .map(|(index, field)| if index == 2 { &letters } else { field })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Castling rights by the files of their rooks, White's in upper case, from the h-file on: `HAha`.
fn shredder_letters(position: &Chess) -> String {
    let rights = position.castles().castling_rights();
    let letters: String = Color::ALL
        .into_iter()
        .flat_map(|color| {
            (rights & color.backrank())
                .into_iter()
                .rev()
                .map(move |rook| {
                    let letter = rook.file().char();
                    color.fold_wb(letter.to_ascii_uppercase(), letter)
                })
        })
        .collect();
    if letters.is_empty() {
        "-".to_owned()
    } else {
        letters
    }
}

fn refusal(text: &str, why: &str) -> Failure {
    let shown: String = text.chars().take(120).collect();
    Failure::unable(format!(
        "`{}` is no chess position: {why}",
        shown.escape_debug()
    ))
    .hint("expected a FEN: pieces, side to move, castling rights, en passant square, and perhaps both counters")
}

fn reasons(kinds: PositionErrorKinds) -> String {
    [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "a side has more than one king",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "a pawn stands on the first or last rank",
        ),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "castling rights without king and rook in place",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "no pawn can just have passed the en passant square",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side to move could take the king",
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            "no move can have given this check",
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            "a side has more pieces than promotions allow",
        ),
    ]
    .into_iter()
    .filter(|(kind, _)| kinds.contains(*kind))
    .map(|(_, words)| words)
    .collect::<Vec<_>>()
    .join(", ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STANDARD: CastlingMode = CastlingMode::Standard;
    const CHESS960: CastlingMode = CastlingMode::Chess960;

    #[test]
    fn every_accepted_spelling_becomes_one_fen() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w";
        for (castling, tail) in [
            ("KQkq", "-"),
            ("KQkq", "- 0"),
            ("KQkq", "- 0 1"),
            ("HAha", "- 0 1"),
            ("qkQK", "-  0 0"),
        ] {
            let text = format!("  {kiwipete} {castling} {tail}\t");
            let position = parse_fen(&text, STANDARD).expect(&text);
            assert_eq!(
                write_fen(&position, STANDARD),
                format!("{kiwipete} KQkq - 0 1")
            );
            let position = parse_fen(&text, CHESS960).expect(&text);
            assert_eq!(
                write_fen(&position, CHESS960),
                format!("{kiwipete} HAha - 0 1")
            );
        }
    }

    #[test]
    fn inner_rooks_keep_their_castling_rights() {
        let text = "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1";
        let position = parse_fen(text, CHESS960).expect("legal in Chess960");
        assert_eq!(write_fen(&position, CHESS960), text);
    }

    #[test]
    fn en_passant_is_written_only_where_a_capture_is_legal() {
        for (text, written) in [
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            // The capture would open the d-file onto the black king.
            (
                "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
                "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
                "4k3/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
            ),
        ] {
            let position = parse_fen(text, STANDARD).expect(text);
            assert_eq!(write_fen(&position, STANDARD), written);
        }
    }

    #[test]
    fn impossible_positions_are_refused_with_the_reason() {
        for (text, reason) in [
            ("", "got 0 fields, expected 4 to 6"),
            (
                "8/8/8/8/8/8/8/8 w - -",
                "the board is empty, a king is missing",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "got 7 fields"),
            ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "invalid board part"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "invalid turn part"),
            ("4k3/8/8/8/8/8/8/4K3 w - - zero 1", "invalid halfmove clock"),
            (
                "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
                "a pawn stands on the first or last rank",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1",
                "castling rights without king and rook",
            ),
            (
                "4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
                "a side has more than one king",
            ),
            (
                "4k3/8/8/8/8/8/8/4KR2 w - e6 0 1",
                "no pawn can just have passed",
            ),
            (
                "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
                "the side to move could take the king",
            ),
            (
                "QQQQk3/QQQQQQ2/8/8/8/8/8/4K3 b - - 0 1",
                "more pieces than promotions allow",
            ),
            ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "another variant"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 4294967295",
                "a move counter is beyond any game",
            ),
        ] {
            let failure = parse_fen(text, STANDARD).expect_err(text);
            assert!(failure.message().contains(reason), "{failure}");
        }
    }

    #[test]
    fn a_chess960_position_in_standard_chess_gets_a_hint() {
        let failure = parse_fen(
            "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
            STANDARD,
        )
        .expect_err("castling from f1");
        assert!(
            failure
                .next_step()
                .is_some_and(|hint| hint.contains("chess960")),
            "{failure}"
        );
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,80}|[1-8pnbrqkPNBRQK/]{1,71} [wb] [KQkqA-Ha-h-]{1,4} ([a-h][36]|-)( [0-9]{1,12}){0,2}") {
            for mode in [STANDARD, CHESS960] {
                if let Ok(position) = parse_fen(&text, mode) {
                    let written = write_fen(&position, mode);
                    let again = parse_fen(&written, mode).expect("our own FEN is read back");
                    prop_assert_eq!(write_fen(&again, mode), written);
                }
            }
        }
    }
}
