//! A slot: two engines that were started once and play job after job.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use engine_client::{Color, Engine, Launch, Limit, Supervisor, Timeouts};
use foundation::Failure;
use foundation::platform::{BatchPolicy, affinity};

use super::clock::Clock;
use super::end::GameEnd;
use super::event::{
    Clocks, EngineRestarted, Event, Fault, GameFinished, GameId, GameStarted, GameVoided, MoveMade,
};
use super::event_buffer::EventBuffer;
use super::game::{self, FinishedGame, PlayedMove, Player};
use super::job::{FinishedPair, Job, JobFault};
use super::setup::MatchSetup;
use super::suspension::suspensions;
use crate::openings::Opening;

/// The most games of a pair that are played again after the runner was suspended; on a machine
/// where that goes on, later games count as they are.
const MOST_VOID: u32 = 3;

/// Engines that are kept for other jobs of a tournament, in each slot. They cost memory, and
/// starting them again costs time.
const MOST_IDLE: usize = 6;

/// Two engines, each with a supervisor that starts it again where it fails.
pub(super) struct Slot {
    number: usize,
    setup: Arc<MatchSetup>,
    events: EventBuffer,
    base: Supervisor,
    new: Supervisor,
    /// Engines of earlier setups, the last used last.
    idle: Vec<Supervisor>,
}

impl Slot {
    /// Starts both engines.
    pub(super) async fn open(
        number: usize,
        setup: Arc<MatchSetup>,
        events: EventBuffer,
    ) -> Result<Self, Failure> {
        let (base, new) = tokio::try_join!(
            Supervisor::start(&setup.base, setup.timeouts),
            Supervisor::start(&setup.new, setup.timeouts)
        )?;
        Ok(Self {
            number,
            setup,
            events,
            base,
            new,
            idle: Vec::new(),
        })
    }

    /// Switches the slot to the engines of another setup, which are identified by their names.
    /// Those that it had are kept for a while.
    pub(crate) async fn with_setup(mut self, setup: &Arc<MatchSetup>) -> Result<Self, Failure> {
        if Arc::ptr_eq(setup, &self.setup) {
            return Ok(self);
        }
        self.idle.extend([self.base, self.new]);
        let base = take_or_start(&mut self.idle, &setup.base, setup.timeouts).await?;
        let new = take_or_start(&mut self.idle, &setup.new, setup.timeouts).await?;
        while self.idle.len() > MOST_IDLE {
            self.idle.remove(0).quit().await;
        }
        Ok(Self {
            setup: Arc::clone(setup),
            base,
            new,
            ..self
        })
    }

    /// Plays all games of a job.
    ///
    /// # Errors
    /// The opening is no game, an engine does not take its options, or one that spoiled a game
    /// cannot be started again.
    pub(super) async fn play(&mut self, job: &Job) -> Result<FinishedPair, JobFault> {
        let shares_one = affinity::allowed().len() == 1;
        let _policy = shares_one.then(BatchPolicy::begin);
        self.set_options(job).await?;
        let mut games = Vec::with_capacity(job.games.len());
        let mut void_games = 0;
        for (game, new) in job.games.iter().enumerate() {
            let id = GameId {
                pair: job.pair,
                game,
                slot: self.number,
            };
            let unknown = |failure| JobFault {
                is_new: None,
                failure,
            };
            let is_first = game == 0;
            tokio::try_join!(
                self.base.begin_game(is_first),
                self.new.begin_game(is_first)
            )
            .map_err(unknown)?;
            let number = job.games.len() as u64 * job.pair + game as u64 + 1;
            let finished = loop {
                let before = suspensions();
                let finished = self.play_game(id, number, *new, &job.opening).await;
                let finished = finished.map_err(unknown)?;
                // Without a clock a game stands unless an engine spoiled it. Any fault is given
                // another try: one that is the engine's own comes again.
                let is_void = suspensions() != before
                    && (self.has_clock() || finished.end.is_fault())
                    && void_games < MOST_VOID;
                self.report_end(id, &finished, is_void);
                self.restart_failed().await?;
                if !is_void {
                    break finished;
                }
                void_games += 1;
            };
            games.push(finished);
            let wait = self.setup.rules.options.wait();
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
        }
        Ok(FinishedPair {
            pair: job.pair,
            games,
            void_games,
        })
    }

    /// Whether it matters how long an engine takes.
    fn has_clock(&self) -> bool {
        let rules = &self.setup.rules;
        !(rules.base.limit.has_no_clock() && rules.new.limit.has_no_clock())
    }

    /// Sets the options of a job, besides those of the match.
    async fn set_options(&mut self, job: &Job) -> Result<(), JobFault> {
        let [base, new] = &job.options;
        // Without options there is nothing to wait for.
        if base.is_empty() && new.is_empty() {
            return Ok(());
        }
        let set = tokio::join!(self.base.set_options(base), self.new.set_options(new));
        let blame = |is_new| {
            move |failure| JobFault {
                is_new: Some(is_new),
                failure,
            }
        };
        set.0.map_err(blame(false))?;
        set.1.map_err(blame(true))
    }

    async fn play_game(
        &mut self,
        id: GameId,
        number: u64,
        new: Color,
        opening: &Opening,
    ) -> Result<FinishedGame, Failure> {
        let mut game = self.setup.variant.start(opening)?;
        let players = [
            player(
                &self.setup.base,
                self.base.engine(),
                &self.setup.rules.base.limit,
            ),
            player(
                &self.setup.new,
                self.new.engine(),
                &self.setup.rules.new.limit,
            ),
        ];
        let [base, new_player] = players;
        let (white, black) = match new {
            Color::White => (new_player, base),
            Color::Black => (base, new_player),
        };
        let events = &self.events;
        events.push(|| {
            Event::GameStarted(GameStarted {
                id,
                white: white.clone(),
                black: black.clone(),
                new,
                opening: opening.clone(),
            })
        });
        let (white_engine, black_engine) = match new {
            Color::White => (self.new.engine_mut(), self.base.engine_mut()),
            Color::Black => (self.base.engine_mut(), self.new.engine_mut()),
        };
        white_engine.begin_log_of_game(number);
        black_engine.begin_log_of_game(number);
        let (started, start) = (SystemTime::now(), Instant::now());
        let mut moves = Vec::new();
        let mut told = 0;
        let end = match tokio::join!(white_engine.new_game(), black_engine.new_game()) {
            (Err(fault), _) => game::forfeit(Color::White, fault),
            (_, Err(fault)) => game::forfeit(Color::Black, fault),
            (Ok(()), Ok(())) => {
                let on_move = |moves: &[PlayedMove], clock: &Clock| {
                    if !events.wants_moves() {
                        return;
                    }
                    let clocks = clock.both().map(|[white, black]| Clocks { white, black });
                    for (number, played) in moves.iter().enumerate().skip(told) {
                        events.push(|| {
                            Event::MoveMade(MoveMade {
                                id,
                                ply: opening.moves.len() + number + 1,
                                mover: played.mover,
                                played: played.clone(),
                                clocks,
                            })
                        });
                    }
                    told = moves.len();
                };
                let rules = &self.setup.rules;
                game::play(
                    &mut *game,
                    white_engine,
                    black_engine,
                    rules,
                    rules.clock(new),
                    &mut moves,
                    on_move,
                )
                .await
            }
        };
        Ok(FinishedGame {
            white,
            black,
            new,
            opening: opening.clone(),
            moves,
            end,
            started,
            duration: start.elapsed(),
        })
    }

    /// A game ends once: as finished, after the fault that ended it, or as void.
    fn report_end(&self, id: GameId, finished: &FinishedGame, is_void: bool) {
        if is_void {
            self.events.push(|| Event::GameVoided(GameVoided { id }));
            return;
        }
        if let GameEnd::Fault { loser, fault, .. } = &finished.end {
            let engine = match loser {
                Color::White => &finished.white.name,
                Color::Black => &finished.black.name,
            };
            self.events.push(|| {
                Event::Fault(Fault {
                    id,
                    engine: engine.clone(),
                    color: *loser,
                    fault: fault.clone(),
                })
            });
        }
        self.events.push(|| {
            Event::GameFinished(GameFinished {
                id,
                finished: finished.clone(),
            })
        });
    }

    /// Restarts the engine that failed in the last game; the other one keeps running.
    async fn restart_failed(&mut self) -> Result<(), JobFault> {
        for engine in [&mut self.base, &mut self.new] {
            // It accepts the options that it accepted before, unless something else is wrong.
            let restarted = engine
                .restart_if_failed()
                .await
                .map_err(|failure| JobFault {
                    is_new: None,
                    failure,
                })?;
            if restarted {
                self.events.push(|| {
                    Event::EngineRestarted(EngineRestarted {
                        slot: self.number,
                        engine: engine.launch().name.clone(),
                    })
                });
            }
        }
        Ok(())
    }

    /// Lets all engines end in their own way.
    pub(super) async fn close(self) {
        tokio::join!(self.base.quit(), self.new.quit());
        for engine in self.idle {
            engine.quit().await;
        }
    }
}

async fn take_or_start(
    idle: &mut Vec<Supervisor>,
    launch: &Launch,
    timeouts: Timeouts,
) -> Result<Supervisor, Failure> {
    let is_wanted = |engine: &Supervisor| engine.launch().name == launch.name;
    match idle.iter().position(is_wanted) {
        Some(place) => Ok(idle.remove(place)),
        None => Supervisor::start(launch, timeouts).await,
    }
}

fn player(launch: &Launch, engine: &Engine, limit: &Limit) -> Player {
    Player {
        name: launch.name.clone(),
        engine_name: engine.name.clone(),
        engine_author: engine.author.clone(),
        limit: limit.clone(),
    }
}
