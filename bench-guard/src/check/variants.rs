//! Whether the variants of an engine have its bench.

use std::collections::HashMap;

use super::{Measurement, Measurer};
use crate::{repository::Repository, settings::Settings};
use foundation::Failure;

/// The result of a variant of an engine.
#[derive(Debug, Clone)]
pub(crate) struct VariantBench {
    pub(crate) name: String,
    pub(crate) outcome: Measurement,
}

impl VariantBench {
    /// Why the variant does not match an engine with this bench, in words.
    pub(crate) fn difference(&self, bench: u64) -> Option<String> {
        let what = match &self.outcome {
            Measurement::Bench(own) if *own == bench => return None,
            Measurement::Bench(own) => format!("gives {own}"),
            Measurement::Unrepeatable { differences, .. } => differences.join("; "),
            Measurement::Differing(values) => format!("gives {values:?} in turn"),
            Measurement::BuildFailed { reason, .. } => format!("does not build: {reason}"),
            Measurement::BenchFailed { reason, .. } => format!("has no bench: it {reason}"),
            Measurement::NotRun => "was not run".to_owned(),
        };
        Some(format!("the variant `{}` {what}", self.name))
    }
}

/// Builds and benches the variants of these commits, by id. Each commit comes with the bench of its
/// engine.
pub(super) fn measured(
    repository: &Repository,
    variants: &[(String, Settings)],
    benches: &HashMap<String, Measurement>,
    fresh: bool,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<HashMap<String, Vec<VariantBench>>, Failure> {
    let has_bench = |(_, outcome): &(&String, &Measurement)| outcome.bench().is_some();
    let ids: Vec<String> = benches
        .iter()
        .filter(has_bench)
        .map(|(id, _)| id.clone())
        .collect();
    let mut found: HashMap<String, Vec<VariantBench>> = HashMap::new();
    for (name, settings) in variants {
        let progress = |text: &str| progress(&format!("{name}: {text}"));
        let mut measurer = Measurer::new(repository, settings, &progress);
        measurer.fresh = fresh;
        for (id, outcome) in measurer.all(&ids)? {
            let name = name.clone();
            let variant = VariantBench { name, outcome };
            found.entry(id).or_default().push(variant);
        }
    }
    Ok(found)
}
