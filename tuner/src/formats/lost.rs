//! What is lost when a list is read or written in another format.

use foundation::Failure;

use super::location::Source;
use crate::algorithm::schedule::suggested_r_end;
use crate::parameter::{Kind, Parameter, some_of};

/// The names of those that are so, where there are any.
fn names(parameters: &[Parameter], which: impl Fn(&Parameter) -> bool) -> Option<String> {
    let names: Vec<&str> = parameters
        .iter()
        .filter(|parameter| which(parameter))
        .map(|parameter| parameter.name.as_str())
        .collect();
    (!names.is_empty()).then(|| some_of(&names))
}

/// The list has values alone.
pub(super) fn ranges() -> String {
    "the format has no place for ranges, c_end and r_end".to_owned()
}

pub(super) fn choices(parameters: &[Parameter]) -> Option<String> {
    let names = names(parameters, |own| !own.choices.is_empty())?;
    Some(format!(
        "the format knows numbers only, and switches and choices are left out: {names}"
    ))
}

pub(super) fn floats(parameters: &[Parameter]) -> Option<String> {
    let names = names(parameters, |own| own.kind == Kind::Float)?;
    Some(format!(
        "the format knows integers only, and floats are left out: {names}"
    ))
}

/// A list of integers has values that are none.
pub(super) fn fractions(parameters: &[Parameter]) -> Option<String> {
    let is_fraction = |own: &Parameter| own.kind == Kind::Int && own.value.fract() != 0.0;
    let names = names(parameters, is_fraction)?;
    Some(format!(
        "the values of these integers have fractions, and an engine gets them rounded: {names}"
    ))
}

pub(super) fn rates(parameters: &[Parameter]) -> Option<String> {
    let names = names(parameters, |own| own.r_end.is_some())?;
    Some(format!("the format has no place for the r_end of {names}"))
}

/// The list wants rates, and gets the rule's for a run of so many pairs.
pub(super) fn no_rates(parameters: &[Parameter], pairs: u64) -> Option<String> {
    let names = names(parameters, |own| own.r_end.is_none())?;
    let count = parameters.len();
    let rule = suggested_r_end(pairs, count);
    Some(format!(
        "no r_end is given for {names}; wrote {rule}, the rule's for {pairs} pairs and {count} \
         parameters"
    ))
}

pub(super) fn docs(parameters: &[Parameter]) -> Option<String> {
    let names = names(parameters, |own| own.doc.is_some())?;
    Some(format!("the format has no place for the doc of {names}"))
}

/// Parameters that a list keeps from being tuned.
pub(super) fn frozen(names: &[String]) -> Option<String> {
    let names = names.join(", ");
    (!names.is_empty()).then(|| format!("frozen by a gain or step of 0, and left out: {names}"))
}

/// A list that has no such parameter cannot be given its value.
pub(super) fn no_value(source: Source, name: &str) -> Failure {
    Failure::unable(format!("{} has no value for {name}", source.name))
}
