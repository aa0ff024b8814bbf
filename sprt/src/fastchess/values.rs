//! The values of fastchess's options.

use std::path::PathBuf;

use foundation::Failure;

use super::warnings::Warnings;
use referee::adjudication::{DrawRule, ResignRule};

/// Where games start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Openings {
    pub(crate) file: PathBuf,
    pub(crate) format: Format,
    pub(crate) random: bool,
    /// The place in the order at which the first round begins, from 1.
    pub(crate) start: u64,
    pub(crate) plies: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Epd,
    Pgn,
}

/// Where games go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PgnOut {
    pub(crate) file: PathBuf,
    pub(crate) append: bool,
    /// Lines of engines that are kept beside a move: regular expressions, the last match of each.
    pub(crate) match_lines: Vec<String>,
    /// Whether records tell the options of engines, which fastchess's do not.
    pub(crate) options: bool,
    /// Whether records have no comments, and no tags but those that PGN demands.
    pub(crate) minimal: bool,
}

pub(super) fn number(key: &str, value: &str) -> Result<u64, Failure> {
    value.parse().map_err(|_| {
        Failure::unable(format!(
            "{key}={value}: expected a whole number, not below 0"
        ))
    })
}

/// The words of an option that are `key=value`; the others are warned of.
pub(super) fn pairs<'a>(
    option: &str,
    values: &'a [String],
    warnings: &mut Warnings,
) -> Vec<(&'a str, &'a str)> {
    let mut read = Vec::with_capacity(values.len());
    for word in values {
        match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => read.push((key, value)),
            _ => warnings.unknown(word, option),
        }
    }
    read
}

pub(crate) fn one(values: &[String]) -> Result<&str, Failure> {
    match values {
        [value] => Ok(value),
        _ => Err(Failure::unable(format!(
            "got {} values, expected one",
            values.len()
        ))),
    }
}

pub(crate) fn count(values: &[String]) -> Result<u64, Failure> {
    let value = one(values)?;
    value
        .parse()
        .map_err(|_| Failure::unable(format!("`{value}`: expected a whole number, not below 0")))
}

pub(super) fn small(number: u64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

pub(super) fn at_least_one(option: &str, number: u64) -> Result<u64, Failure> {
    match number {
        0 => Err(Failure::unable(format!("{option} 0: expected at least 1"))),
        number => Ok(number),
    }
}

/// Moves of a rule. A server takes a rule of 0 moves, and hands its test to every worker again that does not
/// play it.
fn movecount(option: &str, value: &str, warnings: &mut Warnings) -> Result<u32, Failure> {
    let count = small(number("movecount", value)?);
    if count == 0 {
        warnings.push(format!("`movecount=0` after {option} is read as 1"));
    }
    Ok(count.max(1))
}

/// Centipawns of a rule, in the range of scores.
fn score(key: &str, value: &str) -> Result<i32, Failure> {
    number(key, value).map(|score| score.try_into().unwrap_or(i32::MAX))
}

pub(crate) fn draw_rule(values: &[String], warnings: &mut Warnings) -> Result<DrawRule, Failure> {
    let mut rule = DrawRule {
        movenumber: 0,
        movecount: 1,
        score: 0,
    };
    for (key, value) in pairs("-draw", values, warnings) {
        match key {
            "movenumber" => rule.movenumber = small(number(key, value)?),
            "movecount" => rule.movecount = movecount("-draw", value, warnings)?,
            "score" => rule.score = score(key, value)?,
            _ => warnings.unknown(format!("{key}={value}"), "-draw"),
        }
    }
    Ok(rule)
}

pub(crate) fn resign_rule(
    values: &[String],
    warnings: &mut Warnings,
) -> Result<ResignRule, Failure> {
    let mut rule = ResignRule {
        movecount: 1,
        score: 0,
        twosided: false,
    };
    for (key, value) in pairs("-resign", values, warnings) {
        match key {
            "movecount" => rule.movecount = movecount("-resign", value, warnings)?,
            "score" => rule.score = score(key, value)?,
            "twosided" => rule.twosided = value == "true",
            _ => warnings.unknown(format!("{key}={value}"), "-resign"),
        }
    }
    Ok(rule)
}

pub(super) fn openings(
    values: &[String],
    warnings: &mut Warnings,
) -> Result<Option<Openings>, Failure> {
    let (mut file, mut format) = (None, None);
    let (mut random, mut start, mut plies) = (false, 1, None);
    for (key, value) in pairs("-openings", values, warnings) {
        match (key, value) {
            ("file", _) => file = Some(PathBuf::from(value)),
            ("format", "epd") => format = Some(Format::Epd),
            ("format", "pgn") => format = Some(Format::Pgn),
            ("format", _) => {
                return Err(Failure::unable(format!(
                    "format={value}: expected epd or pgn"
                )));
            }
            ("order", "random" | "sequential") => random = value == "random",
            ("order", _) => {
                return Err(Failure::unable(format!(
                    "order={value}: expected random or sequential"
                )));
            }
            ("start", _) => start = at_least_one("start", number(key, value)?)?,
            // Of a book of games all moves are played, unless a number is given.
            ("plies", "-1") | ("policy", "round") => {}
            ("plies", _) => plies = Some(small(number(key, value)?)),
            _ => warnings.unknown(format!("{key}={value}"), "-openings"),
        }
    }
    let Some(file) = file else {
        warnings.push("-openings has no file=".to_owned());
        return Ok(None);
    };
    let is_pgn = file
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("pgn"));
    let by_name = if is_pgn { Format::Pgn } else { Format::Epd };
    let format = format.unwrap_or(by_name);
    Ok(Some(Openings {
        file,
        format,
        random,
        start,
        plies,
    }))
}

pub(super) fn pgn_out(
    values: &[String],
    warnings: &mut Warnings,
) -> Result<Option<PgnOut>, Failure> {
    let (mut file, mut append, mut match_lines) = (None, true, Vec::new());
    let (mut options, mut minimal) = (false, false);
    for (key, value) in pairs("-pgnout", values, warnings) {
        match (key, value) {
            ("file", _) => file = Some(PathBuf::from(value)),
            ("append", _) => append = value != "false",
            ("options", _) => options = value == "true",
            ("min", _) => minimal = value == "true",
            ("match_line", _) => {
                regex_lite::Regex::new(value).map_err(|error| {
                    Failure::unable(format!(
                        "match_line={value} is no regular expression: {error}"
                    ))
                })?;
                match_lines.push(value.to_owned());
            }
            // They are always written where the engine says them.
            ("nodes" | "seldepth", _) | ("notation", "san") => {}
            _ => warnings.unknown(format!("{key}={value}"), "-pgnout"),
        }
    }
    let Some(file) = file else {
        warnings.push("-pgnout has no file=".to_owned());
        return Ok(None);
    };
    Ok(Some(PgnOut {
        file,
        append,
        match_lines,
        options,
        minimal,
    }))
}

/// The words of `args=`, between blanks or in quotes; a backslash is a character like any other.
pub(crate) fn arguments(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in text.chars() {
        match (quote, character) {
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == character => quote = None,
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_may_be_quoted() {
        assert_eq!(
            arguments(r#"-a "b c" d\ e '' f'g h'"#),
            ["-a", "b c", "d\\", "e", "", "fg h"]
        );
        assert!(arguments("  ").is_empty());
    }
}
