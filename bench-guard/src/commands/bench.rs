//! `bench-guard bench [REF|.]`: nodes, speed, and how much the runs differ.

use schemars::JsonSchema;
use serde::Serialize;

use super::project::Project;
use crate::{
    bench::{self, Measured},
    build,
    check::{Measurer, VariantBench},
    report::{self, Object},
    repository::Revision,
    settings::{Settings, cores},
};
use foundation::{Exit, Failure, Printer};

#[derive(Serialize, JsonSchema)]
pub(crate) struct Speeds<'a> {
    commit: Option<&'a str>,
    tree: &'a str,
    bench: Option<u64>,
    message_bench: Option<u64>,
    benches: Vec<u64>,
    nps: Option<Speed>,
    sha256: &'a str,
    variants: Vec<VariantRow<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct VariantRow<'a> {
    name: &'a str,
    bench: Option<u64>,
    /// What is wrong with it; null where it has the engine's bench.
    difference: Option<String>,
}

impl Object for Speeds<'_> {
    const SCHEMA: &'static str = "bench-guard-bench";
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq, JsonSchema)]
struct Speed {
    low: u64,
    mean: u64,
    high: u64,
}

#[derive(clap::Args, Debug)]
pub(crate) struct BenchArgs {
    /// A revision, or `.` for the working tree
    #[arg(value_name = "REF", default_value = ".")]
    pub(crate) revision: String,
    /// Benches run at once [default: `runs` of whetstone.toml, or one a core]
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<usize>,
    /// The engine, where the repository has several [default: the one that the folder belongs to]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Build and bench this variant of whetstone.toml too, or all, and compare with the engine's bench
    #[arg(long, value_name = "NAME|all")]
    variant: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &BenchArgs, printer: Printer) -> Result<Exit, Failure> {
    let mut project = Project::open()?;
    project.set_engine(args.engine.as_deref())?;
    project.set_runs(args.runs)?;
    let wanted = project.settings.own_variants(&args.variant)?;
    let revision = project.repository.resolve(&args.revision)?;
    let name = revision.name();
    let binary = project.binary(&revision, printer)?;
    let bench_settings = project.build_settings(&revision)?.bench;
    // Cached speeds would be those of another day, so the bench is always run.
    let measured = bench::measure(&binary.path, &bench_settings, project.settings.copies())
        .map_err(|fault| Failure::from(fault).context(name))?;
    build::remember(&binary, &bench_settings, &measured);
    let message_bench = revision.message_bench_of(project.settings.name());
    let agreed = measured.agreed();
    let variants = variants(&project, &revision, wanted, printer)?;
    let difference =
        |variant: &VariantBench| agreed.and_then(|bench| variant.difference(bench.nodes));
    if args.json {
        printer.result(&report::object(&Speeds {
            commit: revision.commit(),
            tree: &binary.tree,
            bench: agreed.map(|bench| bench.nodes),
            message_bench,
            benches: measured.runs.iter().map(|bench| bench.nodes).collect(),
            nps: speed(&measured),
            sha256: &binary.sha256,
            variants: variants
                .iter()
                .map(|variant| VariantRow {
                    name: &variant.name,
                    bench: variant.outcome.bench(),
                    difference: difference(variant),
                })
                .collect(),
        })?);
    } else {
        printer.result(&text(&measured));
        for variant in &variants {
            let said = difference(variant)
                .unwrap_or_else(|| format!("the variant `{}` gives the same", variant.name));
            printer.result(&said);
        }
    }
    let Some(agreed) = agreed else {
        printer.warn("the bench is not deterministic: OpenBench would stop the test");
        return Ok(Exit::No);
    };
    if speed(&measured).is_none_or(|speed| speed.low == 0) {
        printer.warn("the bench printed no speed: an OpenBench worker could not use it");
        return Ok(Exit::No);
    }
    match message_bench {
        Some(claimed) if claimed != agreed.nodes => {
            printer.warn(&format!("the message of {name} says {claimed}"));
            Ok(Exit::No)
        }
        _ if variants.iter().any(|it| difference(it).is_some()) => Ok(Exit::No),
        _ => Ok(Exit::Yes),
    }
}

/// The results of the requested variants.
fn variants(
    project: &Project,
    revision: &Revision,
    wanted: Vec<(String, Settings)>,
    printer: Printer,
) -> Result<Vec<VariantBench>, Failure> {
    wanted
        .into_iter()
        .map(|(name, settings)| {
            let progress = |text: &str| printer.note(&format!("{name}: {text}"));
            let measurer = Measurer::new(&project.repository, &settings, &progress);
            let outcome = measurer.revision(revision, cores())?;
            Ok(VariantBench { name, outcome })
        })
        .collect()
}

fn text(measured: &Measured) -> String {
    let runs = match measured.runs.len() {
        1 => "1 run".to_owned(),
        count => format!("{count} runs at once"),
    };
    let nodes = if let Some(bench) = measured.agreed() {
        bench.nodes.to_string()
    } else {
        let values: Vec<_> = measured
            .runs
            .iter()
            .map(|bench| bench.nodes.to_string())
            .collect();
        values.join(", ")
    };
    let speed = match speed(measured) {
        Some(Speed { low, mean, high }) => {
            let spread = 100.0 * (high - low) as f64 / (mean.max(1) as f64);
            format!("{mean} nps, {low} to {high}, a spread of {spread:.1}%")
        }
        None => "no speed, which OpenBench needs".to_owned(),
    };
    format!("{nodes} nodes\n{speed}\n{runs}")
}

/// The speed over all runs; none unless every run printed one.
fn speed(measured: &Measured) -> Option<Speed> {
    let speeds: Vec<u64> = measured
        .runs
        .iter()
        .map(|bench| bench.nps)
        .collect::<Option<_>>()?;
    let sum: u128 = speeds.iter().map(|speed| u128::from(*speed)).sum();
    Some(Speed {
        low: *speeds.iter().min()?,
        mean: (sum / speeds.len() as u128) as u64,
        high: *speeds.iter().max()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;

    #[test]
    fn the_spread_is_over_all_runs() {
        let bench = |nps| Bench {
            nodes: 7,
            nps: Some(nps),
        };
        let measured = Measured {
            runs: vec![bench(90), bench(110)],
        };
        assert_eq!(
            speed(&measured),
            Some(Speed {
                low: 90,
                mean: 100,
                high: 110
            })
        );
        assert!(text(&measured).contains("a spread of 20.0%"));
    }
}
