//! Engines that are asked one question after another, by several tasks at a time.

use std::sync::{Mutex, PoisonError};

use foundation::Failure;

use crate::checks::prober::{Prober, Questions};
use crate::parameter::{Parameter, start_options};

/// Each engine in it has all parameters at their starts.
pub(crate) struct Pool {
    questions: Questions,
    usual: Vec<(String, String)>,
    idle: Mutex<Vec<Prober>>,
}

impl Pool {
    pub(crate) fn new(questions: Questions, parameters: &[Parameter]) -> Self {
        Self {
            questions,
            usual: start_options(parameters),
            idle: Mutex::default(),
        }
    }

    /// One that nobody asks, or a new one.
    pub(crate) async fn take(&self) -> Result<Prober, Failure> {
        let idle = self.idle().pop();
        if let Some(prober) = idle {
            return Ok(prober);
        }
        let mut prober = Prober::start(&self.questions).await?;
        prober.engine.set_options(&self.usual).await?;
        Ok(prober)
    }

    /// Takes back one whose options are what they were.
    pub(crate) fn give_back(&self, prober: Prober) {
        self.idle().push(prober);
    }

    /// Ends all that wait.
    pub(crate) async fn dismiss(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for prober in idle {
            prober.quit().await;
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Prober>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
