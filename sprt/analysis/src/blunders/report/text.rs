//! Tables and sentences about mistakes.

use foundation::counted;
use std::fmt::Write as _;

use crate::blunders::figures::{Losses, agreement, by_player, duel};
use crate::blunders::folder::BlundersRun;
use crate::blunders::judgement::{WinFit, judged};
use crate::blunders::plan::WinModel;
use crate::p_value::p_value;
use crate::table::drawn;
use referee::game::Phase;

pub fn text(run: &BlundersRun) -> String {
    let plan = &run.plan;
    let first = judged(&run.games, plan, &run.judgements, false);
    let players = by_player(&first, &plan.thresholds);
    let head = [
        "player",
        "games",
        "moves",
        "inaccuracies",
        "mistakes",
        "blunders",
        "a game (95%)",
        "loss %",
        "loss cp",
    ];
    let mut all = vec![head.map(str::to_owned).to_vec()];
    let head = [
        "player",
        "part",
        "moves",
        "inaccuracies",
        "mistakes",
        "blunders",
        "per 100 moves",
    ];
    let mut parts = vec![head.map(str::to_owned).to_vec()];
    let decimals =
        |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
    for (name, player) in &players {
        let mut row = vec![name.clone(), player.games.to_string()];
        row.extend(counts(&player.all));
        let estimate = player.blunders_a_game();
        row.push(estimate.map_or_else(String::new, |it| {
            format!("{:.2} ({:.2} to {:.2})", it.value, it.low, it.high)
        }));
        row.push(decimals(player.all.mean_loss()));
        row.push(decimals(player.all.mean_centipawns()));
        all.push(row);
        let phases = Phase::ALL.iter().map(|phase| phase.name().to_owned());
        let windows = player.named_windows();
        let windows = windows.map(|(name, losses)| (format!("moves {name}"), losses));
        let all_parts = phases.zip(&player.phases).chain(windows);
        for (part, losses) in all_parts.filter(|(_, it)| it.moves > 0) {
            let mut row = vec![name.clone(), part];
            row.extend(counts(losses));
            row.push(format!(
                "{:.1}",
                100.0 * losses.blunders as f64 / losses.moves as f64
            ));
            parts.push(row);
        }
    }
    let mut text = format!("{}\n\n{}\n", drawn(all), drawn(parts));
    let thresholds = &plan.thresholds;
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        "\na move loses as many percentage points of winning chances or more: inaccuracy {}, mistake {}, blunder {}",
        thresholds.inaccuracy, thresholds.mistake, thresholds.blunder
    );
    text.push_str(&win_in_words(run));
    if let Some(duel) = duel(&players) {
        let it = duel.difference;
        let _ = write!(
            text,
            "\n{} against {} {}: {:+.2} blunders a game ({:+.2} to {:+.2}, 95%), p {}",
            duel.second,
            duel.first,
            match duel.games {
                0 => "in games of their own".to_owned(),
                games => format!("in {}", counted(games, "game")),
            },
            it.value,
            it.low,
            it.high,
            p_value(duel.p)
        );
    }
    let second = judged(&run.games, plan, &run.judgements, true);
    if let (Some(again), Some(found)) = (&plan.again, agreement(&first, &second, thresholds)) {
        let _ = write!(
            text,
            "\njudged again ({again}): {} blunders at both limits, {} at the first alone, {} at the second alone; kappa {}",
            found.both,
            found.first_only,
            found.second_only,
            found
                .kappa
                .map_or_else(|| "n/a".to_owned(), |kappa| format!("{kappa:.2}"))
        );
    }
    text
}

/// Where winning chances come from, if that was asked.
fn win_in_words(run: &BlundersRun) -> String {
    let WinFit { curve, positions } = WinFit::of(&run.games, &run.plan, &run.judgements);
    match (run.plan.win, positions) {
        (WinModel::Lichess, _) => String::new(),
        (WinModel::Fit, Some(positions)) => format!(
            "\nwinning chances: 1 / (1 + e^(-{:.5} cp)), fitted to {positions} positions; lichess has 0.00368",
            curve.slope
        ),
        (WinModel::Fit, None) => {
            "\nwinning chances: lichess's curve, since scores and results of these games determine none".to_owned()
        }
    }
}

fn counts(losses: &Losses) -> [String; 4] {
    [
        losses.moves,
        losses.inaccuracies,
        losses.mistakes,
        losses.blunders,
    ]
    .map(|count| count.to_string())
}
