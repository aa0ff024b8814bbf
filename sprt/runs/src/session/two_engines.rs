//! A match under test as a contest.

use std::path::Path;
use std::sync::Arc;

use engine_client::LogTarget;
use foundation::{Exit, Failure};
use referee::arena::{Job, MatchSetup, Scheduler};
use referee::openings::Book;

use super::contest::{Contest, RunKind};
use crate::pair_record::{GameRecord, PairLine};
use crate::plan::{Plan, PlayPlan};
use crate::report::{MatchState, State};
use crate::standing::Standing;

/// A match under test.
pub struct Match {
    plan: Plan,
    setup: Arc<MatchSetup>,
    standing: Standing,
}

impl RunKind for Plan {
    type Contest = Match;
}

impl Contest for Match {
    type Plan = Plan;

    fn name(plan: &Plan) -> String {
        format!("{}-vs-{}", plan.new.name, plan.base.name)
    }

    fn play_plan(plan: &Plan) -> &PlayPlan {
        &plan.play
    }

    fn verify(plan: &Plan) -> Result<(), Failure> {
        plan.base.verify()?;
        plan.new.verify()
    }

    fn warning(plan: &Plan) -> Option<String> {
        plan.warning_of_copies()
    }

    fn after(plan: Plan, lines: &[PairLine], log: Option<LogTarget>) -> Result<Self, Failure> {
        let mut setup = plan.setup()?;
        setup.base.log.clone_from(&log);
        setup.new.log = log;
        Ok(Self {
            setup: Arc::new(setup),
            standing: Standing::after(&plan, lines),
            plan,
        })
    }

    fn scheduler(&mut self) -> Result<Scheduler, Failure> {
        let engines = [&self.plan.base.settings, &self.plan.new.settings];
        Ok(Scheduler {
            setup: Arc::clone(&self.setup),
            slots: self.plan.slots(self.pairs()),
            placement: self.plan.play.placement(&engines),
        })
    }

    fn pairs(&self) -> u64 {
        self.standing.tally().pairs_played()
    }

    fn job(&mut self, number: u64, book: &Book) -> Result<Option<Job>, Failure> {
        if self.plan.is_used_up(number) {
            return Ok(None);
        }
        let opening = book.opening(self.plan.opening_of(number))?;
        let mut job = Job::pair(number, opening);
        job.games = self.plan.colors_of_new(number);
        Ok(Some(job))
    }

    fn add(&mut self, games: &[GameRecord]) {
        self.standing.add(games);
    }

    fn is_over(&self) -> bool {
        self.standing.is_over(&self.plan)
    }

    fn exit(&self) -> Exit {
        self.standing.exit()
    }

    fn state<'a>(&'a self, run: &'a Path) -> State<'a> {
        State::Match(MatchState {
            plan: &self.plan,
            run,
            standing: &self.standing,
        })
    }
}
