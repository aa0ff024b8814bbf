//! A match from its arguments to its last line: rounds go to the arena, and finished games go to
//! the reporters.

use std::collections::HashMap;
use std::io::stdout;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use foundation::{Exit, Failure, Printer, failure::OrUnable};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tokio_util::sync::CancellationToken;

use super::arguments::Arguments;
use super::book::Book;
use super::checksum::Checksum;
use super::lines::Lines;
use super::score::Score;
use super::side::Side;
use super::values::PgnOut;
use super::warnings::Warnings;
use engine_client::{Color, Engine, Launch, SideLimit, Timeouts};
use referee::arena::{
    ArenaOptions, FinishedJob, Flow, Job, MatchRules, MatchSetup, Placement, Scheduler, Source,
};
use referee::game::{self, Variant};
use referee::tablebase::Tablebase;
use runs::plan::{RecordStyle, with_last_values};
use runs::report::pgn::{Appended, EngineTags, GameWriter};
use runs::report::{Event, Reporter};
use runs::signals::Signals;
use stats::Wdl;

/// The most attempts at a round whose engines cannot be started.
const ATTEMPTS: u32 = 3;

/// The longest wait for a move without a clock where no timeout was given; fastchess would wait for
/// ever.
const LONGEST_MOVE: Duration = Duration::from_mins(5);

/// Plays the match that `words` ask for.
pub(crate) async fn play(words: &[String], printer: Printer) -> Result<Exit, Failure> {
    let mut warnings = Warnings::default();
    let arguments = Arguments::read(words, &mut warnings);
    for warning in warnings.all() {
        printer.warn(&warning);
    }
    let arguments = arguments?;
    let signals = Signals::listen()?;
    let stop = signals.interrupt.child_token();
    end_with_stdout(stop.clone())?;
    let played = stop
        .run_until_cancelled(play_rounds(&arguments, &stop, printer))
        .await
        .unwrap_or(Ok(()));
    if signals.was_interrupted() {
        return Ok(signals.exit());
    }
    played?;
    if stop.is_cancelled() {
        return Err(Failure::unable("nobody reads stdout any more"));
    }
    Ok(Exit::Yes)
}

async fn play_rounds(
    arguments: &Arguments,
    stop: &CancellationToken,
    printer: Printer,
) -> Result<(), Failure> {
    let variant = game::variant(arguments.variant)
        .ok_or_else(|| Failure::unable(format!("unknown variant `{}`", arguments.variant)))?;
    // First of all: a worker looks for the file even if no game could be played.
    let pgn = arguments.pgn.as_ref();
    let pgn = pgn.map(|out| games_file(out, arguments, variant));
    let pgn = pgn.transpose()?;
    let book = match &arguments.openings {
        Some(openings) => Book::open(openings, arguments.seed, arguments.rounds, variant)?,
        None => Book::start_position(),
    };
    let setup = setup(arguments, variant, printer).await?;
    let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
    if let Some(mut file) = pgn {
        if arguments.pgn.as_ref().is_some_and(|out| out.options) {
            for side in [&setup.base, &setup.new] {
                let folder = side.folder.as_deref();
                file.writer.tags.add(&side.name, &side.options, folder);
            }
        }
        reporters.push(Box::new(file));
    }
    if let Some(out) = arguments.pgn.as_ref().filter(|_| arguments.prints_crc32) {
        reporters.push(Box::new(Checksum::open(stdout(), &out.file)?));
    }
    reporters.push(Box::new(Faults(printer)));
    let games_per_round = 1 + u64::from(arguments.reverses);
    reporters.push(Box::new(Lines {
        out: stdout(),
        games_per_round,
        score: arguments.cutechess.map(|intervals| Score {
            intervals,
            names: arguments.sides.each_ref().map(|side| side.name.clone()),
            games: arguments.rounds.saturating_mul(games_per_round),
            counts: Wdl::default(),
        }),
    }));
    let scheduler = Scheduler {
        placement: placement(arguments),
        setup: Arc::new(setup),
        slots: arguments
            .concurrency
            .min(usize::try_from(arguments.rounds).unwrap_or(usize::MAX)),
    };
    let mut rounds = Rounds {
        arguments,
        book,
        next: 0,
        again: Vec::new(),
        tries: HashMap::new(),
        reporters,
        printer,
    };
    scheduler.run(&mut rounds, stop).await
}

fn games_file(
    out: &PgnOut,
    arguments: &Arguments,
    variant: &'static dyn Variant,
) -> Result<Appended, Failure> {
    let style = RecordStyle {
        event: arguments.event.clone(),
        site: arguments.site.clone(),
        minimal: out.minimal,
        ..RecordStyle::default()
    };
    let writer = GameWriter {
        variant,
        style,
        tags: EngineTags::default(),
    };
    Appended::open(&out.file, out.append, writer)
}

/// The rounds of a match, each an opening with both colours or with one.
struct Rounds<'a> {
    arguments: &'a Arguments,
    book: Book,
    /// The next round to hand out, from 0.
    next: u64,
    /// Rounds that could not be played, and how often.
    again: Vec<u64>,
    tries: HashMap<u64, u32>,
    reporters: Vec<Box<dyn Reporter>>,
    printer: Printer,
}

impl Source for Rounds<'_> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        let round = match self.again.pop() {
            Some(round) => round,
            None if self.next < self.arguments.rounds => {
                self.next += 1;
                self.next - 1
            }
            None => return Ok(None),
        };
        let mut job = Job::pair(round, self.book.round(round + 1).clone());
        let Arguments {
            reverses,
            swaps,
            second_begins,
            ..
        } = *self.arguments;
        if second_begins {
            job.games.reverse();
        }
        if !swaps {
            let first = job.games[0];
            job.games.fill(first);
        }
        if !reverses {
            // The first engine has White in odd games, as if colours were swapped within pairs.
            job.games.swap(0, (round % 2) as usize);
            job.games.truncate(1);
        }
        Ok(Some(job))
    }

    fn receive(&mut self, finished: Vec<FinishedJob>) -> Result<Flow, Failure> {
        for job in finished {
            match job.result {
                Ok(pair) => {
                    let event = Event::PairFinished(&pair);
                    for reporter in &mut self.reporters {
                        reporter.on_event(&event)?;
                    }
                }
                Err(fault) => {
                    let tries = self.tries.entry(job.pair).or_default();
                    *tries += 1;
                    if *tries >= ATTEMPTS {
                        return Err(fault.failure);
                    }
                    let (round, why) = (job.pair + 1, fault.failure.message());
                    self.printer
                        .warn(&format!("round {round} is played again: {why}"));
                    self.again.push(job.pair);
                }
            }
        }
        Ok(Flow::GoOn)
    }
}

/// Reports on stderr what the lines on stdout cannot express.
struct Faults(Printer);

impl Reporter for Faults {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::PairFinished(pair) = event {
            for game in pair.games.iter().filter(|game| game.end.is_fault()) {
                let engine = match game.end.spoiled_by() {
                    Some(Color::Black) => &game.black.name,
                    _ => &game.white.name,
                };
                let (round, text) = (pair.pair + 1, game.end.text());
                let detail = game.end.detail().unwrap_or_default();
                self.0
                    .warn(&format!("round {round}, {engine}: {text}: {detail}"));
            }
        }
        Ok(())
    }
}

/// Where no clock runs and one thread searches, a game plays faster on a processor of its own;
/// elsewhere it has one where that was asked for.
fn placement(arguments: &Arguments) -> Placement {
    let is_wanted = arguments.has_own_processors || plays_faster_alone(&arguments.sides);
    Placement {
        own: usize::from(is_wanted),
        among: arguments.processors.clone(),
    }
}

fn plays_faster_alone(sides: &[Side; 2]) -> bool {
    let is_one_thread =
        |(name, value): &(String, String)| !name.eq_ignore_ascii_case("Threads") || value == "1";
    sides
        .iter()
        .all(|side| side.limit.has_no_clock() && side.options.iter().all(is_one_thread))
}

async fn setup(
    arguments: &Arguments,
    variant: &'static dyn Variant,
    printer: Printer,
) -> Result<MatchSetup, Failure> {
    let timeouts = Timeouts {
        startup: Duration::from_millis(arguments.startup_ms),
        answer: Duration::from_millis(arguments.ping_ms.unwrap_or(super::arguments::PING_MS)),
    };
    let keep = match &arguments.pgn {
        Some(out) => out.match_lines.as_slice(),
        None => &[],
    };
    let [new, base] = &arguments.sides;
    let limit = |side: &Side| SideLimit {
        limit: side.limit.clone(),
        margin: Duration::from_millis(side.time_margin_ms),
    };
    Ok(MatchSetup {
        new: launch(new, keep, variant, timeouts, printer).await?,
        base: launch(base, keep, variant, timeouts, printer).await?,
        timeouts,
        rules: MatchRules {
            new: limit(new),
            base: limit(base),
            move_timeout: arguments
                .ping_ms
                .map_or(LONGEST_MOVE, Duration::from_millis),
            tablebase: tablebase(arguments, variant)?,
            options: ArenaOptions {
                wait_ms: arguments.wait_ms,
                ..ArenaOptions::default()
            },
            keep_lines: false,
            adjudication: arguments.adjudication,
        },
        variant,
    })
}

/// The tables that end games. A worker names the folder that its owner gave it: where that holds
/// none, the owner is mistaken, and hours of games would show it nowhere.
fn tablebase(
    arguments: &Arguments,
    variant: &dyn Variant,
) -> Result<Option<Arc<dyn Tablebase>>, Failure> {
    let Some(tablebases) = &arguments.tablebases else {
        return Ok(None);
    };
    variant
        .tablebase(&tablebases.folders, tablebases.table_use)
        .map(Some)
        .map_err(|failure| failure.context("-tb"))
}

/// How to start an engine, with those of its options that it has: a worker sends `SyzygyPath` to
/// engines that know of no tables too.
async fn launch(
    side: &Side,
    keep_lines: &[String],
    variant: &'static dyn Variant,
    timeouts: Timeouts,
    printer: Printer,
) -> Result<Launch, Failure> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let mut launch = Launch {
        arguments: side.arguments.clone(),
        folder: side.folder.clone(),
        offered_options: variant.offered_options().iter().map(owned).collect(),
        restart: side.restart,
        keep_lines: keep_lines.to_vec(),
        ..Launch::new(&side.name, &program(side)?, variant.dialect())
    };
    let engine = Engine::start(&launch, timeouts).await.map_err(|failure| {
        failure.hint("start it by hand and type `uci`; slow starters need -startup-ms")
    })?;
    let demanded = variant.engine_options().iter().map(owned);
    for (name, value) in with_last_values(side.options.iter().cloned().chain(demanded)) {
        let option = engine
            .options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(&name));
        match option.map(|option| option.accepts(&value)) {
            Some(Ok(())) => launch.options.push((name, value)),
            Some(Err(why)) => printer.warn(&format!("{}: {}; left out", side.name, why.message())),
            None => printer.warn(&format!(
                "{}: the engine has no option `{name}`; left out",
                side.name
            )),
        }
    }
    engine.quit().await;
    Ok(launch)
}

/// The engine's program, which is named relative to its folder.
fn program(side: &Side) -> Result<PathBuf, Failure> {
    let named = match &side.folder {
        Some(folder) => folder.join(&side.command),
        // Without a folder and a slash it is looked for on the search path.
        None if !side.command.contains('/') && !Path::new(&side.command).exists() => {
            return Ok(side.command.clone().into());
        }
        None => side.command.clone().into(),
    };
    let program = std::path::absolute(&named)
        .or_unable(format_args!("find out where `{}` is", named.display()))?;
    if program.is_file() {
        Ok(program)
    } else {
        Err(
            Failure::unable(format!("no such engine: `{}`", named.display())).hint(
                "cmd= is relative to dir=, and dir= to the folder in which the runner is started",
            ),
        )
    }
}

/// Stops the match when nobody reads stdout any more, though nothing is being written.
fn end_with_stdout(stop: CancellationToken) -> Result<(), Failure> {
    let watch = move || {
        let stdout = stdout();
        let mut descriptors = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
        loop {
            match poll(&mut descriptors, PollTimeout::NONE) {
                Err(Errno::EINTR) => {}
                Err(_) => return,
                Ok(_) => {
                    stop.cancel();
                    return;
                }
            }
        }
    };
    std::thread::Builder::new()
        .name("stdout".to_owned())
        .spawn(watch)
        .map(drop)
        .or_unable("watch stdout")
}
