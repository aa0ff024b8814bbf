//! What is written of whole games, and of games that engines spoiled.

use proptest::prelude::*;

use std::sync::LazyLock;

use super::*;
use crate::plan::Field;
use engine_client::{EngineScore, Info};
use referee::game::chess::fen::parse_fen;
use referee::game::chess::pgn::parse_game;
use referee::game::chess::{CHESS960, ChessVariant, STANDARD};
use referee::game::{Game, Variant};
use referee::openings::Opening;
use shakmaty::{CastlingMode, Position};

const PLAYER: Player<'static> = Player {
    name: "new",
    engine_name: "Whetstone 0.1",
    engine_author: "us",
    time_control: "8+0.08",
    tags: &[],
};

fn usual() -> &'static RecordStyle {
    static USUAL: LazyLock<RecordStyle> = LazyLock::new(RecordStyle::default);
    &USUAL
}

fn game(record: &Record) -> GameText<'_> {
    GameText {
        is_over: true,
        event: "sprt",
        site: "?",
        style: usual(),
        round: 7,
        white: PLAYER,
        black: Player {
            name: "base",
            engine_author: "",
            ..PLAYER
        },
        winner: Some(Color::White),
        reason: "White mates",
        end: EndKind::Rules,
        variant: None,
        record,
        book_moves: 0,
        moves: &[],
        date: "2026.11.20",
        start_time: "2026-11-20T17:25:10 +0000",
        end_time: "2026-11-20T17:25:21 +0000",
        duration: Duration::from_secs(3671),
    }
}

fn record(moves: &str) -> Record {
    Record {
        start: None,
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        first_move: (1, Color::White),
        last_position: String::new(),
    }
}

fn silent() -> PlayedMove {
    PlayedMove {
        text: String::new(),
        mover: Color::White,
        info: Info::default(),
        time: Duration::ZERO,
        left: None,
        line: None,
        line_fault: None,
        is_ponder_hit: false,
        lines: Vec::new(),
    }
}

fn note(score: EngineScore) -> PlayedMove {
    PlayedMove {
        info: Info {
            score: Some(score),
            depth: Some(12),
            selective_depth: Some(19),
            nodes: Some(48213),
            ..Info::default()
        },
        time: Duration::from_micros(84_400),
        ..silent()
    }
}

#[test]
fn a_whole_game_is_written_as_match_runners_write_it() {
    let record = record("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#");
    let notes = [
        note(EngineScore::Cp(31)),
        silent(),
        note(EngineScore::Mate(1)),
    ];
    let text = write(&GameText {
        book_moves: 4,
        moves: &notes,
        ..game(&record)
    });
    assert_eq!(
        text,
        r#"[Event "sprt"]
[Site "?"]
[Date "2026.11.20"]
[Round "7"]
[White "new"]
[Black "base"]
[Result "1-0"]
[EngineWhiteName "Whetstone 0.1"]
[EngineWhiteAuthor "us"]
[EngineBlackName "Whetstone 0.1"]
[GameDuration "01:01:11"]
[GameStartTime "2026-11-20T17:25:10 +0000"]
[GameEndTime "2026-11-20T17:25:21 +0000"]
[PlyCount "7"]
[Termination "normal"]
[TimeControl "8+0.08"]

1. e4 {book} e5 {book} 2. Qh5 {book} Nc6 {book} 3. Bc4 {+0.31/12 0.084s,
n=48213, sd=19} Nf6 {/0 0.000s} 4. Qxf7# {+M1/12 0.084s, n=48213, sd=19, White
mates} 1-0

"#
    );
}

#[test]
fn comments_of_the_autotester_are_three_numbers_on_one_line() {
    let record = record(&"g4g5 e6e7 ".repeat(10));
    let style = RecordStyle {
        comments: Comments::Autotester,
        ..RecordStyle::default()
    };
    let notes = vec![note(EngineScore::Cp(31)); 18];
    let played = |end| GameText {
        style: &style,
        book_moves: 2,
        moves: &notes,
        reason: "White loses on time, as a clock says",
        end,
        ..game(&record)
    };
    let text = write(&played(EndKind::Rules));
    let moves = text.split("\n\n").nth(1).expect("moves");
    assert!(
        moves.starts_with("1. g4g5 {0 0 0} e6e7 {0 0 0} 2. g4g5 {84400000 12 48213}"),
        "{moves}"
    );
    let is_whole = |line: &str| line.matches('{').count() == line.matches('}').count();
    assert!(
        moves.lines().count() > 5 && moves.lines().all(is_whole),
        "{moves}"
    );
    assert!(moves.ends_with("{84400000 12 48213} 1-0"), "{moves}");
    let lost = write(&played(EndKind::TimeLoss));
    assert!(
        lost.ends_with("\n{White loses on time, as a clock says} 1-0\n\n"),
        "{lost}"
    );
}

#[test]
fn a_start_with_black_to_move_has_its_number_and_position() {
    let start = "4k3/8/8/8/8/8/4p3/3QK3 b - - 3 40";
    let record = Record {
        start: Some(start.to_owned()),
        moves: vec!["exd1=Q+".to_owned(), "Kxd1".to_owned()],
        first_move: (40, Color::Black),
        last_position: String::new(),
    };
    let reason = "Draw by insufficient mating material";
    let text = write(&GameText {
        winner: None,
        reason,
        variant: Some("Chess960"),
        ..game(&record)
    });
    assert!(text.contains(
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/3QK3 b - - 3 40\"]\n[Variant \"Chess960\"]\n"
    ));
    assert!(
        text.ends_with(
            "\n\n40... exd1=Q+ 41. Kxd1 {Draw by insufficient mating material} 1/2-1/2\n\n"
        ),
        "{text}"
    );
}

#[test]
fn a_game_without_a_move_is_its_reason() {
    let record = record("");
    let reason = "White makes an illegal move: e1}\ne9{";
    let text = write(&GameText {
        winner: Some(Color::Black),
        reason,
        end: EndKind::IllegalMove,
        ..game(&record)
    });
    assert!(text.contains("[Termination \"illegal move\"]"));
    assert!(
        text.ends_with("\n\n{White makes an illegal move: e1) e9(} 0-1\n\n"),
        "{text}"
    );
}

#[test]
fn lines_of_an_engine_are_kept_without_what_a_reader_would_take_for_something_else() {
    let record = record("e4");
    let mut played = note(EngineScore::Cp(0));
    played.lines = vec!["info string pgncomment \"a\" {b} 1-0-1 * 1/2-1/2".to_owned()];
    let text = write(&GameText {
        moves: &[played],
        ..game(&record)
    });
    let (_, moves) = text.split_once("\n\n").expect("a blank line");
    let moves = moves.replace('\n', " ");
    let expected =
        "sd=19, line=\"info string pgncomment 'a' (b) 1_0_1 x 1/2_1/2\", White mates} 1-0";
    assert!(moves.contains(expected), "{moves}");
}

#[test]
fn different_clocks_have_a_tag_each() {
    let record = record("e4");
    let white = Player {
        time_control: "40/10+0.1",
        ..PLAYER
    };
    let text = write(&GameText {
        white,
        ..game(&record)
    });
    assert!(text.contains("[WhiteTimeControl \"40/10+0.1\"]\n[BlackTimeControl \"8+0.08\"]\n\n"));
}

#[test]
fn no_line_of_moves_begins_as_an_escape_or_a_tag() {
    let record = record("e4");
    for width in 40..80 {
        let reason = format!("{} %eval [%clk 1] x", "y".repeat(width));
        let text = write(&GameText {
            reason: &reason,
            ..game(&record)
        });
        let (_, moves) = text.split_once("\n\n").expect("a blank line");
        assert!(
            !moves.lines().any(|line| line.starts_with(['%', '['])),
            "{moves}"
        );
    }
}

/// Plays a random game, writes it, reads it back with another program's reader, and compares.
fn there_and_back(variant: ChessVariant, start: &str, choices: &[u16], name: &str) {
    let mode = ChessVariant::castling_mode(variant.name()).expect("chess");
    let opening = Opening {
        start: Some(start.to_owned()),
        moves: Vec::new(),
    };
    let mut referee: Box<dyn Game> = variant.start(&opening).expect("playable");
    let mut mirror = parse_fen(start, mode).expect("legal");
    let mut notes = Vec::new();
    let mut spoken = Vec::new();
    for choice in choices {
        if referee.ending().is_some() {
            break;
        }
        let legal = mirror.legal_moves();
        let chosen = legal[usize::from(*choice) % legal.len()];
        spoken.push(chosen.to_uci(mode).to_string());
        referee.play(&spoken[spoken.len() - 1]).expect("legal");
        mirror.play_unchecked(chosen);
        notes.push(note(EngineScore::Cp(i32::from(*choice) - 32_000)));
    }
    let record = referee.record();
    let white = Player {
        name,
        engine_name: name,
        ..PLAYER
    };
    let reason = format!("White disconnects: {name}");
    let text = write(&GameText {
        white,
        moves: &notes,
        reason: &reason,
        ..game(&record)
    });
    let (tags, moves) = text
        .split_once("\n\n")
        .expect("a blank line after the tags");
    assert!(
        tags.lines()
            .all(|line| line.starts_with('[') && line.ends_with("\"]")),
        "{tags}"
    );
    assert!(moves.ends_with("\n\n") && !moves.trim_end().contains("\n\n"));
    assert!(
        moves
            .lines()
            .all(|line| line.chars().count() <= COLUMNS || !line.contains(' ')),
        "{moves}"
    );
    let read = parse_game(text.as_bytes(), mode, None).expect("legal");
    assert_eq!(read.start, record.start);
    assert_eq!(read.moves, spoken);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn games_are_read_back_whatever_engines_are_called(
        choices in prop::collection::vec(any::<u16>(), 0..160),
        name in "[ -~\\n\\t\u{e9}]{0,24}",
    ) {
        let classical = referee::game::chess::fen::CLASSICAL;
        there_and_back(STANDARD, classical, &choices, &name);
        there_and_back(STANDARD, "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1", &choices, &name);
        let start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1";
        there_and_back(CHESS960, start, &choices, &name);
    }
}

#[test]
fn castling_mode_of_a_variant_is_known_by_its_name() {
    assert_eq!(
        ChessVariant::castling_mode("chess960"),
        Some(CastlingMode::Chess960)
    );
    assert_eq!(ChessVariant::castling_mode("leiserchess"), None);
}

#[test]
fn what_is_reported_of_a_move_is_what_was_asked_for() {
    let style = RecordStyle {
        fields: vec![
            Field::Nps,
            Field::Hashfull,
            Field::Tbhits,
            Field::Timeleft,
            Field::Latency,
            Field::Pv,
        ],
        ..RecordStyle::default()
    };
    let mut played = note(EngineScore::Cp(31));
    played.info.nps = Some(1_200_000);
    played.info.hashfull = Some(7);
    played.info.reported_ms = Some(80);
    played.left = Some(Duration::from_millis(7210));
    played.line = Some("e2e4 e7e5 {\"".to_owned());
    assert_eq!(
        note_words(&style, &played),
        "+0.31/12 0.084s, n=48213, sd=19, nps=1200000, hashfull=7, timeleft=7.210s, \
         latency=0.004s, pv=\"e2e4 e7e5 ('\""
    );
    assert_eq!(note_words(&style, &silent()), "/0 0.000s");
}
