//! What is to be sent, and how it may differ from the careful submission.

use std::path::PathBuf;

use foundation::{Failure, digest, failure::OrUnable};
use serde::Serialize;

use crate::form::Form;

/// How a submission may differ from the careful one.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Submission")]
pub struct SubmitFlags {
    /// Print the form that would be sent, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Make another workload even if the same was submitted before
    #[arg(long)]
    pub again: bool,
    /// Send the bench that the message or `--dev-bench` claims although another was measured
    #[arg(long)]
    pub force: bool,
    /// Do not ask GitHub whether the commits are pushed
    #[arg(long)]
    pub assume_pushed: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Where engines are built, if not in the usual cache.
    #[arg(skip)]
    pub cache: Option<PathBuf>,
}

/// A tune's parameter lines, given the pairs that it will play: gains depend on them, and the length
/// may come from a preset of the server.
pub type ParameterLines<'a> = dyn Fn(u64) -> String + Sync + 'a;

/// What is to be sent.
#[derive(Clone, Debug, Serialize)]
pub struct Submission {
    pub form: Form,
    pub mark: String,
    #[serde(skip)]
    pub(super) shas: Vec<String>,
}

/// A word that stands for this very submission: the same fields to the same server make the same
/// one.
pub(super) fn mark(
    form: &Form,
    server: String,
    shas: &[String],
    again: bool,
) -> Result<String, Failure> {
    let mut parts = vec![server];
    parts.extend(
        form.fields()
            .filter(|(name, _)| *name != "info")
            .map(|(name, value)| format!("{name}={value}")),
    );
    parts.extend(shas.iter().cloned());
    if again {
        let mut salt = [0; 8];
        getrandom::fill(&mut salt).or_unable("draw a random number")?;
        parts.push(format!("{salt:02x?}"));
    }
    Ok(format!("whetstone-{}", digest::of_parts(&parts)))
}
