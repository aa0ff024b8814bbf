//! The choice of a format on the command line.

use clap::{Args, ValueEnum};

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    /// A comment for a pull request
    Markdown,
    /// Annotations and a job summary for GitHub Actions
    Github,
}

/// The format flags of a command.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct FormatArgs {
    /// How to write the result
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    pub(crate) fn chosen(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
