//! A run, resolved: everything that decides what is played, with nothing left to look up.
//!
//! The command line ([`MatchFlags`], [`TestFlags`]) becomes a [`Plan`] when defaults are filled in,
//! engines built ([`contender`]) and books opened.
//!
//! `--dry-run` prints it, the run folder keeps it, and a resumed run obeys it. Whatever would
//! make the games of a resumed run differ from those before (another binary, another book) is found
//! by comparison with it.

use std::path::Path;

use foundation::{Failure, is_default};
use serde::{Deserialize, Serialize};

use engine_client::{Color, Limit};
use referee::arena::MatchSetup;
use stats::Test;

mod colors;
pub mod contender;
mod cores;
mod difference;
mod fit;
mod kept_limit;
mod limit_flags;
mod match_flags;
mod named_setting;
mod on_fault;
mod option_files;
mod option_list;
mod play;
pub mod project_file;
mod range;
mod record_style;
mod repeats;
mod run_plan;
pub mod settings;
mod test_flags;
mod value_name;

pub use colors::Colors;
pub use contender::{Contender, Trial};
pub use match_flags::MatchFlags;
pub use named_setting::NamedSetting;
pub use on_fault::OnFault;
pub use option_files::option_files;
pub use option_list::{parse_option, with_last_values};
pub use play::{BookPlan, PlayPlan, SyzygyPlan};
pub use range::wait_seconds;
pub use record_style::{Comments, Field, Notation, RecordFlags, RecordStyle};
pub use run_plan::{RunPlan, check_header};
pub use settings::{EngineFlags, EngineSettings, Entry};
pub use test_flags::{Question, TestFlags};
pub use value_name::value_name;

const SCHEMA: &str = "sprt-plan";
const VERSION: u32 = 1;

/// A match under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    schema: String,
    version: u32,
    pub base: Contender,
    pub new: Contender,
    pub test: Test,
    /// Whether the match has a fixed length and no test; then `max_pairs` is how long it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_test: bool,
    /// Two are a pair with colours swapped, more are several pairs; one is played with alternating
    /// colours.
    #[serde(default = "two", skip_serializing_if = "is_two")]
    pub games_per_opening: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub colors: Colors,
    /// What happens to pairs in which an engine spoils a game.
    #[serde(default)]
    pub on_fault: OnFault,
    /// Pairs at most; without it the test goes on until it decides.
    pub max_pairs: Option<u64>,
    /// How the run's games are written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pgn: RecordStyle,
    #[serde(flatten)]
    pub play: PlayPlan,
}

fn two() -> u64 {
    2
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands it over like this"
)]
fn is_two(games: &u64) -> bool {
    *games == 2
}

impl RunPlan for Plan {
    const OF: &str = "run";

    fn check(&self) -> Result<(), Failure> {
        check_header((&self.schema, self.version), (SCHEMA, VERSION))
    }

    fn amend(&mut self, run: &Path) -> Result<(), Failure> {
        self.max_pairs = kept_limit::read(run)?.or(self.max_pairs);
        Ok(())
    }
}

impl Plan {
    /// Engines of the same name get names of their own, for the sake of their logs also where the names
    /// differ in case.
    pub fn new(
        mut base: Contender,
        mut new: Contender,
        question: Question,
        play: PlayPlan,
    ) -> Self {
        if base.name.to_lowercase() == new.name.to_lowercase() {
            base.name.push_str("-base");
            new.name.push_str("-new");
        }
        Self {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            base,
            new,
            test: question.test,
            no_test: question.no_test,
            games_per_opening: question.games_per_opening,
            colors: question.colors,
            on_fault: question.on_fault,
            max_pairs: question.max_pairs,
            pgn: RecordStyle::default(),
            play,
        }
    }

    /// The flags that give the same test.
    pub fn test_flags(&self) -> Vec<(&'static str, String)> {
        let question = Question {
            test: self.test,
            no_test: self.no_test,
            games_per_opening: self.games_per_opening,
            colors: self.colors,
            on_fault: self.on_fault,
            max_pairs: self.max_pairs,
        };
        question.flags()
    }

    pub fn setup(&self) -> Result<MatchSetup, Failure> {
        let mut setup = self.play.setup(&self.base, &self.new)?;
        self.pgn.keep_lines(&mut setup);
        Ok(setup)
    }

    /// The limits of both engines in OpenBench's words, in one where they have the same.
    pub(crate) fn limit_in_words(&self) -> String {
        self.in_words(" ", Limit::openbench)
    }

    /// The limits of both engines for people to read, in one where they have the same.
    pub fn limit_in_prose(&self) -> String {
        self.in_words(", ", ToString::to_string)
    }

    /// The limits of BASE and NEW.
    pub fn limits(&self) -> [&Limit; 2] {
        [&self.base, &self.new].map(|engine| engine.limit(&self.play.limit))
    }

    fn in_words(&self, between: &str, words: impl Fn(&Limit) -> String) -> String {
        let [base, new] = self.limits();
        if base == new {
            words(new)
        } else {
            format!("base: {}{between}new: {}", words(base), words(new))
        }
    }

    /// Games to be played at a time, no more than there are pairs left after `played` ones.
    pub fn slots(&self, played: u64) -> usize {
        let left = self
            .most_pairs()
            .map_or(u64::MAX, |most| most.saturating_sub(played));
        self.play
            .concurrency
            .min(usize::try_from(left).unwrap_or(usize::MAX))
    }

    /// Allows so many games in all from now on, whatever was asked for before, and keeps that in
    /// the folder of the run.
    ///
    /// # Errors
    /// They are no whole number of openings, or the folder cannot be written to.
    pub fn allow_games(&mut self, games: u64, run: &Path) -> Result<(), Failure> {
        let pairs = test_flags::pairs_of("max-games", games, self.games_per_opening)?;
        self.max_pairs = Some(pairs);
        kept_limit::write(run, pairs)
    }

    /// Games that are played together: a pair, or one where openings are played once.
    pub fn games_of_a_pair(&self) -> u64 {
        self.games_per_opening.min(2)
    }

    /// Number of the opening of a pair, both counted from 0.
    pub(crate) fn opening_of(&self, pair: u64) -> u64 {
        pair / (self.games_per_opening / 2).max(1)
    }

    /// The colours of NEW in the games of a pair, counted from 0.
    pub(crate) fn colors_of_new(&self, pair: u64) -> Vec<Color> {
        let mut colors = self.colors.of_new().to_vec();
        if self.games_per_opening == 1 {
            colors.swap(0, (pair % 2) as usize);
            colors.truncate(1);
        }
        colors
    }

    /// Whether the counts so far end the run, whatever they decide.
    pub(crate) fn is_used_up(&self, pairs: u64) -> bool {
        self.most_pairs().is_some_and(|most| pairs >= most)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A plan of two engines that do not exist.
    pub(crate) fn plan() -> Plan {
        plan_of("base", "new")
    }

    fn plan_of(base: &str, new: &str) -> Plan {
        let contender = |name: &str| Contender {
            source: name.to_owned(),
            name: name.to_owned(),
            command: PathBuf::from(name),
            ..Contender::default()
        };
        let question = TestFlags::default().resolve().expect("the usual test");
        let play = MatchFlags::default().resolve().expect("the usual match");
        Plan::new(contender(base), contender(new), question, play)
    }

    #[test]
    fn engines_whose_names_differ_in_case_are_distinguished() {
        let plan = plan_of("Engine", "engine");
        assert_eq!(
            [plan.base.name, plan.new.name],
            ["Engine-base", "engine-new"]
        );
    }

    #[test]
    fn an_odd_number_of_games_is_refused() {
        let odd = TestFlags {
            max_games: Some(5),
            ..TestFlags::default()
        };
        let failure = odd.resolve().expect_err("no pairs");
        assert!(failure.message().contains("--max-games 5"), "{failure}");
        assert_eq!(failure.next_step(), Some("such as 4 or 6"));
        assert_eq!(test_flags::pairs_of("max-games", 6, 2), Ok(3));
    }

    #[test]
    fn a_match_of_fixed_length_has_no_test_and_may_play_openings_once() {
        let fixed = |games_per_opening, games| TestFlags {
            games: Some(games),
            games_per_opening,
            ..TestFlags::default()
        };
        let question = fixed(None, 10).resolve().expect("ten games");
        assert_eq!((question.no_test, question.max_pairs), (true, Some(5)));
        let question = fixed(Some(1), 7).resolve().expect("seven games");
        assert_eq!(
            (question.games_per_opening, question.max_pairs),
            (1, Some(7))
        );
        assert!(fixed(None, 7).resolve().is_err());
        let question = fixed(Some(6), 12).resolve().expect("two openings");
        assert_eq!(question.max_pairs, Some(6));
        let failure = fixed(Some(6), 10).resolve().expect_err("half an opening");
        assert_eq!(failure.next_step(), Some("such as 6 or 12"), "{failure}");
        assert!(
            fixed(Some(3), 12).resolve().is_err(),
            "one colour too often"
        );
        let once = TestFlags {
            games_per_opening: Some(1),
            ..TestFlags::default()
        };
        let failure = once.resolve().expect_err("a test counts pairs");
        assert!(
            failure.message().contains("--games-per-opening 1"),
            "{failure}"
        );
    }

    #[test]
    fn an_opening_may_be_played_by_several_pairs() {
        let mut plan = plan();
        let openings = |plan: &Plan| (0..6).map(|pair| plan.opening_of(pair)).collect::<Vec<_>>();
        assert_eq!(openings(&plan), [0, 1, 2, 3, 4, 5]);
        plan.games_per_opening = 4;
        assert_eq!(openings(&plan), [0, 0, 1, 1, 2, 2]);
        assert_eq!(plan.colors_of_new(1), [Color::White, Color::Black]);
        plan.games_per_opening = 1;
        assert_eq!(openings(&plan), [0, 1, 2, 3, 4, 5]);
        plan.colors = Colors::BaseFirst;
        assert_eq!(plan.colors_of_new(0), [Color::Black]);
        assert_eq!(plan.colors_of_new(1), [Color::White]);
        plan.colors = Colors::NewWhite;
        assert_eq!(plan.colors_of_new(1), [Color::White]);
    }

    #[test]
    fn a_concurrency_of_zero_is_refused() {
        let none = MatchFlags {
            concurrency: Some(0),
            ..MatchFlags::default()
        };
        let failure = none.resolve().expect_err("nothing would be played");
        assert!(failure.message().contains("--concurrency 0"), "{failure}");
    }

    #[test]
    fn a_plan_of_an_earlier_release_forfeits_faults() {
        let plan = plan();
        let mut json: serde_json::Value =
            serde_json::from_str(&plan.to_json().expect("JSON")).expect("JSON");
        json.as_object_mut().expect("an object").remove("on_fault");
        assert_eq!(Plan::from_json(&json.to_string()), Ok(plan));
    }
}
