//! `tuner init`: a complete parameter file, from what the engine says about itself.

use std::path::{Path, PathBuf};

use bench_guard::settings::PARAMETERS;
use clap::Args;
use engine_client::{OptionKind, UciOption};
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer, counted, files, process::command_on, run_folder};
use runs::plan::MatchFlags;
use runs::plan::project_file::LIMITS;

use crate::checks::conformance::switch::is_harmless;
use crate::checks::printed_list;
use crate::commands::engine_folder;
use crate::commands::settings::{Conditions, start_engine};
use crate::formats::params_file::SpsaKeys;
use crate::formats::to_text;
use crate::parameter::{Kind, MOST_CHOICES, Parameter};

/// Options that change how an engine runs, not how well it thinks.
const NOT_TUNED: [&str; 16] = [
    "hash",
    "threads",
    "multipv",
    "ponder",
    "move overhead",
    "moveoverhead",
    "slow mover",
    "minimum thinking time",
    "skill level",
    "contempt",
    "nodestime",
    "syzygyprobedepth",
    "syzygyprobelimit",
    "syzygy probe depth",
    "syzygy probe limit",
    "clear hash",
];
/// The limit of games where none is given.
const USUAL_NODES: i64 = 5000;
/// c is the range divided by this where the engine does not say better.
const USUAL_PARTS: f64 = 20.0;

/// The arguments of `tuner init`.
#[derive(Args, Clone, Debug)]
pub(crate) struct InitArgs {
    /// The engine: a program, a git revision, or a folder with a Makefile [default: `engine` in
    /// [tuner] of whetstone.toml, or else the folder with a Makefile that this is]
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Write to this file, which must not exist [default: print]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Pin the learning rate of `--algorithm classic`; without it a rule from pairs and parameters
    /// is better
    #[arg(long, value_name = "RATE")]
    pub r_end: Option<f64>,
    #[command(flatten)]
    pub play: MatchFlags,
}

pub(crate) async fn run(args: InitArgs, printer: Printer) -> Result<Exit, Failure> {
    if let Some(out) = args.out.as_ref().filter(|out| out.exists()) {
        return Err(
            Failure::unable(format!("`{}` exists already", out.display()))
                .hint("name another file with --out"),
        );
    }
    let found = Conditions::resolve(&args.play, &toml::Table::new())?;
    let source = match args.engine.clone().or(found.engine) {
        Some(source) => source,
        None => engine_folder::find(Path::new("."), printer)?,
    };
    let (engine, options) = start_engine(&source, found.settings, &found.play, printer).await?;
    if let Some(rate) = args.r_end
        && !(rate.is_finite() && rate > 0.0)
    {
        return Err(Failure::unable(format!(
            "--r-end is {rate}, not a positive, finite number"
        )));
    }
    let printed = printed_list::read(&engine.command)
        .await
        .unwrap_or_else(|failure| {
            printer.warn(&format!("not taken: {}", failure.message()));
            None
        });
    // A list that the engine prints is its author's choice.
    let unlisted = if printed.is_some() { &[] } else { &options[..] };
    let (mut parameters, origin) = match printed {
        Some((parameters, warnings)) => {
            for warning in &warnings {
                printer.warn(warning);
            }
            (parameters, "what the engine's own `spsa` command prints")
        }
        None => (
            from_options(&options),
            "the engine's UCI options; c_end is a twentieth of each range",
        ),
    };
    let harmless = harmless(unlisted);
    if !harmless.is_empty() {
        printer.note(&format!(
            "left out, since no search heeds options of such names: {}",
            harmless.join(", ")
        ));
    }
    let too_many = with_too_many_choices(unlisted);
    if !too_many.is_empty() {
        printer.warn(&format!(
            "left out, since at most {MOST_CHOICES} choices can be tuned: {}; add [params.NAME] with \
             `value` and some of its `choices`",
            too_many.join(", ")
        ));
    }
    let faults = faults(unlisted);
    if !faults.is_empty() {
        printer.warn(&format!(
            "left out, since they cannot be tuned as the engine describes them: {}",
            faults.join("; ")
        ));
    }
    if parameters.is_empty() {
        return Err(
            Failure::unable(format!("`{source}` has no option to tune")).hint(
                "it must offer its parameters as UCI options of type spin, check or combo, or string \
                 with a number; if only a special build offers them, name its program with --engine, or let `build` in \
                 [bench-guard] of whetstone.toml make it",
            ),
        );
    }
    // Engines print the 0.002 of OpenBench's form, which costs short runs a third of what they
    // could gain.
    for parameter in &mut parameters {
        parameter.r_end = args.r_end;
    }
    // What the project file says stands behind this one, and need not be said again.
    let mut games = toml::Table::new();
    if let Some(engine) = args.engine {
        let engine = match &args.out {
            Some(out) => seen_from(files::folder(out), engine)?,
            None => engine,
        };
        games.insert("engine".to_owned(), engine.into());
    }
    let typed = toml::Table::try_from(&args.play).or_unable("write the limit as TOML")?;
    let typed_limits = typed
        .into_iter()
        .filter(|(key, _)| LIMITS.contains(&key.as_str()));
    games.extend(typed_limits);
    if !found.has_limit && games.keys().all(|key| !LIMITS.contains(&key.as_str())) {
        games.insert("nodes".to_owned(), USUAL_NODES.into());
    }
    let file = text(&parameters, origin, &games);
    match &args.out {
        Some(out) => {
            run_folder::write_output(out, &file)?;
            printer.note(&format!(
                "wrote {} with {}; next: {}",
                out.display(),
                counted(parameters.len(), "parameter"),
                command_on("tuner lint", out)
            ));
        }
        None => printer.result(file.trim_end()),
    }
    Ok(Exit::Yes)
}

/// The options that are not known to be machinery.
fn tunable(options: &[UciOption]) -> impl Iterator<Item = &UciOption> {
    let options = options.iter().filter(|option| !is_machinery(option));
    options.filter(|option| !is_harmless_switch(option))
}

fn is_machinery(option: &UciOption) -> bool {
    let name = option.name.to_lowercase();
    NOT_TUNED.contains(&name.as_str()) || name.starts_with("uci_")
}

fn is_harmless_switch(option: &UciOption) -> bool {
    let is_switch = matches!(
        option.kind,
        OptionKind::Check { .. } | OptionKind::Combo { .. }
    );
    is_switch && is_harmless(&option.name)
}

/// Switches and choices that are left out for a part of their names alone.
fn harmless(options: &[UciOption]) -> Vec<&str> {
    options
        .iter()
        .filter(|option| !is_machinery(option) && is_harmless_switch(option))
        .map(|option| option.name.as_str())
        .collect()
}

fn with_too_many_choices(options: &[UciOption]) -> Vec<&str> {
    let has = |kind: &OptionKind| matches!(kind, OptionKind::Combo { choices, .. } if choices.len() > MOST_CHOICES);
    tunable(options)
        .filter(|option| has(&option.kind))
        .map(|option| option.name.as_str())
        .collect()
}

/// What is wrong with those that cannot be tuned, although they have several values, and not too many.
fn faults(options: &[UciOption]) -> Vec<String> {
    tunable(options)
        .filter_map(parameter)
        .filter(|own| own.min != own.max && own.choices.len() <= MOST_CHOICES)
        .filter_map(|parameter| Some(parameter.fault()?.1))
        .collect()
}

/// All of them that hold a number, or have a few values.
fn from_options(options: &[UciOption]) -> Vec<Parameter> {
    tunable(options)
        .filter_map(parameter)
        .filter(|parameter| parameter.fault().is_none())
        // Some engines advertise an option twice, which makes no file.
        .fold(Vec::new(), |mut found: Vec<Parameter>, parameter| {
            let same = |earlier: &Parameter| earlier.name.eq_ignore_ascii_case(&parameter.name);
            if !found.iter().any(same) {
                found.push(parameter);
            }
            found
        })
}

fn parameter(option: &UciOption) -> Option<Parameter> {
    match &option.kind {
        OptionKind::Check { default } => {
            let choices = ["false", "true"].map(str::to_owned);
            let start = usize::from(*default);
            Some(Parameter::choice(
                option.name.clone(),
                choices.to_vec(),
                start,
            ))
        }
        OptionKind::Combo { default, choices } => {
            let mut known = choices.iter();
            let start = known.position(|choice| choice.eq_ignore_ascii_case(default))?;
            Some(Parameter::choice(
                option.name.clone(),
                choices.clone(),
                start,
            ))
        }
        _ => number(option),
    }
}

fn number(option: &UciOption) -> Option<Parameter> {
    let (kind, value, min, max) = match &option.kind {
        OptionKind::Spin { default, min, max } => {
            (Kind::Int, *default as f64, *min as f64, *max as f64)
        }
        OptionKind::String { default } => {
            let value: f64 = default
                .trim()
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())?;
            let kind = if default.contains(['.', 'e', 'E']) {
                Kind::Float
            } else {
                Kind::Int
            };
            // Nothing is said about the range; twice the value is as good a guess as any.
            let reach = if value == 0.0 { 1.0 } else { value.abs() };
            (kind, value, value - reach, value + reach)
        }
        _ => return None,
    };
    Some(Parameter {
        name: option.name.clone(),
        kind,
        value,
        min,
        max,
        c_end: ((max - min) / USUAL_PARTS).max(kind.smallest_c()),
        r_end: None,
        doc: None,
        choices: Vec::new(),
    })
}

/// The name of an engine in a file of this folder: paths in it start from there.
fn seen_from(folder: &Path, engine: String) -> Result<String, Failure> {
    let canonical = |path: &Path| {
        path.canonicalize()
            .or_unable(format_args!("find `{}`", path.display()))
    };
    let (folder, here) = (canonical(folder)?, canonical(Path::new("."))?);
    // A git revision and a program on the search path are no paths.
    if folder == here || Path::new(&engine).is_absolute() || !Path::new(&engine).exists() {
        return Ok(engine);
    }
    // Not resolved: a link is the engine that is meant.
    let path = std::path::absolute(&engine).or_unable(format_args!("find `{engine}`"))?;
    Ok(match path.strip_prefix(&folder) {
        Ok(inside) => format!("./{}", inside.display()),
        Err(_) => path.display().to_string(),
    })
}

fn text(parameters: &[Parameter], origin: &str, games: &toml::Table) -> String {
    let spsa = SpsaKeys {
        iterations: Some(5000),
        pairs_per_iteration: Some(8),
        ..SpsaKeys::default()
    };
    let tables = to_text(parameters, &spsa);
    format!(
        "{PARAMETERS}{origin}.
#
# value   where the tune starts; `tuner apply` writes the tuned value here
# min,max how far it may go
# c_end   half the distance of the two sides of a pair at the end of the run; worth some Elo
# r_end   learning rate at the end of the run; without it, a rule from pairs and parameters
# choices the values of a switch or of a choice without an order, 2 to 6
#
# Entries without c_end, r_end and choices are not tuned: take these away, or the table. Then:
#   tuner lint FILE      what is wrong with these, or with the engine?
#   tuner screen FILE    which parameters do anything, and is each c of the right size?
#   tuner plan FILE      what can this budget find, and when?
#   tuner spsa FILE

{tables}
[match]
{games}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Format;
    use crate::formats::location::Source;

    fn options(lines: &[&str]) -> Vec<UciOption> {
        lines
            .iter()
            .filter_map(|line| UciOption::parse(line))
            .collect()
    }

    #[test]
    fn options_with_wrong_figures_are_named() {
        let options = options(&[
            "name Rev type spin default 5 min 9 max 1",
            "name Out type spin default 50 min 0 max 9",
            "name Com,ma type spin default 5 min 0 max 9",
            "name Fixed type spin default 3 min 3 max 3",
            "name Fine type spin default 3 min 0 max 9",
        ]);
        let expected = [
            "Rev: min 9 is above max 1",
            "Out: value 50 is outside [0, 9]",
            "`Com,ma` cannot be the name of an option",
        ];
        assert_eq!(faults(&options), expected);
        assert_eq!(from_options(&options).len(), 1);
    }

    #[test]
    fn numbers_are_taken_and_machinery_is_left_out() {
        let options = options(&[
            "name UseLogReductions type check default true",
            "name Hash type spin default 16 min 1 max 1024",
            "name UCI_Elo type spin default 1500 min 1000 max 3000",
            "name Margin type spin default 100 min 0 max 400",
            "name margin type spin default 90 min 0 max 400",
            "name UseMargin type spin default 1 min 0 max 1",
            "name Scale type string default 1.5",
            "name Depth type string default 7",
            "name Tiny type string default 1e-3",
            "name BookFile type string default book.bin",
            "name Fixed type spin default 3 min 3 max 3",
            "name Ponder type check default false",
            "name Clear Hash type button",
            "name UseNull type check default true",
            "name Style type combo default bold var calm var bold",
            "name Analysis Contempt type combo default Off var Off var White",
            "name Net type combo default 1 var 1 var 2 var 3 var 4 var 5 var 6 var 7",
        ]);
        let found = from_options(&options);
        assert_eq!(
            harmless(&options),
            ["UseLogReductions", "Analysis Contempt"]
        );
        let names: Vec<(&str, Kind, f64)> = found
            .iter()
            .map(|p| (p.name.as_str(), p.kind, p.c_end))
            .collect();
        assert_eq!(
            names,
            [
                ("Margin", Kind::Int, 20.0),
                ("UseMargin", Kind::Int, 0.5),
                ("Scale", Kind::Float, 0.15),
                ("Depth", Kind::Int, 0.7),
                ("Tiny", Kind::Float, 0.0001),
                ("UseNull", Kind::Int, 0.5),
                ("Style", Kind::Int, 0.5),
            ]
        );
        let texts: Vec<String> = found[5..].iter().map(|own| own.text(own.value)).collect();
        assert_eq!(texts, ["true", "bold"]);
        let games = toml::toml! { engine = "./my \"engine\"" };
        let text = text(&found, "options", &games);
        let source = Source {
            name: "f",
            text: &text,
        };
        let file = Format::Toml.read(source, 1).expect("a valid file").content;
        assert_eq!(file.parameters, found);
        assert_eq!(
            file.match_section["engine"].as_str(),
            Some("./my \"engine\"")
        );
    }
}
