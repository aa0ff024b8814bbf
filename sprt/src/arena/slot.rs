//! A slot: two engines that were started once and play pair after pair.

use std::sync::Arc;
use std::time::SystemTime;

use foundation::Failure;
use serde::{Deserialize, Serialize};

use super::game::{self, End, Finished, Terms};
use crate::engine::{Engine, Launch, Patience, Warden};
use crate::openings::Opening;
use crate::report::pgn::{self, GameText, Player};
use crate::rules::{Color, Variant};

/// Everything two sides need to know to play each other.
#[derive(Clone)]
pub struct Contest {
    pub base: Launch,
    pub new: Launch,
    pub patience: Patience,
    pub terms: Terms,
    pub variant: &'static dyn Variant,
}

/// What the journal keeps of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The colour of the new engine.
    pub new: Color,
    /// `None` is a draw.
    pub winner: Option<Color>,
    pub end: End,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Of the whole game, the opening's among them.
    pub plies: usize,
}

impl GameRecord {
    /// The new engine's points, doubled: 0, 1 or 2.
    pub fn new_half_points(&self) -> usize {
        match self.winner {
            None => 1,
            Some(winner) if winner == self.new => 2,
            Some(_) => 0,
        }
    }
}

/// Two games with one opening, in which the new engine had White first and Black then.
#[derive(Clone, Debug)]
pub struct FinishedPair {
    pub pair: u64,
    pub games: [GameRecord; 2],
    /// Both games.
    pub pgn: String,
}

/// An engine that cannot be had with the options of a pair.
#[derive(Debug)]
pub struct OptionFault {
    /// Whether it is NEW.
    pub is_new: bool,
    pub failure: Failure,
}

/// Two engines in the keeping of one warden.
pub struct Slot {
    contest: Arc<Contest>,
    base: Engine,
    new: Engine,
    warden: Warden,
    /// Options of this pair alone, for base and new.
    own_options: [Vec<(String, String)>; 2],
}

impl Slot {
    /// Starts both engines.
    pub async fn open(contest: Arc<Contest>) -> Result<Self, Failure> {
        let warden = Warden::start()?;
        let (base, new) = tokio::try_join!(
            Engine::start(&contest.base, contest.patience, &warden),
            Engine::start(&contest.new, contest.patience, &warden)
        )?;
        Ok(Self {
            contest,
            base,
            new,
            warden,
            own_options: Default::default(),
        })
    }

    /// Sets options from now on, besides those of the contest: a tuner gives each pair its own. Engines that have to be
    /// started again get them too.
    ///
    /// # Errors
    /// An engine does not take a value, or failed when it was given it.
    pub async fn set_options(
        &mut self,
        base: Vec<(String, String)>,
        new: Vec<(String, String)>,
    ) -> Result<(), OptionFault> {
        self.own_options = [base, new];
        let [base, new] = &self.own_options;
        let set = tokio::join!(self.base.set_options(base), self.new.set_options(new));
        set.0.map_err(|failure| OptionFault {
            is_new: false,
            failure,
        })?;
        set.1.map_err(|failure| OptionFault {
            is_new: true,
            failure,
        })
    }

    /// Plays pair number `pair` from `opening`.
    ///
    /// # Errors
    /// The opening is no game, or an engine that spoiled a game cannot be started again.
    pub async fn play(&mut self, pair: u64, opening: &Opening) -> Result<FinishedPair, Failure> {
        let mut games = String::new();
        let first = self
            .play_game(pair, Color::White, opening, &mut games)
            .await?;
        let second = self
            .play_game(pair, Color::Black, opening, &mut games)
            .await?;
        Ok(FinishedPair {
            pair,
            games: [first, second],
            pgn: games,
        })
    }

    async fn play_game(
        &mut self,
        pair: u64,
        new: Color,
        opening: &Opening,
        games: &mut String,
    ) -> Result<GameRecord, Failure> {
        let game = self.contest.variant.start(opening)?;
        let (white, black) = match new {
            Color::White => (&mut self.new, &mut self.base),
            Color::Black => (&mut self.base, &mut self.new),
        };
        let finished = match tokio::join!(white.new_game(), black.new_game()) {
            (Err(fault), _) => game::forfeit(&*game, Color::White, &fault),
            (_, Err(fault)) => game::forfeit(&*game, Color::Black, &fault),
            (Ok(()), Ok(())) => game::play(game, white, black, &self.contest.terms).await,
        };
        if !finished.engines_are_sound {
            self.reopen().await?;
        }
        games.push_str(&self.written(pair, new, opening, &finished));
        let record = GameRecord {
            new,
            winner: finished.winner,
            end: finished.end,
            plies: finished.record.moves.len(),
            text: finished.text,
            detail: finished.detail,
        };
        Ok(record)
    }

    /// Ends both engines, whatever state they are in, and starts them anew.
    async fn reopen(&mut self) -> Result<(), Failure> {
        // Assignment drops the old warden, which kills what is left of the old engines.
        let [base, new] = std::mem::take(&mut self.own_options);
        *self = Self::open(Arc::clone(&self.contest)).await?;
        self.set_options(base, new)
            .await
            .map_err(|fault| fault.failure)
    }

    /// The game as PGN.
    fn written(&self, pair: u64, new: Color, opening: &Opening, finished: &Finished) -> String {
        let time_control = self.contest.terms.limit.pgn();
        let new_player = player(&self.contest.new, &self.new, &time_control);
        let base_player = player(&self.contest.base, &self.base, &time_control);
        let (white, black) = match new {
            Color::White => (new_player, base_player),
            Color::Black => (base_player, new_player),
        };
        let full = "%Y-%m-%dT%H:%M:%S +0000";
        let reason = match (&finished.detail, finished.end) {
            (Some(tried), End::IllegalMove) => format!("{}: {tried}", finished.text),
            _ => finished.text.clone(),
        };
        pgn::write(&GameText {
            event: "sprt",
            site: "?",
            round: pair + 1,
            white,
            black,
            winner: finished.winner,
            reason: &reason,
            end: finished.end,
            variant: self.contest.variant.pgn_name(),
            record: &finished.record,
            book_moves: opening.moves.len(),
            notes: &finished.notes,
            date: &moment(finished.started, "%Y.%m.%d"),
            start_time: &moment(finished.started, full),
            end_time: &moment(finished.started + finished.duration, full),
            duration: finished.duration,
        })
    }

    /// Lets both engines end in their own way.
    pub async fn close(self) {
        tokio::join!(self.base.quit(), self.new.quit());
        drop(self.warden);
    }
}

fn player<'a>(launch: &'a Launch, engine: &'a Engine, time_control: &'a str) -> Player<'a> {
    Player {
        name: &launch.name,
        engine_name: &engine.name,
        engine_author: &engine.author,
        time_control,
    }
}

/// A moment in universal time; outside the years that calendars know, the beginning of 1970.
fn moment(time: SystemTime, format: &str) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or_default();
    time.strftime(format).to_string()
}
