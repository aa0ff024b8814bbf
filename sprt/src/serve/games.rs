//! Requests about the games of a run.

use std::path::PathBuf;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use foundation::{Failure, counted};
use runs::games::{GameEntry, GamesReader};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Asked, Named, answer, blocking};
use super::site::Site;

/// Pairs of a list unless a request says otherwise; longer ones take a browser seconds to show.
const PAIRS_AT_ONCE: usize = 1000;
/// Games of more bytes are not handed out in one answer: their file can be copied.
const MOST_BYTES: u64 = 256 << 20;

/// Pairs of a run, counted from 0; the latest where none are named.
#[derive(Deserialize)]
pub(super) struct Stretch {
    run: String,
    from: Option<usize>,
    count: Option<usize>,
}

#[derive(Serialize)]
struct List {
    entries: Vec<GameEntry>,
    /// Pairs and games that were played, and the pairs of this list.
    pairs: usize,
    games: u64,
    from: usize,
    to: usize,
}

pub(super) async fn list(State(site): State<Site>, Asked(wanted): Asked<Stretch>) -> Response {
    answer(move || {
        let reader = site.games(&site.run(&wanted.run)?)?;
        let pairs = reader.pairs();
        let count = wanted.count.unwrap_or(PAIRS_AT_ONCE).min(PAIRS_AT_ONCE);
        let from = wanted
            .from
            .unwrap_or(pairs.saturating_sub(count))
            .min(pairs);
        let to = (from + count).min(pairs);
        Ok(json!(List {
            entries: reader.entries(from..to)?,
            pairs,
            games: reader.games(),
            from,
            to,
        }))
    })
    .await
}

/// A game of a run, both counted from 0.
#[derive(Deserialize)]
pub(super) struct GamePlace {
    run: String,
    pair: usize,
    game: usize,
}

pub(super) async fn game(State(site): State<Site>, Asked(wanted): Asked<GamePlace>) -> Response {
    answer(move || {
        let run = site.run(&wanted.run)?;
        let games = site
            .games(&run)?
            .replays(wanted.pair, &site.mistakes(&run))?;
        let there = games.len();
        let (entry, replay) = games.into_iter().nth(wanted.game).ok_or_else(|| {
            Failure::unable(format!(
                "the pair has {}, and no game {}",
                counted(there, "game"),
                wanted.game + 1
            ))
        })?;
        Ok(json!({ "entry": entry, "replay": replay }))
    })
    .await
}

/// The games whose numbers stand in the request, or all of them, as they were recorded.
pub(super) async fn pgn(
    State(site): State<Site>,
    Asked(named): Asked<Named>,
    numbers: String,
) -> Response {
    let work = move || {
        let reader = site.games(&site.run(&named.run)?)?;
        text_of(&reader, &numbers)
    };
    match blocking(work).await {
        Ok(text) => ([(header::CONTENT_TYPE, "application/x-chess-pgn")], text).into_response(),
        Err(problem) => problem,
    }
}

fn text_of(reader: &GamesReader, numbers: &str) -> Result<String, Failure> {
    let too_much = |file: PathBuf| {
        Failure::unable(format!(
            "these are too many games to send; they are in `{}`",
            file.display()
        ))
    };
    if numbers.is_empty() {
        if reader.bytes() > MOST_BYTES {
            return Err(too_much(reader.path().to_owned()));
        }
        return reader.text(0..reader.pairs());
    }
    let numbers = numbers
        .split_ascii_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<u64>, _>>()
        .map_err(|_| Failure::unable("expected numbers of games"))?;
    reader.texts(&numbers)
}
