//! One game between two engines, from the end of its opening to its result.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use crate::adjudication::{self, Adjudicator};
use crate::engine::{Engine, Fault, printable};
use crate::limit::Limit;
use crate::report::pgn::MoveNote;
use crate::rules::{Color, Game, Record};

/// After its time is up, an engine has this long to show that it still hears `stop`.
const LAST_CHANCE: Duration = Duration::from_secs(1);

/// What both sides agreed on before the game.
#[derive(Clone, Debug)]
pub struct Terms {
    pub limit: Limit,
    pub time_margin: Duration,
    /// For moves under limits without a clock.
    pub patience: Duration,
    pub adjudication: adjudication::Rules,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    Rules,
    Adjudication,
    TimeLoss,
    Crash,
    Stall,
    IllegalMove,
}

impl End {
    /// Whether the loser spoiled the game instead of losing it.
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::Rules | Self::Adjudication)
    }
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// `None` is a draw.
    pub winner: Option<Color>,
    pub end: End,
    /// In the words match runners use.
    pub text: String,
    /// What the words above do not say: how the loser crashed, which move it tried, which rule was applied.
    pub detail: Option<String>,
    /// One for each move the engines made, none for the opening's.
    pub notes: Vec<MoveNote>,
    pub record: Record,
    pub started: SystemTime,
    pub duration: Duration,
    /// Whether both engines can play on as they are.
    pub engines_are_sound: bool,
}

/// How a game ends, before it is written up.
struct Outcome {
    winner: Option<Color>,
    end: End,
    text: String,
    detail: Option<String>,
    engines_are_sound: bool,
}

/// Plays `game` to its end. Both engines have been told of the new game and are ready.
pub async fn play(
    mut game: Box<dyn Game>,
    white: &mut Engine,
    black: &mut Engine,
    terms: &Terms,
) -> Finished {
    let started = SystemTime::now();
    let start = std::time::Instant::now();
    let mut notes = Vec::new();
    let outcome = play_on(game.as_mut(), white, black, terms, &mut notes).await;
    outcome.write_up(game.record(), notes, started, start.elapsed())
}

/// The record of a game that never began because `loser` failed at its start.
pub fn forfeit(game: &dyn Game, loser: Color, fault: &Fault) -> Finished {
    let outcome = match fault {
        Fault::Crashed(how) => Outcome::crash(loser, how),
        Fault::Silent(_) => Outcome::stall(loser, fault.to_string(), false),
    };
    outcome.write_up(game.record(), Vec::new(), SystemTime::now(), Duration::ZERO)
}

async fn play_on(
    game: &mut dyn Game,
    white: &mut Engine,
    black: &mut Engine,
    terms: &Terms,
    notes: &mut Vec<MoveNote>,
) -> Outcome {
    let mut clock = Clock::new(terms.limit, terms.time_margin);
    let mut adjudicator = Adjudicator::new(terms.adjudication);
    let mut command = String::new();
    loop {
        if let Some(ending) = game.ending() {
            return Outcome::sound(ending.winner, End::Rules, ending.text);
        }
        let mover = game.to_move();
        let engine = match mover {
            Color::White => &mut *white,
            Color::Black => &mut *black,
        };
        command.clear();
        // Writing to a `String` cannot fail.
        let _ = writeln!(command, "position {}", game.position());
        terms.limit.write_go(clock.shows(mover), &mut command);
        let patience = clock.allows(mover).unwrap_or(terms.patience);
        let answer = match engine.search(&command, patience).await {
            Ok(answer) => answer,
            Err(Fault::Crashed(how)) => return Outcome::crash(mover, &how),
            Err(fault @ Fault::Silent(_)) => {
                let hears = engine.obeys_stop(LAST_CHANCE).await;
                return if hears && clock.allows(mover).is_some() {
                    Outcome::time_loss(mover, None)
                } else {
                    Outcome::stall(mover, fault.to_string(), hears)
                };
            }
        };
        if let Err(overrun) = clock.charge(mover, answer.elapsed) {
            return Outcome::time_loss(mover, Some(overrun.0));
        }
        if let Err(illegal) = game.play(&answer.best) {
            return Outcome::illegal_move(mover, &illegal.0);
        }
        notes.push(MoveNote {
            score: answer.info.score,
            depth: answer.info.depth,
            selective_depth: answer.info.selective_depth,
            nodes: answer.info.nodes,
            time: answer.elapsed,
        });
        let ruling = adjudicator.after_ply(
            mover,
            answer.info.score,
            game.full_moves(),
            game.last_move_is_irreversible(),
        );
        if let Some(ruling) = ruling
            && game.ending().is_none()
        {
            let mut outcome = Outcome::sound(ruling.winner, End::Adjudication, ruling.text);
            outcome.detail = Some(ruling.rule.to_owned());
            return outcome;
        }
    }
}

impl Outcome {
    fn sound(winner: Option<Color>, end: End, text: &str) -> Self {
        Self {
            winner,
            end,
            text: text.to_owned(),
            detail: None,
            engines_are_sound: true,
        }
    }

    fn crash(loser: Color, how: &str) -> Self {
        Self::loss(
            loser,
            End::Crash,
            "disconnects",
            Some(how.to_owned()),
            false,
        )
    }

    fn stall(loser: Color, how: String, hears: bool) -> Self {
        let mut outcome = Self::loss(loser, End::Stall, "", Some(how), hears);
        outcome.text = format!("{}'s connection stalls", name(loser));
        outcome
    }

    fn time_loss(loser: Color, overrun: Option<Duration>) -> Self {
        let detail = overrun.map(|overrun| format!("{} ms over", overrun.as_millis()));
        Self::loss(loser, End::TimeLoss, "loses on time", detail, true)
    }

    fn illegal_move(loser: Color, text: &str) -> Self {
        let tried = if text.is_empty() {
            "no move at all".to_owned()
        } else {
            printable(text)
        };
        Self::loss(
            loser,
            End::IllegalMove,
            "makes an illegal move",
            Some(tried),
            true,
        )
    }

    fn loss(loser: Color, end: End, deed: &str, detail: Option<String>, sound: bool) -> Self {
        Self {
            winner: Some(loser.opponent()),
            end,
            text: format!("{} {deed}", name(loser)),
            detail,
            engines_are_sound: sound,
        }
    }

    fn write_up(
        self,
        record: Record,
        notes: Vec<MoveNote>,
        started: SystemTime,
        duration: Duration,
    ) -> Finished {
        let Self {
            winner,
            end,
            text,
            detail,
            engines_are_sound,
        } = self;
        Finished {
            winner,
            end,
            text,
            detail,
            notes,
            record,
            started,
            duration,
            engines_are_sound,
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
