//! A suite's run as HTML: alone, or as parts of the live page.

use std::fmt::Write as _;
use std::path::Path;

use foundation::{Failure, counted};
use plot::{Interval, Intervals, escape};
use runs::activity::{Activity, begun, now};
use runs::games::pack;
use runs::report::html::parts;
use runs::report::outlook;
use runs::status::Status;

use super::json;
use super::rows::{self, Rows};
use super::words::{self, percent, signed};
use crate::suite::comparison::Comparison;
use crate::suite::figures::Figures;
use crate::suite::folder::SuiteRun;
use crate::suite::plan::SuitePlan;

const WIDTH: f64 = 520.0;
/// Engines that get a card.
const MOST_CARDS: usize = 6;

/// A page that stands alone, with all positions.
///
/// # Errors
/// The positions cannot be packed.
pub fn page(run: &SuiteRun, path: &Path) -> Result<String, Failure> {
    let body = [parts::as_of_now(), summary(run, path), details(run, path)].concat();
    Ok(plot::page_with_suite(
        &title(run),
        &body,
        &pack(&json(run)?)?,
    ))
}

/// The title, as text.
pub fn title(run: &SuiteRun) -> String {
    let names: Vec<&str> = run.plan.engines.iter().map(|it| it.name.as_str()).collect();
    let names = match names[..] {
        [base, new] => format!("{new} against {base}"),
        _ => names.join(", "),
    };
    format!("{names}: test suite")
}

/// What the gate says, or how much was solved, and the main figures.
pub fn summary(run: &SuiteRun, path: &Path) -> String {
    let status = Status::of(path, run.is_over());
    let mut page = String::new();
    let comparison = comparison(run);
    parts::verdict(&mut page, &sentence(run, comparison.as_ref()), status);
    if let Some(figures) = comparison.as_ref().and_then(words::figures) {
        let _ = writeln!(page, "<p>{}</p>", escape(&figures));
    }
    let figures = Figures::of(run);
    let engines = run.plan.engines.iter().zip(&figures.engines);
    let mut cards: Vec<(String, String)> = engines
        .take(MOST_CARDS)
        .filter(|(_, found)| found.searches > 0)
        .map(|(engine, found)| {
            let (share, what) = match found.share_of_points() {
                Some(share) => (share, "of the points"),
                None => (found.share_solved().unwrap_or(0.0), "solved"),
            };
            (percent(share), format!("{what}, {}", engine.name))
        })
        .collect();
    if let Some(all) = comparison.map(|comparison| comparison.all) {
        cards.extend(
            all.difference
                .map(|it| (signed(it), "NEW less BASE".to_owned())),
        );
        cards.push((all.better.to_string(), "positions better".to_owned()));
        cards.push((all.worse.to_string(), "positions worse".to_owned()));
    }
    let taken = Activity::read(path).map(|activity| outlook::taken(activity.seconds(now())));
    cards.extend(taken.map(|taken| (taken, "searched".to_owned())));
    parts::cards(&mut page, "cards", &cards);
    page
}

/// What stands below the summary: engines, themes, the plan.
pub fn details(run: &SuiteRun, path: &Path) -> String {
    let mut page = String::new();
    let figures = Figures::of(run);
    section(&mut page, "Engines", &rows::by_engine(run, &figures));
    if let Some(rows) = rows::by_theme(run, &figures) {
        section(&mut page, "Themes", &rows);
    }
    if let Some(comparison) = comparison(run) {
        changes(&mut page, &comparison);
    }
    plan(&mut page, &run.plan, path);
    page
}

fn comparison(run: &SuiteRun) -> Option<Comparison> {
    run.plan.gate.map(|gate| Comparison::of(&gate, run))
}

fn sentence(run: &SuiteRun, comparison: Option<&Comparison>) -> String {
    let (answers, searches) = (run.answers.len(), run.plan.searches());
    match comparison {
        _ if answers < searches => format!("{answers} of {} so far", counted(searches, "search")),
        Some(comparison) => words::verdict(comparison),
        None => format!(
            "{} at {}",
            counted(searches, "search"),
            counted(run.positions.len(), "position")
        ),
    }
}

fn changes(page: &mut String, comparison: &Comparison) {
    let Some(rows) = rows::changes(comparison) else {
        return;
    };
    section(page, "Changes by theme", &rows);
    let intervals = comparison.themes.iter().filter_map(|theme| {
        let (value, low, high) = (
            theme.change.difference?,
            theme.change.low?,
            theme.change.high?,
        );
        Some(Interval {
            label: theme.theme.clone(),
            value: 100.0 * value,
            ends: Some([100.0 * low, 100.0 * high]),
        })
    });
    let chart = Intervals {
        title: format!(
            "NEW less BASE in percentage points, {:.0}% intervals",
            100.0 * (1.0 - 2.0 * comparison.alpha)
        ),
        width: WIDTH,
        rows: intervals.collect(),
    };
    let _ = writeln!(
        page,
        "<div class=\"scroll ratings\" tabindex=\"0\">{}</div>",
        chart.svg()
    );
}

fn section(page: &mut String, head: &str, rows: &Rows) {
    let mut cells = rows.iter().map(|row| {
        let cells = row.iter().map(|cell| format!("<td>{}", escape(cell)));
        format!("<tr>{}</tr>", cells.collect::<String>())
    });
    let names = cells.next().unwrap_or_default().replace("<td>", "<th>");
    let body: String = cells.map(|row| row.replacen("<td>", "<th>", 1)).collect();
    let _ = writeln!(
        page,
        "<section><h2>{head}</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\">\
         <thead>{names}</thead><tbody>{body}</tbody></table></div></section>"
    );
}

fn plan(page: &mut String, plan: &SuitePlan, path: &Path) {
    let suites = plan.suites.iter().map(|suite| {
        let positions = suite.positions;
        format!("{}, {}", suite.file, counted(positions, "position"))
    });
    let gate = plan.gate.map_or_else(
        || "none".to_owned(),
        |gate| {
            let by = words::measure(gate.measure);
            format!(
                "by {by}, margin {}, alpha {}",
                percent(gate.margin),
                gate.alpha
            )
        },
    );
    let engines = plan.engines.iter().map(|engine| {
        let limit = engine.limit(&plan.limit);
        (
            &*engine.name,
            format!("{}\nlimit {limit}", parts::engine(engine)),
        )
    });
    let rows = [
        ("suites", suites.collect::<Vec<_>>().join("\n")),
        (
            "searches",
            format!("{} a position, seed {}", plan.budgets, plan.seed),
        ),
        ("gate", gate),
        ("positions at a time", plan.concurrency.to_string()),
        ("folder", path.display().to_string()),
        ("begun", begun(path).unwrap_or_default()),
    ];
    parts::plan(page, engines.chain(rows));
}
