//! Calls that have a name and a number among their arguments: a macro that gives the name its value
//! stands alone, and a function that uses it stands in an expression.

use std::ops::Range;

use super::syntax::{NO_TYPES, OPERATORS, is_begun, is_of_word};

/// Whether the brackets around a word may give it the value after it.
pub(super) fn is_declaring(code: &str, word: Range<usize>) -> bool {
    let before = code[..word.start].trim_end();
    // A reference, not a value.
    if before.strip_suffix('&').is_some_and(is_begun) {
        return true;
    }
    let is_typed = before.ends_with(is_of_word);
    if !is_typed && !is_begun(before) {
        return false;
    }
    let Some(open) = opening(before) else {
        return true;
    };
    // Neither a tuple, `((Margin, 100), (Other, 5))`, nor what a macro of Rust has in it.
    let is_call = code[..open].trim_end().ends_with(is_of_word);
    let is_argument = opening(&code[..open]).is_some_and(|outer| {
        code[outer..].starts_with('(') && !code[..outer].trim_end().ends_with('!')
    });
    if is_call && is_argument && !is_listed(code, open, word.end) {
        return false;
    }
    if !code[open..].starts_with('(') {
        return true;
    }
    let is_of_path = |letter| is_of_word(letter) || ['!', ':', '.'].contains(&letter);
    let left = code[..open].trim_end().trim_end_matches(is_of_path);
    let left = before_statement(left);
    let last = left.rsplit(|letter| !is_of_word(letter)).next();
    // `int Name = TUNE(Name, 100)`.
    let given = left.strip_suffix('=').map(str::trim_end);
    let is_own = given.is_some_and(|given| {
        given.rsplit(|letter| !is_of_word(letter)).next() == Some(&code[word.clone()])
    });
    let is_operand = left.ends_with(OPERATORS) || last.is_some_and(|last| NO_TYPES.contains(&last));
    let is_used = closing(&code[word.end..])
        .is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with(OPERATORS));
    is_own || !is_operand && !is_used
}

/// Whether beside a call stands another of the same macro, as in `PARAMS(X(A, 1) X(B, 2))`.
fn is_listed(code: &str, open: usize, inside: usize) -> bool {
    let before = code[..open].trim_end();
    let left = before.trim_end_matches(is_of_word);
    let own = &before[left.len()..];
    let is_after = left
        .trim_end()
        .strip_suffix(')')
        .is_some_and(|it| name(it) == own);
    let next = closing(&code[inside..]).and_then(|rest| rest.trim_start().strip_prefix(own));
    is_after || next.is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// What stands before a call in its statement; a line that is a directive or an import is none.
fn before_statement(left: &str) -> &str {
    let begins_a_line = left.trim_end_matches([' ', '\t']).ends_with('\n');
    let left = left.trim_end();
    let line = left.lines().next_back().unwrap_or_default().trim_start();
    let first = line.split(char::is_whitespace).next().unwrap_or_default();
    let is_no_code = line.starts_with('#') || ["import", "from", "use", "using"].contains(&first);
    if begins_a_line && is_no_code {
        ""
    } else {
        left
    }
}

/// The name before the brackets that a text ends in; empty where there is none.
pub(super) fn name(before: &str) -> &str {
    let open = opening(before).unwrap_or_default();
    let is_of_name = |letter| is_of_word(letter) || letter == '!';
    let name = before[..open].trim_end();
    name.rsplit(|letter| !is_of_name(letter))
        .next()
        .unwrap_or_default()
}

/// Where the brackets open that a text ends in.
fn opening(before: &str) -> Option<usize> {
    let mut depth = 0_usize;
    before.rfind(|letter| match letter {
        ')' | ']' | '}' => {
            depth += 1;
            false
        }
        '(' | '[' | '{' if depth > 0 => {
            depth -= 1;
            false
        }
        '(' | '[' | '{' => true,
        _ => false,
    })
}

/// What follows the brackets that a text begins in.
fn closing(after: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let end = after.find(|letter| match letter {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' | ']' | '}' if depth > 0 => {
            depth -= 1;
            false
        }
        ')' | ']' | '}' => true,
        _ => false,
    })?;
    Some(&after[end + 1..])
}
