//! How long a run may last since it was resumed with another limit: a file beside its plan, which
//! never changes.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use foundation::{Failure, failure::OrUnable, files, process::command_on};
use serde::{Deserialize, Serialize};

const FILE: &str = "limit.json";

#[derive(Serialize, Deserialize)]
struct Limit {
    max_pairs: u64,
}

/// Pairs at most; `None` where the plan's limit holds.
pub(super) fn read(run: &Path) -> Result<Option<u64>, Failure> {
    let path = run.join(FILE);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.or_unable(format_args!("read `{}`", path.display()))?,
    };
    let limit: Limit = serde_json::from_str(&text).map_err(|error| {
        let what = format!("`{}`: not a limit of pairs: {error}", path.display());
        Failure::unable(what).hint(format!(
            "delete it, and give the limit again with `{} --max-games N`",
            command_on("sprt resume", run)
        ))
    })?;
    Ok(Some(limit.max_pairs))
}

pub(super) fn write(run: &Path, max_pairs: u64) -> Result<(), Failure> {
    let text = serde_json::to_string(&Limit { max_pairs }).or_unable("write a limit as JSON")?;
    files::replace(&run.join(FILE), text)
}
