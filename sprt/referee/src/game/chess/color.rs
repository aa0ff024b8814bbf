//! Converts the colours of the rules library to ours.

use engine_client::Color;

pub(super) fn color(of: shakmaty::Color) -> Color {
    match of {
        shakmaty::Color::White => Color::White,
        shakmaty::Color::Black => Color::Black,
    }
}
