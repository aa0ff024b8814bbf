//! What a session asks of the match or the tournament that it plays.

use std::path::Path;

use engine_client::LogTarget;
use foundation::{Exit, Failure};
use referee::arena::{Job, Scheduler};
use referee::openings::Book;

use crate::pair_record::{GameRecord, PairLine};
use crate::plan::{PlayPlan, RunPlan};
use crate::report::State;

/// A plan that can be played: of a match or of a tournament.
pub trait RunKind: RunPlan {
    type Contest: Contest<Plan = Self>;
}

/// What is played in a session, and how it stands: a match or a tournament.
pub trait Contest: Sized {
    type Plan: RunPlan;

    /// What the folder of a run is named for.
    fn name(plan: &Self::Plan) -> String;

    fn play_plan(plan: &Self::Plan) -> &PlayPlan;

    /// Makes sure that the engines are those that the plan was made with.
    fn verify(plan: &Self::Plan) -> Result<(), Failure>;

    /// What is to be said before the first game.
    fn warning(plan: &Self::Plan) -> Option<String>;

    /// How it stands after the pairs of its journal.
    fn after(plan: Self::Plan, lines: &[PairLine], log: Option<LogTarget>)
    -> Result<Self, Failure>;

    /// Where its jobs are played.
    fn scheduler(&mut self) -> Result<Scheduler, Failure>;

    /// Pairs that were counted, and so the number of the next.
    fn pairs(&self) -> u64;

    /// Who plays the next pair, where the lines of the journal say who played.
    fn awaited(&self) -> Option<[String; 2]> {
        None
    }

    /// The job of this number; `None` where there is none now.
    fn job(&mut self, number: u64, book: &Book) -> Result<Option<Job>, Failure>;

    /// Counts the next pair.
    fn add(&mut self, games: &[GameRecord]);

    fn is_over(&self) -> bool;

    fn exit(&self) -> Exit;

    fn state<'a>(&'a self, run: &'a Path) -> State<'a>;
}
