//! Who plays in a slot, and by which rules.

use engine_client::{Launch, Timeouts};

use super::game::MatchRules;
use crate::game::Variant;

/// Two engines and the rules by which they play each other.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    pub base: Launch,
    pub new: Launch,
    pub timeouts: Timeouts,
    pub rules: MatchRules,
    pub variant: &'static dyn Variant,
}
