//! How plans are kept in run folders.

use std::path::Path;

use foundation::{Failure, failure::OrUnable};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The plan in a run folder, or as much of it as a reader needs.
pub trait RunPlan: Serialize + DeserializeOwned {
    /// The kind of run that it plans, for messages.
    const OF: &str;

    fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).or_unable("write the plan as JSON")
    }

    /// # Errors
    /// It is no such plan, or one of a later release.
    fn from_json(text: &str) -> Result<Self, Failure> {
        let plan: Self = serde_json::from_str(text)
            .map_err(|error| Failure::unable(format!("not the plan of a {}: {error}", Self::OF)))?;
        plan.check()?;
        Ok(plan)
    }

    /// Whether a plan that was read makes sense.
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Puts in what was changed when the run was resumed.
    fn amend(&mut self, _run: &Path) -> Result<(), Failure> {
        Ok(())
    }
}

/// Checks that a plan is of this kind, and of no later version than this release knows.
///
/// # Errors
/// Says what was expected and what was found.
pub fn check_header(
    (schema, version): (&str, u32),
    (own_schema, own_version): (&str, u32),
) -> Result<(), Failure> {
    if schema == own_schema && version <= own_version {
        return Ok(());
    }
    Err(Failure::unable(format!(
        "expected {own_schema} version {own_version} or older, got {schema} version {version}"
    ))
    .hint("continue it with the release that started it"))
}
