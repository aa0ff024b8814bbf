//! Mends a run whose journal was damaged in the middle: sound pairs are kept, and those between them
//! are played again. Until all of them are played, the files stay as they are.

use std::path::Path;

use foundation::{Failure, Printer, counted};
use referee::arena::{FinishedJob, FinishedPair, Flow, InOrder, Job, Source};
use referee::openings::Book;

use super::contest::{Contest, RunKind};
use crate::activity::Activity;
use crate::pair_record::GameRecord;
use crate::report::journal::EntryWriter;
use crate::run_folder::read_plan;
use crate::salvage::Salvage;
use crate::signals::Signals;
use crate::state_folder::find_run;

/// Whether the run is whole now; `false` if the repair was interrupted, which changes nothing.
pub async fn repair<P: RunKind>(
    run: &Path,
    signals: &Signals,
    printer: Printer,
) -> Result<bool, Failure> {
    let run = find_run(run)?;
    let plan: P = read_plan(&run)?;
    let mut salvage = Salvage::open(&run)?;
    if salvage.damage.is_empty() {
        printer.note("there is nothing to repair");
        return Ok(true);
    }
    for damage in &salvage.damage {
        printer.warn(damage);
    }
    Activity::settle(&run);
    P::Contest::verify(&plan)?;
    let book = P::Contest::play_plan(&plan).open_book()?;
    let mut contest = P::Contest::after(plan, &[], None)?;
    let writer = EntryWriter::of(&contest.state(&run))?;
    let (mut entries, mut again, mut kept) = (Vec::new(), Vec::new(), 0);
    while contest.pairs() < salvage.end() && !contest.is_over() {
        let number = contest.pairs();
        if salvage.is_of_others(number, contest.awaited().as_ref()) {
            break;
        }
        if let Some(entry) = salvage.take(number) {
            contest.add(&entry.games);
            entries.push(entry);
            kept += 1;
            continue;
        }
        let gap = Gap {
            end: salvage.next_sound(number),
            next: number,
            order: InOrder::new(number),
            contest: &mut contest,
            book: &book,
            played: Vec::new(),
        };
        let Some(played) = gap.play(signals).await? else {
            printer.note("interrupted; nothing was changed");
            return Ok(false);
        };
        for pair in played {
            again.push((pair.pair + 1).to_string());
            entries.push(writer.entry(&pair)?);
        }
    }
    let left_out = match salvage.left() {
        0 => String::new(),
        left => format!(
            ", {} left out, because a result before them is another now",
            counted(left, "pair")
        ),
    };
    salvage.replace(entries)?;
    let again = match again.len() {
        0 => "none had to be played again".to_owned(),
        1 => format!("pair {} was played again", again.concat()),
        _ => format!("pairs {} were played again", again.join(", ")),
    };
    printer.note(&format!(
        "repaired: {} kept, {again}{left_out}; the damaged files are beside the new ones, as *.damaged",
        counted(kept, "pair")
    ));
    Ok(true)
}

/// Pairs in a row that are missing.
struct Gap<'a, C> {
    contest: &'a mut C,
    book: &'a Book,
    next: u64,
    end: u64,
    order: InOrder<FinishedPair>,
    played: Vec<FinishedPair>,
}

impl<C: Contest> Gap<'_, C> {
    /// `None` where it was interrupted.
    async fn play(mut self, signals: &Signals) -> Result<Option<Vec<FinishedPair>>, Failure> {
        let scheduler = self.contest.scheduler()?;
        scheduler.run(&mut self, &signals.interrupt).await?;
        let is_whole = self.contest.pairs() == self.end || self.contest.is_over();
        Ok(is_whole.then_some(self.played))
    }
}

impl<C: Contest> Source for Gap<'_, C> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        if self.next == self.end {
            return Ok(None);
        }
        let job = self.contest.job(self.next, self.book)?;
        self.next += u64::from(job.is_some());
        Ok(job)
    }

    fn receive(&mut self, finished: Vec<FinishedJob>) -> Result<Flow, Failure> {
        for job in finished {
            match job.result {
                Ok(pair) => self.order.add(job.pair, pair),
                Err(why) => return Err(why.failure),
            }
        }
        while let Some(pair) = self.order.pop() {
            self.contest.add(&GameRecord::of_pair(&pair));
            self.played.push(pair);
            if self.contest.is_over() {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::GoOn)
    }
}
