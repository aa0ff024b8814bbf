//! Options that change the search when they are set to what they are said to be: there is a second copy of the default.

use foundation::Failure;

use super::subject::{Seen, Subject, setting};
use super::{Reference, Wired};
use crate::checks::complaint::{Complaint, ENGINE};

/// The complaints, and whether the printed defaults are what the engine starts with.
pub async fn inspect(
    reference: &Reference,
    wired: &[Wired],
) -> Result<(Vec<Complaint>, bool), Failure> {
    let usual = Seen::Searched(reference.trace.clone());
    let line = |wired: &Wired| setting(&wired.option.name, &wired.default);
    let all: String = wired.iter().map(line).collect();
    if Subject::fresh(reference, &all).await? == usual {
        return Ok((Vec::new(), true));
    }
    let mut complaints = Vec::new();
    for wired in wired {
        if Subject::fresh(reference, &line(wired)).await? != usual {
            complaints.push(
                Complaint::new(
                    &wired.option.name,
                    "setting it to its printed default changes the search: there is another copy of \
                     the default, or more is set than it",
                )
                .detail(&wired.default),
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
