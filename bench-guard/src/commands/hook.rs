//! What the installed hooks run.
//!
//! - prepare-commit-msg writes the bench of the tree that is about to be committed, where one is due
//!   or carried on a line of its own. It builds that tree, once; in a rebase or cherry-pick only
//!   where it stops.
//! - commit-msg refuses a message that owes a bench, or names one that is known to be wrong.
//!   It builds only where OpenBench reads a bench from the message of a commit that owes none, from
//!   its prose or from a line typed in the editor, and lets such a commit pass with a warning if that
//!   fails.
//! - pre-push reads the messages of all that is pushed, compares them with benches that are known,
//!   and builds the tip of each branch.
//!
//! Merges, work in progress and commits that touch no code are left alone, as the settings say,
//! unless their message has a bench; work in progress, unless it has one on a line of its own.
//! prepare-commit-msg never stops a commit (`--no-verify` would not skip it); the other two do, and
//! `--no-verify` skips them.

mod amend;
mod command_line;
mod commit_msg;
mod pending;
mod pre_push;
mod prepare;

use std::path::PathBuf;

use clap::Subcommand;
use foundation::{Exit, Failure, Printer};

#[derive(clap::Args, Debug)]
pub(crate) struct HookArgs {
    #[command(subcommand)]
    hook: Hook,
}

/// The hooks, with the arguments git gives them.
#[derive(Subcommand, Debug)]
enum Hook {
    /// Write the bench of what is about to be committed into the message
    PrepareCommitMsg {
        file: PathBuf,
        /// Where the message comes from: message, template, merge, squash or commit
        source: Option<String>,
        commit: Option<String>,
    },
    /// Refuse a message without the bench it owes
    CommitMsg { file: PathBuf },
    /// Refuse to push wrong benches; the refs are read from stdin
    PrePush {
        remote: Option<String>,
        url: Option<String>,
    },
}

pub(crate) fn run(args: &HookArgs, printer: Printer) -> Result<Exit, Failure> {
    match &args.hook {
        Hook::PrepareCommitMsg { file, source, .. } => {
            // The pre-commit framework gives the file only.
            let framework_source = std::env::var("PRE_COMMIT_COMMIT_MSG_SOURCE").ok();
            let source = source.as_deref().or(framework_source.as_deref());
            if let Err(failure) = prepare::run(file, source, printer) {
                printer.warn(&format!(
                    "no bench was added to the message: {}",
                    failure.message()
                ));
            }
            Ok(Exit::Yes)
        }
        Hook::CommitMsg { file } => commit_msg::run(file, printer),
        Hook::PrePush { .. } => pre_push::run(printer),
    }
}
