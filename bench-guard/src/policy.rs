//! Which commits must carry a bench, and what a message says about the search. Pure: on texts and
//! paths only.
//!
//! One rule stands above all: a bench that is carried is verified. The policy decides only whether
//! there must be one.

use memchr::memmem;

use crate::{
    message::{self, Squash},
    repository::Commit,
    settings::{Need, Settings, Unfinished},
};

/// What a commit claims and owes, before anything is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duty {
    /// It changes the search: a bench is due.
    Functional,
    /// The search must do the same as before, for this reason.
    NonFunctional(Unchanged),
    /// No bench is due, for this reason.
    Exempt(Exemption),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exemption {
    /// A merge that git makes by itself.
    Merge,
    /// A revert that git makes by itself.
    Revert,
    Unfinished,
    /// It touches no path for which the settings require a bench.
    Paths,
}

/// Why the bench of a commit must be that of its parent, although the commit need not carry one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unchanged {
    /// The message says so.
    Message,
    /// The author is exempt.
    Author,
    /// Only ignored files differ, and that is to be proved.
    Paths,
}

impl Unchanged {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Message => "the message says that nothing changed",
            Self::Author => "the author owes no bench and may not move it",
            Self::Paths => "it changes only files that need no bench",
        }
    }
}

impl Exemption {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Merge => "a merge",
            Self::Revert => "a revert",
            Self::Unfinished => "work in progress",
            Self::Paths => "touches no file that requires a bench",
        }
    }
}

/// The duty of a commit as far as its message, author and parents tell. Whether a merge or revert
/// is what git makes by itself, and what the commit touches, is decided elsewhere.
pub(crate) fn duty(commit: &Commit, settings: &Settings, proof_required: bool) -> Duty {
    let subject = commit.subject();
    let optional = |need: Need| need == Need::Optional;
    // The parents are not known for a message alone; for a commit they are, and the subject proves
    // nothing.
    let merge = match commit.parents.len() {
        0 => commit.id.is_empty() && subject.starts_with("Merge "),
        parents => parents > 1,
    };
    if merge && optional(settings.merges) {
        Duty::Exempt(Exemption::Merge)
    } else if is_unfinished(subject) && settings.unfinished != Unfinished::Required {
        Duty::Exempt(Exemption::Unfinished)
    } else if message::is_revert(subject) && optional(settings.reverts) {
        Duty::Exempt(Exemption::Revert)
    } else {
        claimed_duty(commit, settings, proof_required)
    }
}

/// The duty of a commit whose only possible exemption is its content.
pub(crate) fn claimed_duty(commit: &Commit, settings: &Settings, proof_required: bool) -> Duty {
    if settings.exempts(&commit.author, proof_required) {
        Duty::NonFunctional(Unchanged::Author)
    } else if says_non_functional(&commit.message, settings) {
        Duty::NonFunctional(Unchanged::Message)
    } else {
        Duty::Functional
    }
}

/// Commits that a rebase will fold into others, or that call themselves unfinished.
pub(crate) fn is_unfinished(subject: &str) -> bool {
    let folded = ["fixup! ", "squash! ", "amend! "]
        .iter()
        .any(|word| subject.starts_with(word));
    let first: String = subject
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect();
    folded || first.eq_ignore_ascii_case("wip")
}

/// Whether the message says that the search does the same as before: in its subject, or at the
/// start of a line or of a sentence, wrapped or not. In the middle of a sentence the words are
/// mostly about one part of the change, next to another that does change the search. So they are in
/// one of several messages that a squash quotes.
pub(crate) fn says_non_functional(message: &str, settings: &Settings) -> bool {
    match Squash::of(message) {
        Some(Squash { own, quoted }) => {
            declares(&own, settings) || quoted.iter().all(|part| declares(part, settings))
        }
        None => declares(message, settings),
    }
}

fn declares(message: &str, settings: &Settings) -> bool {
    let message = message.to_lowercase();
    // As long as the message, so that what is found here is in the same place there.
    let unwrapped = message.replace('\n', " ");
    let phrases = settings
        .non_functional
        .iter()
        .filter(|words| !words.is_empty());
    phrases.map(|words| words.to_lowercase()).any(|words| {
        memmem::find_iter(unwrapped.as_bytes(), &words).any(|at| {
            let before = &message[..at];
            let after = &message[at + words.len()..];
            let line = before.rsplit('\n').next().unwrap_or_default();
            let whole = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
            whole(before.chars().next_back())
                && whole(after.chars().next())
                && (!before.contains('\n')
                    || !line.contains(char::is_alphanumeric)
                    || line
                        .trim_end_matches([' ', '(', '"'])
                        .ends_with(['.', '!', '?', ';']))
        })
    })
}

/// Whether the message claims a gain by results of games, as the blocks of OpenBench and fishtest
/// state them. A test with a lower bound below zero claims only that nothing is lost.
pub(crate) fn claims_gain(message: &str) -> bool {
    let labelled = message.lines().filter_map(|line| {
        let (label, rest) = line.trim_start().split_once(['|', ':'])?;
        Some((label.trim(), rest.trim()))
    });
    let mut positive = false;
    let mut tests = Vec::new();
    for (label, rest) in labelled {
        let is_llr = label.eq_ignore_ascii_case("llr");
        if is_llr || label.eq_ignore_ascii_case("elo") {
            let rest = rest.trim_start_matches('+');
            positive |= rest.starts_with(|c: char| c.is_ascii_digit());
        }
        tests.extend(lower_bound(rest).filter(|_| is_llr));
    }
    positive
        && (tests.is_empty() || tests.iter().any(|elo0| *elo0 >= 0.0))
        && !is_about_speed(message)
}

/// Whether the message explains why a gain leaves the bench unchanged: the engine is faster, or
/// uses its time better.
fn is_about_speed(message: &str) -> bool {
    const STEMS: [&str; 7] = ["speed", "faster", "nps", "time", "thread", "smp", "numa"];
    let is_about_speed = |word: &str| {
        let rest = STEMS.iter().find_map(|stem| {
            let (head, rest) = word.split_at_checked(stem.len())?;
            head.eq_ignore_ascii_case(stem).then_some(rest)
        });
        rest.is_some_and(|rest| rest.len() <= 3)
    };
    // The blocks themselves mention threads and times.
    let prose = message.lines().filter(|line| !line.contains(['|', '=']));
    prose
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()))
        .any(is_about_speed)
}

/// `elo0` of `2.95 (-2.94, 2.94) [0.00, 5.00]`, whatever the brackets around the bounds.
fn lower_bound(figures: &str) -> Option<f64> {
    let (_, bounds) = figures.rsplit_once(['[', '<', '{'])?;
    bounds.split_once(',')?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(message: &str, parents: usize) -> Commit {
        Commit {
            id: "1".repeat(40),
            tree: "2".repeat(40),
            parents: vec!["3".repeat(40); parents],
            author: "A <a@b>".to_owned(),
            message: message.to_owned(),
        }
    }

    #[test]
    fn each_kind_of_commit_has_its_duty() {
        let settings = Settings::default();
        for (message, parents, expected) in [
            ("Tune margin", 1, Duty::Functional),
            (
                "Tidy up\n\nNo Functional Change.",
                1,
                Duty::NonFunctional(Unchanged::Message),
            ),
            ("Merge branch 'x'", 2, Duty::Exempt(Exemption::Merge)),
            ("Take all of x", 2, Duty::Exempt(Exemption::Merge)),
            ("Merge my tuning into the search", 1, Duty::Functional),
            ("fixup! Tune margin", 1, Duty::Exempt(Exemption::Unfinished)),
            ("WIP: try this", 1, Duty::Exempt(Exemption::Unfinished)),
            ("Wipe the table", 1, Duty::Functional),
            ("Revert \"Tune margin\"", 1, Duty::Functional),
        ] {
            assert_eq!(
                duty(&commit(message, parents), &settings, false),
                expected,
                "{message}"
            );
        }
        let strict = Settings {
            merges: Need::Required,
            ..Settings::default()
        };
        assert_eq!(
            duty(&commit("Merge branch 'x'", 2), &strict, false),
            Duty::Functional
        );
    }

    #[test]
    fn a_word_in_passing_declares_nothing() {
        let says = |message: &str| says_non_functional(message, &Settings::default());
        assert!(says("Tidy\n\nNo functional change."));
        assert!(says("Tidy [non-functional]\n\nText."));
        assert!(says("Tidy\n\n(Non functional)\nBench: 5"));
        assert!(says("Tidy\n\nRename the table. No functional change."));
        assert!(!says("Tune\n\nAlso a small non functional cleanup."));
        assert!(!says(
            "Rewrite history non-functionally; improve its formula"
        ));
    }

    #[test]
    fn a_declaration_is_seen_across_a_line_break() {
        let says = |message: &str| says_non_functional(message, &Settings::default());
        assert!(says(
            "Tidy\n\nOff until it is proved. No functional\nchange.\n"
        ));
        assert!(says(
            "Tidy\n\nOff until it is proved. No\nfunctional change."
        ));
        assert!(!says("Tune\n\nAlso a small no functional\nchange."));
        assert!(!says("Tidy\n\nIs it slower? No.\n\nFunctional change."));
    }

    #[test]
    fn a_sentence_that_a_squash_quotes_is_about_one_of_its_commits() {
        let says = |message: &str| says_non_functional(message, &Settings::default());
        let (tidy, tune) = ("Tidy\n\nNo functional change", "LMR 60\n\nBench: 5");
        let squash = |title: &str, parts: [&str; 2]| {
            let [first, last] = parts;
            format!("{title} (#12)\n\n* {first}\n\n* {last}\n\nBench: 6")
        };
        assert!(!says(&squash("Moves", [tune, tidy])));
        assert!(!says(&squash("Moves", [tidy, tune])));
        assert!(says(&squash("Moves", [tidy, tidy])));
        assert!(says(&squash("Moves: no functional change", [tidy, tune])));
        let id = "1".repeat(40);
        let of_git = format!(
            "Squashed commit of the following:\n\ncommit {id}\n\n    Tidy\n\n    No functional change\n\ncommit {id}\n\n    LMR 60\n"
        );
        assert!(!says(&of_git));
        assert!(says(&format!("{of_git}\nNo functional change\n")));
        assert!(says(&format!("Moves (#12)\n\n{tidy}\n\nBench: 6")));
    }

    #[test]
    fn gains_are_claimed_by_results_only() {
        assert!(claims_gain("x\n\nElo   | 6.27 +- 4.15 (95%)\n"));
        assert!(claims_gain("x\n\nLLR: 2.95 (-2.94,2.94) <0.00,2.00>\n"));
        assert!(!claims_gain("Elo   | -1.27 +- 4.15 (95%)"));
        assert!(!claims_gain(
            "Elo   | 1.27 +- 4.15 (95%)\nLLR   | 2.95 (-2.94, 2.94) [-5.00, 0.00]"
        ));
        assert!(!claims_gain("LLR: 2.95 (-2.94,2.94) <-1.75,0.25>"));
        assert!(!claims_gain("more elo: hopefully"));
        assert!(!claims_gain(
            "Better time management\n\nElo   | 6.27 +- 4.15 (95%)\n"
        ));
        assert!(!claims_gain(
            "Speedup in movegen\n\nElo   | 6.27 +- 4.15 (95%)\n"
        ));
    }
}
