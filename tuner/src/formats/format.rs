//! The formats there are.

use foundation::Failure;

use super::code;
use super::inputs::{FISHTEST, OPENBENCH};
use super::location::Source;
use super::lost;
use super::params_file::{ParamsFile, SpsaKeys};
use super::params_toml::ParamsToml;
use super::setoption::Setoption;
use super::syntax::{Converted, Syntax};
use super::values::Values;
use super::weather_factory::WeatherFactory;
use crate::parameter::{Kind, Parameter};

/// A way to write parameters down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// `params.toml`
    Toml,
    /// `name, int|float, value, min, max, c_end, r_end`
    Openbench,
    /// `name,value,min,max,c_end,r_end`
    Fishtest,
    /// `config.json`
    WeatherFactory,
    /// `name, value`
    Values,
    /// `setoption name NAME value VALUE`
    Setoption,
}

impl Format {
    pub(crate) fn syntax(self) -> &'static dyn Syntax {
        match self {
            Self::Toml => &ParamsToml,
            Self::Openbench => &OPENBENCH,
            Self::Fishtest => &FISHTEST,
            Self::WeatherFactory => &WeatherFactory,
            Self::Values => &Values,
            Self::Setoption => &Setoption,
        }
    }

    /// The format that a text is in, by its looks.
    pub(crate) fn of(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let is_blank = |line: &&str| line.trim().is_empty() || line.trim().starts_with('#');
        let before = text.split_inclusive('\n').take_while(is_blank);
        let list = text[before.map(str::len).sum::<usize>()..].trim_start();
        let mut all = <Self as clap::ValueEnum>::value_variants().iter();
        all.find(|format| format.syntax().fits(list))
            .copied()
            .unwrap_or(Self::Toml)
    }

    /// Whether it says how far values may go.
    pub(crate) fn has_ranges(self) -> bool {
        self.syntax().reader().is_some()
    }

    /// Reads and checks a list. `games` is the length of the run that a weather-factory file was
    /// meant for.
    pub(crate) fn read(self, source: Source, games: u64) -> Result<Converted<ParamsFile>, Failure> {
        if self == Self::Toml && code::is_source(source.name) {
            return Err(Failure::unable(format!(
                "{} is source, and no list of parameters",
                source.name
            ))
            .hint(
                "give the list that is tuned; `tuner apply` and `prove` write values into source",
            ));
        }
        let Some(reader) = self.syntax().reader() else {
            return Err(
                Failure::unable(format!("{} has values without ranges", source.name)).hint(
                    "take the list they were made of, and `tuner apply` to write values into it",
                ),
            );
        };
        let read = reader(source.without_bom(), games)?;
        if read.content.parameters.is_empty() {
            return Err(Failure::unable(format!(
                "{} has no parameters",
                source.name
            )));
        }
        Ok(read)
    }

    /// The values of a text that has no ranges, as parameters that cannot be tuned.
    pub(crate) fn values(self, source: Source) -> Result<Converted<Vec<Parameter>>, Failure> {
        let (mut values, mut others) = (Vec::new(), Vec::new());
        for (index, line) in source.without_bom().text.lines().enumerate() {
            match self.syntax().value_in(line) {
                None => {}
                Some((name, text)) => match text.parse::<f64>() {
                    Ok(value) if value.is_finite() => {
                        let known = values.iter_mut().find(|(known, _)| *known == name);
                        match known {
                            None => values.push((name, value)),
                            // An engine keeps the last one.
                            Some(known) if self == Self::Setoption => known.1 = value,
                            Some(_) => {
                                let (file, line) = (source.name, index + 1);
                                let what = format!("{file}:{line}: {name} has a value already");
                                return Err(Failure::unable(what).hint("leave one of them out"));
                            }
                        }
                    }
                    _ => others.push(format!("{name} (line {})", index + 1)),
                },
            }
        }
        if values.is_empty() {
            return Err(Failure::unable(format!("{} has no values", source.name))
                .hint("a line is: name, value; or: setoption name NAME value VALUE"));
        }
        let others = others.join(", ");
        let told = || format!("left out, since the value is no number: {others}");
        let fixed = |(name, value): (&str, f64)| Parameter {
            name: name.to_owned(),
            kind: Kind::Float,
            value,
            min: value,
            max: value,
            // Floats are rounded to a small part of c.
            c_end: 1e-9,
            r_end: None,
            doc: None,
            choices: Vec::new(),
        };
        Ok(Converted {
            content: values.into_iter().map(fixed).collect(),
            warnings: (!others.is_empty()).then(told).into_iter().collect(),
        })
    }

    /// Whether it can hold a parameter of this kind.
    pub(crate) fn holds(self, parameter: &Parameter) -> bool {
        let syntax = self.syntax();
        (syntax.has_choices() || parameter.choices.is_empty())
            && (syntax.has_floats() || parameter.kind == Kind::Int)
    }

    /// Writes a list for a run of this shape and so many games.
    pub(crate) fn write(
        self,
        parameters: &[Parameter],
        spsa: &SpsaKeys,
        games: u64,
    ) -> Converted<String> {
        let syntax = self.syntax();
        let mut held = parameters.to_vec();
        held.retain(|own| self.holds(own));
        let mut written = syntax.write(&held, spsa, games);
        let lost = [
            lost::choices(parameters).filter(|_| !syntax.has_choices()),
            lost::floats(parameters).filter(|_| !syntax.has_floats()),
        ];
        written.warnings.splice(0..0, lost.into_iter().flatten());
        written
    }
}
