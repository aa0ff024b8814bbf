use proptest::prelude::*;

use foundation::Failure;

use super::{Asked, Tool};

fn convert(line: &str) -> Result<(String, Vec<String>), Failure> {
    let words = shlex::split(line).expect("words");
    let converted = super::convert(Tool::of(&words[0]).expect("a tool"), &words[1..])?;
    Ok((converted.words.join(" "), converted.remarks))
}

fn words(line: &str) -> String {
    convert(line).expect(line).0
}

#[test]
fn a_test_of_fastchess_s_manual_is_a_run() {
    let (words, remarks) = convert(
        "fastchess -engine cmd=Engine1 name=Engine1 option.Threads=1 nodes=2000000 \
         -engine cmd=Engine2 name=Engine2 option.Threads=2 nodes=1000000 \
         -openings file=UHO_Lichess_4852_v1.epd format=epd order=random \
         -each tc=300+5 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
         -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 \
         -rounds 100000 -concurrency 3 -pgnout notation=san nodes=true file=./games/sprt.pgn",
    )
    .expect("a test");
    assert_eq!(
        words,
        "run Engine2 Engine1 --base-name Engine2 --base-option Threads=2 --base-nodes 1000000 \
         --base-tc 300+5 --new-name Engine1 --new-option Threads=1 --new-nodes 2000000 \
         --new-tc 300+5 --bounds 0,2 --alpha 0.05 --beta 0.05 --model normalized \
         --max-games 200000 --time-margin 0 --draw-adj movenumber=34,movecount=8,score=20 \
         --resign-adj movecount=3,score=600,twosided=false --book UHO_Lichess_4852_v1.epd --book-order random \
         --concurrency 3 --pgn-notation san --pgn ./games/sprt.pgn"
    );
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(remarks[0].contains("shuffled"), "{remarks:?}");
    assert!(remarks[1].contains("Hash=16"), "{remarks:?}");
}

#[test]
fn a_match_of_cutechess_s_manual_is_a_run_of_fixed_length() {
    assert_eq!(
        words(
            "cutechess-cli -engine cmd=sloppy -engine cmd=fruit dir=/opt/fruit \
             -each tc=40/1:30+0.5 timemargin=50 -rounds 10 -games 2 -repeat \
             -openings file=b.pgn format=pgn order=sequential plies=12 -pgnout out.pgn min"
        ),
        "run fruit sloppy --base-tc 40/90+0.5 --base-time-margin 50 --base-dir /opt/fruit \
         --new-tc 40/90+0.5 --new-time-margin 50 --games 20 --concurrency 1 --draw-adj none --resign-adj none \
         --book b.pgn --book-plies 12 --book-order sequential --pgn-min --pgn out.pgn"
    );
}

#[test]
fn repeated_openings_are_as_many_games_as_the_tool_plays() {
    let two = "-engine cmd=a -engine cmd=b -each tc=1 -rounds 100";
    for (line, games) in [
        (
            format!("cutechess-cli {two}"),
            "--games-per-opening 1 --games 100",
        ),
        (format!("cutechess-cli {two} -repeat"), "--games 100"),
        (format!("fastchess {two} -repeat"), "--games 200"),
        (
            format!("fastchess {two} -repeat 1"),
            "--games-per-opening 1 --games 100",
        ),
    ] {
        let words = words(&line);
        assert!(words.contains(&format!(" {games} ")), "{line}: {words}");
        assert_eq!(
            words.contains("--games-per-opening"),
            games.contains("opening"),
            "{words}"
        );
    }
    let (_, remarks) = convert(&format!("cutechess-cli {two} -repeat 4")).expect("a match");
    assert!(remarks[0].contains("-repeat 4"), "{remarks:?}");
    assert!(
        remarks.iter().any(|it| it.contains("the start position")),
        "{remarks:?}"
    );
}

#[test]
fn three_engines_are_a_tournament() {
    let three = "fastchess -engine cmd=./a name=A -engine cmd=./b option.Style=Very\\ Solid \
                 -engine cmd=./c -each nodes=500 -rounds 4";
    let plain = words(three);
    assert!(
        plain.starts_with(
            "tournament --engine ./a name=A nodes=500 --engine ./b 'option=Style=Very Solid' nodes=500"
        ) && plain.contains("--kind round-robin --rounds 4"),
        "{plain}"
    );
    let gauntlet = words(&format!("{three} -tournament gauntlet -seeds 2"));
    assert!(gauntlet.contains("--kind gauntlet --seeds 2"), "{gauntlet}");
    let (words, remarks) = convert(&format!("{three} -games 1 -rounds 9")).expect("a tournament");
    assert!(words.contains("--rounds 5"), "{words}");
    for part in ["each opening is played twice", "10 of two engines, not 9"] {
        assert!(remarks.iter().any(|it| it.contains(part)), "{remarks:?}");
    }
    let failure = convert(&format!("{three} -sprt elo0=0 elo1=5")).expect_err("three engines");
    assert!(
        failure.message().contains("a test compares two"),
        "{failure}"
    );
}

#[test]
fn an_infinite_clock_for_all_takes_the_clocks_away() {
    let words = words(
        "fastchess -engine cmd=a tc=8+0.08 -engine cmd=b tc=1 tc=inf -each tc=inf nodes=5 -rounds 1",
    );
    assert!(words.contains("--base-nodes 5 --new-nodes 5"), "{words}");
    assert!(!words.contains("-tc"), "{words}");
}

const TWO: &str = "fastchess -engine cmd=a -engine cmd=b -each nodes=1";

#[test]
fn each_option_has_its_flag() {
    for (option, flag) in [
        ("-noswap", "--colors new-white"),
        ("-reverse", "--colors base-first"),
        ("-noswap -reverse", "--colors base-white"),
        ("-games 1", "--games-per-opening 1 --games 2"),
        ("-tb /a:/b -tbpieces 5", "--syzygy /a:/b --syzygy-pieces 5"),
        ("-tb /a -tbignore50", "--syzygy-ignore-50"),
        ("-tb /a -tbadjudicate WIN_LOSS", "--syzygy-adjudicate wins"),
        ("-epdout file=end.epd", "--epd end.epd"),
        ("-log file=x", "--log logs"),
        ("-log file=x compress=true", "--log logs --log-gzip"),
        ("-maxmoves 100", "--max-moves 100"),
        ("-maxmoves 0", ""),
        ("-srand 5 -wait 10", "--seed 5 --wait 10"),
        ("-variant fischerandom", "--variant chess960"),
        ("-startup-ms 1500", "--startup-timeout 2"),
        (
            "-pgnout file=g min=true pv=true",
            "--pgn-min --pgn-fields pv --pgn g",
        ),
        ("-use-affinity", "--affinity always"),
        ("-use-affinity 2,4-7", "--processors 2,4-7"),
        ("-crc32 pgn=true -pgnout file=g", "--pgn-crc32 --pgn g"),
        ("-strict", "--on-fault stop"),
        ("-each tc=hg60", "--base-tc hg60"),
        ("-each tc=inf/8+0.08", "--base-tc 8+0.08"),
        ("-sprt elo0=-5 elo1=0", "--bounds=-5,0"),
        ("-each st=0.5", "--new-movetime 500"),
        ("-each restart=on", "--new-restart game"),
        ("-each dir=there", "--new-dir there"),
        ("-each tc=inf", "--new-nodes 1"),
        ("-each st=0.0001", "--new-movetime 1"),
        (
            "-draw movecount=8 score=10",
            "--draw-adj movenumber=0,movecount=8,score=10",
        ),
        (
            "-resign score=400 twosided=true",
            "--resign-adj movecount=1,score=400,twosided=true",
        ),
        ("-each args='-x y'", "--new-arg=-x --new-arg y"),
    ] {
        let words = words(&format!("{TWO} {option}"));
        assert!(words.contains(flag), "{option}: {words}");
    }
}

#[test]
fn no_checksum_is_asked_for_where_no_games_are_written() {
    let words = words(&format!("{TWO} -crc32 pgn=true"));
    assert!(!words.contains("crc32"), "{words}");
    let (_, remarks) = convert(&format!("{TWO} -crc32 pgn=yes")).expect("converts");
    let remark = "-crc32 pgn=yes has no counterpart here";
    assert!(remarks.iter().any(|it| it == remark), "{remarks:?}");
}

#[test]
fn the_short_form_of_a_match_is_written_out() {
    let quick = words("fastchess -quick cmd=./dev cmd=./base book=lines.epd");
    assert!(quick.starts_with("run ./base ./dev --base-tc 10+0.1 --new-tc 10+0.1 --games 50000"));
    let rest = "--draw-adj movenumber=30,movecount=8,score=8 --resign-adj none \
        --book lines.epd --book-order random";
    assert!(quick.ends_with(rest), "{quick}");
    let failure = convert("fastchess -quick cmd=a cmd=b").expect_err("no book");
    assert!(failure.message().contains("book= is missing"), "{failure}");
}

#[test]
fn what_changes_only_the_output_is_reported_and_what_changes_the_games_is_refused() {
    for (option, told) in [
        ("-ratinginterval 10", "--events"),
        ("-output format=cutechess", "--events"),
        ("-autosaveinterval 5", "every pair"),
        ("-debug", "--log DIR"),
        ("-ucinewgame-ms 100", "--move-timeout"),
    ] {
        let (_, remarks) = convert(&format!("{TWO} {option}")).expect(option);
        assert!(
            remarks.iter().any(|it| it.contains(told)),
            "{option}: {remarks:?}"
        );
    }
    for (option, why) in [
        ("-newflag", "not known"),
        ("-each proto=xboard", "UCI only"),
        ("-each conf=stored", "engines.json"),
        ("-config file=x", "cannot be continued"),
        ("-tournament pyramid", "not played here"),
        ("-variant atomic", "not played here"),
        ("-sprt elo0=0 elo1=5 -noswap", "both colours"),
        ("-sprt elo0=0", "elo1 is missing"),
        ("-rounds many", "whole number"),
        ("-resign movecount=3", "score is missing"),
    ] {
        let failure = convert(&format!("{TWO} {option}")).expect_err(option);
        assert!(failure.message().contains(why), "{option}: {failure}");
    }
    let endless = convert("fastchess -engine cmd=a nodes=1 -engine cmd=b tc=inf");
    let endless = endless.expect_err("no limit");
    assert!(
        endless.message().contains("engine 2 has no limit"),
        "{endless}"
    );
    let alone = convert("fastchess -engine cmd=a nodes=1").expect_err("one engine");
    assert!(alone.message().contains("got 1 engines"), "{alone}");
}

#[test]
fn only_what_a_worker_never_asks_for_needs_a_run() {
    let needs = |line: &str| Asked::needs_a_run(&shlex::split(line).expect("words"));
    assert!(!needs(
        "-engine cmd=a -engine cmd=b -rounds 5 -games 2 -repeat"
    ));
    assert!(needs("-engine cmd=a -engine cmd=b -sprt elo0=0 elo1=5"));
    assert!(needs("-engine cmd=a -engine cmd=b -engine cmd=c"));
    assert!(needs("-engine cmd=a -engine cmd=b -tournament gauntlet"));
    assert!(needs("-engine cmd=a -engine cmd=b -log file=l engine=true"));
    assert!(needs("-engine cmd=a -engine cmd=b -config file=x"));
    assert!(needs(
        "-engine cmd=a -engine cmd=b -config discard=true file=x"
    ));
    assert!(!needs("-engine cmd=a -engine cmd=b -config discard=true"));
}

#[test]
fn as_many_games_as_can_be_counted_are_the_most_that_are_asked_for() {
    let most = u64::MAX;
    let line = format!("{TWO} -games {most} -rounds {most}");
    assert!(words(&format!("{line} -repeat")).contains(&format!("--games {most}")));
    let test = words(&format!(
        "{line} -repeat -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05"
    ));
    assert!(test.contains(&format!("--max-games {most}")), "{test}");
    let tournament = words(&format!("{line} -engine cmd=c"));
    assert!(
        tournament.contains("--rounds 9223372036854775808"),
        "{tournament}"
    );
}

proptest! {
    #[test]
    fn no_command_line_panics(
        line in "((-(engine|each|sprt|draw|openings|pgnout|games|rounds|tb|tournament|noswap|log)|[a-z.]{1,9}=[-0-9a-z/+.:]{0,9}|-?[0-9]{1,20}) ){0,12}"
    ) {
        for tool in ["fastchess", "cutechess-cli"] {
            let _ = convert(&format!("{tool} {line}"));
            let _ = convert(&format!("{tool} -engine cmd=a -engine cmd=b {line}"));
        }
    }
}
