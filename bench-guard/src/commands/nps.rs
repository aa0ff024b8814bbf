//! `bench-guard nps BASE NEW`: is one build faster than another?

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike as _,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::project::{current_folder, engine_and_bench};
use crate::{
    bench::{self, BenchSettings, Fault},
    report::{self, Object},
    settings::Settings,
    speed::{Claim, Ratio},
};
use foundation::{Exit, Failure, Printer, failure::OrUnable, pool::cores};

#[derive(clap::Args, Debug)]
pub(crate) struct NpsArgs {
    /// A binary, a revision, or `.`
    base: String,
    /// The one that may be faster: a binary, a revision, or `.`
    #[arg(default_value = ".")]
    new: String,
    /// Rounds, in each of which both run their bench once, in turn first
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    rounds: u32,
    /// How much faster NEW is to be, in percent
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "PERCENT",
        allow_negative_numbers = true
    )]
    gain: f64,
    /// Count instructions by `perf` instead of CPU time: steadier, but not the same as speed
    #[arg(long)]
    instructions: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Compared {
    /// What nodes are divided by: `cpu-seconds` or `instructions`.
    per: &'static str,
    rounds: usize,
    /// Benches of BASE and NEW.
    benches: [u64; 2],
    /// Nodes per CPU second or per million instructions, over all rounds.
    speeds: [f64; 2],
    /// Speed of NEW divided by that of BASE.
    ratio: f64,
    /// Its 95 % interval.
    low: f64,
    high: f64,
    /// The gain that was claimed, in percent.
    gain: f64,
    /// Whether NEW is faster by that.
    claim: Claim,
}

impl Object for Compared {
    const SCHEMA: &'static str = "bench-guard-nps";
}

/// Exit 0 if NEW is faster by what is claimed, 1 if it is not, 4 if the rounds decide neither.
pub(crate) fn run(args: &NpsArgs, printer: Printer) -> Result<Exit, Failure> {
    if !args.gain.is_finite() || args.gain <= -100.0 {
        return Err(Failure::unable(format!("--gain {}", args.gain)).hint("give a percentage"));
    }
    // Two programs need no repository.
    let settings = Settings::find(&current_folder()?)?;
    let usual = settings.build_settings(cores()).bench;
    let names = [&args.base, &args.new];
    let engines = [
        engine_and_bench(&args.base, printer)?,
        engine_and_bench(&args.new, printer)?,
    ];
    let meter = Meter {
        place: tempfile::tempdir().or_unable("make a folder")?,
        instructions: args.instructions,
    };
    let run = |side: usize| {
        let (binary, bench) = &engines[side];
        meter
            .run(binary, bench.as_ref().unwrap_or(&usual))
            .map_err(|failure| failure.context(format_args!("`{}`", names[side])))
    };
    // Reading from disk for the first time is slow.
    let benches = [run(0)?.nodes, run(1)?.nodes];
    let mut rounds = Vec::new();
    let mut sums = [[0.0; 2]; 2];
    for round in 0..args.rounds {
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut speeds = [0.0; 2];
        for side in order {
            let ran = run(side)?;
            if ran.nodes != benches[side] {
                return Err(Failure::engine(format!(
                    "`{}` gave the benches {} and {}",
                    names[side], benches[side], ran.nodes
                ))
                .hint("speeds are compared of engines that search the same each time"));
            }
            speeds[side] = ran.nodes as f64 / ran.cost;
            sums[side][0] += ran.nodes as f64;
            sums[side][1] += ran.cost;
        }
        rounds.push(speeds);
        printer.detail(&format!(
            "round {}: {:.0} and {:.0} nodes per {}",
            round + 1,
            speeds[0],
            speeds[1],
            meter.unit()
        ));
    }
    let ratio = Ratio::of(&rounds).ok_or_else(|| {
        Failure::unable("a bench took no time that could be measured")
            .hint("give the bench more to do: a depth in `bench` of whetstone.toml")
    })?;
    let speeds = Compared {
        per: if args.instructions {
            "instructions"
        } else {
            "cpu-seconds"
        },
        rounds: rounds.len(),
        benches,
        speeds: sums.map(|[nodes, cost]| nodes / cost),
        ratio: ratio.value,
        low: ratio.low,
        high: ratio.high,
        gain: args.gain,
        claim: ratio.judge(args.gain),
    };
    if benches[0] != benches[1] {
        printer.warn(&format!(
            "the benches are {} and {}: they search other trees, whose nodes may cost more or less",
            benches[0], benches[1]
        ));
    }
    if args.json {
        printer.result(&report::object(&speeds)?);
    } else {
        printer.result(&describe(&speeds, meter.unit()));
    }
    Ok(match speeds.claim {
        Claim::Holds => Exit::Yes,
        Claim::Fails => Exit::No,
        Claim::Undecided => Exit::Undecided,
    })
}

fn describe(speeds: &Compared, unit: &str) -> String {
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    let claim = match speeds.claim {
        Claim::Holds => "faster",
        Claim::Fails => "not faster",
        Claim::Undecided => "undecided: more --rounds narrow the interval",
    };
    let by = if speeds.gain == 0.0 {
        String::new()
    } else {
        format!(" by {}%", speeds.gain)
    };
    format!(
        "base {:.0}, new {:.0} nodes per {unit}, {} rounds\nnew is {:+.2}% ({:+.2} to {:+.2}, 95%)\n{}",
        speeds.speeds[0],
        speeds.speeds[1],
        speeds.rounds,
        percent(speeds.ratio),
        percent(speeds.low),
        percent(speeds.high),
        match speeds.claim {
            Claim::Undecided => claim.to_owned(),
            _ => format!("{claim}{by}"),
        }
    )
}

const NEEDS_PERF: &str = "--instructions needs `perf` of the Linux tools, and a processor and kernel that let it count \
                          (sysctl kernel.perf_event_paranoid)";

/// Runs benches and measures what they cost.
struct Meter {
    /// Where `perf` writes.
    place: tempfile::TempDir,
    instructions: bool,
}

/// A bench that was run.
struct Ran {
    nodes: u64,
    /// CPU seconds, or millions of instructions.
    cost: f64,
}

impl Meter {
    fn unit(&self) -> &'static str {
        if self.instructions {
            "million instructions"
        } else {
            "CPU second"
        }
    }

    fn run(&self, binary: &Path, bench: &BenchSettings) -> Result<Ran, Failure> {
        let counts = self.place.path().join("counts");
        let mut settings = bench.clone();
        if self.instructions {
            settings.runner = vec!["perf".into(), "stat".into(), "-x,".into()];
            settings
                .runner
                .extend(["-e".into(), "instructions:u".into(), "-o".into()]);
            settings.runner.push(counts.display().to_string());
            settings.runner.push("--".into());
        }
        let before = cpu_time()?;
        let measured = bench::measure(binary, &settings, 1).map_err(|fault| match fault {
            Fault::System(why) if self.instructions => Failure::unable(why).hint(NEEDS_PERF),
            // Where the kernel forbids it, `perf` fails before it starts the engine.
            Fault::Engine { reason, output } if self.instructions && instructions(&counts).is_err() => {
                Failure::unable(format!("`perf stat` of the bench {reason}, and counted nothing; its output ends with\n{output}"))
                    .hint(NEEDS_PERF)
            }
            fault => fault.into(),
        })?;
        let seconds = cpu_time()?.saturating_sub(before).as_secs_f64();
        let nodes = measured.agreed().map_or(0, |bench| bench.nodes);
        let cost = if self.instructions {
            instructions(&counts)? / 1e6
        } else {
            seconds
        };
        Ok(Ran { nodes, cost })
    }
}

/// CPU time of all programs that this one has started and that have ended.
fn cpu_time() -> Result<Duration, Failure> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)
        .map_err(std::io::Error::from)
        .or_unable("ask for the CPU time of programs")?;
    let micros = (usage.user_time() + usage.system_time()).num_microseconds();
    Ok(Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
}

/// The count in what `perf stat -x,` wrote: `123456,,instructions:u,…`.
fn instructions(file: &PathBuf) -> Result<f64, Failure> {
    let text = fs::read_to_string(file).or_unable("read what `perf` counted")?;
    let line = text.lines().find(|line| line.contains("instructions"));
    let count = line.and_then(|line| line.split(',').next()?.parse::<f64>().ok());
    count.ok_or_else(|| {
        Failure::unable(format!("`perf` counted no instructions: {}", text.trim())).hint(NEEDS_PERF)
    })
}
