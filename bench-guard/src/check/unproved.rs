//! Whether commits have the proof that they owe.

use std::collections::HashMap;

use super::{Request, bound::Binding, proof, reused};
use crate::{
    proof::Required,
    repository::{Commit, Repository},
    settings::Settings,
};
use foundation::Failure;

/// Why commits that owe a proof have none, by id.
pub(super) fn unproved(
    repository: &Repository,
    settings: &Settings,
    request: &Request,
    asked: &[&Commit],
) -> Result<HashMap<String, String>, Failure> {
    let mut unproved = reused::reused(repository, &request.range, asked)?;
    let binding = request
        .required
        .filter(|required| *required != Required::Block)
        .map(|required| Binding::new(repository, settings, required, request.journals.as_deref()));
    for commit in asked {
        let bound = || match &binding {
            Some(binding) => binding.missing(commit),
            None => Ok(None),
        };
        if let Some(why) = proof::missing(&commit.message, &settings.proof) {
            unproved.insert(commit.id.clone(), why);
        } else if let Some(why) = bound()? {
            unproved.insert(commit.id.clone(), why);
        }
    }
    Ok(unproved)
}
