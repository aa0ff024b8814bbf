//! Which games are judged, by whom, and what is called a mistake.

use std::path::PathBuf;

use engine_client::Limit;
use foundation::Failure;
use referee::game::{self, Variant, variants};
use runs::plan::{Contender, RunPlan, check_header};
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlundersPlan {
    schema: String,
    version: u32,
    /// What is played in the games.
    #[serde(
        default = "variants::usual",
        skip_serializing_if = "variants::is_usual"
    )]
    pub variant: String,
    pub games: Vec<GamesFile>,
    pub judge: Contender,
    /// Games that can be judged, and searches of the judge.
    pub games_read: usize,
    pub searches: usize,
    pub limit: Limit,
    /// Another limit with which all is judged again, to see how far the judge agrees with itself.
    pub again: Option<Limit>,
    /// Whose moves are judged; everybody's where nobody is named.
    pub players: Vec<String>,
    pub thresholds: Thresholds,
    #[serde(default)]
    pub win: WinModel,
    /// Positions searched at the same time.
    pub concurrency: usize,
    pub startup_timeout_s: u64,
    pub move_timeout_s: u64,
    /// Where the positions of blunders are written at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epd: Option<PathBuf>,
}

/// A file of games, which must stay as it is while they are judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesFile {
    pub path: PathBuf,
    pub sha256: String,
}

/// How winning chances come from scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum WinModel {
    /// lichess's fit to human games
    #[default]
    Lichess,
    /// A fit to the judge's scores and the results of these games
    Fit,
}

/// Percentage points of winning chances that a move loses, at least. A decided position has none to
/// lose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    pub inaccuracy: f64,
    pub mistake: f64,
    pub blunder: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            inaccuracy: 10.0,
            mistake: 20.0,
            blunder: 30.0,
        }
    }
}

impl RunPlan for BlundersPlan {
    const OF: &str = "count of blunders";

    fn check(&self) -> Result<(), Failure> {
        check_header((&self.schema, self.version), (Self::SCHEMA, VERSION))
    }
}

impl BlundersPlan {
    pub(crate) const SCHEMA: &str = "sprt-blunders-plan";

    #[must_use]
    pub fn new(games: Vec<GamesFile>, judge: Contender, limit: Limit) -> Self {
        Self {
            schema: Self::SCHEMA.to_owned(),
            version: VERSION,
            variant: variants::usual(),
            games,
            judge,
            games_read: 0,
            searches: 0,
            limit,
            again: None,
            players: Vec::new(),
            thresholds: Thresholds::default(),
            win: WinModel::default(),
            concurrency: 1,
            startup_timeout_s: 10,
            move_timeout_s: 60,
            epd: None,
        }
    }

    /// # Errors
    /// The plan names one that is unknown.
    pub fn variant(&self) -> Result<&'static dyn Variant, Failure> {
        game::find(&self.variant)
    }

    /// The limits of the judge's searches.
    pub(super) fn limits(&self) -> impl Iterator<Item = (bool, &Limit)> {
        [(false, Some(&self.limit)), (true, self.again.as_ref())]
            .into_iter()
            .filter_map(|(again, limit)| Some((again, limit?)))
    }

    pub(super) fn judges(&self, player: &str) -> bool {
        self.players.is_empty() || self.players.iter().any(|name| name == player)
    }
}
