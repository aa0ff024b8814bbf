//! Bar charts as SVG: groups of bars side by side on a common baseline.

use crate::frame::{self, LEFT};
use std::fmt::Write;

use crate::chart::ticks;
use crate::text::escape;

/// One bar; its class selects the colour, its title is the tooltip.
pub struct Bar {
    pub class: &'static str,
    pub value: f64,
    pub title: String,
}

/// A group of bars.
pub struct Group {
    pub label: String,
    pub bars: Vec<Bar>,
}

/// A chart of bars. Values are zero or more.
pub struct Bars {
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub groups: Vec<Group>,
    /// Only one label in this many is written, for charts with many groups.
    pub label_every: usize,
}

const RIGHT: f64 = 10.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 22.0;

impl Bars {
    pub fn svg(&self) -> String {
        let values = || {
            self.groups
                .iter()
                .flat_map(|group| &group.bars)
                .map(|bar| bar.value)
        };
        let highest = values()
            .filter(|value| value.is_finite())
            .fold(0.0, f64::max);
        let high = if highest > 0.0 { highest * 1.08 } else { 1.0 };
        let (right, bottom) = (self.width - RIGHT, self.height - BOTTOM);
        let y = |value: f64| bottom - (bottom - TOP) * (value / high).clamp(0.0, 1.0);
        let mut svg = frame::open(self.width, self.height, &self.title);
        frame::grid(&mut svg, frame::whole(ticks(0.0, high, 4.0)), right, y);
        let room = (right - LEFT) / self.groups.len().max(1) as f64;
        for (index, group) in self.groups.iter().enumerate() {
            let left = LEFT + room * (index as f64 + 0.1);
            let width = 0.8 * room / group.bars.len().max(1) as f64;
            for (place, bar) in group.bars.iter().enumerate() {
                // Writing to a `String` cannot fail.
                let _ = write!(
                    svg,
                    "<rect class=\"{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
                     <title>{}</title></rect>",
                    bar.class,
                    left + width * place as f64,
                    y(bar.value),
                    (width - 0.6).max(0.4),
                    bottom - y(bar.value),
                    escape(&bar.title)
                );
            }
            if index % self.label_every.max(1) == 0 {
                let _ = write!(
                    svg,
                    "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    LEFT + room * (index as f64 + 0.5),
                    self.height - 6.0,
                    escape(&group.label)
                );
            }
        }
        svg.push_str("</svg>");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64]) -> String {
        let group = |(index, value): (usize, &f64)| Group {
            label: format!("<{index}>"),
            bars: vec![Bar {
                class: "new",
                value: *value,
                title: format!("{value}"),
            }],
        };
        Bars {
            title: "games".into(),
            width: 300.0,
            height: 120.0,
            groups: values.iter().enumerate().map(group).collect(),
            label_every: 1,
        }
        .svg()
    }

    #[test]
    fn the_highest_bar_is_inside_and_labels_are_escaped() {
        let svg = chart(&[54.0, 0.0, 27.0]);
        assert!(svg.contains("&lt;2&gt;") && !svg.contains("<2>"));
        // 76 pixels for 8% more than the highest value.
        assert!(
            svg.contains("height=\"70.4\"") && svg.contains("height=\"35.2\""),
            "{svg}"
        );
    }

    #[test]
    fn nothing_to_show_is_no_number_less() {
        assert!(!chart(&[]).contains("NaN") && !chart(&[0.0]).contains("NaN"));
    }
}
