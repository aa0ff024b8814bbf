//! Ctrl-C and similar signals: child processes are killed at once, a listener is called, and the
//! process can end by the signal that it received, so that its caller sees 130 or 143.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
    flag,
    iterator::Signals,
    low_level::emulate_default_handler,
};

use crate::{Exit, Failure, failure::OrUnable, process};

static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// How long `main` has to clean up after the signal.
const GRACE: Duration = Duration::from_secs(2);

/// From now on `handler` is called, on its own thread, for each signal that asks this process to
/// end; the process continues. Its argument is whether an earlier signal came before.
pub fn listen(mut handler: impl FnMut(bool) + Send + 'static) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).or_unable("listen for signals")?;
    // Writing to a file at its size limit (`ulimit -f`) becomes an error instead of ending the
    // process. Child processes inherit an ignored signal, but not a handler.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).or_unable("listen for signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let again = RECEIVED.swap(signal, Ordering::SeqCst) != 0;
            // A build that is under way ends with a failure of its own.
            process::stop_all();
            handler(again);
        }
    });
    Ok(())
}

/// From now on a signal ends this process, after a moment for `main` to clean up; `main` must end
/// with [`end_as_signalled`].
pub fn watch() -> Result<(), Failure> {
    listen(|again| {
        if !again {
            thread::sleep(GRACE);
        }
        end_as_signalled();
    })
}

/// Dies of the signal that was received, if there was one; of SIGTERM for SIGHUP, which ends every
/// command with the same code.
pub fn end_as_signalled() {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => {}
        SIGHUP => drop(emulate_default_handler(SIGTERM)),
        signal => drop(emulate_default_handler(signal)),
    }
}

/// What to exit with after the signal that was received, if there was one.
pub fn exit() -> Option<Exit> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => None,
        SIGINT => Some(Exit::Interrupted),
        _ => Some(Exit::Terminated),
    }
}
