//! What an entry of a TOML document says, and where.

use std::ops::Range;

use toml_edit::Item;

pub(super) fn as_number(item: &Item) -> Option<f64> {
    item.as_float()
        .or_else(|| item.as_integer().map(|whole| whole as f64))
}

pub(super) fn start(span: Option<Range<usize>>) -> usize {
    span.map_or(0, |span| span.start)
}
