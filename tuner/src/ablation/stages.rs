//! What is measured, a stage a function: fixed searches, test suites, games, the mistakes in games.
//!
//! Suites, games and judgements are runs in folders of their own. A folder that exists already is
//! resumed if the same was asked for, by however many processors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use analysis::blunders::figures::by_player;
use analysis::blunders::folder::BlundersRun;
use analysis::blunders::judgement::judged;
use analysis::blunders::plan::{BlundersPlan, GamesFile};
use analysis::suite::figures::{Figures, Found};
use analysis::suite::folder::SuiteRun;
use analysis::suite::plan::{SuiteFile, SuitePlan};
use analysis::suite::{Position, file};
use engine_client::Limit;
use foundation::{Failure, Printer, digest, failure::OrUnable};
use referee::{game, tasks};
use runs::pair_record::PairLine;
use runs::plan::{Contender, PlayPlan};
use runs::report::Output;
use runs::run_folder::{MatchFolder, games_path};
use runs::session;
use runs::signals::Signals;
use runs::tournament::{Entrant, Format, Kind, TournamentPlan, TournamentStanding};

use super::cuts::{self, PruningTally};
use super::figures::Rate;
use crate::checks::prober::{Prober, Questions, Trace};
use crate::words;

/// Where a stage keeps what it found.
pub(crate) const SUITE: &str = "suite";
pub(crate) const GAMES: &str = "games";
pub(crate) const BLUNDERS: &str = "blunders";

/// The answers of every engine to the same questions; `None` if the user interrupted it.
pub(crate) async fn searches(
    engines: &[Contender],
    questions: impl Fn(&Contender) -> Result<Questions, Failure>,
    jobs: usize,
    signals: &Signals,
    mut on_progress: impl FnMut(usize),
) -> Result<Option<Vec<Trace>>, Failure> {
    let asked = engines.iter().map(questions);
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    let asks = asked.into_iter().map(|questions| async move {
        let mut prober = Prober::start(&questions).await?;
        let trace = prober.trace().await?;
        prober.quit().await;
        Ok(trace)
    });
    let traces =
        tasks::run_all(asks, jobs, &signals.interrupt, |done, _| on_progress(done)).await?;
    Ok((traces.len() == engines.len()).then_some(traces))
}

/// What the engine counts of its own cuts in these searches.
pub(crate) async fn cuts(questions: &Questions) -> Result<BTreeMap<String, PruningTally>, Failure> {
    let mut all = BTreeMap::new();
    let mut prober = Prober::start(questions).await?;
    prober
        .for_each_line(|line| cuts::add_line(line, &mut all))
        .await?;
    prober.quit().await;
    Ok(all)
}

/// Reads positions from EPD files, each once. Positions that cannot be used are reported.
pub(crate) fn positions(
    files: &[PathBuf],
    play: &PlayPlan,
    printer: Printer,
) -> Result<(Vec<SuiteFile>, Vec<Position>), Failure> {
    let variant = game::find(&play.variant)?;
    let remark = |read: &file::Read, shown: &str, _| {
        if let Some((line, why)) = read.broken.first() {
            printer.warn(&format!(
                "`{shown}`: {} lines are left out; line {line}: {why}",
                read.broken.len()
            ));
        }
        Ok(())
    };
    let (suites, positions) = file::read_all(files, variant, remark)?;
    if positions.is_empty() && !files.is_empty() {
        return Err(
            Failure::unable("there is no position with a solution in the suite")
                .hint("expected EPD with `bm`, `am`, `dm` or scored moves"),
        );
    }
    Ok((suites, positions))
}

/// What every engine finds in a suite.
pub(crate) async fn suite(
    folder: &Path,
    engines: &[Contender],
    (suites, positions): (Vec<SuiteFile>, Vec<Position>),
    limit: Limit,
    play: &PlayPlan,
    signals: &Signals,
    on_progress: impl FnMut(usize),
) -> Result<Option<Vec<Found>>, Failure> {
    let path = folder.join(SUITE);
    let mut plan = SuitePlan::new(engines.to_vec(), suites, limit);
    plan.variant.clone_from(&play.variant);
    plan.concurrency = play.concurrency;
    plan.startup_timeout_s = play.startup_timeout_s;
    plan.move_timeout_s = play.move_timeout_s;
    if path.exists() {
        let found = SuiteRun::read(&path)?;
        plan.concurrency = found.plan.concurrency;
        let lines = |of: &[Position]| of.iter().map(|it| it.line.clone()).collect::<Vec<_>>();
        same(
            &path,
            found.plan == plan && lines(&found.positions) == lines(&positions),
        )?;
    } else {
        SuiteRun::create(&path, plan, positions)?;
    }
    let run = analysis::suite::session::run(&path, signals, on_progress).await?;
    Ok(run.map(|run| Figures::of(&run).engines))
}

/// The seed of the games that a folder has, if it has some.
pub(crate) fn seed(folder: &Path) -> Result<Option<u64>, Failure> {
    let path = folder.join(GAMES);
    if !path.exists() {
        return Ok(None);
    }
    let (found, _) = TournamentStanding::read(&path)?;
    Ok(Some(found.play.book.reading.seed))
}

/// Pairs of every engine against the first, all from the same openings.
pub(crate) async fn games(
    folder: &Path,
    engines: &[Contender],
    pairs: u64,
    play: &PlayPlan,
    signals: &Signals,
    printer: Printer,
) -> Result<Option<Vec<PairLine>>, Failure> {
    let path = folder.join(GAMES);
    let format = Format {
        title: "ablation".to_owned(),
        kind: Kind::Gauntlet,
        seeds: 1,
        rounds: pairs,
        ..Format::default()
    };
    let entrant = |contender: &Contender| Entrant {
        contender: contender.clone(),
        family: None,
    };
    let entrants = engines.iter().map(entrant).collect();
    let mut plan = TournamentPlan::new(format, entrants, play.clone())?;
    let output = Output {
        out: Some(path.clone()),
        is_part: true,
        resume: Some(words::same_command(folder)),
        ..Output::default()
    };
    if path.exists() {
        let (found, standing) = TournamentStanding::read(&path)?;
        plan.play.concurrency = found.play.concurrency;
        plan.play.own_processors = found.play.own_processors;
        plan.play.processors.clone_from(&found.play.processors);
        same(&path, found == plan)?;
        if !standing.is_over() {
            let change = |_: &mut TournamentPlan| Ok(());
            session::resume(&path, change, &output, signals, printer).await?;
        }
    } else {
        session::start(plan, &output, signals, printer).await?;
    }
    if signals.was_interrupted() {
        return Ok(None);
    }
    let (plan, standing) = TournamentStanding::read(&path)?;
    if let Some((engine, _)) = standing.spoiled().first() {
        let name = &plan.engines[*engine].contender.name;
        return Err(Failure::engine(format!(
            "the games of `{name}` in `{}` are spoiled by its faults, so no setting was measured",
            path.display()
        ))
        .hint("`sprt show` of that folder lists the faults; leave that setting out, or give it more time"));
    }
    let (_, lines) = MatchFolder::read::<TournamentPlan>(&path)?;
    Ok(Some(lines))
}

/// Blunders a game of every player of the games, as the judge sees them.
pub(crate) async fn blunders(
    folder: &Path,
    judge: Contender,
    limit: Limit,
    play: &PlayPlan,
    signals: &Signals,
    on_progress: impl FnMut(usize),
) -> Result<Option<BTreeMap<String, Rate>>, Failure> {
    let path = folder.join(BLUNDERS);
    let games = games_path(&folder.join(GAMES));
    let shown = games.display();
    let file = GamesFile {
        sha256: digest::of_file_cached(&games).or_unable(format_args!("read `{shown}`"))?,
        path: std::path::absolute(&games).or_unable(format_args!("find out where `{shown}` is"))?,
    };
    let mut plan = BlundersPlan::new(vec![file], judge, limit);
    plan.variant.clone_from(&play.variant);
    plan.concurrency = play.concurrency;
    if path.exists() {
        let found = BlundersRun::read(&path)?.plan;
        plan.concurrency = found.concurrency;
        (plan.games_read, plan.searches) = (found.games_read, found.searches);
        same(&path, found == plan)?;
    } else {
        BlundersRun::prepare(plan)?.create(&path)?;
    }
    let Some(run) = analysis::blunders::session::run(&path, signals, on_progress).await? else {
        return Ok(None);
    };
    let moves = judged(&run.games, &run.plan, &run.judgements, false);
    let players = by_player(&moves, &run.plan.thresholds);
    let rates = players
        .into_iter()
        .filter_map(|(name, losses)| Some((name, losses.blunders_a_game()?.into())));
    Ok(Some(rates.collect()))
}

fn same(path: &Path, is_same: bool) -> Result<(), Failure> {
    if is_same {
        return Ok(());
    }
    Err(Failure::unable(format!(
        "`{}` holds results for other settings",
        path.display()
    ))
    .hint("give another folder with --out, or the flags that it was begun with"))
}
