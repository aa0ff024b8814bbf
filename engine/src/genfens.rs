//! Openings for data generation, as an OpenBench worker requests them: random moves from a position
//! of a book or from the initial position, kept if the engine considers them roughly balanced.

use crate::book::Book;
use crate::player::Player;
use crate::position::Position;
use crate::random::SplitMix;
use crate::search::job::Settings;

const RANDOM_PLIES: usize = 8;
/// A book's position has been varied already.
const BOOK_PLIES: usize = 4;
/// Nodes to tell whether an opening is balanced.
pub const CHECK_NODES: u64 = 2_000;
/// Largest score of a balanced opening, in centipawns.
const BALANCED: i32 = 150;
/// Candidates per opening after which the limit is raised by itself.
const ATTEMPTS: usize = 64;
/// Candidates per opening after which generation fails.
const MAX_ATTEMPTS: usize = 10_000;

struct Request<'a> {
    count: usize,
    seed: u64,
    book: Option<&'a str>,
    /// Arguments that this engine does not know.
    unknown: &'a [&'a str],
}

fn parse<'a>(words: &'a [&'a str]) -> Result<Request<'a>, String> {
    let [count, "seed", seed, "book", book, unknown @ ..] = words else {
        return Err("genfens: expected 'N seed S book FILE|None'".to_owned());
    };
    Ok(Request {
        count: count
            .parse()
            .map_err(|_| format!("genfens: expected a number of openings, got '{count}'"))?,
        seed: seed
            .parse()
            .map_err(|_| format!("genfens: expected a number as seed, got '{seed}'"))?,
        book: (!book.eq_ignore_ascii_case("none")).then_some(*book),
        unknown,
    })
}

/// Prints `N` lines `info string genfens FEN`.
pub fn run(words: &[&str], settings: &Settings, print: impl Fn(&str)) -> Result<(), String> {
    let request = parse(words)?;
    for word in request.unknown {
        print(&format!(
            "info string genfens: unknown argument '{word}', ignored"
        ));
    }
    let mut openings =
        Openings::new(request.book, CHECK_NODES).map_err(|error| format!("genfens: {error}"))?;
    let mut player = Player::new(settings, CHECK_NODES);
    let mut random = SplitMix::new(request.seed);
    for _ in 0..request.count {
        let position = openings
            .draw(&mut player, &mut random)
            .map_err(|error| format!("genfens: {error}"))?;
        print(&format!("info string genfens {}", position.board()));
    }
    Ok(())
}

/// Draws openings at random.
pub struct Openings {
    book: Option<Book>,
    /// Nodes of the search that tells whether a position is balanced.
    nodes: u64,
}

impl Openings {
    pub fn new(book: Option<&str>, nodes: u64) -> Result<Self, String> {
        let book = book.map(Book::open).transpose()?;
        Ok(Self { book, nodes })
    }

    /// A position that the player considers balanced, after it has forgotten all before. It depends on
    /// the random numbers only.
    pub fn draw(&mut self, player: &mut Player, random: &mut SplitMix) -> Result<Position, String> {
        // Once for all candidates: it takes as long as several of the shortest searches.
        player.clear();
        for attempt in 1..=MAX_ATTEMPTS {
            let limit = BALANCED * (1 + attempt / ATTEMPTS) as i32;
            let (start, plies) = match &mut self.book {
                None => (Position::new(cozy_chess::Board::startpos()), RANDOM_PLIES),
                Some(book) => (book.draw(random)?, BOOK_PLIES),
            };
            if let Some(position) = random_moves(start, plies, random)
                && player.score(&position, self.nodes).abs() <= limit
            {
                return Ok(position);
            }
        }
        Err("no opening found in which the game is open".to_owned())
    }
}

/// Plays random moves; `None` if the game ends on the way.
fn random_moves(mut position: Position, plies: usize, random: &mut SplitMix) -> Option<Position> {
    // One ply more or not, so that either side may be to move.
    for _ in 0..plies + random.below(2) as usize {
        let moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[random.below(moves.len() as u64) as usize]);
    }
    position.has_moves().then_some(position)
}
