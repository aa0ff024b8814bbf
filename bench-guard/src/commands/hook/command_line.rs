//! The command line of the `git commit` that runs a hook: git tells its hooks little of it, but
//! Linux shows it.

use foundation::platform::tables;

/// How many parents of this process are looked at: a shell, and the programs of a hook manager,
/// stand between.
const GENERATIONS: usize = 12;

/// Options whose value may be the next word.
const WITH_VALUE: [&str; 12] = [
    "--author",
    "--cleanup",
    "--date",
    "--file",
    "--fixup",
    "--message",
    "--pathspec-from-file",
    "--reedit-message",
    "--reuse-message",
    "--squash",
    "--template",
    "--trailer",
];

/// Options that give the message, or the commit that has it.
const GIVES_MESSAGE: [&str; 7] = [
    "--amend",
    "--file",
    "--fixup",
    "--message",
    "--reedit-message",
    "--reuse-message",
    "--squash",
];

/// Single letters whose value may be the next word.
const LETTERS_WITH_VALUE: &str = "cCFmt";

/// Single letters whose value is the rest of the word, if there is one: a signing key, and which
/// untracked files are shown.
const LETTERS_WITH_REST: &str = "Su";

/// Options, each with its value: the next word, or what follows `=`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CommandLine(Vec<(String, Option<String>)>);

impl CommandLine {
    /// `None` where no `git commit` can be seen.
    pub(super) fn find() -> Option<Self> {
        ancestors().find_map(|words| Self::parse(&words))
    }

    fn parse(words: &[String]) -> Option<Self> {
        let mut options = Vec::new();
        let mut words = arguments_of(words, "commit")?
            .iter()
            .take_while(|word| *word != "--");
        while let Some(word) = words.next() {
            let value = match word.split_once('=') {
                Some((_, value)) if word.starts_with("--") => Some(value.to_owned()),
                _ if takes_next(word) => words.next().cloned(),
                _ => None,
            };
            let name = word.split('=').next().unwrap_or_default();
            options.push((name.to_owned(), value));
        }
        Some(Self(options))
    }

    pub(super) fn amends(&self) -> bool {
        self.0.iter().any(|(name, _)| is_option(name, "--amend", 4))
    }

    pub(super) fn allows_empty_message(&self) -> bool {
        let shortest = "--allow-empty-".len();
        let is_it = |name: &str| is_option(name, "--allow-empty-message", shortest);
        self.0.iter().any(|(name, _)| is_it(name))
    }

    /// How the message is cleaned up, if the command line says so.
    pub(super) fn cleanup(&self) -> Option<&str> {
        self.value(|name| is_option(name, "--cleanup", 4))
    }

    /// Whether the message shows the changes, if the command line says so.
    pub(super) fn verbose(&self) -> Option<bool> {
        self.0.iter().rev().find_map(|(name, _)| match name {
            _ if is_option(name, "--verbose", 6) || has_letter(name, 'v') => Some(true),
            _ if is_option(name, "--no-verbose", 9) => Some(false),
            _ => None,
        })
    }

    /// The file that the message begins as, if the command line names one.
    pub(super) fn template(&self) -> Option<&str> {
        self.value(|name| is_option(name, "--template", 4) || value_letter(name) == Some('t'))
    }

    /// Whether the message comes from the command line, a file or another commit.
    pub(super) fn gives_message(&self) -> bool {
        self.0.iter().any(|(name, _)| {
            GIVES_MESSAGE
                .iter()
                .any(|option| is_option(name, option, 4))
                || value_letter(name).is_some_and(|letter| letter != 't')
        })
    }

    /// The last value of an option.
    fn value(&self, is_wanted: impl Fn(&str) -> bool) -> Option<&str> {
        let mut options = self.0.iter().rev();
        options.find_map(|(name, value)| value.as_deref().filter(|_| is_wanted(name)))
    }
}

/// Whether a `git rebase` made the commit, as it goes or by what it executes.
pub(super) fn is_by_rebase() -> bool {
    ancestors().any(|words| {
        arguments_of(&words, "commit").is_none() && arguments_of(&words, "rebase").is_some()
    })
}

/// The command lines of the processes that this one runs under, the closest first.
fn ancestors() -> impl Iterator<Item = Vec<String>> {
    let parent = std::os::unix::process::parent_id();
    std::iter::successors(Some(parent), |process| tables::parent(*process))
        .map_while(tables::command_line)
        .take(GENERATIONS)
}

/// What follows a command of git.
fn arguments_of<'a>(words: &'a [String], command: &str) -> Option<&'a [String]> {
    let program = words.first()?.rsplit('/').next()?;
    let position = words.iter().position(|word| word == command)?;
    (program == "git").then(|| &words[position + 1..])
}

/// git accepts the beginning of an option for the whole.
fn is_option(word: &str, option: &str, shortest: usize) -> bool {
    word.len() >= shortest && option.starts_with(word)
}

fn takes_next(word: &str) -> bool {
    if word.starts_with("--") {
        return WITH_VALUE.iter().any(|option| is_option(word, option, 4));
    }
    // After the first letter that takes a value, the rest is that value.
    value_letter(word).is_some_and(|letter| word.find(letter) == Some(word.len() - 1))
}

/// The first of some single letters that takes a value.
fn value_letter(word: &str) -> Option<char> {
    letters(word).find(|letter| LETTERS_WITH_VALUE.contains(*letter))
}

/// Whether a letter is one of some, and no part of a value.
fn has_letter(word: &str, letter: char) -> bool {
    letters(word)
        .take_while(|other| !LETTERS_WITH_VALUE.contains(*other))
        .any(|other| other == letter)
}

/// Single letters up to the first whose value is the rest of the word.
fn letters(word: &str) -> impl Iterator<Item = char> {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    letters
        .unwrap_or_default()
        .chars()
        .take_while(|letter| !LETTERS_WITH_REST.contains(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<CommandLine> {
        CommandLine::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_command_line_says_whether_it_amends() {
        let amends = |line: &str| of(line).map(|found| found.amends());
        assert_eq!(amends("git commit --amend -m x"), Some(true));
        assert_eq!(amends("/usr/bin/git -C x commit --ame"), Some(true));
        assert_eq!(amends("git commit -m x -- --amend"), Some(false));
        assert_eq!(amends("git commit --all"), Some(false));
        assert_eq!(amends("git rebase --continue"), None);
        assert_eq!(amends("sh .git/hooks/commit-msg"), None);
    }

    #[test]
    fn the_value_of_an_option_is_no_option() {
        let amends = |line: &str| of(line).is_some_and(|found| found.amends());
        for line in [
            "git commit -m --amend",
            "git commit -am --amend",
            "git commit --message --amend",
            "git commit -F --amend",
            "git commit -m=x --message=--amend",
        ] {
            assert!(!amends(line), "{line}");
        }
        for line in [
            "git commit -mx --amend",
            "git commit -a --amend",
            "git commit --message=x --amend",
        ] {
            assert!(amends(line), "{line}");
        }
    }

    #[test]
    fn a_command_line_says_where_the_message_comes_from() {
        let gives = |line: &str| of(line).is_some_and(|found| found.gives_message());
        for line in [
            "-am x",
            "--mess=x",
            "-F x",
            "-C HEAD",
            "--amend",
            "--fixup HEAD",
        ] {
            assert!(gives(&format!("git commit {line}")), "{line}");
        }
        for line in [
            "-a",
            "-t m",
            "--template m",
            "-a -s",
            "-- -m",
            "-Smain",
            "-aSC0FFEE",
            "-uCm",
        ] {
            assert!(!gives(&format!("git commit {line}")), "{line}");
        }
        let template = |line: &str| of(line).and_then(|it| it.template().map(str::to_owned));
        for line in [
            "-t m",
            "-at m",
            "--temp m",
            "-t x --template=m",
            "-t m -Sbot x",
            "-t m -unot",
        ] {
            assert_eq!(
                template(&format!("git commit {line}")),
                Some("m".into()),
                "{line}"
            );
        }
        assert_eq!(template("git commit -m t"), None);
    }

    #[test]
    fn the_last_cleanup_counts() {
        let cleanup = |line: &str| of(line).and_then(|found| found.cleanup().map(str::to_owned));
        assert_eq!(
            cleanup("git commit --cleanup=verbatim -e"),
            Some("verbatim".into())
        );
        assert_eq!(
            cleanup("git commit --cleanup strip --cle=verbatim"),
            Some("verbatim".into())
        );
        assert_eq!(cleanup("git commit -m --cleanup=strip"), None);
        assert_eq!(cleanup("git commit -e"), None);
    }

    #[test]
    fn a_command_line_says_whether_the_changes_are_shown() {
        let verbose = |line: &str| of(&format!("git commit {line}")).and_then(|it| it.verbose());
        for line in [
            "-v",
            "-av",
            "--verbose",
            "--verb",
            "--no-verbose -v",
            "-vm x",
        ] {
            assert_eq!(verbose(line), Some(true), "{line}");
        }
        for line in ["-m -v", "-mv", "-Sv", "--no-verify", "-a"] {
            assert_eq!(verbose(line), None, "{line}");
        }
        assert_eq!(verbose("-v --no-verbose"), Some(false));
    }

    #[test]
    fn an_empty_message_is_not_an_empty_commit() {
        let allows = |line: &str| of(line).is_some_and(|found| found.allows_empty_message());
        assert!(allows("git commit --allow-empty-message"));
        assert!(allows("git commit --allow-empty-m"));
        assert!(!allows("git commit --allow-empty -m x"));
    }
}
