//! How long an engine is examined: until the time is up, or the user has had enough.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) struct Budget {
    /// Cancelled when nothing more may begin.
    pub stop: CancellationToken,
    timer: JoinHandle<()>,
}

impl Budget {
    /// Begins now, and ends after `seconds` or at `interrupt`.
    pub(crate) fn start(seconds: u64, interrupt: &CancellationToken) -> Self {
        let stop = interrupt.child_token();
        let timer = tokio::spawn({
            let stop = stop.clone();
            async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                stop.cancel();
            }
        });
        Self { stop, timer }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        self.timer.abort();
    }
}
