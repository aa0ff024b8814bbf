//! Whether the commit that is about to be made replaces HEAD: git does not inform its hooks.
//!
//! What it does tell is the author. An amended commit keeps author and date of HEAD, to the second.
//! A script that commits twice in one second looks the same, so where the system shows the command
//! line of git, that decides.

use super::command_line::CommandLine;
use crate::repository::Repository;

pub(super) fn is_amending(repository: &Repository, command: Option<&CommandLine>) -> bool {
    // `--reset-author` and `--date` change the author, but the command line still shows the
    // amendment.
    command.map_or_else(|| has_author_of_head(repository), CommandLine::amends)
}

fn has_author_of_head(repository: &Repository) -> bool {
    let [name, email, date] = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"]
        .map(|name| std::env::var(name).unwrap_or_default());
    let seconds = date.trim_start_matches('@').split(' ').next();
    seconds.is_some_and(|seconds| {
        repository.author_of_head() == Some(format!("{name}\n{email}\n{seconds}"))
    })
}
