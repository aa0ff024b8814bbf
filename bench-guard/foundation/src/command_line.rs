//! What the command lines of all tools have in common: numbers with a suffix, wrong values reported
//! like every other error, help in two sizes, and the subcommands for shell completions and manual
//! pages.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Parser, Subcommand};
use clap_complete::Shell;

use crate::{Failure, Printer, failure::OrUnable};

/// Flatten this into a tool's subcommands.
#[derive(Subcommand, Debug, Clone)]
pub enum Artefact {
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write manual pages, one a subcommand
    Man {
        /// Folder to write to
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl Artefact {
    /// Writes the artefact for `tool`, the tool's whole clap description.
    pub fn write(&self, mut tool: Command, printer: Printer) -> Result<(), Failure> {
        match self {
            Self::Completions { shell } => {
                let name = tool.get_name().to_owned();
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut tool, name, &mut script);
                printer.result(String::from_utf8_lossy(&script).trim_end());
                Ok(())
            }
            Self::Man { folder } => write_manual(tool, folder),
        }
    }
}

fn write_manual(tool: Command, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(tool, folder))
        .or_unable(format_args!("write manual pages to `{}`", folder.display()))
}

/// The flags that `-h` shows of a command; `--help` shows all.
pub type Everyday = (&'static str, &'static [&'static str]);

/// Reads a tool's command line, as [`Parser::parse_from`] does.
pub fn read<Tool: Parser>(
    arguments: impl IntoIterator<Item = OsString>,
    everyday: &[Everyday],
) -> Tool {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let tool = adapted(Tool::command(), everyday);
    let read = tool.clone().try_get_matches_from(&arguments);
    read.and_then(|matches| Tool::from_arg_matches(&matches))
        .unwrap_or_else(|error| {
            let is_typed = |flag: &str| {
                let is_it = |word: &OsString| {
                    let word = word.to_string_lossy();
                    let rest = word.strip_prefix(flag);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
                };
                arguments.iter().any(is_it)
            };
            let variable = |flag: &str| variable_of(&tool, flag).filter(|_| !is_typed(flag));
            reworded(error, variable).exit()
        })
}

/// The environment variable that stands for a flag where it is not given.
fn variable_of(tool: &Command, flag: &str) -> Option<String> {
    let is_it = |arg: &&Arg| arg.get_long().is_some() && arg.get_long() == flag.strip_prefix("--");
    let own = tool.get_arguments().filter(is_it).find_map(Arg::get_env);
    own.map(|name| name.to_string_lossy().into_owned())
        .or_else(|| {
            let mut commands = tool.get_subcommands();
            commands.find_map(|command| variable_of(command, flag))
        })
}

/// The description of a tool with help in both sizes, in which a value may begin with a minus sign,
/// so that the error names the value and not an unknown flag.
fn adapted(tool: Command, everyday: &[Everyday]) -> Command {
    let shown = everyday.iter().find(|(name, _)| *name == tool.get_name());
    let shown = shown.map(|(_, flags)| *flags);
    let tool = tool.mut_args(|arg| adapt(arg, shown));
    tool.mut_subcommands(|command| adapted(command, everyday))
}

fn adapt(arg: Arg, shown: Option<&[&str]>) -> Arg {
    let is_hidden = shown
        .is_some_and(|shown| arg.get_long().is_some_and(|long| !shown.contains(&long)))
        || arg.is_hide_short_help_set();
    if !arg.get_action().takes_values() {
        return arg.hide_short_help(is_hidden);
    }
    arg.hide_short_help(is_hidden).allow_negative_numbers(true)
}

const TOO_LARGE: &str = "the number is too large";

/// A whole number, also as `20k`, `2.5M` or `1_000_000`.
///
/// # Errors
/// Says what was expected.
pub fn count<Number: TryFrom<u64>>(text: &str) -> Result<Number, String> {
    let wrong = || "expected a whole number from 0, such as 5000, 20k or 2M".to_owned();
    let plain = text.replace('_', "");
    let (digits, factor) = match plain.trim_end_matches(['k', 'K', 'M', 'm', 'G', 'g']) {
        digits if digits.len() == plain.len() => (digits, 1),
        digits => match &plain[digits.len()..] {
            "k" | "K" => (digits, 1_000),
            "M" | "m" => (digits, 1_000_000),
            "G" | "g" => (digits, 1_000_000_000),
            _ => return Err(wrong()),
        },
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > 9 || !is_number(whole) || !is_number(part) {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| TOO_LARGE.to_owned())?;
    let scale = 10_u64.pow(part.len() as u32);
    let part: u64 = if part.is_empty() {
        0
    } else {
        part.parse().map_err(|_| wrong())?
    };
    if !(part * factor).is_multiple_of(scale) {
        return Err(wrong());
    }
    let number = whole
        .checked_mul(factor)
        .and_then(|it| it.checked_add(part * factor / scale));
    number
        .and_then(|number| Number::try_from(number).ok())
        .ok_or_else(|| TOO_LARGE.to_owned())
}

/// A wrong value in the form of all other errors; other errors stay as they are. `variable` says
/// from where in the environment the value of a flag was taken, if it was.
fn reworded(error: clap::Error, variable: impl Fn(&str) -> Option<String>) -> clap::Error {
    if error.kind() != ErrorKind::ValueValidation {
        return error;
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (Some(argument), Some(value), Some(cause)) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::InvalidValue),
        error.source(),
    ) else {
        return error;
    };
    let flag = argument.split(' ').next().unwrap_or_default();
    let cause = expected(&cause.to_string());
    let given = match variable(flag) {
        Some(variable) => format!("{variable}={value}"),
        None => format!("{flag} {value}"),
    };
    clap::Error::raw(
        ErrorKind::ValueValidation,
        format!("{given}: {cause}\nhint: `--help` says what {flag} takes\n"),
    )
}

/// What the parsers of numbers say, in words for people.
fn expected(cause: &str) -> String {
    if cause.contains("too large") {
        return TOO_LARGE.to_owned();
    }
    if cause.contains("too small") {
        return "the number is too small".to_owned();
    }
    if cause.contains("float") {
        return "expected a number".to_owned();
    }
    if cause.contains("invalid digit") || cause.contains("empty string") {
        return "expected a whole number from 0".to_owned();
    }
    let range = cause.split_once(" is not in ").and_then(|(value, range)| {
        let (low, high) = range.split_once("..")?;
        let high = high.trim_start_matches('=');
        let number = |text: &str| text.parse::<i128>().ok();
        Some([number(value)?, number(low)?, number(high)?])
    });
    match range {
        None => cause.to_owned(),
        // The end of a range that only the machine has.
        Some([value, _, high]) if high >= i128::from(i32::MAX) && value > high => {
            TOO_LARGE.to_owned()
        }
        Some([_, low, high]) if high >= i128::from(i32::MAX) => {
            format!("expected a whole number from {low}")
        }
        Some([_, low, high]) => format!("expected a whole number from {low} to {high}"),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, FromArgMatches as _};

    use super::*;

    #[derive(Parser, Debug)]
    struct Tool {
        #[arg(long, value_parser = count::<u64>)]
        nodes: Option<u64>,
        #[arg(long)]
        seed: Option<u64>,
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=9))]
        few: Option<u32>,
        #[arg(long)]
        depth: Option<u32>,
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        some: Option<u64>,
        #[arg(long)]
        share: Option<f64>,
    }

    fn nodes(value: &str) -> Result<Option<u64>, String> {
        let tool = adapted(Tool::command(), &[]);
        let read = tool.try_get_matches_from(["tool", "--nodes", value]);
        read.and_then(|matches| Tool::from_arg_matches(&matches))
            .map(|tool| tool.nodes)
            .map_err(|error| reworded(error, |_| None).to_string())
    }

    #[test]
    fn numbers_may_have_a_suffix() {
        for (text, number) in [
            ("5000", 5000),
            ("20k", 20_000),
            ("1K", 1000),
            ("2.5M", 2_500_000),
            ("1_000", 1000),
            ("3G", 3_000_000_000),
            ("0", 0),
        ] {
            assert_eq!(nodes(text), Ok(Some(number)), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_reported_with_flag_value_and_what_is_expected() {
        for text in [
            "-5", "1e6", "20kk", "1.0005k", ".5k", "k", "many", "20 000", "1.5",
        ] {
            let reworded = nodes(text).expect_err(text);
            let begins =
                format!("error: --nodes {text}: expected a whole number from 0, such as 5000");
            assert!(
                reworded.starts_with(&begins) && reworded.contains("hint: "),
                "{reworded}"
            );
        }
        for text in ["99999999999999999999", "99999999999G"] {
            assert!(nodes(text).expect_err(text).contains("too large"), "{text}");
        }
    }

    #[test]
    fn every_wrong_value_is_reported_so() {
        let read = |flag: &str, value: &str| {
            let read = adapted(Tool::command(), &[]).try_get_matches_from(["tool", flag, value]);
            reworded(read.expect_err(value), |_| None).to_string()
        };
        let huge = "99999999999999999999";
        for (flag, value, cause) in [
            ("--seed", "-1", "expected a whole number from 0"),
            ("--seed", "", "expected a whole number from 0"),
            ("--seed", huge, "the number is too large"),
            ("--depth", "-1", "expected a whole number from 0"),
            ("--depth", "4294967296", "the number is too large"),
            ("--some", "0", "expected a whole number from 1"),
            ("--few", "10", "expected a whole number from 1 to 9"),
            ("--share", "much", "expected a number"),
            ("--share", "", "expected a number"),
        ] {
            let error = read(flag, value);
            let begins = format!("error: {flag} {value}: {cause}\nhint: ");
            assert!(error.starts_with(&begins), "{error}");
        }
    }

    #[test]
    fn the_short_help_has_the_everyday_flags() {
        let help = |long: bool| {
            let mut tool = adapted(Tool::command().name("tool"), &[("tool", &["nodes"])]);
            let help = if long {
                tool.render_long_help()
            } else {
                tool.render_help()
            };
            help.to_string()
        };
        assert!(help(false).contains("--nodes") && !help(false).contains("--few"));
        assert!(help(true).contains("--few"));
    }
}
