//! Charts of estimates with their intervals, one below the other on a common scale.

use std::fmt::Write as _;

use crate::chart::ticks;
use crate::text::{escape, short};

/// An estimate; without an interval, only a dot is drawn.
pub struct Interval {
    pub label: String,
    pub value: f64,
    /// Where the interval begins and ends.
    pub ends: Option<[f64; 2]>,
}

/// A chart of estimates, in the given order.
pub struct Intervals {
    pub title: String,
    pub width: f64,
    pub rows: Vec<Interval>,
}

const TOP: f64 = 22.0;
const ROW: f64 = 22.0;
const BOTTOM: f64 = 22.0;
/// The width reserved for names at least, that of a letter, and the letters that are shown at most.
const NAMES: f64 = 130.0;
const LETTER: f64 = 6.6;
const MOST_LETTERS: usize = 40;

impl Intervals {
    pub fn svg(&self) -> String {
        let height = TOP + ROW * self.rows.len() as f64 + BOTTOM;
        let (low, high) = self.range();
        let right = self.width - 14.0;
        let letters = self.rows.iter().map(|row| row.label.chars().count()).max();
        let letters = letters.unwrap_or(0).min(MOST_LETTERS);
        let names = NAMES.max(LETTER * letters as f64 + 12.0);
        let x = |value: f64| names + (right - names) * (value - low) / (high - low);
        let title = escape(&self.title);
        let mut svg = format!(
            "<svg viewBox=\"0 0 {:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\">\
             <text class=\"title\" x=\"8\" y=\"13\">{title}</text>",
            self.width
        );
        for tick in ticks(low, high, 6.0) {
            // Writing to a `String` cannot fail, here and below.
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{TOP}\" y2=\"{1:.1}\"/>\
                 <text class=\"tick\" x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3}</text>",
                x(tick),
                height - BOTTOM,
                height - 6.0,
                short(tick)
            );
        }
        for (place, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (place as f64 + 0.5);
            let name: String = row.label.chars().take(MOST_LETTERS).collect();
            let [low, high] = row.ends.unwrap_or([row.value; 2]);
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <line class=\"span\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}: {:.0} ({low:.0} to {high:.0})</title></circle>",
                names - 8.0,
                y + 4.0,
                escape(&name),
                x(low),
                x(high),
                x(row.value),
                escape(&row.label),
                row.value
            );
        }
        svg.push_str("</svg>");
        svg
    }

    fn range(&self) -> (f64, f64) {
        let rows = self.rows.iter();
        let ends = rows.flat_map(|row| row.ends.unwrap_or([row.value; 2]));
        let (low, high) = ends
            .filter(|end| end.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
                (low.min(end), high.max(end))
            });
        if low > high {
            return (-1.0, 1.0);
        }
        let room = ((high - low) * 0.05).max(1.0);
        (low - room, high + room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(rows: &[(f64, Option<[f64; 2]>)]) -> String {
        let row = |&(value, ends)| Interval {
            label: "<a>".to_owned(),
            value,
            ends,
        };
        Intervals {
            title: "Elo".to_owned(),
            width: 400.0,
            rows: rows.iter().map(row).collect(),
        }
        .svg()
    }

    #[test]
    fn an_interval_lies_inside_and_names_are_escaped() {
        // 90 to 110 with 1 to each side, on 256 points of room.
        let svg = chart(&[(100.0, Some([90.0, 110.0]))]);
        assert!(svg.contains("x1=\"141.6\" x2=\"374.4\""), "{svg}");
        assert!(svg.contains("&lt;a&gt;: 100 (90 to 110)") && !svg.contains("<a>"));
    }

    #[test]
    fn a_long_name_is_shown() {
        let rows = ["opening, forcing move", "opening, forcing mate"].map(|label| Interval {
            label: label.to_owned(),
            value: 3.0,
            ends: None,
        });
        let svg = Intervals {
            title: "Change".to_owned(),
            width: 520.0,
            rows: rows.into(),
        }
        .svg();
        assert!(svg.contains(">opening, forcing move</text>"), "{svg}");
    }

    #[test]
    fn nothing_to_show_is_no_number_less() {
        assert!(!chart(&[]).contains("NaN") && !chart(&[(3.0, None)]).contains("NaN"));
    }
}
