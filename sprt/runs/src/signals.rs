//! Ctrl-C and other signals: the first asks the run to end in order, the second ends it at once.
//!
//! Either way the journal is whole and the engines go: in the first case they are asked to, in the
//! second their guards see that we are gone.

use foundation::{Exit, Failure, signals};
use tokio_util::sync::CancellationToken;

/// Cancels a token when a signal arrives.
#[derive(Clone, Debug)]
pub struct Signals {
    pub interrupt: CancellationToken,
}

impl Signals {
    /// From now on only this handles signals.
    pub fn listen() -> Result<Self, Failure> {
        let interrupt = CancellationToken::new();
        let first = interrupt.clone();
        signals::listen(move |again| {
            if again {
                std::process::exit(signals::exit().unwrap_or(Exit::Terminated) as i32);
            }
            first.cancel();
        })?;
        Ok(Self { interrupt })
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
        signals::exit().is_some()
    }

    /// Waits for a signal, and returns what to exit with.
    pub async fn interrupted(&self) -> Exit {
        self.interrupt.cancelled().await;
        self.exit()
    }

    /// What to exit with after a signal.
    pub fn exit(&self) -> Exit {
        signals::exit().unwrap_or(Exit::Terminated)
    }
}
