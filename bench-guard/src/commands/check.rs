//! `bench-guard check [RANGE]`.

mod rules;

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::project::Project;
use crate::{
    check::{Benches, Report, Request, check},
    proof::{Journals, Required},
    report::{self, Format, FormatArgs, markdown},
    repository::Range,
};
use foundation::{Exit, Failure, Printer, failure::OrUnable};

#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// `A..B`, or one commit [default: commits that are not on the upstream branch, or not on any remote one; HEAD if there are none]
    #[arg(value_name = "RANGE")]
    pub(crate) range: Option<String>,
    /// Check the whole history of the given commit
    #[arg(long)]
    pub(crate) all: bool,
    /// Read messages, build nothing
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Require the proof of a passed test in each functional commit
    #[arg(long, value_enum, value_name = "PROOF")]
    require: Option<Required>,
    /// Short for --require block
    #[arg(long, conflicts_with = "require")]
    require_sprt: bool,
    /// Recompute proofs from the games of the runs in this folder
    #[arg(long, value_name = "DIR", requires = "require")]
    journals: Option<PathBuf>,
    /// Build both sides of commits that touch only files that need no bench, and compare
    #[arg(long, conflicts_with = "no_build")]
    pub prove_ignored: bool,
    /// Build and bench each tree anew and apart from the others, whatever is in the cache
    #[arg(long, conflicts_with = "no_build")]
    pub(crate) fresh: bool,
    /// Take the rules from the whetstone.toml of this commit, like the target of a pull request
    #[arg(long, value_name = "REV")]
    pub rules_from: Option<String>,
    /// Build and bench this variant of whetstone.toml too, or all; it must have the engine's bench
    #[arg(long, value_name = "NAME|all", conflicts_with = "no_build")]
    variant: Vec<String>,
    /// Search again after `ucinewgame`, after a bench and in another process; all must be the same
    #[arg(long, conflicts_with = "no_build")]
    repro: bool,
    /// Fail on `silent` and `insensitive` too, and on `paths` that match no file
    #[arg(long)]
    pub(crate) strict: bool,
    /// Benches run at once [default: `runs` of whetstone.toml, or one a core]
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<usize>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

pub(crate) fn run(args: &CheckArgs, printer: Printer) -> Result<Exit, Failure> {
    if args.journals.is_some() && args.require != Some(Required::Run) {
        return Err(
            Failure::unable("--journals recomputes nothing of such a proof")
                .hint("--require run has proofs that name a run"),
        );
    }
    let mut project = match &args.rules_from {
        Some(revision) => Project::with(rules::settings_of(revision)?)?,
        None => Project::open()?,
    };
    let range = range(&project, args)?;
    if let Some(revision) = &args.rules_from
        && !rules::are_in(&project.repository, revision)?
    {
        // How the engine is built is no rule, and somebody has to say it first.
        project.settings = rules::first_section(&project.repository, &range)?;
    }
    project.set_runs(args.runs)?;
    let request = Request {
        range,
        benches: if args.no_build {
            Benches::None
        } else {
            Benches::Built
        },
        required: args
            .require
            .or(args.require_sprt.then_some(Required::Block)),
        journals: match &args.journals {
            Some(folder) => Some(Arc::new(Journals::in_folder(folder)?)),
            None => None,
        },
        prove_ignored: args.prove_ignored,
        fresh: args.fresh,
        variants: args.variant.clone(),
        repro: args.repro,
    };
    project.settings.check_variants(&request.variants)?;
    let mut report = check(&project.repository, &project.settings, &request, &|text| {
        printer.note(text);
    })?;
    if args.rules_from.is_none() {
        let changed = rules::changed(
            &project.repository,
            &request.range,
            report.commits.first().map(|checked| &checked.commit),
            request.required.is_some(),
        )?;
        report.warnings.extend(changed);
    }
    write(&report, args, printer)?;
    Ok(if report.fails(args.strict) {
        Exit::No
    } else {
        Exit::Yes
    })
}

fn range(project: &Project, args: &CheckArgs) -> Result<Range, Failure> {
    let range = match &args.range {
        None if args.all => Range::One("HEAD".to_owned()),
        Some(text) => Range::parse(text)?,
        None => match project.range(None)? {
            // All is published, as in a fresh clone.
            range if project.repository.commits(&range)?.is_empty() => {
                Range::One("HEAD".to_owned())
            }
            range => range,
        },
    };
    match range {
        Range::One(tip) if args.all => Ok(Range::All(tip)),
        Range::Since { .. } if args.all => {
            Err(Failure::unable("--all takes one commit, not a range")
                .hint("leave out --all, or the part before `..`"))
        }
        range => Ok(range),
    }
}

fn write(report: &Report, args: &CheckArgs, printer: Printer) -> Result<(), Failure> {
    let text = report::check_text(report, printer.is_verbose());
    for warning in &report.warnings {
        printer.warn(warning);
    }
    match args.format.chosen() {
        Format::Text => printer.result(&text),
        Format::Json => printer.result(&report::check_json(report)?),
        Format::Markdown => printer.result(&markdown::markdown(report, markdown::COMMENT)),
        Format::Github => {
            printer.result(&report::annotations(report, &text));
            append(
                "GITHUB_STEP_SUMMARY",
                &markdown::markdown(report, markdown::SUMMARY),
            )?;
            append("GITHUB_OUTPUT", &report::outputs(report, args.strict))?;
        }
    }
    Ok(())
}

/// GitHub names files that a step appends to; elsewhere there are none.
fn append(variable: &str, text: &str) -> Result<(), Failure> {
    let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = Path::new(&path);
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .or_unable(format_args!("append to {variable}, `{}`", path.display()))
}
