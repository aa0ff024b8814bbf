//! The positions of blunders as a test suite: solved by any other move.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use referee::game::Variant;

use crate::blunders::folder::BlundersRun;
use crate::blunders::judgement::judged;

/// One line a blunder, no position twice.
pub fn epd(run: &BlundersRun) -> String {
    let words = run.plan.variant().map_or(4, Variant::position_fields);
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for judged in judged(&run.games, &run.plan, &run.judgements, false) {
        if judged.loss() < run.plan.thresholds.blunder
            || !seen.insert((judged.fen.clone(), judged.played.clone()))
        {
            continue;
        }
        let fields: Vec<&str> = judged.fen.split(' ').take(words).collect();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{} am {}; id \"{} {}.{}\"; c1 \"judge: {}, {:.0}% before, {:.0}% after\";",
            fields.join(" "),
            judged.played,
            judged.player.replace('"', "'"),
            judged.phase.name(),
            seen.len(),
            judged.best,
            judged.before,
            judged.after,
        );
    }
    text
}
