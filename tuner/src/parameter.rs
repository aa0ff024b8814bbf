//! One tunable parameter, as every part of the tuner sees it.
//!
//! A parameter is one option of the engine as the user's file describes it: its start, its range,
//! its perturbation at the end of the run (`c_end`, in the option's own unit) and its learning rate
//! (`r_end`, without a unit). Code that makes a list of [`Parameter`]s calls [`check`]; all other
//! code relies on that.

use std::collections::HashSet;

/// The type of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Int,
    Float,
}

impl Kind {
    /// The smallest perturbation worth playing: half a step, so that the two sides of a pair always
    /// differ.
    pub fn smallest_c(self) -> f64 {
        match self {
            Self::Int => 0.5,
            Self::Float => 0.0,
        }
    }
}

/// One tunable parameter.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    pub name: String,
    pub kind: Kind,
    /// The start of the tune. It may lie between two integers for [`Kind::Int`], as when a tune is
    /// imported.
    pub value: f64,
    pub min: f64,
    pub max: f64,
    /// Half the distance between the two sides of a pair at the end of the run.
    pub c_end: f64,
    /// Learning rate at the end of the run; without one, the rule of
    /// [`crate::algorithm::schedule::suggested_r_end`] applies.
    pub r_end: Option<f64>,
    pub doc: Option<String>,
    /// The texts that values are the indices of, where the option is no number: a switch, or a
    /// choice without an order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// A choice among more values than this would have to be played far too often.
pub const MOST_CHOICES: usize = 6;

impl Parameter {
    /// A choice that starts at the text with this index.
    pub fn choice(name: String, choices: Vec<String>, start: usize) -> Self {
        Self {
            name,
            kind: Kind::Int,
            value: start as f64,
            min: 0.0,
            max: choices.len().saturating_sub(1) as f64,
            c_end: Kind::Int.smallest_c(),
            r_end: None,
            doc: None,
            choices,
        }
    }

    /// What is wrong with this parameter by itself: the field and the reason.
    pub fn fault(&self) -> Option<(Field, String)> {
        let name = &self.name;
        let finite = [
            (Field::Value, self.value),
            (Field::Min, self.min),
            (Field::Max, self.max),
        ];
        if name.is_empty() || name.contains(|letter: char| letter.is_control() || letter == ',') {
            return Some((
                Field::Name,
                format!("`{}` cannot be the name of an option", name.escape_debug()),
            ));
        }
        if let Some(reason) = self.fault_of_choices() {
            return Some((Field::Choices, reason));
        }
        for (field, number) in finite {
            if !number.is_finite() {
                return Some((
                    field,
                    format!("{name}: {field} is {number}, not a finite number"),
                ));
            }
        }
        if self.min > self.max {
            return Some((
                Field::Min,
                format!("{name}: min {} is above max {}", self.min, self.max),
            ));
        }
        if self.min == self.max {
            return Some((
                Field::Max,
                format!("{name}: min and max are both {}: nothing to tune", self.min),
            ));
        }
        if self.value < self.min || self.value > self.max {
            return Some((
                Field::Value,
                format!(
                    "{name}: value {} is outside [{}, {}]",
                    self.value, self.min, self.max
                ),
            ));
        }
        let gains = [(Field::CEnd, Some(self.c_end)), (Field::REnd, self.r_end)];
        for (field, number) in gains {
            if let Some(number) = number
                && !(number.is_finite() && number > 0.0)
            {
                return Some((
                    field,
                    format!("{name}: {field} is {number}, not a positive, finite number"),
                ));
            }
        }
        if self.kind == Kind::Int {
            for (field, number) in [(Field::Min, self.min), (Field::Max, self.max)] {
                if number.fract() != 0.0 {
                    return Some((
                        field,
                        format!("{name}: {field} is {number}, but the parameter is an integer"),
                    ));
                }
            }
        }
        None
    }

    fn fault_of_choices(&self) -> Option<String> {
        let (name, choices) = (&self.name, &self.choices);
        let is_text = |choice: &String| {
            let is_wrong = |letter: char| letter.is_control() || letter == ',';
            !choice.trim().is_empty() && !choice.contains(is_wrong)
        };
        let texts: HashSet<String> = choices.iter().map(|own| own.to_lowercase()).collect();
        match choices.len() {
            0 => None,
            1 => Some(format!("{name}: a single choice: nothing to tune")),
            count if count > MOST_CHOICES => Some(format!(
                "{name}: {count} choices, and at most {MOST_CHOICES} can be tuned: leave some out"
            )),
            count if texts.len() < count => Some(format!(
                "{name}: a choice is there twice (values of options ignore case)"
            )),
            _ if !choices.iter().all(is_text) => Some(format!(
                "{name}: a choice is empty, or has a comma or a control character"
            )),
            count
                if self.kind != Kind::Int || (self.min, self.max) != (0.0, count as f64 - 1.0) =>
            {
                Some(format!(
                    "{name}: values of a choice are integers from 0 to {}",
                    count - 1
                ))
            }
            _ => None,
        }
    }

    /// The value that an engine is given for `value` without a random draw: the nearest integer,
    /// or a fraction with no more digits than are significant relative to c. Neither leaves the range.
    pub fn settle(&self, value: f64) -> f64 {
        self.clip(match self.kind {
            Kind::Int => value.round(),
            Kind::Float => {
                let digits = (3 - self.c_end.log10().floor() as i32).clamp(0, 15);
                let unit = 10_f64.powi(digits);
                let settled = (value * unit).round() / unit;
                if settled.is_finite() { settled } else { value }
            }
        })
    }

    pub fn clip(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }

    /// Whether it is a choice of false and true, in either order.
    pub fn is_switch(&self) -> bool {
        [["false", "true"], ["true", "false"]]
            .iter()
            .any(|both| self.choices == both)
    }

    /// The values that tell whether an option does anything: its bounds, and of a choice each one.
    pub fn telling_values(&self) -> Vec<f64> {
        match self.choices.len() {
            0 => vec![self.min, self.max],
            count => (0..count).map(|index| index as f64).collect(),
        }
    }

    /// A value as it is sent to the engine.
    pub fn text(&self, value: f64) -> String {
        match (self.choices.get(value as usize), self.kind) {
            (Some(choice), _) => choice.clone(),
            (None, Kind::Int) => (value.round() as i64).to_string(),
            (None, Kind::Float) => value.to_string(),
        }
    }
}

/// Values as they are sent to the engine: names and texts of options.
pub fn options(parameters: &[Parameter], values: &[f64]) -> Vec<(String, String)> {
    parameters
        .iter()
        .zip(values)
        .map(|(parameter, &value)| (parameter.name.clone(), parameter.text(value)))
        .collect()
}

/// The start values as they are sent to the engine.
pub fn start_options(parameters: &[Parameter]) -> Vec<(String, String)> {
    let starts: Vec<f64> = parameters
        .iter()
        .map(|parameter| parameter.settle(parameter.value))
        .collect();
    options(parameters, &starts)
}

/// The fields of a parameter, by the names that files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Field {
    Name,
    Kind,
    Value,
    Min,
    Max,
    CEnd,
    REnd,
    Doc,
    Choices,
}

impl Field {
    pub fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Kind => "type",
            Self::Value => "value",
            Self::Min => "min",
            Self::Max => "max",
            Self::CEnd => "c_end",
            Self::REnd => "r_end",
            Self::Doc => "doc",
            Self::Choices => "choices",
        }
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.key())
    }
}

/// The first fault in a list: which parameter, which field, why.
pub fn check(parameters: &[Parameter]) -> Result<(), (usize, Field, String)> {
    let mut names = HashSet::new();
    for (index, parameter) in parameters.iter().enumerate() {
        if let Some((field, reason)) = parameter.fault() {
            return Err((index, field, reason));
        }
        // UCI compares the names of options without regard to case.
        if !names.insert(parameter.name.to_lowercase()) {
            let reason = format!(
                "{} is there twice (option names ignore case)",
                parameter.name
            );
            return Err((index, Field::Name, reason));
        }
    }
    Ok(())
}

/// The most parameters that a warning names; the rest is counted.
const NAMED: usize = 8;

/// The first names, and how many more there are.
pub fn some_of(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len() - more].join(", ");
    match more {
        0 => named,
        _ => format!("{named} and {more} more"),
    }
}

/// Names that are more similar than this are taken for typos.
const ALIKE: f64 = 0.8;

/// The name that an unknown one may have been meant to be.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |own: &str| strsim::jaro_winkler(&own.to_lowercase(), &name.to_lowercase());
    names
        .map(|own| (likeness(own), own))
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .map(|(_, own)| own)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A parameter without faults.
    pub fn margin() -> Parameter {
        Parameter {
            name: "Margin".into(),
            kind: Kind::Int,
            value: 100.0,
            min: 0.0,
            max: 400.0,
            c_end: 12.0,
            r_end: None,
            doc: None,
            choices: Vec::new(),
        }
    }

    #[test]
    fn each_fault_names_its_field() {
        type Spoil = fn(&mut Parameter);
        let cases: [(Spoil, Field); 10] = [
            (|p| p.name.clear(), Field::Name),
            (|p| p.name = "a,b".into(), Field::Name),
            (|p| p.value = 401.0, Field::Value),
            (|p| p.value = f64::NAN, Field::Value),
            (|p| p.min = 500.0, Field::Min),
            (|p| (p.min, p.max) = (100.0, 100.0), Field::Max),
            (|p| p.c_end = 0.0, Field::CEnd),
            (|p| p.c_end = f64::INFINITY, Field::CEnd),
            (|p| p.r_end = Some(-0.002), Field::REnd),
            (|p| p.max = 400.5, Field::Max),
        ];
        for (spoil, field) in cases {
            let mut parameter = margin();
            spoil(&mut parameter);
            assert_eq!(
                parameter.fault().map(|(field, _)| field),
                Some(field),
                "{parameter:?}"
            );
        }
        assert_eq!(margin().fault(), None);
    }

    #[test]
    fn a_choice_has_two_to_six_different_texts() {
        let choice = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            Parameter::choice("Style".into(), texts, 0)
        };
        let calm = choice(&["calm", "very bold"]);
        assert_eq!(
            (calm.fault(), calm.text(1.0)),
            (None, "very bold".to_owned())
        );
        for (texts, told) in [
            (&["calm"][..], "nothing to tune"),
            (
                &["a", "b", "c", "d", "e", "f", "g"],
                "7 choices, and at most 6",
            ),
            (&["calm", "Calm"], "twice"),
            (&["calm", ""], "empty"),
            (&["calm", "very, bold"], "comma"),
        ] {
            let (field, reason) = choice(texts).fault().expect(told);
            assert!(field == Field::Choices && reason.contains(told), "{reason}");
        }
        let float = Parameter {
            kind: Kind::Float,
            ..calm
        };
        assert!(float.fault().is_some());
        // Digests of plans that were written before there were choices stay what they were.
        let plan = serde_json::to_string(&margin()).expect("JSON");
        assert!(!plan.contains("choices"), "{plan}");
        assert_eq!(
            serde_json::from_str::<Parameter>(&plan).expect("read"),
            margin()
        );
    }

    #[test]
    fn fractions_have_no_more_digits_than_matter() {
        let mut scale = margin();
        (scale.kind, scale.c_end) = (Kind::Float, 0.125);
        assert_eq!(scale.settle(1.449_999_999_999_999_7).to_string(), "1.45");
        assert_eq!(scale.settle(0.1 + 0.2).to_string(), "0.3");
        scale.c_end = 0.000_02;
        assert_eq!(scale.settle(0.001_234_567_89), 0.001_234_57);
        scale.max = 0.001_234_567;
        assert_eq!(scale.settle(0.002), scale.max, "a bound has all its digits");
        assert_eq!(margin().settle(99.6), 100.0);
    }

    #[test]
    fn names_that_differ_in_case_only_are_duplicates() {
        let mut other = margin();
        other.name = "MARGIN".into();
        let fault = check(&[margin(), other]).expect_err("a duplicate");
        assert_eq!((fault.0, fault.1), (1, Field::Name));
    }
}
