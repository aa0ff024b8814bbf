//! The findings of an inspection, and the interface that receives its progress.

use crate::checks::complaint::Complaint;

/// Receives the progress of an inspection.
pub(crate) trait Listener {
    /// New complaints.
    fn found(&mut self, complaints: &[Complaint]);
    /// How many options a first look was taken at, and how many there are.
    fn looked(&mut self, done: usize, of: usize);
    /// How many options have been examined, and how many there are.
    fn examined(&mut self, done: usize, of: usize);
    /// These changed no search yet, and get deeper ones.
    fn suspected(&mut self, names: &[&str]);
    /// How many benches with one parameter moved have been made, and how many there are.
    fn benched(&mut self, done: usize, of: usize);
}

/// The result of an inspection.
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
