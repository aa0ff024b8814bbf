//! One game between two engines, from the end of its opening to its result.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use foundation::platform::Alarm;
use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::end::{GameEnd, GameFault};
use super::options::ArenaOptions;
use super::time::{maybe_milliseconds, milliseconds, moment};
use crate::adjudication::{self, Adjudicator, Ply};
use crate::game::{Game, IllegalMove, LineFault};
use crate::openings::Opening;
use crate::tablebase::Tablebase;
use engine_client::{
    Answer, Color, Engine, EngineScore, Fault, Info, LATE_MOVE_GRACE, Limit, Search, SideLimit,
    Silence, cut, hint,
};

/// Characters that are kept of an illegal move's text.
const LONGEST_WORD: usize = 60;

/// The rules of a match, beyond those of the game.
#[derive(Clone, Debug)]
pub struct MatchRules {
    pub base: SideLimit,
    pub new: SideLimit,
    /// For moves under limits without a clock.
    pub move_timeout: Duration,
    pub adjudication: adjudication::Rules,
    pub tablebase: Option<Arc<dyn Tablebase>>,
    pub options: ArenaOptions,
    /// Whether the principal variations of engines are kept with their moves.
    pub keep_lines: bool,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedGame {
    pub white: Player,
    pub black: Player,
    /// The colour of the new engine.
    pub new: Color,
    pub opening: Opening,
    /// The moves that the engines made, without the opening's.
    pub moves: Vec<PlayedMove>,
    pub end: GameEnd,
    #[serde(with = "moment")]
    pub started: SystemTime,
    #[serde(rename = "duration_ms", with = "milliseconds")]
    pub duration: Duration,
}

/// A side of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Its name in the match.
    pub name: String,
    /// What the engine calls itself and its author; empty if it does not say.
    pub engine_name: String,
    pub engine_author: String,
    pub limit: Limit,
}

/// A move that an engine made, and what it said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// In the engines' notation.
    #[serde(rename = "move")]
    pub text: String,
    pub mover: Color,
    #[serde(flatten)]
    pub info: Info,
    #[serde(rename = "time_ms", with = "milliseconds")]
    pub time: Duration,
    /// What the mover's clock shows after the move; `None` where no clock runs.
    #[serde(rename = "left_ms", default, with = "maybe_milliseconds")]
    pub left: Option<Duration>,
    /// The engine's principal variation, where it was to be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// What is wrong with the principal variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_fault: Option<LineFault>,
    /// Whether the engine pondered on it in the opponent's time, which `time` does not include.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_ponder_hit: bool,
    /// Lines of the engine's output that were to be kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl PlayedMove {
    /// How much longer the move took than the engine reported, in microseconds; `None` where the
    /// engine counts the time that it pondered.
    pub fn latency_us(&self) -> Option<i64> {
        if self.is_ponder_hit {
            return None;
        }
        let said = i64::try_from(self.info.reported_ms?).ok()?;
        let measured = i64::try_from(self.time.as_micros()).ok()?;
        Some(measured - said.saturating_mul(1000))
    }
}

impl FinishedGame {
    /// Half-moves of the whole game, the opening's among them.
    pub fn plies(&self) -> usize {
        self.opening.moves.len() + self.moves.len()
    }

    /// The new engine's points, doubled: 0, 1 or 2.
    pub fn new_half_points(&self) -> usize {
        match self.end.winner() {
            None => 1,
            Some(winner) if winner == self.new => 2,
            Some(_) => 0,
        }
    }
}

impl MatchRules {
    /// The clocks of a game in which the new engine has this colour.
    pub fn clock(&self, new: Color) -> Clock {
        match new {
            Color::White => Clock::new(self.new.clone(), self.base.clone()),
            Color::Black => Clock::new(self.base.clone(), self.new.clone()),
        }
    }
}

/// Plays `game` to its end; both engines have been told of the new game and are ready. `on_move`
/// gets all moves and the clocks after each of them.
pub(super) async fn play(
    game: &mut dyn Game,
    white: &mut Engine,
    black: &mut Engine,
    rules: &MatchRules,
    clock: Clock,
    moves: &mut Vec<PlayedMove>,
    on_move: impl FnMut(&[PlayedMove], &Clock),
) -> GameEnd {
    let end = play_moves(game, white, black, rules, clock, moves, on_move).await;
    tokio::join!(white.end_game(), black.end_game());
    end
}

async fn play_moves(
    game: &mut dyn Game,
    white: &mut Engine,
    black: &mut Engine,
    rules: &MatchRules,
    mut clock: Clock,
    moves: &mut Vec<PlayedMove>,
    mut on_move: impl FnMut(&[PlayedMove], &Clock),
) -> GameEnd {
    let mut adjudicator = Adjudicator::new(&rules.adjudication, rules.tablebase.clone());
    let mut alarm = Alarm::begin();
    loop {
        if let Some(ending) = game.ending() {
            return GameEnd::Rules {
                winner: ending.winner,
                text: ending.text.to_owned(),
            };
        }
        let mover = game.to_move();
        // Before the move: one that comes too late changes nothing.
        let cannot_win = rules.options.draws_without_material && !game.can_win(mover.opponent());
        let has_clock = clock.allows(mover).is_some();
        let fault = |fault: GameFault| GameEnd::Fault {
            is_drawn: cannot_win && fault.lets_flag_fall(has_clock),
            loser: mover,
            fault,
        };
        let (engine, opponent) = match mover {
            Color::White => (&mut *white, &mut *black),
            Color::Black => (&mut *black, &mut *white),
        };
        let search = Search {
            position: game.position(),
            mover,
            limit: clock.limit(mover),
            clocks: clock.shows(mover),
        };
        let timeout = clock.allows(mover).unwrap_or(rules.move_timeout);
        let made = moves.last().map_or("", |last| last.text.as_str());
        let answer = if engine.is_pondering() || opponent.is_pondering() {
            while_pondering(opponent, engine.think_after(made, &search, timeout)).await
        } else {
            engine.think_alone(&search, timeout, alarm.as_mut()).await
        };
        let mut answer = match answer {
            Ok(answer) => answer,
            Err(failed) => return fault(unanswered(&failed, mover, engine, timeout, &mut clock)),
        };
        let (mut made, mut line) = play_answer(engine, game, &answer, rules.keep_lines);
        if made.is_err() && engine.may_have_repeated() {
            answer = match engine.think_on(mover, timeout).await {
                Ok(answer) => answer,
                Err(failed) => {
                    return fault(unanswered(&failed, mover, engine, timeout, &mut clock));
                }
            };
            (made, line) = play_answer(engine, game, &answer, rules.keep_lines);
        }
        if clock.allows(mover).is_none() && answer.elapsed > timeout {
            // Where no clock runs, nothing but a stall takes as long as this.
            let silence = Silence {
                waited: timeout,
                said: Some("it moved when it was told to stop".to_owned()),
            };
            let how = Fault::Silent(silence).to_string();
            return fault(GameFault::Stall { how });
        }
        if let Err(overrun) = clock.charge(mover, answer.elapsed) {
            let late_ms = Some(overrun.0.as_millis() as u64);
            return fault(GameFault::TimeLoss { late_ms, how: None });
        }
        if let Err(illegal) = made {
            let legal = game.legal_moves();
            return fault(GameFault::IllegalMove {
                tried: cut(&illegal.0, LONGEST_WORD),
                hint: hint::of_move(&illegal.0, |word| legal.iter().any(|it| it == word)),
            });
        }
        let score = answer.info.score;
        let played = PlayedMove {
            text: answer.best,
            mover,
            info: answer.info,
            time: answer.elapsed,
            left: clock.left(mover),
            line: line.0,
            line_fault: line.1,
            is_ponder_hit: answer.is_ponder_hit,
            lines: answer.lines,
        };
        moves.push(played);
        on_move(moves, &clock);
        let ply = Ply {
            mover,
            score,
            full_moves: game.full_moves(),
            irreversible: game.last_move_is_irreversible(),
            position: &|| game.current(),
        };
        let ruling = adjudicator.after_ply(&ply);
        if let Some(ruling) = ruling
            && game.ending().is_none()
        {
            let may_win =
                |winner: &Color| !rules.options.draws_without_material || game.can_win(*winner);
            let winner = ruling.winner.filter(may_win);
            let text = match ruling.winner {
                Some(named) if winner.is_none() => {
                    format!("Draw by adjudication: {} cannot win", named.name())
                }
                _ => ruling.text,
            };
            return GameEnd::Adjudication {
                winner,
                text,
                rule: ruling.rule.to_owned(),
            };
        }
        if clock.left(mover).is_some() {
            let engine = match mover {
                Color::White => &mut *white,
                Color::Black => &mut *black,
            };
            begin_to_ponder(engine, game, mover, &clock).await;
        }
    }
}

/// Waits for an engine's `answer` while its opponent may be pondering.
async fn while_pondering<T>(opponent: &mut Engine, answer: impl Future<Output = T>) -> T {
    if !opponent.is_pondering() {
        return answer.await;
    }
    tokio::select! {
        biased;
        answer = answer => answer,
        never = opponent.ponder_on() => match never {},
    }
}

/// Lets `mover`, which has just moved, ponder on the reply that it named.
async fn begin_to_ponder(engine: &mut Engine, game: &dyn Game, mover: Color, clock: &Clock) {
    let Some(reply) = engine.reply_to_ponder() else {
        return;
    };
    let Some(position) = game.position_after(reply) else {
        if game.ending().is_none() {
            engine.remark("this move to ponder on is illegal or ends the game");
        }
        return;
    };
    let reply = reply.to_owned();
    let search = Search {
        position: &position,
        mover,
        limit: clock.limit(mover),
        clocks: clock.shows(mover),
    };
    engine.ponder(reply, &search).await;
}

/// The line that an engine expects, if it is to be kept, and what is wrong with it.
type Expected = (Option<String>, Option<LineFault>);

/// Plays the move of an answer, and judges the line that the engine expects. Most lines begin with
/// the move, which need not be judged twice then.
fn play_answer(
    engine: &mut Engine,
    game: &mut dyn Game,
    answer: &Answer,
    keep: bool,
) -> (Result<(), IllegalMove>, Expected) {
    let best = answer.best.as_str();
    let begins_with_move = engine
        .expected_line()
        .is_some_and(|line| line.split_ascii_whitespace().next() == Some(best));
    if !begins_with_move {
        let line = expected_line(engine, game, answer, keep, 0);
        return (game.play(best), line);
    }
    let made = game.play(best);
    let line = expected_line(engine, game, answer, keep, usize::from(made.is_ok()));
    (made, line)
}

/// `made` moves of the line have been made in the game.
fn expected_line(
    engine: &mut Engine,
    game: &dyn Game,
    answer: &Answer,
    keep: bool,
    made: usize,
) -> Expected {
    let Some(line) = engine.expected_line() else {
        return (None, None);
    };
    let mate = match answer.info.score {
        Some(EngineScore::Mate(moves)) => Some(moves),
        _ => None,
    };
    let (kept, fault) = (
        keep.then(|| line.to_owned()),
        game.line_fault(line, made, mate),
    );
    match fault {
        None => {}
        Some(LineFault::IllegalMove) => engine.remark("this PV has an illegal move"),
        Some(LineFault::NoMate) => engine.remark("this PV does not mate as its score says"),
    }
    (kept, fault)
}

/// The fault of a `mover` that made no move in its time.
fn unanswered(
    failed: &Fault,
    mover: Color,
    engine: &Engine,
    timeout: Duration,
    clock: &mut Clock,
) -> GameFault {
    let how = failed.to_string();
    match failed {
        Fault::Crashed(_) => GameFault::Crash { how },
        // An engine that keeps searching is late; one that has printed nothing does not answer.
        Fault::Silent(_) => match clock.charge(mover, timeout + LATE_MOVE_GRACE) {
            Err(overrun) if engine.has_output() => GameFault::TimeLoss {
                late_ms: Some(overrun.0.as_millis() as u64),
                how: Some(how),
            },
            _ => GameFault::Stall { how },
        },
    }
}

/// How a game ends when `loser` failed before the first move.
pub(super) fn forfeit(loser: Color, fault: Fault) -> GameEnd {
    let fault = match fault {
        Fault::Crashed(how) => GameFault::Crash { how },
        Fault::Silent(_) => GameFault::Stall {
            how: fault.to_string(),
        },
    };
    GameEnd::Fault {
        loser,
        fault,
        is_drawn: false,
    }
}
