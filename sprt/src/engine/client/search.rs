//! A search: it is asked for a move, and what it says until the move is there.

use std::time::Duration;

use tokio::time::Instant;

use super::super::cut;
use super::{
    Answer, Broken, Engine, Fault, Heard, Info, LAST_CHANCE, LONGEST_NAME, Search, Worth, within,
};
use crate::game::Color;

impl Engine {
    /// Asks for a move and waits for it. A move that comes within [`LAST_CHANCE`] after `timeout`
    /// is an answer too, which took longer than `timeout`.
    ///
    /// # Errors
    /// The engine ended, or said no move in all that time.
    pub async fn think(&mut self, search: &Search<'_>, timeout: Duration) -> Result<Answer, Fault> {
        let mut command = std::mem::take(&mut self.command);
        command.clear();
        self.dialect.search(search, &mut command);
        let answer = self.answer(&command, search.mover, timeout).await;
        self.command = command;
        answer
    }

    /// Sends `command` (position and go, with line ends) and waits for the move.
    ///
    /// # Errors
    /// The engine ended, or said no move within `timeout`.
    pub async fn search(&mut self, command: &str, timeout: Duration) -> Result<Answer, Fault> {
        self.answer(command, Color::White, timeout).await
    }

    async fn answer(
        &mut self,
        command: &str,
        mover: Color,
        timeout: Duration,
    ) -> Result<Answer, Fault> {
        self.discard_spare_moves().await?;
        self.scored.clear();
        self.scored_worth = Worth::Nothing;
        self.has_spoken = false;
        self.kept.forget();
        if let Err(broken) = within(Instant::now() + timeout, self.process.send(command)).await {
            return Err(self.fault(broken, timeout).await);
        }
        self.asked = Instant::now();
        self.receive(mover, timeout).await
    }

    /// Waits for the move that was asked for.
    pub(super) async fn receive(
        &mut self,
        mover: Color,
        timeout: Duration,
    ) -> Result<Answer, Fault> {
        let best = match within(self.asked + timeout, self.best_move()).await {
            Err(Broken::Late) => self.late_move().await,
            best => best,
        };
        let best = match best {
            Ok(best) => best,
            Err(broken) => return Err(self.fault(broken, timeout).await),
        };
        let info = self.thought(mover);
        self.may_have_repeated = self.scored_worth == Worth::Nothing && best == self.last_move;
        self.last_move.clone_from(&best);
        Ok(Answer {
            best,
            elapsed: self.asked.elapsed(),
            info,
            is_ponder_hit: false,
            lines: self.kept.take(),
        })
    }

    /// What it said last about the running search, or the one before.
    pub fn thought(&self, mover: Color) -> Info {
        match self.scored_worth {
            Worth::Nothing => Info::default(),
            _ => self.dialect.info(&self.scored, mover),
        }
    }

    /// The moves that it expected when it made its last one, unless its score was a bound.
    pub fn expected_line(&self) -> Option<&str> {
        let line = match self.scored_worth {
            Worth::Full => self.dialect.line_of(&self.scored)?,
            Worth::Nothing | Worth::SecondRate => return None,
        };
        std::str::from_utf8(line).ok()
    }

    /// Whether the last answer, if it is no legal move, may be the one before it said twice: the
    /// same word, and nothing was thought about it.
    pub fn may_have_repeated(&self) -> bool {
        self.may_have_repeated
    }

    /// Waits on after such an answer; time and `timeout` are counted from the question.
    ///
    /// # Errors
    /// As for [`Engine::think`].
    pub async fn think_on(&mut self, mover: Color, timeout: Duration) -> Result<Answer, Fault> {
        self.gives_spare_moves = true;
        self.receive(mover, timeout).await
    }

    /// A move that nobody asked for must not be taken for the next one. One that has come already
    /// is passed over; an engine that once gave one may still have another in store, and is waited
    /// for.
    pub(super) async fn discard_spare_moves(&mut self) -> Result<(), Fault> {
        let (dialect, spare) = (self.dialect, &mut self.gives_spare_moves);
        self.process
            .discard(|line| *spare |= matches!(dialect.hear(line), Heard::Move(_)))
            .await;
        if self.gives_spare_moves {
            self.ping("").await?;
        }
        Ok(())
    }

    /// The move of an engine whose time is up.
    async fn late_move(&mut self) -> Result<String, Broken> {
        let last_chance = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + LAST_CHANCE, last_chance).await
    }

    /// Whether it said anything since it was last asked for a move.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Whether a searching engine still hears us: it is told to stop and has until the end of
    /// `timeout` to obey.
    pub async fn obeys_stop(&mut self, timeout: Duration) -> bool {
        let answer = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + timeout, answer).await.is_ok()
    }

    pub(super) async fn best_move(&mut self) -> Result<String, Broken> {
        loop {
            let line = self.process.line().await?;
            let line = self.process.text(line);
            self.has_spoken = true;
            match self.dialect.hear(line) {
                Heard::Move(word) => {
                    if self.ponders {
                        let reply = self.dialect.expected_reply(line).unwrap_or_default();
                        self.expected_reply = cut(&String::from_utf8_lossy(reply), LONGEST_NAME);
                    }
                    return Ok(cut(&String::from_utf8_lossy(word), LONGEST_NAME));
                }
                Heard::Thought(worth) => {
                    self.kept.see(line);
                    if worth != Worth::Nothing && worth >= self.scored_worth {
                        self.scored_worth = worth;
                        self.scored.clear();
                        self.scored.extend_from_slice(line);
                    }
                }
            }
        }
    }
}
