//! `bench-guard init`: finds out how the engine of a repository is built, tries it, and writes it
//! into `whetstone.toml`, with sections for the other tools.

mod candidates;
mod openbench;
mod other_tools;
mod projects;
mod trial;

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::Serialize;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use self::{
    candidates::{Candidate, candidates},
    openbench::Engine,
    trial::{ClaimedBench, Tried},
};
use super::{
    install,
    project::{current_folder, read_file_or_stdin},
};
use crate::{
    build::makefile::{self, Located},
    report::{self, Object},
    repository::Repository,
    settings::Settings,
};
use foundation::{Exit, Failure, Printer, failure::OrUnable, files, process::quoted};

const FILE: &str = "whetstone.toml";

/// How the comment above the section begins.
const STATES: [&str; 2] = ["# Not tried yet", "# Tried by `bench-guard init`"];

#[derive(clap::Args, Debug)]
pub(crate) struct InitArgs {
    /// Take folder, compiler, bounds and time control from an OpenBench engine configuration
    #[arg(long, value_name = "ENGINE.JSON")]
    openbench: Option<PathBuf>,
    /// Network file for the build, passed to make as `EVALFILE=`; relative to the root
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Write the most likely settings without building
    #[arg(long)]
    no_build: bool,
    /// Install the git hooks, too, unless the bench is not the one that messages tell
    #[arg(long, conflicts_with_all = ["dry_run", "no_build"])]
    hooks: bool,
    /// Write `folder` and `build` of an existing [bench-guard] section anew; its other keys stay
    #[arg(long)]
    force: bool,
    /// Print the file instead of writing it
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Initialised<'a> {
    file: String,
    written: bool,
    folder: &'a str,
    build: &'a str,
    /// What the engine of the working tree prints.
    bench: Option<u64>,
    /// The bench in the newest message that has one.
    message_bench: Option<u64>,
    /// What the engine of that commit prints, built by this line.
    message_commit_bench: Option<u64>,
}

impl Object for Initialised<'_> {
    const SCHEMA: &'static str = "bench-guard-init";
}

impl Initialised<'_> {
    /// Whether the message has the bench that its commit prints, where something was built.
    fn exit(&self) -> Exit {
        let is_claimed = self.bench.is_some() && self.message_bench.is_some();
        if is_claimed && self.message_commit_bench != self.message_bench {
            Exit::No
        } else {
            Exit::Yes
        }
    }
}

pub(crate) fn run(args: &InitArgs, printer: Printer) -> Result<Exit, Failure> {
    let repository = Settings::default().repository(&current_folder()?)?;
    repository.require_work_tree()?;
    let path = repository.root().join(FILE);
    let mut document = read(&path)?;
    let kept = kept(&repository, document.contains_key("bench-guard"), args)?;
    let engine = match &args.openbench {
        Some(file) => Some(Engine::parse(
            &read_file_or_stdin(file)?,
            &file.display().to_string(),
        )?),
        None => None,
    };
    let arguments = arguments(repository.root(), engine.as_ref(), args)?;
    let folder = engine
        .as_ref()
        .map(|engine| match engine.build.path.trim_matches('/') {
            "" => ".",
            path => path,
        });
    let found = candidates(repository.root(), folder, &arguments);
    let Some(first) = found.first() else {
        return Err(nothing_to_build(&repository));
    };
    let claimed = ClaimedBench::last(&repository)?;
    let tried = (!args.no_build)
        .then(|| trial::choose(&repository, &found, claimed.as_ref(), &kept, printer))
        .transpose()?;
    let chosen = tried.as_ref().map_or(first, |tried| &tried.candidate);
    if let (None, Located::Ambiguous(folders)) = (folder, makefile::locate(repository.root())) {
        printer.note(&format!(
            "of the folders with a Makefile ({}), `{}` is taken; `folder` in {FILE} names the engine's",
            folders.join(", "),
            chosen.folder
        ));
    }
    let differs = tried
        .as_ref()
        .zip(claimed.as_ref())
        .and_then(|(tried, claimed)| difference(tried, claimed, repository.root()));
    let comment = comment(tried.as_ref(), claimed.as_ref(), differs.as_deref());
    let section = taken_out(&mut document, printer);
    let section = filled(section, chosen, comment, engine.as_ref());
    document.insert("bench-guard", Item::Table(section));
    other_tools::add_sections(&mut document, engine.as_ref());
    let text = document.to_string();
    if !args.dry_run {
        files::replace(&path, &text)?;
    }
    let initialised = Initialised {
        file: path.display().to_string(),
        written: !args.dry_run,
        folder: &chosen.folder,
        build: &chosen.command,
        bench: tried.as_ref().map(|tried| tried.bench),
        message_bench: claimed.as_ref().map(|claimed| claimed.bench),
        message_commit_bench: tried.as_ref().and_then(|tried| tried.at_claim),
    };
    if args.json {
        printer.result(&report::object(&initialised)?);
    } else if args.dry_run {
        printer.result(text.trim_end());
    } else {
        printer.result(&format!("wrote {}", initialised.file));
    }
    go_on(&repository, differs.as_deref(), args, printer)?;
    Ok(initialised.exit())
}

/// What stays of an existing section: it must be readable, and decides how the engine is tried.
fn kept(repository: &Repository, has_section: bool, args: &InitArgs) -> Result<Settings, Failure> {
    if !has_section {
        return Ok(Settings::default());
    }
    if !args.force {
        return Err(Failure::unable(format!(
            "`{}` has a section [bench-guard] already",
            repository.root().join(FILE).display()
        ))
        .hint("`--force` writes its `folder` and `build` anew and keeps the other keys"));
    }
    Settings::find(repository.root())
}

/// What the build is given besides the name of the program.
fn arguments(root: &Path, engine: Option<&Engine>, args: &InitArgs) -> Result<String, Failure> {
    let mut arguments = match engine {
        Some(engine) => engine.compiler_argument()?,
        None => String::new(),
    };
    if let Some(network) = &args.network {
        arguments.push_str(&network_argument(root, network)?);
    }
    Ok(arguments)
}

/// The section as it stands in the file; says which of its keys stay.
fn taken_out(document: &mut DocumentMut, printer: Printer) -> Table {
    let section = document
        .remove("bench-guard")
        .and_then(|old| old.into_table().ok())
        .unwrap_or_default();
    let others: Vec<String> = section
        .iter()
        .filter(|(key, _)| !["folder", "build"].contains(key))
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    if !others.is_empty() {
        printer.note(&format!("kept in [bench-guard]: {}", others.join(", ")));
    }
    section
}

/// Installs the hooks where they were asked for and the bench is right, and says what comes next.
fn go_on(
    repository: &Repository,
    differs: Option<&str>,
    args: &InitArgs,
    printer: Printer,
) -> Result<(), Failure> {
    if let Some(differs) = differs {
        printer.warn(differs);
        if args.hooks {
            printer
                .warn("no hooks were installed; `bench-guard install` installs them all the same");
        }
        return Ok(());
    }
    if args.dry_run {
        return Ok(());
    }
    if args.hooks {
        install::install_in(repository, printer)?;
    }
    printer.note(next(args.hooks));
    Ok(())
}

/// Three commands to try.
fn next(has_hooks: bool) -> &'static str {
    if has_hooks {
        "next: `bench-guard check`    compares the bench of the last commit with its message\n\
         \x20     `sprt HEAD .`          plays what you change against the last commit\n\
         \x20     `tuner init`           lists what of the engine can be tuned"
    } else {
        "next: `bench-guard install`  has git write the bench into each message, and check it\n\
         \x20     `sprt HEAD .`          plays what you change against the last commit\n\
         \x20     `tuner init`           lists what of the engine can be tuned"
    }
}

fn read(path: &Path) -> Result<DocumentMut, Failure> {
    if !path.exists() {
        return Ok(DocumentMut::new());
    }
    std::fs::read_to_string(path)
        .or_unable(format_args!("read `{}`", path.display()))?
        .parse()
        .or_unable(format_args!("read `{}`", path.display()))
}

/// Relative to the exported tree, which is another folder in each build.
fn network_argument(root: &Path, network: &Path) -> Result<String, Failure> {
    let path = if network.is_absolute() {
        network.to_owned()
    } else {
        root.join(network)
    };
    if !path.is_file() {
        return Err(
            Failure::unable(format!("there is no network `{}`", path.display()))
                .hint("give the path of the file that EVALFILE names"),
        );
    }
    let path = path
        .canonicalize()
        .or_unable(format_args!("find `{}`", path.display()))?;
    Ok(format!(" EVALFILE={}", quoted(&path.to_string_lossy())))
}

fn nothing_to_build(repository: &Repository) -> Failure {
    Failure::unable(format!(
        "`{}` has neither a Makefile nor a project of another kind that makes a program: {}",
        repository.root().display(),
        projects::files()
    ))
    .hint(
        "write `build` into [bench-guard] of whetstone.toml: a line for sh that makes the file `{exe}`",
    )
}

/// Why hooks would write benches that nobody else gets.
fn difference(tried: &Tried, claimed: &ClaimedBench, root: &Path) -> Option<String> {
    let Some(found) = tried.at_claim else {
        return Some(format!(
            "{} has the bench {} in its message, but has none when it is built by this line, so that nothing was compared",
            claimed.short(),
            claimed.bench
        ));
    };
    let may_differ = if tried.candidate.takes_network(root) {
        "the Makefile takes a network as EVALFILE, and without one may build another evaluation: `--network FILE` gives it"
    } else {
        "another network, compiler or ARCH may have been used, or files that git does not have"
    };
    (found != claimed.bench).then(|| {
        format!(
            "the message of {} has the bench {}, but its engine prints {found} when it is built by this line; {may_differ}",
            claimed.short(),
            claimed.bench
        )
    })
}

fn comment(tried: Option<&Tried>, claimed: Option<&ClaimedBench>, differs: Option<&str>) -> String {
    let mut comment = match (tried, claimed) {
        (None, _) => format!("{}: `bench-guard bench` builds and benches.\n", STATES[0]),
        (Some(tried), Some(claimed)) if differs.is_none() => format!(
            "{}: the bench was {}, and at {} what its message tells.\n",
            STATES[1],
            tried.bench,
            claimed.short()
        ),
        (Some(tried), _) => format!("{}: the bench was {}.\n", STATES[1], tried.bench),
    };
    if let Some(differs) = differs {
        let _ = writeln!(comment, "# Look at this first: {differs}.");
    }
    comment
}

/// The section with how the engine is built; what else stands there stays.
fn filled(
    mut section: Table,
    chosen: &Candidate,
    mut comment: String,
    engine: Option<&Engine>,
) -> Table {
    if chosen.folder.is_empty() {
        section.remove("folder");
    } else {
        section.insert("folder", value(&chosen.folder));
    }
    section.insert("build", value(&chosen.command));
    if let Some(why) = &chosen.why {
        let _ = writeln!(comment, "# {why}.");
    }
    let above = section.decor().prefix().and_then(|text| text.as_str());
    let above = above.unwrap_or_default();
    let is_ours = |at: &usize| STATES.iter().any(|state| above[*at..].starts_with(state));
    let starts = std::iter::once(0).chain(above.match_indices('\n').map(|(at, _)| at + 1));
    let end = starts.into_iter().find(is_ours).unwrap_or(above.len());
    let prefix = format!("{}{comment}", &above[..end]);
    section.decor_mut().set_prefix(prefix);
    if let Some(proof) = engine.and_then(proof) {
        match section.get_mut("proof").and_then(Item::as_table_like_mut) {
            Some(old) => proof.into_iter().for_each(|(key, item)| {
                old.insert(&key, item);
            }),
            None => {
                section.insert("proof", Item::Table(proof));
            }
        }
    }
    section
}

/// What counts as a passed test, from the presets of the server.
fn proof(engine: &Engine) -> Option<Table> {
    let all = engine.bounds();
    let list = |wanted: &dyn Fn(&[f64; 2]) -> bool| -> Array {
        all.iter()
            .filter(|bounds| wanted(bounds))
            .map(|[elo0, elo1]| Array::from_iter([*elo0, *elo1]))
            .collect()
    };
    let mut proof = Table::new();
    if let Some([alpha, beta]) = engine.confidence() {
        proof.insert("alpha", value(alpha));
        proof.insert("beta", value(beta));
    }
    let gains = list(&|[elo0, _]| *elo0 >= 0.0);
    let simplifications = list(&|[elo0, _]| *elo0 < 0.0);
    for (key, bounds) in [("gains", gains), ("simplifications", simplifications)] {
        if !bounds.is_empty() {
            proof.insert(key, value(bounds));
        }
    }
    (!proof.is_empty()).then_some(proof)
}
