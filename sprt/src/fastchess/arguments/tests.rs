use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::fastchess::values::Format;
use engine_client::{Limit, Restart};

/// Command lines that workers were seen to send, and those that the worker's own code builds for
/// other settings.
fn vectors() -> BTreeMap<String, Vec<String>> {
    serde_json::from_str(include_str!("../../../tests/data/fastchess_vectors.json"))
        .expect("command lines")
}

fn vector(name: &str) -> Arguments {
    let mut warnings = Warnings::default();
    let arguments = Arguments::read(&vectors()[name], &mut warnings).expect(name);
    assert_eq!(warnings.all(), Vec::<String>::new(), "{name}");
    arguments
}

fn read(line: &str) -> (Result<Arguments, Failure>, Vec<String>) {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let mut warnings = Warnings::default();
    (Arguments::read(&words, &mut warnings), warnings.all())
}

const ENGINES: &str = "-engine cmd=a name=a nodes=1 -engine cmd=b name=b nodes=1 -openings file=x";

#[test]
fn every_command_line_of_a_worker_is_read_without_a_warning() {
    for name in vectors().keys() {
        let arguments = vector(name);
        assert_eq!(arguments.sides[0].folder, Some("Engines/".into()), "{name}");
        let openings = arguments.openings.expect(name);
        assert!(openings.file.starts_with("Books"), "{name}");
        let pgn = arguments.pgn.expect(name);
        assert_eq!(pgn.match_lines, ["^info string pgncomment .*"], "{name}");
    }
}

#[test]
fn a_test_at_fixed_nodes_is_what_was_asked_for() {
    let side = |command: &str, name: &str| Side {
        name: name.to_owned(),
        command: command.to_owned(),
        folder: Some("Engines/".into()),
        arguments: Vec::new(),
        limit: Limit::nodes(2000),
        time_margin_ms: 0,
        options: vec![
            ("Threads".to_owned(), "1".to_owned()),
            ("Hash".to_owned(), "16".to_owned()),
        ],
        restart: Restart::Never,
    };
    let expected = Arguments {
        variant: "standard",
        concurrency: 2,
        rounds: 16,
        reverses: true,
        second_begins: false,
        swaps: true,
        wait_ms: 0,
        adjudication: Rules::USUAL,
        tablebases: None,
        sides: [
            side("./Whetstone-F6D7D4B6", "Whetstone-dev"),
            side("./Whetstone-C381255D", "Whetstone-base"),
        ],
        openings: Some(Openings {
            file: "Books/8moves_v3.epd".into(),
            format: Format::Epd,
            random: true,
            start: 1,
            plies: None,
        }),
        seed: 14,
        pgn: Some(PgnOut {
            file: "PGNs/14.2.1795266135.0.pgn".into(),
            append: true,
            match_lines: vec!["^info string pgncomment .*".to_owned()],
            options: false,
            minimal: false,
        }),
        prints_crc32: false,
        event: "sprt fastchess".to_owned(),
        site: "?".to_owned(),
        startup_ms: 60_000,
        ping_ms: None,
        has_own_processors: false,
        processors: None,
        cutechess: None,
    };
    assert_eq!(vector("test, fixed nodes"), expected);
}

#[test]
fn a_tune_sends_every_parameter_to_both_engines() {
    let [dev, base] = vector("SPSA, single, all parameters").sides;
    assert!(dev.options.len() > 100, "{}", dev.options.len());
    let names =
        |side: &Side| -> Vec<String> { side.options.iter().map(|it| it.0.clone()).collect() };
    assert_eq!(names(&dev), names(&base));
    let negative = base
        .options
        .iter()
        .find(|(_, value)| value.starts_with('-'));
    assert!(negative.is_some(), "a value below zero is a value");
}

#[test]
fn datagen_plays_a_generated_book_in_its_order() {
    let arguments = vector("datagen, no book, no reverses");
    assert!(!arguments.reverses);
    assert_eq!(
        (arguments.rounds, arguments.adjudication),
        (16, Rules::default())
    );
    let openings = arguments.openings.expect("openings");
    assert_eq!((openings.random, openings.start), (false, 17));
    let reversed = vector("datagen, book and reverses, depth");
    assert!(reversed.reverses);
    assert_eq!(
        reversed.sides.map(|side| side.limit),
        [Limit::depth(4), Limit::depth(4)]
    );
}

#[test]
fn sides_may_have_different_limits_options_and_engines() {
    let [dev, base] = vector("moves and clock against time a move, two engines").sides;
    assert_eq!(dev.limit.pgn(), "40/8.5+0.09");
    assert_eq!(
        (base.limit, base.time_margin_ms),
        (Limit::movetime(90), 250)
    );
    assert!(dev.options.contains(&("Move Overhead".into(), "20".into())));
    assert_eq!(base.name, "Other-base");
}

#[test]
fn tablebases_and_fischer_random_are_read() {
    let tablebases = vector("Syzygy").tablebases.expect("tables");
    assert_eq!(tablebases.folders, [PathBuf::from("/tb/a"), "/tb/b".into()]);
    assert_eq!(tablebases.table_use.pieces, Some(6));
    let fischer = vector("Fischer random, PGN book");
    assert_eq!(fischer.variant, "chess960");
    assert_eq!(fischer.openings.map(|it| it.format), Some(Format::Pgn));
}

#[test]
fn what_a_newer_server_may_add_is_warned_of_and_left_out() {
    for (words, warned) in [
        ("-newflag a b=c", "`-newflag a b=c`"),
        ("-autosaveinterval 5", "does not have -autosaveinterval"),
        ("-openings file=x shiny=yes", "`shiny=yes` after -openings"),
        (
            "-resign movecount=3 score=400 mood=bad",
            "`mood=bad` after -resign",
        ),
        (
            "-draw movenumber=1 movecount=3 score=4 really",
            "`really` after -draw",
        ),
        ("-recover twice", "`twice` after -recover"),
        ("-pgnout file=g.pgn pv=true", "`pv=true` after -pgnout"),
        ("-tbpieces 6", "without -tb"),
        ("-each tiebreak=1", "`tiebreak=1` after -engine"),
    ] {
        let (arguments, warnings) = read(&format!("{ENGINES} {words}"));
        assert!(arguments.is_ok(), "{words}: {arguments:?}");
        let told = warnings.iter().any(|warning| warning.contains(warned));
        assert!(told, "{words}: {warnings:?}");
    }
    let (_, warnings) = read(&format!("stray {ENGINES}"));
    assert_eq!(warnings, ["`stray` follows no option and is left out"]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_option() {
    for (words, reason) in [
        ("-games 3", "-games 3: expected 1 or 2"),
        ("-rounds 0", "-rounds 0"),
        ("-concurrency many", "-concurrency: `many`"),
        ("-concurrency 1 2", "-concurrency: got 2 values"),
        ("-variant atomic", "`atomic` is no variant"),
        ("-engine cmd=c nodes=1", "got 3 engines"),
        ("-srand -1", "-srand: `-1`"),
        ("-strict -newflag", "-newflag is not known"),
        ("-tb x -tbadjudicate ALL", "expected BOTH, WIN_LOSS or DRAW"),
        ("-openings file=x order=wild", "-openings: order=wild"),
        ("-openings file=x format=bin", "-openings: format=bin"),
        ("-openings file=x start=0", "start 0"),
        ("-resign score=-400", "-resign: score=-400"),
        ("-pgnout file=g match_line=(", "no regular expression"),
        ("-each proto=xboard", "proto=xboard"),
    ] {
        let failure = read(&format!("{ENGINES} {words}")).0.expect_err(words);
        assert!(failure.message().contains(reason), "{words}: {failure}");
    }
    for (line, reason) in [
        ("", "got 0 engines"),
        (
            "-engine name=a nodes=1 -engine cmd=b nodes=1",
            "engine 1 has no cmd=",
        ),
        (
            "-engine cmd=a tc=inf -engine cmd=b nodes=1",
            "engine `a` has no time control",
        ),
    ] {
        let failure = read(line).0.expect_err(line);
        assert!(failure.message().contains(reason), "{line}: {failure}");
        assert!(failure.next_step().is_some());
    }
}

#[test]
fn each_says_the_same_of_both_engines_and_equal_names_are_distinguished() {
    let (arguments, _) =
        read("-engine cmd=./e -engine cmd=./e -each tc=1+0.1 option.Hash=8 -repeat");
    let [first, second] = arguments.expect("a match").sides;
    assert_eq!((first.name.as_str(), second.name.as_str()), ("e", "e_2"));
    assert_eq!(first.options, second.options);
}

#[test]
fn colours_tables_and_pauses_are_read() {
    let (arguments, warnings) = read(&format!(
        "{ENGINES} -noswap -reverse -wait 20 -tb x -tbignore50 -tbadjudicate DRAW"
    ));
    let arguments = arguments.expect("a match");
    assert!(warnings.is_empty(), "{warnings:?}");
    assert!(arguments.second_begins && !arguments.swaps);
    assert_eq!(arguments.wait_ms, 20);
    let table_use = arguments.tablebases.expect("tables").table_use;
    assert!(table_use.ignore_50);
    assert_eq!(table_use.adjudicate, Adjudicate::Draws);
}

proptest! {
    #[test]
    fn no_command_line_panics(
        line in "((-(engine|each|draw|resign|openings|pgnout|games|rounds|tb|tbpieces|srand|variant)|[a-z.]{1,9}=[-0-9a-z/+.]{0,9}|-?[0-9]{1,20}) ){0,12}"
    ) {
        let _ = read(&line);
        let _ = read(&format!("{ENGINES} {line}"));
    }
}

#[test]
fn games_may_be_bound_to_processors_of_a_list() {
    let affinity = |words: &str| {
        let (arguments, warnings) = read(&format!("{ENGINES} {words}"));
        assert_eq!(warnings, Vec::<String>::new(), "{words}");
        let arguments = arguments?;
        let list = arguments.processors.map(|list| list.to_string());
        Ok::<_, Failure>((arguments.has_own_processors, list))
    };
    assert_eq!(affinity(""), Ok((false, None)));
    assert_eq!(affinity("-use-affinity"), Ok((true, None)));
    let listed = affinity("-use-affinity 2,4-7");
    assert_eq!(listed, Ok((true, Some("2,4-7".to_owned()))));
    let failure = affinity("-use-affinity many").expect_err("no list");
    assert!(
        failure.message().contains("-use-affinity: `many`"),
        "{failure}"
    );
}

#[test]
fn the_score_is_printed_as_cutechess_does_where_that_is_asked_for() {
    let intervals = |words: &str| {
        let (arguments, warnings) = read(&format!("{ENGINES} {words}"));
        let intervals = arguments.expect(words).cutechess;
        (intervals.map(|it| [it.score, it.rating]), warnings.len())
    };
    assert_eq!(intervals("-output format=cutechess"), (Some([1, 10]), 0));
    let often = "-scoreinterval 4 -ratinginterval 0 -output format=cutechess";
    assert_eq!(intervals(often), (Some([4, 0]), 0));
    assert_eq!(
        intervals("-output format=fastchess -scoreinterval 4"),
        (None, 0)
    );
    assert_eq!(intervals("-ratinginterval 4"), (None, 1));
    let failure = read(&format!("{ENGINES} -output json")).0;
    assert!(failure.is_err_and(|it| it.message().contains("format=cutechess")));
}
