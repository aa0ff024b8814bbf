//! The form of a result that may be for people, for programs, or for a pull request.

use clap::{Args, ValueEnum};
use serde::Serialize;

/// The form of the result.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FormatArgs {
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Form of the result; markdown is a comment for a pull request
    #[arg(long, value_enum, value_name = "FORM")]
    pub format: Option<Format>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Text,
    Json,
    Markdown,
}

impl FormatArgs {
    pub fn format(self) -> Format {
        if self.json {
            Format::Json
        } else {
            self.format.unwrap_or_default()
        }
    }

    pub fn is_json(self) -> bool {
        self.format() == Format::Json
    }

    pub fn is_markdown(self) -> bool {
        self.format() == Format::Markdown
    }
}

/// A fenced block of Markdown, whatever the text holds.
pub fn fenced(text: &str) -> String {
    let ticks = text.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(ticks.unwrap_or_default().max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

/// Foreign text within a line of Markdown: none of its characters acts as markup, and it mentions
/// nobody and names no issue.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => escaped.push(' '),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            // A backslash does not prevent a mention.
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            _ if letter.is_ascii_punctuation() && !"-.,:;'\"/%()=".contains(letter) => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Foreign text as Markdown: its first line in bold, each other line as a paragraph.
pub fn headed(text: &str) -> String {
    let mut lines = text.lines().map(escaped);
    let first = lines.next().unwrap_or_default();
    let paragraphs: Vec<String> = [format!("**{first}**")].into_iter().chain(lines).collect();
    paragraphs.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fenced("Elo | 1\n"), "```text\nElo | 1\n```");
        assert_eq!(fenced("a ```` b"), "`````text\na ```` b\n`````");
    }

    #[test]
    fn only_the_first_line_of_a_text_is_its_head() {
        assert_eq!(headed("won\n*a* lost"), "**won**\n\n\\*a\\* lost");
    }

    #[test]
    fn a_text_of_others_stays_text() {
        assert_eq!(
            escaped("fix #3 by @a <b> *c* `d` [e](f)\n|"),
            "fix &#35;3 by &#64;a &lt;b\\> \\*c\\* \\`d\\` \\[e\\](f) \\|"
        );
        assert_eq!(escaped("8.0+0.08, 50% (a/b)"), "8.0\\+0.08, 50% (a/b)");
    }
}
