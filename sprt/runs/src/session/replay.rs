//! Some pairs of a run played again, to see whether its games are those of its engines.
//!
//! A search of fixed nodes or fixed depth in one thread does the same whenever it is done. So the
//! games of such a run come out again move by move, and a journal that somebody wrote by hand does
//! not. A pair that comes out otherwise is played once more: an engine that does not repeat itself
//! looks the same as an invented journal, and leaves no verdict.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foundation::{Failure, digest};
use referee::arena::{
    FinishedGame, FinishedJob, FinishedPair, Flow, Job, Placement, Scheduler, Source,
};
use referee::game::{Opening, Variant};
use referee::openings::Book;

use crate::games::{GameEntry, GamesReader, Mistakes, Replay};
use crate::pair_record::{GameRecord, PairLine};
use crate::plan::Plan;
use crate::signals::Signals;

/// Which pairs are played again.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub pairs: usize,
    /// Decides which; whoever wrote the run must not know it before.
    pub seed: u64,
}

/// What playing a sample again gave.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Pairs that were played again.
    pub pairs: usize,
    /// Pairs of the run.
    pub of: usize,
    /// In the order of the run.
    pub differences: Vec<Difference>,
}

/// A game that came out otherwise than it was recorded.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The game's place in the run, from 1.
    pub game: u64,
    pub what: String,
    /// Whether it came out the same when it was played again twice: then the record is wrong. Else
    /// the engines do not repeat themselves.
    pub is_certain: bool,
}

impl Replayed {
    /// The smallest share of invented pairs that a sample of this size misses with a probability of
    /// 5 % at most: the f with (1 - f)^n = 0.05 for a sample of n pairs. Nothing is missed where all
    /// pairs were played again.
    pub fn unseen_share(&self) -> f64 {
        if self.pairs >= self.of {
            return 0.0;
        }
        1.0 - 0.05_f64.powf(1.0 / self.pairs as f64)
    }
}

/// Plays a sample of a run again; `None` where a signal ended that.
///
/// # Errors
/// The run cannot be played again, or its engines cannot be started.
pub async fn replay(
    run: &Path,
    plan: Plan,
    lines: &[PairLine],
    sample: Sample,
    signals: &Signals,
) -> Result<Option<Replayed>, Failure> {
    refuse_what_varies(&plan)?;
    let chosen = chosen(lines, sample);
    if chosen.is_empty() {
        return Err(Failure::unable(format!(
            "`{}` has no pair that an engine did not spoil",
            run.display()
        ))
        .hint("there is nothing to play again"));
    }
    let referee = Referee {
        book: plan.play.open_book()?,
        variant: plan.play.variant()?,
        reader: GamesReader::open(run)?,
        run: run.to_owned(),
        plan,
    };
    let Some(first) = referee.play(&chosen, signals).await? else {
        return Ok(None);
    };
    let mut differences = Vec::new();
    let mut doubtful = Vec::new();
    for pair in &first {
        let found = referee.differences(pair, &lines[pair.pair as usize])?;
        if !found.is_empty() {
            doubtful.push(pair.pair);
            differences.extend(found);
        }
    }
    if !doubtful.is_empty() {
        let Some(second) = referee.play(&doubtful, signals).await? else {
            return Ok(None);
        };
        let unsteady: Vec<u64> = second
            .iter()
            .filter(|again| {
                let before = first.iter().find(|pair| pair.pair == again.pair);
                before.is_none_or(|before| course(before) != course(again))
            })
            .map(|pair| pair.pair)
            .collect();
        for (pair, difference) in &mut differences {
            difference.is_certain = !unsteady.contains(pair);
        }
    }
    differences.sort_by_key(|(_, difference)| difference.game);
    Ok(Some(Replayed {
        pairs: chosen.len(),
        of: lines.len(),
        differences: differences.into_iter().map(|(_, it)| it).collect(),
    }))
}

/// A clock, and threads that race each other, give other moves each time.
fn refuse_what_varies(plan: &Plan) -> Result<(), Failure> {
    let hint = "a run is played again at fixed nodes or depth with one thread: `sprt BASE NEW --nodes 20000`";
    let limits = plan.limits();
    if let Some(limit) = limits.iter().find(|limit| !limit.has_no_clock()) {
        return Err(Failure::unable(format!(
            "the run was played at {limit}: a clock decides its moves, and they do not repeat"
        ))
        .hint(hint));
    }
    let sides = [&plan.base, &plan.new];
    if let Some(side) = sides.iter().find(|side| side.settings.threads() > 1) {
        return Err(Failure::unable(format!(
            "`{}` was played with {} threads, which race each other",
            side.name,
            side.settings.threads()
        ))
        .hint(hint));
    }
    Ok(())
}

/// The numbers of the pairs that are played again, in the order of the run. Pairs that an engine
/// spoiled are left out: a crash or a stall need not come again.
fn chosen(lines: &[PairLine], sample: Sample) -> Vec<u64> {
    let is_whole = |line: &&PairLine| !line.games.iter().any(|game| game.end.is_fault());
    let mut numbers: Vec<u64> = lines
        .iter()
        .filter(is_whole)
        .map(|line| line.pair)
        .collect();
    numbers.sort_by_cached_key(|number| {
        digest::of_parts(&[sample.seed.to_string(), number.to_string()])
    });
    numbers.truncate(sample.pairs);
    numbers.sort_unstable();
    numbers
}

/// What decides whether two pairs are the same.
fn course(pair: &FinishedPair) -> Vec<(Vec<&str>, GameRecord)> {
    pair.games
        .iter()
        .map(|game| {
            let moves = game.moves.iter().map(|made| made.text.as_str()).collect();
            (moves, GameRecord::from(game))
        })
        .collect()
}

/// The run, and what its pairs are played again with.
struct Referee {
    run: PathBuf,
    plan: Plan,
    book: Book,
    variant: &'static dyn Variant,
    reader: GamesReader,
}

impl Referee {
    async fn play(
        &self,
        numbers: &[u64],
        signals: &Signals,
    ) -> Result<Option<Vec<FinishedPair>>, Failure> {
        let scheduler = Scheduler {
            setup: Arc::new(self.plan.setup()?),
            slots: self.plan.play.concurrency.min(numbers.len()).max(1),
            placement: Placement::default(),
        };
        let mut queue = Queue {
            referee: self,
            numbers: numbers.iter(),
            played: Vec::new(),
        };
        scheduler.run(&mut queue, &signals.interrupt).await?;
        let played = queue.played;
        Ok((!signals.was_interrupted()).then_some(played))
    }

    fn job(&self, number: u64) -> Result<Job, Failure> {
        let opening = self.book.opening(self.plan.opening_of(number))?;
        let mut job = Job::pair(number, opening);
        job.games = self.plan.colors_of_new(number);
        Ok(job)
    }

    /// How the games of a pair differ from those that were recorded, each with the pair's number.
    fn differences(
        &self,
        again: &FinishedPair,
        line: &PairLine,
    ) -> Result<Vec<(u64, Difference)>, Failure> {
        let recorded = self
            .reader
            .replays(again.pair as usize, &Mistakes::default())
            .map_err(|failure| failure.context(format_args!("`{}`", self.run.display())))?;
        let mut differences = Vec::new();
        for (place, game) in again.games.iter().enumerate() {
            let (entry, written) = match recorded.get(place) {
                Some((entry, written)) => (Some(entry), Some(written)),
                None => (None, None),
            };
            let what = match (line.games.get(place), written) {
                (Some(kept), Some(written)) => self.difference(game, kept, written)?,
                _ => Some("it is not in the record".to_owned()),
            };
            let number = |entry: &GameEntry| entry.number;
            differences.extend(what.map(|what| {
                let difference = Difference {
                    game: entry.map_or(2 * again.pair + place as u64 + 1, number),
                    what,
                    is_certain: false,
                };
                (again.pair, difference)
            }));
        }
        Ok(differences)
    }

    fn difference(
        &self,
        again: &FinishedGame,
        kept: &GameRecord,
        written: &Replay,
    ) -> Result<Option<String>, Failure> {
        let Opening { start, moves } = &again.opening;
        let first = self.variant.start(&Opening {
            start: start.clone(),
            moves: Vec::new(),
        })?;
        if written.positions.first() != Some(&first.current()) {
            return Ok(Some("it begins with another position".to_owned()));
        }
        let engines = again.moves.iter().map(|made| &made.text);
        let played: Vec<&String> = moves.iter().chain(engines).collect();
        let recorded: Vec<&String> = written.moves.iter().map(|it| &it.engine_text).collect();
        let length = played.len().min(recorded.len());
        if let Some(ply) = (0..length).find(|ply| played[*ply] != recorded[*ply]) {
            return Ok(Some(format!(
                "ply {}: `{}` is recorded, the engine plays `{}`",
                ply + 1,
                recorded[ply],
                played[ply]
            )));
        }
        if played.len() != recorded.len() {
            return Ok(Some(format!(
                "{} plies are recorded, the game has {}",
                recorded.len(),
                played.len()
            )));
        }
        let own = GameRecord::from(again);
        let end = |game: &GameRecord| (game.new, game.winner, game.end, game.text.clone());
        Ok((end(&own) != end(kept)).then(|| {
            format!(
                "`{}` is recorded, the game ends with `{}`",
                kept.text, own.text
            )
        }))
    }
}

/// Hands out the jobs of a sample.
struct Queue<'a> {
    referee: &'a Referee,
    numbers: std::slice::Iter<'a, u64>,
    played: Vec<FinishedPair>,
}

impl Source for Queue<'_> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        let number = self.numbers.next();
        number.map(|number| self.referee.job(*number)).transpose()
    }

    fn receive(&mut self, finished: Vec<FinishedJob>) -> Result<Flow, Failure> {
        for job in finished {
            self.played.push(job.result.map_err(|fault| fault.failure)?);
        }
        Ok(Flow::GoOn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::tests::game;
    use engine_client::Color;
    use referee::arena::EndKind;

    fn lines(count: u64) -> Vec<PairLine> {
        let line = |pair| PairLine {
            pair,
            players: None,
            games: vec![game(
                Color::White,
                None,
                if pair == 3 {
                    EndKind::Crash
                } else {
                    EndKind::Rules
                },
            )],
            games_end: 0,
            games_synced: None,
        };
        (0..count).map(line).collect()
    }

    #[test]
    fn a_sample_has_each_pair_once_and_none_that_was_spoiled() {
        let lines = lines(50);
        let of = |pairs, seed| chosen(&lines, Sample { pairs, seed });
        let all = of(1000, 1);
        assert_eq!(all.len(), 49);
        assert!(!all.contains(&3) && all.is_sorted_by(|a, b| a < b));
        assert_eq!(of(10, 1).len(), 10);
        assert_eq!(of(10, 1), of(10, 1));
        assert_ne!(of(10, 1), of(10, 2));
    }

    #[test]
    fn the_share_that_a_sample_misses_falls_with_its_size() {
        let share = |pairs, of| {
            let differences = Vec::new();
            Replayed {
                pairs,
                of,
                differences,
            }
            .unseen_share()
        };
        // (1 - f)^20 = 0.05
        assert!((share(20, 1000) - 0.1391).abs() < 1e-4);
        assert!((1.0 - share(100, 1000)).powi(100) - 0.05 < 1e-12);
        assert_eq!(share(7, 7), 0.0);
    }
}
