//! `sprt book`: makes books of openings and checks them.

use std::collections::HashSet;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use foundation::{Exit, Failure, Printer, counted, failure::OrUnable, files, run_folder};

use engine_client::{EngineScore, Limit};
use referee::game::{self, Candidate, Generator, variants};
use referee::openings::judge::{self, Panel};
use referee::openings::{Book, Order, Reading};
use runs::plan::settings::{EngineSettings, Entry};
use runs::plan::{Contender, Trial, parse_option};

/// Broken openings that are named; more are counted only.
const NAMED: u64 = 5;

/// Candidates that each engine judges at a time.
const BATCH: usize = 64;

/// Candidates in a row that were all seen before: there are no more to find. Or as many that were
/// judged, none of which was taken.
const EXHAUSTED: u64 = 100_000;

#[derive(Subcommand, Debug, Clone)]
pub enum BookCommand {
    /// Make a book of random openings that an engine judges to be fair, or one-sided by a given
    /// measure
    Make(MakeArgs),
    /// Read a whole book: count openings, broken ones and repetitions
    Check(CheckArgs),
}

#[derive(Args, Debug, Clone)]
pub struct MakeArgs {
    /// Engine that judges: a program, a git revision, or a folder with a Makefile
    #[arg(long)]
    engine: String,
    /// Option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Game for which the book is, or variant of chess
    #[arg(long, value_name = "GAME", default_value = variants::USUAL)]
    variant: String,
    /// Openings to make
    #[arg(long, value_name = "N", default_value = "10000")]
    count: NonZeroUsize,
    /// Random moves in each, both sides' counted
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=40))]
    plies: u32,
    /// Nodes for each judgement
    #[arg(long, value_name = "N", default_value = "10000")]
    nodes: NonZeroU64,
    /// Centipawns by which either side may be ahead
    #[arg(long, value_name = "CP", default_value_t = 80)]
    max_score: u16,
    /// Centipawns by which one side must be ahead
    #[arg(long, value_name = "CP", default_value_t = 0)]
    min_score: u16,
    /// The same seed and engine give the same book
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Engines at work at the same time; the book does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// File to write: of chess EPD, or our packed form for a name that ends in .bin; of other games
    /// lines of moves
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Args, Debug, Clone)]
pub struct CheckArgs {
    /// Book to read; without one, the book built in
    file: Option<PathBuf>,
    /// Game of the book, or variant of chess
    #[arg(long, value_name = "GAME", default_value = variants::USUAL)]
    variant: String,
}

impl BookCommand {
    /// Does what was asked.
    pub async fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        match self {
            Self::Make(args) => args.make(printer).await,
            Self::Check(args) => args.check(printer),
        }
    }
}

impl MakeArgs {
    async fn make(&self, printer: Printer) -> Result<Exit, Failure> {
        if self.min_score > self.max_score {
            return Err(Failure::unable(format!(
                "--min-score {} is more than --max-score {}",
                self.min_score, self.max_score
            ))
            .hint("one side is ahead by at least the first and at most the second"));
        }
        let variant = game::find(&self.variant)?;
        let generator = variant.generator().ok_or_else(|| {
            let what = format!("no openings can be drawn for `{}`", variant.name());
            Failure::unable(what).hint(format!(
                "expected {}; `sprt run --variant {}` has a book built in",
                variants::that_are_drawn(),
                variant.name()
            ))
        })?;
        generator.can_write(&self.output, self.plies)?;
        // That nothing can be written here is better found out now; an interrupted command must
        // leave nothing behind.
        self.check_place()?;
        let entry = Entry {
            source: self.engine.clone(),
            settings: EngineSettings {
                options: self.options.clone(),
                ..EngineSettings::default()
            },
            ..Entry::default()
        };
        let trial = Trial {
            variant,
            timeouts: judge::TIMEOUTS,
            limit: Some(Limit::nodes(self.nodes.get())),
        };
        let engine = Contender::resolve(&entry, &trial, printer).await?;
        let mut panel = Panel::start(
            variant,
            &engine.launch(variant),
            self.concurrency,
            self.nodes.get(),
        )
        .await?;
        let mut accepted: Vec<Candidate> = Vec::new();
        let mut judged = 0;
        let mut drawing = Drawing::new(generator, self.seed, self.plies);
        while accepted.len() < self.count.get() {
            let batch = drawing.take(BATCH * panel.size());
            let is_hopeless = accepted.is_empty() && judged as u64 >= EXHAUSTED;
            if batch.is_empty() || is_hopeless {
                return Err(Failure::unable(format!(
                    "found {} of {} in which a side is ahead by {} to {} centipawns, expected {}",
                    counted(accepted.len(), "opening"),
                    counted(self.plies, "ply"),
                    self.min_score,
                    self.max_score,
                    self.count
                ))
                .hint("allow more plies, a larger --max-score, or fewer openings"));
            }
            judged += batch.len();
            let lines: Vec<_> = batch
                .iter()
                .map(|candidate| candidate.moves.clone())
                .collect();
            let scores = panel.scores(&lines).await?;
            let before = accepted.len();
            accepted.extend(
                batch
                    .into_iter()
                    .zip(scores)
                    .filter(|(_, score)| score.is_some_and(|it| self.accepts(it)))
                    .map(|(candidate, _)| candidate)
                    .take(self.count.get() - before),
            );
            if accepted.len() / 1000 > before / 1000 {
                printer.note(&format!(
                    "{} openings of {judged} candidates",
                    accepted.len()
                ));
            }
        }
        panel.dismiss().await;
        let book = generator.write(&self.output, self.plies, &accepted)?;
        run_folder::write_output(&self.output, book)
            .map_err(|failure| failure.hint("name another place with --output"))?;
        printer.result(&format!(
            "{} of {} in `{}`",
            counted(accepted.len(), "opening"),
            counted(judged, "candidate"),
            self.output.display()
        ));
        Ok(Exit::Yes)
    }

    fn accepts(&self, score: EngineScore) -> bool {
        let is_too_even = self.min_score > 0 && score.is_level((self.min_score - 1).into());
        score.is_level(self.max_score.into()) && !is_too_even
    }

    /// Finds out before hours of judging whether the book can be written.
    fn check_place(&self) -> Result<(), Failure> {
        run_folder::refuse_record(&self.output)?;
        tempfile::tempfile_in(files::folder(&self.output))
            .map(drop)
            .or_unable(format_args!("write the book `{}`", self.output.display()))
            .map_err(|failure| failure.hint("name another place with --output"))
    }
}

/// Draws candidates in the order of their numbers, no position twice.
struct Drawing {
    generator: &'static dyn Generator,
    seed: u64,
    plies: u32,
    number: u64,
    seen: HashSet<u64>,
}

impl Drawing {
    fn new(generator: &'static dyn Generator, seed: u64, plies: u32) -> Self {
        Self {
            generator,
            seed,
            plies,
            number: 0,
            seen: HashSet::new(),
        }
    }

    /// The next candidates; fewer, down to none, if there are no more to find.
    fn take(&mut self, count: usize) -> Vec<Candidate> {
        let mut batch = Vec::new();
        let mut last_find = self.number;
        while batch.len() < count && self.number - last_find < EXHAUSTED {
            let drawn = self.generator.draw(self.seed, self.number, self.plies);
            self.number += 1;
            if let Some(candidate) = drawn.filter(|candidate| self.seen.insert(candidate.key)) {
                batch.push(candidate);
                last_find = self.number;
            }
        }
        batch
    }
}

impl CheckArgs {
    fn check(&self, printer: Printer) -> Result<Exit, Failure> {
        let variant = game::find(&self.variant)?;
        let reading = Reading {
            order: Order::Sequential,
            ..Reading::default()
        };
        let book = match &self.file {
            Some(path) => Book::open_unchecked(path, variant, reading)?,
            None => Book::embedded(variant, reading)?,
        };
        let mut positions = HashSet::new();
        let (mut broken, mut repeated) = (0, 0);
        for index in 0..book.len() {
            match book.read(index).and_then(|opening| variant.start(&opening)) {
                Ok(game) => {
                    repeated += u64::from(!positions.insert(game.key()));
                }
                Err(failure) => {
                    broken += 1;
                    if broken <= NAMED {
                        printer.warn(&failure.to_string().replace("\nhint: ", "; "));
                    }
                }
            }
        }
        printer.result(&format!(
            "{}: {}, {broken} broken, {repeated} repeated\nsha256 {}",
            book.name(),
            counted(book.len(), "opening"),
            book.sha256()
        ));
        Ok(if broken == 0 { Exit::Yes } else { Exit::No })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::game::chess::generator::RANDOM_LINES;

    #[test]
    fn no_position_is_drawn_twice_and_all_are_found() {
        let mut drawing = Drawing::new(&RANDOM_LINES, 1, 1);
        let mut found = drawing.take(15);
        found.extend(drawing.take(15));
        assert_eq!(found.len(), 20);
        assert!(drawing.take(1).is_empty());
    }

    #[test]
    fn a_one_sided_book_has_neither_even_nor_lost_openings() {
        use clap::Parser as _;
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            make: MakeArgs,
        }
        let words = "book --engine x -o y --min-score 90 --max-score 120".split(' ');
        let make = Line::parse_from(words).make;
        let accepted = [-150, -121, -120, -90, -89, 0, 89, 90, 120, 121]
            .into_iter()
            .filter(|score| make.accepts(EngineScore::Cp(*score)));
        assert_eq!(accepted.collect::<Vec<_>>(), [-120, -90, 90, 120]);
    }

    #[test]
    fn both_forms_hold_the_same_positions() {
        let candidates = Drawing::new(&RANDOM_LINES, 1, 8).take(50);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let positions = |name: &str| {
            let path = folder.path().join(name);
            let bytes = RANDOM_LINES
                .write(&path, 8, &candidates)
                .expect("short lines");
            std::fs::write(&path, bytes).expect("writable");
            let variant = game::variant("standard").expect("known");
            let book = Book::open(&path, variant, Reading::default()).expect("our own book");
            let mut positions: Vec<String> = (0..book.len())
                .map(|index| {
                    let opening = book.read(index).expect("legal");
                    variant
                        .start(&opening)
                        .expect("legal")
                        .record()
                        .last_position
                })
                .collect();
            positions.sort_unstable();
            positions
        };
        let packed = positions("book.bin");
        assert_eq!(packed.len(), 50);
        assert_eq!(packed, positions("book.epd"));
        let path = std::path::Path::new("book.bin");
        assert!(RANDOM_LINES.can_write(path, 11).is_err());
    }
}
