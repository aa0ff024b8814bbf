//! The positions of blunders as a test suite: solved by any move that was none.

use std::collections::HashMap;
use std::fmt::Write as _;

use referee::game::Variant;

use crate::blunders::folder::BlundersRun;
use crate::blunders::judgement::{JudgedMove, judged};

/// One line a position with all moves that were blunders there; its comment is that of the first.
pub fn epd(run: &BlundersRun) -> String {
    let words = run.plan.variant().map_or(4, Variant::position_fields);
    let all = judged(&run.games, &run.plan, &run.judgements, false);
    let mut blunders: Vec<(String, Vec<&str>, &JudgedMove)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for judged in &all {
        if judged.loss() < run.plan.thresholds.blunder {
            continue;
        }
        let fields: Vec<&str> = judged.fen.split(' ').take(words).collect();
        let position = fields.join(" ");
        let place = *places.entry(position.clone()).or_insert(blunders.len());
        if place == blunders.len() {
            blunders.push((position, Vec::new(), judged));
        }
        let (_, moves, _) = &mut blunders[place];
        if !moves.contains(&&*judged.played) {
            moves.push(&judged.played);
        }
    }
    let mut text = String::new();
    for (number, (position, moves, first)) in (1..).zip(blunders) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{position} am {}; id \"{} {}.{number}\"; c1 \"judge: {}, {:.0}% before, {:.0}% after\";",
            moves.join(" "),
            first.player.replace('"', "'"),
            first.phase.name(),
            first.best,
            first.before,
            first.after,
        );
    }
    text
}
