//! The rules library's colours as ours.

use engine_client::Color;

pub(super) fn color(of: shakmaty::Color) -> Color {
    match of {
        shakmaty::Color::White => Color::White,
        shakmaty::Color::Black => Color::Black,
    }
}
