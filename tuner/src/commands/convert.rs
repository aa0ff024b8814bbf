//! `tuner convert`: one parameter list, in the format of another tuner.

use std::path::PathBuf;

use clap::Args;
use foundation::{Exit, Failure, Printer};

use crate::algorithm::schedule::Schedule;
use crate::formats::location::Source;
use crate::formats::params_file::SpsaKeys;
use crate::formats::{Format, encoding};
use crate::parameter::some_of;

/// The arguments of `tuner convert`.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The list to read; its format is recognised by its content
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
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let name = self.input.display().to_string();
        let (text, _) = encoding::read(&self.input)?;
        let source = Source {
            name: &name,
            text: &text,
        };
        let format = Format::of(&text);
        if !format.has_ranges() && !self.to.has_ranges() {
            let values = format.values(source)?;
            for warning in &values.warnings {
                printer.warn(warning);
            }
            // What such a format cannot hold, the other one did not have.
            let written = self.to.write(&values.content, &SpsaKeys::default(), 0);
            printer.result(written.content.trim_end());
            return Ok(Exit::Yes);
        }
        let usual = 2 * Schedule::default().pairs();
        let read = format.read(source, self.games.unwrap_or(usual))?;
        let file = read.content;
        if !file.fixed.is_empty() {
            let left_out =
                some_of(&(file.fixed.iter().map(|(name, _)| name.as_str())).collect::<Vec<_>>());
            printer.warn(&format!("not tuned, and left out: {left_out}"));
        }
        let games = self.games.unwrap_or(2 * file.spsa.schedule().pairs());
        let written = self.to.write(&file.parameters, &file.spsa, games);
        for warning in read.warnings.iter().chain(&written.warnings) {
            printer.warn(warning);
        }
        if !file.parameters.iter().any(|own| self.to.holds(own)) {
            return Err(Failure::unable(format!(
                "{name} has no parameter that the format can hold"
            ))
            .hint("toml, values and setoption hold switches and choices, and openbench floats"));
        }
        printer.result(written.content.trim_end());
        Ok(Exit::Yes)
    }
}
