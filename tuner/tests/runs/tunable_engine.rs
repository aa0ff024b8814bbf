//! An engine with options to tune, good and bad ones, for the tests of whatever tunes engines.
//!
//! Its strength is a function of `Margin`: the farther from 140, the more games it gives up. Its
//! search depends on `Margin`, `Scale` and `Gated`; `Dead` does nothing. The name it is started
//! under chooses a mistake that real engines have made.
#![allow(
    clippy::exit,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it is a program under test, and talks as engines do"
)]

use std::collections::BTreeMap;
use std::io::{self, Write};

use referee::game;
use referee::openings::Opening;

const BEST_MARGIN: f64 = 140.0;
/// The score of an engine that gives up, in centipawns.
const LOST: i32 = -1000;

struct Engine {
    mistake: String,
    options: BTreeMap<&'static str, f64>,
    /// What was derived from the options when they were first used; the mistake `stale` never
    /// renews it.
    derived: Option<u64>,
    /// Searches so far, which a new game should make it forget.
    searches: u64,
    position: String,
    moves: u32,
    gives_up: bool,
    /// Without which `Gated` does nothing in the engine that makes the mistake `gated`.
    gate_is_open: bool,
    /// Options of the engine named `chooser`: the right ones of their values win games.
    is_wild: bool,
    style: String,
    /// Of the search under way; `Gated` waits for deep ones in the engine named `deep-gate`.
    depth: u32,
}

fn main() {
    let name = std::env::args().next().unwrap_or_default();
    let mut engine = Engine {
        mistake: name.rsplit('/').next().unwrap_or_default().to_owned(),
        options: BTreeMap::from([
            ("Margin", 100.0),
            ("Scale", 1.5),
            ("Gated", 3.0),
            ("Dead", 10.0),
        ]),
        derived: None,
        searches: 0,
        position: String::new(),
        moves: 0,
        gives_up: false,
        gate_is_open: false,
        is_wild: true,
        style: "calm".to_owned(),
        depth: 0,
    };
    // What it prints for tuners was written down once, and the options have changed since.
    if ["lister", "old-list"].contains(&engine.mistake.as_str())
        && std::env::args().any(|argument| argument == "spsa")
    {
        send("An engine by A, B, C, D, E, F and G");
        send("Margin, int, 100, 0, 400, 20, 0.002");
        send("Gated, int, 3, 1, 9, 1, 0.002");
        send("Lost, int, 10, 0, 20, 1, 0.002");
        if engine.mistake == "old-list" {
            send("Still, int, 10, 0, 20, 0, 0.002");
            send("Longer, int, 10, 0, 20, 1, 0.002, 7");
        }
        return;
    }
    if engine.mistake == "bad-list" && std::env::args().any(|argument| argument == "spsa") {
        send("Margin, int, 450, 0, 400, 20, 0.002");
        return;
    }
    // Of two copies of this default, the search reads the one that was not updated.
    if engine.mistake == "two-defaults" {
        engine.options.insert("Margin", 90.0);
    }
    let mut line = String::new();
    while io::stdin()
        .read_line(&mut line)
        .is_ok_and(|length| length > 0)
        && engine.handle(line.trim())
    {
        line.clear();
    }
}

fn send(text: &str) {
    println!("{text}");
    let _ = io::stdout().flush();
}

/// Reads no more input, and has to be killed.
fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

impl Engine {
    fn handle(&mut self, line: &str) -> bool {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("uci", _) => {
                send("id name Tunable Engine");
                send("option name Margin type spin default 100 min 0 max 400");
                send("option name Scale type string default 1.5");
                send("option name Gated type spin default 3 min 1 max 8");
                send("option name Dead type spin default 10 min 0 max 20");
                send("option name Hash type spin default 16 min 1 max 64");
                send("option name Ponder type check default false");
                if self.mistake == "idle-switch" {
                    send("option name UseMargin type check default true");
                    send("option name Style type combo default calm var calm var bold var wild");
                }
                if self.mistake == "lister" {
                    send(
                        "option name Net type combo default 1 var 1 var 2 var 3 var 4 var 5 var 6 var 7",
                    );
                }
                if self.mistake == "chooser" {
                    send("option name Wild type check default true");
                    send(
                        "option name Style type combo default calm var calm var very bold var mad",
                    );
                    send(
                        "option name Net type combo default 1 var 1 var 2 var 3 var 4 var 5 var 6 var 7",
                    );
                    send("option name Clear Hash type button");
                }
                if self.mistake == "gated" {
                    send("option name UseGate type check default false");
                }
                if self.mistake == "twice" {
                    send("option name margin type spin default 100 min 0 max 400");
                }
                send("uciok");
            }
            ("isready", _) => send("readyok"),
            ("setoption", rest) => self.set(rest),
            ("ucinewgame", _) => self.moves = 0,
            ("position", rest) => rest.clone_into(&mut self.position),
            ("go", how) => return self.go(how),
            ("bench", _) => self.bench(),
            ("quit", _) => return false,
            _ => {}
        }
        true
    }

    fn set(&mut self, rest: &str) {
        let Some((name, value)) = rest.trim_start_matches("name ").split_once(" value ") else {
            return;
        };
        match name {
            "UseGate" => self.gate_is_open = value == "true",
            // As engines do: what is neither is ignored.
            "Wild" => self.is_wild = value.parse().unwrap_or(self.is_wild),
            "Style" if ["calm", "very bold", "mad"].contains(&value) => {
                value.clone_into(&mut self.style);
            }
            _ => {}
        }
        if name == "Hash" && self.mistake == "hash-takes-all" && value.parse::<u32>().is_err() {
            std::process::exit(7);
        }
        let exact = self.mistake == "case-sensitive";
        let known = self.options.keys().copied().find(|known| {
            if exact {
                *known == name
            } else {
                known.eq_ignore_ascii_case(name)
            }
        });
        let (Some(name), Ok(value)) = (known, value.parse::<f64>()) else {
            if self.mistake == "hang-on-text" && known == Some("Margin") {
                hang();
            }
            if self.mistake == "crash-on-text" && known.is_some() {
                eprintln!("terminate called after throwing an instance\n  what(): stoi");
                std::process::exit(6);
            }
            return;
        };
        let value = match (name, self.mistake.as_str()) {
            ("Scale", _) => value,
            (_, "truncates") => value.trunc(),
            _ => value.round(),
        };
        if self.mistake == "crash-when-set" && name == "Margin" && value > 105.0 {
            std::process::exit(8);
        }
        let (min, max) = match name {
            "Margin" => (0.0, 400.0),
            "Gated" => (1.0, 8.0),
            "Dead" => (0.0, 20.0),
            _ => (f64::MIN, f64::MAX),
        };
        if self.mistake != "unchecked" && !(min..=max).contains(&value) {
            return;
        }
        self.options.insert(name, value);
    }

    /// Searches; false where it is told to quit meanwhile.
    fn go(&mut self, how: &str) -> bool {
        let mistake = self.mistake.clone();
        let (kind, number) = how.split_once(' ').unwrap_or((how, ""));
        if mistake == "hangs" {
            hang();
        }
        let endless = match kind {
            "infinite" => true,
            "nodes" => mistake == "ignores-nodes",
            "movetime" => mistake == "ignores-time",
            _ => false,
        };
        if endless {
            send("info depth 1 score cp 1 nodes 1 pv e2e4");
            let mut line = String::new();
            loop {
                line.clear();
                if io::stdin().read_line(&mut line).unwrap_or(0) == 0 {
                    return false;
                }
                match line.trim() {
                    _ if mistake == "deaf" => {}
                    "stop" => break,
                    "quit" => return false,
                    _ => {}
                }
            }
        }
        self.depth = match kind {
            "depth" => number.parse().unwrap_or(0),
            _ => u32::MAX,
        };
        if mistake == "slow-deep" && kind == "depth" && self.depth > 8 {
            std::thread::sleep(std::time::Duration::from_mins(1));
        }
        let nodes = match (kind, mistake.as_str()) {
            ("nodes", "overshoots") => Some(50_000),
            ("nodes", "depth-one") => Some(7),
            ("nodes", _) => number.parse().ok(),
            _ => None,
        };
        self.answer(nodes);
        true
    }

    /// As many nodes as a search of some positions with these options would take.
    fn bench(&self) {
        let salt = match self.mistake.as_str() {
            "blind-bench" => 0,
            "half-blind-bench" => self.options["Gated"] as u64,
            "restless-bench" => u64::from(std::process::id()),
            "benchless" => return,
            _ => self.derive(),
        };
        send(&format!("{} nodes 1000000 nps", 1_000_000 + salt % 100_000));
    }

    fn derive(&self) -> u64 {
        let known = (
            self.options["Margin"],
            self.options["Scale"],
            self.options["Gated"],
        );
        if self.mistake == "deep-gate" && self.depth < 12 {
            return hash(&format!("{:?}", (known.0, known.1)));
        }
        if self.mistake == "chooser" {
            return hash(&format!("{known:?} {} {}", self.is_wild, self.style));
        }
        match (self.mistake.as_str(), self.gate_is_open) {
            ("gated", false) => hash(&format!("{:?}", (known.0, known.1))),
            _ => hash(&format!("{known:?}")),
        }
    }

    fn answer(&mut self, nodes: Option<u64>) {
        wait_while_held();
        self.moves += 1;
        self.searches += 1;
        if self.mistake == "in-company" {
            wait_for_company();
        }
        let margin = self.options["Margin"];
        if self.mistake == "crash-above" && margin > 105.0 {
            std::process::exit(9);
        }
        if self.mistake == "hang-above" && margin > 399.0 {
            hang();
        }
        if self.mistake == "crash-below" && margin < 1.0 {
            std::process::exit(9);
        }
        let now = match self.mistake.as_str() {
            "restless" => hash(&format!("{} {}", std::process::id(), self.searches)),
            "remembers" => self.searches,
            _ => self.derive(),
        };
        let derived = match (self.derived, self.mistake.as_str()) {
            (Some(derived), "stale") => derived,
            _ => now,
        };
        self.derived = Some(derived);
        if self.moves == 1 {
            let mut losses = ((margin - BEST_MARGIN).abs() * 1.5) as u64;
            if self.mistake == "chooser" {
                losses = 30 * u64::from(self.is_wild) + 30 * u64::from(self.style != "very bold");
            }
            self.gives_up = hash(&self.position) % 100 < losses;
        }
        let score = if self.mistake == "nodes-only" {
            0
        } else if self.gives_up {
            LOST
        } else {
            (derived % 7) as i32
        };
        let nodes = nodes.unwrap_or(100 + (hash(&self.position) ^ derived) % 1000);
        let is_illegal = match self.mistake.as_str() {
            "illegal-above" => margin > 399.0,
            "illegal" => true,
            _ => false,
        };
        let best = if is_illegal {
            "a1a1".to_owned()
        } else {
            legal_move(&self.position, hash(&self.position))
        };
        let nodes = match self.mistake.as_str() {
            "mum" => String::new(),
            _ => format!(" nodes {nodes}"),
        };
        send(&format!("info depth 1 score cp {score}{nodes} pv {best}"));
        send(&format!("bestmove {best}"));
    }
}

/// A legal move, found by trying all pairs of squares from a place that depends on `salt`.
fn legal_move(position: &str, salt: u64) -> String {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let opening = Opening {
        start: start.strip_prefix("fen ").map(str::to_owned),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
    };
    let Some(mut game) = game::variant("standard").and_then(|rules| rules.start(&opening).ok())
    else {
        return "0000".to_owned();
    };
    let square = |index: u64| {
        let (file, rank) = ((index % 8) as u8, (index / 8) as u8);
        format!("{}{}", (b'a' + file) as char, (b'1' + rank) as char)
    };
    let pairs = (0..4096).map(|step| (step + salt) % 4096);
    let plain = pairs.map(|pair| square(pair / 64) + &square(pair % 64));
    let promoted = (0..4096).map(|pair| square(pair / 64) + &square(pair % 64) + "q");
    plain
        .chain(promoted)
        .find(|text| game.play(text).is_ok())
        .unwrap_or_else(|| "0000".to_owned())
}

/// Searches only once two pairs are played at the same time: waits for the engine on move in the
/// other slot.
fn wait_for_company() {
    let own = format!("company-{}", std::process::id());
    let _ = std::fs::write(own, "");
    let company = || {
        let here = std::fs::read_dir(".").into_iter().flatten().flatten();
        let names = here.map(|entry| entry.file_name());
        names
            .filter(|name| name.to_string_lossy().starts_with("company-"))
            .count()
    };
    let started = std::time::Instant::now();
    while company() < 2 {
        if started.elapsed().as_secs() > 20 {
            std::process::exit(7);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }) >> 7
}

/// Waits while `hold` beside the engine names a journal that has begun: a test has yet to send its
/// signal.
fn wait_while_held() {
    let own = std::env::args().next().unwrap_or_default();
    let hold = std::path::Path::new(&own).with_file_name("hold");
    let journal = || std::fs::metadata(std::fs::read_to_string(&hold).ok()?).ok();
    while journal().is_some_and(|journal| journal.len() > 1) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
