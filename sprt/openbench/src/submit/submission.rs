//! What is to be sent.

use foundation::{Failure, digest, failure::OrUnable};
use serde::Serialize;

use crate::form::Form;

/// What is to be sent.
#[derive(Clone, Debug, Serialize)]
pub struct Submission {
    pub form: Form,
    pub mark: String,
    #[serde(skip)]
    pub(super) shas: Vec<String>,
}

/// A mark that identifies this submission: the same fields for the same server give the same mark.
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
