//! The requests that the page of a game makes.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use foundation::Failure;
use serde::Deserialize;
use serde_json::json;

use super::seat::Seat;
use super::table::{SharedTable, Table};
use super::view::{View, record};
use crate::serve::{Asked, Document, Site, answer, blocking, guarded};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [(&str, &str); 2] = [
    ("input.js", include_str!("input.js")),
    ("play.js", include_str!("play.js")),
];

/// How long a request waits for a change before it is answered without one.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

pub(crate) fn router(site: Site, shared: SharedTable) -> Router {
    let document = Document {
        page: PAGE,
        style: STYLE,
        scripts: &SCRIPTS,
    };
    let api = Router::new()
        .route("/api/play", get(poll))
        .route("/api/play", post(act))
        .route("/api/play/pgn", get(pgn))
        .with_state(shared);
    guarded(site, &document, api)
}

#[derive(Deserialize)]
struct Known {
    version: Option<u64>,
}

/// Answers with the table once it differs from the version that the page knows, or an engine has
/// new output.
async fn poll(State(shared): State<SharedTable>, Asked(known): Asked<Known>) -> Response {
    let mut changes = shared.changes();
    let is_known = known.version == Some(shared.table().version);
    if is_known {
        // That nothing changed is an answer as well.
        let _ = tokio::time::timeout(LONGEST_WAIT, changes.changed()).await;
    }
    answer(move || {
        let mut table = shared.table();
        table.check_flag();
        Ok(json!(View::of(&table)?))
    })
    .await
}

/// A person's request.
#[derive(Deserialize)]
struct Wanted {
    action: Action,
    /// A move, or the position or game to begin with.
    #[serde(default)]
    text: String,
    /// The state of the table that the person saw when it made its move.
    version: Option<u64>,
    /// Who is to play the sides.
    #[serde(default)]
    white: String,
    #[serde(default)]
    black: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Move,
    Undo,
    Resign,
    New,
    Seats,
}

async fn act(State(shared): State<SharedTable>, Asked(wanted): Asked<Wanted>) -> Response {
    answer(move || {
        let mut table = shared.table();
        table.check_flag();
        take(&mut table, &wanted)?;
        Ok(json!(View::of(&table)?))
    })
    .await
}

fn take(table: &mut Table, wanted: &Wanted) -> Result<(), Failure> {
    let engines = table.players.len();
    let seats = || {
        let white = Seat::read(&wanted.white, engines)?;
        Ok::<_, Failure>([white, Seat::read(&wanted.black, engines)?])
    };
    match wanted.action {
        Action::Move if wanted.version != Some(table.version) => Err(Failure::unable(
            "the game has gone on meanwhile; look at the board again",
        )),
        Action::Move => table.play(wanted.text.trim()),
        Action::Undo => table.undo(),
        Action::Resign => table.resign(),
        Action::New => table.begin(seats()?, &wanted.text),
        Action::Seats => table.sit(seats()?),
    }
}

async fn pgn(State(shared): State<SharedTable>) -> Response {
    match blocking(move || record(&shared.table())).await {
        Ok(text) => ([(header::CONTENT_TYPE, "application/x-chess-pgn")], text).into_response(),
        Err(problem) => problem,
    }
}
