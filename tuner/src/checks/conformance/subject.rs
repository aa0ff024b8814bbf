//! An engine under examination, which is restarted when it fails.

use engine_client::Fault;
use foundation::Failure;

use super::reference::Reference;
use crate::checks::prober::{Prober, Trace};

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    Searched(Trace),
    /// It took far longer than usual.
    Silent,
    /// Its last words.
    Crashed(String),
}

impl From<Fault> for Seen {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Crashed(how) => Self::Crashed(how),
            Fault::Silent(_) => Self::Silent,
        }
    }
}

/// What an option that takes numbers must refuse.
pub(super) const NO_NUMBER: &str = "abc";

/// The line that sets an option, with nothing checked.
pub(super) fn setting(name: &str, value: &str) -> String {
    format!("setoption name {name} value {value}\n")
}

/// The engine; none where the next question is to start one.
pub(super) struct Subject<'a> {
    reference: &'a Reference,
    prober: Option<Prober>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(reference: &'a Reference) -> Self {
        Self {
            reference,
            prober: None,
        }
    }

    /// What a new process answers after `lines`.
    pub(super) async fn fresh(reference: &'a Reference, lines: &str) -> Result<Seen, Failure> {
        Subject::new(reference).see(lines, "").await
    }

    /// What it answers after `lines`; it gets `restore` afterwards, and before where it is a new
    /// process.
    pub(super) async fn see(&mut self, lines: &str, restore: &str) -> Result<Seen, Failure> {
        let mut prober = if let Some(prober) = self.prober.take() {
            prober
        } else {
            let mut prober = Prober::start(&self.reference.questions).await?;
            if let Err(fault) = self.send(&mut prober, restore).await {
                return Ok(fault.into());
            }
            prober
        };
        let seen = match self.send(&mut prober, lines).await {
            Err(fault) => return Ok(fault.into()),
            Ok(()) => match prober.try_trace().await {
                Err((fault, _)) => return Ok(fault.into()),
                Ok(trace) => Seen::Searched(trace),
            },
        };
        if self.send(&mut prober, restore).await.is_ok() {
            self.prober = Some(prober);
        }
        Ok(seen)
    }

    async fn send(&self, prober: &mut Prober, lines: &str) -> Result<(), Fault> {
        if lines.is_empty() {
            return Ok(());
        }
        let timeout = self.reference.questions.timeout();
        let lines = format!("{lines}isready\n");
        prober
            .engine
            .converse(&lines, "readyok", timeout, |_| ())
            .await
    }
}
