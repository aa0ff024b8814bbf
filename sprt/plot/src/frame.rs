//! What every chart has: a title, and lines across with the figures of its scale.

use std::fmt::Write as _;

use crate::text::{escape, short};

/// Where the area in which figures are drawn begins.
pub(crate) const LEFT: f64 = 52.0;

/// The beginning of a drawing of this size, which the caller ends with `</svg>`.
pub(crate) fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\">\
         <text class=\"title\" x=\"{LEFT}\" y=\"13\">{title}</text>",
        title = escape(title)
    )
}

/// The whole numbers among figures of an axis that counts things.
pub(crate) fn whole(figures: Vec<f64>) -> impl Iterator<Item = f64> {
    figures.into_iter().filter(|figure| figure.fract() == 0.0)
}

/// A line across at each figure, up to `right`; `y` says how high it is.
pub(crate) fn grid(
    svg: &mut String,
    figures: impl IntoIterator<Item = f64>,
    right: f64,
    y: impl Fn(f64) -> f64,
) {
    for figure in figures {
        // Writing to a `String` cannot fail.
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
             <text class=\"tick\" x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>",
            y(figure),
            LEFT - 6.0,
            y(figure) + 3.5,
            short(figure)
        );
    }
}
