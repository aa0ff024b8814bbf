//! The frame of every chart: a title, and grid lines with their labels.

use std::fmt::Write as _;

use crate::text::{escape, short};

/// The left edge of the plot area.
pub(crate) const LEFT: f64 = 52.0;

/// The opening of an SVG of this size, which the caller closes with `</svg>`.
pub(crate) fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\">\
         <text class=\"title\" x=\"{LEFT}\" y=\"13\">{title}</text>",
        title = escape(title)
    )
}

/// The whole numbers among the ticks of an axis of counts.
pub(crate) fn whole(ticks: Vec<f64>) -> impl Iterator<Item = f64> {
    ticks.into_iter().filter(|tick| tick.fract() == 0.0)
}

/// A grid line at each tick, up to `right`; `y` maps a value to its height.
pub(crate) fn grid(
    svg: &mut String,
    ticks: impl IntoIterator<Item = f64>,
    right: f64,
    y: impl Fn(f64) -> f64,
) {
    for tick in ticks {
        // Writing to a `String` cannot fail.
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
             <text class=\"tick\" x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>",
            y(tick),
            LEFT - 6.0,
            y(tick) + 3.5,
            short(tick)
        );
    }
}
