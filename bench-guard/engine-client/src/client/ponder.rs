//! Pondering: an engine thinks on its opponent's time, about the position after the reply that it
//! expects.
//!
//! The engine's output is read meanwhile, so that it never blocks on a full pipe, but it is not
//! taken for an answer. When the opponent has moved, a hit turns the search into the one for the
//! move; on a miss the engine is stopped, and its move is ignored. Its clock runs from the
//! opponent's move on, even while it takes its time to stop.

use std::convert::Infallible;
use std::time::Duration;

use foundation::Failure;
use tokio::time::Instant;

use super::{Answer, BEST_MOVE, Broken, Engine, Fault, LATE_MOVE_GRACE, Pondering, Search, within};
use crate::Color;

/// How long an engine that is pondering when the game ends has to stop. One that does not is
/// started again.
const LONGEST_STOP: Duration = Duration::from_secs(2);

/// The UCI option that announces pondering, which some engines use for their time management.
const OPTION: &str = "Ponder";

impl Engine {
    /// The option that tells an engine that it will ponder.
    pub(super) fn ponder_option(&self) -> Result<Option<(String, String)>, Failure> {
        if !self.ponders {
            return Ok(None);
        }
        if self.dialect.ponder_hit().is_none() || self.option(OPTION).is_none() {
            return Err(Failure::unable(format!(
                "engine `{}` does not ponder: it has no option `{OPTION}`",
                self.launch_name
            ))
            .hint("let it play without: ponder=false for this engine"));
        }
        Ok(Some((OPTION.to_owned(), "true".to_owned())))
    }

    /// The reply that it named with its last move, if it is to ponder and named one.
    pub fn reply_to_ponder(&self) -> Option<&str> {
        let is_told = self.ponders && !self.expected_reply.is_empty();
        is_told.then_some(self.expected_reply.as_str())
    }

    /// Lets the engine ponder: `search` is the position after `reply`, the move that it expects.
    ///
    /// A failure is reported when it is the engine's turn: until then its opponent may end the
    /// game.
    pub async fn ponder(&mut self, reply: String, search: &Search<'_>) {
        let mut broken = match self.forget_last_search().await {
            Ok(()) => None,
            Err(Fault::Crashed(_)) => Some(Broken::Closed),
            Err(Fault::Silent(_)) => Some(Broken::Late),
        };
        if broken.is_none() {
            let mut command = String::new();
            self.dialect.ponder(search, &mut command);
            let sent = self.process.send(&command);
            broken = within(Instant::now() + LATE_MOVE_GRACE, sent).await.err();
        }
        self.pondering = Some(Pondering {
            reply,
            early: None,
            broken,
        });
    }

    pub fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Reads what a pondering engine says until the caller stops waiting.
    pub async fn ponder_on(&mut self) -> Infallible {
        loop {
            let can_speak = |pondering: &Pondering| pondering.broken.is_none();
            if !self.pondering.as_ref().is_some_and(can_speak) {
                return std::future::pending().await;
            }
            let said = self.best_move().await;
            if let Some(pondering) = &mut self.pondering {
                match said {
                    Ok(early) => pondering.early = Some(early),
                    Err(broken) => pondering.broken = Some(broken),
                }
            }
        }
    }

    /// [`Engine::think`] for an engine that may be pondering, after the opponent's move `made`.
    ///
    /// # Errors
    /// As for [`Engine::think`].
    pub async fn think_after(
        &mut self,
        made: &str,
        search: &Search<'_>,
        timeout: Duration,
    ) -> Result<Answer, Fault> {
        let Some(pondering) = self.pondering.take() else {
            return self.think(search, timeout).await;
        };
        if pondering.reply == made {
            return self.ponder_hit(pondering, search.mover, timeout).await;
        }
        let spent = self.stop_pondering(pondering, timeout).await?;
        let search = Search {
            clocks: search.clocks.after(search.mover, spent),
            ..*search
        };
        let left = timeout.saturating_sub(spent);
        let mut answer = self.think(&search, left).await?;
        answer.elapsed += spent;
        Ok(answer)
    }

    /// The opponent made the expected reply: the pondering counts as thinking.
    async fn ponder_hit(
        &mut self,
        pondering: Pondering,
        mover: Color,
        timeout: Duration,
    ) -> Result<Answer, Fault> {
        if let Some(broken) = pondering.broken {
            return Err(self.fault(broken, timeout, BEST_MOVE).await);
        }
        self.asked = Instant::now();
        let answer = if let Some(best) = pondering.early {
            // It thought about this very position, and has nothing to add.
            self.sends_unsolicited_moves = true;
            self.answer_with(best, Duration::ZERO, mover)
        } else {
            let hit = self.dialect.ponder_hit().unwrap_or_default();
            let sent = self.process.send(hit);
            if let Err(broken) = within(self.asked + timeout, sent).await {
                return Err(self.fault(broken, timeout, BEST_MOVE).await);
            }
            self.asked = Instant::now();
            self.receive(mover, timeout).await?
        };
        Ok(Answer {
            is_ponder_hit: true,
            ..answer
        })
    }

    /// The opponent made another move: ends the search, and returns how long that took. The move
    /// that the engine gives then is ignored.
    async fn stop_pondering(
        &mut self,
        pondering: Pondering,
        timeout: Duration,
    ) -> Result<Duration, Fault> {
        if let Some(broken) = pondering.broken {
            return Err(self.fault(broken, timeout, BEST_MOVE).await);
        }
        if let Some(early) = pondering.early {
            // It has stopped searching. After a `stop`, it might print its move again.
            self.sends_unsolicited_moves = true;
            self.last_move = early;
            return Ok(Duration::ZERO);
        }
        let asked = Instant::now();
        let stopped = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        match within(asked + timeout, stopped).await {
            Ok(best) => {
                self.last_move = best;
                Ok(asked.elapsed())
            }
            Err(broken) => Err(self.fault(broken, timeout, BEST_MOVE).await),
        }
    }

    /// Stops pondering when the game is over. An engine that does not stop counts as broken.
    pub async fn end_game(&mut self) {
        if let Some(pondering) = self.pondering.take()
            && self.stop_pondering(pondering, LONGEST_STOP).await.is_err()
        {
            self.remark("it did not stop pondering at the end of the game");
        }
    }
}
