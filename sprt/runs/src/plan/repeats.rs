//! Openings that come again. At fixed nodes or depth, in one thread, an engine plays the same moves
//! whenever it is asked: the games of such an opening are copies, and no evidence.

use foundation::counted;
use stats::Model;

use super::{BookPlan, Contender, Plan, PlayPlan};

/// What can be done about it.
const HINT: &str = "--book FILE takes a longer book, --tc a clock";

impl PlayPlan {
    /// How many openings come before the first whose games would be copies; `None` where a clock or
    /// several threads of `engines` make games differ.
    pub(crate) fn openings_once<'a>(
        &self,
        engines: impl IntoIterator<Item = &'a Contender>,
    ) -> Option<u64> {
        let mut engines = engines.into_iter();
        let is_fixed = engines.all(|engine| {
            engine.limit(&self.limit).has_no_clock() && engine.settings.threads() == 1
        });
        is_fixed.then(|| self.book.openings_once())
    }
}

impl BookPlan {
    /// How many openings are played before one comes again.
    fn openings_once(&self) -> u64 {
        let once = self.reading.openings_once(self.openings);
        once.saturating_sub(self.repeats.len() as u64)
    }

    /// How many openings so many pairs take, with those before theirs that are left out.
    pub fn taken(&self, pairs: u64) -> u64 {
        let left_out = (0..).zip(&self.repeats);
        let before = left_out.take_while(|(before, place)| place.saturating_sub(*before) < pairs);
        pairs.saturating_add(before.count() as u64)
    }

    /// How many of so many openings are not left out.
    pub fn kept_of(&self, openings: u64) -> u64 {
        let left_out = self.repeats.iter().filter(|place| **place < openings);
        openings.saturating_sub(left_out.count() as u64)
    }

    /// The same book from behind the openings of so many pairs.
    #[must_use]
    pub fn behind(&self, pairs: u64) -> Self {
        let taken = self.taken(pairs);
        let repeats = self.repeats.iter();
        let mut behind = self.clone();
        behind.reading.start = self.reading.start.saturating_add(taken);
        behind.repeats = repeats
            .filter_map(|place| place.checked_sub(taken))
            .collect();
        behind
    }

    /// What is said of a book that is too short.
    pub(crate) fn warning(&self, limit: &str, consequence: &str) -> String {
        let openings = counted(self.openings_once(), "opening");
        format!(
            "the book gives {openings} before one comes again, and at {limit} such an opening gives \
             copies of its games: {consequence}; {HINT}"
        )
    }
}

impl Plan {
    /// Pairs before the first that would be a copy; `None` where games differ.
    pub(crate) fn pairs_without_copies(&self) -> Option<u64> {
        self.play.openings_once([&self.base, &self.new])
    }

    /// Pairs at most: as many as are asked for, and in a test none that would be copies.
    pub(crate) fn most_pairs(&self) -> Option<u64> {
        let without_copies = self.pairs_without_copies().filter(|_| !self.no_test);
        without_copies.into_iter().chain(self.max_pairs).min()
    }

    /// What a book that is too short for the match means for it.
    pub(crate) fn warning_of_copies(&self) -> Option<String> {
        let once = self.pairs_without_copies()?;
        let consequence = if self.no_test {
            let pairs = self.max_pairs?;
            let each = (self.games_per_opening / 2).max(1);
            let copies = pairs - once.min(pairs.div_ceil(each));
            let unit = ["pair", "game"][usize::from(self.games_of_a_pair() == 1)];
            let pairs = counted(pairs, unit);
            (copies > 0)
                .then(|| format!("{copies} of {pairs} are copies, which Elo and its error count"))
        } else {
            let needed = self.test.most_pairs_on_average() as u64;
            let needed = self.max_pairs.map_or(needed, |most| needed.min(most));
            let pairs = counted(once, "pair");
            // In the other models the pairs depend on how many of the games are drawn.
            (self.test.model == Model::Normalized && once < needed)
                .then(|| format!("the test ends undecided after {pairs}, and may need {needed}"))
        };
        let warning =
            |consequence: String| self.play.book.warning(&self.limit_in_prose(), &consequence);
        consequence.map(warning)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::tests::plan;
    use engine_client::Limit;
    use stats::Model;

    #[test]
    fn a_short_book_is_a_matter_of_fixed_nodes_in_one_thread() {
        let mut plan = plan();
        plan.play.book.openings = 40;
        assert_eq!(plan.pairs_without_copies(), None);
        assert_eq!((plan.most_pairs(), plan.warning_of_copies()), (None, None));
        plan.play.limit = Limit::nodes(5000);
        assert_eq!(plan.most_pairs(), Some(40));
        let warning = plan.warning_of_copies().expect("a warning");
        let words = "the book gives 40 openings before one comes again, and at 5000 nodes";
        assert!(warning.starts_with(words), "{warning}");
        assert!(
            warning.contains("undecided after 40 pairs, and may need 2"),
            "{warning}"
        );
        plan.test.model = Model::Logistic;
        assert_eq!(plan.warning_of_copies(), None);
        plan.test.model = Model::Normalized;
        plan.max_pairs = Some(40);
        assert_eq!(plan.warning_of_copies(), None);
        plan.play.book.repeats = vec![2, 7];
        assert_eq!(plan.most_pairs(), Some(38));
        plan.new.settings.options = vec![("Threads".into(), "2".into())];
        assert_eq!(plan.pairs_without_copies(), None);
    }

    #[test]
    fn pairs_take_the_openings_that_are_left_out_before_theirs_too() {
        let mut book = plan().play.book;
        book.repeats = vec![1, 3, 5, 9];
        let taken: Vec<u64> = (0..7).map(|pairs| book.taken(pairs)).collect();
        assert_eq!(taken, [0, 1, 3, 5, 7, 8, 9]);
        assert_eq!(
            [0, 1, 2, 6, 20].map(|all| book.kept_of(all)),
            [0, 1, 1, 3, 16]
        );
        let behind = book.behind(2);
        assert_eq!((behind.reading.start, behind.repeats), (4, vec![0, 2, 6]));
        assert!(book.behind(u64::MAX).repeats.is_empty());
    }

    #[test]
    fn the_embedded_book_suffices_for_the_usual_test() {
        let mut plan = plan();
        plan.play.limit = Limit::nodes(5000);
        assert_eq!(plan.warning_of_copies(), None);
    }

    #[test]
    fn a_match_of_fixed_length_is_played_and_its_copies_are_counted_in_the_warning() {
        let mut plan = plan();
        plan.play.book.openings = 40;
        plan.play.limit = Limit::nodes(5000);
        (plan.no_test, plan.max_pairs) = (true, Some(100));
        assert_eq!(plan.most_pairs(), Some(100));
        let warning = |plan: &super::Plan| plan.warning_of_copies().unwrap_or_default();
        assert!(
            warning(&plan).contains("60 of 100 pairs are copies"),
            "{}",
            warning(&plan)
        );
        plan.max_pairs = Some(40);
        assert_eq!(warning(&plan), "");
        plan.games_per_opening = 4;
        assert!(
            warning(&plan).contains("20 of 40 pairs are copies"),
            "{}",
            warning(&plan)
        );
    }
}
