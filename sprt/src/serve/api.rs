//! Requests and answers.

use axum::Router;
use axum::extract::{FromRequestParts, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use foundation::failure::OrUnable;
use foundation::{Failure, run_folder};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::replay::{live_board, replay};
use super::site::Site;
use analysis::blunders::folder::is_blunders;
use analysis::suite::folder::is_suite;
use runs::activity::Activity;
use runs::analysis::{Analysis, record};
use runs::control::Control;
use runs::overview::RunOverview;
use runs::plan::PlayPlan;
use runs::report::{html, live, tournament};
use runs::run_folder::MatchFolder;
use runs::tournament::is_tournament;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const LOOKS: &str = include_str!("page.css");

/// Nothing from elsewhere is loaded, nothing is framed, and no text can become a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The header that carries the token, which no foreign page can set.
const TOKEN: &str = "x-token";

pub(crate) fn router(site: Site) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/page.js", get(script))
        .route("/page.css", get(looks))
        .route("/api/runs", get(runs))
        .route("/api/run", get(run))
        .route("/api/boards", get(boards))
        .route("/api/game", get(game))
        .route("/api/control", post(control))
        .layer(middleware::from_fn_with_state(site.clone(), guard))
        .with_state(site)
}

async fn page() -> Response {
    text("text/html; charset=utf-8", PAGE.to_owned())
}

async fn script() -> Response {
    text("text/javascript; charset=utf-8", SCRIPT.to_owned())
}

async fn looks() -> Response {
    text("text/css; charset=utf-8", [plot::STYLE, LOOKS].concat())
}

fn text(kind: &'static str, content: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], content).into_response()
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

fn problem(status: StatusCode, words: &str) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        json!({ "error": words }).to_string(),
    )
        .into_response()
}

/// Reads files in a thread in which waiting is allowed.
async fn answer(work: impl FnOnce() -> Result<Value, Failure> + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(value)) => (
            [(header::CONTENT_TYPE, "application/json")],
            value.to_string(),
        )
            .into_response(),
        Ok(Err(failure)) => problem(StatusCode::UNPROCESSABLE_ENTITY, failure.message()),
        Err(_) => problem(StatusCode::INTERNAL_SERVER_ERROR, "the request failed"),
    }
}

/// What a request says after the question mark; what cannot be read is answered as JSON too.
struct Asked<T>(T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(wrong) => Err(problem(StatusCode::BAD_REQUEST, &wrong.body_text())),
        }
    }
}

/// The run that a request is about.
#[derive(Deserialize)]
struct Named {
    run: String,
}

fn no_run(name: &str) -> Failure {
    Failure::unable(format!("no run `{name}`"))
}

async fn runs(State(site): State<Site>) -> Response {
    answer(move || {
        let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
        for (name, path) in site.runs()? {
            // Suites and counts of blunders have no pages.
            if is_suite(&path).unwrap_or_default() || is_blunders(&path).unwrap_or_default() {
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
        let path = site.find(&named.run).ok_or_else(|| no_run(&named.run))?;
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
        let path = site.find(&named.run).ok_or_else(|| no_run(&named.run))?;
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

/// A game of a run, both counted from 0.
#[derive(Deserialize)]
struct GamePlace {
    run: String,
    pair: u64,
    game: usize,
}

async fn game(State(site): State<Site>, Asked(wanted): Asked<GamePlace>) -> Response {
    answer(move || {
        let path = site.find(&wanted.run).ok_or_else(|| no_run(&wanted.run))?;
        let (play, lines) = MatchFolder::read::<PlayPlan>(&path)?;
        let line = lines.get(wanted.pair as usize).ok_or_else(|| {
            Failure::unable(format!(
                "the run has {} pairs, and no pair {}",
                lines.len(),
                wanted.pair + 1
            ))
        })?;
        let text = record::read_text(&path, line)?;
        let games = record::parse(&text);
        let replay = replay(play.variant()?, &text, &games, wanted.game)?;
        serde_json::to_value(replay)
            .map_err(|error| Failure::unable(format!("the game has no JSON form: {error}")))
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
    let token = request
        .headers()
        .get(TOKEN)
        .and_then(|token| token.to_str().ok());
    if !token.is_some_and(|token| site.is_token(token)) {
        return problem(
            StatusCode::FORBIDDEN,
            "open the address that `sprt serve` printed: the token in it allows changes",
        );
    }
    answer(move || {
        let path = site.find(&wanted.run).ok_or_else(|| no_run(&wanted.run))?;
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
