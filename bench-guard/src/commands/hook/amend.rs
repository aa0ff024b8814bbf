//! Whether the commit that is about to be made replaces HEAD: git does not tell its hooks.
//!
//! What it does tell is the author. An amended commit keeps author and date of HEAD, to the second.
//! A script that commits twice in one second looks the same, so where the system shows the command
//! line of git, that decides.

use std::fs;

use crate::repository::Repository;

/// How many parents of this process are looked at: a shell, and the programs of a hook manager,
/// stand between.
const GENERATIONS: usize = 12;

pub(crate) fn is_amending(repository: &Repository) -> bool {
    // `--reset-author` and `--date` make another author, the command line still says it.
    commanded().unwrap_or_else(|| has_author_of_head(repository))
}

fn has_author_of_head(repository: &Repository) -> bool {
    let [name, email, date] = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"]
        .map(|name| std::env::var(name).unwrap_or_default());
    let arguments = ["log", "-1", "--no-show-signature", "--format=%an%n%ae%n%at"];
    let head = repository.git().text(&arguments).unwrap_or_default();
    let seconds = date.trim_start_matches('@').split(' ').next();
    seconds.is_some_and(|seconds| head == format!("{name}\n{email}\n{seconds}"))
}

/// What the command line of the git that commits says; `None` where none can be seen.
fn commanded() -> Option<bool> {
    let mut process = std::os::unix::process::parent_id();
    for _ in 0..GENERATIONS {
        let line = fs::read(format!("/proc/{process}/cmdline")).ok()?;
        let words: Vec<String> = line
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        if let Some(amends) = amends(&words) {
            return Some(amends);
        }
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        process = parent.trim().parse().ok()?;
    }
    None
}

/// For a command line of `git commit`, whether it amends.
fn amends(words: &[String]) -> Option<bool> {
    let program = words.first()?.rsplit('/').next()?;
    let position = words.iter().position(|word| word == "commit")?;
    (program == "git").then(|| {
        words[position..]
            .iter()
            .take_while(|word| *word != "--")
            .any(|word| word.len() >= 4 && "--amend".starts_with(word.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::amends;

    #[test]
    fn a_command_line_says_whether_it_amends() {
        let of = |line: &str| amends(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(of("git commit --amend -m x"), Some(true));
        assert_eq!(of("/usr/bin/git -C x commit --ame"), Some(true));
        assert_eq!(of("git commit -m x -- --amend"), Some(false));
        assert_eq!(of("git commit --all"), Some(false));
        assert_eq!(of("git rebase --continue"), None);
        assert_eq!(of("sh .git/hooks/commit-msg"), None);
    }
}
