use proptest::prelude::*;
use serde::Deserialize;

use super::{LEISERCHESS, LEISERCHESS_STAFF};
use crate::game::leiserchess::fen::{OPENING, parse_fen};
use crate::game::leiserchess::moves::{moves, turn};
use crate::game::leiserchess::vectors::section;
use crate::game::{Game, LineFault, Opening, Variant, find};
use engine_client::Color;

fn game_from(start: Option<&str>, moves: &[String]) -> Box<dyn Game> {
    let opening = Opening {
        start: start.map(str::to_owned),
        moves: moves.to_vec(),
    };
    LEISERCHESS.start(&opening).expect("a game in progress")
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[derive(Deserialize)]
struct SampleGame {
    moves: Vec<String>,
}

#[test]
fn the_sample_game_is_replayed_to_its_end() {
    let sample: SampleGame = section("game");
    let mut game = game_from(None, &[]);
    let mut zaps = Vec::new();
    for (ply, text) in (0..).zip(&sample.moves) {
        assert_eq!(game.ending(), None, "before ply {ply}");
        game.play(text).expect(text);
        if game.last_move_is_irreversible() {
            zaps.push(ply / 2 + 1);
        }
    }
    assert_eq!(zaps, [27, 28, 28, 29, 30, 31, 38, 39, 50]);
    let ending = game.ending().expect("the last move zaps the King");
    assert_eq!(
        (ending.winner, ending.text),
        (Some(Color::Black), "Black zaps the King")
    );
    let record = game.record();
    assert_eq!(record.last_position, "ssne6/8/3SW1SW2/8/ne6sw/8/2NE5/8 W");
    assert_eq!((record.moves, record.start), (sample.moves, None));
    assert!(game.play("c1R").is_err(), "the game is over");
}

#[derive(Deserialize)]
struct Shot {
    fen: String,
    #[serde(rename = "move")]
    played: String,
    victim: String,
    after: String,
}

#[test]
fn full_moves_end_with_those_of_black_whoever_begins() {
    for (side, expected) in [("W", [0, 0, 1]), ("B", [0, 1, 1])] {
        let fen = format!("{} {side}", OPENING.trim_end_matches(" W"));
        let mut game = game_from(Some(&fen), &[]);
        let mut counts = vec![game.full_moves()];
        for _ in 0..2 {
            let text = game.legal_moves().swap_remove(0);
            game.play(&text).expect(&text);
            counts.push(game.full_moves());
        }
        assert_eq!(counts, expected, "{fen}");
    }
}

#[test]
fn the_laser_hits_what_the_diagrams_say() {
    for shot in section::<Vec<Shot>>("laser") {
        let mut game = game_from(Some(&shot.fen), &[]);
        game.play(&shot.played).expect(&shot.played);
        assert_eq!(game.current(), shot.after);
        assert!(game.last_move_is_irreversible());
        let lost = match shot.victim.as_str() {
            "Tangerine King" => Some(Color::White),
            "Lavender King" => Some(Color::Black),
            _ => None,
        };
        let winner = game.ending().and_then(|ending| ending.winner);
        assert_eq!(winner, lost.map(Color::opponent), "{}", shot.played);
    }
    let suicide = "ssse6/8/5se1sw/2nw5/5NESW1/2NE5/8/6NWNN W";
    let mut game = game_from(Some(suicide), &[]);
    game.play("g0R").expect("legal");
    let text = game.ending().map(|ending| ending.text);
    assert_eq!(text, Some("White zaps its own King"));
}

#[derive(Deserialize)]
struct Ko {
    moves: Vec<String>,
    refused: String,
}

#[test]
fn ko_refuses_the_return_and_nothing_else() {
    for ko in section::<Vec<Ko>>("ko") {
        let mut game = game_from(None, &ko.moves);
        let before = game.current();
        assert_eq!(game.forbidden_by_history().as_ref(), Some(&ko.refused));
        assert!(game.play(&ko.refused).is_err(), "{}", ko.refused);
        assert_eq!(game.current(), before);
        // The same position without its history does not know of it.
        let mut anew = game_from(Some(&before), &[]);
        assert_eq!(anew.forbidden_by_history(), None);
        anew.play(&ko.refused).expect("no history, no Ko");
        let board = parse_fen(&before).expect("our own text");
        let refused = moves(&board)
            .into_iter()
            .filter(|other| game_from(None, &ko.moves).play(&other.to_string()).is_err());
        let refused: Vec<String> = refused.map(|other| other.to_string()).collect();
        assert_eq!(refused, [ko.refused]);
    }
}

#[derive(Deserialize)]
struct Illegal {
    moves: Vec<String>,
    illegal: String,
}

#[test]
fn what_the_rules_forbid_is_refused() {
    for vector in section::<Vec<Illegal>>("illegal") {
        let mut game = game_from(None, &vector.moves);
        assert!(game.play(&vector.illegal).is_err(), "{}", vector.illegal);
    }
}

#[derive(Deserialize)]
struct Threefold {
    moves: Vec<String>,
    draw_after_ply: usize,
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let threefold: Threefold = section("threefold");
    let mut game = game_from(None, &[]);
    for (ply, text) in (1..).zip(&threefold.moves) {
        game.play(text).expect(text);
        let text = game.ending().map(|ending| ending.text);
        let is_due = ply >= threefold.draw_after_ply;
        assert_eq!(text, is_due.then_some("Draw by 3-fold repetition"), "{ply}");
    }
}

/// Makes moves that zap nothing and repeat no position three times.
fn walk(game: &mut dyn Game, plies: u32) {
    for _ in 0..plies {
        let board = parse_fen(&game.current()).expect("both Kings");
        let quiet = moves(&board).into_iter().find(|played| {
            let next = played.to_string();
            turn(&board, *played).zapped.is_none() && game.position_after(&next).is_some()
        });
        let text = quiet.expect("a quiet move").to_string();
        game.play(&text).expect(&text);
    }
}

#[test]
fn plies_without_a_zap_are_counted_by_the_preset() {
    for (variant, limit) in [(&LEISERCHESS, 100), (&LEISERCHESS_STAFF, 200)] {
        let opening = Opening::default();
        let mut game = variant.start(&opening).expect("the opening");
        walk(&mut *game, limit - 1);
        assert_eq!(game.ending(), None);
        let board = parse_fen(&game.current()).expect("both Kings");
        let last = moves(&board)
            .into_iter()
            .find(|played| turn(&board, *played).zapped.is_none());
        let last = last.expect("a quiet move").to_string();
        game.play(&last).expect("legal");
        let text = game.ending().map(|ending| ending.text);
        assert_eq!(text, Some("Draw by moves without a zap"), "{limit}");
    }
}

#[test]
fn openings_that_cannot_be_played_are_refused() {
    let refused = |start: Option<&str>, moves: &str| {
        let opening = Opening {
            start: start.map(str::to_owned),
            moves: words(moves),
        };
        let failure = LEISERCHESS.start(&opening).err().expect("refused");
        failure.message().to_owned()
    };
    // The first move of the book that the course shipped, which was made for the opening of 2016.
    assert!(refused(None, "h4g5").contains("move 1 of the opening, `h4g5`, is illegal"));
    let over = "g4g5 e6e7 g5g4 e7e6 g4g5 e6e7 g5g4 e7e6";
    assert!(refused(None, over).contains("over after 8 moves of the opening (Draw by 3-fold"));
    let no_king = "8/8/8/8/8/8/8/7NN W";
    assert!(refused(Some(no_king), "h0L").contains("Black has 0 Kings"));
}

#[test]
fn a_mate_that_an_engine_promises_must_zap_the_king() {
    // One turn of the Kings at opposite ends of a rank decides.
    let game = game_from(Some("ss6NN/8/8/8/8/8/8/8 W"), &[]);
    assert_eq!(game.line_fault("h7L", 0, Some(1)), None);
    assert_eq!(game.line_fault("h7R", 0, Some(1)), Some(LineFault::NoMate));
    assert_eq!(
        game.line_fault("h7R a7R a1a2", 0, None),
        Some(LineFault::IllegalMove)
    );
    assert_eq!(game.line_fault("h7R a7L", 0, Some(-1)), None);
}

#[test]
fn presets_are_found_by_their_names() {
    for (name, quiet_limit, max_moves) in [
        ("leiserchess", "leiserchess", None),
        ("leiserchess2018", "leiserchess", None),
        ("leiserchess-staff", "leiserchess-staff", Some(400)),
    ] {
        let variant = find(name).expect(name);
        assert_eq!(variant.name(), quiet_limit);
        assert_eq!(variant.adjudication().max_moves, max_moves);
    }
}

proptest! {
    #[test]
    fn random_games_keep_to_the_rules(choices in prop::collection::vec(any::<u16>(), 1..150)) {
        let mut game = game_from(None, &[]);
        for choice in choices {
            if game.ending().is_some() {
                break;
            }
            let board = parse_fen(&game.current()).expect("both Kings");
            let all = moves(&board);
            let chosen = all[usize::from(choice) % all.len()];
            let pieces = board.pieces().count();
            match game.play(&chosen.to_string()) {
                Ok(()) => {
                    let after = turn(&board, chosen);
                    let left = after.board.pieces().count();
                    prop_assert_eq!(left + usize::from(after.zapped.is_some()), pieces);
                }
                // Ko forbids a swap with a step, and one move of a position at most.
                Err(illegal) => {
                    prop_assert_eq!(illegal.0.len(), 6);
                    prop_assert!(turn(&board, chosen).zapped.is_none());
                    let rotation = all.iter().map(ToString::to_string).find(|text| text.len() == 3);
                    game.play(&rotation.expect("a rotation")).expect("never Ko");
                }
            }
        }
        let record = game.record();
        let again = LEISERCHESS.record(&Opening::default(), &record.moves.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(again.expect("legal moves"), record);
    }
}
