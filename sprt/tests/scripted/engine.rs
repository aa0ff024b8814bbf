//! An engine that plays legal moves and misbehaves on demand, for the tests of whatever plays
//! engines.
//!
//! It is deterministic: its move and its score are functions of the position it is given and of its
//! options. The option `Script` says what it does wrong, and at which of its moves in a game:
//! `crash@3`, or at all of them: `crash@all`; or at which `ucinewgame` of the process:
//! `crash@game2`; or at once: `crash@option`. Faults that come before options can be set are chosen
//! by the name it is started under: `no-uciok`, `slow-uciok`, `deaf`, and `endless` and `greedy`,
//! which keep no limit. One whose name begins with `ponder` can ponder; the option `Ponders` says
//! how ([`ponder`]).
#![allow(
    clippy::exit,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it is a program under test, and talks as engines do"
)]

mod misbehaviour;
mod ponder;

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

/// The score of an engine that gives up, in centipawns.
const LOST: i32 = -1000;
/// Misbehaves at every move.
const EVERY: u32 = u32::MAX;

pub struct Engine {
    /// The name it was started under.
    name: String,
    misbehaviour: String,
    /// At which of its moves, from 1; 0 is never.
    at: u32,
    /// At which `ucinewgame` of the process, from 1; 0 is never.
    at_game: u32,
    /// Percent of the games in which it gives up.
    losses: u64,
    gives_up: bool,
    line_end: &'static str,
    position: String,
    moves_made: u32,
    games_begun: u32,
    /// The move that answers `stop`.
    pending: Option<String>,
    castling: CastlingMode,
    /// Where every `go` is written to.
    log: String,
    /// How it ponders.
    ponders: String,
    /// Whether it may ponder.
    may_ponder: bool,
}

fn main() {
    let mut arguments = std::env::args();
    let name = arguments.next().unwrap_or_default();
    match arguments.next().as_deref() {
        Some("bench") => {
            println!("4321 nodes 1000 nps");
            return;
        }
        // A child that an engine leaves behind, with the engine's output in its hands.
        Some("linger") => {
            let _ = nix::unistd::setsid();
            std::thread::sleep(Duration::from_mins(10));
            return;
        }
        _ => {}
    }
    let name = name.rsplit('/').next().unwrap_or_default().to_owned();
    let mut engine = Engine {
        name,
        misbehaviour: String::new(),
        at: 0,
        at_game: 0,
        losses: 0,
        gives_up: false,
        line_end: "\n",
        position: String::new(),
        moves_made: 0,
        games_begun: 0,
        pending: None,
        castling: CastlingMode::Standard,
        log: String::new(),
        ponders: String::new(),
        may_ponder: false,
    };
    while let Some(line) = read_line()
        && engine.handle(line.trim())
    {}
    if engine.name == "deaf" {
        // Neither `quit` nor the end of its input ends it.
        std::thread::sleep(Duration::from_mins(10));
    }
}

impl Engine {
    /// Handles a command; `false` to quit.
    pub fn handle(&mut self, line: &str) -> bool {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("uci", _) => self.introduce(),
            ("isready", _) => self.be_ready(),
            ("setoption", rest) => return self.set(rest),
            ("ucinewgame", _) => {
                self.moves_made = 0;
                self.games_begun += 1;
                if self.games_begun == self.at_game {
                    return self.misbehave("", "");
                }
            }
            ("position", rest) => rest.clone_into(&mut self.position),
            ("go", rest) => return self.go(rest),
            ("stop", _) if self.is_deaf_to_stop() => {}
            ("stop" | "ponderhit", _) => {
                if let Some(best) = self.pending.take() {
                    self.give(&best);
                }
            }
            ("quit", _) => return false,
            _ => {}
        }
        true
    }

    fn introduce(&self) {
        match self.name.as_str() {
            "no-uciok" => return,
            "slow-uciok" => std::thread::sleep(Duration::from_secs(2)),
            _ => {}
        }
        self.send("id name Scripted Engine");
        self.send("id author the tests");
        self.send("option name Hash type spin default 16 min 1 max 1024");
        self.send("option name Threads type spin default 1 min 1 max 1");
        self.send("option name UCI_Chess960 type check default false");
        self.send("option name Script type string default <empty>");
        self.send("option name Log type string default <empty>");
        self.send("option name Losses type spin default 0 min 0 max 100");
        if self.name.starts_with("ponder") {
            self.send("option name Ponder type check default false");
            self.send("option name Ponders type string default hit");
        }
        self.send("uciok");
    }

    /// `false` to quit.
    fn set(&mut self, rest: &str) -> bool {
        let (name, value) = rest
            .trim_start_matches("name ")
            .split_once(" value ")
            .unwrap_or((rest, ""));
        match name {
            "Script" => {
                let (misbehaviour, at) = value.rsplit_once('@').unwrap_or((value, "0"));
                misbehaviour.clone_into(&mut self.misbehaviour);
                let game = at.strip_prefix("game").and_then(|game| game.parse().ok());
                self.at_game = game.unwrap_or(0);
                self.at = if at == "all" {
                    EVERY
                } else {
                    at.parse().unwrap_or(0)
                };
                match misbehaviour {
                    "crlf" => (self.line_end, self.at) = ("\r\n", 0),
                    "carriage-return" => (self.line_end, self.at) = ("\r", 0),
                    _ if at == "option" => return self.misbehave("", ""),
                    _ => {}
                }
            }
            "UCI_Chess960" => self.castling = CastlingMode::from_chess960(value == "true"),
            "Log" => value.clone_into(&mut self.log),
            "Ponder" => self.may_ponder = value == "true",
            "Ponders" => value.clone_into(&mut self.ponders),
            "Losses" => self.losses = value.parse().unwrap_or(0),
            _ => {}
        }
        true
    }

    fn go(&mut self, limits: &str) -> bool {
        self.moves_made += 1;
        self.write_down(limits);
        if self.moves_made == 1 {
            self.gives_up = hash(&self.position) % 100 < self.losses;
        }
        let moves = self.legal_moves(limits);
        if moves.is_empty() {
            self.send("bestmove (none)");
            return true;
        }
        match self.name.as_str() {
            // It ignores `stop`.
            "endless" => loop {
                self.send("info depth 1 score cp 0 nodes 4711 pv a1a1");
                std::thread::sleep(Duration::from_millis(20));
            },
            "greedy" => {
                self.send("info depth 9 score cp 0 nodes 297633");
                self.send(&format!("bestmove {}", moves[0]));
                return true;
            }
            _ => {}
        }
        let best = &moves[(hash(&self.position) % moves.len() as u64) as usize];
        if self.moves_made == self.at || self.at == EVERY {
            return self.misbehave(best, limits);
        }
        let score = if self.gives_up { LOST } else { 0 };
        let depth = number_after(limits, "depth").unwrap_or(1);
        let nodes = number_after(limits, "nodes").unwrap_or(moves.len() as u64);
        self.send(&format!(
            "info depth {depth} seldepth {depth} score cp {score} nodes {nodes} pv {best}"
        ));
        let best = best.clone();
        if limits.starts_with("ponder") {
            self.ponder(best);
        } else if limits.contains("infinite") {
            self.pending = Some(best);
        } else {
            self.give(&best);
        }
        true
    }

    fn write_down(&self, limits: &str) {
        if !self.log.is_empty() {
            let file = OpenOptions::new().create(true).append(true).open(&self.log);
            writeln!(file.expect("a log"), "go {limits}").expect("written");
        }
    }

    /// The legal moves of the position it was given, in a fixed order; of those after
    /// `searchmoves`, where there are any.
    fn legal_moves(&self, limits: &str) -> Vec<String> {
        let (start, moves) = self
            .position
            .split_once(" moves ")
            .unwrap_or((&self.position, ""));
        let mut position = match start.strip_prefix("fen ") {
            None => Chess::default(),
            Some(fen) => fen
                .parse::<Fen>()
                .ok()
                .and_then(|fen| fen.into_position(self.castling).ok())
                .expect("a legal position"),
        };
        for text in moves.split_whitespace() {
            let played: UciMove = text.parse().expect("a move");
            let played = played.to_move(&position).expect("a legal move");
            position.play_unchecked(played);
        }
        let mut moves: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|legal| legal.to_uci(self.castling).to_string())
            .collect();
        if let Some((_, wanted)) = limits.split_once("searchmoves ") {
            moves.retain(|text| wanted.split(' ').any(|word| word == text));
        }
        moves.sort();
        moves
    }

    fn send(&self, text: &str) {
        // In one write, however many lines they are.
        let text = format!("{text}{}", self.line_end);
        let _ = io::stdout().write_all(text.as_bytes());
        let _ = io::stdout().flush();
    }
}

fn number_after(text: &str, word: &str) -> Option<u64> {
    let mut words = text.split(' ').skip_while(|it| *it != word);
    words.nth(1)?.parse().ok()
}

/// `None` at the end of the input.
fn read_line() -> Option<String> {
    let mut line = Vec::new();
    let read = io::BufRead::read_until(&mut io::stdin().lock(), b'\n', &mut line);
    let line = String::from_utf8_lossy(&line).into_owned();
    read.is_ok_and(|read| read > 0).then_some(line)
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
