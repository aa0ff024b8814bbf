//! Changes to an existing workload: it is stopped, deleted, approved, modified.

use foundation::Failure;
use openbench_command::flags::Changes;
use openbench_command::history::Progress;
use openbench_command::workload::Kind;
use serde::Serialize;

use crate::read::api::Info;
use crate::session::Session;
use crate::submit::is_mark;

/// An action, by the server's own name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Stop,
    Restart,
    Delete,
    Restore,
    Approve,
}

impl Action {
    fn word(self) -> &'static str {
        match self {
            Self::Stop => "STOP",
            Self::Restart => "RESTART",
            Self::Delete => "DELETE",
            Self::Restore => "RESTORE",
            Self::Approve => "APPROVE",
        }
    }

    fn is_done(self, info: &Info) -> bool {
        match self {
            Self::Stop => info.finished,
            Self::Restart => !info.finished,
            Self::Delete => info.deleted,
            Self::Restore => !info.deleted,
            Self::Approve => info.approved,
        }
    }
}

/// Performs the action, unless it has been performed already; returns the server's message.
pub async fn act(session: &mut Session, id: u64, action: Action) -> Result<String, Failure> {
    let info = session.info(id).await?;
    if action == Action::Restart && (info.passed || info.failed) {
        return Err(Failure::unable(format!(
            "workload {id} is decided; restarted, it would end with its next result"
        ))
        .hint("submit it again with --again"));
    }
    if action == Action::Restart && info.kind() == Kind::Tune {
        let is_played = |it: Progress| it.games >= it.games_planned;
        if session.progress(id).await?.is_some_and(is_played) {
            return Err(Failure::unable(format!(
                "all games of tune {id} are played; restarted, its values would move on"
            ))
            .hint(format!(
                "tune its values on: `sprt openbench fetch {}`, `tuner apply openbench-{id} PARAMS`, \
                 `tuner openbench submit PARAMS`",
                session.server().url(&info.kind().path(id))
            )));
        }
    }
    if action.is_done(&info) {
        return Ok(format!("Workload {id} was so already"));
    }
    let message = session.act(info.kind(), id, action.word()).await?;
    if action.is_done(&session.info(id).await?) {
        return Ok(message);
    }
    Err(Failure::unable(format!(
        "the server says `{message}`, but workload {id} is as it was"
    )))
}

/// One field, read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    pub field: &'static str,
    pub before: String,
    pub asked: String,
    pub after: String,
}

impl Changed {
    /// The server always says that it has modified a workload.
    pub fn is_taken(&self) -> bool {
        self.asked == self.after
    }
}

/// Changes a workload and reads back the result.
pub async fn modify(
    session: &mut Session,
    id: u64,
    changes: &Changes,
) -> Result<Vec<Changed>, Failure> {
    let before = session.info(id).await?;
    let mut fields: Vec<(&'static str, String)> = Vec::new();
    let numbers = [
        ("priority", changes.priority),
        ("throughput", changes.throughput),
        ("workload_size", changes.workload_size),
    ];
    fields.extend(
        numbers
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?.to_string()))),
    );
    if let Some(info) = &changes.info {
        // Without its mark, the same submission would be made a second time.
        let mark = before.info.split_whitespace().rfind(|word| is_mark(word));
        let info = match mark {
            Some(mark) if !info.contains(mark) => format!("{info}\n{mark}"),
            _ => info.clone(),
        };
        if info.chars().count() > 1024 {
            return Err(Failure::unable(format!(
                "the description has {} characters, the server holds 1024",
                info.chars().count()
            )));
        }
        fields.push(("info", info));
    }
    let form: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let path = format!("{}MODIFY/", before.kind().path(id));
    let (_, messages) = session.submit(&path, &form).await?;
    if let Some(error) = messages.error {
        return Err(session.refusal(&path, &error));
    }
    let after = session.info(id).await?;
    let value = |info: &Info, field: &str| match field {
        "priority" => info.priority.to_string(),
        "throughput" => info.throughput.to_string(),
        "workload_size" => info.workload_size.to_string(),
        _ => info.info.replace("\r\n", "\n"),
    };
    let changed = fields.into_iter().map(|(field, asked)| Changed {
        field,
        before: value(&before, field),
        after: value(&after, field),
        asked,
    });
    Ok(changed.collect())
}
