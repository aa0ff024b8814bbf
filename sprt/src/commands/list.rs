//! `sprt list`: the runs that were kept.

use std::path::{Path, PathBuf};

use foundation::{Exit, Failure, Printer, failure::OrUnable, run_folder};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloFigures, Verdict};
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::{Style, Width, peaker::Priority};

use super::show::{read, read_tournament};
use runs::activity::begun;
use runs::state_folder::{name, paths, runs};
use runs::status::Status;
use runs::tournament::is_tournament;
use runs::tournament::{Figures, Kind};

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
        printer.result(&table(&json.runs, width_of_terminal()));
    }
    for unreadable in &json.unreadable {
        let name = name(&unreadable.path);
        printer.warn(&format!("{name}: {}", unreadable.error));
    }
    printer.detail(&format!("runs are kept in `{folder}`"));
    Ok(Exit::Yes)
}

/// None where the list does not go to a terminal.
fn width_of_terminal() -> Option<usize> {
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(usize::from(columns))
}

/// What the table shows, from left to right.
const HEAD: [&str; 8] = [
    "run",
    "state",
    "limit",
    "bounds",
    "games",
    "LLR",
    "Elo",
    "settings, base -> new",
];
const SETTINGS: usize = 7;
/// Columns that a narrow terminal goes without, the first to go first.
const DISPENSABLE: [usize; 4] = [SETTINGS, 2, 3, 5];

fn table(runs: &[Run], width: Option<usize>) -> String {
    let rows: Vec<[String; HEAD.len()]> = runs.iter().map(Run::row).collect();
    // Runs of two programs have nothing to say of settings.
    let has_settings = rows.iter().any(|row| !row[SETTINGS].is_empty());
    let mut shown: Vec<usize> = (0..HEAD.len())
        .filter(|&column| column != SETTINGS || has_settings)
        .collect();
    let Some(width) = width else {
        return drawn(&rows, &shown).to_string();
    };
    for column in DISPENSABLE {
        if drawn(&rows, &shown).total_width() > width {
            shown.retain(|&other| other != column);
        }
    }
    let mut table = drawn(&rows, &shown);
    table.with(Width::wrap(width).priority(Priority::max(true)));
    table.to_string()
}

fn drawn(rows: &[[String; HEAD.len()]], shown: &[usize]) -> Table {
    let mut table = Builder::new();
    table.push_record(shown.iter().map(|&column| HEAD[column]));
    for row in rows {
        table.push_record(shown.iter().map(|&column| row[column].as_str()));
    }
    let mut table = table.build();
    table.with(Style::sharp());
    table
}

impl Run {
    /// Its cells, in the order of [`HEAD`].
    fn row(&self) -> [String; HEAD.len()] {
        let [bounds, games, llr, elo] = match &self.tournament {
            Some(tournament) => tournament.cells(self),
            None => self.match_cells(),
        };
        [
            self.name.clone(),
            self.state_in_words().to_owned(),
            self.limit.clone(),
            bounds,
            games,
            llr,
            elo,
            self.difference.clone().unwrap_or_default(),
        ]
    }

    fn match_cells(&self) -> [String; 4] {
        [
            match (self.elo0, self.elo1) {
                (Some(elo0), Some(elo1)) => format!("[{elo0}, {elo1}]"),
                _ => "no test".to_owned(),
            },
            self.max_games.map_or_else(
                || self.games.to_string(),
                |most| format!("{}/{most}", self.games),
            ),
            self.llr.map_or_else(String::new, |llr| format!("{llr:.2}")),
            match (self.elo.low, self.elo.value, self.elo.high) {
                (Some(low), Some(value), Some(high)) => {
                    format!("{value:.1} +- {:.1}", (high - value).max(value - low))
                }
                _ => String::new(),
            },
        ]
    }

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

impl Tournament {
    fn cells(&self, run: &Run) -> [String; 4] {
        let is = match run.state {
            State::Finished => "is first",
            _ => "leads",
        };
        let leader = self.leader.as_ref();
        [
            format!("{} of {}", self.kind.words(), self.engines.len()),
            run.games.to_string(),
            String::new(),
            leader.map_or_else(String::new, |leader| format!("{leader} {is}")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_was_wider_than_the_terminal() {
        let run = Run {
            name: "20261121-231950-engine-new-vs-engine-base".to_owned(),
            path: PathBuf::new(),
            date: None,
            state: State::Undecided,
            verdict: Verdict::Undecided,
            base: None,
            new: None,
            difference: Some("HistMalus 100 -> 221, LmrHistDiv 12614 -> 13061".to_owned()),
            limit: "N=1000".to_owned(),
            elo0: Some(0.0),
            elo1: Some(5.0),
            games: 700,
            max_games: Some(2400),
            llr: Some(0.09),
            elo: EloFigures::default(),
            status: Status::Over,
            tournament: None,
        };
        let runs = [run];
        let whole = table(&runs, None);
        assert!(
            whole.contains("LmrHistDiv") && whole.contains("[0, 5]"),
            "{whole}"
        );
        for width in [150, 100, 80, 60] {
            let table = table(&runs, Some(width));
            let widest = table.lines().map(console::measure_text_width).max();
            assert!(widest.is_some_and(|widest| widest <= width), "{table}");
            assert!(
                table.contains("undecided") && table.contains("700/2400"),
                "{table}"
            );
        }
    }
}
