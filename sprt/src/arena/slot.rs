//! A slot: two engines that were started once and play pair after pair.

use std::sync::Arc;

use bench_guard::Failure;
use serde::{Deserialize, Serialize};

use super::game::{self, End, Terms};
use crate::engine::{Engine, Launch, Patience, Warden};
use crate::openings::Opening;
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

/// Two engines in the keeping of one warden.
pub struct Slot {
    contest: Arc<Contest>,
    base: Engine,
    new: Engine,
    warden: Warden,
}

impl Slot {
    /// Starts both engines.
    pub async fn open(contest: Arc<Contest>) -> Result<Self, Failure> {
        let warden = Warden::start()?;
        let (base, new) = tokio::try_join!(
            start(&contest.base, &contest, &warden),
            start(&contest.new, &contest, &warden)
        )?;
        Ok(Self {
            contest,
            base,
            new,
            warden,
        })
    }

    /// Plays pair number `pair` from `opening`.
    ///
    /// # Errors
    /// The opening is no game, or an engine that spoiled a game cannot be started again.
    pub async fn play(&mut self, pair: u64, opening: &Opening) -> Result<FinishedPair, Failure> {
        let first = self.play_game(Color::White, opening).await?;
        let second = self.play_game(Color::Black, opening).await?;
        Ok(FinishedPair {
            pair,
            games: [first, second],
            pgn: String::new(),
        })
    }

    async fn play_game(&mut self, new: Color, opening: &Opening) -> Result<GameRecord, Failure> {
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
        *self = Self::open(Arc::clone(&self.contest)).await?;
        Ok(())
    }

    /// Lets both engines end in their own way.
    pub async fn close(self) {
        tokio::join!(self.base.quit(), self.new.quit());
        drop(self.warden);
    }
}

async fn start(launch: &Launch, contest: &Contest, warden: &Warden) -> Result<Engine, Failure> {
    let mut engine = Engine::start(launch, contest.patience, warden).await?;
    let options: Vec<_> = contest
        .variant
        .engine_options()
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    if !options.is_empty() {
        engine.set_options(&options).await?;
    }
    Ok(engine)
}
