//! How games ended, how much depended on the openings, which games engines spoiled.

use std::fmt::Write as _;

use plot::{Bar, Bars, Group, escape};

use super::size::{HEIGHT, WIDTH};
use crate::analysis::{Analysis, LENGTH_STEP};

pub(super) fn games(page: &mut String, analysis: &Analysis) {
    let every = analysis.lengths.len().div_ceil(8);
    let groups = analysis.lengths.iter().enumerate().map(|(step, results)| {
        let from = step * LENGTH_STEP;
        let names = ["won", "drawn", "lost"];
        let bars = results.iter().zip(names).zip(["new", "draw", "base"]);
        Group {
            label: from.to_string(),
            bars: bars
                .map(|((count, name), class)| Bar {
                    class,
                    value: *count as f64,
                    title: format!("{from} to {} plies: {count} {name}", from + LENGTH_STEP - 1),
                })
                .collect(),
        }
    });
    let lengths = Bars {
        title: "Games by length in plies".into(),
        width: WIDTH,
        height: HEIGHT,
        groups: groups.collect(),
        label_every: every,
    };
    let _ = write!(
        page,
        "<section><h2>The games</h2><div class=\"charts two\"><div>{}<p class=\"legend\">\
         <span class=\"key new\">won by the new engine</span><span class=\"key draw\">drawn</span>\
         <span class=\"key base\">lost</span></p></div><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\"><thead><tr><th>ending\
         <th>won<th>drawn<th>lost</tr></thead><tbody>",
        lengths.svg()
    );
    for ending in &analysis.endings {
        let [won, drawn, lost] = ending.results;
        let class = if ending.is_fault {
            " class=\"fault\""
        } else {
            ""
        };
        let _ = write!(
            page,
            "<tr{class}><th>{}<td>{won}<td>{drawn}<td>{lost}</tr>",
            escape(&ending.text)
        );
    }
    page.push_str("</tbody></table></div></div></section>\n");
}

pub(super) fn openings(page: &mut String, analysis: &Analysis) {
    let openings = &analysis.openings;
    let pairs = analysis.standing.tally().pairs_played() as f64;
    let rows = [
        ("the new engine won both games", openings.new_won_both),
        ("the new engine won one, drew one", openings.new_ahead),
        ("both games were drawn", openings.drawn_twice),
        (
            "White won both: the opening decided",
            openings.white_won_both,
        ),
        (
            "Black won both: the opening decided",
            openings.black_won_both,
        ),
        ("the base engine won one, drew one", openings.base_ahead),
        ("the base engine won both games", openings.base_won_both),
    ];
    page.push_str(
        "<section><h2>The openings</h2><div class=\"charts two\"><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\"><thead><tr>\
         <th>of the two games from one opening<th>pairs<th>share</tr></thead><tbody>",
    );
    for (words, count) in rows {
        let share = 100.0 * count as f64 / pairs;
        let _ = write!(page, "<tr><th>{words}<td>{count}<td>{share:.1}%</tr>");
    }
    page.push_str("</tbody></table></div><div class=\"scroll\" tabindex=\"0\">");
    if !analysis.decided.is_empty() {
        page.push_str(
            "<table class=\"decided\"><thead><tr><th>pair<th>won both games<th>opening</tr></thead><tbody>",
        );
        for pair in &analysis.decided {
            let by = if pair.new_won {
                &analysis.plan.new.name
            } else {
                &analysis.plan.base.name
            };
            let _ = write!(
                page,
                "<tr><th data-pair=\"{0}\">{0}<td class=\"name\" title=\"{1}\">{1}<td><code>{2}</code></tr>",
                pair.pair + 1,
                escape(by),
                escape(&pair.opening)
            );
        }
        page.push_str("</tbody></table>");
    }
    page.push_str("</div></div></section>\n");
}

pub(super) fn faults(page: &mut String, analysis: &Analysis) {
    let tally = analysis.standing.tally();
    let both = [
        (&analysis.plan.base, &tally.base_faults),
        (&analysis.plan.new, &tally.new_faults),
    ];
    page.push_str("<section><h2>Faults</h2>");
    for (engine, faults) in both {
        let words = faults.words();
        let words = if words.is_empty() { "none" } else { &words };
        let _ = write!(page, "<p>{}: {words}</p>", escape(&engine.name));
    }
    page.push_str("</section>\n");
}
