//! How far a command is that makes a known number of searches: its bar, and a sentence.

use std::path::Path;

use foundation::{Printer, counted};
use indicatif::{ProgressBar, ProgressStyle};
use runs::activity::{Activity, now};
use runs::report::outlook;
use runs::status::Status;

/// `200 of 200 searches, 12 s: finished`
pub(super) fn in_words(run: &Path, done: usize, all: usize) -> String {
    let status = Status::of(run, done == all).words();
    let taken = Activity::read(run).map(|activity| outlook::taken(activity.seconds(now())));
    let taken = taken.map_or_else(String::new, |taken| format!(", {taken}"));
    format!("{done} of {}{taken}: {status}", counted(all, "search"))
}

/// Hidden where no bar may be drawn.
pub(super) fn progress(searches: usize, printer: Printer) -> ProgressBar {
    if !printer.draws_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(searches as u64);
    let style = ProgressStyle::with_template("{pos}/{len} searches, {elapsed}, {eta} to go");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
