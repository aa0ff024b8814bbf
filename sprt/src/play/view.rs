//! What the page shows of the table.

use engine_client::Color;
use foundation::Failure;
use referee::arena::{FinishedGame, GameEnd, Player as Recorded};
use referee::game::Picture;
use runs::games::Frame;
use runs::plan::RecordStyle;
use runs::report::pgn::{EngineTags, GameWriter};
use serde::Serialize;

use super::seat::Seat;
use super::table::Table;

/// The names that a page calls persons by.
const PERSON: &str = "Person";

/// The whole table, as often as it changes.
#[derive(Serialize)]
pub(super) struct View {
    version: u64,
    variant: &'static str,
    engines: Vec<String>,
    /// White's seat, then Black's, with the player's name.
    seats: [Seat; 2],
    white: String,
    black: String,
    to_move: Color,
    is_persons_turn: bool,
    first_is_black: bool,
    first_number: u32,
    start: Option<Picture>,
    moves: Vec<ViewMove>,
    /// All moves of a person to move.
    legal: Vec<LegalMove>,
    /// The position, and the game that led to it, as text.
    position: String,
    history: String,
    /// What White's and Black's clocks show, in milliseconds; the mover's runs on.
    clocks: Option<[u64; 2]>,
    is_clock_running: bool,
    result: Option<&'static str>,
    reason: String,
    thoughts: Vec<Thought>,
    trouble: Option<String>,
}

#[derive(Serialize)]
struct ViewMove {
    text: String,
    engine_text: String,
    score: Option<String>,
    depth: Option<u32>,
    seconds: Option<f64>,
    is_book: bool,
    #[serde(flatten)]
    frame: Option<Frame>,
}

#[derive(Serialize)]
struct LegalMove {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    danger: Option<&'static str>,
}

/// A line of a search, from the engine's point of view.
#[derive(Serialize)]
struct Thought {
    depth: Option<u32>,
    score: Option<String>,
    nodes: Option<u64>,
    nps: Option<u64>,
    line: String,
}

impl View {
    pub(super) fn of(table: &Table) -> Result<Self, Failure> {
        let mover = table.game.to_move();
        let is_persons_turn = table.mover() == Some(Seat::Person);
        let record = table.game.record();
        let (start, moves) = moves(table, &record.moves)?;
        let clocks = table.clock().both().map(|mut both| {
            let own = usize::from(mover == Color::Black);
            both[own] = both[own].saturating_sub(table.elapsed());
            both.map(|left| left.as_millis() as u64)
        });
        let legal = if is_persons_turn {
            table.game.legal_moves()
        } else {
            Vec::new()
        };
        Ok(Self {
            version: table.version,
            variant: table.variant.name(),
            engines: table.players.iter().map(|it| it.name.clone()).collect(),
            seats: table.seats,
            white: name(table, Color::White),
            black: name(table, Color::Black),
            to_move: mover,
            is_persons_turn,
            first_is_black: record.first_move.1 == Color::Black,
            first_number: record.first_move.0,
            start,
            moves,
            legal: legal
                .into_iter()
                .map(|text| LegalMove {
                    danger: table.game.danger(&text),
                    text,
                })
                .collect(),
            position: table.game.current(),
            history: table.game.position().to_owned(),
            clocks,
            is_clock_running: table.end.is_none() && !table.moves.is_empty(),
            result: table.end.as_ref().map(|end| result(end.winner())),
            reason: table.end.as_ref().map(GameEnd::text).unwrap_or_default(),
            thoughts: thoughts(table),
            trouble: table.trouble.clone(),
        })
    }
}

fn name(table: &Table, color: Color) -> String {
    match table.seat(color) {
        Seat::Person => PERSON.to_owned(),
        Seat::Engine(engine) => table.players[engine].name.clone(),
    }
}

fn result(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// The first picture, and each move with what it changed. `said`: all moves as records write them.
fn moves(table: &Table, said: &[String]) -> Result<(Option<Picture>, Vec<ViewMove>), Failure> {
    let mut opening = table.opening.clone();
    let given = std::mem::take(&mut opening.moves);
    let mut game = table.variant.start(&opening)?;
    let start = game.picture();
    let mut before = start.clone();
    let mut moves = Vec::with_capacity(said.len());
    let own = table.moves.iter().map(Some);
    let all = given.iter().map(|text| (text, None));
    let all = all.chain(own.flatten().map(|made| (&made.text, Some(made))));
    for ((engine_text, made), text) in all.zip(said) {
        game.play(engine_text).map_err(|illegal| {
            Failure::unable(format!("move `{}` cannot be made again", illegal.0))
        })?;
        let after = game.picture();
        let frame = before.take().zip(after.as_ref());
        moves.push(ViewMove {
            text: text.clone(),
            engine_text: engine_text.clone(),
            score: made
                .and_then(|made| made.info.score)
                .map(|it| it.to_string()),
            depth: made.and_then(|made| made.info.depth),
            seconds: made.map(|made| made.time.as_secs_f64()),
            is_book: made.is_none(),
            frame: frame.map(|(before, after)| Frame::between(&before, after)),
        });
        before = after;
    }
    Ok((start, moves))
}

fn thoughts(table: &Table) -> Vec<Thought> {
    let dialect = table.variant.dialect();
    let mover = match table.mover() {
        Some(Seat::Engine(_)) => table.game.to_move(),
        _ => table.game.to_move().opponent(),
    };
    let lines = table.thoughts.iter().rev().take(12);
    let thought = |line: &String| {
        let info = dialect.info(line.as_bytes(), mover);
        let expected = dialect.line_of(line.as_bytes()).unwrap_or_default();
        Thought {
            depth: info.depth,
            score: info.score.map(|score| score.to_string()),
            nodes: info.nodes,
            nps: info.nps,
            line: String::from_utf8_lossy(expected)
                .chars()
                .take(300)
                .collect(),
        }
    };
    lines.map(thought).collect()
}

/// The game so far as PGN.
pub(super) fn record(table: &Table) -> Result<String, Failure> {
    let side = |color| match table.seat(color) {
        Seat::Person => Recorded {
            name: PERSON.to_owned(),
            engine_name: String::new(),
            engine_author: String::new(),
            limit: table.limit.clone(),
        },
        Seat::Engine(engine) => {
            let player = &table.players[engine];
            Recorded {
                name: player.name.clone(),
                engine_name: player.engine_name.clone(),
                engine_author: player.engine_author.clone(),
                limit: player.limit.clone(),
            }
        }
    };
    let unfinished = GameEnd::Adjudication {
        winner: None,
        text: "unfinished".to_owned(),
        rule: String::new(),
    };
    let game = FinishedGame {
        white: side(Color::White),
        black: side(Color::Black),
        new: Color::White,
        opening: table.opening.clone(),
        moves: table.moves.clone(),
        end: table.end.clone().unwrap_or(unfinished),
        started: table.started,
        duration: table.duration(),
    };
    let style = RecordStyle {
        event: "sprt play".to_owned(),
        ..RecordStyle::default()
    };
    let writer = GameWriter {
        variant: table.variant,
        style,
        tags: EngineTags::default(),
    };
    writer.game(&game, table.end.is_some())
}
