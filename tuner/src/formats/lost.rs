//! What is lost when a list is written in another format.

use super::format::Format;
use crate::algorithm::schedule::{Schedule, suggested_r_end};
use crate::parameter::{self, Parameter, some_of};

/// What `format` has no place for.
pub fn warnings(format: Format, parameters: &[Parameter], schedule: &Schedule) -> Vec<String> {
    let names = |which: &dyn Fn(&Parameter) -> bool| -> Option<String> {
        let names: Vec<&str> = parameters
            .iter()
            .filter(|parameter| which(parameter))
            .map(|parameter| parameter.name.as_str())
            .collect();
        (!names.is_empty()).then(|| some_of(&names))
    };
    let mut warnings = Vec::new();
    if format == Format::Toml {
        return warnings;
    }
    if !format.has_ranges() {
        warnings.push("the format has no place for ranges, c_end and r_end".to_owned());
        return warnings;
    }
    if format != Format::Openbench
        && let Some(names) = names(&|parameter| parameter.kind == parameter::Kind::Float)
    {
        warnings.push(format!(
            "the format knows integers only, but these are floats: {names}"
        ));
    }
    if format == Format::WeatherFactory {
        if let Some(names) = names(&|parameter| parameter.r_end.is_some()) {
            warnings.push(format!("the format has no place for the r_end of {names}"));
        }
    } else if let Some(names) = names(&|parameter| parameter.r_end.is_none()) {
        let rule = suggested_r_end(schedule.pairs(), parameters.len());
        warnings.push(format!(
            "no r_end is given for {names}; wrote {rule}, the rule's for {} pairs and {} \
             parameters",
            schedule.pairs(),
            parameters.len()
        ));
    }
    if let Some(names) = names(&|parameter| parameter.doc.is_some()) {
        warnings.push(format!("the format has no place for the doc of {names}"));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::location::Source;
    use crate::formats::params_file::SpsaKeys;
    use crate::formats::{read, write};

    const GAMES: u64 = 40_000;

    #[test]
    fn what_a_format_cannot_hold_is_told() {
        let text = "A, float, 1.5, 0, 4, 0.25, 0.002\nB, int, 3, 1, 8, 0.5, 0.002";
        let source = Source { name: "file", text };
        let list = read(Format::Openbench, source, GAMES)
            .expect("parameters")
            .content;
        let warnings = |format| {
            write(format, &list, &SpsaKeys::default(), GAMES)
                .warnings
                .join("\n")
        };
        assert_eq!(warnings(Format::Openbench), "");
        assert_eq!(warnings(Format::Toml), "");
        assert!(warnings(Format::Fishtest).contains("floats: A"));
        assert!(warnings(Format::WeatherFactory).contains("r_end of A, B"));
        let many: Vec<Parameter> = (0..10)
            .map(|index| Parameter {
                name: format!("P{index}"),
                ..list[1].clone()
            })
            .collect();
        let warnings = write(Format::WeatherFactory, &many, &SpsaKeys::default(), GAMES).warnings;
        assert!(warnings[0].ends_with("P6, P7 and 2 more"), "{warnings:?}");
    }
}
