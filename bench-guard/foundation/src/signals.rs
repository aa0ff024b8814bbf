//! Ctrl-C and similar signals: child processes are killed at once, a listener is called, and the
//! process can end by the signal that it received, so that its caller sees 130 or 143.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread,
    time::{Duration, Instant},
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

/// A signal this soon after the first is the same request: `timeout` sends one to its child and at
/// once another to the group, its child included.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// From now on `handler` is called, on its own thread, for each request that this process end; the
/// process continues. Its argument is whether this is a second request.
pub fn listen(mut handler: impl FnMut(bool) + Send + 'static) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).or_unable("listen for signals")?;
    // Writing to a file at its size limit (`ulimit -f`) becomes an error instead of ending the
    // process. Child processes inherit an ignored signal, but not a handler.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).or_unable("listen for signals")?;
    thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            if first.is_some_and(|first| first.elapsed() < SAME_REQUEST) {
                continue;
            }
            RECEIVED.store(signal, Ordering::SeqCst);
            // A build that is under way ends with a failure of its own.
            process::stop_all();
            handler(first.is_some());
            first.get_or_insert_with(Instant::now);
        }
    });
    Ok(())
}

/// From now on a signal ends this process, after a moment for `main` to clean up; `main` must end
/// with [`end_as_signalled`].
pub fn watch() -> Result<(), Failure> {
    listen(|_| {
        thread::sleep(GRACE);
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
