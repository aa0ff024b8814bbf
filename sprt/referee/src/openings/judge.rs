//! Engines that say how fair openings are.

use std::time::Duration;

use foundation::Failure;
use tokio_util::sync::CancellationToken;

use crate::game::{Opening, Variant};
use crate::tasks;
use engine_client::{Clocks, Engine, EngineScore, Launch, Limit, Search, Timeouts};

/// Generous: nobody waits for a book.
pub const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(30),
    answer: Duration::from_mins(1),
};

/// Several processes of the same engine. Each line is judged from a fresh state, so how they share
/// the work changes nothing.
pub struct Panel {
    judges: Vec<Engine>,
    variant: &'static dyn Variant,
    limit: Limit,
}

impl Panel {
    pub async fn start(
        variant: &'static dyn Variant,
        launch: &Launch,
        size: u32,
        nodes: u64,
    ) -> Result<Self, Failure> {
        let mut judges = Vec::new();
        for _ in 0..size {
            judges.push(Engine::start(launch, TIMEOUTS).await?);
        }
        Ok(Self {
            judges,
            variant,
            limit: Limit::nodes(nodes),
        })
    }

    pub fn size(&self) -> usize {
        self.judges.len()
    }

    /// What the engine thinks at the end of each line of moves from the usual start position, from
    /// the mover's view.
    ///
    /// # Errors
    /// The engine failed; the panel cannot be used any more.
    pub async fn scores(
        &mut self,
        lines: &[Vec<String>],
    ) -> Result<Vec<Option<EngineScore>>, Failure> {
        let share = lines.len().div_ceil(self.judges.len()).max(1);
        let mut shares = lines.chunks(share);
        let size = self.judges.len();
        let (variant, limit) = (self.variant, &self.limit);
        let work: Vec<_> = self
            .judges
            .drain(..)
            .map(|judge| {
                let lines = shares.next().unwrap_or_default().to_vec();
                judge_all(judge, lines, variant, limit.clone())
            })
            .collect();
        let mut scores = Vec::with_capacity(lines.len());
        let nobody_stops = CancellationToken::new();
        for (judge, part) in
            tasks::run_all(work.into_iter(), size, &nobody_stops, |_, _| ()).await?
        {
            self.judges.push(judge);
            scores.extend(part);
        }
        Ok(scores)
    }

    pub async fn dismiss(self) {
        for judge in self.judges {
            judge.quit().await;
        }
    }
}

async fn judge_all(
    mut judge: Engine,
    lines: Vec<Vec<String>>,
    variant: &'static dyn Variant,
    limit: Limit,
) -> Result<(Engine, Vec<Option<EngineScore>>), Failure> {
    let mut scores = Vec::with_capacity(lines.len());
    for line in lines {
        let text = line.join(" ");
        let opening = Opening {
            start: None,
            moves: line,
        };
        let game = variant.start(&opening)?;
        let search = Search {
            position: game.position(),
            mover: game.to_move(),
            limit: &limit,
            clocks: Clocks::default(),
        };
        let answer = match judge.new_game().await {
            Ok(()) => judge.think(&search, TIMEOUTS.answer).await,
            Err(fault) => Err(fault),
        };
        let answer = answer.map_err(|fault| {
            Failure::engine(format!(
                "`{}` did not judge the line `{text}`: {fault}",
                judge.name
            ))
        })?;
        scores.push(answer.info.score);
    }
    Ok((judge, scores))
}
