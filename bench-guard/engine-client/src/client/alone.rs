//! A search by the only engine that is waited for, on a thread of its own: the usual case of a
//! game, and the runner's cost per ply.
//!
//! One read for unsolicited output, one write, and one read each time the engine prints something.
//! Only line ends and the move are looked for at first; which line counts is found out when the
//! move is there.

use std::time::Duration;

use foundation::platform::Alarm;
use tokio::time::Instant;

use super::super::process::Waited;
use super::{Answer, BEST_MOVE, Broken, Engine, Fault, Search};

/// How much of a search's output is kept before it is looked through.
const MOST_KEPT: usize = 1 << 16;

impl Engine {
    /// [`Engine::think`], blocking the thread; cheaper with an alarm of this thread.
    ///
    /// # Errors
    /// As for [`Engine::think`].
    pub async fn think_alone(
        &mut self,
        search: &Search<'_>,
        timeout: Duration,
        alarm: Option<&mut Alarm>,
    ) -> Result<Answer, Fault> {
        if self.process.log.is_some() {
            // The log has the time of each line.
            return self.think(search, timeout).await;
        }
        self.forget_last_search().await?;
        let mut command = std::mem::take(&mut self.command);
        command.clear();
        self.dialect.search(search, &mut command);
        let sent = self.process.send_within(&command, timeout).await;
        self.command = command;
        if let Err(broken) = sent {
            return Err(self.fault(broken, timeout, BEST_MOVE).await);
        }
        self.asked = Instant::now();
        let best = match self.move_alone(self.asked + timeout, alarm).await {
            Err(Broken::Late) => self.late_move().await,
            best => best,
        };
        let elapsed = self.asked.elapsed();
        match best {
            Ok(best) => Ok(self.answer_with(best, elapsed, search.mover)),
            Err(broken) => Err(self.fault(broken, timeout, BEST_MOVE).await),
        }
    }

    async fn move_alone(
        &mut self,
        deadline: Instant,
        mut alarm: Option<&mut Alarm>,
    ) -> Result<String, Broken> {
        // Lines from here on have not been looked through.
        let mut end = 0;
        loop {
            while let Some(line) = self.process.buffered_line() {
                if let Some(best) = self.move_on(line.clone()) {
                    self.record_info(0..end);
                    return Ok(best);
                }
                end = line.end;
            }
            if self.process.buffered() > MOST_KEPT {
                self.record_info(0..end);
                self.process.make_room();
                end = 0;
            }
            match self.process.wait(deadline, alarm.as_deref_mut()) {
                Ok(Waited::Read) => {}
                Ok(Waited::Elsewhere) => tokio::task::yield_now().await,
                Err(broken) => {
                    self.record_info(0..end);
                    let rest = match broken {
                        Broken::Closed => self.process.rest(),
                        Broken::Late => None,
                    };
                    return rest.and_then(|line| self.move_on(line)).ok_or(broken);
                }
            }
        }
    }
}
