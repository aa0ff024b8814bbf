//! Ctrl-C and its kin: the first asks the run to end in order, the second ends it at once.
//!
//! Either way the journal is whole and the engines go: in the first case they are told, in the
//! second their guards see that we are gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use foundation::{Exit, Failure, failure::OrUnable};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Tells everyone who waits on its token when a signal has come.
#[derive(Clone, Debug)]
pub struct Signals {
    pub interrupt: CancellationToken,
    received: Arc<AtomicI32>,
}

impl Signals {
    /// From now on signals are heard by this alone.
    pub fn listen() -> Result<Self, Failure> {
        let signals = Self {
            interrupt: CancellationToken::new(),
            received: Arc::default(),
        };
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        for kind in kinds {
            let mut stream = signal(kind).or_unable("listen for signals")?;
            let signals = signals.clone();
            tokio::spawn(async move {
                while stream.recv().await.is_some() {
                    signals.receive(kind);
                }
            });
        }
        Ok(signals)
    }

    fn receive(&self, kind: SignalKind) {
        // A build that is under way ends with a failure of its own.
        foundation::process::stop_all();
        if self.received.swap(kind.as_raw_value(), Ordering::Relaxed) != 0 {
            std::process::exit(self.exit() as i32);
        }
        self.interrupt.cancel();
    }

    /// Waits for `work` unless a signal comes; `None` then, also if the work failed because of it.
    pub async fn unless_interrupted<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<Option<T>, Failure> {
        match self.interrupt.run_until_cancelled(work).await {
            None => Ok(None),
            Some(Err(_)) if self.was_interrupted() => Ok(None),
            Some(result) => result.map(Some),
        }
    }

    pub fn was_interrupted(&self) -> bool {
        self.received.load(Ordering::Relaxed) != 0
    }

    /// What to exit with after a signal.
    pub fn exit(&self) -> Exit {
        if self.received.load(Ordering::Relaxed) == SignalKind::interrupt().as_raw_value() {
            Exit::Interrupted
        } else {
            Exit::Terminated
        }
    }
}
