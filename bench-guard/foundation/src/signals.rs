//! Ctrl-C and its like: programs that were started die, folders they worked in go, and then this
//! process dies of the same signal, so that its caller sees 130 or 143.

use std::{
    sync::atomic::{AtomicI32, Ordering},
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};

use crate::{Failure, failure::OrUnable, process};

static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// What is left for `main` to clean up, from the signal on.
const GRACE: Duration = Duration::from_secs(2);

/// From now on a signal ends what runs; `main` must end with [`end_as_signalled`].
pub fn watch() -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).or_unable("watch for signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let again = RECEIVED.swap(signal, Ordering::SeqCst) != 0;
            process::stop_all();
            if !again {
                thread::sleep(GRACE);
            }
            end_as_signalled();
        }
    });
    Ok(())
}

/// Dies of the signal that was received, if there was one.
pub fn end_as_signalled() {
    let signal = RECEIVED.load(Ordering::SeqCst);
    if signal != 0 {
        let _ = emulate_default_handler(signal);
    }
}
