//! `trainer inspect`: counts the games and positions of the data.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use engine::packed::Outcome;
use foundation::{Exit, Failure, Printer};

use crate::data::Dataset;
use crate::filter::Filter;

#[derive(Args, Debug)]
pub struct InspectArgs {
    /// Folders that `datagen` has written
    #[arg(required = true, value_name = "FOLDER")]
    data: Vec<PathBuf>,
    #[command(flatten)]
    filter: Filter,
}

pub fn run(args: &InspectArgs, printer: Printer) -> Result<Exit, Failure> {
    let dataset = Dataset::open(&args.data, args.filter, usize::MAX)?;
    let (mut check, mut noisy, mut mate, mut usable) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut outcomes = [0_u64; 3];
    dataset.for_each(|position| {
        check += u64::from(position.in_check());
        noisy += u64::from(position.is_noisy());
        mate += u64::from(position.is_mate());
        usable += u64::from(args.filter.keeps(position));
        outcomes[position.outcome() as usize] += 1;
    })?;
    let percent = |count: u64| 100.0 * count as f64 / dataset.positions.max(1) as f64;
    let rows = [
        ("in check", check),
        ("best move a capture or promotion", noisy),
        ("score a mate", mate),
        ("to train on, with these settings", usable),
        ("White won", outcomes[Outcome::WhiteWins as usize]),
        ("drawn", outcomes[Outcome::Draw as usize]),
        ("Black won", outcomes[Outcome::BlackWins as usize]),
    ];
    let mut text = format!(
        "{} games, {} positions, {} bytes behind the last whole games",
        dataset.games, dataset.positions, dataset.ignored
    );
    for (name, count) in rows {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{name:<34}{count:>12}{:>8.1}%", percent(count));
    }
    printer.result(&text);
    Ok(Exit::Yes)
}
