//! What an inspection finds, and who is told while it goes on.

use crate::checks::complaint::Complaint;

/// Is told of an inspection while it goes on.
pub(crate) trait Listener {
    /// These were found.
    fn found(&mut self, complaints: &[Complaint]);
    /// So many options have been examined, of how many.
    fn examined(&mut self, done: usize, of: usize);
    /// These changed no search yet, and get deeper ones.
    fn suspected(&mut self, names: &[&str]);
    /// So many benches with one parameter moved have been made, of how many.
    fn benched(&mut self, done: usize, of: usize);
}

/// What came of an inspection.
pub(crate) struct Report {
    pub complaints: Vec<Complaint>,
    /// Parameters that there was no time for.
    pub unexamined: Vec<String>,
    /// Whether all was examined before it was stopped.
    pub is_complete: bool,
}

impl Report {
    pub(crate) fn add(&mut self, complaints: Vec<Complaint>, listener: &mut dyn Listener) {
        listener.found(&complaints);
        self.complaints.extend(complaints);
    }
}
