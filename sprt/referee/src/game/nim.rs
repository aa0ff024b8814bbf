//! Nim, the second game of the tests: as little like chess as a game can be.
//!
//! Each move takes some stones from one pile (`b2`: two from the second) or passes (`--`). Whoever
//! takes the last stone wins. Three more rules are there for what they ask of the runner: to take
//! exactly four stones loses at once, so the mover can lose by its own move; the opponent's last
//! move must not be repeated, which is a Ko rule that looks one ply back; and a number of passes in
//! a row, which is a parameter of the variant, is a draw. Its engines speak no UCI.

use std::fmt::Write as _;

use foundation::Failure;

use crate::game::{
    BookFile, Embedded, Ending, Game, IllegalMove, Opening, Openings, Record, Variant,
};
use engine_client::{
    Color, Dialect, EngineScore, Info, Introduction, Limit, OptionKind, ScoreQuality, Search,
    UciOption,
};

/// The variant, with the draw limit that is played in tests.
pub(crate) static NIM: Nim = Nim { passes_to_draw: 4 };

/// A position that everybody knows.
const USUAL_START: &str = "3/4/5 white";

/// Stones that must not be taken at once.
const POISON: u32 = 4;

const PASS: &str = "--";

#[derive(Debug)]
pub(super) struct Nim {
    /// Passes in a row.
    passes_to_draw: usize,
}

impl Variant for Nim {
    fn name(&self) -> &'static str {
        "nim"
    }

    fn pgn_name(&self) -> Option<&'static str> {
        Some("Nim")
    }

    fn position_fields(&self) -> usize {
        2
    }

    fn dialect(&self) -> &'static dyn Dialect {
        &PLAIN_WORDS
    }

    fn read_openings(
        &self,
        file: BookFile,
        plies: Option<u32>,
    ) -> Result<Box<dyn Openings>, Failure> {
        let text = file.into_text("one game of Nim a line")?;
        Ok(Box::new(Lines::read(
            &String::from_utf8_lossy(&text),
            plies,
        )))
    }

    fn embedded_openings(&self) -> Result<Embedded, Failure> {
        const BOOK: &str = include_str!("openings.nim");
        Ok(Embedded {
            openings: Box::new(Lines::read(BOOK, None)),
            bytes: BOOK.as_bytes(),
        })
    }

    fn start(&self, opening: &Opening) -> Result<Box<dyn Game>, Failure> {
        let start = opening.start.as_deref().unwrap_or(USUAL_START);
        let mut game = NimGame::parse(start, self.passes_to_draw)
            .ok_or_else(|| Failure::unable(format!("`{start}` is no position of Nim")))?;
        for text in &opening.moves {
            game.play(text)
                .map_err(|illegal| Failure::unable(format!("`{}` is illegal", illegal.0)))?;
        }
        match game.ending() {
            None => Ok(Box::new(game)),
            Some(ending) => Err(Failure::unable(format!(
                "the game is over: {}",
                ending.text
            ))),
        }
    }
}

struct NimGame {
    start: String,
    first: Color,
    piles: Vec<u32>,
    mover: Color,
    moves: Vec<String>,
    text: String,
    passes_to_draw: usize,
}

impl NimGame {
    fn parse(start: &str, passes_to_draw: usize) -> Option<Self> {
        let (piles, mover) = start.split_once(' ')?;
        let piles: Vec<u32> = piles
            .split('/')
            .map(|pile| pile.parse().ok())
            .collect::<Option<_>>()?;
        let first = match mover {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return None,
        };
        Some(Self {
            start: start.to_owned(),
            first,
            piles,
            mover: first,
            moves: Vec::new(),
            text: format!("{start}:"),
            passes_to_draw,
        })
    }

    /// The pile and the number of stones of a legal move; `None` for a pass.
    fn read(&self, text: &str) -> Result<Option<(usize, u32)>, IllegalMove> {
        let illegal = || IllegalMove(text.to_owned());
        if text == PASS {
            return Ok(None);
        }
        let letter = text.bytes().next().ok_or_else(illegal)?;
        let pile = usize::from(letter.checked_sub(b'a').ok_or_else(illegal)?);
        let stones: u32 = text
            .get(1..)
            .and_then(|stones| stones.parse().ok())
            .ok_or_else(illegal)?;
        let there = *self.piles.get(pile).ok_or_else(illegal)?;
        if stones == 0 || stones > there || self.moves.last().is_some_and(|last| last == text) {
            return Err(illegal());
        }
        Ok(Some((pile, stones)))
    }

    fn trailing_passes(&self) -> usize {
        self.moves
            .iter()
            .rev()
            .take_while(|text| *text == PASS)
            .count()
    }
}

impl Game for NimGame {
    fn to_move(&self) -> Color {
        self.mover
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        if let Some((pile, stones)) = self.read(text)? {
            self.piles[pile] -= stones;
        }
        self.moves.push(text.to_owned());
        self.text.push(' ');
        self.text.push_str(text);
        self.mover = self.mover.opponent();
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        let last_mover = self.mover.opponent();
        let took_poison = self
            .moves
            .last()
            .is_some_and(|text| text[1..].parse() == Ok(POISON));
        if took_poison {
            Some(Ending {
                winner: Some(self.mover),
                text: match last_mover {
                    Color::White => "White takes four and loses",
                    Color::Black => "Black takes four and loses",
                },
            })
        } else if self.piles.iter().all(|pile| *pile == 0) {
            Some(Ending {
                winner: Some(last_mover),
                text: match last_mover {
                    Color::White => "White takes the last stone",
                    Color::Black => "Black takes the last stone",
                },
            })
        } else if self.trailing_passes() >= self.passes_to_draw {
            Some(Ending {
                winner: None,
                text: "Draw by passing",
            })
        } else {
            None
        }
    }

    fn position(&self) -> &str {
        &self.text
    }

    fn full_moves(&self) -> u32 {
        self.moves.len() as u32 / 2
    }

    fn last_move_is_irreversible(&self) -> bool {
        self.moves.last().is_some_and(|text| text != PASS)
    }

    fn key(&self) -> u64 {
        let mover = u64::from(self.mover == Color::Black);
        self.piles
            .iter()
            .fold(mover, |key, pile| key * 1000 + u64::from(*pile))
    }

    fn current(&self) -> String {
        let piles: Vec<String> = self.piles.iter().map(u32::to_string).collect();
        format!("{} {}", piles.join("/"), self.mover.name().to_lowercase())
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        let takes = |(pile, stones): (usize, &u32)| {
            let letter = char::from(b'a' + pile as u8);
            (1..=*stones).map(move |taken| format!("{letter}{taken}"))
        };
        let all = self.piles.iter().enumerate().flat_map(takes);
        all.chain([PASS.to_owned()])
            .filter(|text| self.read(text).is_ok())
            .collect()
    }

    fn record(&self) -> Record {
        Record {
            start: (self.start != USUAL_START).then(|| self.start.clone()),
            moves: self.moves.iter().map(|text| text.to_uppercase()).collect(),
            first_move: (1, self.first),
            last_position: self.current(),
        }
    }
}

/// A book: lines of a start, a colon and moves.
struct Lines(Vec<Opening>);

impl Lines {
    fn read(text: &str, plies: Option<u32>) -> Self {
        let plies = plies.map_or(usize::MAX, |plies| plies as usize);
        let openings = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                let (start, moves) = line.split_once(':').unwrap_or((line, ""));
                Opening {
                    start: Some(start.trim().to_owned()),
                    moves: moves
                        .split_whitespace()
                        .take(plies)
                        .map(str::to_owned)
                        .collect(),
                }
            });
        Self(openings.collect())
    }
}

impl Openings for Lines {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, index: u64) -> Result<Opening, Failure> {
        self.0
            .get(index as usize)
            .cloned()
            .ok_or_else(|| Failure::unable("there is no such line"))
    }

    fn place(&self, index: u64) -> String {
        format!("line {}", index + 1)
    }
}

static PLAIN_WORDS: PlainWords = PlainWords;

/// What engines for Nim speak.
#[derive(Debug)]
struct PlainWords;

impl Dialect for PlainWords {
    fn name(&self) -> &'static str {
        "Nim"
    }

    fn hello(&self) -> &'static str {
        "hello\n"
    }

    fn welcome(&self) -> &'static str {
        "at your service"
    }

    fn introduction(&self, line: &str) -> Introduction {
        let line = line.trim();
        if line == self.welcome() {
            return Introduction::Done;
        }
        match line.split_once(' ') {
            Some(("I'm", name)) => Introduction::Name(name.to_owned()),
            Some(("knob", name)) => Introduction::Option(UciOption {
                name: name.to_owned(),
                kind: OptionKind::Spin {
                    default: 0,
                    min: 0,
                    max: 100,
                },
            }),
            _ => Introduction::Other,
        }
    }

    fn set_option(&self, option: &UciOption, value: &str, lines: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(lines, "turn {} to {value}", option.name);
    }

    fn new_game(&self) -> &'static str {
        ""
    }

    fn ping(&self) -> &'static str {
        "there?\n"
    }

    fn pong(&self) -> &'static str {
        "here"
    }

    fn search(&self, search: &Search<'_>, lines: &mut String) {
        let limit = match *search.limit {
            Limit {
                nodes: Some(nodes), ..
            } => format!("{nodes} thoughts"),
            Limit {
                depth: Some(depth), ..
            } => format!("{depth} plies"),
            Limit {
                movetime: Some(ms), ..
            } => format!("{ms} ms"),
            Limit { .. } => {
                let left = match search.mover {
                    Color::White => search.clocks.white,
                    Color::Black => search.clocks.black,
                };
                let left = left.map_or(0, |face| face.left.as_millis());
                format!("{left} ms for all")
            }
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(lines, "see {}\nmove within {limit}", search.position);
    }

    fn stop(&self) -> &'static str {
        "enough\n"
    }

    fn quit(&self) -> &'static str {
        "bye\n"
    }

    fn best_move<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        line.strip_prefix(b"I play ")
    }

    fn score_quality(&self, line: &[u8]) -> ScoreQuality {
        if line.starts_with(b"white is ") {
            ScoreQuality::Exact
        } else {
            ScoreQuality::Missing
        }
    }

    /// `white is 250 thousandths ahead`: from White's point of view, on a scale of its own.
    fn info(&self, line: &[u8], mover: Color) -> Info {
        let line = String::from_utf8_lossy(line);
        let thousandths: Option<i32> = line
            .split_whitespace()
            .nth(2)
            .and_then(|number| number.parse().ok());
        let sign = match mover {
            Color::White => 1,
            Color::Black => -1,
        };
        Info {
            score: thousandths.map(|score| EngineScore::Cp(sign * score / 10)),
            ..Info::default()
        }
    }
}
