//! A game between persons and engines: side to move, clocks, moves and result.
//!
//! Invariant: `clocks` has one element more than `moves`, the last being the clock as it stands, so
//! that a move that is taken back takes its time back too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use engine_client::{Color, Info, Limit, SideLimit};
use foundation::Failure;
use referee::arena::{Clock, GameEnd, GameFault, PlayedMove};
use referee::game::{Game, Opening, Variant};
use tokio::sync::watch;

use super::player::Player;
use super::seat::Seat;

/// A move may be so late before a flag falls: the page is not as near as an engine.
const MARGIN: Duration = Duration::from_millis(500);

pub(crate) struct Table {
    pub(super) variant: &'static dyn Variant,
    pub(super) players: Vec<Player>,
    pub(super) limit: Limit,
    pub(super) seats: [Seat; 2],
    /// Start and the moves that were given with it.
    pub(super) opening: Opening,
    pub(super) game: Box<dyn Game>,
    /// After the opening.
    pub(super) moves: Vec<PlayedMove>,
    clocks: Vec<Clock>,
    /// Since when the side to move has its turn.
    turn: Instant,
    pub(super) started: SystemTime,
    /// The same moment, and that of the end.
    began: Instant,
    ended: Option<Instant>,
    pub(super) end: Option<GameEnd>,
    /// The output of the engine to move, the latest last.
    pub(super) thoughts: Vec<String>,
    /// What went wrong that the person should know.
    pub(super) trouble: Option<String>,
    pub(super) version: u64,
    changed: watch::Sender<u64>,
}

/// The table, shared by requests and engines.
#[derive(Clone)]
pub(crate) struct SharedTable(Arc<Mutex<Table>>);

impl SharedTable {
    pub(crate) fn new(table: Table) -> Self {
        Self(Arc::new(Mutex::new(table)))
    }

    /// A request that failed half-way left the table as it was.
    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.table().changed.subscribe()
    }
}

impl Table {
    /// A game from the usual start, in which the first engine has Black.
    ///
    /// # Errors
    /// The variant has no usual start.
    pub(crate) fn new(
        variant: &'static dyn Variant,
        players: Vec<Player>,
        limit: Limit,
    ) -> Result<Self, Failure> {
        let seats = match players.len() {
            0 => [Seat::Person, Seat::Person],
            _ => [Seat::Person, Seat::Engine(0)],
        };
        let opening = Opening::default();
        Ok(Self {
            game: variant.start(&opening)?,
            variant,
            players,
            clocks: vec![clock(&limit)],
            limit,
            seats,
            opening,
            moves: Vec::new(),
            turn: Instant::now(),
            started: SystemTime::now(),
            began: Instant::now(),
            ended: None,
            end: None,
            thoughts: Vec::new(),
            trouble: None,
            version: 0,
            changed: watch::Sender::new(0),
        })
    }

    pub(super) fn change(&mut self) {
        self.version += 1;
        self.changed.send_replace(self.version);
    }

    /// Who is to move; nobody in a game that is over.
    pub(super) fn mover(&self) -> Option<Seat> {
        self.end.is_none().then(|| self.seat(self.game.to_move()))
    }

    pub(super) fn seat(&self, color: Color) -> Seat {
        match color {
            Color::White => self.seats[0],
            Color::Black => self.seats[1],
        }
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clocks[self.moves.len()]
    }

    /// How long the side to move has had its turn. Clocks stand still until the first move, and from the
    /// end on.
    pub(super) fn elapsed(&self) -> Duration {
        if self.moves.is_empty() {
            Duration::ZERO
        } else {
            self.last_moment().saturating_duration_since(self.turn)
        }
    }

    /// How long the game took so far.
    pub(super) fn duration(&self) -> Duration {
        self.last_moment().saturating_duration_since(self.began)
    }

    fn last_moment(&self) -> Instant {
        self.ended.unwrap_or_else(Instant::now)
    }

    /// Begins anew from a position or a line of moves as text, with these in the seats.
    ///
    /// # Errors
    /// The text is no game of the variant; the current one continues.
    pub(super) fn begin(&mut self, seats: [Seat; 2], text: &str) -> Result<(), Failure> {
        let opening = read_game(text);
        self.game = self.variant.start(&opening)?;
        self.opening = opening;
        self.seats = seats;
        self.moves.clear();
        self.clocks = vec![clock(&self.limit)];
        (self.started, self.began) = (SystemTime::now(), Instant::now());
        self.go_on();
        Ok(())
    }

    /// The same from the command line.
    ///
    /// # Errors
    /// As for [`Table::begin`].
    pub(crate) fn begin_with(&mut self, text: &str) -> Result<(), Failure> {
        self.begin(self.seats, text)
    }

    fn take_turn(&mut self) {
        self.turn = Instant::now();
        self.thoughts.clear();
        self.change();
    }

    /// The game is not over any more.
    fn go_on(&mut self) {
        (self.end, self.ended, self.trouble) = (None, None, None);
        self.take_turn();
    }

    fn finish(&mut self, end: GameEnd) {
        (self.end, self.ended) = (Some(end), Some(Instant::now()));
        self.change();
    }

    /// Changes who plays each side; the game continues, and so does the turn.
    ///
    /// # Errors
    /// The game is over, and its record names who played it.
    pub(super) fn sit(&mut self, seats: [Seat; 2]) -> Result<(), Failure> {
        if self.end.is_some() {
            return Err(Failure::unable(
                "the game is over; begin a new one, or take a move back first",
            ));
        }
        if seats != self.seats {
            self.seats = seats;
            self.thoughts.clear();
            self.change();
        }
        Ok(())
    }

    /// A person's move.
    ///
    /// # Errors
    /// It is not a person's turn, or the move is illegal.
    pub(super) fn play(&mut self, text: &str) -> Result<(), Failure> {
        match self.mover() {
            None => return Err(Failure::unable("the game is over")),
            Some(Seat::Engine(_)) => return Err(Failure::unable("the engine is to move")),
            Some(Seat::Person) => {}
        }
        let text = self.meant(text)?;
        self.make(text, Info::default(), None, self.elapsed())
            .map_err(|text| Failure::unable(format!("`{text}` is no legal move here")))
    }

    /// The legal move that a person means: as engines write it, or as records do.
    fn meant(&self, text: &str) -> Result<String, Failure> {
        let legal = self.game.legal_moves();
        if legal.iter().any(|known| known == text) {
            return Ok(text.to_owned());
        }
        let bare = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).to_owned();
        let made: Vec<&str> = self.moves.iter().map(|made| made.text.as_str()).collect();
        let is_meant = |known: &String| {
            let line = [&made[..], &[known]].concat();
            let record = self.variant.record(&self.opening, &line).ok();
            let said = record.and_then(|record| record.moves.last().cloned());
            said.is_some_and(|said| bare(&said) == bare(text))
        };
        legal.into_iter().find(is_meant).ok_or_else(|| {
            Failure::unable(format!(
                "`{text}` is no legal move here; moves are written as engines write them, or as in \
                 the list of moves"
            ))
        })
    }

    /// An engine's move, or anybody's; gives the move back where it is illegal.
    pub(super) fn make(
        &mut self,
        text: String,
        info: Info,
        line: Option<String>,
        took: Duration,
    ) -> Result<(), String> {
        let mover = self.game.to_move();
        let mut clock = self.clock().clone();
        if clock.charge(mover, took).is_err() {
            self.flag_fell(mover);
            return Ok(());
        }
        if self.game.play(&text).is_err() {
            return Err(text);
        }
        self.moves.push(PlayedMove {
            text,
            mover,
            info,
            time: took,
            left: clock.left(mover),
            line,
            lines: Vec::new(),
            line_fault: None,
            is_ponder_hit: false,
        });
        self.clocks.push(clock);
        if let Some(ending) = self.game.ending() {
            self.finish(GameEnd::Rules {
                winner: ending.winner,
                text: ending.text.to_owned(),
            });
        }
        // What an engine thought can be read until the next one thinks.
        let thoughts = match (self.seat(mover), self.mover()) {
            (Seat::Engine(_), Some(Seat::Person) | None) => std::mem::take(&mut self.thoughts),
            _ => Vec::new(),
        };
        self.take_turn();
        self.thoughts = thoughts;
        Ok(())
    }

    /// Ends the game if the time of the side to move is up.
    pub(super) fn check_flag(&mut self) {
        let mover = self.game.to_move();
        let allowed = self.clock().allows(mover);
        if self.end.is_none()
            && self.mover() == Some(Seat::Person)
            && self.clock().left(mover).is_some()
            && allowed.is_some_and(|allowed| self.elapsed() > allowed)
        {
            self.flag_fell(mover);
        }
    }

    pub(super) fn flag_fell(&mut self, loser: Color) {
        let fault = GameFault::TimeLoss {
            late_ms: None,
            how: None,
        };
        let is_drawn = !self.game.can_win(loser.opponent());
        self.finish(GameEnd::Fault {
            loser,
            fault,
            is_drawn,
        });
    }

    /// An engine failed; it loses, and a new game can be begun.
    pub(super) fn engine_failed(&mut self, loser: Color, fault: GameFault, words: String) {
        self.trouble = Some(words);
        self.finish(GameEnd::Fault {
            loser,
            fault,
            is_drawn: false,
        });
    }

    /// The person to move, or the only one, gives up.
    ///
    /// # Errors
    /// The game is over, or no person plays.
    pub(super) fn resign(&mut self) -> Result<(), Failure> {
        let to_move = self.game.to_move();
        let persons = [to_move, to_move.opponent()];
        let loser = persons
            .into_iter()
            .find(|color| self.seat(*color) == Seat::Person);
        let (Some(loser), None) = (loser, &self.end) else {
            return Err(Failure::unable("nobody can resign now"));
        };
        self.finish(GameEnd::Adjudication {
            winner: Some(loser.opponent()),
            text: format!("{} resigns", loser.name()),
            rule: "resignation".to_owned(),
        });
        Ok(())
    }

    /// Takes back the last move, and as many before it as it takes until a person is to move.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn undo(&mut self) -> Result<(), Failure> {
        if self.moves.is_empty() {
            return Err(Failure::unable("there is no move to take back"));
        }
        let has_person = self.seats.contains(&Seat::Person);
        loop {
            self.moves.pop();
            self.clocks.pop();
            self.set_up()?;
            self.end = None;
            let is_persons = self.mover() == Some(Seat::Person);
            if self.moves.is_empty() || is_persons || !has_person {
                break;
            }
        }
        self.go_on();
        Ok(())
    }

    /// The game after the moves that are left.
    fn set_up(&mut self) -> Result<(), Failure> {
        self.game = self.variant.start(&self.opening)?;
        for made in &self.moves {
            self.game.play(&made.text).map_err(|illegal| {
                Failure::unable(format!("move `{}` cannot be made again", illegal.0))
            })?;
        }
        Ok(())
    }
}

fn clock(limit: &Limit) -> Clock {
    let side = SideLimit {
        // A person is not held to what limits an engine's single moves.
        limit: limit
            .clock
            .clone()
            .map_or_else(Limit::default, Limit::clock),
        margin: MARGIN,
    };
    Clock::new(side.clone(), side)
}

/// What people paste: a position, perhaps with moves after it, or moves from the usual start;
/// whether it can be played is for the variant to say.
fn read_game(text: &str) -> Opening {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text).trim();
    let text = text.strip_prefix("fen ").unwrap_or(text);
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None if text.contains('/') => (text, ""),
        None => ("startpos", text.strip_prefix("startpos").unwrap_or(text)),
    };
    Opening {
        start: (!matches!(start, "" | "startpos")).then(|| start.to_owned()),
        moves: moves.split_ascii_whitespace().map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests;
