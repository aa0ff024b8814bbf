//! The comparison of two engines in sentences.

use crate::p_value::p_value;
use crate::suite::comparison::{Comparison, GateVerdict};
use crate::suite::gate::Measure;
use foundation::counted;

/// What the gate says.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let margin = percent(comparison.margin);
    match comparison.verdict {
        _ if comparison.all.difference.is_none() => {
            "no position was searched by both engines".to_owned()
        }
        GateVerdict::Passed => format!("passed: a loss of {margin} or more is excluded"),
        GateVerdict::Loss => "a loss is shown".to_owned(),
        GateVerdict::Undecided => {
            format!("undecided: neither is a loss shown, nor that it is below {margin}")
        }
    }
}

/// The figures that the verdict is made of; `None` where there are none yet.
pub(super) fn figures(comparison: &Comparison) -> Option<String> {
    let all = &comparison.all;
    let measure = measure(comparison.measure);
    Some(format!(
        "{measure}, NEW less BASE: {} ({} to {}, {:.0} %) in {}, {} better, {} worse; \
         p of a loss {}, p of the margin {}",
        signed(all.difference?),
        signed(all.low?),
        signed(all.high?),
        100.0 * (1.0 - 2.0 * comparison.alpha),
        counted(all.positions, "position"),
        all.better,
        all.worse,
        p_value(all.p_loss),
        p_value(comparison.p_margin.unwrap_or(1.0)),
    ))
}

pub(super) fn measure(measure: Measure) -> &'static str {
    match measure {
        Measure::Solved => "solved",
        Measure::Points => "points",
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub(super) fn signed(share: f64) -> String {
    format!("{:+.1} %", 100.0 * share)
}
