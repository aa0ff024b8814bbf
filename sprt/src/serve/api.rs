//! Requests and answers.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use foundation::failure::OrUnable;
use foundation::{Failure, pool, run_folder};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{Asked, Named, answer, problem};
use super::board::live_board;
use super::document::{Document, guarded, token_of};
use super::games;
use super::site::{Site, View};
use analysis::Kind;
use analysis::suite::{self, folder::SuiteRun, overview::SuiteOverview};
use runs::activity::Activity;
use runs::analysis::Analysis;
use runs::control::Control;
use runs::overview::RunOverview;
use runs::plan::PlayPlan;
use runs::report::{html, live, tournament};
use runs::run_folder::read_plan;
use runs::status::Status;
use runs::tournament::is_tournament;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// After those that all pages have.
const SCRIPTS: [(&str, &str); 3] = [
    ("runs.js", include_str!("runs.js")),
    ("run.js", include_str!("run.js")),
    ("main.js", include_str!("main.js")),
];

pub(crate) fn router(site: Site) -> Router {
    let document = Document {
        page: PAGE,
        style: STYLE,
        scripts: &SCRIPTS,
    };
    let api = Router::new()
        .route("/api/runs", get(runs))
        .route("/api/run", get(run))
        .route("/api/boards", get(boards))
        .route("/api/suite", get(suite))
        .route("/api/games", get(games::list))
        .route("/api/game", get(games::game))
        .route("/api/pgn", post(games::pgn))
        .route("/api/control", post(control))
        .with_state(site.clone());
    guarded(site, &document, api)
}

async fn runs(State(site): State<Site>) -> Response {
    answer(move || {
        let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
        let paths = site.runs()?;
        let read = |(_, path): &(String, PathBuf)| Ok::<_, Infallible>(entry(&site, path));
        let entries = pool::map(pool::cores(), &paths, read).unwrap_or_else(|never| match never {});
        for ((name, path), entry) in paths.into_iter().zip(entries) {
            match entry {
                Ok(Value::Null) => {}
                Ok(mut entry) => {
                    entry["name"] = name.into();
                    runs.push(entry);
                }
                Err(failure) => {
                    let words = if path.exists() { "damaged" } else { "deleted" };
                    let error = failure.message();
                    unreadable.push(json!({ "name": name, "error": error, "words": words }));
                }
            }
        }
        Ok(json!({ "runs": runs, "unreadable": unreadable }))
    })
    .await
}

/// What the list of runs has of one; null for those that have no pages.
fn entry(site: &Site, path: &Path) -> Result<Value, Failure> {
    let is_being_played = run_folder::is_being_played(path);
    let state = Activity::read(path).map(|activity| activity.state);
    let doing = format!("{is_being_played} {state:?}");
    site.cached(View::Overview, path, doing, || {
        let (mut entry, words) = match Kind::of(path).unwrap_or_default() {
            None => {
                let run = RunOverview::read(path)?;
                (serde_json::to_value(&run), run.state_in_words())
            }
            Some(Kind::Suite) => {
                let run = SuiteOverview::read(path)?;
                (serde_json::to_value(&run), run.state_in_words())
            }
            Some(Kind::Blunders | Kind::Puzzles) => return Ok(Value::Null),
        };
        let entry = entry.as_mut().or_unable("write a run as JSON")?;
        entry["is_being_played"] = is_being_played.into();
        entry["words"] = words.into();
        Ok(entry.take())
    })
}

async fn run(State(site): State<Site>, Asked(named): Asked<Named>) -> Response {
    answer(move || {
        let path = site.run(&named.run)?;
        let is_being_played = run_folder::is_being_played(&path);
        let control = Control::read(&path);
        let state = Activity::read(&path).map(|activity| activity.state);
        let doing = format!("{is_being_played} {control:?} {state:?}");
        let mut value = site.cached(View::Page, &path, doing, || {
            if Kind::of(&path)? == Some(Kind::Suite) {
                let run = SuiteRun::read(&path)?;
                let status = Status::of(&path, run.is_over());
                return Ok(json!({
                    "title": suite::report::title(&run),
                    "state": status.word(),
                    "summary": suite::report::summary(&run, &path),
                    "content": suite::report::details(&run, &path),
                    "answers": run.answers.len(),
                    "is_being_played": is_being_played,
                }));
            }
            if is_tournament(&path)? {
                let view = tournament::View::after(&path, &site.lines(&path)?)?;
                return Ok(json!({
                    "title": view.title(),
                    "state": view.state(),
                    "summary": view.summary(),
                    "content": view.details(),
                    "pairs": view.pairs(),
                    "games_per_opening": 2,
                    "concurrency": view.concurrency(),
                    "is_being_played": is_being_played,
                }));
            }
            let analysis = Analysis::after(&path, &site.lines(&path)?)?;
            Ok(json!({
                "title": html::title(&analysis),
                "state": analysis.status.word(),
                "summary": html::summary(&analysis),
                "content": html::details(&analysis),
                "pairs": analysis.standing.tally().pairs_played(),
                "games_per_opening": analysis.plan.games_of_a_pair(),
                "concurrency": analysis.plan.play.concurrency,
                "is_being_played": is_being_played,
            }))
        })?;
        value["paused"] = control.paused.into();
        value["stop"] = control.stop.into();
        if let Some(concurrency) = control.concurrency {
            value["concurrency"] = concurrency.into();
        }
        Ok(value)
    })
    .await
}

/// The positions of a suite, with all else that `sprt suite --json` prints.
async fn suite(State(site): State<Site>, Asked(named): Asked<Named>) -> Response {
    answer(move || {
        let run = SuiteRun::read(&site.run(&named.run)?)?;
        serde_json::to_value(suite::report::object(&run)).or_unable("write a suite's run as JSON")
    })
    .await
}

async fn boards(State(site): State<Site>, Asked(named): Asked<Named>) -> Response {
    answer(move || {
        let path = site.run(&named.run)?;
        if !run_folder::is_being_played(&path) || Kind::of(&path)?.is_some() {
            return Ok(json!({ "boards": [] }));
        }
        let play = read_plan::<PlayPlan>(&path)?;
        let variant = play.variant()?;
        let boards: Vec<_> = live::boards(&path)
            .into_iter()
            .filter_map(|board| live_board(variant, board))
            .collect();
        Ok(json!({ "boards": boards }))
    })
    .await
}

/// A request to a run.
#[derive(Deserialize)]
struct Wanted {
    run: String,
    paused: Option<bool>,
    stop: Option<bool>,
    concurrency: Option<usize>,
}

async fn control(
    State(site): State<Site>,
    Asked(wanted): Asked<Wanted>,
    request: Request,
) -> Response {
    if !token_of(&request).is_some_and(|token| site.is_token(token)) {
        return problem(
            StatusCode::FORBIDDEN,
            "open the address that `sprt serve` printed: the token in it allows changes",
        );
    }
    answer(move || {
        let path = site.run(&wanted.run)?;
        if !run_folder::is_being_played(&path) {
            return Err(Failure::unable("nobody plays this run now"));
        }
        if wanted
            .concurrency
            .is_some_and(|games| !Control::GAMES.contains(&games))
        {
            return Err(Failure::unable(format!(
                "games at a time: expected a number from {} to {}",
                Control::GAMES.start(),
                Control::GAMES.end()
            )));
        }
        if let Some(kind) = Kind::of(&path)? {
            return Err(Failure::unable(format!(
                "{kind} cannot be paused; Ctrl-C where it runs ends it"
            )));
        }
        let mut control = Control::read(&path);
        let play = read_plan::<PlayPlan>(&path)?;
        let before = control.concurrency.unwrap_or(play.concurrency);
        control.paused = wanted.paused.unwrap_or(control.paused);
        control.stop = wanted.stop.unwrap_or(control.stop);
        control.concurrency = wanted.concurrency.or(control.concurrency);
        control.write(&path)?;
        Ok(json!({ "message": said(&wanted, before) }))
    })
    .await
}

/// What a request will do to a run that played `before` games at a time.
fn said(wanted: &Wanted, before: usize) -> String {
    if wanted.stop == Some(true) {
        return "The run ends; games under way are lost. The command that plays it says what continues it."
            .to_owned();
    }
    match (wanted.paused, wanted.concurrency) {
        (Some(true), _) => "The run pauses once the pairs under way are over.".to_owned(),
        (Some(false), _) => "The run goes on.".to_owned(),
        (None, Some(games)) => {
            let processors = pool::cores();
            let warning = if games > processors {
                format!(
                    " That is more than the {processors} processors of this machine: engines will \
                     wait for each other."
                )
            } else {
                String::new()
            };
            let when = if games < before {
                ", once the pairs under way are over"
            } else {
                ""
            };
            format!("Games at a time: {games}{when}.{warning}")
        }
        (None, None) => "Nothing was asked for.".to_owned(),
    }
}
