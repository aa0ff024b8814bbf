//! The result of a tournament as JSON.

use foundation::{Failure, failure::OrUnable};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::report::TournamentState;
use crate::tournament::{Figures, Kind};

/// The object that `--json` prints. Members are only ever added.
#[derive(Serialize, JsonSchema)]
pub struct Json<'a> {
    schema: &'static str,
    version: u32,
    title: &'a str,
    kind: Kind,
    /// Pairs of games that each pairing plays, but for those that break ties.
    rounds: u64,
    #[serde(flatten)]
    figures: Figures,
    limit: String,
    seed: u64,
    run: String,
}

impl<'a> From<&'a TournamentState<'_>> for Json<'a> {
    fn from(state: &'a TournamentState<'_>) -> Self {
        let format = &state.plan.format;
        Self {
            schema: "sprt-tournament",
            version: 1,
            title: &format.title,
            kind: format.kind,
            rounds: format.rounds,
            figures: Figures::of(state.plan, state.standing),
            limit: state.plan.limit_in_words(),
            seed: state.plan.play.book.reading.seed,
            run: state.run.display().to_string(),
        }
    }
}

impl Serialize for TournamentState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json::from(self).serialize(serializer)
    }
}

/// A tournament as JSON.
pub fn json(state: &TournamentState<'_>) -> Result<String, Failure> {
    serde_json::to_string_pretty(state).or_unable("write the result as JSON")
}
