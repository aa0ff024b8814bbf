//! The formats of lists of parameters.

/// A way to write parameters down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// `name, int|float, value, min, max, c_end, r_end`
    Openbench,
    /// `name,value,min,max,c_end,r_end`
    Fishtest,
    /// `config.json`
    WeatherFactory,
    /// `params.toml`
    Toml,
    /// `name, value`
    Values,
    /// `setoption name NAME value VALUE`
    Setoption,
}

impl Format {
    pub const ALL: [Self; 6] = [
        Self::Toml,
        Self::Openbench,
        Self::Fishtest,
        Self::WeatherFactory,
        Self::Values,
        Self::Setoption,
    ];

    /// Whether it says how far values may go.
    pub fn has_ranges(self) -> bool {
        !matches!(self, Self::Values | Self::Setoption)
    }
}
