//! Events on their way from the slots to the scheduler.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::event::Event;

/// Where slots put events; nothing is kept where nobody wants them.
///
/// The scheduler fetches them from time to time: waking it for each move would cost more than
/// everything else that the runner does for a move. For the same reason moves are only put here
/// while somebody watches; those made before come with the next one.
#[derive(Clone, Debug)]
pub(super) struct EventBuffer(Option<Arc<Shared>>);

#[derive(Debug, Default)]
struct Shared {
    events: Mutex<Vec<Event>>,
    wants_moves: AtomicBool,
}

impl EventBuffer {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self(is_wanted.then(Arc::default))
    }

    pub(super) fn wants_moves(&self) -> bool {
        let shared = self.0.as_ref();
        shared.is_some_and(|shared| shared.wants_moves.load(Ordering::Relaxed))
    }

    pub(super) fn want_moves(&self, wanted: bool) {
        if let Some(shared) = &self.0 {
            shared.wants_moves.store(wanted, Ordering::Relaxed);
        }
    }

    pub(super) fn push(&self, event: impl FnOnce() -> Event) {
        if let Some(shared) = &self.0 {
            let event = event();
            shared
                .events
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(event);
        }
    }

    /// The events since the last call.
    pub(super) fn fetch(&self) -> Vec<Event> {
        let events = self.0.as_ref().map(|shared| {
            let mut events = shared.events.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *events)
        });
        events.unwrap_or_default()
    }
}
