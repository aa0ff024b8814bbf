//! What all reporters have in common.

use foundation::Failure;

use super::event::Event;

/// Writes what happens in its own form.
pub trait Reporter {
    /// Writes what the event is about.
    ///
    /// # Errors
    /// It could not be written, which ends the run.
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure>;

    /// Whether it wants [`Event::Live`].
    fn wants_live(&self) -> bool {
        false
    }

    /// Whether it wants moves now, which costs time; those that were made before come with the next
    /// one. Called twice a second.
    fn wants_moves(&mut self) -> bool {
        self.wants_live()
    }
}
