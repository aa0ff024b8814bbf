//! `trainer average`: the mean of networks that were trained on from the same one.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use engine::network::NetworkFile;
use foundation::failure::OrUnable as _;
use foundation::{Exit, Failure, Printer, files};

#[derive(Args, Debug)]
pub struct AverageArgs {
    /// Networks that were trained --from the same one, which may be among them
    #[arg(required = true, num_args = 2.., value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// File for the mean
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &AverageArgs, printer: Printer) -> Result<Exit, Failure> {
    let networks: Vec<NetworkFile> = (args.networks.iter())
        .map(|path| read(path))
        .collect::<Result<_, _>>()?;
    let first = &networks[0];
    for (path, network) in args.networks.iter().zip(&networks) {
        if (network.hidden, network.king_buckets) != (first.hidden, first.king_buckets) {
            return Err(Failure::unable(format!(
                "{}: expected a hidden layer of {} and king buckets {}, got {} and {}",
                path.display(),
                first.hidden,
                first.king_buckets,
                network.hidden,
                network.king_buckets
            ))
            .hint("average networks that were trained --from the same one"));
        }
    }
    files::replace(&args.out, mean(&networks).to_bytes())?;
    printer.result(&format!("the mean of {} networks", networks.len()));
    Ok(Exit::Yes)
}

fn read(path: &Path) -> Result<NetworkFile, Failure> {
    let bytes = fs::read(path).or_unable(format_args!("read `{}`", path.display()))?;
    NetworkFile::from_bytes(&bytes).map_err(|what| Failure::unable(what).context(path.display()))
}

/// The mean of each weight of networks of equal size.
fn mean(networks: &[NetworkFile]) -> NetworkFile {
    let first = &networks[0];
    let mean = |values: &dyn Fn(&NetworkFile) -> f64| {
        (networks.iter().map(values).sum::<f64>() / networks.len() as f64).round_ties_even()
    };
    let weights = |of: fn(&NetworkFile) -> &[i16]| -> Vec<i16> {
        (0..of(first).len())
            .map(|index| mean(&|network| f64::from(of(network)[index])) as i16)
            .collect()
    };
    NetworkFile {
        hidden: first.hidden,
        king_buckets: first.king_buckets,
        scale: mean(&|network| f64::from(network.scale)) as i32,
        hidden_weights: weights(|network| &network.hidden_weights),
        hidden_biases: weights(|network| &network.hidden_biases),
        output_weights: weights(|network| &network.output_weights),
        output_biases: (0..first.output_biases.len())
            .map(|index| mean(&|network| f64::from(network.output_biases[index])) as i32)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use engine::network::{INPUTS, KingBuckets, OUTPUTS};
    use foundation::printer::OutputArgs;

    use super::*;

    fn network(hidden: usize, weight: i16) -> NetworkFile {
        NetworkFile {
            hidden,
            king_buckets: KingBuckets::ONE,
            scale: 200 + i32::from(weight),
            hidden_weights: vec![weight; INPUTS * hidden],
            hidden_biases: vec![-weight; hidden],
            output_weights: vec![2 * weight; OUTPUTS * 2 * hidden],
            output_biases: vec![1_000 * i32::from(weight); OUTPUTS],
        }
    }

    #[test]
    fn weights_are_averaged_and_networks_of_other_sizes_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("a", 32, 1), ("b", 32, 4), ("c", 32, 4), ("wide", 64, 1)];
        let [a, b, c, wide] = files.map(|(name, hidden, weight)| {
            let path = folder.path().join(name);
            fs::write(&path, network(hidden, weight).to_bytes()).expect("written");
            path
        });
        let average = |networks: Vec<PathBuf>| {
            let args = AverageArgs {
                networks,
                out: folder.path().join("mean"),
            };
            run(&args, Printer::new(OutputArgs::default()))
        };
        average(vec![a.clone(), b, c]).expect("a mean");
        let mean = read(&folder.path().join("mean")).expect("a network");
        assert_eq!(mean.to_bytes(), network(32, 3).to_bytes());
        let error = average(vec![a, wide]).expect_err("another size");
        assert!(error.message().contains("got 64"), "{error}");
    }
}
