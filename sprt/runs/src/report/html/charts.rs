//! The course of the test, and the engines move by move.

use std::fmt::{Display, Write as _};

use plot::{Band, Bar, Bars, Chart, Group, Level, Line, escape, short};

use super::size::{HEIGHT, WIDTH};
use super::summary::meanings;
use crate::analysis::{Analysis, Phase};

fn level(y: f64, class: &'static str, title: impl Display, is_named: bool) -> Level {
    Level {
        y,
        class,
        title: title.to_string(),
        is_named,
    }
}

fn line(label: &str, class: &str, points: Vec<(f64, f64)>) -> Line {
    Line {
        label: label.to_owned(),
        class: class.to_owned(),
        points,
    }
}

pub(super) fn test(page: &mut String, analysis: &Analysis) {
    let course = &analysis.course;
    let end = course.last().map_or(0.0, |point| point.pairs as f64);
    let (lower, upper) = analysis.standing.bounds();
    let mut ratio = vec![(0.0, 0.0)];
    ratio.extend(course.iter().map(|point| (point.pairs as f64, point.llr)));
    let llr = Chart {
        title: "Log-likelihood ratio".into(),
        width: WIDTH,
        height: HEIGHT,
        lines: vec![line("LLR", "new", ratio)],
        bands: vec![],
        levels: vec![
            level(
                upper,
                "bound",
                format!("H1 accepted above {upper:.2}"),
                true,
            ),
            level(0.0, "start", "0", false),
            level(
                lower,
                "bound",
                format!("H0 accepted below {lower:.2}"),
                true,
            ),
        ],
        end,
        x_name: "pairs",
    };
    // The first pairs show nothing, and their wide interval would hide all others.
    let known: Vec<_> = course
        .iter()
        .filter(|point| point.pairs as f64 >= 0.02 * end && point.pairs >= 8)
        .collect();
    let widest = known
        .first()
        .map_or(0.0, |point| point.elo[2] - point.elo[0]);
    let elo = Chart {
        title: "Elo with its 95% interval".into(),
        width: WIDTH,
        height: HEIGHT,
        lines: vec![line(
            "Elo",
            "new",
            known
                .iter()
                .map(|point| (point.pairs as f64, point.elo[1]))
                .collect(),
        )],
        bands: vec![Band {
            class: "elo".into(),
            points: known
                .iter()
                .map(|point| (point.pairs as f64, point.elo[0], point.elo[2]))
                .collect(),
        }],
        levels: vec![
            level(0.0, "start", "equal", true),
            level(widest / 2.0, "hidden", "", true),
            level(-widest / 2.0, "hidden", "", true),
        ],
        end,
        x_name: "pairs",
    };
    let _ = writeln!(
        page,
        "<section><h2>{}</h2><div class=\"charts\">{}{}{}",
        if analysis.plan.no_test {
            "The result"
        } else {
            "The test"
        },
        analysis
            .standing
            .test()
            .map_or_else(String::new, |_| llr.svg()),
        elo.svg(),
        pentanomial(analysis)
    );
    meanings(page);
    page.push_str("</div></section>\n");
}

fn pentanomial(analysis: &Analysis) -> String {
    let counts = analysis.standing.tally().pentanomial.0;
    let names = ["0", "½", "1", "1½", "2"];
    let groups = names.iter().enumerate().map(|(index, name)| {
        let mut bars = vec![];
        let mut bar = |class, value: f64, whose: &str| {
            bars.push(Bar {
                class,
                value,
                title: format!("{name} points: {} pairs {whose}", short(value.round())),
            });
        };
        if let Some([h0, h1]) = analysis.expected {
            bar("h0", h0[index], "expected under H0");
            bar("new", counts[index] as f64, "played");
            bar("seen", h1[index], "expected under H1");
        } else {
            bar("new", counts[index] as f64, "played");
        }
        Group {
            label: (*name).to_owned(),
            bars,
        }
    });
    let chart = Bars {
        title: "Pairs by the new engine's points".into(),
        width: WIDTH,
        height: HEIGHT,
        groups: groups.collect(),
        label_every: 1,
    };
    let legend = if analysis.expected.is_some() {
        "<p class=\"legend\"><span class=\"key h0\">expected under H0</span>\
         <span class=\"key new\">played</span><span class=\"key seen\">expected under H1</span></p>"
    } else {
        ""
    };
    format!("<div>{}{legend}</div>", chart.svg())
}

pub(crate) fn phases(page: &mut String, analysis: &Analysis) {
    let phases = &analysis.phases;
    if phases.moves.is_empty() {
        return;
    }
    let chart = |title: &str, figure: &dyn Fn(&Phase) -> Option<f64>| {
        let points = |side: usize| -> Vec<(f64, f64)> {
            let moves = phases.moves.iter().enumerate();
            moves
                .filter_map(|(index, both)| {
                    Some((index as f64 + 1.0, figure(both[side].as_ref()?)?))
                })
                .collect()
        };
        let (base, new) = (points(0), points(1));
        if base.is_empty() && new.is_empty() {
            return String::new();
        }
        Chart {
            title: title.to_owned(),
            width: WIDTH,
            height: HEIGHT,
            lines: vec![
                line(&analysis.plan.base.name, "base", base),
                line(&analysis.plan.new.name, "new", new),
            ],
            bands: vec![],
            levels: vec![level(0.0, "start", "", true)],
            end: phases.moves.len() as f64,
            x_name: "moves",
        }
        .svg()
    };
    let _ = writeln!(
        page,
        "<section><h2>The moves</h2><div class=\"charts\">{}{}{}<p class=\"legend beside\">\
         <span class=\"key base\">{}</span><span class=\"key new\">{}</span> \
         averages over {} games that are spread over the run, by the number of the move</p></div></section>",
        chart("Depth", &|phase| Some(phase.depth)),
        chart("Milliseconds a move", &|phase| Some(1000.0 * phase.seconds)),
        chart("Thousand nodes a second", &|phase| phase
            .nodes_per_second
            .map(|speed| speed / 1000.0)),
        escape(&analysis.plan.base.name),
        escape(&analysis.plan.new.name),
        phases.games
    );
}
