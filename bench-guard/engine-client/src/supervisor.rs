//! One engine that is kept running: it is started, and started again after a failure or when a
//! fresh process is due, with the options that it has.

use std::time::Duration;

use foundation::Failure;

use crate::{Engine, Launch, Restart, Timeouts};

/// How often a start is tried: a busy machine may refuse one process and grant the next.
const ATTEMPTS: u32 = 3;

/// Before a start is tried again.
const PAUSE: Duration = Duration::from_millis(200);

/// An engine and what it takes to start it again.
#[derive(Debug)]
pub struct Supervisor {
    launch: Launch,
    timeouts: Timeouts,
    /// Options beyond those of the launch, which a new process gets too.
    own_options: Vec<(String, String)>,
    engine: Engine,
    /// Whether the current process has played.
    has_played: bool,
}

impl Supervisor {
    /// Starts the engine.
    ///
    /// # Errors
    /// It cannot be started, or does not take its options.
    pub async fn start(launch: &Launch, timeouts: Timeouts) -> Result<Self, Failure> {
        Ok(Self {
            engine: start(launch, timeouts).await?,
            launch: launch.clone(),
            timeouts,
            own_options: Vec::new(),
            has_played: false,
        })
    }

    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Sets options from now on, in addition to those of the launch. Nothing is sent if there are
    /// none now and were none before.
    ///
    /// # Errors
    /// The engine does not accept a value, or failed when the options were set.
    pub async fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        self.own_options = options.to_vec();
        if options.is_empty() {
            return Ok(());
        }
        self.engine.set_options(options).await
    }

    /// Starts the engine again if it failed; returns whether it did.
    ///
    /// # Errors
    /// It cannot be started, or no longer accepts options that it accepted before.
    pub async fn restart_if_failed(&mut self) -> Result<bool, Failure> {
        if self.engine.is_sound() {
            return Ok(false);
        }
        self.restart().await.map(|()| true)
    }

    /// Makes the engine ready for a game, the first of its pair or not: starts the engine again if
    /// it is to play this one with a process that has not played before.
    ///
    /// # Errors
    /// As for [`Supervisor::restart_if_failed`].
    pub async fn begin_game(&mut self, is_first_of_pair: bool) -> Result<(), Failure> {
        let is_due = match self.launch.restart {
            Restart::Never => false,
            Restart::Pair => is_first_of_pair,
            Restart::Game => true,
        };
        if is_due && self.has_played {
            self.engine.end().await;
            self.restart().await?;
        }
        self.has_played = true;
        Ok(())
    }

    /// Starts the engine again, whatever state it is in.
    ///
    /// # Errors
    /// As for [`Supervisor::restart_if_failed`].
    pub async fn restart(&mut self) -> Result<(), Failure> {
        // One that hangs would search on, and take time and memory from the new one's start.
        self.engine.kill().await;
        self.engine = start(&self.launch, self.timeouts).await?;
        self.has_played = false;
        if self.own_options.is_empty() {
            return Ok(());
        }
        self.engine.set_options(&self.own_options).await
    }

    /// Lets the engine end in its own way.
    pub async fn quit(self) {
        self.engine.quit().await;
    }
}

async fn start(launch: &Launch, timeouts: Timeouts) -> Result<Engine, Failure> {
    let mut attempt = 1;
    loop {
        match Engine::start(launch, timeouts).await {
            // A mistake that the user has to correct does not go away by itself.
            Err(failure) if failure.is_engine_fault() && attempt < ATTEMPTS => {}
            result => return result,
        }
        tokio::time::sleep(PAUSE * attempt).await;
        attempt += 1;
    }
}
