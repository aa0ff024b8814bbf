//! The way of the parameters over the course of a run: all in one chart, and each in its own.

use std::fmt::Write;

use plot::{Band, Chart, Level, Line, escape};

use super::class::class;
use crate::parameter::Parameter;
use crate::run::journal::Replayed;
use crate::run::printed::shown;
use crate::run::result::RunResult;

/// Lines of the common chart that get a colour of their own.
const COLOURS: usize = 8;

/// All parameters in units of their c, the largest movers in colour.
pub(super) fn together(page: &mut String, replayed: &Replayed, result: &RunResult) {
    let session = &replayed.session;
    // Levels are not counted in c.
    let mut order: Vec<usize> = (0..result.parameters.len())
        .filter(|&index| result.parameters[index].levels.is_empty())
        .collect();
    let moved = |index: &usize| result.parameters[*index].moved.abs();
    order.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
    let in_c = |index: usize| -> Vec<(f64, f64)> {
        let parameter = session.tune().parameters.get(index);
        let (start, c_end) = parameter.map_or((0.0, 1.0), |p| (p.value, p.c_end));
        let samples = session.trajectory().iter();
        samples
            .map(|at| (at.pairs as f64, (at.point[index] - start) / c_end))
            .collect()
    };
    let mut lines = vec![Line {
        label: "dummy".into(),
        class: "dummy".into(),
        points: in_c(result.parameters.len()),
    }];
    // Painted last is on top.
    for (rank, &index) in order.iter().enumerate().rev() {
        lines.push(Line {
            label: result.parameters[index].name.clone(),
            class: if rank < COLOURS {
                format!("c{rank}")
            } else {
                "rest".into()
            },
            points: in_c(index),
        });
    }
    let floor = result.noise_floor;
    let chart = Chart {
        title: "Moved from the start, in c".into(),
        width: 960.0,
        height: 340.0,
        lines,
        bands: Vec::new(),
        levels: vec![
            Level {
                y: 0.0,
                class: "start",
                title: "start".into(),
                is_named: false,
            },
            Level {
                y: floor,
                class: "noise",
                title: "as far as the dummy went".into(),
                is_named: false,
            },
            Level {
                y: -floor,
                class: "noise",
                title: "as far as the dummy went".into(),
                is_named: false,
            },
        ],
        end: result.planned_pairs as f64,
        x_name: "pairs",
    };
    page.push_str("<section><h2>Where it went</h2>");
    page.push_str(&chart.svg());
    page.push_str("<p class=\"legend\">");
    for (rank, &index) in order.iter().take(COLOURS).enumerate() {
        let name = escape(&result.parameters[index].name);
        let _ = write!(page, "<span class=\"key c{rank}\">{name}</span> ");
    }
    page.push_str("<span class=\"key dummy\">dummy</span></p></section>\n");
}

/// A chart for each parameter, in its own unit.
pub(super) fn each(page: &mut String, replayed: &Replayed, result: &RunResult) {
    let session = &replayed.session;
    page.push_str(
        "<section><h2>Each parameter, in its own unit</h2><div class=\"grid-of-charts\">",
    );
    for (index, parameter) in session.tune().parameters.iter().enumerate() {
        let samples = session.trajectory().iter();
        let chart = Chart {
            title: format!(
                "{}: {} → {}",
                parameter.name,
                shown(&parameter.choices, parameter.value),
                shown(&parameter.choices, result.parameters[index].value)
            ),
            width: 310.0,
            height: 130.0,
            lines: vec![Line {
                label: parameter.name.clone(),
                class: class(result.parameters[index].verdict).into(),
                points: samples
                    .map(|at| (at.pairs as f64, at.point[index]))
                    .collect(),
            }],
            bands: if result.parameters[index].levels.is_empty() {
                vec![noise_band(parameter, result)]
            } else {
                Vec::new()
            },
            levels: marks(parameter),
            end: result.planned_pairs as f64,
            x_name: "pairs",
        };
        page.push_str(&chart.svg());
    }
    page.push_str(
        "</div><p class=\"note\">The band is as far as the dummy went: what stays in it has moved no more \
         than noise does.</p></section>\n",
    );
}

/// The start and the bounds, or each text of a choice.
fn marks(parameter: &Parameter) -> Vec<Level> {
    let mark = |y, class, title: &str| Level {
        y,
        class,
        title: title.to_owned(),
        is_named: !parameter.choices.is_empty() && class != "start",
    };
    let mut marks = vec![mark(parameter.value, "start", "start")];
    if parameter.choices.is_empty() {
        marks.push(mark(parameter.min, "bound", "minimum"));
        marks.push(mark(parameter.max, "bound", "maximum"));
    }
    for value in parameter.telling_values() {
        if let Some(choice) = parameter.choices.get(value as usize) {
            marks.push(mark(value, "bound", choice));
        }
    }
    marks
}

/// How far the dummy went, in this parameter's unit.
fn noise_band(parameter: &Parameter, result: &RunResult) -> Band {
    let half = result.noise_floor * parameter.c_end;
    let place = |value: f64| parameter.clip(value);
    let (low, high) = (place(parameter.value - half), place(parameter.value + half));
    Band {
        class: "band noise-band".into(),
        points: vec![(0.0, low, high), (result.planned_pairs as f64, low, high)],
    }
}
