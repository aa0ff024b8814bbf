//! What was planned, and the block for a commit message.

use foundation::counted;
use std::fmt::Write as _;

use plot::escape;

use super::parts;
use crate::activity::begun;
use crate::analysis::Analysis;
use crate::report::block::block;
use crate::report::command;

pub(super) fn plan(page: &mut String, analysis: &Analysis) {
    let plan = &analysis.plan;
    let (test, play) = (&plan.test, &plan.play);
    let corrected = if test.overshoot_correction {
        ", bounds corrected for overshoot"
    } else {
        ""
    };
    let book = play.book.file.as_ref().map_or_else(
        || "the embedded one".to_owned(),
        |file| file.display().to_string(),
    );
    let most = analysis
        .standing
        .max_games()
        .map_or_else(|| "no limit".to_owned(), |games| games.to_string());
    let rows = [
        ("base", parts::engine(&plan.base)),
        ("new", parts::engine(&plan.new)),
        (
            "test",
            if plan.no_test {
                "none".to_owned()
            } else {
                format!(
                    "[{}, {}] {}, alpha {}, beta {}{corrected}",
                    test.elo0,
                    test.elo1,
                    test.model.name(),
                    test.alpha,
                    test.beta
                )
            },
        ),
        ("limit", plan.limit_in_prose()),
        ("variant", play.variant.clone()),
        (
            "book",
            format!(
                "{book}, {}, seed {}",
                counted(play.book.openings, "opening"),
                play.book.reading.seed
            ),
        ),
        ("games at most", most),
        ("games at a time", play.concurrency.to_string()),
        ("folder", analysis.run.display().to_string()),
        ("begun", begun(&analysis.run).unwrap_or_default()),
        (
            "page made by",
            concat!("sprt ", env!("CARGO_PKG_VERSION")).to_owned(),
        ),
        ("command to play it again", command::again(plan)),
    ];
    parts::plan(page, rows);
    let _ = writeln!(
        page,
        "<section><h2>For a commit message</h2><pre>{}</pre></section>",
        escape(&block(plan, &analysis.standing))
    );
}
