//! `sprt show`: how a run stands.

use std::path::{Path, PathBuf};
use std::time::Duration;

use foundation::format::{Format, FormatArgs, fenced, headed};
use foundation::{Exit, Failure, Printer, run_folder};

use super::blunders;
use super::resume::not_of;
use super::suite::{self, make};
use analysis::Kind;
use runs::activity::{Activity, now};
use runs::recorded::Recorded;
use runs::report::json::json;
use runs::report::outlook::{self, Outlook};
use runs::report::verdict::sentence;
use runs::report::{MatchState, TournamentState, block, command, line, part, progress, tournament};
use runs::run_folder::MatchFolder;
use runs::standing::Standing;
use runs::state_folder::find_run;
use runs::status::Status;
use runs::tournament::{TournamentPlan, TournamentStanding, is_tournament};

/// A run to show.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The run's folder, or its name as `sprt list` shows it, or a part of that
    pub run: PathBuf,
    #[command(flatten)]
    pub form: FormatArgs,
    /// Wait for the end, and report meanwhile how the run stands
    #[arg(long)]
    pub follow: bool,
}

/// Interval between reads of a run that is followed.
const LOOK: Duration = Duration::from_secs(1);

/// Exits as the run did; while it goes on or can be continued, with 4.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let path = find_run(&args.run)?;
    let kind = Kind::of(&path)?;
    match (kind, args.form.format()) {
        (Some(kind), Format::Markdown) => return Err(not_of(kind, &path, "--format markdown")),
        (Some(kind @ Kind::Puzzles), Format::Json) => return Err(not_of(kind, &path, "--json")),
        _ => {}
    }
    if args.follow {
        match kind {
            Some(_) => wait(&path),
            None => follow(&path, printer)?,
        }
    }
    match kind {
        Some(Kind::Suite) => return suite::show(&path, args.form.is_json(), printer),
        Some(Kind::Blunders) => return blunders::show(&path, args.form.is_json(), printer),
        Some(Kind::Puzzles) => return make::show(&path, printer),
        None => {}
    }
    if is_tournament(&path)? {
        return show_tournament(args, &path, printer);
    }
    let (plan, recorded) = MatchFolder::read_recorded(&path)?;
    print_losses(&recorded, printer);
    let standing = Standing::after(&plan, &recorded.lines);
    let state = MatchState {
        plan: &plan,
        run: &path,
        standing: &standing,
    };
    if args.form.is_json() {
        printer.result(&json(&state)?);
    } else if args.form.is_markdown() {
        let status = Status::of(&path, standing.is_over(&plan));
        printer.result(&format!(
            "{}\n\n{}",
            headed(&sentence(&state, status)),
            fenced(&block::message(&state)?)
        ));
    } else {
        block::print(&state, printer)?;
        let status = Status::of(&path, standing.is_over(&plan));
        printer.note(&sentence(&state, status));
        if let Some(difference) = plan.difference() {
            printer.note(&format!("settings, base -> new: {difference}"));
        }
        printer.note(&progress_in_words(&path, &standing, status));
        if status.is_being_played() {
            let watch = command::to_serve(&path);
            printer.note(&format!("watch it in a browser: `{watch}`"));
        }
    }
    // A match of fixed length would end with a yes, which it has not given yet.
    Ok(if standing.is_over(&plan) {
        standing.exit()
    } else {
        Exit::Undecided
    })
}

/// What a crash took from the run.
fn print_losses(recorded: &Recorded, printer: Printer) {
    for loss in recorded.losses() {
        printer.warn(&format!("{loss} when the run is resumed"));
    }
}

/// `running: 142/400 games, 50.2 games/min, ~3 min to go, 5 min at most, H1 4%, …`
fn progress_in_words(run: &Path, standing: &Standing, status: Status) -> String {
    let activity = Activity::read(run);
    let games = standing.tally().wdl.games();
    let speed = activity
        .as_ref()
        .and_then(|activity| activity.games_per_second(games, now()));
    let taken =
        activity.map(|activity| format!("{} played", outlook::taken(activity.seconds(now()))));
    let mut parts = vec![outlook::games(standing)];
    parts.extend(taken);
    parts.extend(speed.map(outlook::speed));
    if let Some(outlook) = Outlook::of(standing, speed).filter(|_| status.is_being_played()) {
        parts.push(outlook.expected());
        parts.extend(outlook.at_most());
        parts.extend(outlook.chances());
    }
    format!("{}: {}", status.words(), parts.join(", "))
}

/// Waits until nobody works on the run any more.
fn wait(path: &Path) {
    while run_folder::is_being_played(path) {
        std::thread::sleep(LOOK);
    }
}

/// Tells how the run stands whenever that has changed, until nobody plays it any more.
fn follow(path: &Path, printer: Printer) -> Result<(), Failure> {
    let mut told = None;
    let is_tournament = is_tournament(path)?;
    while run_folder::is_being_played(path) {
        let (pairs, parts) = if is_tournament {
            follow_tournament(path)?
        } else {
            follow_match(path)?
        };
        if told.replace(pairs) != Some(pairs) {
            let columns = if printer.draws_progress() {
                progress::columns()
            } else {
                usize::MAX
            };
            printer.note(&part::fitting(&parts, columns));
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// The pairs of a run, and how it stands.
fn follow_match(path: &Path) -> Result<(u64, Vec<part::Part>), Failure> {
    let (_, standing) = Standing::read(path)?;
    let tally = standing.tally();
    let parts = line::parts(&standing, speed(path, tally.wdl.games()));
    Ok((tally.pairs_played(), parts))
}

fn follow_tournament(path: &Path) -> Result<(u64, Vec<part::Part>), Failure> {
    let (plan, standing) = TournamentStanding::read(path)?;
    let pairs = standing.pairs();
    let state = TournamentState {
        plan: &plan,
        run: path,
        standing: &standing,
    };
    Ok((pairs, tournament::parts(&state, speed(path, 2 * pairs))))
}

/// Games per second of the process that plays a run.
fn speed(run: &Path, games: u64) -> Option<f64> {
    Activity::read(run)?.games_per_second(games, now())
}

fn show_tournament(args: &Args, path: &Path, printer: Printer) -> Result<Exit, Failure> {
    let (plan, recorded) = MatchFolder::read_recorded::<TournamentPlan>(path)?;
    print_losses(&recorded, printer);
    let standing = TournamentStanding::after(&plan, &recorded.lines)?;
    let state = TournamentState {
        plan: &plan,
        run: path,
        standing: &standing,
    };
    match args.form.format() {
        Format::Json => printer.result(&tournament::json(&state)?),
        Format::Markdown => printer.result(&format!(
            "{}\n\n{}",
            headed(&tournament::sentence(&state)),
            fenced(&tournament::tables(&state))
        )),
        Format::Text => {
            printer.result(&tournament::tables(&state));
            printer.note(&tournament::sentence(&state));
        }
    }
    Ok(standing.exit())
}
