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

/// What a mark begins with.
const MARK: &str = "whetstone-";

/// Whether a word of a description is the mark of a submission.
pub fn is_mark(word: &str) -> bool {
    word.strip_prefix(MARK).is_some_and(|digits| {
        digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
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
    Ok(format!("{MARK}{}", digest::of_parts(&parts)))
}
