//! The style of a verdict on a page.

use crate::evidence::Verdict;

/// The class of its style.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Evident => "evident",
        Verdict::Undecided => "undecided",
        Verdict::Dead => "dead",
    }
}
