//! The object that `sprt blunders --json` prints, and the file `result.json`.

use foundation::{Failure, failure::OrUnable};
use schemars::JsonSchema;
use serde::Serialize;

use crate::blunders::figures::{
    Agreement, Duel, Estimate, Losses, PlayerLosses, agreement, by_player, duel,
};
use crate::blunders::folder::BlundersRun;
use crate::blunders::judgement::{JudgedMove, WinFit, judged};
use referee::game::Phase;

#[derive(Serialize, JsonSchema)]
pub struct Json {
    schema: &'static str,
    version: u32,
    judge: String,
    limit: String,
    /// The second limit; null where all was judged once.
    again: Option<String>,
    /// Percentage points of winning chances.
    thresholds: Limits,
    win: Curve,
    games: usize,
    /// Games that break the rules; not counted.
    broken: usize,
    /// Positions without a judgement: the judge failed twice.
    faults: usize,
    players: Vec<Player>,
    /// The two players with most games; null where they can't be compared.
    duel: Option<Duel>,
    /// Between both limits; null where there is one.
    agreement: Option<Agreement>,
    /// Every mistake and blunder, in the order of the games.
    moves: Vec<Move>,
}

#[derive(Serialize, JsonSchema)]
struct Limits {
    inaccuracy: f64,
    mistake: f64,
    blunder: f64,
}

#[derive(Serialize, JsonSchema)]
struct Curve {
    /// Winning chances are 1 / (1 + e^(-slope cp)).
    slope: f64,
    /// Positions that the slope was fitted to; null where it is lichess's.
    positions: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Player {
    name: String,
    games: u64,
    #[serde(flatten)]
    losses: Losses,
    /// Percentage points of winning chances that a move lost on average.
    mean_loss: Option<f64>,
    /// Centipawns that a move lost on average, of scores cut at 1000.
    mean_centipawns: Option<f64>,
    /// With its 95% interval, each game one case; null for a single game, and where all games have
    /// as many, but not none.
    blunders_a_game: Option<Estimate>,
    phases: Vec<Part>,
    windows: Vec<Part>,
}

#[derive(Serialize, JsonSchema)]
struct Part {
    /// A phase, or the player's own moves: `1-10`, `111+`.
    part: String,
    #[serde(flatten)]
    losses: Losses,
}

#[derive(Serialize, JsonSchema)]
struct Move {
    /// Number of the game, from 1.
    game: usize,
    player: String,
    /// Number of the full move.
    number: u32,
    played: String,
    /// The judge's move, in UCI's notation.
    best: String,
    fen: String,
    /// Winning chances of the player in percent.
    before: f64,
    after: f64,
}

pub fn json(run: &BlundersRun) -> Result<String, Failure> {
    let plan = &run.plan;
    let first = judged(&run.games, plan, &run.judgements, false);
    let second = judged(&run.games, plan, &run.judgements, true);
    let players = by_player(&first, &plan.thresholds);
    let win = WinFit::of(&run.games, plan, &run.judgements);
    let object = Json {
        schema: "sprt-blunders",
        version: 1,
        judge: plan.judge.engine_name.clone(),
        limit: plan.limit.to_string(),
        again: plan.again.as_ref().map(ToString::to_string),
        thresholds: Limits {
            inaccuracy: plan.thresholds.inaccuracy,
            mistake: plan.thresholds.mistake,
            blunder: plan.thresholds.blunder,
        },
        win: Curve {
            slope: win.curve.slope,
            positions: win.positions,
        },
        games: run.games.len(),
        broken: run.broken.len(),
        faults: run
            .judgements
            .values()
            .filter(|it| it.fault.is_some())
            .count(),
        duel: duel(&players),
        agreement: agreement(&first, &second, &plan.thresholds),
        players: players
            .iter()
            .map(|(name, losses)| player(name, losses))
            .collect(),
        moves: first
            .iter()
            .filter(|it| it.loss() >= plan.thresholds.mistake)
            .map(one)
            .collect(),
    };
    serde_json::to_string_pretty(&object).or_unable("write JSON")
}

fn player(name: &str, player: &PlayerLosses) -> Player {
    let part = |part: String, losses: &Losses| Part {
        part,
        losses: losses.clone(),
    };
    let phases = Phase::ALL.iter().zip(&player.phases);
    let windows = player.named_windows();
    Player {
        name: name.to_owned(),
        games: player.games,
        mean_loss: player.all.mean_loss(),
        mean_centipawns: player.all.mean_centipawns(),
        blunders_a_game: player.blunders_a_game(),
        phases: phases
            .map(|(phase, losses)| part(phase.name().to_owned(), losses))
            .collect(),
        windows: windows.map(|(name, losses)| part(name, losses)).collect(),
        losses: player.all.clone(),
    }
}

fn one(judged: &JudgedMove) -> Move {
    Move {
        game: judged.game + 1,
        player: judged.player.clone(),
        number: judged.number,
        played: judged.played.clone(),
        best: judged.best.clone(),
        fen: judged.fen.clone(),
        before: judged.before,
        after: judged.after,
    }
}
