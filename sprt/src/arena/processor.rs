//! A processor, and a runtime, of its own for a slot.
//!
//! A runner and its two engines take turns: one waits while another works. A slot with a runtime of
//! its own reads and writes on the thread that waits, where one runtime for all slots wakes another
//! thread; and on one processor the turn passes for a fraction of what it costs to wake another
//! one. CPU time of the runner a ply, scripted engine at one node a move, one slot, two rounds on a
//! busy machine:
//!
//! | runtime | bound to a processor | us a ply |
//! |---|---|---|
//! | one a slot | yes | 7.3, 9.0 |
//! | one a slot | no | 9.6, 12.0 |
//! | one for all | no | 14.1, 18.2 |
//!
//! Slots are only bound where no clock runs, for there a busy processor would cost an engine time
//! it is charged for. Runs on one machine keep off each other's processors by locks on files in the
//! cache folder; a lock goes with its process, however that ends.

use std::fs::{self, File};

use foundation::{Failure, failure::OrUnable, folders};

use super::affinity::{self, Binding};

/// A processor that the thread which took it is bound to; dropping it sets the thread free.
pub struct Processor {
    _binding: Binding,
    _lock: File,
}

impl Processor {
    /// Binds this thread, and the processes that it starts from now on, to a processor that no
    /// other slot has. `None` where there is none left, or no such thing on this system.
    pub fn take() -> Option<Self> {
        let folder = folders::cache().ok()?.join("processors");
        fs::create_dir_all(&folder).ok()?;
        affinity::allowed().into_iter().find_map(|number| {
            let lock = File::create(folder.join(number.to_string())).ok()?;
            lock.try_lock().ok()?;
            Some(Self {
                _binding: Binding::to(number)?,
                _lock: lock,
            })
        })
    }
}

/// Whether each of so many slots can have a processor of its own.
pub fn suffice_for(slots: usize) -> bool {
    slots <= affinity::allowed().len()
}

/// Runs what plays in a slot on this thread, which waits for nobody else's slot, and on a processor
/// of its own where that is wanted and one is free.
///
/// # Errors
/// The system gives no runtime.
pub fn run_slot<F: Future>(own_processor: bool, slot: F) -> Result<F::Output, Failure> {
    let _processor = own_processor.then(Processor::take).flatten();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .or_unable("start the runtime of a slot")?;
    Ok(runtime.block_on(slot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_bound_while_it_has_a_processor_and_free_again_after() {
        let before = affinity::allowed();
        // Another run on this machine may have all of them.
        if let Some(processor) = Processor::take() {
            assert_eq!(affinity::allowed().len(), 1);
            drop(processor);
        }
        assert_eq!(affinity::allowed(), before);
    }
}
