//! How a run stands: its counts, and every figure that follows from them.

use std::cell::OnceCell;
use std::path::Path;

use foundation::{Exit, Failure};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloFigures, MatchCounts, Overshoot, Summary, Test, Verdict};

use crate::diagnostics::BothDiagnostics;
use crate::pair_record::{GameRecord, PairLine};
use crate::plan::{OnFault, Plan};
use crate::run_folder::MatchFolder;

mod tally;

pub(crate) use tally::game_result;
pub use tally::{Faults, Tally};

/// This many spoiled pairs in a row are no accident.
pub(crate) const MOST_FAULTY_IN_A_ROW: u64 = 5;
/// The share of games that engines may spoil in a match that says something about their strength.
pub(crate) const MOST_FAULTY: f64 = 0.1;
/// After so many games that share is known well enough to end a run for it.
const ENOUGH_GAMES: u64 = 100;

/// This many pairs that each engine won once are no accident if no other pair was decided.
const ALIKE: u64 = 20;

/// The state of a test. Its summary is only computed when somebody asks for it.
#[derive(Clone, Debug)]
pub struct Standing {
    test: Test,
    /// Whether nothing is tested.
    no_test: bool,
    games_of_a_pair: u64,
    on_fault: OnFault,
    /// Pairs at most.
    max_pairs: Option<u64>,
    /// Pairs of a test before the first that would be a copy, where games repeat.
    pairs_without_copies: Option<u64>,
    tally: Tally,
    /// By how much the ratio has stepped over its records, where the test corrects its bounds by
    /// that.
    overshoot: Overshoot,
    summary: OnceCell<Option<Summary>>,
}

/// Why a match says nothing about the strength of its engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoVerdict {
    /// `--on-fault stop`, and an engine spoiled a game.
    Fault,
    /// Too many spoiled pairs in a row.
    FaultsInARow,
    /// Too large a share of games was spoiled.
    ManyFaults,
    /// Without the spoiled pairs the test would not have been decided so.
    FaultsDecided,
    /// Openings came again, and gave copies of games. An earlier release played on then.
    Copies,
}

impl Standing {
    /// The plan of a run, and how it stands.
    ///
    /// # Errors
    /// The folder holds no match that can be read.
    pub fn read(run: &Path) -> Result<(Plan, Self), Failure> {
        let (plan, lines) = MatchFolder::read(run)?;
        let standing = Self::after(&plan, &lines);
        Ok((plan, standing))
    }

    pub fn new(plan: &Plan, tally: &Tally) -> Self {
        Self {
            test: plan.test,
            no_test: plan.no_test,
            games_of_a_pair: plan.games_of_a_pair(),
            on_fault: plan.on_fault,
            max_pairs: plan.most_pairs(),
            pairs_without_copies: plan.pairs_without_copies().filter(|_| !plan.no_test),
            tally: *tally,
            overshoot: Overshoot::default(),
            summary: OnceCell::new(),
        }
    }

    /// How a run stands after the pairs of its journal.
    pub fn after(plan: &Plan, lines: &[PairLine]) -> Self {
        let mut standing = Self::new(plan, &Tally::default());
        for line in lines {
            standing.add(&line.games);
        }
        standing
    }

    /// Counts another pair, or the one game of an opening.
    pub fn add(&mut self, games: &[GameRecord]) {
        self.tally.add(games, self.on_fault);
        if self.test.overshoot_correction {
            self.overshoot.update(self.llr());
        }
        self.summary = OnceCell::new();
    }

    /// The test; `None` in a match of fixed length.
    pub fn test(&self) -> Option<&Test> {
        (!self.no_test).then_some(&self.test)
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Games at most.
    pub fn max_games(&self) -> Option<u64> {
        self.most_pairs().map(|pairs| pairs * self.games_of_a_pair)
    }

    /// Pairs at most. Earlier releases did not keep by how many a run was made longer when it was
    /// resumed.
    fn most_pairs(&self) -> Option<u64> {
        let played = self.tally.pairs_played();
        self.max_pairs.map(|most| most.max(played))
    }

    /// Games that may still be played at most.
    pub(crate) fn games_left(&self) -> Option<u64> {
        self.pairs_left().map(|left| left * self.games_of_a_pair)
    }

    /// Whether so many pairs were won once by each side, and no other was decided, that both
    /// engines must be taken for the same.
    pub(crate) fn is_played_alike(&self) -> bool {
        let Tally {
            pentanomial, wdl, ..
        } = &self.tally;
        let [losses, .., wins] = pentanomial.0;
        losses + wins + pentanomial.0[1] + pentanomial.0[3] == 0
            && pentanomial.0[2] > 0
            && wdl.wins >= ALIKE
    }

    fn pairs_left(&self) -> Option<u64> {
        let played = self.tally.pairs_played();
        self.max_pairs.map(|most| most.saturating_sub(played))
    }

    /// Every figure that a report may print; `None` before the first pair.
    pub fn summary(&self) -> Option<&Summary> {
        let summary = self.summary.get_or_init(|| {
            let counts = self.counts()?;
            let mut summary = Summary::of(&self.test, &counts);
            if self.no_test {
                summary = summary.without_test();
            }
            if self.no_verdict().is_some() {
                summary = summary.without_strength();
            }
            if self.no_test {
                return Some(summary);
            }
            if let Some(left) = self.pairs_left() {
                summary = summary.limited(&self.test, &counts, left);
            }
            summary.verdict = self.verdict();
            let (lower, upper) = self.bounds();
            (summary.lower, summary.upper) = (Some(lower), Some(upper));
            Some(summary)
        });
        summary.as_ref()
    }

    /// The tally counts pairs and games from the same results, so they never contradict each other.
    pub fn counts(&self) -> Option<MatchCounts> {
        let Tally {
            pentanomial, wdl, ..
        } = self.tally;
        let counts = match self.games_of_a_pair {
            1 => MatchCounts::of_games(wdl),
            _ => MatchCounts::new(pentanomial, wdl),
        };
        counts.ok()
    }

    /// Elo as the summary has it, which takes long to compute where it is one of thousands.
    pub fn elo(&self) -> EloFigures {
        let counts = self.counts().filter(|_| self.no_verdict().is_none());
        counts.map_or_else(EloFigures::default, |counts| EloFigures::of(&counts))
    }

    pub fn llr(&self) -> f64 {
        self.test.llr(&self.tally.pentanomial, &self.tally.wdl)
    }

    /// Whether the ratio stays at 0 until every kind of result has occurred, which may be never.
    pub(crate) fn lacks_a_result(&self) -> bool {
        !self.no_test && self.test.lacks_a_result(&self.tally.wdl)
    }

    /// What the test says, if the match says anything.
    pub fn verdict(&self) -> Verdict {
        match self.no_verdict() {
            Some(_) => Verdict::Undecided,
            None if self.no_test => Verdict::NoTest,
            None => self.decision(),
        }
    }

    /// The verdict of the counts alone, whatever faults there were.
    fn decision(&self) -> Verdict {
        if self.no_test {
            return Verdict::Undecided;
        }
        self.judge(self.llr())
    }

    /// The bounds between which the ratio decides nothing.
    pub fn bounds(&self) -> (f64, f64) {
        let (lower, upper) = (self.test.lower(), self.test.upper());
        if self.test.overshoot_correction {
            self.overshoot.corrected(lower, upper)
        } else {
            (lower, upper)
        }
    }

    /// Strict on both sides, as OpenBench is.
    fn judge(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr > upper {
            Verdict::H1
        } else if llr < lower {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }

    /// Whether the test has had every opening of its book, and more games would be copies.
    pub fn is_book_used_up(&self) -> bool {
        let once = self.pairs_without_copies;
        once.is_some_and(|once| self.tally.pairs_played() >= once)
    }

    /// Why there is no verdict and will be none; `None` while engines play as they should.
    pub fn no_verdict(&self) -> Option<NoVerdict> {
        let (tally, test) = (&self.tally, &self.test);
        let once = self.pairs_without_copies;
        if once.is_some_and(|once| tally.pairs_played() > once) {
            return Some(NoVerdict::Copies);
        }
        if tally.faults() == 0 {
            return None;
        }
        let games = self.games_of_a_pair * tally.pairs_played();
        let without = test.llr(&tally.sound_pentanomial, &tally.sound_wdl);
        let is_decided = self.decision() != Verdict::Undecided;
        if self.on_fault == OnFault::Stop {
            Some(NoVerdict::Fault)
        } else if tally.faulty_pairs_in_a_row >= MOST_FAULTY_IN_A_ROW {
            Some(NoVerdict::FaultsInARow)
        } else if tally.faults() as f64 > MOST_FAULTY * games as f64
            && (is_decided || games >= ENOUGH_GAMES || self.pairs_left() == Some(0))
        {
            Some(NoVerdict::ManyFaults)
        } else if is_decided && self.judge(without) != self.decision() {
            Some(NoVerdict::FaultsDecided)
        } else {
            None
        }
    }

    /// Whether there is nothing left to play: the test is decided or cannot be, or all games of the
    /// plan are played.
    pub fn is_over(&self, plan: &Plan) -> bool {
        self.decision() != Verdict::Undecided
            || self.no_verdict().is_some()
            || plan.is_used_up(self.tally.pairs_played())
    }

    pub fn exit(&self) -> Exit {
        match self.no_verdict() {
            None | Some(NoVerdict::Copies) => self.verdict().exit(),
            Some(_) => Exit::EngineFault,
        }
    }
}

/// The members of the result's JSON that change while a run is played.
#[derive(Serialize, JsonSchema)]
pub struct Json<'a> {
    #[serde(flatten)]
    summary: Option<&'a Summary>,
    pairs: u64,
    /// Pairs that are played at most.
    max_pairs: Option<u64>,
    /// Pairs that do not count because an engine spoiled a game.
    void_pairs: u64,
    faults: BothFaults<'a>,
    /// Why faults, or copies of games, leave no verdict.
    no_verdict: Option<NoVerdict>,
    /// Whether a test at fixed nodes or depth has had every opening, so that more games would be
    /// copies.
    openings_used_up: bool,
    /// What engines did besides their moves and faults.
    #[serde(rename = "conduct")]
    diagnostics: &'a BothDiagnostics,
}

#[derive(Serialize, JsonSchema)]
struct BothFaults<'a> {
    base: &'a Faults,
    new: &'a Faults,
}

impl Serialize for Standing {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = Json {
            summary: self.summary(),
            pairs: self.tally.pentanomial.pairs(),
            max_pairs: self.most_pairs(),
            void_pairs: self.tally.void_pairs,
            faults: BothFaults {
                base: &self.tally.base_faults,
                new: &self.tally.new_faults,
            },
            no_verdict: self.no_verdict(),
            openings_used_up: self.is_book_used_up(),
            diagnostics: &self.tally.diagnostics,
        };
        json.serialize(serializer)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use engine_client::Color;
    use referee::arena::EndKind;
    use stats::{Pentanomial, Wdl};

    /// So many pairs of each kind, none of them spoiled.
    pub(crate) fn tally(pairs: [u64; 5]) -> Tally {
        let [ll, ld, even, dw, ww] = pairs;
        let wdl = Wdl {
            wins: dw + 2 * ww,
            losses: ld + 2 * ll,
            draws: ld + dw + 2 * even,
        };
        Tally {
            pentanomial: Pentanomial(pairs),
            wdl,
            sound_pentanomial: Pentanomial(pairs),
            sound_wdl: wdl,
            ..Tally::default()
        }
    }

    /// A pair that NEW won because BASE failed in both games.
    fn spoiled() -> [GameRecord; 2] {
        [Color::White, Color::Black].map(|new| GameRecord {
            new,
            winner: Some(new),
            end: EndKind::Crash,
            spoiler: None,
            text: String::new(),
            detail: None,
            plies: 9,
            diagnostics: BothDiagnostics::default(),
        })
    }

    fn standing(on_fault: OnFault, pairs: [u64; 5], spoiled_pairs: u64) -> Standing {
        let mut plan = crate::plan::tests::plan();
        plan.on_fault = on_fault;
        let mut standing = Standing::new(&plan, &tally(pairs));
        for _ in 0..spoiled_pairs {
            standing.add(&spoiled());
        }
        standing
    }

    #[test]
    fn crashes_in_every_game_are_no_strength() {
        let standing = standing(OnFault::Forfeit, [0; 5], 5);
        assert_eq!(standing.no_verdict(), Some(NoVerdict::FaultsInARow));
        assert_eq!(standing.verdict(), Verdict::Undecided);
        assert_eq!(standing.exit(), Exit::EngineFault);
    }

    #[test]
    fn faults_that_tip_the_balance_leave_no_verdict() {
        let close = [2, 100, 200, 130, 12];
        assert_eq!(
            standing(OnFault::Forfeit, close, 0).verdict(),
            Verdict::Undecided
        );
        let mut tipped = standing(OnFault::Forfeit, close, 0);
        while tipped.decision() == Verdict::Undecided {
            tipped.add(&spoiled());
            tipped.tally.faulty_pairs_in_a_row = 0;
        }
        assert_eq!(tipped.no_verdict(), Some(NoVerdict::FaultsDecided));
    }

    #[test]
    fn a_few_faults_in_a_clear_match_change_nothing() {
        let clear = [10, 100, 300, 500, 200];
        let standing = standing(OnFault::Forfeit, clear, 2);
        assert_eq!(standing.no_verdict(), None);
        assert_eq!(standing.verdict(), Verdict::H1);
    }

    #[test]
    fn a_tenth_of_spoiled_games_leaves_no_verdict_even_where_they_do_not_count() {
        let mut standing = standing(OnFault::Void, [10, 10, 10, 10, 0], 4);
        standing.tally.faulty_pairs_in_a_row = 0;
        assert_eq!(standing.no_verdict(), None);
        for _ in 0..20 {
            standing.add(&spoiled());
        }
        standing.tally.faulty_pairs_in_a_row = 0;
        assert_eq!(standing.no_verdict(), Some(NoVerdict::ManyFaults));
        assert_eq!(standing.tally().wdl.games(), 80);
    }

    #[test]
    fn a_short_match_that_was_spoiled_says_nothing_about_strength() {
        let mut plan = crate::plan::tests::plan();
        plan.max_pairs = Some(4);
        for no_test in [false, true] {
            plan.no_test = no_test;
            let mut standing = Standing::new(&plan, &Tally::default());
            for _ in 0..4 {
                assert_eq!(standing.no_verdict(), None);
                standing.add(&spoiled());
            }
            assert_eq!(standing.no_verdict(), Some(NoVerdict::ManyFaults));
            assert_eq!(standing.exit(), Exit::EngineFault);
            let summary = standing.summary().expect("a summary");
            assert_eq!(
                (summary.elo.value, summary.nelo, summary.los),
                (None, None, None)
            );
            assert_eq!(summary.wins, Some(8));
        }
    }

    #[test]
    fn a_test_at_fixed_nodes_ends_with_its_openings() {
        let mut plan = crate::plan::tests::plan();
        plan.play.limit = engine_client::Limit::nodes(50);
        plan.play.book.openings = 500;
        let standing = |pairs| Standing::new(&plan, &tally(pairs));
        let before = standing([30, 100, 200, 120, 49]);
        assert!(!before.is_over(&plan) && !before.is_book_used_up());
        let level = standing([30, 100, 200, 120, 50]);
        assert!(level.is_over(&plan) && level.is_book_used_up());
        assert_eq!((level.no_verdict(), level.exit()), (None, Exit::Undecided));
        assert_eq!(standing([10, 50, 200, 140, 100]).verdict(), Verdict::H1);
        // As an earlier release played it.
        let copied = standing([10, 50, 200, 140, 101]);
        assert_eq!(copied.no_verdict(), Some(NoVerdict::Copies));
        assert_eq!(
            (copied.verdict(), copied.exit()),
            (Verdict::Undecided, Exit::Undecided)
        );
    }

    #[test]
    fn the_first_fault_ends_a_run_that_is_to_stop() {
        let standing = standing(OnFault::Stop, [0, 0, 9, 0, 0], 1);
        assert_eq!(standing.no_verdict(), Some(NoVerdict::Fault));
    }
}
