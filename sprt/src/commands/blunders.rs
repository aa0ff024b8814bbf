//! `sprt blunders`: how many mistakes players make, as an engine judges them.

use std::path::{Path, PathBuf};

use analysis::blunders::folder::BlundersRun;
use analysis::blunders::plan::{BlundersPlan, Thresholds, WinModel};
use analysis::blunders::{report, session};
use foundation::{Exit, Failure, Printer, counted, run_folder};
use runs::plan::RunPlan as _;
use runs::run_folder::read_plan;
use runs::signals::Signals;

use super::judge::JudgeFlags;
use super::judged_games::{
    JudgedGames, checked_epd, planned_epd, say_interrupted, warn_of_broken, warn_of_faults,
};
use super::progress::{in_words, progress};

/// Count how many mistakes players make, as an engine judges them
///
/// The judge searches each position once. A move loses the winning chances before it less those
/// after it, Win% = 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1), so decided positions have little to
/// lose. Moves out of a book are not judged. Intervals and tests take each game as one case.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    pub judged: JudgedGames,
    #[command(flatten)]
    pub judge: JudgeFlags,
    /// Judge everything again at so many nodes (with --depth: at this depth), and report how far
    /// the judge agrees with itself
    #[arg(long, value_name = "N")]
    pub again: Option<u64>,
    /// Percentage points of winning chances that an inaccuracy, a mistake and a blunder lose
    #[arg(long, value_name = "P,P,P", value_delimiter = ',', default_values_t = [10.0, 20.0, 30.0])]
    pub thresholds: Vec<f64>,
    /// How winning chances come from scores
    #[arg(long, value_enum, value_name = "MODEL", default_value = "lichess")]
    pub win: WinModel,
    /// Write the positions of blunders to this file, as EPD for `sprt suite`
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let plan = args.plan(printer).await?;
    let run = BlundersRun::prepare(plan)?;
    warn_of_broken(&run, printer);
    if args.judged.dry_run {
        printer.result(&run.plan.to_json()?);
        return Ok(Exit::Yes);
    }
    run.plan.epd.as_deref().map_or(Ok(()), checked_epd)?;
    let path = args.judged.folder(&run, "blunders")?;
    run.create(&path)?;
    judge(&path, None, args.json, printer).await
}

/// Judges what a run has not judged yet, and prints the result. `epd` is written instead of the
/// file that the plan names.
pub(super) async fn judge(
    path: &Path,
    epd: Option<&Path>,
    json: bool,
    printer: Printer,
) -> Result<Exit, Failure> {
    epd.map_or(Ok(()), checked_epd)?;
    let signals = Signals::listen()?;
    let bar = progress(read_plan::<BlundersPlan>(path)?.searches, printer);
    let done = session::run(path, &signals, |judged| bar.set_position(judged as u64)).await;
    bar.finish_and_clear();
    let Some(run) = done? else {
        say_interrupted(path, json, printer);
        return Ok(signals.exit());
    };
    print(&run, json, printer)?;
    if let Some(epd) = epd.or(run.plan.epd.as_deref()) {
        run_folder::write_output(epd, report::epd(&run))?;
    }
    printer.note(&format!(
        "{} judged, in `{}`",
        counted(run.judgements.len(), "position"),
        path.display()
    ));
    Ok(exit(&run, printer))
}

fn exit(run: &BlundersRun, printer: Printer) -> Exit {
    let positions = run.judgements.values().map(|it| (&it.fen, &it.fault));
    if warn_of_faults(positions, "whose moves are not counted", printer) {
        Exit::EngineFault
    } else {
        Exit::Yes
    }
}

/// Prints what has been judged so far.
pub(super) fn show(path: &Path, json: bool, printer: Printer) -> Result<Exit, Failure> {
    let run = BlundersRun::read(path)?;
    print(&run, json, printer)?;
    let searches = run.plan.searches;
    let judged = run.judgements.len();
    printer.note(&in_words(path, judged, searches));
    Ok(if judged == searches {
        exit(&run, printer)
    } else {
        Exit::Undecided
    })
}

fn print(run: &BlundersRun, json: bool, printer: Printer) -> Result<(), Failure> {
    if json {
        printer.result(&report::json(run)?);
    } else {
        printer.result(&report::text(run));
    }
    Ok(())
}

impl Args {
    async fn plan(&self, printer: Printer) -> Result<BlundersPlan, Failure> {
        let games = self.judged.files()?;
        let variant = self.judged.variant(&games)?;
        let thresholds = self.thresholds()?;
        let limit = self.judge.limit()?;
        let again = self.again.map(|number| self.judge.again(number, &limit));
        let again = again.transpose()?;
        let judge = self.judge.resolve(variant, &limit, &[], printer).await?;
        let of = (games, variant);
        let mut plan = self.judge.plan(of, &self.judged.player, judge, limit);
        plan.again = again;
        plan.thresholds = thresholds;
        plan.win = self.win;
        plan.epd = planned_epd(self.epd.as_deref())?;
        Ok(plan)
    }

    fn thresholds(&self) -> Result<Thresholds, Failure> {
        match self.thresholds[..] {
            [inaccuracy, mistake, blunder]
                if 0.0 < inaccuracy
                    && inaccuracy <= mistake
                    && mistake <= blunder
                    && blunder <= 100.0 =>
            {
                Ok(Thresholds {
                    inaccuracy,
                    mistake,
                    blunder,
                })
            }
            _ => Err(Failure::unable(format!(
                "--thresholds {:?}: expected three that rise",
                self.thresholds
            ))
            .hint("percentage points of an inaccuracy, a mistake and a blunder, such as 10,20,30")),
        }
    }
}
