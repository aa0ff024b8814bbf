//! `trainer train`: its arguments.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use engine::network::{BLOCK, KingBuckets};
use foundation::failure::OrUnable as _;
use foundation::{Exit, Failure, Printer};
use rayon::ThreadPoolBuilder;

use crate::filter::Filter;
use crate::gradient::SHARDS;
use crate::model::Shape;
use crate::objective::Objective;
use crate::training::{self, Settings};

#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Folders that `datagen` has written
    #[arg(required = true, value_name = "FOLDER")]
    data: Vec<PathBuf>,
    /// File for the network; its state for --resume goes to FILE.checkpoint
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Size of the hidden layer, a multiple of 64; the engine is built for one size
    #[arg(long, value_name = "N", default_value_t = engine::network::HIDDEN, value_parser = hidden)]
    hidden: usize,
    /// Values of a second hidden layer, for each output. No engine has one: only FILE.checkpoint is written,
    /// which can be a --teacher
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = second)]
    second: usize,
    /// King buckets: which set of input weights a side uses, by the square of its king, as a digit
    /// for each of the files a to d, rank by rank from the own side [default: one bucket]
    #[arg(
        long,
        value_name = "RANKS",
        default_value_t = KingBuckets::ONE,
        hide_default_value = true
    )]
    king_buckets: KingBuckets,
    /// Begin with the weights of this network or checkpoint from a training on other data; half
    /// the learning rate is enough then. One of a single king bucket begins all of several, a smaller one
    /// those of a larger one
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
    epochs: usize,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = at_least_one)]
    batch: usize,
    /// Learning rate at the beginning
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = rate)]
    rate: f32,
    /// Learning rate at the end; in between it falls along a cosine
    #[arg(long, value_name = "RATE", default_value_t = 0.000_01, value_parser = final_rate)]
    final_rate: f32,
    /// Weight decay: the share of each weight that a step takes away, as a multiple of the learning rate
    #[arg(long, value_name = "DECAY", default_value_t = 0.02, value_parser = share)]
    decay: f32,
    /// Share of the game's result in the target, from 0 to 1; the score has the rest
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    result_share: f32,
    /// Share of what comes later in the game in what stands for a score, from 0 to 1: TD(lambda)
    #[arg(long, value_name = "SHARE", default_value_t = 0.4, value_parser = share)]
    lambda: f32,
    /// A network or checkpoint, of any size, from which this one learns what positions are worth; may be
    /// repeated: the mean of their opinions counts
    #[arg(long, value_name = "FILE")]
    teacher: Vec<PathBuf>,
    /// Share of the teachers' opinion in what stands for a score, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    teacher_share: f32,
    /// Centipawns at which the expected result is 0.73; more lets positions that are nearly decided count more
    #[arg(long, value_name = "CP", default_value_t = 400.0, value_parser = scale)]
    scale: f32,
    /// Seed of the first weights and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads, of which 8 are used at most, and for gradients one for 2,048 positions of a step; the
    /// network does not depend on their number
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = at_least_one)]
    threads: usize,
    #[command(flatten)]
    filter: Filter,
    /// One in this many parts of the data is for validation
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = at_least_two)]
    validation_every: usize,
    /// Go on from the checkpoint
    #[arg(long)]
    resume: bool,
}

pub fn run(args: &TrainArgs, printer: Printer) -> Result<Exit, Failure> {
    let settings = Settings {
        shape: Shape {
            hidden: args.hidden,
            king_buckets: args.king_buckets,
            second: args.second,
        },
        from: args.from.clone(),
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        final_rate: args.final_rate,
        decay: args.decay,
        objective: Objective {
            scale: args.scale,
            result_share: args.result_share,
            lambda: args.lambda,
        },
        teachers: args.teacher.clone(),
        teacher_share: args.teacher_share,
        seed: args.seed,
        filter: args.filter,
        validation_every: args.validation_every,
    };
    let threads = args.threads.min(SHARDS);
    let pool =
        (ThreadPoolBuilder::new().num_threads(threads).build()).or_unable("start threads")?;
    pool.install(|| training::run(&settings, &args.data, &args.out, args.resume, printer))?;
    Ok(Exit::Yes)
}

/// A range leaves out what is not a number, and what is infinite.
fn number(text: &str, range: RangeInclusive<f32>, expected: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("expected a number {expected}"))
}

fn rate(text: &str) -> Result<f32, String> {
    number(text, f32::MIN_POSITIVE..=f32::MAX, "above 0")
}

fn final_rate(text: &str) -> Result<f32, String> {
    number(text, 0.0..=f32::MAX, "from 0 on")
}

fn hidden(text: &str) -> Result<usize, String> {
    at_least_one(text)
        .ok()
        .filter(|size| size.is_multiple_of(BLOCK) && *size <= 4_096)
        .ok_or_else(|| format!("expected a multiple of {BLOCK} up to 4096"))
}

fn second(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&number| number <= 64)
        .ok_or_else(|| "expected a number up to 64".to_owned())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    at_least(text, 1)
}

fn at_least_two(text: &str) -> Result<usize, String> {
    at_least(text, 2)
}

fn at_least(text: &str, least: usize) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&number| number >= least)
        .ok_or_else(|| format!("expected a number from {least} on"))
}

pub fn share(text: &str) -> Result<f32, String> {
    number(text, 0.0..=1.0, "from 0 to 1")
}

pub fn scale(text: &str) -> Result<f32, String> {
    number(text, 1.0..=10_000.0, "from 1 to 10000")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_teaches_nothing_is_refused() {
        assert_eq!(rate("0.003"), Ok(0.003));
        for text in ["nan", "inf", "-0.001", "0", "1e-99", "x"] {
            let error = rate(text).expect_err(text);
            assert!(error.contains("a number above 0"), "{error}");
            assert_eq!(
                final_rate(text).is_ok(),
                text == "0" || text == "1e-99",
                "{text}"
            );
        }
    }

    #[test]
    fn a_size_that_no_engine_can_be_built_for_is_refused() {
        assert_eq!(hidden("512"), Ok(512));
        for size in ["0", "32", "96", "8192", "x"] {
            let error = hidden(size).expect_err(size);
            assert!(error.contains("a multiple of 64"), "{error}");
        }
        assert_eq!((second("0"), second("64")), (Ok(0), Ok(64)));
        for count in ["-1", "65", "x"] {
            let error = second(count).expect_err(count);
            assert!(error.contains("up to 64"), "{error}");
        }
    }
}
