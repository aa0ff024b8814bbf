//! The result of a match as JSON.

use foundation::{Failure, failure::OrUnable};
use schemars::JsonSchema;
use serde::Serialize;

use super::MatchState;
use super::proof::{lack, proof};
use crate::plan::{Contender, Plan};
use crate::standing::{self, Standing};

/// The object that `--json` prints. Members are only ever added.
#[derive(Serialize, JsonSchema)]
pub struct Json<'a> {
    schema: &'static str,
    version: u32,
    #[serde(flatten)]
    #[schemars(with = "standing::Json<'static>")]
    standing: &'a Standing,
    base: Side<'a>,
    new: Side<'a>,
    limit: String,
    seed: u64,
    run: String,
    /// The trailer that binds a passed test to its commit; null where nothing can be bound.
    proof: Option<String>,
    /// Why a test that passed has no such trailer; null where it has one, or has not passed.
    no_proof: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct Side<'a> {
    source: &'a str,
    name: &'a str,
    commit: &'a Option<String>,
    bench: Option<u64>,
    sha256: &'a str,
    limit: String,
}

/// A run as JSON.
pub fn json(state: &MatchState<'_>) -> Result<String, Failure> {
    fn side<'a>(contender: &'a Contender, plan: &Plan) -> Side<'a> {
        Side {
            source: &contender.source,
            name: &contender.name,
            commit: &contender.commit,
            bench: contender.bench,
            sha256: &contender.sha256,
            limit: contender.limit(&plan.play.limit).openbench(),
        }
    }
    let MatchState {
        plan,
        run,
        standing,
    } = state;
    let json = Json {
        schema: "sprt-result",
        version: 1,
        standing,
        base: side(&plan.base, plan),
        new: side(&plan.new, plan),
        limit: plan.limit_in_words(),
        seed: plan.play.book.reading.seed,
        run: run.display().to_string(),
        proof: proof(state)?.ok().map(|proof| proof.to_string()),
        no_proof: lack(state),
    };
    serde_json::to_string_pretty(&json).or_unable("write the result as JSON")
}
