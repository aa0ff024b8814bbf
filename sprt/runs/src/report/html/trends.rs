//! What evaluations were worth, and the speed of both engines in the course of the run.

use std::fmt::Write as _;

use plot::{Chart, Level, Line, escape};

use super::size::{HEIGHT, WIDTH};
use crate::analysis::{Analysis, Trends};

pub(super) fn trends(page: &mut String, analysis: &Analysis) {
    let Trends { worth, speed } = &analysis.trends;
    let names = [&analysis.plan.base.name, &analysis.plan.new.name];
    let chart = |title: &str, both: &[Vec<(f64, f64)>; 2], levels, end, x_name| {
        if both.iter().all(Vec::is_empty) {
            return String::new();
        }
        let lines = both.iter().zip(names).zip(["base", "new"]);
        let lines = lines.map(|((points, name), class)| Line {
            label: name.clone(),
            class: class.to_owned(),
            points: points.clone(),
        });
        Chart {
            title: title.to_owned(),
            width: WIDTH,
            height: HEIGHT,
            lines: lines.collect(),
            bands: vec![],
            levels,
            end,
            x_name,
        }
        .svg()
    };
    let level = |y, title: &str| Level {
        y,
        class: "start",
        title: title.to_owned(),
        is_named: true,
    };
    let pawns = worth.iter().flatten().map(|(pawns, _)| *pawns);
    let end = pawns.fold(0.0, f64::max) + 0.5;
    let made = chart(
        "Points made, by evaluation",
        worth,
        vec![level(50.0, "half the points"), level(100.0, "")],
        end.ceil(),
        "pawns ahead",
    );
    let pairs = analysis.standing.tally().pairs_played() as f64;
    let fast = chart(
        "Thousand nodes a second, over the run",
        speed,
        vec![level(0.0, "")],
        pairs,
        "pairs",
    );
    if made.is_empty() && fast.is_empty() {
        return;
    }
    let [base, new] = names.map(|name| escape(name));
    let words = [
        (
            &made,
            " Points: the percentage that an engine made where it saw itself ahead by so much; lines of engines with \
             the same scale lie on each other.",
        ),
        (
            &fast,
            " Nodes: where both fall together, the machine was busy with something else.",
        ),
    ];
    let words: String = words
        .iter()
        .filter(|(chart, _)| !chart.is_empty())
        .map(|(_, words)| *words)
        .collect();
    let _ = writeln!(
        page,
        "<section><h2>Evaluations and the machine</h2><div class=\"charts\">{made}{fast}<p class=\"legend \
         beside\"><span class=\"key base\">{base}</span><span class=\"key new\">{new}</span>{words}</p>\
         </div></section>"
    );
}
