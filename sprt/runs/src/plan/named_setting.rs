//! Options of an engine under one name: typed, or by that name from the project file.

use std::collections::BTreeMap;

use foundation::config::{self, Config};
use foundation::{Failure, failure::OrUnable};

use super::option_list::parse_option;

/// The section of the project file: `conservative = ["RfpMargin=110", "NmpEnable=0"]`.
const SECTION: &str = "settings";

/// A name and the options that are set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSetting {
    pub name: String,
    pub options: Vec<(String, String)>,
}

impl NamedSetting {
    /// Reads `NAME: OPTION=VALUE, OPTION=VALUE`, or looks a name alone up in the nearest project file.
    ///
    /// # Errors
    /// The text is neither, or an option has no value.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let here = std::env::current_dir().or_unable("find out which folder this is")?;
        Self::parse(text, || Config::find(&here))
    }

    fn parse(
        text: &str,
        config: impl FnOnce() -> Result<Config, Failure>,
    ) -> Result<Self, Failure> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name.trim(), options.split(',').map(str::to_owned).collect()),
            None => (text.trim(), of_project(text.trim(), &config()?)?),
        };
        let parts = options.iter().map(|part| part.trim());
        let options = parts.filter(|part| !part.is_empty()).map(parse_option);
        let options = options.collect::<Result<Vec<_>, _>>()?;
        if name.is_empty() || options.is_empty() {
            return Err(Failure::unable(format!("`{text}` is no setting")).hint(EXPECTED));
        }
        Ok(Self {
            name: name.to_owned(),
            options,
        })
    }
}

const EXPECTED: &str =
    "expected NAME: OPTION=VALUE, ..., such as 'conservative: RfpMargin=110, NmpEnable=0'";

fn of_project(name: &str, config: &Config) -> Result<Vec<String>, Failure> {
    let mut settings: BTreeMap<String, Vec<String>> = config.section(SECTION)?;
    settings.remove(name).ok_or_else(|| {
        let failure = Failure::unable(format!("`{name}` is no setting"));
        if settings.is_empty() {
            return failure.hint(format!(
                "{EXPECTED}, or a name in [{SECTION}] of {}",
                config::NAME
            ));
        }
        let known: Vec<&str> = settings.keys().map(String::as_str).collect();
        failure.hint(format!(
            "{} has {}; another one is written as {EXPECTED}",
            config::NAME,
            known.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn project() -> Result<Config, Failure> {
        let text = "[settings]\nwide = ['RfpMargin=110', 'Line=a, b']\nnone = []\n";
        Config::of_text(Path::new("whetstone.toml"), text.to_owned())
    }

    fn read(text: &str) -> Result<NamedSetting, Failure> {
        NamedSetting::parse(text, project)
    }

    #[test]
    fn a_setting_is_typed_or_named_in_the_project_file() {
        let setting = |name: &str, options: &[(&str, &str)]| NamedSetting {
            name: name.into(),
            options: options
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        };
        assert_eq!(
            read(" mine : A=1, B = 2,"),
            Ok(setting("mine", &[("A", "1"), ("B", "2")]))
        );
        assert_eq!(
            read("wide"),
            Ok(setting("wide", &[("RfpMargin", "110"), ("Line", "a, b")]))
        );
    }

    #[test]
    fn what_is_no_setting_is_reported_with_those_of_the_project_file() {
        for text in ["wider", "none", "", "own:", ": A=1", "own: A"] {
            assert!(read(text).is_err(), "{text}");
        }
        let failure = read("wider").expect_err("unknown");
        assert!(
            format!("{failure:?}").contains("whetstone.toml has none, wide"),
            "{failure:?}"
        );
    }
}
