//! The message of a squash merge, which quotes those of the commits that it joins. Pure.
//!
//! `git merge --squash` indents them below headers; GitHub lists them below the title of the pull
//! request:
//!
//! ```text
//! Late moves (#12)
//!
//! * LMR 60
//!
//! Bench: 101564
//!
//! * Tidy
//!
//! No functional change
//! ```

/// The parts of such a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Squash {
    /// What is said of all of it.
    pub(crate) own: String,
    /// The messages of the commits.
    pub(crate) quoted: Vec<String>,
}

impl Squash {
    /// `None` if the message is that of any other commit.
    pub(crate) fn of(message: &str) -> Option<Self> {
        let message = message.replace("\r\n", "\n");
        Self::of_git(&message).or_else(|| Self::of_github(&message))
    }

    fn of_git(message: &str) -> Option<Self> {
        const HEADERS: [&str; 3] = ["Author: ", "Date: ", "Merge: "];
        let mut lines = message.lines();
        let mut own = String::new();
        loop {
            match lines.next()? {
                "Squashed commit of the following:" => break,
                line => own = own + line + "\n",
            }
        }
        let mut quoted: Vec<String> = Vec::new();
        for line in lines {
            let id = line.strip_prefix("commit ").and_then(|it| it.get(..40));
            if id.is_some_and(|id| id.bytes().all(|b| b.is_ascii_hexdigit())) {
                quoted.push(String::new());
            } else if let (Some(part), Some(text)) = (quoted.last_mut(), line.strip_prefix("    "))
            {
                part.push_str(text);
                part.push('\n');
            } else if let (Some(part), "") = (quoted.last_mut(), line.trim()) {
                part.push('\n');
                own.push('\n');
            } else if !HEADERS.iter().any(|it| line.starts_with(it)) {
                own = own + line + "\n";
            }
        }
        for part in &mut quoted {
            *part = part.trim().to_owned();
        }
        (!quoted.is_empty()).then_some(Self { own, quoted })
    }

    /// GitHub's: nothing stands between the title, which ends with the number of the pull request, and
    /// the first of several commits.
    pub(super) fn of_github(message: &str) -> Option<Self> {
        let (title, rest) = message.split_once("\n\n* ")?;
        let number = title.rsplit_once(" (#")?.1.strip_suffix(')')?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let quoted: Vec<String> = rest.split("\n\n* ").map(str::to_owned).collect();
        (is_number && !title.contains('\n') && quoted.len() > 1).then(|| Self {
            own: title.to_owned(),
            quoted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_and_github_quote_is_told_from_what_is_said_of_all() {
        let id = "1".repeat(40);
        let git = format!(
            "Late moves\n\nSquashed commit of the following:\n\ncommit {id}\nAuthor: A <a@b>\nDate:   today\n\n    Tidy\n\n    No functional change\n\ncommit {id} (HEAD)\nMerge: 1 2\nAuthor: A <a@b>\n\n    LMR\n\nBench: 5"
        );
        let found = Squash::of(&git).expect("a squash");
        assert_eq!(found.quoted, ["Tidy\n\nNo functional change", "LMR"]);
        let own: Vec<&str> = found.own.split_whitespace().collect();
        assert_eq!(own, ["Late", "moves", "Bench:", "5"]);
        let github = Squash::of("Late moves (#12)\n\n* LMR\n\nBench: 5\n\n* Tidy").expect("one");
        assert_eq!(
            Squash::of("Late moves (#12)\r\n\r\n* LMR\r\n\r\nBench: 5\r\n\r\n* Tidy").as_ref(),
            Some(&github)
        );
        assert_eq!(github.own, "Late moves (#12)");
        assert_eq!(github.quoted, ["LMR\n\nBench: 5", "Tidy"]);
    }

    #[test]
    fn a_list_in_another_message_is_no_squash() {
        for message in [
            "Tidy\n\n* one\n\n* two",
            "Tidy (#12)\n\n* one\n* two\n\nNo functional change",
            "Tidy (#12)\n\nIn short:\n\n* one\n\n* two",
            "Tidy (#x)\n\n* one\n\n* two",
            "Tidy (#12)\n\n* one",
            "Squashed commit of the following:\n\nnothing",
            "",
        ] {
            assert_eq!(Squash::of(message), None, "{message}");
        }
    }
}
