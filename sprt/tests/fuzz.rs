//! Everything that is read from others, fed with inputs that are nearly right and with noise: no
//! input panics, and none takes for ever.
//!
//! A few thousand inputs each in the usual tests. `WHETSTONE_FUZZ=1000000 cargo test -p sprt --test
//! fuzz -- --nocapture` takes a million, and prints the slowest of each kind. Inputs are a function
//! of their number, which is named where one fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use foundation::config::Config;
use foundation::journal;

use engine_client::{Color, Dialect as _, Info, TimeControl, UCI, UciOption, cut, printable};
use referee::game::chess::{CHESS960, STANDARD};
use referee::game::{BookFile, Opening, Variant as _};
use runs::pair_record::PairLine;
use runs::plan::project_file::overlay;
use runs::plan::{MatchFlags, TestFlags};
use runs::tournament::configuration;
use runs::tournament::request::{EngineRequest, TournamentFlags};

const USUAL: u64 = 3000;
/// Bytes of an input.
const LONGEST: usize = 2000;
/// Numbers at the edges of their types.
const NUMBERS: [&str; 10] = [
    "0",
    "-1",
    "1e9",
    "255",
    "256",
    "2147483648",
    "-2147483649",
    "18446744073709551616",
    "0.0",
    "NaN",
];

/// The generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    fn noise(&mut self) -> Vec<u8> {
        (0..self.below(300)).map(|_| self.next() as u8).collect()
    }
}

/// The input of a number: noise, or a valid text with some changes.
fn input(number: u64, valid: &[&str]) -> Vec<u8> {
    let mut random = Random(number);
    if random.below(8) == 0 {
        return random.noise();
    }
    let mut bytes = random.pick(valid).as_bytes().to_vec();
    for _ in 0..random.below(6) {
        change(&mut bytes, &mut random, valid);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(bytes: &mut Vec<u8>, random: &mut Random, valid: &[&str]) {
    let place = random.below(bytes.len());
    let end = (place + random.below(12)).min(bytes.len());
    match random.below(8) {
        0 => bytes.truncate(place),
        1 => drop(bytes.drain(place..end)),
        2 => {
            let again = bytes[place..end].to_vec();
            bytes.splice(place..place, again);
        }
        3 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = random.next() as u8;
            }
        }
        4 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        5 => {
            let number = random.pick(&NUMBERS).bytes();
            bytes.splice(place..end, number);
        }
        6 => {
            // A word of another valid text.
            let other = random.pick(valid);
            let words: Vec<&str> = other.split_whitespace().collect();
            if !words.is_empty() {
                bytes.splice(place..end, random.pick(&words).bytes());
            }
        }
        _ => {
            let other = random.pick(valid).as_bytes();
            let from = random.below(other.len());
            bytes.splice(place..place, other[from..].iter().copied());
        }
    }
}

/// Feeds `read` with all inputs.
fn fuzz(what: &str, valid: &[&str], mut read: impl FnMut(&[u8])) {
    let asked = std::env::var("WHETSTONE_FUZZ").ok();
    let inputs = asked
        .as_ref()
        .and_then(|text| text.parse().ok())
        .unwrap_or(USUAL);
    let started = Instant::now();
    let mut slowest = (Duration::ZERO, 0);
    for number in 0..inputs {
        let bytes = input(number, valid);
        let begun = Instant::now();
        let fed = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
        assert!(
            fed.is_ok(),
            "{what}, input {number}: `{}`",
            bytes.escape_ascii()
        );
        slowest = slowest.max((begun.elapsed(), number));
    }
    if asked.is_some() {
        let (longest, number) = slowest;
        let text = format!(
            "{what}: {inputs} inputs in {:.0?}, the slowest, {number}, in {longest:.1?}\n",
            started.elapsed()
        );
        let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
    }
}

const UCI_LINES: [&str; 14] = [
    "info depth 12 seldepth 18 multipv 1 score cp -31 nodes 48213 nps 900000 hashfull 5 tbhits 7 time 84 pv e2e4 e7e5 g1f3",
    "info depth 3 score mate -4 lowerbound nodes 3 wdl 1 2 3",
    "info string a text nodes 77",
    "info currmove e2e4 currmovenumber 1",
    "info refutation d1h5 g6h5 score cp 1 upperbound",
    "bestmove e7e8q ponder a1h8",
    "  \tbestmove (none)\r",
    "id name Engine 1.0 64 \u{e9}",
    "id author someone",
    "option name Move Overhead type spin default 10 min 0 max 5000",
    "option name Style type combo default Normal var Solid var Normal var Very Risky",
    "option name Book File type string default <empty>",
    "uciok",
    "readyok",
];

#[test]
fn lines_of_uci() {
    fuzz("lines of UCI", &UCI_LINES, |bytes| {
        let _ = (UCI.best_move(bytes), UCI.score_quality(bytes));
        let _ = UCI.info(bytes, Color::Black);
        let info = Info::parse(bytes);
        if let Some(score) = info.score {
            let _ = (
                score.to_string(),
                score.is_lost(400),
                score.is_level(i32::MAX),
            );
        }
        let text = String::from_utf8_lossy(bytes);
        let _ = UCI.introduction(&text);
        let option = UciOption::parse(text.trim_start_matches("option "));
        if let Some(option) = option {
            let _ = option.accepts(&text);
            let mut lines = String::new();
            UCI.set_option(&option, &text, &mut lines);
        }
        assert!(cut(&text, 60).chars().count() <= 61);
        assert!(!printable(&text).contains('\u{1b}'));
    });
}

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - hmvc 3; fmvn 20; id \"a\";",
    "8/8/8/8/k1Pp4/8/8/4K3 b - c3 bm dxc3; c0 \"text; more\";",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/8/4K2R w K - 99 9999",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4 e8e7",
    "startpos moves e2e4 e7e5 g1f3",
];

/// A book of one text.
fn book(name: &str, bytes: &[u8]) -> BookFile {
    BookFile {
        name: name.to_owned(),
        inner_name: name.to_owned(),
        bytes: bytes.to_vec(),
    }
}

#[test]
fn no_position_and_no_move_makes_the_referee_panic() {
    fuzz("FEN, EPD and moves", &POSITIONS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let moves: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        for variant in [&STANDARD, &CHESS960] {
            let usual = Opening {
                start: None,
                moves: moves.clone(),
            };
            let _ = variant.start(&usual);
            let Ok(positions) = variant.read_openings(book("book.epd", bytes), None) else {
                continue;
            };
            for opening in (0..positions.len()).map_while(|index| positions.read(index).ok()) {
                let Ok(mut game) = variant.start(&opening) else {
                    continue;
                };
                for text in &moves {
                    let _ = game.play(text);
                }
                let _ = game.ending();
                let written = game.record().last_position;
                let again = Opening {
                    start: Some(written.clone()),
                    moves: Vec::new(),
                };
                if let Ok(game) = variant.start(&again) {
                    assert_eq!(game.record().last_position, written);
                }
            }
        }
    });
}

const GAMES: [&str; 5] = [
    "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 {+0.31/12 0.084s} Ke7 2. e5 1/2-1/2\n",
    "[Event \"b\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4 {a; comment}) Nc6 $1 3. Bb5 a6 ; rest\n4. O-O *\n\n[Event \"c\"]\n\n1. d4 d5 0-1\n",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 *\n1. c4 *\n",
    "[Event \"960\"]\n[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. Nc3 O-O *\n",
    "WSB1\u{1}\u{8}\u{2}\u{0}\u{0}\u{0}\u{5}\u{7}",
];

#[test]
fn no_book_makes_the_referee_panic() {
    fuzz("PGN and books", &GAMES, |bytes| {
        for name in ["book.pgn", "book.epd", "book"] {
            for variant in [&STANDARD, &CHESS960] {
                if let Ok(book) = variant.read_openings(book(name, bytes), Some(8)) {
                    for index in 0..book.len().min(4) {
                        let _ = (book.read(index), book.place(index));
                    }
                }
            }
        }
    });
}

#[test]
fn time_controls() {
    let valid = [
        "8+0.08",
        "40/60+0.6",
        "1:30+5",
        "0.5+0.005",
        "40/60:20/30:10+1",
        "8s",
        "inf",
        "600",
        "5:00+0.5",
    ];
    fuzz("time controls", &valid, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(control) = text.parse::<TimeControl>() {
            let written = control.to_string();
            let again: TimeControl = written.parse().expect("what was written is read");
            assert_eq!(again, control, "{written}");
        }
    });
}

#[test]
fn lines_of_a_journal() {
    let line = r#"{"pair":0,"games":[{"new":"white","winner":null,"end":"rules","text":"Draw by stalemate","plies":80},{"new":"black","winner":"white","end":"crash","text":"Black disconnects","detail":"ended by itself","plies":9}],"games_end":4711"#;
    let checksum = foundation_checksum(line);
    let summed = format!("{line},\"crc32\":\"{checksum}\"}}");
    let plain = format!("{line}}}");
    let valid = [
        plain.as_str(),
        summed.as_str(),
        "{}",
        "[1, {\"crc32\":\"\"}]",
    ];
    for text in &valid[..2] {
        journal::decode::<PairLine>(text.as_bytes()).expect("a line");
    }
    fuzz("lines of a journal", &valid, |bytes| {
        let _ = journal::decode::<PairLine>(bytes);
    });
}

/// The checksum that a line without one is said to have.
fn foundation_checksum(line: &str) -> String {
    let wrong = format!("{line},\"crc32\":\"00000000\"}}");
    let why = journal::decode::<PairLine>(wrong.as_bytes()).expect_err("a wrong checksum");
    why.rsplit(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn configuration_files() {
    let valid = [
        "[sprt]\nnodes = 5000\nbounds = '-5,0'\nhash = 16\nconcurrency = 2\n",
        "[sprt]\ntc = \"8+0.08\"\nbook = 'a.epd'\noption = ['Hash=1', 'Threads=2']\nalpha = 0.05\n",
        "[sprt.base]\ntc = '1+1'\n[sprt.new]\nname = \"x\"\n[bench-guard]\nrule = 'search'\n",
        "# a comment\n[tuner]\npairs = 100\n\n[tuner.match]\nnodes = 1\n",
        "[sprt]\nresign-adj = 'movecount=3 score=400'\ndraw-adj = 'none'\nseed = 7\n",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("whetstone.toml");
    fuzz("configuration files", &valid, |bytes| {
        std::fs::write(&file, bytes).expect("written");
        let Ok(config) = Config::find(folder.path()) else {
            return;
        };
        let _ = config.section::<MatchFlags>("sprt");
        let Ok(section) = config.section::<toml::Table>("sprt") else {
            return;
        };
        let _ = overlay(&MatchFlags::default(), &section);
        let _ = overlay(&TestFlags::default(), &section).map(|flags| flags.resolve());
    });
}

#[test]
fn configurations_of_tournaments() {
    let valid = [
        "[tournament]\ntitle = \"Spring\"\nkind = \"gauntlet\"\nseeds = 2\nrounds = 100\non-fault = 'void'\n\n[match]\ntc = \"8+0.08\"\nbook = 'a.epd'\n\n[[engine]]\nengine = \"./mine\"\nname = \"Mine\"\noption = [\"Hash=64\"]\n\n[[engine]]\nengine = \"stash\"\nfamily = \"theirs\"\nnodes = 5000\n",
        "[match]\ndepth = 3\n[[engine]]\nengine = 'a'\ndir = '.'\ninit = ['x']\ntime-margin = 5\nrestart = 'game'\n[[engine]]\nengine = 'b'\n",
        "cpus = 12\nbook = ../tests/book.dta\ngame_rounds = 50\ntitle = My funky test\nadjudicate = 200\n\n# players\nplayer = reference\ninvoke = ../player/leiserchess -q \"a b\"\nfis = 60 0.5\nhash = 64\n\nplayer = mine\ninvoke ./mine\nfamily = us\nnodes = 1,000,000\n",
        "player = a\ninvoke = a\ntc = 40 60\nplayer = b\ninvoke = b\ndepth = 4\nelo = 2000\ntitle = late\n",
        "'./my engine' name=Mine option=Hash=64 'option=Book File=a b.bin' nodes=500 family=x tc=4+0.04",
    ];
    let files = ["spring.toml", "auto.txt"].map(Path::new);
    for (text, file) in [(valid[0], files[0]), (valid[2], files[1])] {
        configuration::read_text(file, text.to_owned()).expect("a configuration");
    }
    fuzz("configurations of tournaments", &valid, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let _ = EngineRequest::parse(&text);
        for file in files {
            let Ok(mut request) = configuration::read_text(file, text.clone().into_owned()) else {
                continue;
            };
            let _ = request.put_over(&TournamentFlags::default(), &MatchFlags::default());
            let Ok(common) = request.play.settings() else {
                continue;
            };
            for engine in &request.engines {
                let _ = engine.flags.entry(&engine.source, &common);
            }
        }
    });
}
