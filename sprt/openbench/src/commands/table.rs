//! Tables and objects of the commands that only show.

use foundation::Printer;
use serde::Serialize;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style;

/// Prints a table, or a message that there is nothing.
pub(super) fn table<const COLUMNS: usize>(
    heads: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
    nothing: &str,
    printer: Printer,
) {
    let mut table = Builder::new();
    table.push_record(heads);
    let mut is_empty = true;
    for row in rows {
        is_empty = false;
        table.push_record(row);
    }
    if is_empty {
        printer.note(nothing);
    } else {
        printer.result(&table.build().with(Style::sharp()).to_string());
    }
}

/// Prints one object, with its content under a name of its own.
pub(super) fn object(schema: &str, name: &str, content: &impl Serialize, printer: Printer) {
    let object = json!({"schema": schema, "version": 1, name: content});
    printer.result(&object.to_string());
}

/// A time on the server's pages, in universal time.
pub(super) fn moment(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map(|moment| moment.strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}
