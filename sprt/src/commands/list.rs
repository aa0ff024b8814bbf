//! `sprt list`: the runs that were kept.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use foundation::{Exit, Failure, Printer, pool};
use schemars::JsonSchema;
use serde::Serialize;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::{Style, Width, peaker::Priority};

use analysis::Kind;
use analysis::blunders::folder::overview;
use analysis::puzzles::folder::{PuzzlesRun, blunders_of};
use analysis::suite::overview::SuiteOverview;
use runs::activity::begun;
use runs::overview::{RunOverview, RunState, TournamentOverview};
use runs::state_folder::{name, paths, runs};
use runs::status::Status;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The object that `--json` prints.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Json {
    schema: &'static str,
    version: u32,
    folder: PathBuf,
    /// The latest last.
    runs: Vec<RunOverview>,
    /// Runs of suites, the latest last.
    suites: Vec<SuiteOverview>,
    /// Counts of blunders, the latest last.
    blunders: Vec<BlundersOverview>,
    /// Suites made of games, the latest last.
    made_suites: Vec<MadeSuite>,
    /// Folders that hold no run that can be read.
    unreadable: Vec<Unreadable>,
}

/// The list's entry for a count of blunders.
#[derive(Serialize, JsonSchema)]
struct BlundersOverview {
    name: String,
    path: PathBuf,
    /// When the count was started.
    date: Option<String>,
    state: RunState,
    #[serde(skip)]
    status: Status,
    judge: String,
    limit: String,
    games: usize,
    /// Positions that were judged, and all there are.
    judged: usize,
    searches: usize,
}

impl BlundersOverview {
    fn read(path: &Path) -> Result<Self, Failure> {
        let (plan, judged) = overview(path)?;
        let status = Status::of(path, judged == plan.searches);
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(path),
            state: RunState::without_test(status),
            status,
            judge: plan.judge.name,
            limit: plan.limit.openbench(),
            games: plan.games_read,
            judged,
            searches: plan.searches,
        })
    }
}

/// The list's entry for a suite that is made from games.
#[derive(Serialize, JsonSchema)]
struct MadeSuite {
    name: String,
    path: PathBuf,
    /// When it was begun.
    date: Option<String>,
    state: RunState,
    #[serde(skip)]
    status: Status,
    judge: String,
    limit: String,
    games: usize,
    /// Positions of the suite so far.
    positions: usize,
    complete: bool,
}

impl MadeSuite {
    fn read(path: &Path) -> Result<Self, Failure> {
        let run = PuzzlesRun::read(path)?;
        let status = Status::of(path, run.is_over());
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(&blunders_of(path)),
            state: RunState::without_test(status),
            status,
            positions: run.puzzles().iter().filter(|it| it.is_ok()).count(),
            complete: run.is_over(),
            games: run.blunders.games.len(),
            limit: run.plan.limits[1].openbench(),
            judge: run.plan.judge.name,
        })
    }
}

#[derive(Serialize, JsonSchema)]
struct Unreadable {
    path: PathBuf,
    error: String,
}

enum Entry {
    Run(Box<RunOverview>),
    Suite(SuiteOverview),
    Blunders(BlundersOverview),
    MadeSuite(MadeSuite),
}

impl Entry {
    fn read(path: &Path) -> Result<Self, Failure> {
        Ok(match Kind::of(path).unwrap_or_default() {
            Some(Kind::Suite) => Self::Suite(SuiteOverview::read(path)?),
            Some(Kind::Blunders) => Self::Blunders(BlundersOverview::read(path)?),
            Some(Kind::Puzzles) => Self::MadeSuite(MadeSuite::read(path)?),
            None => Self::Run(Box::new(RunOverview::read(path)?)),
        })
    }
}

/// One line a run, the latest last.
pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let folder = runs()?;
    let mut json = Json {
        schema: "sprt-list",
        version: 1,
        runs: Vec::new(),
        suites: Vec::new(),
        blunders: Vec::new(),
        made_suites: Vec::new(),
        unreadable: Vec::new(),
        folder,
    };
    let paths = paths(&json.folder)?;
    let read = |path: &PathBuf| Ok::<_, Infallible>(Entry::read(path));
    let entries = pool::map(pool::cores(), &paths, read).unwrap_or_else(|never| match never {});
    for (path, entry) in paths.into_iter().zip(entries) {
        match entry {
            Ok(Entry::Run(run)) => json.runs.push(*run),
            Ok(Entry::Suite(suite)) => json.suites.push(suite),
            Ok(Entry::Blunders(count)) => json.blunders.push(count),
            Ok(Entry::MadeSuite(made)) => json.made_suites.push(made),
            Err(failure) => json.unreadable.push(Unreadable {
                path,
                error: failure.message().to_owned(),
            }),
        }
    }
    if args.json {
        printer.json(&json)?;
        return Ok(Exit::Yes);
    }
    let folder = json.folder.display();
    let is_empty = json.runs.is_empty()
        && json.suites.is_empty()
        && json.blunders.is_empty()
        && json.made_suites.is_empty();
    if is_empty && json.unreadable.is_empty() {
        printer.note(&format!("no runs yet in `{folder}`"));
        return Ok(Exit::Yes);
    }
    let width = width_of_terminal();
    if !json.runs.is_empty() {
        printer.result(&table(&json.runs, width));
    }
    if !json.suites.is_empty() {
        printer.result(&fitted(suites(&json.suites), width));
    }
    if !json.blunders.is_empty() {
        printer.result(&fitted(blunders(&json.blunders), width));
    }
    if !json.made_suites.is_empty() {
        printer.result(&fitted(made_suites(&json.made_suites), width));
    }
    for run in &json.runs {
        for loss in &run.losses {
            printer.warn(&format!("{}: {loss} when it is resumed", run.name));
        }
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

fn suites(suites: &[SuiteOverview]) -> Table {
    let heads = [
        "suite",
        "state",
        "limit",
        "positions",
        "searches",
        "engines",
    ];
    let row = |suite: &SuiteOverview| {
        [
            suite.name.clone(),
            suite.state_in_words().to_owned(),
            suite.limit.clone(),
            suite.positions.to_string(),
            format!("{}/{}", suite.answers, suite.searches),
            suite.engines.join(", "),
        ]
    };
    with_heads(heads, suites.iter().map(row))
}

fn blunders(counts: &[BlundersOverview]) -> Table {
    let heads = ["blunders", "state", "limit", "games", "positions", "judge"];
    let row = |count: &BlundersOverview| {
        [
            count.name.clone(),
            count.status.word().to_owned(),
            count.limit.clone(),
            count.games.to_string(),
            format!("{}/{}", count.judged, count.searches),
            count.judge.clone(),
        ]
    };
    with_heads(heads, counts.iter().map(row))
}

fn made_suites(suites: &[MadeSuite]) -> Table {
    let heads = [
        "made of games",
        "state",
        "limit",
        "games",
        "positions",
        "judge",
    ];
    let row = |suite: &MadeSuite| {
        [
            suite.name.clone(),
            suite.status.word().to_owned(),
            suite.limit.clone(),
            suite.games.to_string(),
            suite.positions.to_string(),
            suite.judge.clone(),
        ]
    };
    with_heads(heads, suites.iter().map(row))
}

fn with_heads<const COLUMNS: usize>(
    heads: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> Table {
    sharp(
        std::iter::once(heads.map(String::from))
            .chain(rows)
            .collect(),
    )
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

fn table(runs: &[RunOverview], width: Option<usize>) -> String {
    let rows: Vec<[String; HEAD.len()]> = runs.iter().map(row).collect();
    // Between two programs, differences in settings are not shown.
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
    fitted(drawn(&rows, &shown), Some(width))
}

/// The table, no wider than the terminal.
fn fitted(mut table: Table, width: Option<usize>) -> String {
    if let Some(width) = width {
        table.with(Width::wrap(width).priority(Priority::max(true)));
    }
    table.to_string()
}

fn sharp(table: Builder) -> Table {
    let mut table = table.build();
    table.with(Style::sharp());
    table
}

fn drawn(rows: &[[String; HEAD.len()]], shown: &[usize]) -> Table {
    let mut table = Builder::new();
    table.push_record(shown.iter().map(|&column| HEAD[column]));
    for row in rows {
        table.push_record(shown.iter().map(|&column| row[column].as_str()));
    }
    sharp(table)
}

/// The cells of a run, in the order of [`HEAD`].
fn row(run: &RunOverview) -> [String; HEAD.len()] {
    let [bounds, games, llr, elo] = match &run.tournament {
        Some(tournament) => tournament_cells(run, tournament),
        None => match_cells(run),
    };
    [
        run.name.clone(),
        run.state_in_words().to_owned(),
        run.limit.clone(),
        bounds,
        games,
        llr,
        elo,
        run.difference.clone().unwrap_or_default(),
    ]
}

fn match_cells(run: &RunOverview) -> [String; 4] {
    [
        match (run.elo0, run.elo1) {
            (Some(elo0), Some(elo1)) => format!("[{elo0}, {elo1}]"),
            _ => "no test".to_owned(),
        },
        run.max_games.map_or_else(
            || run.games.to_string(),
            |most| format!("{}/{most}", run.games),
        ),
        run.llr.map_or_else(String::new, |llr| format!("{llr:.2}")),
        run.elo
            .with_larger_side()
            .map_or_else(String::new, |(value, margin)| {
                format!("{value:.1} +- {margin:.1}")
            }),
    ]
}

fn tournament_cells(run: &RunOverview, tournament: &TournamentOverview) -> [String; 4] {
    let is = match run.state {
        RunState::Finished => "is first",
        _ => "leads",
    };
    let leader = tournament.leader.as_ref();
    [
        format!(
            "{} of {}",
            tournament.kind.words(),
            tournament.engines.len()
        ),
        run.games.to_string(),
        String::new(),
        leader.map_or_else(String::new, |leader| format!("{leader} {is}")),
    ]
}

#[cfg(test)]
mod tests {
    use stats::{EloFigures, Verdict};

    use super::*;

    #[test]
    fn lists_of_suites_are_no_wider_than_the_terminal() {
        let suite = SuiteOverview {
            name: "20261121-231950-suite-of-all-positions".to_owned(),
            path: PathBuf::new(),
            date: None,
            verdict: None,
            state: RunState::Running,
            status: Status::Running,
            engines: vec!["an-engine-with-a-long-name".to_owned(); 4],
            limit: "N=100000".to_owned(),
            positions: 399,
            answers: 120,
            searches: 3990,
        };
        let whole = fitted(suites(&[suite]), Some(80));
        let widest = whole.lines().map(console::measure_text_width).max();
        assert!(widest.is_some_and(|widest| widest <= 80), "{whole}");
        assert!(whole.contains("120/3990"), "{whole}");
    }

    #[test]
    fn the_list_is_no_wider_than_the_terminal() {
        let run = RunOverview {
            name: "20261121-231950-engine-new-vs-engine-base".to_owned(),
            path: PathBuf::new(),
            date: None,
            state: RunState::Undecided,
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
            losses: Vec::new(),
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
