use proptest::prelude::*;
use shakmaty::{Square, san::San};

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
fn lines_that_cannot_be_played_and_mates_that_are_none_are_reported() {
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
        assert_eq!(
            ladder.line_fault(line, 0, mate),
            expected,
            "{line} {mate:?}"
        );
        // The same once its first move is made.
        let mut game = game("7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
        if let Some(first) = line.split(' ').next().filter(|first| !first.is_empty()) {
            game.play(first).expect("a legal move");
            assert_eq!(game.line_fault(line, 1, mate), expected, "{line} {mate:?}");
        }
    }
    let mated = game("6k1/R7/8/8/8/8/8/KR6 b - - 0 1");
    assert_eq!(mated.line_fault("g8f8 b1b8", 0, Some(-1)), None);
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
fn a_position_to_ponder_on_is_that_of_a_game_that_goes_on() {
    let game = after(STANDARD, None, "f2f3 e7e5");
    assert_eq!(
        game.position_after("g2g4").as_deref(),
        Some("startpos moves f2f3 e7e5 g2g4")
    );
    assert_eq!(game.position_after("g2g5"), None);
    assert_eq!(game.position_after("(none)"), None);
    assert_eq!(game.position(), "startpos moves f2f3 e7e5");
    let game = after(STANDARD, None, "f2f3 e7e5 g2g4");
    assert_eq!(game.position_after("d8h4"), None, "a mate ends the game");
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
    assert!(start(None, &["e2e4", "e2e4"]).contains("move 2 of the opening, `e2e4`, is illegal"));
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

/// Plays on like [`play_through`] and holds what is known without a list of the legal moves
/// against that list.
fn compare_with_list(variant: ChessVariant, start: &str, choices: &[u16]) {
    let board = parse_fen(start, variant.0).expect("a legal start");
    let mut game = ChessGame::new(board, variant);
    for choice in choices {
        let legal = game.board.legal_moves();
        assert_eq!(can_move(&game.board), !legal.is_empty());
        let squares = || Square::ALL.into_iter();
        let words = squares().flat_map(|from| squares().map(move |to| format!("{from}{to}")));
        for text in words.flat_map(|word| [format!("{word}q"), format!("{word}k"), word]) {
            let wanted = UciMove::from_ascii(text.as_bytes()).ok();
            let listed = legal
                .iter()
                .find(|one| Some(one.to_uci(variant.0)) == wanted);
            assert_eq!(game.find_legal(&text).as_ref(), listed, "{text}");
        }
        if legal.is_empty() {
            break;
        }
        let chosen = legal[usize::from(*choice) % legal.len()];
        game.play(&chosen.to_uci(variant.0).to_string())
            .expect("a legal move");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn moves_are_found_without_a_list_of_all(choices in prop::collection::vec(any::<u16>(), 0..80)) {
        for start in [fen::CLASSICAL, "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1", "k7/8/1Q6/8/8/8/p7/K7 b - - 0 1"] {
            compare_with_list(STANDARD, start, &choices);
        }
        compare_with_list(CHESS960, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", &choices);
        compare_with_list(CHESS960, "1r1k3r/p7/8/8/8/8/P7/1R1K3R b HBhb - 0 1", &choices);
        compare_with_list(CHESS960, "r3k1r1/8/8/8/8/8/8/R3K1R1 w GAga - 0 1", &choices);
    }
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

#[test]
fn a_person_can_choose_each_legal_move_in_the_words_of_its_variant() {
    const START: &str = "r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1";
    for (variant, castling, other) in [(STANDARD, "e1g1", "e1h1"), (CHESS960, "e1h1", "e1g1")] {
        let game = after(variant, Some(START), "");
        let moves = game.legal_moves();
        assert!(moves.iter().any(|text| text == castling), "{moves:?}");
        assert!(moves.iter().all(|text| text != other), "{moves:?}");
        for text in &moves {
            let mut next = after(variant, Some(START), "");
            assert_eq!(next.play(text), Ok(()), "{text}");
        }
    }
    let mated = after(STANDARD, None, "f2f3 e7e5 g2g4 d8h4");
    assert!(mated.legal_moves().is_empty());
    let picture = mated.picture().expect("chess is drawn");
    assert_eq!(picture.pieces.len(), 32);
    assert_eq!(picture.pieces["h4"], "bQ");
}
