//! `tuner openbench prove`: from a finished tune on a server to the test of its values: fetched,
//! committed on a branch with their bench, pushed, submitted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use foundation::{Exit, Failure, Printer, files, process};
use openbench_command::client;
use openbench_command::flags::{BaseArgs, FieldArgs, ServerArgs, SubmitFlags, TestArgs};
use openbench_command::workload::WorkloadName;

use super::place::in_any_folder;
use crate::commands::proposal::Proposal;
use crate::commands::prove::CommitArgs;

/// The arguments of `tuner openbench prove`.
#[derive(Args, Debug)]
pub(crate) struct ProveArgs {
    /// The tune: its number, the address of its page, or the folder that was fetched
    #[arg(value_name = "ID|URL|DIR")]
    tune: String,
    /// The parameter file that it was submitted from, or source, in the engine's repository; the build
    /// reads it
    #[arg(value_name = "PARAMS")]
    params: PathBuf,
    #[command(flatten)]
    commit: CommitArgs,
    /// Push the branch to this remote, and submit the test; without it, stop at the commit
    #[arg(
        long,
        value_name = "REMOTE",
        num_args = 0..=1,
        default_missing_value = "origin",
        help_heading = "Commit"
    )]
    push: Option<String>,
    /// After the commit, print the form of its test as it would be sent; nothing is pushed or sent
    #[arg(long, conflicts_with_all = ["dry_run", "push"], help_heading = "Submission")]
    show_form: bool,
    /// Make another test even if the same was submitted before
    #[arg(long, help_heading = "Submission")]
    again: bool,
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    question: TestArgs,
    #[command(flatten)]
    server: ServerArgs,
}

impl ProveArgs {
    pub(super) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let own = PathBuf::from(&self.tune);
        // A look at the values leaves nothing behind.
        let temporary = tempfile::tempdir().map_err(|error| Failure::unable(error.to_string()))?;
        let folder = if own.is_dir() {
            own
        } else {
            let name: WorkloadName = self.tune.parse().map_err(Failure::unable)?;
            let folder = PathBuf::from(format!("openbench-{}", name.id));
            let folder = if self.commit.dry_run {
                temporary.path().join(folder)
            } else {
                folder
            };
            self.fetch(&folder, printer)?;
            folder
        };
        let proposal = self
            .commit
            .proposal(&folder, &self.params, false, printer)?;
        // Its repository and engine are those of the test.
        let place = files::folder(&self.params);
        let go = if place == Path::new(".") {
            String::new()
        } else {
            format!("{} && ", process::command_on("cd", place))
        };
        let remote = self.push.as_deref().unwrap_or("origin");
        let submission = |dry_run| self.submission(&proposal, remote, dry_run, printer);
        let command = typed(&submission(false)?);
        let branch = &proposal.branch;
        if self.commit.dry_run {
            let short = proposal.base.get(..8).unwrap_or(&proposal.base);
            printer.result(&format!(
                "{}\n\
                 1. make a commit of these values on {short}, build and bench it, and commit it with its \
                 bench on the branch `{branch}`\n\
                 2. {only}{go}git push {remote} {branch}\n\
                 3. {only}{go}{command}",
                proposal.moves().join("\n"),
                only = if self.push.is_some() { "" } else { "with --push: " },
            ));
            return Ok(Exit::Yes);
        }
        let bench = proposal.bench(printer)?;
        let source = format!("Tuned on OpenBench: {}", self.address(&folder));
        let text = proposal.message(self.commit.subject.as_deref(), &source, bench);
        let commit = proposal.commit(&text)?;
        proposal.publish(&commit)?;
        let short = commit.get(..8).unwrap_or(&commit);
        printer.note(&format!("branch `{branch}` is at {short}, bench {bench}"));
        if self.push.is_some() {
            proposal.push(remote)?;
            printer.note(&format!("pushed `{branch}` to {remote}"));
        } else {
            printer.note(&format!(
                "look at it, then: {go}git push {remote} {branch} && {command}"
            ));
            if !self.show_form {
                printer.result(branch);
                return Ok(Exit::Yes);
            }
        }
        let submit = submission(self.show_form)?;
        Err(client::start(&submit, None, place, printer))
    }

    fn fetch(&self, folder: &Path, printer: Printer) -> Result<(), Failure> {
        let mut arguments: Vec<OsString> = vec!["fetch".into(), self.tune.clone().into()];
        arguments.extend(["--no-games".into(), "--out".into(), folder.into()]);
        arguments.extend(client::typed(&[&self.server])?);
        // Its values are printed again below.
        arguments.push("--quiet".into());
        client::call(&arguments, printer)
    }

    /// The address of the tune, as far as it is known.
    fn address(&self, folder: &Path) -> String {
        if self.tune.contains("://") {
            return self.tune.clone();
        }
        let number = || {
            let info = std::fs::read_to_string(folder.join("info.json")).ok()?;
            let info: serde_json::Value = serde_json::from_str(&info).ok()?;
            info.get("info")?.get("id")?.as_u64()
        };
        match (&self.server.server, number()) {
            (Some(server), Some(id)) => format!("{}/tune/{id}/", server.trim_end_matches('/')),
            (None, Some(id)) => format!("tune {id}"),
            (_, None) => folder.display().to_string(),
        }
    }

    /// The submission of the branch, as it is on the remote, against the commit that it was made on, or a
    /// look at its form.
    fn submission(
        &self,
        proposal: &Proposal,
        remote: &str,
        dry_run: bool,
        printer: Printer,
    ) -> Result<Vec<OsString>, Failure> {
        let typed = self.fields.repo.clone();
        let fields = FieldArgs {
            dev: Some(proposal.branch.clone()),
            repo: typed.or_else(|| proposal.on_github(remote)),
            ..FieldArgs::default()
        };
        let against = BaseArgs {
            base: Some(proposal.base.clone()),
            ..BaseArgs::default()
        };
        let mut arguments: Vec<OsString> =
            printer.flags().into_iter().map(OsString::from).collect();
        arguments.extend(["submit", "test"].map(OsString::from));
        arguments.extend(client::typed(&[&self.fields, &fields])?);
        arguments.extend(client::typed(&[&against, &self.base])?);
        arguments.extend(client::typed(&[&self.question])?);
        let flags = SubmitFlags {
            dry_run,
            again: self.again,
            assume_pushed: dry_run || self.push.is_some(),
            ..SubmitFlags::default()
        };
        arguments.extend(client::typed(&[&flags])?);
        arguments.extend(client::typed(&[&in_any_folder(&self.server)])?);
        Ok(arguments)
    }
}

/// The command as a person would type it.
fn typed(arguments: &[OsString]) -> String {
    let words = arguments.iter().map(|word| word.to_string_lossy());
    let words: Vec<String> = words.map(|word| process::word(&word)).collect();
    format!("sprt openbench {}", words.join(" "))
}
