//! The verdict on one commit: a pure function of what is known about it.

use std::fmt;

use super::{Measurement, VariantBench};
use crate::{
    message::{Value, label},
    policy::{self, Duty, Exemption, Unchanged},
    settings::Need,
};

/// The verdict on a commit. The order is that of importance, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BenchVerdict {
    /// The message names another bench than the engine.
    Mismatch,
    /// Runs of one binary differ.
    NonDeterministic,
    /// A variant of the engine has another bench, or none.
    VariantDiffers,
    /// The bench crashed, printed nothing or took too long.
    BenchFailed,
    BuildFailed,
    /// "No functional change", but the bench moved.
    Drift,
    /// A bench is due, and there is none that OpenBench accepts.
    Missing,
    /// A passed test is required, and there is none.
    Unproved,
    /// The message says that the commit is not ready.
    Unfinished,
    /// A gain is claimed, but the bench did not move.
    Silent,
    /// The bench has not moved through many functional commits.
    Insensitive,
    Ok,
    /// By policy, and none is carried.
    NotNeeded,
}

impl BenchVerdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mismatch => "mismatch",
            Self::NonDeterministic => "non-deterministic",
            Self::VariantDiffers => "variant differs",
            Self::BenchFailed => "bench failed",
            Self::BuildFailed => "build failed",
            Self::Drift => "drift",
            Self::Missing => "missing",
            Self::Unproved => "unproved",
            Self::Unfinished => "unfinished",
            Self::Silent => "silent",
            Self::Insensitive => "insensitive",
            Self::Ok => "ok",
            Self::NotNeeded => "not needed",
        }
    }

    /// The server would stop at this commit, or its message states something false.
    pub(crate) fn is_wrong(self) -> bool {
        !matches!(self, Self::Ok | Self::NotNeeded) && !self.is_doubtful()
    }

    /// Nothing is wrong for the server, but somebody should look.
    pub(crate) fn is_doubtful(self) -> bool {
        matches!(self, Self::Silent | Self::Insensitive)
    }
}

impl fmt::Display for BenchVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Everything that a verdict depends on.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    /// The engine that is meant, where it is not the main one of its repository.
    pub(crate) engine: Option<&'a str>,
    pub(crate) duty: Duty,
    /// What OpenBench makes of the message.
    pub(crate) value: &'a Value,
    pub(crate) outcome: &'a Measurement,
    pub(crate) parent_bench: Option<u64>,
    pub(crate) message: &'a str,
    pub(crate) non_functional_bench: Need,
    /// Whether a commit that calls itself unfinished is wrong.
    pub(crate) refuses_unfinished: bool,
    /// The words that the bench is read from, if it is not on a line of its own.
    pub(crate) prose: Option<&'a str>,
    /// Why the required test is missing or did not pass.
    pub(crate) unproved: Option<String>,
    /// The results of its variants.
    pub(crate) variants: &'a [VariantBench],
}

/// A verdict with the figures it rests on, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) verdict: BenchVerdict,
    pub(crate) detail: String,
}

pub(crate) fn judge(facts: &Facts<'_>) -> Judgement {
    let judgement = |verdict, detail: String| Judgement { verdict, detail };
    match facts.outcome {
        Measurement::BuildFailed { reason, .. } => {
            return judgement(BenchVerdict::BuildFailed, reason.clone());
        }
        Measurement::BenchFailed { reason, .. } => {
            return judgement(BenchVerdict::BenchFailed, format!("the bench {reason}"));
        }
        Measurement::Differing(values) => {
            let values: Vec<_> = values.iter().map(u64::to_string).collect();
            return judgement(
                BenchVerdict::NonDeterministic,
                format!("runs gave {}", values.join(", ")),
            );
        }
        Measurement::Unrepeatable { differences, .. } => {
            return judgement(BenchVerdict::NonDeterministic, differences.join("; "));
        }
        Measurement::NotRun | Measurement::Bench(_) => {}
    }
    let found = facts.outcome.bench();
    let claimed = match facts.value {
        Value::Bench(bench) => Some(*bench),
        _ => None,
    };
    if let (Some(claimed), Some(found)) = (claimed, found)
        && claimed != found
    {
        return judgement(
            BenchVerdict::Mismatch,
            match facts.prose {
                None => format!("the message says {claimed}, the engine says {found}"),
                Some(words) => format!(
                    "OpenBench reads {claimed} from the words `{words}`, the engine says {found}"
                ),
            },
        );
    }
    if let Some(found) = found {
        let variants = facts.variants.iter();
        let differences: Vec<String> = variants.filter_map(|it| it.difference(found)).collect();
        if !differences.is_empty() {
            return judgement(
                BenchVerdict::VariantDiffers,
                format!("{}; the engine gives {found}", differences.join("; ")),
            );
        }
    }
    let own = found.or(claimed);
    if let Duty::NonFunctional(why) = facts.duty
        && let (Some(own), Some(parent)) = (own, facts.parent_bench)
        && own != parent
    {
        let why = why.reason();
        return judgement(
            BenchVerdict::Drift,
            format!("{why}, the bench went from {parent} to {own}"),
        );
    }
    if facts.refuses_unfinished && facts.duty == Duty::Exempt(Exemption::Unfinished) {
        return judgement(
            BenchVerdict::Unfinished,
            "the subject says that the commit is not ready; `unfinished` in [bench-guard] of whetstone.toml allows such".to_owned(),
        );
    }
    let due = match facts.duty {
        Duty::Functional => true,
        Duty::NonFunctional(why) => {
            why == Unchanged::Message && facts.non_functional_bench == Need::Required
        }
        Duty::Exempt(reason) => {
            if claimed.is_none() {
                return judgement(BenchVerdict::NotNeeded, reason.reason().to_owned());
            }
            false
        }
    };
    if due && claimed.is_none() {
        let label = label(facts.engine);
        let why = match (facts.value, facts.engine) {
            (Value::Absent | Value::Bench(_), None) => "the message has no bench".to_owned(),
            (Value::Absent | Value::Bench(_), Some(_)) => format!("the message has no `{label}`"),
            (_, Some(_)) => format!("`{label}` of the message is no number of nodes"),
            (Value::Zero, None) => {
                "the message has a bench of zero, which OpenBench refuses".to_owned()
            }
            (Value::Unparsable, None) => {
                "OpenBench cannot parse the bench in the message".to_owned()
            }
            (Value::Huge(_), None) => {
                "the bench in the message is too large for OpenBench".to_owned()
            }
        };
        let add = found
            .map(|found| format!("; add `{label}: {found}`"))
            .unwrap_or_default();
        return judgement(BenchVerdict::Missing, format!("{why}{add}"));
    }
    if let Some(why) = &facts.unproved {
        return judgement(BenchVerdict::Unproved, why.clone());
    }
    if facts.duty == Duty::Functional
        && own.is_some()
        && own == facts.parent_bench
        && policy::claims_gain(facts.message)
    {
        let bench = own.unwrap_or_default();
        return judgement(
            BenchVerdict::Silent,
            format!(
                "the message claims a gain, the bench is still {bench}; if this is a speed-up, say so in the message"
            ),
        );
    }
    judgement(
        BenchVerdict::Ok,
        match (claimed, found) {
            (Some(_), Some(_)) => "the engine agrees".to_owned(),
            (Some(_), None) => "not run".to_owned(),
            (None, _) => "no functional change".to_owned(),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(change: impl FnOnce(&mut Facts<'_>)) -> BenchVerdict {
        verdict_of(&Measurement::Bench(5), change)
    }

    fn verdict_of(outcome: &Measurement, change: impl FnOnce(&mut Facts<'_>)) -> BenchVerdict {
        let mut facts = Facts {
            engine: None,
            duty: Duty::Functional,
            value: &Value::Bench(5),
            outcome,
            parent_bench: Some(4),
            message: "",
            non_functional_bench: Need::Optional,
            refuses_unfinished: false,
            unproved: None,
            prose: None,
            variants: &[],
        };
        change(&mut facts);
        judge(&facts).verdict
    }

    #[test]
    fn each_verdict_has_its_case() {
        assert_eq!(verdict(|_| {}), BenchVerdict::Ok);
        assert_eq!(
            verdict(|facts| facts.value = &Value::Absent),
            BenchVerdict::Missing
        );
        assert_eq!(
            verdict(|facts| facts.value = &Value::Zero),
            BenchVerdict::Missing
        );
        assert_eq!(
            verdict(|facts| facts.value = &Value::Bench(6)),
            BenchVerdict::Mismatch
        );
        assert_eq!(
            verdict(|facts| facts.duty = Duty::NonFunctional(Unchanged::Message)),
            BenchVerdict::Drift
        );
        assert_eq!(
            verdict(|facts| {
                facts.message = "Tune\n\nElo   | 6.27 +- 4.15 (95%)";
                facts.parent_bench = Some(5);
            }),
            BenchVerdict::Silent
        );
        assert_eq!(
            verdict_of(&Measurement::NotRun, |facts| {
                facts.duty = Duty::Exempt(Exemption::Merge);
                facts.value = &Value::Absent;
            }),
            BenchVerdict::NotNeeded
        );
        assert_eq!(
            verdict_of(&Measurement::Differing(vec![4, 5]), |_| {}),
            BenchVerdict::NonDeterministic
        );
        assert_eq!(
            verdict(|facts| facts.unproved = Some("none".into())),
            BenchVerdict::Unproved
        );
    }

    #[test]
    fn only_the_variants_that_differ_are_named() {
        let variant = |name: &str, outcome| VariantBench {
            name: name.to_owned(),
            outcome,
        };
        let same = [variant("native", Measurement::Bench(5))];
        let failed = Measurement::BenchFailed {
            reason: "failed with signal: 6".to_owned(),
            log: String::new(),
        };
        let three = [
            same[0].clone(),
            variant("debug", Measurement::Bench(6)),
            variant("asan", failed),
        ];
        let facts = |variants| Facts {
            engine: None,
            duty: Duty::Functional,
            value: &Value::Bench(5),
            outcome: &Measurement::Bench(5),
            parent_bench: None,
            message: "",
            non_functional_bench: Need::Optional,
            refuses_unfinished: false,
            unproved: None,
            prose: None,
            variants,
        };
        assert_eq!(judge(&facts(&same)).verdict, BenchVerdict::Ok);
        let judgement = judge(&facts(&three));
        assert_eq!(judgement.verdict, BenchVerdict::VariantDiffers);
        assert_eq!(
            judgement.detail,
            "the variant `debug` gives 6; the variant `asan` has no bench: it failed with signal: 6; the engine gives 5"
        );
    }

    #[test]
    fn a_bench_that_is_carried_is_verified_though_none_is_due() {
        let exempt = |facts: &mut Facts<'_>| facts.duty = Duty::Exempt(Exemption::Merge);
        assert_eq!(verdict(exempt), BenchVerdict::Ok);
        assert_eq!(
            verdict_of(&Measurement::Bench(6), exempt),
            BenchVerdict::Mismatch
        );
    }

    #[test]
    fn without_a_build_messages_are_compared() {
        let non_functional =
            |facts: &mut Facts<'_>| facts.duty = Duty::NonFunctional(Unchanged::Message);
        assert_eq!(
            verdict_of(&Measurement::NotRun, non_functional),
            BenchVerdict::Drift
        );
        assert_eq!(
            verdict_of(&Measurement::NotRun, |facts| {
                facts.duty = Duty::NonFunctional(Unchanged::Message);
                facts.value = &Value::Absent;
            }),
            BenchVerdict::Ok
        );
    }
}
