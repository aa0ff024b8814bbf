//! What the commands that start an engine have in common: from flags and file to parameters, games
//! and an engine.

use std::path::{Path, PathBuf};

use clap::Args;
use engine_client::{Engine, Limit, UciOption};
use foundation::{Failure, Printer};
use runs::plan::MatchFlags;
use runs::plan::contender::{Contender, Trial};
use runs::plan::project_file::{LIMITS, is_known, overlay, project_section, start_paths_from};
use runs::plan::{EngineSettings, Entry, PlayPlan};

use crate::algorithm::AlgorithmName;
use crate::algorithm::schedule::Schedule;
use crate::checks::options::{default_of, other_default};
use crate::checks::prober::Questions;
use crate::commands::engine_folder;
use crate::formats::location::Source;
use crate::formats::params_file::ParamsFile;
use crate::formats::{Format, encoding};
use crate::parameter::{Parameter, nearest};

/// The key that names the engine in files.
const ENGINE: &str = "engine";

/// A parameter file and the engine it is for.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineArgs {
    /// The parameters, with the sections `spsa` and `match`
    #[arg(value_name = "PARAMS")]
    pub params: PathBuf,
    /// The engine: a program, a git revision, or a folder with a Makefile [default: `engine` in the
    /// file or in [tuner] of whetstone.toml, or else the folder with a Makefile that holds PARAMS]
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Take these parameters only, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Leave these parameters out, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub except: Vec<String>,
    #[command(flatten)]
    pub play: MatchFlags,
}

/// All of it, resolved.
pub(crate) struct Settings {
    pub file: ParamsFile,
    pub play: PlayPlan,
    pub engine: Contender,
    /// What the engine advertises.
    pub options: Vec<UciOption>,
    /// Whether a flag or a file gives the seed; it is a new one otherwise.
    pub has_seed: bool,
}

/// Reads and checks a parameter file.
pub(crate) fn read_params(
    path: &Path,
    only: &[String],
    except: &[String],
    printer: Printer,
) -> Result<ParamsFile, Failure> {
    let name = path.display().to_string();
    let (text, _) = encoding::read(path).map_err(|failure| match failure.next_step() {
        Some(_) => failure,
        None => failure.hint("`tuner init --engine ENGINE` writes such a file"),
    })?;
    let source = Source {
        name: &name,
        text: &text,
    };
    let read = Format::of(&text).read(source, 2 * Schedule::default().pairs())?;
    for warning in &read.warnings {
        printer.warn(warning);
    }
    let mut file = read.content;
    let folder = path.parent().unwrap_or(Path::new(""));
    start_paths_from(folder, &mut file.match_section)?;
    file.left_out = select(&mut file.parameters, only, except, &name)?;
    Ok(file)
}

/// Keeps the parameters that `--only` and `--except` leave, and returns the others.
pub(crate) fn select(
    parameters: &mut Vec<Parameter>,
    only: &[String],
    except: &[String],
    file: &str,
) -> Result<Vec<Parameter>, Failure> {
    let known: Vec<&str> = parameters.iter().map(|own| own.name.as_str()).collect();
    let tunes = format!("`{file}` tunes no such parameter");
    check_names("--only", only, &known, &tunes)?;
    check_names("--except", except, &known, &tunes)?;
    let left_out = parameters
        .extract_if(.., |own| !is_chosen(only, except, own))
        .collect();
    if parameters.is_empty() {
        return Err(Failure::unable(format!(
            "--except leaves none of the parameters of `{file}`"
        )));
    }
    Ok(left_out)
}

/// Whether `--only` and `--except` leave a parameter.
pub(crate) fn is_chosen(only: &[String], except: &[String], parameter: &Parameter) -> bool {
    let is_in = |names: &[String]| names.iter().any(|name| is_named(name, parameter));
    (only.is_empty() || is_in(only)) && !is_in(except)
}

/// Whether a parameter is the one that a name in a list means.
pub(crate) fn is_named(name: &str, parameter: &Parameter) -> bool {
    parameter.name.eq_ignore_ascii_case(name.trim())
}

/// Fails where a flag names what is none of the `known` ones, with the words `otherwise`.
pub(crate) fn check_names(
    flag: &str,
    names: &[String],
    known: &[&str],
    otherwise: &str,
) -> Result<(), Failure> {
    let is_known = |name: &str| known.iter().any(|own| own.eq_ignore_ascii_case(name));
    let mut names = names.iter().map(|name| name.trim());
    let Some(unknown) = names.find(|name| !is_known(name)) else {
        return Ok(());
    };
    let failure = Failure::unable(format!("{flag} '{unknown}': {otherwise}"));
    Err(match nearest(unknown, known.iter().copied()) {
        Some(name) => failure.hint(format!("did you mean `{name}`?")),
        None => failure.hint("an entry needs `c_end` or `choices` to be tuned"),
    })
}

/// The option `NAME=VALUE` that gives this parameter a value.
fn value_given<'a>(given: &'a [String], name: &str) -> Option<&'a String> {
    given.iter().find(|option| {
        let given = option.split('=').next().unwrap_or_default();
        given.trim().eq_ignore_ascii_case(name)
    })
}

/// Fails where an option gives a value to a parameter whose values are those of a tune.
pub(crate) fn check_unfixed<'a>(
    given: &[String],
    mut tuned: impl Iterator<Item = &'a str>,
) -> Result<(), Failure> {
    let fixed = tuned.find_map(|name| Some((name, value_given(given, name)?)));
    let Some((name, option)) = fixed else {
        return Ok(());
    };
    let message = format!("the option `{option}` would fix {name}, which is tuned");
    Err(Failure::unable(message).hint(format!(
        "leave the option out; a tune with `--except {name}` keeps a fixed value"
    )))
}

impl EngineArgs {
    /// The parameters of the file that are not left out.
    pub(crate) fn read_params(&self, printer: Printer) -> Result<ParamsFile, Failure> {
        read_params(&self.params, &self.only, &self.except, printer)
    }

    pub(crate) async fn resolve(&self, printer: Printer) -> Result<Settings, Failure> {
        let file = self.read_params(printer)?;
        let found = Conditions::resolve(&self.play, &file.match_section)?;
        check_unfixed(&found.given, file.parameters.iter().map(|own| &*own.name))?;
        let given = found.given.clone();
        let settings = self.start(file, found, printer).await?;
        let ParamsFile {
            left_out, fixed, ..
        } = &settings.file;
        let left_out = left_out.iter().filter_map(|own| {
            let default = other_default(own, &settings.options)?;
            Some((&own.name, own.text(own.value), default))
        });
        let fixed = fixed.iter().filter_map(|(name, value)| {
            let value = (*value)?;
            let named = |option: &&UciOption| option.name.eq_ignore_ascii_case(name);
            let default = default_of(settings.options.iter().find(named)?)?;
            let is_other = default.parse().is_ok_and(|default: f64| default != value);
            is_other.then(|| (name, value.to_string(), default))
        });
        for (name, value, default) in left_out.chain(fixed) {
            if value_given(&given, name).is_none() {
                printer.warn(&format!(
                    "{name} plays at the engine's default, {default}; the file has {value}: \
                     `--option {name}={value}` plays that"
                ));
            }
        }
        Ok(settings)
    }

    /// The same where nothing is tuned: an option may fix a parameter.
    pub(crate) async fn resolve_fixed(&self, printer: Printer) -> Result<Settings, Failure> {
        let file = self.read_params(printer)?;
        let found = Conditions::resolve(&self.play, &file.match_section)?;
        self.start(file, found, printer).await
    }

    async fn start(
        &self,
        file: ParamsFile,
        found: Conditions,
        printer: Printer,
    ) -> Result<Settings, Failure> {
        let source = match self.engine.clone().or(found.engine) {
            Some(source) => source,
            None => engine_folder::find(&self.params, printer)?,
        };
        let (engine, options) = start_engine(&source, found.settings, &found.play, printer).await?;
        Ok(Settings {
            file,
            play: found.play,
            engine,
            options,
            has_seed: found.has_seed,
        })
    }
}

/// How games are played, and with what.
pub(crate) struct Conditions {
    pub play: PlayPlan,
    /// The settings of every engine.
    pub settings: EngineSettings,
    /// The options that flags or files give, as `NAME=VALUE`.
    pub given: Vec<String>,
    /// The engine that a file names.
    pub engine: Option<String>,
    /// Whether a file gives a limit.
    pub has_limit: bool,
    /// Whether a flag or a file gives the seed.
    pub has_seed: bool,
}

impl Conditions {
    /// From flags, over a parameter file's section `match`, over the section `tuner` of the project
    /// file.
    pub(crate) fn resolve(flags: &MatchFlags, section: &toml::Table) -> Result<Self, Failure> {
        let project = project_section("tuner", "tuner spsa --help", |key| {
            key == ENGINE || is_known::<MatchFlags>(key)
        })?;
        let mut section: toml::Table = overlay(section, &project)?;
        let engine = match section.remove(ENGINE) {
            None => None,
            Some(toml::Value::String(engine)) => Some(engine),
            Some(other) => {
                return Err(Failure::unable(format!(
                    "`engine` in [match] or in whetstone.toml is {other}, not a string"
                )));
            }
        };
        let has_limit = LIMITS.iter().any(|limit| section.contains_key(*limit));
        let flags = overlay(flags, &section)?;
        let (mut play, settings) = (flags.resolve()?, flags.settings()?);
        flags.fit_to(&mut play, &[&settings, &settings])?;
        Ok(Self {
            has_limit,
            has_seed: flags.seed.is_some(),
            play,
            settings,
            given: flags.option,
            engine,
        })
    }
}

/// Builds the engine where it has to be built, and asks what options it has.
pub(crate) async fn start_engine(
    source: &str,
    settings: EngineSettings,
    play: &PlayPlan,
    printer: Printer,
) -> Result<(Contender, Vec<UciOption>), Failure> {
    let (variant, timeouts) = (play.variant()?, play.timeouts());
    let entry = Entry {
        source: source.to_owned(),
        settings,
        ..Entry::default()
    };
    let trial = Trial {
        limit: None,
        ..play.trial()?
    };
    let engine = Contender::resolve(&entry, &trial, printer).await?;
    let process = Engine::start(&engine.launch(variant), timeouts).await?;
    let options = process.options.clone();
    process.quit().await;
    Ok((engine, options))
}

/// The shape of the run; flags override the file's section `spsa`.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Tune")]
pub(crate) struct GainFlags {
    /// Iterations [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: Option<u64>,
    /// Pairs of games that advance the schedule by one iteration [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs_per_iteration: Option<u64>,
    /// How the run learns
    #[arg(long, value_enum, default_value_t)]
    pub algorithm: AlgorithmName,
}

impl GainFlags {
    pub(crate) fn over(self, mut schedule: Schedule) -> Schedule {
        schedule.iterations = self.iterations.unwrap_or(schedule.iterations);
        schedule.pairs_per_iteration = self
            .pairs_per_iteration
            .unwrap_or(schedule.pairs_per_iteration);
        schedule
    }
}

/// How the engine is probed.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Probe")]
pub(crate) struct ProbeFlags {
    /// Search positions to this depth
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub probe_depth: u32,
    /// Positions, from the book
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub positions: u64,
}

/// Without `--seed`, a command that only probes asks the same positions each time.
const PROBE_SEED: u64 = 1;

impl ProbeFlags {
    pub(crate) fn questions(
        self,
        args: &EngineArgs,
        settings: &Settings,
    ) -> Result<Questions, Failure> {
        self.questions_to(&settings.engine, args, &settings.play)
    }

    /// The same for an engine with settings of its own.
    pub(crate) fn questions_to(
        self,
        engine: &Contender,
        args: &EngineArgs,
        play: &PlayPlan,
    ) -> Result<Questions, Failure> {
        let mut play = play.clone();
        play.book.reading.seed = args.play.seed.unwrap_or(PROBE_SEED);
        let limit = Limit::depth(self.probe_depth);
        Questions::new(engine.launch(play.variant()?), &play, limit, self.positions)
    }
}
