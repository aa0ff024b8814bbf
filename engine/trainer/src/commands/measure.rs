//! `trainer measure`: how well networks predict the results, scores and lambda-returns of positions.

use std::path::PathBuf;

use clap::Args;
use engine::packed::PackedPosition;
use foundation::{Exit, Failure, Printer};

use crate::data::Dataset;
use crate::filter::Filter;
use crate::hidden;
use crate::objective::{Objective, sigmoid};
use crate::training::read_model;

#[derive(Args, Debug)]
pub struct MeasureArgs {
    /// Folders that `datagen` or `rescore` has written, of games that no network was trained on
    #[arg(required = true, value_name = "FOLDER")]
    data: Vec<PathBuf>,
    /// A network or checkpoint; may be repeated
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,
    /// Centipawns at which the expected result of a score is 0.73
    #[arg(long, value_name = "CP", default_value_t = 200.0, value_parser = super::train::scale)]
    scale: f32,
    /// Share of what comes later in the game in the returns, from 0 to 1: TD(lambda)
    #[arg(long, value_name = "SHARE", default_value_t = 0.87, value_parser = super::train::share)]
    lambda: f32,
    #[command(flatten)]
    filter: Filter,
}

pub fn run(args: &MeasureArgs, printer: Printer) -> Result<Exit, Failure> {
    let dataset = Dataset::open(&args.data, args.filter, usize::MAX)?;
    let objective = Objective {
        scale: args.scale,
        result_share: 0.0,
        lambda: args.lambda,
    };
    let returned = dataset.usable(objective)?;
    let positions = dataset.usable(objective.without_lambda())?;
    if positions.is_empty() {
        return Err(Failure::unable("there is no position to measure on")
            .hint("lower --min-ply and --min-pieces, raise --max-score, or name more data"));
    }
    let expected = |objective: Objective, positions: &[PackedPosition]| -> Vec<f32> {
        let target = |position| objective.target(position);
        positions.iter().map(target).collect()
    };
    let result = Objective {
        result_share: 1.0,
        ..objective
    };
    let targets = [
        expected(result, &positions),
        expected(objective, &positions),
        expected(objective, &returned),
    ];
    let line = |outputs: &[f32], name: &str| {
        let [results, scores, returns] = targets
            .each_ref()
            .map(|targets| least_error(outputs, targets));
        printer.result(&format!("{results:.5}  {scores:.6}  {returns:.6}  {name}"));
    };
    printer.result(&format!(
        "mean square error on {} positions\nresults    scores   returns  predicted by",
        positions.len()
    ));
    let own: Vec<f32> = targets[1]
        .iter()
        .map(|score| (score / (1.0 - score)).ln())
        .collect();
    line(&own, "the scores of the data");
    for path in &args.net {
        line(
            &hidden::outputs(&read_model(path)?, &positions),
            &path.display().to_string(),
        );
    }
    Ok(Exit::Yes)
}

/// The mean square error of the expected results, with the outputs stretched by the factor that
/// makes it least.
fn least_error(outputs: &[f32], targets: &[f32]) -> f64 {
    let error = |factor: f32| {
        let pairs = outputs.iter().zip(targets);
        let squares =
            pairs.map(|(output, target)| f64::from(sigmoid(output * factor) - target).powi(2));
        squares.sum::<f64>() / targets.len() as f64
    };
    let (mut low, mut high) = (0.1, 10.0);
    while high - low > 0.001 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    error(f32::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_best_stretched_outputs() {
        let outputs = [-2.0, -0.5, 0.25, 1.0];
        let targets = outputs.map(|output| sigmoid(output * 1.7));
        assert!(least_error(&outputs, &targets) < 1e-6);
        // Outputs that say nothing are best flat: the error is the variance of the results.
        let blind = least_error(&[0.0; 4], &[0.0, 0.0, 1.0, 1.0]);
        assert!((blind - 0.25).abs() < 1e-9, "{blind}");
    }
}
