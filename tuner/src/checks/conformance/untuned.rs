//! Spin options that are not tuned, such as Hash: a text that is no number must not end the engine
//! either.

use engine_client::{OptionKind, UciOption};
use foundation::Failure;

use super::reference::Reference;
use super::subject::{NO_NUMBER, Seen, Subject, setting};
use super::tuned_option::TunedOption;
use crate::checks::complaint::Complaint;

/// Complaints about the spins among `options` that are not in `tuned`.
pub(super) async fn inspect(
    reference: &Reference,
    options: &[UciOption],
    tuned: &[TunedOption],
) -> Result<Vec<Complaint>, Failure> {
    let is_tuned = |option: &UciOption| tuned.iter().any(|one| one.option.name == option.name);
    let lines: Vec<(&str, String)> = options
        .iter()
        .filter(|option| matches!(option.kind, OptionKind::Spin { .. }) && !is_tuned(option))
        .map(|option| (option.name.as_str(), setting(&option.name, NO_NUMBER)))
        .collect();
    let all: String = lines.iter().map(|(_, line)| line.as_str()).collect();
    let mut complaints = Vec::new();
    if !matches!(Subject::fresh(reference, &all).await?, Seen::Crashed(_)) {
        return Ok(complaints);
    }
    for (name, line) in lines {
        if let Seen::Crashed(how) = Subject::fresh(reference, &line).await? {
            let detail = format!("`{NO_NUMBER}`: {how}");
            complaints.push(Complaint::new(name, ENDS).detail(&detail));
        }
    }
    Ok(complaints)
}

/// Said of parameters too.
pub(super) const ENDS: &str = "a value that is no number ends the engine";
