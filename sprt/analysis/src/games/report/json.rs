//! The object that `sprt stats --json` prints.

use std::collections::BTreeMap;

use foundation::{Failure, failure::OrUnable};
use schemars::JsonSchema;
use serde::Serialize;

use crate::games::statistics::{Effort, Lengths, PlayerStatistics, Statistics};
use referee::game::Phase;

#[derive(Serialize, JsonSchema)]
pub struct Json<'a> {
    schema: &'static str,
    version: u32,
    games: u64,
    /// Games that break the rules of chess, or are of another variant; not counted.
    broken: u64,
    /// Half-moves; null where there is no game.
    lengths: Option<Lengths>,
    /// Those with most games first.
    players: Vec<Player>,
    /// Games by how they ended.
    reasons: &'a BTreeMap<String, u64>,
    /// Games by the tags `ECO` and `Opening`.
    openings: &'a BTreeMap<String, u64>,
}

#[derive(Serialize, JsonSchema)]
struct Player {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Over all moves that were not out of a book.
    all: Means,
    phases: Vec<Part>,
    windows: Vec<Part>,
}

#[derive(Serialize, JsonSchema)]
struct Part {
    /// A phase, or the player's own moves: `1-10`, `291+`.
    part: String,
    #[serde(flatten)]
    means: Means,
}

/// Per move; null where no record has it.
#[derive(Serialize, JsonSchema)]
struct Means {
    moves: u64,
    seconds: Option<f64>,
    nodes: Option<f64>,
    depth: Option<f64>,
    nodes_per_second: Option<f64>,
}

pub fn json(statistics: &Statistics, broken: u64) -> Result<String, Failure> {
    let players = statistics.by_games().into_iter();
    let object = Json {
        schema: "sprt-stats",
        version: 1,
        games: statistics.games,
        broken,
        lengths: statistics.lengths(),
        players: players
            .map(|(name, player)| of_player(name, player, statistics))
            .collect(),
        reasons: &statistics.reasons,
        openings: &statistics.openings,
    };
    serde_json::to_string_pretty(&object).or_unable("write JSON")
}

fn of_player(name: &str, player: &PlayerStatistics, statistics: &Statistics) -> Player {
    let phases = Phase::ALL.iter().zip(&player.phases);
    Player {
        name: name.to_owned(),
        games: player.games,
        wins: player.wins,
        draws: player.draws,
        losses: player.losses,
        all: means(&player.all),
        phases: phases
            .map(|(phase, effort)| Part {
                part: phase.name().to_owned(),
                means: means(effort),
            })
            .collect(),
        windows: statistics
            .named_windows(player)
            .map(|(part, effort)| Part {
                part,
                means: means(effort),
            })
            .collect(),
    }
}

fn means(effort: &Effort) -> Means {
    Means {
        moves: effort.moves,
        seconds: effort.seconds(),
        nodes: effort.nodes(),
        depth: effort.depth(),
        nodes_per_second: effort.nodes_per_second(),
    }
}
