//! `sprt list`: the runs that were kept.

use std::path::{Path, PathBuf};

use foundation::{Exit, Failure, Printer, failure::OrUnable, run_folder};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloFigures, Verdict};
use tabled::builder::Builder;
use tabled::settings::Style;

use super::show::{read, read_tournament};
use crate::report::status::Status;
use crate::run::runs;
use crate::run_directory::{begun, is_tournament};
use crate::tournament::{Figures, Kind};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is being done with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// A process plays it.
    Running,
    /// It can be continued.
    Interrupted,
    /// The test has a verdict.
    Decided,
    /// All games that it may have are played.
    Undecided,
    /// All games of a tournament, or of a match without a test, are played.
    Finished,
    /// Faults of an engine leave no verdict.
    NoVerdict,
}

/// The object that `--json` prints.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Json {
    schema: &'static str,
    version: u32,
    folder: PathBuf,
    /// The latest last.
    runs: Vec<Run>,
    /// Folders that hold no run that can be read.
    unreadable: Vec<Unreadable>,
}

/// What the list says of a run.
#[derive(Serialize, JsonSchema)]
pub struct Run {
    name: String,
    path: PathBuf,
    /// When the run was started.
    date: Option<String>,
    state: State,
    verdict: Verdict,
    /// Of a match; null of a tournament.
    base: Option<String>,
    new: Option<String>,
    /// The settings that differ between the engines.
    difference: Option<String>,
    limit: String,
    elo0: Option<f64>,
    elo1: Option<f64>,
    games: u64,
    /// Games at most.
    max_games: Option<u64>,
    llr: Option<f64>,
    elo: EloFigures,
    #[serde(skip)]
    status: Status,
    /// Of a tournament; null of a match.
    tournament: Option<Tournament>,
}

/// What the list says of a tournament.
#[derive(Serialize, JsonSchema)]
struct Tournament {
    title: String,
    kind: Kind,
    engines: Vec<String>,
    /// Who won the knock-out, or has the best rating.
    leader: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Unreadable {
    path: PathBuf,
    error: String,
}

/// One line a run, the latest last.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let folder = runs()?;
    let mut json = Json {
        schema: "sprt-list",
        version: 1,
        runs: Vec::new(),
        unreadable: Vec::new(),
        folder,
    };
    for path in paths(&json.folder)? {
        match Run::read(&path) {
            Ok(run) => json.runs.push(run),
            Err(failure) => json.unreadable.push(Unreadable {
                path,
                error: failure.message().to_owned(),
            }),
        }
    }
    if args.json {
        let text = serde_json::to_string_pretty(&json).or_unable("write JSON")?;
        printer.result(&text);
        return Ok(Exit::Yes);
    }
    let folder = json.folder.display();
    if json.runs.is_empty() && json.unreadable.is_empty() {
        printer.note(&format!("no runs yet in `{folder}`"));
        return Ok(Exit::Yes);
    }
    if !json.runs.is_empty() {
        printer.result(&table(&json.runs));
    }
    for unreadable in &json.unreadable {
        let name = name(&unreadable.path);
        printer.warn(&format!("{name}: {}", unreadable.error));
    }
    printer.detail(&format!("runs are kept in `{folder}`"));
    Ok(Exit::Yes)
}

pub fn paths(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .or_unable(format_args!("list `{}`", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("plan.json").is_file())
        .collect();
    paths.sort();
    Ok(paths)
}

pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn table(runs: &[Run]) -> String {
    let mut table = Builder::new();
    let mut head = vec!["run", "state", "limit", "bounds", "games", "LLR", "Elo"];
    // Runs of two programs have nothing to say here.
    let has_difference = runs.iter().any(|run| run.difference.is_some());
    if has_difference {
        head.push("settings, base -> new");
    }
    table.push_record(head);
    for run in runs {
        if let Some(tournament) = &run.tournament {
            let leader = tournament.leader.as_ref();
            let mut row = vec![
                run.name.clone(),
                run.state_in_words().to_owned(),
                run.limit.clone(),
                format!(
                    "{} of {}",
                    tournament.kind.words(),
                    tournament.engines.len()
                ),
                run.games.to_string(),
                String::new(),
                leader.map_or_else(String::new, |leader| format!("{leader} leads")),
            ];
            if has_difference {
                row.push(String::new());
            }
            table.push_record(row);
            continue;
        }
        let elo = match (run.elo.low, run.elo.value, run.elo.high) {
            (Some(low), Some(value), Some(high)) => {
                format!("{value:.1} +- {:.1}", (high - value).max(value - low))
            }
            _ => String::new(),
        };
        let mut row = vec![
            run.name.clone(),
            run.state_in_words().to_owned(),
            run.limit.clone(),
            match (run.elo0, run.elo1) {
                (Some(elo0), Some(elo1)) => format!("[{elo0}, {elo1}]"),
                _ => "no test".to_owned(),
            },
            run.max_games.map_or_else(
                || run.games.to_string(),
                |most| format!("{}/{most}", run.games),
            ),
            run.llr.map_or_else(String::new, |llr| format!("{llr:.2}")),
            elo,
        ];
        if has_difference {
            row.push(run.difference.clone().unwrap_or_default());
        }
        table.push_record(row);
    }
    table.build().with(Style::sharp()).to_string()
}

impl Run {
    pub fn state_in_words(&self) -> &'static str {
        match (self.state, self.verdict) {
            (_, Verdict::H0) => "H0",
            (_, Verdict::H1) => "H1",
            (State::Running, _) => self.status.word(),
            (State::Interrupted, _) => "interrupted",
            (State::NoVerdict, _) => "no verdict",
            (State::Finished, _) => "finished",
            (State::Undecided | State::Decided, _) => "undecided",
        }
    }

    pub fn read(path: &Path) -> Result<Self, Failure> {
        if is_tournament(path)? {
            Self::read_tournament(path)
        } else {
            Self::read_match(path)
        }
    }

    fn read_match(path: &Path) -> Result<Self, Failure> {
        let (plan, standing) = read(path)?;
        let verdict = standing.verdict();
        let state = match verdict {
            Verdict::H0 | Verdict::H1 => State::Decided,
            _ if run_folder::is_being_played(path) => State::Running,
            Verdict::NoTest if standing.is_over(&plan) => State::Finished,
            Verdict::Undecided if standing.no_verdict().is_some() => State::NoVerdict,
            Verdict::Undecided if standing.is_over(&plan) => State::Undecided,
            Verdict::Undecided | Verdict::NoTest => State::Interrupted,
        };
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(path),
            state,
            verdict,
            difference: plan.difference(),
            limit: plan.limit_in_words(),
            max_games: standing.max_games(),
            status: Status::of(path, standing.is_over(&plan)),
            base: Some(plan.base.name),
            new: Some(plan.new.name),
            elo0: standing.test().map(|test| test.elo0),
            elo1: standing.test().map(|test| test.elo1),
            games: standing.tally().wdl.games(),
            llr: standing.test().map(|_| standing.llr()),
            elo: standing.summary().map(|it| it.elo).unwrap_or_default(),
            tournament: None,
        })
    }

    fn read_tournament(path: &Path) -> Result<Self, Failure> {
        let (plan, standing) = read_tournament(path)?;
        let figures = Figures::of(&plan, &standing);
        let state = if run_folder::is_being_played(path) {
            State::Running
        } else if figures.spoiled.is_some() {
            State::NoVerdict
        } else if figures.is_over {
            State::Finished
        } else {
            State::Interrupted
        };
        let leader = figures.leader().map(|row| row.name.clone());
        let leader = figures.winner.or(leader);
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(path),
            state,
            verdict: Verdict::NoTest,
            base: None,
            new: None,
            difference: None,
            limit: plan.limit_in_words(),
            max_games: None,
            status: Status::of(path, figures.is_over),
            elo0: None,
            elo1: None,
            games: figures.games,
            llr: None,
            elo: EloFigures::default(),
            tournament: Some(Tournament {
                kind: plan.format.kind,
                engines: plan.names().into_iter().map(str::to_owned).collect(),
                title: plan.format.title,
                leader,
            }),
        })
    }
}
