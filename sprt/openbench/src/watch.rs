//! Follows a workload to its end: polls it, reports what has changed, and gives up only when there
//! has been no answer for long. A server that is busy or being restarted may answer anything; that
//! means "try later", never the end of the workload.

mod view;

use std::time::Duration;

use foundation::Failure;
use tokio::time::Instant;
pub use view::{Outcome, View};

use crate::http::Unanswered;
use crate::idle;
use crate::read::page::{self, ErrorEvent};
use crate::read::tables;
use crate::session::Session;
use openbench_command::digest;
use openbench_command::workload::Kind;

/// How long to keep polling without a valid answer.
const LONGEST_SILENCE: Duration = Duration::from_hours(1);
/// The page of errors and the digest are read in every n-th poll, and whenever something has
/// changed.
const RARELY: u64 = 10;
/// Pages of errors that are searched for a workload that has ended.
const ERROR_PAGES: u32 = 5;

/// Polls once. `before` is the last view, so that what rarely changes is not requested each time.
pub async fn poll(
    session: &mut Session,
    id: u64,
    before: Option<&View>,
    thorough: bool,
) -> Result<View, Unanswered> {
    let info = session.info(id).await?;
    let machines = session.results(id).await?;
    let changed = before.is_none_or(|before| {
        before.info.games != info.games || before.info.finished != info.finished
    });
    let mut view = View {
        info,
        machines,
        ..View::default()
    };
    if let Some(before) = before {
        view.tuned.clone_from(&before.tuned);
        view.progress = before.progress;
        view.errors.clone_from(&before.errors);
        view.restarted = before.restarted;
    }
    if view.info.kind() == Kind::Tune && changed {
        view.tuned = digest::parse(&session.text(&format!("/api/spsa/{id}/digest/")).await?)?;
        view.progress = session.progress(id).await?;
    }
    let ended = view.info.finished && before.is_none_or(|before| !before.info.finished);
    if thorough || ended {
        view.errors = errors(session, Some(id), if ended { ERROR_PAGES } else { 1 }).await?;
    }
    if ended && view.errors.iter().any(ErrorEvent::is_bench_error) {
        view.restarted = restarted(session, id).await?;
    }
    Ok(view)
}

/// When a person last restarted a workload, as far as it is among the last events.
async fn restarted(session: &mut Session, id: u64) -> Result<i64, Unanswered> {
    for number in 1..=ERROR_PAGES {
        let events = session
            .page(&format!("/events/{number}/"), &[], tables::events)
            .await?;
        let mut restarts = events
            .iter()
            .filter(|event| event.id == id && event.summary.starts_with("RESTART"));
        if let Some(event) = restarts.next() {
            return Ok(event.created);
        }
        if events.is_empty() {
            break;
        }
    }
    Ok(0)
}

/// The errors that workers reported, of one workload or of all.
pub async fn errors(
    session: &mut Session,
    id: Option<u64>,
    pages: u32,
) -> Result<Vec<ErrorEvent>, Unanswered> {
    let mut found = Vec::new();
    for number in 1..=pages {
        let path = if number == 1 {
            "/errors/".to_owned()
        } else {
            format!("/errors/{number}/")
        };
        let events = session.page(&path, &[], page::errors).await?;
        let last = events.is_empty();
        found.extend(
            events
                .into_iter()
                .filter(|event| id.is_none_or(|id| event.id == id)),
        );
        if last {
            break;
        }
    }
    Ok(found)
}

/// What is reported while a workload is followed.
#[derive(Debug)]
pub enum Event<'a> {
    /// It has changed.
    Changed(&'a View),
    /// The server does not answer.
    Silent {
        why: &'a Failure,
        for_now: Duration,
        next: Duration,
    },
    /// It answers again.
    Back { after: Duration },
    /// No machine plays it, and why.
    Idle(&'a str),
}

/// How long a workload must have been without a machine before the reason is looked up: between two
/// workloads each machine pauses for a moment.
const LONGEST_IDLE: Duration = Duration::from_secs(75);

/// Follows a workload to its end; `report` is called with the first view and with each that differs,
/// when the server stops answering, at each further try, and when it answers again.
pub async fn watch(
    session: &mut Session,
    id: u64,
    interval: Duration,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome, Failure> {
    // Tries are reported here, so the client below must not repeat them silently.
    session.client.limits.tries = 1;
    let mut last: Option<View> = None;
    let mut reported: Option<View> = None;
    let mut last_answer = Instant::now();
    let mut played = Speed::default();
    let mut idle = Idle::default();
    let mut silent = 0;
    let mut polls = 0u64;
    loop {
        match poll(session, id, last.as_ref(), polls.is_multiple_of(RARELY)).await {
            Ok(mut view) => {
                if silent > 0 {
                    let after = last_answer.elapsed();
                    report(Event::Back { after });
                }
                (last_answer, silent) = (Instant::now(), 0);
                session.client.limits.statuses_pass = true;
                polls += 1;
                played.add(last_answer, view.info.games);
                view.games_per_minute = played.per_minute();
                let changed = reported
                    .as_ref()
                    .is_none_or(|reported| reported.essence() != view.essence());
                if changed {
                    report(Event::Changed(&view));
                    reported = Some(view.clone());
                }
                if let Some(outcome) = view.outcome() {
                    return Ok(outcome);
                }
                if idle.is_worth_reporting(&view)
                    && let Ok(why) = idle::explain(session, &view.info).await
                    && idle.is_new(&why)
                {
                    report(Event::Idle(&why));
                }
                last = Some(view);
                tokio::time::sleep(interval).await;
            }
            Err(Unanswered::Never(failure)) => return Err(failure),
            Err(Unanswered::Later { failure, .. }) => {
                silent += 1;
                let for_now = last_answer.elapsed();
                if for_now > LONGEST_SILENCE {
                    return Err(failure.context(format_args!(
                        "no valid answer for {} minutes",
                        LONGEST_SILENCE.as_secs() / 60
                    )));
                }
                let next = session.client.limits.pause_after(silent);
                report(Event::Silent {
                    why: &failure,
                    for_now,
                    next,
                });
                tokio::time::sleep(next).await;
            }
        }
    }
}

/// How long no machine has played a workload, and the reason last reported.
#[derive(Debug, Default)]
struct Idle {
    since: Option<Instant>,
    said: String,
}

impl Idle {
    fn is_worth_reporting(&mut self, view: &View) -> bool {
        if view.active_machines() > 0 || !view.info.approved {
            self.since = None;
            return false;
        }
        // Before the first game there is no pause to wait for.
        let since = *self.since.get_or_insert_with(Instant::now);
        view.info.games == 0 || since.elapsed() > LONGEST_IDLE
    }

    fn is_new(&mut self, why: &str) -> bool {
        let is_new = self.said != why;
        why.clone_into(&mut self.said);
        is_new
    }
}

/// Games a minute, over the last few reports: workers report every half minute.
#[derive(Debug, Default)]
struct Speed {
    samples: Vec<(Instant, u64)>,
}

impl Speed {
    fn add(&mut self, at: Instant, games: u64) {
        self.samples.push((at, games));
        if self.samples.len() > 20 {
            self.samples.remove(0);
        }
    }

    fn per_minute(&self) -> Option<f64> {
        let (first, last) = (self.samples.first()?, self.samples.last()?);
        let seconds = (last.0 - first.0).as_secs_f64();
        (seconds > 0.0).then(|| last.1.saturating_sub(first.1) as f64 * 60.0 / seconds)
    }
}
