//! A search: the engine is asked for a move, and its output is read up to the move.

use std::ops::Range;
use std::time::Duration;

use tokio::time::Instant;

use super::{
    Answer, BEST_MOVE, Broken, Engine, Fault, Info, LATE_MOVE_GRACE, LONGEST_NAME, ScoreQuality,
    Search, within,
};
use crate::Color;
use crate::cut;

impl Engine {
    /// Asks for a move and waits for it. A move that comes within [`LATE_MOVE_GRACE`] after `timeout`
    /// is an answer too, which took longer than `timeout`.
    ///
    /// # Errors
    /// The engine ended, or gave no move in all that time.
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
    /// The engine ended, or gave no move within `timeout`.
    pub async fn search(&mut self, command: &str, timeout: Duration) -> Result<Answer, Fault> {
        self.answer(command, Color::White, timeout).await
    }

    async fn answer(
        &mut self,
        command: &str,
        mover: Color,
        timeout: Duration,
    ) -> Result<Answer, Fault> {
        self.forget_last_search().await?;
        if let Err(broken) = within(Instant::now() + timeout, self.process.send(command)).await {
            return Err(self.fault(broken, timeout, BEST_MOVE).await);
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
        let elapsed = self.asked.elapsed();
        match best {
            Ok(best) => Ok(self.answer_with(best, elapsed, mover)),
            Err(broken) => Err(self.fault(broken, timeout, BEST_MOVE).await),
        }
    }

    /// The answer with this move, and with what the engine last reported about it.
    pub(super) fn answer_with(&mut self, best: String, elapsed: Duration, mover: Color) -> Answer {
        self.may_have_repeated =
            self.scored_quality == ScoreQuality::Missing && best == self.last_move;
        self.last_move.clone_from(&best);
        Answer {
            best,
            elapsed,
            info: self.last_info(mover),
            is_ponder_hit: false,
            lines: self.kept.take(),
        }
    }

    /// What the engine last reported about the running search, or the one before.
    pub fn last_info(&self, mover: Color) -> Info {
        match self.scored_quality {
            ScoreQuality::Missing => Info::default(),
            _ => self.dialect.info(&self.scored, mover),
        }
    }

    /// The principal variation that the engine gave with its last move, unless its score was a
    /// bound.
    pub fn expected_line(&self) -> Option<&str> {
        let line = match self.scored_quality {
            ScoreQuality::Exact => self.dialect.line_of(&self.scored)?,
            ScoreQuality::Missing | ScoreQuality::Secondary => return None,
        };
        std::str::from_utf8(line).ok()
    }

    /// Whether the last answer, if it is not a legal move, may be the previous answer printed
    /// twice: it is the same word, and no score came with it.
    pub fn may_have_repeated(&self) -> bool {
        self.may_have_repeated
    }

    /// Waits on after such an answer; time and `timeout` are counted from the question.
    ///
    /// # Errors
    /// As for [`Engine::think`].
    pub async fn think_on(&mut self, mover: Color, timeout: Duration) -> Result<Answer, Fault> {
        self.sends_unsolicited_moves = true;
        self.receive(mover, timeout).await
    }

    /// Clears what was said in the last search. A move that nobody asked for must not be taken for
    /// the next one: one that has already arrived is ignored; an engine that gave one before may
    /// give another, and is waited for.
    pub(super) async fn forget_last_search(&mut self) -> Result<(), Fault> {
        self.scored.clear();
        self.scored_quality = ScoreQuality::Missing;
        self.head.clear();
        self.has_output = false;
        self.kept.clear();
        let (dialect, spare) = (self.dialect, &mut self.sends_unsolicited_moves);
        self.process
            .discard(|line| *spare |= dialect.best_move(line).is_some());
        if self.sends_unsolicited_moves {
            self.ping("").await?;
            self.process.make_room();
        }
        Ok(())
    }

    /// The move of an engine whose time is up.
    pub(super) async fn late_move(&mut self) -> Result<String, Broken> {
        let late_move = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + LATE_MOVE_GRACE, late_move).await
    }

    /// Whether the engine has said anything since it was last asked for a move.
    pub fn has_output(&self) -> bool {
        self.has_output
    }

    /// Sends `stop` to a searching engine, and returns whether it answers within `timeout`.
    pub async fn answers_stop(&mut self, timeout: Duration) -> bool {
        let answer = async {
            self.process.send(self.dialect.stop()).await?;
            self.best_move().await
        };
        within(Instant::now() + timeout, answer).await.is_ok()
    }

    pub(super) async fn best_move(&mut self) -> Result<String, Broken> {
        loop {
            let line = self.process.line().await?;
            if let Some(best) = self.move_on(line.clone()) {
                return Ok(best);
            }
            self.record_info(line);
        }
    }

    /// The move, if this line of the engine's output contains it.
    pub(super) fn move_on(&mut self, line: Range<usize>) -> Option<String> {
        self.has_output = true;
        let line = self.process.text(line);
        let word = self.dialect.best_move(line)?;
        if self.ponders {
            let reply = self.dialect.expected_reply(line).unwrap_or_default();
            self.expected_reply = cut(&String::from_utf8_lossy(reply), LONGEST_NAME);
        }
        Some(cut(&String::from_utf8_lossy(word), LONGEST_NAME))
    }

    /// Keeps what counts in these lines: the last one with a score, and those that match the
    /// launch's patterns.
    pub(super) fn record_info(&mut self, lines: Range<usize>) {
        let said = self.process.text(lines);
        if !self.kept.is_empty() {
            for line in said.split(|&byte| byte == b'\n') {
                self.kept.record(without_return(line));
            }
        }
        // From the end, because most lines are not needed.
        let (mut best, mut quality) = (&b""[..], ScoreQuality::Missing);
        let mut from_end = lines_from_end(said);
        for line in from_end.by_ref() {
            let of_line = self.dialect.score_quality(line);
            if of_line > quality {
                (best, quality) = (line, of_line);
            }
            if quality == ScoreQuality::Exact {
                break;
            }
        }
        if quality != ScoreQuality::Missing && quality >= self.scored_quality {
            self.scored_quality = quality;
            self.scored.clear();
            let before = from_end.next().unwrap_or(&self.head);
            if quality == ScoreQuality::Exact && self.dialect.is_head(before) {
                self.scored.extend_from_slice(before);
                self.scored.push(b' ');
            }
            self.scored.extend_from_slice(best);
        }
        let last = lines_from_end(said).find(|line| !line.is_empty());
        let last = last.unwrap_or_default();
        self.head.clear();
        if self.dialect.is_head(last) {
            self.head.extend_from_slice(last);
        }
    }
}

/// The lines of `text` without their ends, the last one first.
fn lines_from_end(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut end = Some(text.len());
    std::iter::from_fn(move || {
        let rest = &text[..end?];
        end = memchr::memrchr(b'\n', rest);
        Some(without_return(
            &rest[end.map_or(0, |newline| newline + 1)..],
        ))
    })
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_from_the_end_are_all_lines_in_reverse(text in "[a\r\n]{0,20}") {
            let mut expected: Vec<_> = text.split('\n').map(|line| without_return(line.as_bytes())).collect();
            expected.reverse();
            prop_assert_eq!(lines_from_end(text.as_bytes()).collect::<Vec<_>>(), expected);
        }
    }
}
