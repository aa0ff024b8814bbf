//! A tournament as a contest: until all its pairs are played.

use std::path::Path;

use engine_client::LogTarget;
use foundation::{Exit, Failure};
use referee::arena::{Job, Scheduler};
use referee::openings::Book;

use super::contest::{Contest, RunKind};
use crate::pair_record::{GameRecord, PairLine};
use crate::plan::PlayPlan;
use crate::report::{State, TournamentState};
use crate::tournament::plan::Setups;
use crate::tournament::{TournamentPlan, TournamentStanding};

/// A tournament that is being played.
pub struct Tournament {
    plan: TournamentPlan,
    setups: Setups,
    standing: TournamentStanding,
}

impl RunKind for TournamentPlan {
    type Contest = Tournament;
}

impl Contest for Tournament {
    type Plan = TournamentPlan;

    fn name(plan: &TournamentPlan) -> String {
        plan.format.title.clone()
    }

    fn play_plan(plan: &TournamentPlan) -> &PlayPlan {
        &plan.play
    }

    fn verify(plan: &TournamentPlan) -> Result<(), Failure> {
        plan.engines
            .iter()
            .try_for_each(|entrant| entrant.contender.verify())
    }

    fn warning(plan: &TournamentPlan) -> Option<String> {
        plan.warning_of_copies()
    }

    fn after(
        plan: TournamentPlan,
        lines: &[PairLine],
        log: Option<LogTarget>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            standing: TournamentStanding::after(&plan, lines)?,
            setups: Setups::new(&plan, log)?,
            plan,
        })
    }

    fn scheduler(&mut self) -> Result<Scheduler, Failure> {
        let engines = self.plan.engines.iter();
        let settings: Vec<_> = engines.map(|entrant| &entrant.contender.settings).collect();
        let placement = self.plan.play.placement(&settings);
        // Slots start the engines of the jobs that they get; this is only where they could begin.
        let first = self.standing.awaited().map_or([0, 1], |next| next.players);
        Ok(Scheduler {
            setup: self.setups.get(&self.plan, first)?,
            slots: self.plan.play.concurrency,
            placement,
        })
    }

    fn pairs(&self) -> u64 {
        self.standing.pairs()
    }

    fn awaited(&self) -> Option<[String; 2]> {
        let players = self.standing.awaited()?.players;
        Some(players.map(|engine| self.plan.name(engine).to_owned()))
    }

    fn job(&mut self, number: u64, book: &Book) -> Result<Option<Job>, Failure> {
        let Some(fixture) = self.standing.hand_out() else {
            return Ok(None);
        };
        let mut job = Job::pair(number, book.opening(fixture.opening)?);
        job.setup = Some(self.setups.get(&self.plan, fixture.players)?);
        Ok(Some(job))
    }

    fn add(&mut self, games: &[GameRecord]) {
        self.standing.add(games);
    }

    fn is_over(&self) -> bool {
        self.standing.is_over()
    }

    fn exit(&self) -> Exit {
        self.standing.exit()
    }

    fn state<'a>(&'a self, run: &'a Path) -> State<'a> {
        State::Tournament(TournamentState {
            plan: &self.plan,
            run,
            standing: &self.standing,
        })
    }
}
