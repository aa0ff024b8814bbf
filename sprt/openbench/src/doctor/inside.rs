//! What a user sees of a server: engines, books, people and workers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use foundation::failure::OrUnable;
use reqwest::StatusCode;
use serde_json::Value;

use super::Finding;
use crate::http::Unanswered;
use crate::idle::UNLISTED;
use crate::read::api::EngineConfig;
use crate::read::page;
use crate::read::tables::{self, User};
use crate::session::Session;
use openbench_command::workload::Kind;

/// The version of the worker that this client knows.
const CLIENT_VERSION: &str = "49";
/// Machines whose page is read.
const MACHINES: usize = 20;

pub async fn examine(session: &mut Session) -> Result<Vec<Finding>, Unanswered> {
    let config = session.config().await?;
    let mut engines = BTreeMap::new();
    for name in &config.engines {
        engines.insert(name.clone(), session.engine(name).await?);
    }
    let mut findings = vec![preset_books(&engines, &config.books)];
    findings.push(book_sources(&config.books).await);
    findings.extend(sources(&engines).await);
    let users = session.page("/users/", &[], tables::users).await?;
    findings.push(approver(&users));
    let mut machines = Vec::new();
    for machine in session
        .page("/machines/", &[], tables::machines)
        .await?
        .iter()
        .take(MACHINES)
    {
        let path = format!("/machines/{}/", machine.id);
        let described = session.page(&path, &[], tables::machine).await?;
        machines.push((machine.id, described.into_iter().collect()));
    }
    let is_waiting = session
        .page("/index/", &[], page::list)
        .await?
        .iter()
        .any(|listed| listed.state == "Active");
    findings.extend(workers(&machines, is_waiting));
    Ok(findings)
}

/// A preset with a book that the server lacks makes each submission fail.
fn preset_books(
    engines: &BTreeMap<String, EngineConfig>,
    books: &BTreeMap<String, Value>,
) -> Finding {
    let mut lacking = BTreeSet::new();
    for (name, engine) in engines {
        let kinds = [Kind::Test, Kind::Tune, Kind::Datagen];
        for preset in kinds.iter().flat_map(|kind| engine.presets(*kind).values()) {
            match preset.get("book_name").and_then(Value::as_str) {
                Some(book) if book != "NONE" && !books.contains_key(book) => {
                    lacking.insert(format!("{book} ({name})"));
                }
                _ => {}
            }
        }
    }
    if lacking.is_empty() {
        return Finding::good(
            "presets",
            format!(
                "the server has the books that those of {} name",
                engines
                    .keys()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        );
    }
    let lacking: Vec<String> = lacking.into_iter().collect();
    Finding::bad(
        "presets",
        format!(
            "the server lacks books that presets name: {}",
            lacking.join(", ")
        ),
        "add them to `books` in Config/config.json, and as Books/NAME.json",
    )
}

/// What an address answers to those without an account there.
async fn public(address: &str) -> Result<StatusCode, foundation::Failure> {
    let http = reqwest::Client::builder()
        .timeout(Duration::from_secs(15))
        .build()
        .or_unable("prepare a request")?;
    let answer = http
        .head(address)
        .send()
        .await
        .or_unable(format_args!("reach {address}"))?;
    Ok(answer.status())
}

async fn book_sources(books: &BTreeMap<String, Value>) -> Finding {
    let mut missing = Vec::new();
    for (name, book) in books {
        let source = book
            .get("source")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match public(source).await {
            Ok(status) if status.is_success() => {}
            Ok(status) => missing.push(format!("{name} ({status})")),
            Err(failure) => return Finding::unknown("books", failure.message()),
        }
    }
    if missing.is_empty() {
        Finding::good("books", format!("{} books can be downloaded", books.len()))
    } else {
        Finding::bad(
            "books",
            format!("workers cannot download {}", missing.join(", ")),
            "mend `source` in Books/NAME.json, or leave the book out of Config/config.json",
        )
    }
}

async fn sources(engines: &BTreeMap<String, EngineConfig>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, engine) in engines {
        findings.push(source(name, engine, public(&engine.source).await));
    }
    findings
}

fn source(
    name: &str,
    engine: &EngineConfig,
    answer: Result<StatusCode, foundation::Failure>,
) -> Finding {
    match answer {
        _ if engine.private => Finding::unknown(
            "engine",
            format!(
                "{name} is private: the server has a token, or it would not have started; whether it is valid, a submission shows"
            ),
        ),
        Ok(status) if status.is_success() || status.is_redirection() => {
            Finding::good("engine", format!("{name}: {} is public", engine.source))
        }
        Ok(status) => Finding::bad(
            "engine",
            format!(
                "{name}: {} is {status} for workers, who have no token",
                engine.source
            ),
            "mend `source`, or set `private` and give the server and each worker a token",
        ),
        Err(failure) => Finding::unknown("engine", format!("{name}: {}", failure.message())),
    }
}

/// The page lists users who have games, tests, or the right to approve.
fn approver(users: &[User]) -> Finding {
    let is_sure = users.iter().find(|user| user.games == 0 && user.tests == 0);
    match is_sure {
        Some(user) => Finding::good("approver", format!("{} approves", user.name)),
        None if users.is_empty() => Finding::bad(
            "approver",
            "nobody may approve: no test will be played",
            "tick `approver` of a profile below /admin/, or run account.py NAME --approver",
        ),
        None => Finding::unknown(
            "approver",
            "who has played or submitted is listed like an approver",
        ),
    }
}

/// `is_waiting` says that there is a workload for them; without one the server lists no worker.
fn workers(machines: &[(u64, BTreeMap<String, String>)], is_waiting: bool) -> Vec<Finding> {
    if machines.is_empty() {
        return vec![if is_waiting {
            Finding::bad(
                "workers",
                "a workload waits, and none has started, taken it or reported within two minutes",
                "start a worker, and look at what it prints: a long build, or no match runner",
            )
        } else {
            Finding::unknown("workers", format!("the server lists none: {UNLISTED}"))
        }];
    }
    let of = |label: &str| {
        let value = |(id, reported): &(u64, BTreeMap<String, String>)| {
            (*id, reported.get(label).cloned().unwrap_or_default())
        };
        machines.iter().map(value).collect::<Vec<_>>()
    };
    let runners = of("Fastchess Version");
    let without: Vec<String> = runners
        .iter()
        .filter(|(_, version)| version.is_empty() || version == "None")
        .map(|(id, _)| id.to_string())
        .collect();
    let runner = if without.is_empty() {
        let versions: BTreeSet<String> = runners.into_iter().map(|(_, version)| version).collect();
        let versions: Vec<String> = versions.into_iter().collect();
        Finding::good(
            "workers",
            format!(
                "{} online, match runner {}",
                machines.len(),
                versions.join(", ")
            ),
        )
    } else {
        Finding::bad(
            "workers",
            format!("no match runner on machine {}", without.join(", ")),
            "put one into the worker's Client folder as fastchess-ob",
        )
    };
    let other: BTreeSet<String> = of("Client Version")
        .into_iter()
        .map(|(_, version)| version)
        .filter(|version| version != CLIENT_VERSION)
        .collect();
    let version = if other.is_empty() {
        Finding::good("client", format!("workers are of version {CLIENT_VERSION}"))
    } else {
        let other: Vec<String> = other.into_iter().collect();
        Finding::unknown(
            "client",
            format!(
                "workers are of version {}, and this program knows {CLIENT_VERSION}",
                other.join(", ")
            ),
        )
    };
    vec![runner, version]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::doctor::State;

    fn engine(private: bool, book: &str) -> EngineConfig {
        serde_json::from_value(json!({
            "private": private, "nps": 1, "source": "https://github.com/example/engine",
            "test_presets": {"default": {"book_name": book}}, "tune_presets": {}, "datagen_presets": {},
        }))
        .expect("an engine")
    }

    #[test]
    fn a_preset_with_a_book_that_the_server_lacks_is_bad() {
        let books = BTreeMap::from([("a.epd".to_owned(), json!({}))]);
        let of = |book: &str| {
            preset_books(
                &BTreeMap::from([("Own".to_owned(), engine(false, book))]),
                &books,
            )
        };
        assert_eq!(
            (of("a.epd").state, of("NONE").state),
            (State::Good, State::Good)
        );
        let found = of("b.epd");
        assert!(
            found.state == State::Bad && found.text.contains("b.epd (Own)"),
            "{found:?}"
        );
    }

    #[test]
    fn a_repository_that_strangers_do_not_see_needs_a_token() {
        let of = |private, status: StatusCode| {
            source("Own", &engine(private, "a.epd"), Ok(status)).state
        };
        assert_eq!(of(false, StatusCode::OK), State::Good);
        assert_eq!(of(false, StatusCode::NOT_FOUND), State::Bad);
        assert_eq!(of(true, StatusCode::NOT_FOUND), State::Unknown);
    }

    #[test]
    fn an_approver_is_known_where_nothing_else_lists_a_user() {
        let user = |games, tests| User {
            name: "alice".into(),
            games,
            tests,
            engine: String::new(),
            created: 0,
        };
        assert_eq!(approver(&[]).state, State::Bad);
        assert_eq!(approver(&[user(5, 0)]).state, State::Unknown);
        assert_eq!(approver(&[user(5, 0), user(0, 0)]).state, State::Good);
    }

    #[test]
    fn workers_without_a_runner_are_named() {
        let machine = |id, runner: &str, client: &str| {
            let reported = [("Fastchess Version", runner), ("Client Version", client)];
            (
                id,
                reported
                    .map(|(label, value)| (label.to_owned(), value.to_owned()))
                    .into(),
            )
        };
        let states = |machines: &[(u64, BTreeMap<String, String>)]| -> Vec<State> {
            workers(machines, true)
                .iter()
                .map(|finding| finding.state)
                .collect()
        };
        assert_eq!(states(&[]), [State::Bad]);
        // An idle worker is on no page.
        assert_eq!(workers(&[], false)[0].state, State::Unknown);
        assert_eq!(
            states(&[machine(1, "1.8.2", "49")]),
            [State::Good, State::Good]
        );
        let found = workers(&[machine(1, "1.8.2", "49"), machine(7, "None", "50")], true);
        assert!(
            found[0].state == State::Bad && found[0].text.contains("machine 7"),
            "{found:?}"
        );
        assert_eq!(found[1].state, State::Unknown);
    }
}
