//! Options that change the search when they are set to what they are said to be: there is a second
//! copy of the default.

use foundation::Failure;

use super::reference::Reference;
use super::subject::{Seen, Subject, setting};
use super::tuned_option::TunedOption;
use crate::checks::complaint::{Complaint, ENGINE};

/// The complaints, and whether the printed defaults are what the engine starts with.
pub(super) async fn inspect(
    reference: &Reference,
    tuned: &[TunedOption],
) -> Result<(Vec<Complaint>, bool), Failure> {
    let usual = Seen::Searched(reference.trace.clone());
    let line = |tuned: &TunedOption| setting(&tuned.option.name, &tuned.default);
    let all: String = tuned.iter().map(line).collect();
    if Subject::fresh(reference, &all).await? == usual {
        return Ok((Vec::new(), true));
    }
    let mut complaints = Vec::new();
    for tuned in tuned {
        if Subject::fresh(reference, &line(tuned)).await? != usual {
            complaints.push(
                Complaint::new(
                    &tuned.option.name,
                    "setting it to its printed default changes the search: there is another copy of \
                     the default, or more is set than it",
                )
                .detail(&tuned.default),
            );
        }
    }
    if complaints.is_empty() {
        complaints.push(Complaint::new(
            ENGINE,
            "setting all parameters to their printed defaults changes the search, though none does \
             alone",
        ));
    }
    Ok((complaints, false))
}
