//! `tuner openbench`: a tune on an OpenBench server, from `params.toml` and back.

mod place;
pub(crate) mod plan;
mod prove;
mod source;

use std::ffi::OsString;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer};
use openbench_command::client;
use openbench_command::command::{Fetch, Watch};
use openbench_command::flags::{FieldArgs, ServerArgs, SubmitFlags, TuneArgs};
use place::{in_any_folder, of_engine, whole};
use runs::plan::MatchFlags;
use runs::plan::project_file::overlay;

use crate::formats::Format;
use crate::formats::params_file::{ParamsFile, SpsaKeys};
use crate::parameter::Parameter;

/// What can be done with a tune on a server; `sprt openbench` has the rest.
#[derive(Subcommand, Debug)]
pub(crate) enum OpenbenchCommand {
    /// Submit the parameters of a file as a tune
    Submit(Box<SubmitArgs>),
    /// Follow a tune until it has ended
    Watch(Watch),
    /// Bring a tune's values home, for `tuner apply`
    Fetch(Fetch),
    /// Test the values of a finished tune: fetch, commit on a branch, push, submit
    Prove(Box<prove::ProveArgs>),
}

/// The arguments of `tuner openbench submit`.
#[derive(Args, Debug)]
pub(crate) struct SubmitArgs {
    /// The parameters; `[spsa]` gives the length, `[match]` the limit and options. The folder of a
    /// run hands over its present values and what is left of its pairs
    #[arg(value_name = "PARAMS")]
    params: PathBuf,
    /// Tune these parameters alone, names between commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these parameters out, names between commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    except: Vec<String>,
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    schedule: TuneArgs,
    #[command(flatten)]
    flags: SubmitFlags,
    #[command(flatten)]
    server: ServerArgs,
}

impl OpenbenchCommand {
    pub(crate) fn run(self, printer: Printer) -> Result<Exit, Failure> {
        match self {
            Self::Submit(args) => args.run(printer),
            Self::Prove(args) => args.run(printer),
            Self::Watch(_) | Self::Fetch(_) => Err(client::hand_over(printer)),
        }
    }
}

impl SubmitArgs {
    /// Has the client submit the file as a list of lines. What the file says of the tune stands
    /// before what was typed, so that the latter wins.
    fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let file = source::read(&self.params, &self.only, &self.except, printer)?;
        let mut lines = tempfile::tempfile().or_unable("create a temporary file")?;
        lines
            .write_all(open_lines(&file.parameters).as_bytes())
            .and_then(|()| lines.rewind())
            .or_unable("write a temporary file")?;
        let (fields, lost) = fields_of(&file)?;
        for warning in lost {
            printer.warn(&warning);
        }
        let mut arguments: Vec<OsString> =
            printer.flags().into_iter().map(OsString::from).collect();
        arguments.extend(["submit", "tune", "-"].map(OsString::from));
        arguments.extend(client::typed(&[&schedule_of(&file), &self.schedule])?);
        arguments.extend(client::typed(&[&fields, &self.fields])?);
        let mut flags = self.flags.clone();
        flags.cache = flags.cache.as_deref().map(whole);
        arguments.extend(client::typed(&[&flags])?);
        arguments.extend(client::typed(&[&in_any_folder(&self.server)])?);
        let folder = of_engine(Path::new("."), &self.params);
        Err(client::start(&arguments, Some(lines), folder, printer))
    }
}

/// The parameters as the client reads them, without a learning rate where the file has none: the
/// client knows how long the tune will be, which a preset of the server may say.
fn open_lines(parameters: &[Parameter]) -> String {
    let (text, _) = lines(parameters, 1);
    let lines = text.lines().zip(parameters);
    let lines = lines.map(
        |(line, parameter)| match (parameter.r_end, line.rsplit_once(',')) {
            (None, Some((without_rate, _))) => without_rate,
            _ => line,
        },
    );
    lines.collect::<Vec<_>>().join("\n")
}

/// The parameters as the server reads them, with gains for a tune of so many pairs, and what was
/// lost on the way.
fn lines(parameters: &[Parameter], pairs: u64) -> (String, Vec<String>) {
    let spsa = SpsaKeys {
        iterations: Some(pairs),
        pairs_per_iteration: Some(1),
        ..SpsaKeys::default()
    };
    let written = Format::Openbench.write(parameters, &spsa, pairs.saturating_mul(2));
    // That a list of lines has no place for the documentation is no loss to the file.
    let warnings = written.warnings.into_iter();
    let warnings = warnings.filter(|warning| !warning.contains("for the doc of"));
    (written.content, warnings.collect())
}

/// `[spsa]`, as flags.
fn schedule_of(file: &ParamsFile) -> TuneArgs {
    let spsa = &file.spsa;
    TuneArgs {
        spsa_iterations: spsa.iterations.map(|count| count.to_string()),
        spsa_pairs_per: spsa.pairs_per_iteration.map(|count| count.to_string()),
        spsa_alpha: spsa.alpha.map(|number| number.to_string()),
        spsa_gamma: spsa.gamma.map(|number| number.to_string()),
        spsa_a_ratio: spsa.a_ratio.map(|number| number.to_string()),
        ..TuneArgs::default()
    }
}

/// What `[match]` says of the limit and of the options of every engine, as flags, and what is not handed
/// over.
///
/// # Errors
/// A key has a value of the wrong type, or an option is none.
fn fields_of(file: &ParamsFile) -> Result<(FieldArgs, Vec<String>), Failure> {
    let section = &file.match_section;
    let flags: MatchFlags = overlay(&MatchFlags::default(), section)?;
    let limits = [
        ("tc", flags.tc),
        ("nodes", flags.nodes.map(|count| format!("N={count}"))),
        ("depth", flags.depth.map(|plies| format!("D={plies}"))),
        ("movetime", flags.movetime.map(|ms| format!("MT={ms}"))),
    ];
    let (limit, tc) = limits
        .into_iter()
        .find_map(|(key, value)| Some((key, value?)))
        .unzip();
    let common = MatchFlags {
        threads: flags.threads,
        hash: flags.hash,
        option: flags.option,
        ..MatchFlags::default()
    };
    let is_blank = |text: &str| text.contains(char::is_whitespace);
    let (blank, options): (Vec<_>, Vec<_>) = common
        .options()?
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"))
        .partition(|option| is_blank(option));
    let mut lost = Vec::new();
    if !blank.is_empty() {
        lost.push(format!(
            "a server takes no blanks in options, and these of [match] are not handed over: {}",
            blank.join(", ")
        ));
    }
    let others: Vec<&str> = section
        .keys()
        .map(String::as_str)
        .filter(|key| !["threads", "hash", "option"].contains(key) && limit != Some(*key))
        .collect();
    if !others.is_empty() {
        lost.push(format!(
            "these keys of [match] are not handed over: {}; flags and the presets of the server say what \
             holds there",
            others.join(", ")
        ));
    }
    let fields = FieldArgs {
        tc,
        options: (common != MatchFlags::default()).then(|| options.join(" ")),
        ..FieldArgs::default()
    };
    Ok((fields, lost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::schedule::suggested_r_end;
    use crate::formats::location::Source;

    const FILE: &str = "[params.Margin]\nvalue = 75\nmin = 20\nmax = 200\nc_end = 9.0\nr_end = 0.002\ndoc = 'x'\n\
        [params.Depth]\nvalue = 8\nmin = 1\nmax = 16\nc_end = 0.75\n[params.Switch]\nvalue = 1\nmin = 0\nmax = 1\n\
        [spsa]\niterations = 200\npairs_per_iteration = 4\n[match]\nnodes = 2000\nhash = 32\n";

    fn file() -> ParamsFile {
        let source = Source {
            name: "params.toml",
            text: FILE,
        };
        Format::Toml.read(source, 1).expect("a file").content
    }

    #[test]
    fn a_parameter_file_becomes_the_servers_lines() {
        let (text, warnings) = lines(&file().parameters, 800);
        let all: Vec<&str> = text.lines().collect();
        assert_eq!(all.len(), 2, "switches are not tuned");
        assert_eq!(all[0], "Margin, int, 75, 20, 200, 9, 0.002");
        assert!(all[1].starts_with("Depth, int, 8, 1, 16, 0.75, 0.0"));
        assert!(
            warnings.len() == 1 && warnings[0].contains("r_end"),
            "{warnings:?}"
        );
    }

    #[test]
    fn gains_are_those_for_as_many_pairs_as_the_tune_plays() {
        let mut parameters = file().parameters;
        parameters.retain(|parameter| parameter.r_end.is_none());
        for pairs in [800, 40_000, 25_000 * 8] {
            let rule = suggested_r_end(pairs, 1);
            let (line, _) = lines(&parameters, pairs);
            assert_eq!(line, format!("Depth, int, 8, 1, 16, 0.75, {rule}"));
        }
    }

    #[test]
    fn the_client_fills_in_the_rates_that_the_file_leaves_open() {
        assert_eq!(
            open_lines(&file().parameters),
            "Margin, int, 75, 20, 200, 9, 0.002\nDepth, int, 8, 1, 16, 0.75"
        );
    }

    #[test]
    fn the_sections_of_a_file_are_flags() {
        let schedule = schedule_of(&file());
        assert_eq!(schedule.spsa_iterations.as_deref(), Some("200"));
        assert_eq!(
            (schedule.spsa_pairs_per.as_deref(), schedule.spsa_alpha),
            (Some("4"), None)
        );
        let (fields, lost) = fields_of(&file()).expect("fields");
        assert_eq!(fields.tc.as_deref(), Some("N=2000"));
        assert_eq!(fields.options.as_deref(), Some("Threads=1 Hash=32"));
        assert_eq!(lost, [""; 0]);
    }

    #[test]
    fn a_section_that_says_nothing_of_options_leaves_them_to_the_server() {
        let mut file = file();
        file.match_section = toml::toml! { movetime = 100 };
        let (fields, _) = fields_of(&file).expect("fields");
        assert_eq!(
            (fields.tc.as_deref(), fields.options),
            (Some("MT=100"), None)
        );
        file.match_section = toml::toml! { option = ["Contempt"] };
        let failure = fields_of(&file).expect_err("no option");
        assert!(failure.message().contains("Contempt"), "{failure}");
    }
}
