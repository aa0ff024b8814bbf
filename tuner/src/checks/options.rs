//! A parameter list held against what an engine advertises: everything that needs no search.

use engine_client::{OptionKind, UciOption};
use foundation::Failure;

use crate::algorithm::AlgorithmName;
use crate::checks::complaint::{Complaint, Severity};
use crate::evidence::levels::Levels;
use crate::parameter::{Kind, Parameter, nearest, some_of};

/// All complaints about a list, in its order.
pub(crate) fn lint(parameters: &[Parameter], options: &[UciOption]) -> Vec<Complaint> {
    parameters
        .iter()
        .flat_map(|parameter| of(parameter, options))
        .collect()
}

/// Complaints about the options that an engine declares: a duplicate, a default outside its range.
pub(crate) fn advertised(options: &[UciOption]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (index, option) in options.iter().enumerate() {
        let same = |earlier: &&UciOption| earlier.name.eq_ignore_ascii_case(&option.name);
        if let Some(earlier) = options[..index].iter().find(same) {
            let spelling = if earlier.name == option.name {
                String::new()
            } else {
                format!(", once spelled `{}`", earlier.name)
            };
            complaints.push(Complaint::new(
                &option.name,
                format!("advertised twice{spelling}: only one of them can be set"),
            ));
        }
        if let OptionKind::Spin { default, min, max } = option.kind
            && !(min..=max).contains(&default)
        {
            complaints.push(Complaint::new(
                &option.name,
                format!("its default {default} is outside its own range [{min}, {max}]"),
            ));
        }
    }
    complaints
}

/// What is to be known before an algorithm tunes these parameters, if anything.
///
/// # Errors
/// It moves by slopes, and a choice has no order.
pub(crate) fn of_algorithm(
    algorithm: AlgorithmName,
    parameters: &[Parameter],
) -> Result<Option<String>, Failure> {
    let terms = algorithm.terms(parameters);
    let slopes = (0..parameters.len()).filter(|&index| terms.levels(index).is_none());
    let slopes: Vec<&Parameter> = slopes.map(|index| &parameters[index]).collect();
    if let Some(choice) = slopes.iter().find(|own| own.choices.len() > 2) {
        return Err(Failure::unable(format!(
            "--algorithm {algorithm} moves by slopes, and the values of {} have no order",
            choice.name
        ))
        .hint("leave it out with --except, or take `--algorithm bayes`, which plays each value"));
    }
    Ok(by_slopes(&format!("--algorithm {algorithm}"), &slopes))
}

/// The names of those with few values, which `who` moves by slopes all the same.
pub(crate) fn by_slopes(who: &str, parameters: &[&Parameter]) -> Option<String> {
    let few = parameters.iter().filter(|own| Levels::of(own).is_some());
    let names: Vec<&str> = few.map(|own| own.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{who} moves these by slopes, with c_end of 0.5 or more, though they have few values: {}; \
             `tuner spsa` with bayes plays each value",
            some_of(&names)
        )
    })
}

/// Fails with the first fatal complaint.
pub(crate) fn require(complaints: &[Complaint]) -> Result<(), Failure> {
    let fatal: Vec<&Complaint> = complaints
        .iter()
        .filter(|complaint| complaint.severity == Severity::Error)
        .collect();
    match fatal.as_slice() {
        [] => Ok(()),
        [first, rest @ ..] => {
            let more = match rest.len() {
                0 => String::new(),
                count => format!(" (and {count} more)"),
            };
            Err(
                Failure::unable(format!("{}: {}{more}", first.parameter, first.text)).hint(
                    "`tuner lint PARAMS --engine ENGINE` lists all; `tuner init` writes a new file",
                ),
            )
        }
    }
}

/// Complaints about a list that the engine prints itself, which must agree with its options: others
/// tune by it.
pub(crate) fn printed(parameters: &[Parameter], options: &[UciOption]) -> Vec<Complaint> {
    parameters
        .iter()
        .flat_map(|parameter| of(parameter, options))
        .map(|complaint| {
            let text = format!("in the list that `ENGINE spsa` prints: {}", complaint.text);
            Complaint::new(&complaint.parameter, text)
        })
        .collect()
}

fn of(parameter: &Parameter, options: &[UciOption]) -> Vec<Complaint> {
    let mut complaints = against(parameter, options);
    let doubts = gains(parameter).into_iter();
    complaints.extend(doubts.map(|text| Complaint::new(&parameter.name, text)));
    complaints
}

fn against(parameter: &Parameter, options: &[UciOption]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut complain = |fatal: bool, text: String| {
        complaints.push(Complaint::new(&parameter.name, text).fatal_if(fatal));
    };
    let found = options
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(&parameter.name));
    match found {
        None => complain(true, unknown(parameter, options)),
        Some(option) => {
            if option.name != parameter.name {
                complain(
                    false,
                    format!(
                        "the engine spells it `{}`; not every engine ignores case",
                        option.name
                    ),
                );
            }
            match &option.kind {
                _ if !parameter.choices.is_empty() => choices(parameter, option, &mut complain),
                OptionKind::Spin { default, min, max } => {
                    if parameter.kind == Kind::Float {
                        complain(true, "a float, but the engine's option is a spin, which takes whole numbers only".to_owned());
                    }
                    let (min, max) = (*min as f64, *max as f64);
                    if min > parameter.min || max < parameter.max {
                        complain(
                            true,
                            format!(
                                "range [{}, {}], but the engine takes [{min}, {max}] only",
                                parameter.min, parameter.max
                            ),
                        );
                    }
                    differs(parameter, *default as f64, &mut complain);
                }
                OptionKind::String { default } => match default.trim().parse::<f64>() {
                    Ok(default) => differs(parameter, default, &mut complain),
                    Err(_) if default.is_empty() => {}
                    Err(_) => complain(
                        true,
                        format!(
                            "the engine's option is a string with default `{default}`, not a number"
                        ),
                    ),
                },
                other => {
                    let got = kind(other);
                    complain(
                        true,
                        format!("a number, but the engine's option is a {got}"),
                    );
                }
            }
        }
    }
    complaints
}

/// What speaks against the texts of a choice.
fn choices(parameter: &Parameter, option: &UciOption, complain: &mut impl FnMut(bool, String)) {
    for choice in &parameter.choices {
        if let Err(failure) = option.accepts(choice) {
            complain(true, failure.message().to_owned());
        }
    }
    let Some(default) = default_of(option) else {
        return complain(true, "the engine's option is a button".to_owned());
    };
    let start = parameter.text(parameter.value);
    if !start.eq_ignore_ascii_case(&default) {
        complain(
            false,
            format!("starts at {start}, but the engine's default is {default}"),
        );
    }
}

/// The default as it is sent; a button has none.
pub(crate) fn default_of(option: &UciOption) -> Option<String> {
    Some(match &option.kind {
        OptionKind::Check { default } => default.to_string(),
        OptionKind::Combo { default, .. } | OptionKind::String { default } => default.clone(),
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Button => return None,
    })
}

/// The engine's default of a parameter whose own value is another.
pub(crate) fn other_default(parameter: &Parameter, options: &[UciOption]) -> Option<String> {
    let name = &parameter.name;
    let mut named = options
        .iter()
        .filter(|option| option.name.eq_ignore_ascii_case(name));
    let default = default_of(named.next()?)?;
    let own = parameter.text(parameter.value);
    (!own.eq_ignore_ascii_case(default.trim())).then_some(default)
}

fn differs(parameter: &Parameter, default: f64, complain: &mut impl FnMut(bool, String)) {
    if parameter.value.round() != default && parameter.value != default {
        complain(
            false,
            format!(
                "starts at {}, but the engine's default is {default}",
                parameter.value
            ),
        );
    }
}

/// Doubts about the probe that need no engine.
fn gains(parameter: &Parameter) -> Vec<String> {
    let Parameter {
        value,
        min,
        max,
        c_end,
        ..
    } = *parameter;
    let mut doubts = Vec::new();
    // Levels are played as they are, whatever c is.
    if Levels::of(parameter).is_some() {
        return doubts;
    }
    if parameter.kind == Kind::Int && c_end < 0.5 {
        doubts.push(format!(
            "c_end {c_end} is below half a step: it is played with 0.5"
        ));
    }
    if c_end > (max - min) / 4.0 {
        doubts.push(format!(
            "c_end {c_end} is above a quarter of the range [{min}, {max}]"
        ));
    }
    if value - min < c_end || max - value < c_end {
        let bound = if value - min < max - value { min } else { max };
        doubts.push(format!(
            "starts at {value}, closer to its bound {bound} than c_end {c_end}"
        ));
    }
    doubts
}

fn unknown(parameter: &Parameter, options: &[UciOption]) -> String {
    let names = options.iter().map(|option| option.name.as_str());
    match nearest(&parameter.name, names) {
        Some(name) => format!("the engine has no such option; did you mean `{name}`?"),
        None => "the engine has no such option".to_owned(),
    }
}

fn kind(kind: &OptionKind) -> &'static str {
    match kind {
        OptionKind::Check { .. } => "check",
        OptionKind::Spin { .. } => "spin",
        OptionKind::Combo { .. } => "combo",
        OptionKind::Button => "button",
        OptionKind::String { .. } => "string",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(
        name: &str,
        kind: Kind,
        (value, min, max): (f64, f64, f64),
        c_end: f64,
    ) -> Parameter {
        Parameter {
            name: name.into(),
            kind,
            value,
            min,
            max,
            c_end,
            r_end: None,
            doc: None,
            choices: Vec::new(),
        }
    }

    fn choice(name: &str, texts: &[&str]) -> Parameter {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        Parameter::choice(name.to_owned(), texts, 0)
    }

    fn complaints(parameter: Parameter) -> String {
        let options: Vec<UciOption> = [
            "name Margin type spin default 100 min 0 max 400",
            "name Scale type string default 1.5",
            "name Path type string default <empty>",
            "name Name type string default abc",
            "name Ponder type check default false",
            "name Style type combo default calm var calm var wild",
            "name Clear type button",
        ]
        .iter()
        .filter_map(|line| UciOption::parse(line))
        .collect();
        let lines: Vec<String> = lint(&[parameter], &options)
            .iter()
            .map(|complaint| {
                format!(
                    "{}{}",
                    if complaint.severity == Severity::Error {
                        "! "
                    } else {
                        ""
                    },
                    complaint.text
                )
            })
            .collect();
        lines.join("\n")
    }

    #[test]
    fn options_that_contradict_themselves_are_named() {
        let options: Vec<UciOption> = [
            "name Margin type spin default 100 min 0 max 400",
            "name Scale type spin default 0 min 1 max 8",
            "name margin type spin default 90 min 0 max 400",
            "name Scale type string default x",
        ]
        .iter()
        .filter_map(|line| UciOption::parse(line))
        .collect();
        let told: Vec<String> = advertised(&options)
            .iter()
            .map(|complaint| format!("{}: {}", complaint.parameter, complaint.text))
            .collect();
        assert_eq!(
            told,
            [
                "Scale: its default 0 is outside its own range [1, 8]",
                "margin: advertised twice, once spelled `Margin`: only one of them can be set",
                "Scale: advertised twice: only one of them can be set",
            ]
        );
    }

    #[test]
    fn each_mistake_is_named() {
        let (int, float) = (Kind::Int, Kind::Float);
        let usual = (100.0, 0.0, 400.0);
        let cases = [
            (parameter("Margin", int, usual, 12.0), ""),
            (parameter("Scale", float, (1.5, 0.0, 4.0), 0.2), ""),
            (parameter("Path", int, usual, 12.0), ""),
            (
                parameter("Margn", int, usual, 12.0),
                "! the engine has no such option; did you mean `Margin`?",
            ),
            (
                parameter("Xyz", int, usual, 12.0),
                "! the engine has no such option",
            ),
            (
                parameter("margin", int, usual, 12.0),
                "the engine spells it `Margin`; not every engine ignores case",
            ),
            (
                parameter("Margin", float, usual, 12.0),
                "! a float, but the engine's option is a spin, which takes whole numbers only",
            ),
            (
                parameter("Margin", int, (100.0, -5.0, 400.0), 12.0),
                "! range [-5, 400], but the engine takes [0, 400] only",
            ),
            (
                parameter("Margin", int, (90.0, 0.0, 400.0), 12.0),
                "starts at 90, but the engine's default is 100",
            ),
            (
                parameter("Name", int, usual, 12.0),
                "! the engine's option is a string with default `abc`, not a number",
            ),
            (
                parameter("Ponder", int, (0.5, 0.0, 4.0), 0.5),
                "! a number, but the engine's option is a check",
            ),
            (
                parameter("Margin", int, usual, 0.4),
                "c_end 0.4 is below half a step: it is played with 0.5",
            ),
            (
                parameter("Margin", int, (100.0, 80.0, 120.0), 12.0),
                "c_end 12 is above a quarter of the range [80, 120]",
            ),
            (
                parameter("Margin", int, (100.0, 95.0, 400.0), 12.0),
                "starts at 100, closer to its bound 95 than c_end 12",
            ),
            (parameter("Margin", int, (100.0, 100.0, 101.0), 0.4), ""),
            (choice("Ponder", &["false", "true"]), ""),
            (choice("Style", &["Calm", "wild"]), ""),
            (
                choice("Ponder", &["true", "false"]),
                "starts at true, but the engine's default is false",
            ),
            (
                choice("Style", &["calm", "bold"]),
                "! option Style cannot be set to `bold`: the engine expects one of calm, wild",
            ),
            (
                choice("Clear", &["a", "b"]),
                "! the engine's option is a button",
            ),
        ];
        for (parameter, expected) in cases {
            assert_eq!(complaints(parameter.clone()), expected, "{parameter:?}");
        }
    }
}
