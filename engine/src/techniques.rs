//! The techniques of the search that can be switched off, and the `Pruning` option, which changes
//! all pruning at once.

use crate::params::{Params, SPECS};

/// A technique and the value of the parameter that turns it off.
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) param: &'static str,
    pub(crate) off: i32,
    /// It prunes, that is, it leaves moves or nodes unsearched.
    pub(crate) prunes: bool,
}

const fn pruning(name: &'static str, param: &'static str) -> Switch {
    Switch {
        name,
        param,
        off: 0,
        prunes: true,
    }
}

const fn other(name: &'static str, param: &'static str) -> Switch {
    Switch {
        prunes: false,
        ..pruning(name, param)
    }
}

pub(crate) static SWITCHES: [Switch; 37] = [
    pruning("reverse futility pruning", "RfpEnable"),
    pruning("null move pruning", "NmpEnable"),
    Switch {
        off: 40,
        ..other("verification of null moves", "NmpVerifyDepth")
    },
    other("guard against two null moves of a side", "NmpOnce"),
    pruning("razoring", "RazorEnable"),
    pruning("deep futility", "DfpEnable"),
    pruning("probcut", "ProbcutEnable"),
    pruning("futility pruning", "FpEnable"),
    pruning("futility pruning of captures", "FpCaptureEnable"),
    pruning("frontier futility", "FrontierEnable"),
    pruning("extended futility", "ExtendedEnable"),
    pruning("limited razoring", "LimitedRazorEnable"),
    pruning("late move pruning", "LmpEnable"),
    pruning("history pruning", "HpEnable"),
    pruning("SEE pruning", "SeeEnable"),
    pruning("pruning in check", "EvasionEnable"),
    pruning("delta pruning", "QsDeltaEnable"),
    other("late move reductions", "LmrEnable"),
    other("singular extensions", "SeEnable"),
    other("double extensions", "SeMaxDouble"),
    other("check extension", "CheckExtEnable"),
    other("internal iterative reduction", "IirEnable"),
    other("aspiration windows", "AspEnable"),
    other("correction history", "CorrEnable"),
    other("correction by the last two moves", "CorrContinuation"),
    other("fading evaluation", "EvalClockFade"),
    other("threats in histories", "HistThreats"),
    other("pawn history", "HistPawnScale"),
    other("malus of refuted moves", "HistResearchScale"),
    other("reduction among refuted moves", "LmrRefuted"),
    other("reduction of moves not singular", "SeCutNode"),
    other("hindsight", "HindsightEnable"),
    other("aspiration at less depth", "AspReduce"),
    other("blended fail highs", "BlendSearch"),
    other("blended stand pat", "BlendStand"),
    other("upcoming repetitions", "RepetitionEnable"),
    other("table cutoffs", "TtClockLimit"),
];

/// Margins and move counts that `conservative` widens.
const WIDENED: [&str; 20] = [
    "RfpMargin",
    "RazorBase",
    "RazorDepthMul",
    "DfpPosMargin",
    "ProbcutMargin",
    "FpBase",
    "FpDepthMul",
    "FpCaptureBase",
    "FpCaptureDepthMul",
    "FrontierMargin",
    "ExtendedMargin",
    "LimitedRazorMargin",
    "LmpBase",
    "LmpDepthMul",
    "LmpBaseImproving",
    "LmpDepthMulImproving",
    "HpMargin",
    "SeeQuietMul",
    "SeeNoisyMul",
    "QsDeltaMargin",
];
/// Percent of a widened margin.
const WIDER: i32 = 150;
/// Centipawns by which the evaluation must exceed beta for a null move, at least.
const NULL_MARGIN: i32 = 50;

/// The `Pruning` option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PruningMode {
    /// The parameters as they are.
    #[default]
    Baseline,
    /// Margins and move counts are half as large again, and null moves need a better evaluation.
    Conservative,
    /// Nothing is pruned. Reductions and extensions stay.
    Disabled,
}

impl PruningMode {
    pub(crate) const ALL: [(&'static str, Self); 3] = [
        ("baseline", Self::Baseline),
        ("conservative", Self::Conservative),
        ("disabled", Self::Disabled),
    ];

    /// The parameters that a search in this mode uses.
    pub(crate) fn apply(self, params: &Params) -> Params {
        let mut changed = params.clone();
        match self {
            Self::Baseline => {}
            Self::Conservative => {
                for name in WIDENED {
                    change(&mut changed, name, |value| value * WIDER / 100);
                }
                change(&mut changed, "NmpEvalMargin", |value| {
                    value.max(NULL_MARGIN)
                });
            }
            Self::Disabled => {
                for switch in SWITCHES.iter().filter(|switch| switch.prunes) {
                    change(&mut changed, switch.param, |_| switch.off);
                }
            }
        }
        changed
    }
}

/// Changes a parameter within its range.
fn change(params: &mut Params, name: &str, new: impl Fn(i32) -> i32) {
    if let Some(index) = Params::index(name) {
        let value = new(params.get(index)).clamp(SPECS[index].min, SPECS[index].max);
        // A value in range is never refused.
        let _ = params.set(index, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_parameters_and_all_switches_are_known() {
        for switch in &SWITCHES {
            let spec = &SPECS[Params::index(switch.param).unwrap()];
            assert!((spec.min..=spec.max).contains(&switch.off), "{}", spec.name);
        }
        for name in WIDENED {
            assert!(Params::index(name).is_some(), "{name}");
        }
        for spec in SPECS.iter().filter(|spec| spec.name.ends_with("Enable")) {
            assert!(
                SWITCHES.iter().any(|switch| switch.param == spec.name),
                "{}",
                spec.name
            );
        }
    }

    #[test]
    fn modes_change_what_they_say_and_nothing_else() {
        let params = Params::default();
        assert_eq!(PruningMode::Baseline.apply(&params), params);
        let conservative = PruningMode::Conservative.apply(&params);
        assert_eq!(conservative.rfp_margin(), params.rfp_margin() * 3 / 2);
        assert_eq!(conservative.lmr_quiet_mul(), params.lmr_quiet_mul());
        let disabled = PruningMode::Disabled.apply(&params);
        assert!(!disabled.rfp_enable() && !disabled.nmp_enable() && !disabled.qs_delta_enable());
        assert!(disabled.lmr_enable() && disabled.se_enable());
    }
}
