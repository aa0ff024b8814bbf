//! What stands where the value of a name would, and where in it the value is.

use std::ops::Range;

use foundation::Failure;

use crate::formats::location::Source;

use super::argument::{self, Argument};
use super::call;
use super::syntax::{NO_TYPES, expression, is_begun, is_of_word, number_length};
use super::wanted::Wanted;

/// A name in a list, and which of its arguments may be the value.
pub(super) struct Entry<'a> {
    pub(super) list: &'a str,
    pub(super) name: &'a str,
    pub(super) columns: Vec<usize>,
}

/// What stands where the value of a name would.
pub(super) struct Given<'a> {
    pub(super) name: &'a str,
    pub(super) form: Form,
    /// What stands before the list whose arguments may be the value; none where the place is sure.
    pub(super) list: Option<&'a str>,
    arguments: Vec<Argument<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A type, `let` or `#define` stands before the name.
    Declared,
    /// `NAME: 100`, `.NAME = 100` and `"NAME", 100`.
    Field,
    /// An assignment, or the arguments of a macro; a use may look like either.
    Use,
}

impl Given<'_> {
    pub(super) fn first(&self) -> &Argument<'_> {
        &self.arguments[0]
    }

    pub(super) fn columns(&self, wanted: Wanted) -> Vec<usize> {
        argument::columns(&self.arguments, wanted)
    }

    /// Where the value stands. What is not the first number has to be confirmed: by the other entries
    /// of its list, or by the range beside it.
    pub(super) fn place(
        &self,
        source: Source,
        wanted: Wanted,
        entries: &[Entry],
    ) -> Result<Range<usize>, Failure> {
        let Some(list) = self.list else {
            return self.sure_place(source, wanted);
        };
        let is_other = |one: &&Entry| one.list == list && one.name != wanted.name;
        let others: Vec<&Entry> = entries.iter().filter(is_other).collect();
        let is_known = |column: usize| others.iter().any(|one| one.columns == [column]);
        let mut columns = self.columns(wanted);
        if columns.len() > 1 {
            let known: Vec<usize> = columns.iter().copied().filter(|it| is_known(*it)).collect();
            if known.len() == 1 {
                columns = known;
            } else if wanted.value == wanted.start {
                // What stays may be written over anything that it is.
                columns.truncate(1);
            }
        }
        let (name, began) = (wanted.name, wanted.start);
        let fault = match columns.as_slice() {
            [column] => {
                let Argument {
                    text,
                    start,
                    length,
                } = self.arguments[*column];
                let which = format!("argument {} after {name}, {text},", column + 1);
                let mut others = others.iter().filter(|one| !one.columns.is_empty());
                if let Some(other) = others.find(|one| !one.columns.contains(column)) {
                    let (other, its) = (other.name, other.columns[0] + 1);
                    format!("{which} may be its value, but for {other} it is argument {its}")
                } else if is_known(*column) || argument::is_usual(&self.arguments, *column, wanted)
                {
                    return Ok(start..start + length.unwrap_or_default());
                } else {
                    format!("nothing shows that {which} is its value")
                }
            }
            [] => format!("no argument after {name} is its start value, {began}"),
            several => format!(
                "{} arguments after {name} may be its start value, {began}",
                several.len()
            ),
        };
        let start = self.first().start;
        let line = source.text.lines().nth(source.line(start) - 1);
        let line = line.unwrap_or_default().trim();
        Err(source.fault(start, format!("{fault}: `{line}`")).hint(
            "write it by hand, or apply to a file whose values are those of the tune's start",
        ))
    }

    fn sure_place(&self, source: Source, wanted: Wanted) -> Result<Range<usize>, Failure> {
        let Argument {
            text,
            start,
            length,
        } = *self.first();
        if let Some(length) = length.filter(|length| wanted.may_be(&text[..*length])) {
            return Ok(start..start + length);
        }
        let text: Vec<&str> = text.split_whitespace().collect();
        let (name, value) = (wanted.name, wanted.words());
        let message = format!("{name} is `{}`, which is not {value} alone", text.join(" "));
        Err(source
            .fault(start, message)
            .hint("write it by hand, or give it a number in decimal digits alone"))
    }

    /// Whether it could be taken for a value: it is one, or begins with a number.
    pub(super) fn is_candidate(&self, wanted: Wanted) -> bool {
        let Argument { text, length, .. } = *self.first();
        let digits = text.trim_start_matches('-');
        match length {
            Some(length) if wanted.may_be(&text[..length]) => true,
            None if digits.starts_with(|it: char| it.is_ascii_digit()) => true,
            _ => self.list.is_some() && !self.columns(wanted).is_empty(),
        }
    }

    /// Where its last argument begins.
    pub(super) fn end(&self) -> Option<usize> {
        self.arguments.last().map(|last| last.start)
    }

    pub(super) fn contains(&self, other: &Self) -> bool {
        let start = self.first().start;
        (start..start + self.first().text.len()).contains(&other.first().start)
    }
}

/// All that stands so in source, as [`blanked`](super::blanked) leaves it.
pub(super) fn all(code: &str) -> Vec<Given<'_>> {
    let found = words(code).filter_map(|word| given(code, word));
    found.collect()
}

/// The identifiers of a text, as ranges of bytes.
fn words(code: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        loop {
            let begin = start + code[start..].find(is_of_word)?;
            let length = code[begin..]
                .find(|letter| !is_of_word(letter))
                .unwrap_or(code.len() - begin);
            start = begin + length;
            if !code[begin..].starts_with(|letter: char| letter.is_ascii_digit()) {
                return Some(begin..start);
            }
        }
    })
}

/// What stands where a word's value would.
fn given(code: &str, word: Range<usize>) -> Option<Given<'_>> {
    let name = &code[word.clone()];
    let rest = &code[word.end..];
    let (quoted, rest) = match rest.strip_prefix('"') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let before = &code[..word.start - usize::from(quoted)];
    let is_defined = !quoted && before.trim_end().ends_with("#define");
    let is_declared = is_declared(code, word.start);
    if let Some(values) = rest.strip_prefix(',').filter(|_| !is_defined) {
        if !quoted && !call::is_declaring(code, word) {
            return None;
        }
        return Some(Given {
            name,
            form: if quoted { Form::Field } else { Form::Use },
            list: Some(call::name(before)),
            arguments: argument::arguments(code, code.len() - values.len()),
        });
    }
    let (form, value) = if is_defined {
        (Form::Declared, rest)
    } else if let Some(value) = assigned(rest) {
        match is_declared {
            true => (Form::Declared, value),
            false if before.ends_with('.') => (Form::Field, value),
            false => (Form::Use, value),
        }
    } else if let Some(value) = rest.strip_prefix('(').filter(|_| is_declared) {
        // `int Name(100);`, not a function.
        let is_number = is_number(expression(value));
        (Form::Declared, is_number.then_some(value)?)
    } else if let Some(value) = rest.strip_prefix('{') {
        // `int Name{100};`, not the body of what returns a `Name` or is one, and no list.
        let (inner, after) = value.split_once('}')?;
        let is_ended = after.trim_start().starts_with([';', ',']);
        let is_body = inner.contains(';');
        if !is_declared || is_body || !is_ended || inner.contains([',', '"', '{']) {
            return None;
        }
        (Form::Declared, value)
    } else {
        let value = rest.strip_prefix(':')?.trim_start();
        match value.find('=') {
            // A type stands between: `NAME: i32 = 100`.
            Some(place) if value[..place].trim().chars().all(is_of_word) => {
                let form = if is_declared {
                    Form::Declared
                } else {
                    Form::Use
                };
                (form, assigned(&value[place..])?)
            }
            // Neither the width of a field nor what stands after a condition.
            _ if is_declared || !is_begun(before) => return None,
            _ => (Form::Field, value),
        }
    };
    let value = value.trim_start();
    let value = made_of(value).unwrap_or(value);
    let text = if is_defined {
        defined(value)
    } else {
        expression(value)
    };
    let start = code.len() - value.len();
    // `#define NAME (-100)`
    let inner = text.strip_prefix('(').map(expression);
    let (text, start) = match inner.filter(|inner| text.len() == inner.len() + 2) {
        Some(inner) if is_number(inner) => (inner, start + 1),
        _ => (text, start),
    };
    Some(Given {
        name,
        form,
        list: None,
        arguments: vec![Argument::new(text, start)],
    })
}

fn is_number(text: &str) -> bool {
    number_length(text).is_some()
}

/// What `#define` gives a name: the rest of the line, and of those that a backslash continues it in.
fn defined(text: &str) -> &str {
    let ends = text.match_indices('\n').map(|(at, _)| at);
    let mut ends = ends.filter(|at| !text[..*at].trim_end_matches('\r').ends_with('\\'));
    text[..ends.next().unwrap_or(text.len())].trim_end()
}

fn assigned(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix('=')?;
    (!rest.starts_with('=')).then_some(rest)
}

/// What an atomic is made of in Rust: the rest after `AtomicI32::new(`.
fn made_of(value: &str) -> Option<&str> {
    let (name, rest) = value.split_once("::new(")?;
    (name.starts_with("Atomic") && name.chars().all(is_of_word)).then_some(rest)
}

/// Whether a type, `const`, `let` or `#define` stands before the name that begins here.
fn is_declared(code: &str, start: usize) -> bool {
    let before = code[..start].trim_end_matches([' ', '\t', '*', '&']);
    if before.len() == start {
        return false;
    }
    let word = before
        .rsplit(|letter: char| !is_of_word(letter))
        .next()
        .unwrap_or_default();
    // Of a template: `std::atomic<int> Margin`.
    let is_type = !word.is_empty() || before.ends_with('>');
    is_type
        && !word.starts_with(|letter: char| letter.is_ascii_digit())
        && !NO_TYPES.contains(&word)
}
