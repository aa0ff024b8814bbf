//! The run itself: pairs come in from the arena, go to the journal and into the tally, until the test decides.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use foundation::{Exit, Failure, Printer, failure::OrUnable, folders};

use crate::arena::{Dispatcher, FinishedPair, Stop};
use crate::plan::Plan;
use crate::report::{result::RunResult, terminal::Terminal};
use crate::resolve::RunArgs;
use crate::run_directory::{PairLine, RunDirectory};
use crate::signals::Signals;
use crate::tally::Tally;
use stats::Verdict;

/// A run that was interrupted.
#[derive(Args, Clone, Debug)]
pub struct ResumeArgs {
    /// The run's folder, or its name as `sprt list` shows it
    pub run: PathBuf,
    /// Games played at the same time [default: as before]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Copy the games to this file at the end
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// What is made of the result.
struct Output {
    pgn: Option<PathBuf>,
    json: bool,
}

/// `sprt run`: from arguments to a verdict.
pub async fn start(args: RunArgs, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let Some(plan) = signals
        .interrupt
        .run_until_cancelled(args.plan(printer))
        .await
    else {
        return Ok(signals.exit());
    };
    let plan = match plan {
        Err(_) if signals.was_interrupted() => return Ok(signals.exit()),
        plan => plan?,
    };
    if args.dry_run {
        printer.result(&plan.to_json());
        return Ok(Exit::Yes);
    }
    see_that_games_can_go_to(args.pgn.as_deref())?;
    let path = match args.out {
        Some(path) => path,
        None => new_run_path(&plan)?,
    };
    let directory = RunDirectory::create(&path, &plan)?;
    play(
        plan,
        directory,
        &[],
        &Output {
            pgn: args.pgn,
            json: args.json,
        },
        &signals,
        printer,
    )
    .await
}

/// `sprt resume`: goes on where the journal ends.
pub async fn resume(args: ResumeArgs, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let (directory, mut plan, lines) = RunDirectory::open(&find_run(&args.run)?)?;
    if let Some(concurrency) = args.concurrency {
        plan.play.concurrency = concurrency.max(1);
    }
    see_that_games_can_go_to(args.pgn.as_deref())?;
    plan.base.verify()?;
    plan.new.verify()?;
    play(
        plan,
        directory,
        &lines,
        &Output {
            pgn: args.pgn,
            json: args.json,
        },
        &signals,
        printer,
    )
    .await
}

async fn play(
    plan: Plan,
    mut directory: RunDirectory,
    lines: &[PairLine],
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let book = Arc::new(plan.play.open_book()?);
    let contest = Arc::new(plan.contest()?);
    let mut tally = Tally::default();
    for line in lines {
        tally.add(&line.games);
    }
    let mut terminal = Terminal::start(&plan, &tally, directory.path(), printer);
    let is_over = |tally: &Tally| {
        tally.verdict(&plan.test) != Verdict::Undecided || plan.is_used_up(tally.pairs())
    };

    let played = if is_over(&tally) {
        Ok(())
    } else {
        let dispatcher = Dispatcher {
            contest,
            book,
            concurrency: plan.play.concurrency,
            own_processors: plan.play.own_processors,
            pairs: tally.pairs()..plan.max_pairs.unwrap_or(u64::MAX),
        };
        dispatcher
            .run(&signals.interrupt, |pairs: &[FinishedPair]| {
                let mut counted = 0;
                for pair in pairs {
                    tally.add(&pair.games);
                    terminal.pair(pair);
                    counted += 1;
                    if is_over(&tally) {
                        break;
                    }
                }
                directory.append(&pairs[..counted])?;
                terminal.tally(&tally);
                Ok(if is_over(&tally) {
                    Stop::Enough
                } else {
                    Stop::GoOn
                })
            })
            .await
    };
    terminal.finish();

    let result = RunResult::new(&plan, &tally, directory.path());
    let recorded = directory.write_result(&result.json());
    let go_on = format!("continue with `sprt resume {}`", directory.path().display());
    played.map_err(|failure| match failure.next_step() {
        Some(hint) => {
            let hint = format!("{hint}; then {go_on}");
            failure.hint(hint)
        }
        None => failure.hint(go_on.clone()),
    })?;
    recorded?;

    printer.result(
        if output.json {
            result.json()
        } else {
            result.block()
        }
        .trim_end(),
    );
    if let Some(pgn) = &output.pgn {
        let games = directory.games_path();
        std::fs::copy(&games, pgn)
            .or_unable(format_args!("copy the games to `{}`", pgn.display()))
            .map_err(|failure| failure.hint(format!("they are in `{}`", games.display())))?;
    }
    if !is_over(&tally) && signals.was_interrupted() {
        printer.note(&format!("interrupted; {go_on}"));
        return Ok(signals.exit());
    }
    printer.note(&result.sentence());
    Ok(tally.verdict(&plan.test).exit())
}

/// Finds out before hours of play that there is no such folder, or no right to write to it.
fn see_that_games_can_go_to(pgn: Option<&Path>) -> Result<(), Failure> {
    let Some(pgn) = pgn else { return Ok(()) };
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(pgn)
        .map(drop)
        .or_unable(format_args!("write games to `{}`", pgn.display()))
        .map_err(|failure| failure.hint("name a file that you may write to with --pgn"))
}

/// A folder that does not exist yet, named for the moment and the engines.
fn new_run_path(plan: &Plan) -> Result<PathBuf, Failure> {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let name: String = format!("{now}-{}-vs-{}", plan.new.name, plan.base.name)
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "-_.".contains(letter) {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let runs = runs()?;
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    let free = std::iter::once(runs.join(&name))
        .chain(numbered)
        .find(|path| !path.exists());
    Ok(free.unwrap_or(runs))
}

/// Where runs are kept that were given no folder of their own.
pub fn runs() -> Result<PathBuf, Failure> {
    Ok(folders::state()?.join("runs"))
}

/// The folder of a run that was named by path or by name.
pub fn find_run(run: &Path) -> Result<PathBuf, Failure> {
    if run.is_dir() {
        return Ok(run.to_owned());
    }
    let kept = runs()?.join(run);
    if kept.is_dir() {
        return Ok(kept);
    }
    Err(Failure::unable(format!(
        "no run `{}`: no such folder, here or in `{}`",
        run.display(),
        runs()?.display()
    ))
    .hint("`sprt list` shows the runs that there are"))
}
