//! `tuner convert`: one parameter list, in the format of another tuner.

use std::path::PathBuf;

use clap::Args;
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer};

use crate::formats::location::Source;
use crate::formats::params_file::{self, SpsaKeys};
use crate::formats::{self, Format};

/// What `tuner convert` was told.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The list to read; its format is told by its looks
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    /// Length of the run, which weather-factory's step depends on [default: that of the file's run]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
}

impl ConvertArgs {
    pub fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let name = self.input.display().to_string();
        let text = std::fs::read_to_string(&self.input).or_unable(format_args!("read `{name}`"))?;
        let source = Source {
            name: &name,
            text: &text,
        }
        .without_bom();
        let format = formats::detect(&text);
        let (spsa, fixed) = match format {
            Format::Toml => {
                let file = params_file::parse(source)?;
                (file.spsa, file.fixed.len())
            }
            _ => (SpsaKeys::default(), 0),
        };
        if fixed > 0 {
            printer.warn(&format!(
                "{fixed} entries without c_end are not tuned, and left out"
            ));
        }
        let games = self.games.unwrap_or(2 * spsa.schedule().pairs());
        let read = formats::read(format, source, games)?;
        let written = formats::write(self.to, &read.content, &spsa, games);
        for warning in read.warnings.iter().chain(&written.warnings) {
            printer.warn(warning);
        }
        printer.result(written.content.trim_end());
        Ok(Exit::Yes)
    }
}
