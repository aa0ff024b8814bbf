//! How far the probing of an engine is: a bar on a terminal, a line now and then elsewhere.

use std::time::{Duration, Instant};

use foundation::Printer;
use indicatif::ProgressBar;

/// How often progress is printed where stdout is no terminal.
const INTERVAL: Duration = Duration::from_secs(15);

pub(super) struct Probing {
    printer: Printer,
    bar: Option<ProgressBar>,
    last: Instant,
}

impl Probing {
    pub(super) fn new(printer: Printer) -> Self {
        Self {
            bar: printer.draws_progress().then(|| ProgressBar::new(0)),
            printer,
            last: Instant::now(),
        }
    }

    /// How many have been probed, and how many there are.
    pub(super) fn at(&mut self, done: usize, of: usize, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        } else if self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            self.printer.note(&format!("{done} of {of} {what}"));
        }
    }

    /// Prints a line above the bar.
    pub(super) fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.printer.note(text)),
            None => self.printer.note(text),
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
