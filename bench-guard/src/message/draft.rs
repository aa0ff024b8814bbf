//! A commit message while it is being made: with git's comments, and a place for the bench. Pure.

use super::Reading;

/// Below this line, behind the comment mark, git cuts everything off.
const SCISSORS: &str = "------------------------ >8 ------------------------";

/// The text of the file that git gives its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    text: String,
    mark: char,
}

impl Draft {
    /// `mark` as configured; empty or `auto` means `#`.
    pub fn new(text: String, mark: &str) -> Self {
        let mut characters = mark.chars();
        let mark = match (characters.next(), characters.next()) {
            (Some(mark), None) => mark,
            _ => '#',
        };
        Self { text, mark }
    }

    /// The message as git will store it: no comments, nothing below the scissors.
    pub fn message(&self) -> String {
        let lines: Vec<&str> = self.text[..self.body_end()]
            .lines()
            .filter(|line| !line.starts_with(self.mark))
            .map(str::trim_end)
            .collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }

    /// Whether a person has written nothing: git would take a lone bench for a message.
    pub fn is_bench_only(&self) -> bool {
        let message = self.message();
        let line = message.trim();
        !line.is_empty()
            && Reading::of(line)
                .matches
                .first()
                .is_some_and(|only| only.span == (0..line.len()))
    }

    /// The text with `bench` as the number that OpenBench reads; `None` where it is so already.
    pub fn with_bench(&self, bench: u64) -> Option<String> {
        if Reading::of(&self.message()).bench() == Some(bench) {
            return None;
        }
        let body = &self.text[..self.comments_start()];
        let reading = Reading::of(body);
        if let Some(last) = reading.matches.last() {
            let (line_start, line) = line_at(body, last.span.start);
            if line.trim().len() == last.span.len() && !line.starts_with(self.mark) {
                let mut text = self.text.clone();
                let indent = line.len() - line.trim_start().len();
                let start = line_start + indent;
                text.replace_range(start..start + last.span.len(), &format!("Bench: {bench}"));
                return Some(text);
            }
        }
        let written = body.trim_end();
        let rest = &self.text[written.len()..];
        let rest = rest.trim_start_matches('\n');
        // A message that is still to be written gets room above.
        let above = if ends_with_trailer(written) {
            "\n"
        } else {
            "\n\n"
        };
        let below = if rest.is_empty() { "\n" } else { "\n\n" };
        Some(format!("{written}{above}Bench: {bench}{below}{rest}"))
    }

    /// Where the text that git keeps ends.
    fn body_end(&self) -> usize {
        let scissors = format!("{} {SCISSORS}", self.mark);
        self.line_starts()
            .find(|start| self.text[*start..].starts_with(&scissors))
            .unwrap_or(self.text.len())
    }

    /// Where the comments that close the file begin.
    fn comments_start(&self) -> usize {
        let end = self.body_end();
        let mut start = end;
        for line_start in self.line_starts().collect::<Vec<_>>().into_iter().rev() {
            if line_start >= end {
                continue;
            }
            let line = self.text[line_start..].lines().next().unwrap_or_default();
            if line.starts_with(self.mark) || line.trim().is_empty() {
                start = line_start;
            } else {
                break;
            }
        }
        start
    }

    fn line_starts(&self) -> impl Iterator<Item = usize> {
        std::iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1))
    }
}

fn line_at(text: &str, at: usize) -> (usize, &str) {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    (start, text[start..].lines().next().unwrap_or_default())
}

/// Whether the last paragraph, not being the subject, consists of `Key: value` lines, to which the bench belongs.
fn ends_with_trailer(text: &str) -> bool {
    let Some((_, paragraph)) = text.rsplit_once("\n\n") else {
        return false;
    };
    paragraph.lines().all(|line| {
        line.split_once(": ").is_some_and(|(key, _)| {
            !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        Draft::new(text.to_owned(), "")
            .with_bench(7)
            .unwrap_or_else(|| "same".to_owned())
    }

    #[test]
    fn the_bench_stands_last_and_before_the_comments() {
        assert_eq!(filled("Tune margin\n"), "Tune margin\n\nBench: 7\n");
        assert_eq!(
            filled("Tune\n\nText.\n\n# Please enter\n# bench 5\n"),
            "Tune\n\nText.\n\nBench: 7\n\n# Please enter\n# bench 5\n"
        );
        assert_eq!(
            filled("\n# Please enter\n"),
            "\n\nBench: 7\n\n# Please enter\n"
        );
        assert_eq!(
            filled("Tune\n\nSigned-off-by: A <a@b>\n"),
            "Tune\n\nSigned-off-by: A <a@b>\nBench: 7\n"
        );
    }

    #[test]
    fn an_old_bench_on_its_own_line_is_replaced_where_it_stands() {
        assert_eq!(
            filled("Tune\n\nBench: 1,234\n\nCo-authored-by: A <a@b>\n"),
            "Tune\n\nBench: 7\n\nCo-authored-by: A <a@b>\n"
        );
        assert_eq!(filled("Tune\n\nbench 7\n"), "same");
        assert_eq!(
            filled("Tune, nodes 10% down\n"),
            "Tune, nodes 10% down\n\nBench: 7\n"
        );
    }

    #[test]
    fn a_bench_in_a_comment_above_the_text_is_none() {
        assert_eq!(
            filled("# Bench: 7\nTune\n"),
            "# Bench: 7\nTune\n\nBench: 7\n"
        );
    }

    #[test]
    fn comments_and_what_is_below_the_scissors_are_no_message() {
        let text = "Tune\n# comment\n\n# ------------------------ >8 ------------------------\ndiff bench 5\n";
        let draft = Draft::new(text.to_owned(), "#");
        assert_eq!(draft.message(), "Tune");
        assert!(Draft::new("\n\nBench: 7\n\n# x\n".to_owned(), "").is_bench_only());
        assert!(!Draft::new("Tune\n\nBench: 7\n".to_owned(), "").is_bench_only());
    }

    proptest::proptest! {
        #[test]
        fn what_is_filled_in_is_what_openbench_reads(text in "(?s)[a-z#:\n 0-9]{0,60}(bench|Bench: |nodes )?[0-9,]{0,4}.{0,40}") {
            let draft = Draft::new(text.clone(), "");
            let filled = draft.with_bench(7).map_or(draft.clone(), |text| Draft::new(text, ""));
            proptest::prop_assert_eq!(crate::message::server_bench(&filled.message()), Some(7), "{:?}", text);
        }
    }
}
