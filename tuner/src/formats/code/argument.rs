//! The arguments after a name. Which of them is its value, only the value tells that it has.

use super::syntax::{expression, number_length, switch_length};
use super::wanted::{SWITCH, Wanted};

/// An expression, and where it begins.
pub(super) struct Argument<'a> {
    pub text: &'a str,
    pub start: usize,
    /// The length of the number, true or false that the expression is; none where it is more, or
    /// something else.
    pub length: Option<usize>,
}

impl<'a> Argument<'a> {
    pub(super) fn new(text: &'a str, start: usize) -> Self {
        let length = switch_length(text).or_else(|| number_length(text));
        Self {
            text,
            start,
            length,
        }
    }

    /// Whether it is a number, or an expression that begins with one.
    fn is_numeric(&self) -> bool {
        let digits = self.text.trim_start_matches(['-', '(']);
        self.length.is_some() || digits.starts_with(|letter: char| letter.is_ascii_digit())
    }

    fn number(&self, wanted: Wanted) -> Option<f64> {
        let text = &self.text[..self.length?];
        match SWITCH.iter().position(|word| *word == text) {
            _ if !wanted.may_be(text) => None,
            Some(index) => Some(index as f64),
            None => text.replace(['_', '\''], "").parse().ok(),
        }
    }
}

/// The expressions between commas that the end of a text begins with.
pub(super) fn arguments(code: &str, mut start: usize) -> Vec<Argument<'_>> {
    let mut found = Vec::new();
    loop {
        let rest = code[start..].trim_start();
        let text = expression(rest);
        start = code.len() - rest.len();
        found.push(Argument::new(text, start));
        match rest[text.len()..].trim_start().strip_prefix(',') {
            Some(rest) => start = code.len() - rest.len(),
            None => return found,
        }
    }
}

/// The arguments that are the start value, or where none is, the new one, which may have been written
/// already. Where the range stands among them, it does so without the value, too.
pub(super) fn columns(arguments: &[Argument], wanted: Wanted) -> Vec<usize> {
    let numbers: Vec<Option<f64>> = arguments.iter().map(|one| one.number(wanted)).collect();
    let has_range = |without: Option<usize>| {
        let others = numbers.iter().enumerate();
        let mut others = others.filter(|(index, _)| Some(*index) != without);
        let mut bounds = wanted.bounds.into_iter();
        bounds.all(|bound| others.any(|(_, one)| *one == Some(bound)))
    };
    let is_ranged = has_range(None);
    let of = |value: f64| -> Vec<usize> {
        (0..numbers.len())
            .filter(|index| numbers[*index] == Some(value))
            .filter(|index| !is_ranged || has_range(Some(*index)))
            .collect()
    };
    let found = of(wanted.start);
    if found.is_empty() {
        of(wanted.value)
    } else {
        found
    }
}

/// Whether an argument stands where macros have a default: it is the first number, or stands beside
/// or between the tune's bounds as in `20, 100, 0, 400`, `0, 100, 400` and `0, 400, 100`.
pub(super) fn is_usual(arguments: &[Argument], column: usize, wanted: Wanted) -> bool {
    let first = arguments.iter().position(Argument::is_numeric);
    let has = |bounds: [usize; 2]| {
        let number = |index: usize| arguments.get(index).and_then(|one| one.number(wanted));
        bounds.map(number) == wanted.bounds.map(Some)
    };
    let begins_with = |bounds: [usize; 2]| first == Some(bounds[0]) && has(bounds);
    let ends = !arguments[column + 1..].iter().any(Argument::is_numeric);
    // A number after `0, 400, 100` may be a default just as well.
    first == Some(column)
        || has([column + 1, column + 2])
        || column >= 1 && begins_with([column - 1, column + 1])
        || column >= 2 && ends && begins_with([column - 2, column - 1])
}
