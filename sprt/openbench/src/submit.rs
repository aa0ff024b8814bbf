//! From settings to a workload on the server, once.
//!
//! The server's answer to a creation contains no id, and may be lost. So each submission has a mark
//! in its description, a digest of all its fields. It is looked for before sending, so that the
//! same submission never makes two workloads; and after sending, which gives the id whether or not
//! the answer arrived.

mod prepare;
pub mod revision;
mod submission;

use std::path::Path;

use foundation::{Failure, Printer, process::word};
use prepare::prepare;
use serde::Serialize;

use crate::http::Unanswered;
use crate::idle;
use crate::read::page::{self, Listed};
use crate::session::Session;
use crate::settings::Settings;
use openbench_command::flags::SubmitFlags;
use openbench_command::workload::Kind;
use revision::short;
pub use submission::{Submission, is_mark};

/// The outcome of a submission.
#[derive(Clone, Debug, Serialize)]
pub struct Submitted {
    pub id: u64,
    pub kind: &'static str,
    pub url: String,
    /// It was there before.
    pub existed: bool,
    /// It was there before with another description, which stays.
    pub info_differs: bool,
    /// Whether machines may play it, or somebody has to approve it first.
    pub approved: bool,
    pub warning: Option<String>,
    /// Why no machine that is online will play it.
    pub needs: Option<String>,
}

/// The result of a submission.
#[derive(Clone, Debug)]
pub enum Report {
    /// The form that would be sent.
    Dry(Submission),
    Done(Submitted),
}

impl Report {
    pub fn submitted(&self) -> Option<&Submitted> {
        match self {
            Self::Dry(_) => None,
            Self::Done(submitted) => Some(submitted),
        }
    }

    /// The result, for people or as one JSON object.
    pub fn text(&self, json: bool) -> String {
        match (self, json) {
            (Self::Dry(submission), false) => submission.form.to_string(),
            (Self::Done(submitted), false) => submitted.url.clone(),
            (Self::Dry(submission), true) => object("openbench-form", submission),
            (Self::Done(submitted), true) => object("openbench-submitted", submitted),
        }
    }

    /// Warnings and notes for people.
    pub fn note(&self) -> Option<String> {
        let submitted = self.submitted()?;
        // The address names the server, which need not be that of the project file.
        let (id, url) = (submitted.id, word(&submitted.url));
        let mut notes = Vec::new();
        if submitted.existed {
            notes.push(format!(
                "{} {id} is this very submission, made before; --again makes another",
                submitted.kind
            ));
        }
        if submitted.info_differs {
            notes.push(format!(
                "its description is another one, and stays: `sprt openbench modify {url} --info TEXT` \
                 changes it"
            ));
        }
        notes.extend(submitted.needs.clone());
        if !submitted.approved {
            notes.push(format!(
                "an approver of the server has to approve {id} before it is played"
            ));
        }
        notes.extend(
            submitted
                .warning
                .iter()
                .map(|warning| format!("the server says: {warning}")),
        );
        notes.push(format!("next: sprt openbench watch {url}"));
        Some(notes.join("\n"))
    }
}

fn object(schema: &str, content: &impl Serialize) -> String {
    let mut object = serde_json::Map::new();
    object.insert("schema".to_owned(), schema.into());
    object.insert("version".to_owned(), 1.into());
    // Each content is a flat structure of texts and numbers.
    if let Ok(serde_json::Value::Object(rest)) = serde_json::to_value(content) {
        object.extend(rest);
    }
    serde_json::Value::Object(object).to_string()
}

/// Makes the form and sends it, or only shows it. `parameters` are the lines of a tune.
pub async fn submit(
    session: &mut Session,
    kind: Kind,
    settings: &Settings,
    folder: &Path,
    parameters: Option<&str>,
    flags: &SubmitFlags,
    printer: Printer,
) -> Result<Report, Failure> {
    let submission = prepare(session, kind, settings, folder, parameters, flags, printer).await?;
    if flags.dry_run {
        return Ok(Report::Dry(submission));
    }
    send(session, &submission, flags.again, printer)
        .await
        .map(Report::Done)
}

/// The workloads with a mark, the newest first. Deleted ones are not shown, and may be submitted
/// again.
async fn look_up(session: &mut Session, mark: &str) -> Result<Option<Listed>, Unanswered> {
    let query = [("info-contains", mark)];
    let found = session.page("/search/", &query, page::list).await?;
    let mine = session.username().map(str::to_owned);
    let found = found.into_iter().filter(|listed| {
        listed.info.contains(mark)
            && mine
                .as_ref()
                .is_none_or(|name| listed.author.eq_ignore_ascii_case(name))
    });
    Ok(found.max_by_key(|listed| listed.id))
}

/// How often the mark is looked for when the answer to a creation was lost.
const LOOKUPS: u32 = 4;

/// Sends a submission, unless it exists already.
async fn send(
    session: &mut Session,
    submission: &Submission,
    again: bool,
    printer: Printer,
) -> Result<Submitted, Failure> {
    session.log_in().await?;
    if let Some(listed) = look_up(session, &submission.mark).await? {
        return describe(session, &listed, Some(submission), None).await;
    }
    let fields: Vec<(&str, &str)> = submission.form.fields().collect();
    let path = submission.form.path();
    let (warning, lost) = match session.submit(&path, &fields).await {
        Ok((to, messages)) if to == "/index/" => (messages.warning, None),
        Ok((_, messages)) => {
            let words = messages
                .error
                .unwrap_or_else(|| "without a word".to_owned());
            return Err(session.refusal(&path, &words));
        }
        Err(Unanswered::Never(failure)) => return Err(failure),
        Err(Unanswered::Later { failure, arrived }) => {
            if !arrived {
                return Err(failure.hint("nothing was sent; try again"));
            }
            printer.warn(&format!("{failure}; looking whether it arrived"));
            (None, Some(failure))
        }
    };
    let mut unread = None;
    for attempt in 1..=LOOKUPS {
        match look_up(session, &submission.mark).await {
            Ok(Some(listed)) => {
                let submitted = describe(session, &listed, None, warning).await?;
                compare(session, &submitted, submission, printer).await;
                return Ok(submitted);
            }
            Ok(None) => unread = None,
            Err(Unanswered::Never(failure)) => return Err(failure),
            Err(Unanswered::Later { failure, .. }) => unread = Some(failure),
        }
        tokio::time::sleep(session.client.limits.pause_after(attempt)).await;
    }
    // Each submission with --again has a mark of its own.
    let hint = if again {
        format!(
            "look with `sprt openbench list --search {} --server {}` whether it is there, before you run the \
             same command again: with --again it would make another",
            submission.mark,
            session.server()
        )
    } else {
        "run the same command again: what was made is found by its mark, and not made twice"
            .to_owned()
    };
    let server = session.server();
    Err(match (lost, unread) {
        (Some(lost), Some(unread)) => lost.context(format_args!(
            "the answer to the submission was lost, and {server} does not tell whether it arrived ({})",
            unread.message()
        )),
        (Some(lost), None) => lost
            .context("the answer to the submission was lost, and nothing like it is on the server"),
        (None, Some(unread)) => unread.context(format_args!("{server} took the submission")),
        (None, None) => Failure::unable(format!(
            "{server} took the submission, but does not show it"
        )),
    }
    .hint(hint))
}

/// What is on the server; `again` is the submission that was made before.
async fn describe(
    session: &mut Session,
    listed: &Listed,
    again: Option<&Submission>,
    warning: Option<String>,
) -> Result<Submitted, Failure> {
    let info = session.info(listed.id).await?;
    // A failure here is ignored, because the workload exists.
    let needs = idle::unable(session, &info).await.ok().flatten();
    Ok(Submitted {
        needs,
        id: listed.id,
        kind: listed.kind,
        url: session
            .server()
            .url(&info.kind().path(listed.id))
            .to_string(),
        existed: again.is_some(),
        info_differs: again.is_some_and(|again| {
            let [old, new] = [info.info.as_str(), again.form.get("info")];
            !old.split_whitespace().eq(new.split_whitespace())
        }),
        approved: info.approved,
        warning,
    })
}

/// A branch may have moved on GitHub since it was looked up.
async fn compare(
    session: &mut Session,
    submitted: &Submitted,
    submission: &Submission,
    printer: Printer,
) {
    let Ok(info) = session.info(submitted.id).await else {
        return;
    };
    for (side, sha) in [&info.dev.sha, &info.base.sha]
        .into_iter()
        .zip(&submission.shas)
    {
        if sha.len() == 40 && !side.is_empty() && side != sha {
            printer.warn(&format!(
                "the server took {} where {} was benched here: was the branch pushed just now?",
                short(side),
                short(sha)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::submission::mark;
    use super::*;
    use crate::form::Form;

    #[test]
    fn the_same_submission_has_the_same_mark() {
        let mut form = Form::new(Kind::Test);
        form.set("dev_branch", "rfp");
        let of = |form: &Form, shas: &[&str], again| {
            let shas: Vec<String> = shas.iter().map(|sha| (*sha).to_owned()).collect();
            mark(form, "https://a".into(), &shas, again).expect("a mark")
        };
        let first = of(&form, &["1", "2"], false);
        assert_eq!(first, of(&form, &["1", "2"], false));
        form.set("info", "other words");
        assert_eq!(
            first,
            of(&form, &["1", "2"], false),
            "the description may be changed later"
        );
        assert_ne!(first, of(&form, &["1", "3"], false), "the branch has moved");
        assert_ne!(
            of(&form, &["1"], true),
            of(&form, &["1"], true),
            "wanted again"
        );
        form.set("priority", "5");
        assert_ne!(first, of(&form, &["1", "2"], false));
        assert!(
            is_mark(&first) && !is_mark("whetstone-tuned") && first.len() == 26,
            "{first}"
        );
    }
}
