//! A commit message while it is being made: with git's comments, and a place for the bench. Pure.
//!
//! Messages may be in any encoding (`i18n.commitEncoding`). A message that is not UTF-8 is
//! processed byte by byte, so that everything that is not changed stays as it is; a bench is ASCII
//! in every encoding that git accepts.

use std::ops::Range;

use super::{BenchMatches, Reading, Squash, label, reading};

/// Where git cuts, it cuts here, behind the comment mark.
const SCISSORS: &str = "------------------------ >8 ------------------------\n";

/// The characters that git chooses from when `core.commentChar` is `auto`.
const MARKS: &str = "#;@!$%^&|:";

/// The mark before the scissors, if the line is that where git cuts.
fn mark_of_scissors(line: &str) -> Option<char> {
    let (mark, rest) = line.split_once(' ')?;
    let mark = mark.parse().ok().filter(|mark| MARKS.contains(*mark))?;
    (rest == SCISSORS.trim_end()).then_some(mark)
}

/// What git will do to the message before it stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cleanup {
    /// What a comment begins with.
    pub(crate) mark: String,
    /// Whether comments are removed.
    pub(crate) strips: bool,
    /// Whether everything below the scissors is.
    pub(crate) cuts: bool,
}

impl Cleanup {
    /// `mode` is `commit.cleanup` and `mark` is `core.commentChar`, empty if they are not set. A
    /// message for which no editor was opened has no comments, unless `strip` is set. A `verbose`
    /// commit shows its changes below the scissors.
    pub(crate) fn of(mode: &str, mark: &str, edited: bool, verbose: bool, text: &str) -> Self {
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let mark = match mark {
            // git's own comments close the file, if the changes do not, which stand below the
            // scissors.
            "auto" => (text.lines().find_map(mark_of_scissors))
                .or_else(|| last?.chars().next().filter(|first| MARKS.contains(*first)))
                .map_or_else(|| "#".to_owned(), String::from),
            "" => "#".to_owned(),
            mark => mark.to_owned(),
        };
        let strips = match mode {
            "strip" => true,
            "verbatim" | "whitespace" | "scissors" => false,
            _ => edited,
        };
        let cuts = verbose || (mode == "scissors" && edited);
        Self { mark, strips, cuts }
    }
}

/// The text of the file that git gives its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    text: String,
    /// Each character stands for one byte.
    is_bytes: bool,
    cleanup: Cleanup,
}

/// A message with another bench.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) bytes: Vec<u8>,
    /// The number that stood there before, as it was written.
    pub(crate) replaced: Option<String>,
}

impl Draft {
    pub(crate) fn new(bytes: Vec<u8>, cleanup: impl FnOnce(&str) -> Cleanup) -> Self {
        let (text, is_bytes) = match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) => (
                error.as_bytes().iter().map(|b| char::from(*b)).collect(),
                true,
            ),
        };
        Self {
            cleanup: cleanup(&text),
            text,
            is_bytes,
        }
    }

    /// A message that is stored already: nothing in it is a comment.
    pub(crate) fn stored(bytes: Vec<u8>) -> Self {
        Self::new(bytes, |text| {
            Cleanup::of("verbatim", "", false, false, text)
        })
    }

    /// Another text to which git will do the same.
    pub(crate) fn like(&self, bytes: Vec<u8>) -> Self {
        Self::new(bytes, |_| self.cleanup.clone())
    }

    fn bytes(&self, text: &str) -> Vec<u8> {
        if self.is_bytes {
            text.chars().map(|c| u32::from(c) as u8).collect()
        } else {
            text.as_bytes().to_owned()
        }
    }

    /// The message as git will store it.
    pub(crate) fn message(&self) -> String {
        let lines: Vec<&str> = self.text[..self.body_end()]
            .lines()
            .filter(|line| !self.is_comment(line))
            .map(str::trim_end)
            .collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }

    fn is_comment(&self, line: &str) -> bool {
        self.cleanup.strips && line.starts_with(&self.cleanup.mark)
    }

    /// Whether a person has added nothing to the template, which may be empty: as git sees it, which
    /// passes over a sign-off, but without the benches that git would take for a text.
    pub(crate) fn is_untouched(&self, template: &str) -> bool {
        let message = self.message();
        let mut template = written(template).peekable();
        let added = written(&message).filter(|line| template.next_if_eq(line).is_none());
        let added = added.filter(|line| !line.starts_with("Signed-off-by: "));
        // Lines of the template that are missing were removed by somebody.
        added.count() == 0 && template.next().is_none()
    }

    /// Whether it may quote a bench of a commit that was squashed on a line of its own. `git merge
    /// --squash` indents what it quotes.
    pub(crate) fn is_squash(&self) -> bool {
        let combination = format!("{} This is a combination of ", self.cleanup.mark);
        let is_combined = |line: &str| line.starts_with(&combination);
        self.text.lines().any(is_combined)
            || Squash::of_github(&self.message().replace("\r\n", "\n")).is_some()
    }

    /// The text with `bench` as the number that is read for an engine; `None` if it is that
    /// already. A bench on a line of its own, last and not indented, is replaced by the new one,
    /// unless `is_quoted` says that the line is from another message.
    pub(crate) fn with_bench(
        &self,
        engine: Option<&str>,
        bench: u64,
        is_quoted: bool,
    ) -> Option<Edit> {
        if Reading::of(&self.message(), engine).bench() == Some(bench) {
            return None;
        }
        let line = format!("{}: {bench}", label(engine));
        let body = &self.text[..self.comments_start()];
        let found = match engine {
            _ if is_quoted => None,
            None => self.own_line(body),
            Some(engine) => self.line_of(body, engine),
        };
        Some(match found {
            Some((span, number)) => {
                let replaced = Some(number.to_owned());
                let mut text = self.text.clone();
                text.replace_range(span, &line);
                Edit {
                    bytes: self.bytes(&text),
                    replaced,
                }
            }
            None => self.with_line(body, &line),
        })
    }

    /// Where OpenBench reads the bench, if it stands on a line of its own, and the number there.
    fn own_line<'a>(&self, body: &'a str) -> Option<(Range<usize>, &'a str)> {
        let last = BenchMatches::of(body).matches.pop()?;
        let (line_start, line) = line_at(body, last.span.start);
        let is_alone = line_start == last.span.start
            && line.trim_end().len() == last.span.len()
            && !self.is_comment(line);
        let number = body.get(last.span.end - last.number.len()..last.span.end)?;
        is_alone.then_some((last.span, number))
    }

    /// The last line with the bench of another engine, without the blanks after it, and its number.
    fn line_of<'a>(&self, body: &'a str, engine: &str) -> Option<(Range<usize>, &'a str)> {
        let starts: Vec<usize> = self
            .line_starts()
            .filter(|start| *start < body.len())
            .collect();
        starts.into_iter().rev().find_map(|start| {
            let (_, line) = line_at(body, start);
            let number = reading::number(line, engine).filter(|_| !self.is_comment(line))?;
            Some((start..start + line.trim_end().len(), number))
        })
    }

    /// The text with another line after what is written.
    fn with_line(&self, body: &str, line: &str) -> Edit {
        let end = body.trim_end().len();
        // Blanks at the end of a line belong to it.
        let after = &body[end..];
        let end = end + after.find(['\r', '\n']).unwrap_or(after.len());
        let (written, rest) = self.text.split_at(end);
        let is_crlf = match rest.strip_prefix('\r') {
            Some(_) => true,
            None => rest.is_empty() && written.contains("\r\n"),
        };
        let newline = if is_crlf { "\r\n" } else { "\n" };
        let rest = rest.trim_start_matches(['\r', '\n']);
        let unix = written.replace("\r\n", "\n");
        // In an empty message two lines leave room above for the text.
        let above = newline.repeat(if ends_with_trailer(&unix) { 1 } else { 2 });
        let below = newline.repeat(if rest.is_empty() { 1 } else { 2 });
        let text = format!("{written}{above}{line}{below}{rest}");
        Edit {
            bytes: self.bytes(&text),
            replaced: None,
        }
    }

    /// Where the text that git keeps ends.
    fn body_end(&self) -> usize {
        let scissors = format!("{} {SCISSORS}", self.cleanup.mark);
        self.line_starts()
            .find(|start| self.cleanup.cuts && self.text[*start..].starts_with(&scissors))
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
            if self.is_comment(line) || line.trim().is_empty() {
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

/// The lines that hold something besides a bench.
fn written(text: &str) -> impl Iterator<Item = &str> {
    let is_bench = |line: &str| {
        let matches = BenchMatches::of(line).matches;
        let is_whole = matches
            .first()
            .is_some_and(|only| only.span == (0..line.len()));
        is_whole || reading::is_of_other_engine(line)
    };
    let lines = text.lines().map(str::trim);
    lines.filter(move |line| !line.is_empty() && !is_bench(line))
}

fn line_at(text: &str, at: usize) -> (usize, &str) {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    (start, text[start..].lines().next().unwrap_or_default())
}

/// Whether the last paragraph, not being the subject, consists of `Key: value` lines, to which the
/// bench belongs; a value continues in lines that begin with a blank.
fn ends_with_trailer(text: &str) -> bool {
    let Some((_, paragraph)) = text.rsplit_once("\n\n") else {
        return false;
    };
    let is_trailer = |line: &str| {
        line.split_once(": ").is_some_and(|(key, _)| {
            !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
    };
    let goes_on = |line: &str| line.starts_with([' ', '\t']);
    !goes_on(paragraph)
        && paragraph
            .lines()
            .all(|line| is_trailer(line) || goes_on(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Draft {
        Draft::new(text.as_bytes().to_vec(), |text| {
            Cleanup::of("", "", true, false, text)
        })
    }

    fn filled(text: &str) -> String {
        draft(text)
            .with_bench(None, 7, draft(text).is_squash())
            .map_or_else(
                || "same".to_owned(),
                |edit| String::from_utf8(edit.bytes).expect("UTF-8"),
            )
    }

    #[test]
    fn each_engine_has_its_line() {
        let with = |text: &str, engine, bench| {
            let edit = draft(text).with_bench(engine, bench, false);
            edit.map(|edit| String::from_utf8(edit.bytes).expect("UTF-8"))
        };
        let text = "Tune\n\nBench: 7\n";
        let both = with(text, Some("other"), 5).expect("changed");
        assert_eq!(both, "Tune\n\nBench: 7\nBench-other: 5\n");
        assert_eq!(with(&both, Some("other"), 5), None);
        assert_eq!(with(&both, None, 7), None);
        let moved = with(&both, Some("other"), 6).expect("changed");
        assert_eq!(moved, "Tune\n\nBench: 7\nBench-other: 6\n");
        let main = with(&moved, None, 8).expect("changed");
        assert_eq!(main, "Tune\n\nBench: 8\nBench-other: 6\n");
        assert!(draft("Bench: 7\nBench-other: 5\n# comment").is_untouched(""));
        assert!(!draft("Tune\n\nBench-other: 5\n").is_untouched(""));
    }

    #[test]
    fn a_bench_joins_a_trailer_that_goes_on() {
        assert_eq!(
            filled("Tune\n\nSPRT-Proof: run\n new=1\n sum=2\n"),
            "Tune\n\nSPRT-Proof: run\n new=1\n sum=2\nBench: 7\n"
        );
        assert_eq!(
            filled("Tune\n\n indented\n"),
            "Tune\n\n indented\n\nBench: 7\n"
        );
    }

    #[test]
    fn a_message_in_latin_1_stays_latin_1() {
        let bytes = b"Gr\xfc\xdfe\n\nBench: 5\n".to_vec();
        let edit = Draft::stored(bytes)
            .with_bench(None, 7, false)
            .expect("changed");
        assert_eq!(edit.bytes, b"Gr\xfc\xdfe\n\nBench: 7\n");
        assert_eq!(edit.replaced.as_deref(), Some("5"));
    }

    #[test]
    fn a_subject_that_begins_with_a_number_sign_is_kept_where_git_keeps_it() {
        let of = |mode, edited| {
            let bytes = b"#12 Tune\n\nText\n".to_vec();
            Draft::new(bytes, |text| Cleanup::of(mode, "", edited, false, text)).message()
        };
        assert_eq!(of("", false), "#12 Tune\n\nText");
        assert_eq!(of("whitespace", true), "#12 Tune\n\nText");
        assert_eq!(of("", true), "Text");
        assert_eq!(of("strip", false), "Text");
        assert_eq!(of("scissors", true), "#12 Tune\n\nText");
        let auto = Cleanup::of("", "auto", true, false, "#12 Tune\n\n; Please enter\n");
        assert_eq!(auto.mark, ";");
        let changes = format!("#12 Tune\n\n; Please enter\n; {SCISSORS}diff --git a b\n+#\n");
        let auto = Cleanup::of("", "auto", true, true, &changes);
        assert_eq!(auto.mark, ";");
    }

    #[test]
    fn a_bench_that_a_squash_quotes_stays() {
        let squash = "Squashed commit of the following:\n\ncommit a\n\n    One\n    Bench: 5\n";
        assert_eq!(filled(squash), format!("{squash}\nBench: 7\n"));
        // The last line is its own.
        let amended = filled(&format!("{squash}\nBench: 6\n"));
        assert_eq!(amended, format!("{squash}\nBench: 7\n"));
        let combined =
            "# This is a combination of 2 commits.\nOne\n\nBench: 4\n\nTwo\n\nBench: 5\n";
        assert_eq!(filled(combined), format!("{combined}Bench: 7\n"));
    }

    #[test]
    fn lines_that_end_with_blanks_or_a_carriage_return_keep_them() {
        let trailer = "Tune\r\n\r\nBody\r\n\r\nCo-authored-by: X <x@y.z>\r\n";
        assert_eq!(filled(trailer), format!("{trailer}Bench: 7\r\n"));
        assert_eq!(
            filled("Tune\r\n\r\nBody\r\n\r\n# comment\r\n"),
            "Tune\r\n\r\nBody\r\n\r\nBench: 7\r\n\r\n# comment\r\n"
        );
        assert_eq!(filled("Tune\r\n"), "Tune\r\n\r\nBench: 7\r\n");
        assert_eq!(filled("# x\n"), "\n\nBench: 7\n\n# x\n");
        assert_eq!(filled("Tune  \n"), "Tune  \n\nBench: 7\n");
        assert_eq!(
            filled("Tune\r\n\r\nBench: 5\r\n"),
            "Tune\r\n\r\nBench: 7\r\n"
        );
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
    fn comments_and_what_is_below_the_scissors_are_no_message_where_git_says_so() {
        let text = format!("Tune\n# comment\n\n# {SCISSORS}diff bench 5\n");
        for (mode, verbose, expected) in [
            ("", true, "Tune"),
            ("", false, "Tune\n\ndiff bench 5"),
            ("strip", true, "Tune"),
            ("scissors", false, "Tune\n# comment"),
            ("whitespace", true, "Tune\n# comment"),
        ] {
            let cleanup = |text: &str| Cleanup::of(mode, "", true, verbose, text);
            let draft = Draft::new(text.clone().into_bytes(), cleanup);
            assert_eq!(draft.message(), expected, "{mode} {verbose}");
        }
        assert!(draft("\n\nBench: 7\n\n# x\n").is_untouched(""));
        assert!(!draft("Tune\n\nBench: 7\n").is_untouched(""));
    }

    #[test]
    fn a_template_is_untouched_as_git_sees_it() {
        let template = "Why:\nTested:";
        let is_untouched = |text: &str| draft(text).is_untouched(template);
        assert!(is_untouched("Why:\nTested:\n\nBench: 7\n# comment"));
        assert!(is_untouched(
            "Why:\nTested:\n\nSigned-off-by: A <a@b>\nBench: 7\n"
        ));
        assert!(!is_untouched("Tune\nWhy:\nTested:\n\nBench: 7\n"));
        assert!(!is_untouched("Why: x\nTested:\n\nBench: 7\n"));
        assert!(!is_untouched("Why:\n\nBench: 7\n"));
        assert!(draft("Signed-off-by: A <a@b>\nBench: 7\n").is_untouched(""));
    }

    proptest::proptest! {
        #[test]
        fn what_is_filled_in_is_what_openbench_reads(text in "(?s)[a-z#:\n 0-9]{0,60}(bench|Bench: |nodes )?[0-9,]{0,4}.{0,40}") {
            let draft = draft(&text);
            let filled = draft.with_bench(None, 7, false).map_or(draft.clone(), |edit| {
                Draft::new(edit.bytes, |_| draft.cleanup.clone())
            });
            proptest::prop_assert_eq!(crate::message::server_bench(&filled.message()), Some(7), "{:?}", text);
        }
    }
}
