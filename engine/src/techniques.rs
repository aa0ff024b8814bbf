//! The `Pruning` option, which changes all pruning at once.

use crate::params::{Params, SPECS};

/// Switches of the pruning techniques; 0 turns each off.
const PRUNING: [&str; 16] = [
    "RfpEnable",
    "NmpEnable",
    "RazorEnable",
    "DfpEnable",
    "ProbcutEnable",
    "FpEnable",
    "FpCaptureEnable",
    "FrontierEnable",
    "ExtendedEnable",
    "LimitedRazorEnable",
    "LmpEnable",
    "HpEnable",
    "SeeEnable",
    "EvasionEnable",
    "QsDeltaEnable",
    "QsOneEvasion",
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
/// A widened margin, in percent of the parameter.
const WIDER: i32 = 150;
/// Least margin in centipawns by which the evaluation must exceed beta for a null move.
const NULL_MARGIN: i32 = 50;

/// The `Pruning` option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PruningMode {
    /// The parameters unchanged.
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
                for name in PRUNING {
                    change(&mut changed, name, |_| 0);
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
    fn all_names_are_parameters_and_switches_can_be_off() {
        for name in WIDENED {
            assert!(Params::index(name).is_some(), "{name}");
        }
        for name in PRUNING {
            let spec = &SPECS[Params::index(name).unwrap()];
            assert_eq!((spec.min, spec.max), (0, 1), "{name}");
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
