//! Check and combo options: each value must do something to a search.

use std::sync::Arc;

use engine_client::{OptionKind, UciOption};
use foundation::Failure;

use super::reference::{Gate, Reference};
use super::subject::{Seen, Subject, setting};

use crate::checks::complaint::Complaint;

/// Parts of names of options that no search at a fixed limit need heed, in lower case: what is
/// printed, what is read from files, what only a game or a clock shows.
const HARMLESS: [&str; 22] = [
    "analyse",
    "analysis",
    "book",
    "clear",
    "color",
    "debug",
    "diagnostic",
    "large page",
    "log",
    "minimal",
    "normalize",
    "ponder",
    "print",
    "profile",
    "quiet mode",
    "show",
    "silent",
    "stats",
    "syzygy",
    "tablebase",
    "uci_",
    "verbose",
];

/// Whether a switch of this name changes no search at a fixed limit.
pub(crate) fn is_harmless(name: &str) -> bool {
    let name = name.to_lowercase();
    HARMLESS.iter().any(|part| name.contains(part))
}

/// A switch's name and the values that should make a difference.
pub(super) fn values(option: &UciOption) -> Option<(String, Vec<String>)> {
    if is_harmless(&option.name) {
        return None;
    }
    let values = match &option.kind {
        OptionKind::Check { default } => vec![(!default).to_string()],
        OptionKind::Combo { default, choices } => choices
            .iter()
            .filter(|choice| !choice.eq_ignore_ascii_case(default))
            .cloned()
            .collect(),
        _ => return None,
    };
    Some((option.name.clone(), values))
}

/// A switch that is off and may stand before some parameters.
pub(super) fn gate(option: &UciOption) -> Option<Gate> {
    let (name, _) = values(option)?;
    let is_off = option.kind == OptionKind::Check { default: false };
    is_off.then(|| Gate {
        on: setting(&name, "true"),
        name,
    })
}

/// A complaint where some value, or every one, changes nothing.
pub(super) async fn inspect(
    reference: Arc<Reference>,
    name: String,
    values: Vec<String>,
) -> Result<Vec<Complaint>, Failure> {
    let usual = Seen::Searched(reference.trace.clone());
    let mut idle = Vec::new();
    let mut faults = Vec::new();
    for value in &values {
        match Subject::fresh(&reference, &setting(&name, value)).await? {
            Seen::Crashed(how) => faults.push(
                Complaint::new(&name, "a value of it ends the engine")
                    .detail(&format!("{value}: {how}")),
            ),
            Seen::Silent => {
                faults.push(Complaint::new(&name, "a value of it ends no search").detail(value));
            }
            seen if seen == usual => idle.push(value.as_str()),
            Seen::Searched(trace) => {
                if let Some(best) = reference.questions.first_illegal(&trace) {
                    faults.push(
                        Complaint::new(&name, "a value of it makes the engine play illegal moves")
                            .detail(&format!("{value}: {best}")),
                    );
                }
            }
        }
    }
    let complaint = if idle.is_empty() {
        None
    } else if idle.len() == values.len() {
        Some(Complaint::new(
            &name,
            format!("a switch without effect on {}", reference.searches),
        ))
    } else {
        Some(
            Complaint::new(
                &name,
                format!(
                    "values that do what the default does to {}",
                    reference.searches
                ),
            )
            .detail(&idle.join(", ")),
        )
    };
    Ok(faults.into_iter().chain(complaint).collect())
}
