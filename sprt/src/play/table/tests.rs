use referee::game::find;

use super::*;

fn table(variant: &str, limit: Limit) -> Table {
    let variant = find(variant).expect("a variant");
    Table::new(variant, vec![Player::named("engine")], limit).expect("a game")
}

const PERSONS: [Seat; 2] = [Seat::Person, Seat::Person];

#[test]
fn a_game_is_read_in_every_form_that_is_printed() {
    const FEN: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let opening = |start: Option<&str>, moves: &[&str]| Opening {
        start: start.map(str::to_owned),
        moves: moves.iter().map(|text| (*text).to_owned()).collect(),
    };
    for (text, expected) in [
        ("", opening(None, &[])),
        ("startpos", opening(None, &[])),
        ("startpos moves", opening(None, &[])),
        ("startpos moves e2e4 e7e5", opening(None, &["e2e4", "e7e5"])),
        ("position startpos moves e2e4", opening(None, &["e2e4"])),
        ("e2e4 e7e5", opening(None, &["e2e4", "e7e5"])),
        (FEN, opening(Some(FEN), &[])),
        (
            &format!("position fen {FEN} moves e1e2"),
            opening(Some(FEN), &["e1e2"]),
        ),
    ] {
        assert_eq!(read_game(text), expected, "{text}");
    }
}

#[test]
fn what_is_said_of_a_game_can_be_begun_again() {
    for (variant, moves) in [
        ("standard", ["e4", "e7e5"]),
        ("leiserchess", ["g4g5", "e6e7"]),
    ] {
        let mut first = table(variant, Limit::default());
        first.sit(PERSONS).expect("a game");
        for text in moves {
            first.play(text).expect(text);
        }
        let mut second = table(variant, Limit::default());
        let text = first.game.position().to_owned();
        second.begin(PERSONS, &text).expect("it was a game");
        assert_eq!(second.game.current(), first.game.current());
        let position = first.game.current();
        second.begin(PERSONS, &position).expect("it was a position");
        assert_eq!(second.game.current(), position);
    }
}

#[test]
fn a_game_that_cannot_be_begun_leaves_the_present_one_as_it_is() {
    let mut table = table("standard", Limit::default());
    table.sit(PERSONS).expect("a game");
    table.play("e2e4").expect("legal");
    for text in ["nonsense/8", "startpos moves e2e5", "e9"] {
        assert!(table.begin(PERSONS, text).is_err(), "{text}");
        assert_eq!(table.moves.len(), 1);
    }
}

#[test]
fn a_move_is_a_persons_only_in_its_turn() {
    let mut table = table("standard", Limit::default());
    let failure = table.play("e2e5").expect_err("illegal");
    assert!(failure.message().contains("e2e5"), "{failure}");
    table.play("Nf3").expect("as records write it");
    assert_eq!(table.moves[0].text, "g1f3");
    let failure = table.play("e7e5").expect_err("the engine's turn");
    assert!(failure.message().contains("engine is to move"), "{failure}");
}

#[test]
fn taking_back_leads_to_the_persons_last_turn_and_gives_its_time_back() {
    let limit = Limit::clock(
        "60+1"
            .parse::<engine_client::TimeControl>()
            .expect("a clock"),
    );
    let mut table = table("standard", limit);
    table.play("e2e4").expect("legal");
    let took = Duration::from_secs(20);
    table
        .make("e7e5".to_owned(), Info::default(), None, took)
        .expect("legal");
    assert_eq!(
        table.clock().left(Color::Black),
        Some(Duration::from_secs(42))
    );
    table.undo().expect("there is a move");
    assert!(table.moves.is_empty());
    assert_eq!(
        table.clock().left(Color::Black),
        Some(Duration::from_secs(61))
    );
    assert!(table.undo().is_err());
    // A finished game continues.
    table.sit(PERSONS).expect("a game");
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        table.play(text).expect(text);
    }
    assert_eq!(
        table.end.as_ref().map(GameEnd::text).as_deref(),
        Some("Black mates")
    );
    table.undo().expect("there is a move");
    assert_eq!((table.moves.len(), table.end.is_none()), (3, true));
}

#[test]
fn what_an_engine_thought_can_be_read_while_a_person_thinks() {
    let mut table = table("leiserchess", Limit::default());
    table.play("g4g5").expect("legal");
    table.thoughts.push("info depth 3 score cp 12".to_owned());
    let answer = ("e6e7".to_owned(), Info::default());
    table
        .make(answer.0, answer.1, None, Duration::ZERO)
        .expect("legal");
    assert_eq!(table.thoughts.len(), 1);
    table.play("g5g4").expect("legal");
    assert!(table.thoughts.is_empty(), "the engine thinks anew");
}

#[test]
fn seats_that_change_give_no_time_back_and_rewrite_no_game_that_is_over() {
    let clock = "60+0"
        .parse::<engine_client::TimeControl>()
        .expect("a clock");
    let mut table = table("leiserchess", Limit::clock(clock));
    table.sit(PERSONS).expect("a game");
    table.play("g4g5").expect("legal");
    table.turn -= Duration::from_secs(10);
    for seats in [PERSONS, [Seat::Person, Seat::Engine(0)], PERSONS] {
        table.sit(seats).expect("a game");
        assert!(table.elapsed() >= Duration::from_secs(10));
    }
    table.resign().expect("a person plays");
    let stands = (table.elapsed(), table.duration());
    std::thread::sleep(Duration::from_millis(2));
    assert_eq!((table.elapsed(), table.duration()), stands);
    assert!(
        stands.0 >= Duration::from_secs(10),
        "the clock stands where it stood"
    );
    assert!(table.sit([Seat::Engine(0), Seat::Person]).is_err());
    assert_eq!(table.seats, PERSONS);
}

#[test]
fn who_is_late_loses_on_time() {
    let limit = Limit::clock(
        "1+0"
            .parse::<engine_client::TimeControl>()
            .expect("a clock"),
    );
    let mut table = table("leiserchess", limit);
    table.play("g4g5").expect("legal");
    let took = Duration::from_secs(2);
    table
        .make("e6e7".to_owned(), Info::default(), None, took)
        .expect("judged");
    let end = table.end.as_ref().expect("it is over");
    assert_eq!(
        (end.text().as_str(), end.winner()),
        ("Black loses on time", Some(Color::White))
    );
    assert!(table.play("g5g4").is_err());
}

#[test]
fn seats_are_for_persons_and_the_engines_of_the_command_line() {
    assert_eq!(Seat::read("person", 1).ok(), Some(Seat::Person));
    assert_eq!(Seat::read("1", 1).ok(), Some(Seat::Engine(0)));
    for wrong in ["0", "2", "", "/bin/sh", "-1"] {
        assert!(Seat::read(wrong, 1).is_err(), "{wrong}");
    }
}

#[test]
fn a_flag_that_falls_against_a_bare_king_draws() {
    let mut table = table("standard", Limit::default());
    for (loser, expected) in [(Color::White, true), (Color::Black, false)] {
        table
            .begin(PERSONS, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
            .expect("a position");
        table.flag_fell(loser);
        let Some(GameEnd::Fault { is_drawn, .. }) = table.end else {
            panic!("{loser:?}: the game goes on");
        };
        assert_eq!(is_drawn, expected, "{loser:?}");
    }
}
