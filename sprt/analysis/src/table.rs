//! Tables for a terminal.

use tabled::builder::Builder;
use tabled::settings::Style;
use tabled::settings::object::{Columns, Object as _, Rows};
use tabled::settings::{Alignment, Modify};

/// The first row is the head; all columns but the first are numbers.
pub(crate) fn drawn(rows: Vec<Vec<String>>) -> String {
    let mut table = Builder::from_iter(rows).build();
    table.with(Style::sharp());
    table.with(Modify::new(Columns::new(1..).intersect(Rows::new(1..))).with(Alignment::right()));
    table.to_string()
}
