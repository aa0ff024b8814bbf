//! `sprt suite make`: from games and a judge to a test suite.

use std::path::{Path, PathBuf};

use analysis::blunders::folder::BlundersRun;
use analysis::blunders::plan::BlundersPlan;
use analysis::puzzles::folder::{PuzzlesRun, blunders_of};
use analysis::puzzles::plan::{PuzzlesPlan, Rules};
use analysis::puzzles::session::Progress;
use analysis::puzzles::{report, session};
use engine_client::Limit;
use foundation::{Exit, Failure, Printer, counted, run_folder};
use runs::plan::RunPlan as _;
use runs::run_folder::read_plan;
use runs::signals::Signals;
use runs::status::Status;

use crate::commands::judge::JudgeFlags;
use crate::commands::judged_games::{
    JudgedGames, checked_epd, planned_epd, say_interrupted, warn_of_broken, warn_of_faults,
};
use crate::commands::progress::progress;

/// Make a test suite from the mistakes in games
///
/// The judge searches every position of the games, and those before and after each mistake again
/// for their two best moves, at two limits. A position is taken where the same move is clearly best
/// at both, unless it recaptures. Decided positions have no clearly best move. Themes name phase,
/// pieces and the kind of move: mate, sacrifice, defence, forcing move, quiet move.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Exit codes:
  0    the suite was made
  1    no position of the games makes a puzzle
  2    error: usage, environment or network
  3    the judge failed at a position, which was left out
  130  interrupted by Ctrl-C; continue with `sprt resume`
  143  terminated; continue with `sprt resume`")]
pub struct Args {
    #[command(flatten)]
    pub judged: JudgedGames,
    #[command(flatten)]
    pub judge: JudgeFlags,
    /// Nodes (with --depth: depth) of the second judgement [default: four times --nodes, or three
    /// plies deeper]
    #[arg(long, value_name = "N")]
    pub again: Option<u64>,
    /// Percentage points of winning chances that a mistake loses at least
    #[arg(long, value_name = "POINTS", default_value_t = 20.0)]
    pub loss: f64,
    /// Percentage points by which the best move is better than the second at least
    #[arg(long, value_name = "POINTS", default_value_t = 20.0)]
    pub gap: f64,
    /// Write the suite to this file [default: print]
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
}

pub(super) async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let (plan, blunders) = args.plan(printer).await?;
    warn_of_broken(&blunders, printer);
    if args.judged.dry_run {
        printer.result(&plan.to_json()?);
        return Ok(Exit::Yes);
    }
    plan.epd.as_deref().map_or(Ok(()), checked_epd)?;
    let path = args.judged.folder(&blunders, "suite-make")?;
    PuzzlesRun::create(&path, &plan, &blunders)?;
    make(&path, None, printer).await
}

/// Does what has not been done yet, and prints the suite. `epd` is written instead of the file that
/// the plan names.
pub(in crate::commands) async fn make(
    path: &Path,
    epd: Option<&Path>,
    printer: Printer,
) -> Result<Exit, Failure> {
    epd.map_or(Ok(()), checked_epd)?;
    let signals = Signals::listen()?;
    let searches = read_plan::<BlundersPlan>(&blunders_of(path))?.searches;
    let bar = progress(searches, printer);
    let made = session::run(path, &signals, |progress| match progress {
        Progress::Games(judged) => bar.set_position(judged as u64),
        Progress::Candidates(done, all) => {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    })
    .await;
    bar.finish_and_clear();
    let Some(run) = made? else {
        say_interrupted(path, false, printer);
        return Ok(signals.exit());
    };
    let text = report::epd(&run);
    match epd.or(run.plan.epd.as_deref()) {
        Some(epd) => {
            printer.result(&report::themes(&run));
            run_folder::write_output(epd, &text)?;
        }
        None => printer.result(text.trim_end()),
    }
    printer.note(&report::sentence(&run));
    printer.note(&format!("judgements are in `{}`", path.display()));
    Ok(exit(&run, printer))
}

/// Prints the suite as far as it has been made.
pub(in crate::commands) fn show(path: &Path, printer: Printer) -> Result<Exit, Failure> {
    let run = PuzzlesRun::read(path)?;
    printer.result(report::epd(&run).trim_end());
    printer.note(&report::sentence(&run));
    if run.is_over() {
        return Ok(exit(&run, printer));
    }
    printer.note(&format!(
        "{} of {} of the games judged: {}",
        run.blunders.judgements.len(),
        counted(run.blunders.plan.searches, "position"),
        Status::of(path, false).words(),
    ));
    Ok(Exit::Undecided)
}

fn exit(run: &PuzzlesRun, printer: Printer) -> Exit {
    let judgements = run.blunders.judgements.values();
    let verifications = run.verifications.values();
    let positions = (judgements.map(|it| (&it.fen, &it.fault)))
        .chain(verifications.map(|it| (&it.fen, &it.fault)));
    if warn_of_faults(positions, "left out of the suite", printer) {
        return Exit::EngineFault;
    }
    if run.puzzles().iter().any(Result::is_ok) {
        Exit::Yes
    } else {
        Exit::No
    }
}

impl Args {
    async fn plan(&self, printer: Printer) -> Result<(PuzzlesPlan, BlundersRun), Failure> {
        let rules = self.rules()?;
        let files = self.judged.files()?;
        let variant = self.judged.variant(&files)?;
        let limit = self.judge.limit()?;
        let again = self.judge.again(self.again_number(&limit), &limit)?;
        let judge = self.judge.resolve(variant, &limit, &[], printer).await?;
        let of_two = self
            .judge
            .resolve(variant, &limit, &["MultiPV=2"], printer)
            .await?;
        let counted = self
            .judge
            .plan((files, variant), &self.judged.player, judge, limit.clone());
        let mut plan = PuzzlesPlan::new(of_two, [limit, again], rules);
        plan.epd = planned_epd(self.epd.as_deref())?;
        plan.concurrency = counted.concurrency;
        plan.startup_timeout_s = counted.startup_timeout_s;
        plan.move_timeout_s = counted.move_timeout_s;
        Ok((plan, BlundersRun::prepare(counted)?))
    }

    fn again_number(&self, first: &Limit) -> u64 {
        let usual = match (self.judge.depth, first.nodes) {
            (Some(depth), _) => u64::from(depth) + 3,
            (None, nodes) => 4 * nodes.unwrap_or_default(),
        };
        self.again.unwrap_or(usual)
    }

    fn rules(&self) -> Result<Rules, Failure> {
        for (flag, value) in [("--loss", self.loss), ("--gap", self.gap)] {
            if !(value > 0.0 && value < 100.0) {
                return Err(Failure::unable(format!(
                    "{flag} {value}: expected percentage points between 0 and 100"
                )));
            }
        }
        Ok(Rules {
            loss: self.loss,
            gap: self.gap,
        })
    }
}
