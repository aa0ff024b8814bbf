//! How large charts are drawn.

/// Charts are drawn about as large as they are shown, three in a row on a wide screen and one on a
/// phone, so that their text is as large everywhere.
pub(super) const WIDTH: f64 = 400.0;
pub(crate) const HEIGHT: f64 = 220.0;
