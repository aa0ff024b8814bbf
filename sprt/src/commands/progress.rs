//! The bar of a command that makes a known number of searches.

use foundation::Printer;
use indicatif::{ProgressBar, ProgressStyle};

/// Hidden where no bar may be drawn.
pub(super) fn progress(searches: usize, printer: Printer) -> ProgressBar {
    if !printer.draws_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(searches as u64);
    let style = ProgressStyle::with_template("{pos}/{len} searches, {elapsed}, {eta} to go");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
