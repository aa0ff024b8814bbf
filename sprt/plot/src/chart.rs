//! Line charts as SVG.

use crate::frame::{self, LEFT};
use std::fmt::Write;

use crate::text::{escape, short};

/// One line: its points, and the class that selects its colour.
pub struct Line {
    pub label: String,
    pub class: String,
    pub points: Vec<(f64, f64)>,
}

/// The area between two lines, such as an interval around an estimate: x, lower and upper y.
pub struct Band {
    pub class: String,
    pub points: Vec<(f64, f64, f64)>,
}

/// A horizontal line across the chart, which the range of the y axis includes.
pub struct Level {
    pub y: f64,
    pub class: &'static str,
    pub title: String,
    /// Whether the title is written in the chart, and not only a tooltip.
    pub is_named: bool,
}

/// A chart of lines over a common x axis.
pub struct Chart {
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub lines: Vec<Line>,
    pub bands: Vec<Band>,
    pub levels: Vec<Level>,
    /// The end of the x axis, such as the planned length of a run.
    pub end: f64,
    pub x_name: &'static str,
}

const RIGHT: f64 = 10.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 22.0;
/// The approximate width of a letter.
const LETTER: f64 = 7.0;

impl Chart {
    pub fn svg(&self) -> String {
        let (low, high) = self.range();
        let (right, bottom) = (self.width - RIGHT, self.height - BOTTOM);
        let x = |value: f64| LEFT + (right - LEFT) * value / self.end.max(1.0);
        let y = |value: f64| bottom - (bottom - TOP) * (value - low) / (high - low);
        let mut svg = frame::open(self.width, self.height, &self.title);
        frame::grid(
            &mut svg,
            ticks(low, high, ((bottom - TOP) / 28.0).max(2.0)),
            right,
            y,
        );
        // The label at the end needs room for the name of the axis beside it.
        let name = format!("{} {}", short(self.end), self.x_name);
        let room = right - LETTER * (name.len() as f64 + 1.0);
        for tick in frame::whole(ticks(0.0, self.end, 5.0)) {
            let half = LETTER * short(tick).len() as f64 / 2.0;
            if tick > 0.0 && x(tick) + half < room {
                let _ = write!(
                    svg,
                    "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    x(tick),
                    self.height - 6.0,
                    short(tick)
                );
            }
        }
        for (at, anchor) in [(0.0, "start"), (self.end, "end")] {
            let name = if at > 0.0 {
                format!("{} {}", short(at), self.x_name)
            } else {
                "0".into()
            };
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{name}</text>",
                x(at),
                self.height - 6.0
            );
        }
        for band in &self.bands {
            let corners = band
                .points
                .iter()
                .map(|point| (point.0, point.2))
                .chain(band.points.iter().rev().map(|point| (point.0, point.1)))
                .map(|(at, value)| format!("{:.1},{:.1}", x(at), y(value.clamp(low, high))));
            let corners: Vec<String> = corners.collect();
            let _ = write!(
                svg,
                "<polygon class=\"band {}\" points=\"{}\"/>",
                band.class,
                corners.join(" ")
            );
        }
        for level in self
            .levels
            .iter()
            .filter(|level| (low..=high).contains(&level.y))
        {
            let _ = write!(
                svg,
                "<line class=\"{}\" x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\">\
                 <title>{2}</title></line>",
                level.class,
                y(level.y),
                escape(&level.title)
            );
            if level.is_named {
                let _ = write!(
                    svg,
                    "<text class=\"tick\" x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                    y(level.y) - 4.0,
                    escape(&level.title)
                );
            }
        }
        for line in &self.lines {
            let points: Vec<String> = line
                .points
                .iter()
                .map(|&(at, value)| format!("{:.1},{:.1}", x(at), y(value.clamp(low, high))))
                .collect();
            let _ = write!(
                svg,
                "<polyline class=\"line {}\" points=\"{}\"><title>{}</title></polyline>",
                line.class,
                points.join(" "),
                escape(&line.label)
            );
        }
        svg.push_str("</svg>");
        svg
    }

    /// The range of the y axis, with a margin; never empty.
    fn range(&self) -> (f64, f64) {
        let values = self
            .lines
            .iter()
            .flat_map(|line| line.points.iter().map(|point| point.1))
            .chain(
                self.levels
                    .iter()
                    .filter(|level| level.is_named)
                    .map(|level| level.y),
            )
            .filter(|value| value.is_finite());
        let (mut low, mut high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |range, value| {
                (range.0.min(value), range.1.max(value))
            });
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let margin = ((high - low) * 0.08).max(high.abs().max(low.abs()) * 1e-3);
        let margin = if margin > 0.0 { margin } else { 1.0 };
        (low - margin, high + margin)
    }
}

/// Round values between `low` and `high`, about `wanted` of them.
pub(crate) fn ticks(low: f64, high: f64, wanted: f64) -> Vec<f64> {
    let rough = (high - low) / wanted;
    if rough <= 0.0 || !rough.is_finite() {
        return Vec::new();
    }
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|index| index as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(93.0, 118.0, 5.0), [95.0, 100.0, 105.0, 110.0, 115.0]);
        assert_eq!(ticks(-0.3, 0.31, 3.0), [0.0]);
        assert_eq!(ticks(-0.5, 0.5, 3.0), [-0.5, 0.0, 0.5]);
    }

    #[test]
    fn a_line_lies_inside_the_frame_and_labels_are_escaped() {
        let chart = Chart {
            title: "<A & \"B\">".into(),
            width: 300.0,
            height: 120.0,
            lines: vec![Line {
                label: "A".into(),
                class: "c0".into(),
                points: vec![(0.0, 5.0), (50.0, 5.0), (100.0, 5.0)],
            }],
            bands: Vec::new(),
            levels: Vec::new(),
            end: 200.0,
            x_name: "pairs",
        };
        let svg = chart.svg();
        assert!(svg.contains("&lt;A &amp; &quot;B&quot;&gt;") && !svg.contains("<A"));
        assert!(
            svg.contains("points=\"52.0,60.0 111.5,60.0 171.0,60.0\""),
            "{svg}"
        );
    }

    #[test]
    fn no_tick_is_written_over_the_name_of_the_axis() {
        let chart = |end| Chart {
            title: String::new(),
            width: 400.0,
            height: 120.0,
            lines: Vec::new(),
            bands: Vec::new(),
            levels: Vec::new(),
            end,
            x_name: "pairs",
        };
        let svg = chart(500.0).svg();
        assert!(svg.contains(">300<") && !svg.contains(">400<"), "{svg}");
        assert!(svg.contains(">500 pairs<"));
        assert!(chart(1000.0).svg().contains(">600<"));
    }

    #[test]
    fn a_chart_without_points_is_drawn() {
        let chart = Chart {
            title: String::new(),
            width: 300.0,
            height: 120.0,
            lines: Vec::new(),
            bands: Vec::new(),
            levels: Vec::new(),
            end: 0.0,
            x_name: "pairs",
        };
        assert!(!chart.svg().contains("NaN"));
    }
}
