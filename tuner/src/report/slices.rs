//! Parameters that interact: Elo over the values of both, and the way of the run through them.

use std::fmt::Write;

use plot::{escape, short};

use crate::run::interaction::InteractionResult;
use crate::run::result::RunResult;
use crate::run::session::Session;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 262.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 22.0;
const RIGHT: f64 = WIDTH - 8.0;
const BOTTOM: f64 = HEIGHT - 38.0;
/// The strongest shade of a cell, so that figures on it can be read.
const SHADE: f64 = 0.45;

pub(super) fn section(page: &mut String, session: &Session, result: &RunResult) {
    let Some(interactions) = &result.interactions else {
        return;
    };
    let Some(words) = interactions.words() else {
        return;
    };
    page.push_str("<section><h2>Which parameters interact</h2>");
    if interactions.found.is_empty() {
        let _ = writeln!(page, "<p>{}.</p></section>", sentence(&words));
        return;
    }
    page.push_str("<div class=\"grid-of-charts\">");
    for own in &interactions.found {
        let way = session.trajectory().iter();
        let way = way.map(|sample| own.indices.map(|index| sample.point[index]));
        let way: Vec<[f64; 2]> = way.collect();
        let _ = write!(
            page,
            "<div><p>{}</p>{}{}</div>",
            escape(&own.words()),
            map(own, &way),
            table(own)
        );
    }
    let _ = writeln!(
        page,
        "</div><p class=\"note\">Elo over the start by the quadratic that fits both parameters, where pairs \
         were played; the line is the way of the run, from the ring to the dot. Of {} tested \
         interactions those are shown that are significant at 5% for all tests together.</p></section>",
        interactions.tested
    );
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    escape(&first.into_iter().chain(letters).collect::<String>())
}

/// A shade and a figure for each cell.
fn map(own: &InteractionResult, way: &[[f64; 2]]) -> String {
    let [first, second] = own.parameters.each_ref().map(|name| escape(name));
    let [columns, rows] = own.values.each_ref().map(|values| values.len() as f64);
    let (wide, high) = ((RIGHT - LEFT) / columns, (BOTTOM - TOP) / rows);
    let x = |place: f64| LEFT + wide * (place + 0.5);
    let y = |place: f64| BOTTOM - high * (place + 0.5);
    let most = own.surface.iter().flatten();
    let most = most.fold(f64::MIN_POSITIVE, |most, elo| most.max(elo.abs()));
    let digits = usize::from(most < 100.0);
    let mut svg = format!(
        "<svg class=\"heat\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Elo by {first} and {second}; the table below has the figures\">\
         <text class=\"title\" x=\"6\" y=\"14\">↑ {second}</text>\
         <text class=\"title\" x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">{first} →</text>",
        HEIGHT - 6.0
    );
    for (row, line) in own.surface.iter().enumerate() {
        for (column, &elo) in line.iter().enumerate() {
            let (left, top) = (x(column as f64) - wide / 2.0, y(row as f64) - high / 2.0);
            let _ = write!(
                svg,
                "<rect class=\"{}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" \
                 fill-opacity=\"{:.2}\"/><text class=\"cell\" x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{elo:+.digits$}</text>",
                if elo < 0.0 { "base" } else { "new" },
                SHADE * elo.abs() / most,
                x(column as f64),
                y(row as f64) + 4.0
            );
        }
    }
    for (row, value) in own.values[1].iter().enumerate() {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            y(row as f64) + 4.0,
            short(*value)
        );
    }
    // Every second one, since numbers may be wide.
    for (column, value) in own.values[0].iter().enumerate().step_by(2) {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(column as f64),
            BOTTOM + 14.0,
            short(*value)
        );
    }
    let points: Vec<(f64, f64)> = way
        .iter()
        .map(|at| {
            let [across, up] = [0, 1].map(|side| place(&own.values[side], at[side]));
            (x(across), y(up))
        })
        .collect();
    let line: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let _ = write!(
        svg,
        "<polyline class=\"way\" points=\"{}\"/>",
        line.join(" ")
    );
    for (class, end) in [("way", points.first()), ("way-end", points.last())] {
        if let Some((x, y)) = end {
            let _ = write!(
                svg,
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Where a value lies among those of an axis: at 0.5 it is half way from the first to the second.
fn place(values: &[f64], value: f64) -> f64 {
    let above = values.iter().position(|&other| other >= value);
    match above {
        None => values.len() as f64 - 1.0,
        Some(0) => 0.0,
        Some(above) => {
            let (low, high) = (values[above - 1], values[above]);
            above as f64 - (high - value) / (high - low)
        }
    }
}

/// The same figures as text.
fn table(own: &InteractionResult) -> String {
    let [first, second] = own.parameters.each_ref().map(|name| escape(name));
    let mut table = format!(
        "<details><summary>As a table</summary><div class=\"scroll\"><table><caption>Elo over the start, by \
         {first} (columns) and {second} (rows)</caption><thead><tr><th scope=\"col\">{second}"
    );
    for value in &own.values[0] {
        let _ = write!(table, "<th scope=\"col\">{}", short(*value));
    }
    table.push_str("</tr></thead><tbody>");
    for (value, line) in own.values[1].iter().zip(&own.surface) {
        let _ = write!(table, "<tr><th scope=\"row\">{}", short(*value));
        for elo in line {
            let _ = write!(table, "<td>{elo:+.1}");
        }
        table.push_str("</tr>");
    }
    table.push_str("</tbody></table></div></details>");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_a_surface_is_drawn_and_told() {
        let own = InteractionResult {
            parameters: ["A<b".to_owned(), "Other".to_owned()],
            indices: [0, 1],
            elo: -2.0,
            elo_sd: 0.5,
            values: [vec![1.0, 2.0, 4.0], vec![0.25, 0.5]],
            surface: vec![vec![-1.0, 0.0, 3.25], vec![2.0, 1.0, -7.5]],
        };
        assert_eq!(place(&own.values[0], 3.0), 1.5);
        assert_eq!([0.0, 9.0].map(|at| place(&own.values[0], at)), [0.0, 2.0]);
        let svg = map(&own, &[[2.0, 0.25], [3.0, 0.5]]);
        assert_eq!(svg.matches("<rect").count(), 6);
        assert!(svg.contains(">-7.5</text>") && svg.contains("fill-opacity=\"0.45\""));
        assert!(
            svg.contains("aria-label=\"Elo by A&lt;b and Other;"),
            "{svg}"
        );
        let table = table(&own);
        for figure in ["-1.0", "+0.0", "+3.2", "+2.0", "+1.0", "-7.5"] {
            assert!(table.contains(&format!("<td>{figure}")), "{figure} {table}");
        }
        assert_eq!(table.matches("scope=\"row\"").count(), 2);
    }
}
