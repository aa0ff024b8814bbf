//! Openings for data generation, as an OpenBench worker asks for them: random moves from a book's
//! positions or the initial one, kept when the engine finds them roughly level.

use std::fs;

use crate::position::Position;
use crate::score;
use crate::search::job::{Job, Settings};
use crate::search::limits::Limits;
use crate::search::threads;
use crate::search::{Signals, ThreadData};
use crate::tt::Table;

const RANDOM_PLIES: usize = 8;
/// Plies of a book's position are its own already.
const BOOK_PLIES: usize = 4;
const CHECK_NODES: u64 = 2_000;
/// Centipawns.
const LEVEL: i32 = 150;
/// Openings tried for one wanted until there can be none.
const GIVE_UP: usize = 10_000;
/// Openings tried for each one wanted before the level is widened.
const ATTEMPTS: usize = 64;

/// `N seed S book FILE|None`, and whatever else the server's form holds.
fn parse(words: &[&str]) -> Result<(usize, u64, Option<String>), String> {
    let [count, "seed", seed, "book", book, ..] = words else {
        return Err("genfens takes: N seed S book FILE|None".to_owned());
    };
    let count = count
        .parse()
        .map_err(|_| format!("genfens: '{count}' is no number"))?;
    let seed = seed
        .parse()
        .map_err(|_| format!("genfens: seed '{seed}' is no number"))?;
    let book = (!book.eq_ignore_ascii_case("none")).then(|| (*book).to_owned());
    Ok((count, seed, book))
}

/// Prints `N` lines `info string genfens FEN`.
pub fn run(words: &[&str], settings: &Settings, print: impl Fn(&str)) -> Result<(), String> {
    let (count, seed, book) = parse(words)?;
    let book = match &book {
        None => Vec::new(),
        Some(path) => read_book(path)?,
    };
    let mut random = SplitMix(seed);
    let mut balance = BalanceCheck {
        table: Table::new(1),
        threads: [ThreadData::default()],
        settings: settings.clone(),
    };
    for _ in 0..count {
        let mut attempts = 0;
        let position = loop {
            attempts += 1;
            if attempts > GIVE_UP {
                return Err(
                    "genfens: the book's positions lead to no game that is still open".to_owned(),
                );
            }
            let candidate = walk(&book, &mut random);
            let tolerance = LEVEL * (1 + attempts / ATTEMPTS) as i32;
            if let Some(position) = candidate
                && balance.score(&position).abs() <= tolerance
            {
                break position;
            }
        };
        print(&format!("info string genfens {}", position.board()));
    }
    Ok(())
}

/// The first four fields of every line that is a position.
fn read_book(path: &str) -> Result<Vec<Position>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("genfens: {path}: {error}"))?;
    let positions: Vec<Position> = text
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().take(4).collect();
            Position::from_fen(&fields.join(" ").replace(';', "")).ok()
        })
        .collect();
    if positions.is_empty() {
        return Err(format!("genfens: {path} holds no position"));
    }
    Ok(positions)
}

/// Plays random moves; none when the game is over on the way.
fn walk(book: &[Position], random: &mut SplitMix) -> Option<Position> {
    let (mut position, plies) = if book.is_empty() {
        (Position::new(cozy_chess::Board::startpos()), RANDOM_PLIES)
    } else {
        (book[random.below(book.len())].clone(), BOOK_PLIES)
    };
    // One ply more or less, so that both sides come to move.
    for _ in 0..plies + random.below(2) {
        let moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    position.has_moves().then_some(position)
}

struct BalanceCheck {
    table: Table,
    threads: [ThreadData; 1],
    settings: Settings,
}

impl BalanceCheck {
    fn score(&mut self, position: &Position) -> score::Score {
        self.table.clear();
        self.threads[0].clear();
        let job = Job {
            position: position.clone(),
            earlier_keys: Vec::new(),
            limits: Limits {
                nodes: CHECK_NODES,
                ..Limits::default()
            },
            settings: self.settings.clone(),
            start: std::time::Instant::now(),
            verbose: false,
        };
        threads::run(&job, &mut self.threads, &self.table, &Signals::default()).score
    }
}

/// The generator of Steele, Lea and Flood (2014).
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}
