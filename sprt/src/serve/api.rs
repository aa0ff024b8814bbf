//! Requests and answers.

use std::fmt::Write as _;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use foundation::failure::OrUnable;
use foundation::{Failure, run_folder};
use serde::Deserialize;
use serde_json::json;

use super::answer::{Asked, answer, problem};
use super::board::live_board;
use super::games;
use super::site::Site;
use analysis::Kind;
use runs::activity::Activity;
use runs::analysis::Analysis;
use runs::control::Control;
use runs::overview::RunOverview;
use runs::plan::PlayPlan;
use runs::report::{html, live, tournament};
use runs::run_folder::MatchFolder;
use runs::tournament::is_tournament;

const PAGE: &str = include_str!("page.html");
const LOOKS: &str = include_str!("page.css");
/// After those that all pages have.
const SCRIPTS: [(&str, &str); 4] = [
    ("server.js", include_str!("server.js")),
    ("runs.js", include_str!("runs.js")),
    ("run.js", include_str!("run.js")),
    ("main.js", include_str!("main.js")),
];

/// Nothing from elsewhere is loaded, nothing is framed, and no text can become a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The header that carries the token, which no foreign page can set.
const TOKEN: &str = "x-token";

pub(crate) fn router(site: Site) -> Router {
    let mut pages = Router::new()
        .route("/", get(page))
        .route("/page.css", get(looks));
    for (name, script) in plot::SCRIPTS.into_iter().chain(SCRIPTS) {
        let answer =
            move || async move { text("text/javascript; charset=utf-8", script.to_owned()) };
        pages = pages.route(&format!("/{name}"), get(answer));
    }
    let readable = Router::new()
        .route("/api/runs", get(runs))
        .route("/api/run", get(run))
        .route("/api/boards", get(boards))
        .route("/api/games", get(games::list))
        .route("/api/game", get(games::game))
        .route("/api/pgn", post(games::pgn))
        .route("/api/control", post(control))
        .layer(middleware::from_fn_with_state(site.clone(), reader));
    pages
        .merge(readable)
        .layer(middleware::from_fn_with_state(site.clone(), guard))
        .with_state(site)
}

async fn page() -> Response {
    let mut scripts = String::new();
    for (name, _) in plot::SCRIPTS.iter().chain(&SCRIPTS) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(scripts, "<script src=\"/{name}\" defer></script>");
    }
    let page = PAGE.replace("<!-- scripts -->", &scripts);
    text(
        "text/html; charset=utf-8",
        page.replace("<!-- pieces -->", plot::PIECES),
    )
}

async fn looks() -> Response {
    text(
        "text/css; charset=utf-8",
        [plot::STYLE, plot::BOARD_STYLE, LOOKS].concat(),
    )
}

fn text(kind: &'static str, content: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}

/// Lets only who has the token read runs, unless all may.
async fn reader(State(site): State<Site>, request: Request, next: Next) -> Response {
    if site.lets_read(token_of(&request)) {
        next.run(request).await
    } else {
        problem(
            StatusCode::FORBIDDEN,
            "open the address that `sprt serve` printed: the token in it lets you read the runs",
        )
    }
}

fn token_of(request: &Request) -> Option<&str> {
    let token = request.headers().get(TOKEN)?;
    token.to_str().ok()
}

/// Answers only who names this server, and says what a browser may do with the answer.
async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| site.is_addressed(host)) {
        return problem(
            StatusCode::MISDIRECTED_REQUEST,
            "this server has another address",
        );
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The run that a request is about.
#[derive(Deserialize)]
struct Named {
    run: String,
}

async fn runs(State(site): State<Site>) -> Response {
    answer(move || {
        let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
        for (name, path) in site.runs()? {
            // Suites and counts of blunders have no pages.
            if Kind::of(&path).is_ok_and(|kind| kind.is_some()) {
                continue;
            }
            let is_being_played = run_folder::is_being_played(&path);
            match RunOverview::read(&path) {
                Ok(run) => {
                    let mut entry = serde_json::to_value(&run).or_unable("write a run as JSON")?;
                    entry["name"] = name.into();
                    entry["is_being_played"] = is_being_played.into();
                    entry["words"] = run.state_in_words().into();
                    runs.push(entry);
                }
                Err(failure) => {
                    unreadable.push(json!({ "name": name, "error": failure.message() }));
                }
            }
        }
        Ok(json!({ "runs": runs, "unreadable": unreadable }))
    })
    .await
}

async fn run(State(site): State<Site>, Asked(named): Asked<Named>) -> Response {
    answer(move || {
        let path = site.run(&named.run)?;
        let is_being_played = run_folder::is_being_played(&path);
        let control = Control::read(&path);
        let state = Activity::read(&path).map(|activity| activity.state);
        let doing = format!("{is_being_played} {control:?} {state:?}");
        let mut value = site.cached(&path, doing, || {
            if is_tournament(&path)? {
                let view = tournament::View::of(&path)?;
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
            let analysis = Analysis::of(&path)?;
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

async fn boards(State(site): State<Site>, Asked(named): Asked<Named>) -> Response {
    answer(move || {
        let path = site.run(&named.run)?;
        if !run_folder::is_being_played(&path) {
            return Ok(json!({ "boards": [] }));
        }
        let play = MatchFolder::read_plan::<PlayPlan>(&path)?;
        let variant = play.variant()?;
        let boards: Vec<_> = live::boards(&path)
            .into_iter()
            .filter_map(|board| live_board(variant, board))
            .collect();
        Ok(json!({ "boards": boards }))
    })
    .await
}

/// What is asked of a run.
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
            .is_some_and(|games| !(1..=1024).contains(&games))
        {
            return Err(Failure::unable(
                "games at a time: expected a number from 1 to 1024",
            ));
        }
        let mut control = Control::read(&path);
        let play = MatchFolder::read_plan::<PlayPlan>(&path)?;
        let before = control.concurrency.unwrap_or(play.concurrency);
        control.paused = wanted.paused.unwrap_or(control.paused);
        control.stop = wanted.stop.unwrap_or(control.stop);
        control.concurrency = wanted.concurrency.or(control.concurrency);
        control.write(&path)?;
        Ok(json!({ "message": said(&wanted, before) }))
    })
    .await
}

/// What will come of a request of a run that played `before` games at a time.
fn said(wanted: &Wanted, before: usize) -> String {
    if wanted.stop == Some(true) {
        return "The run ends; games under way are lost. `sprt resume` continues it.".to_owned();
    }
    match (wanted.paused, wanted.concurrency) {
        (Some(true), _) => "The run pauses once the pairs under way are over.".to_owned(),
        (Some(false), _) => "The run goes on.".to_owned(),
        (None, Some(games)) => {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
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
