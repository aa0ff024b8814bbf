//! Lists of patterns for paths and names, checked when the settings are read.
//!
//! Paths: `*` is any run of characters but `/`, `**` any run of folders, `?` one byte but `/` (a letter
//! beyond ASCII has more), `[a-z]` one of a set, `{a,b}` one of some texts. Names of authors are no
//! paths: in them only `*` and `?` mean anything.

use std::fmt;

use fast_glob::{glob_match, validate};
use serde::{Deserialize, Deserializer, de::Error};

/// Patterns for paths.
#[derive(Clone, PartialEq)]
pub(crate) struct PathPatterns(Vec<String>);

impl PathPatterns {
    pub(crate) fn new(texts: Vec<String>) -> Result<Self, String> {
        for text in &texts {
            if text.is_empty() {
                return Err("an empty pattern matches nothing; leave it out".to_owned());
            }
            validate(text).map_err(|error| format!("`{text}` is not a valid pattern: {error}"))?;
        }
        Ok(Self(texts))
    }

    /// These and more.
    #[must_use]
    pub(crate) fn and(&self, more: &Self) -> Self {
        Self(self.0.iter().chain(&more.0).cloned().collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is the default, which matches whatever there is.
    pub(crate) fn is_all(&self) -> bool {
        self.0 == ["**"]
    }

    /// Whether any pattern matches the whole path.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.0.iter().any(|pattern| is_match(pattern, path))
    }

    /// The same without the patterns that name a folder: all of it, or something in it alone.
    #[must_use]
    pub(crate) fn outside(&self, folder: &str) -> Self {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        // A name that only a pattern for any file matches.
        let file = format!("{folder}\u{1}");
        let is_outside =
            |pattern: &&String| !pattern.starts_with(&folder) && !is_match(pattern, &file);
        Self(self.0.iter().filter(is_outside).cloned().collect())
    }

    /// The patterns that match none of these paths.
    pub(crate) fn unused<'a>(&'a self, paths: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let mut unused: Vec<&str> = self.0.iter().map(String::as_str).collect();
        for path in paths {
            unused.retain(|pattern| !is_match(pattern, path));
        }
        unused
    }
}

/// Whether a character means something in a pattern.
pub(crate) fn is_special(character: char) -> bool {
    "*?[]{}\\!".contains(character)
}

fn is_match(pattern: &str, path: &str) -> bool {
    // At the beginning an exclamation mark would turn the pattern round.
    if pattern.starts_with('!') {
        return glob_match(format!("\\{pattern}"), path);
    }
    glob_match(pattern, path)
}

/// Patterns for `Name <address>`.
#[derive(Clone, PartialEq)]
pub(crate) struct NamePatterns(PathPatterns);

impl NamePatterns {
    pub(crate) fn new(texts: Vec<String>) -> Result<Self, String> {
        let escape = |text: String| -> String {
            text.chars()
                .flat_map(|c| {
                    let special = matches!(c, '[' | ']' | '{' | '}' | '\\' | '!');
                    special.then_some('\\').into_iter().chain([c])
                })
                // No name has a folder, so that `*` may match everything.
                .map(|c| if c == '/' { '\u{2215}' } else { c })
                .collect()
        };
        PathPatterns::new(texts.into_iter().map(escape).collect()).map(Self)
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.0.matches(&name.replace('/', "\u{2215}"))
    }
}

impl fmt::Debug for PathPatterns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for NamePatterns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<'de> Deserialize<'de> for PathPatterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for NamePatterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        let patterns = PathPatterns::new(vec![pattern.to_owned()]).expect("valid");
        patterns.matches(path)
    }

    #[test]
    fn stars_stop_at_slashes_unless_doubled() {
        for (pattern, text, expected) in [
            ("**", "src/search.rs", true),
            ("*.md", "README.md", true),
            ("*.md", "docs/a.md", false),
            ("**/*.md", "README.md", true),
            ("**/*.md", "docs/deep/a.md", true),
            ("src/**", "src/a/b.c", true),
            ("src/**", "srcs/a", false),
            ("src/*.c", "src/a/b.c", false),
            ("**/.git*", ".gitignore", true),
            ("**/*.{png,jpg}", "docs/a.jpg", true),
            ("a?c", "abc", true),
            ("a?c", "a/c", false),
            ("src", "src/a.c", false),
            ("src/**", "src", false),
            ("src/**/a.c", "src/a.c", true),
            ("src/**/a.c", "src/b/d/a.c", true),
            ("**/test*/**", "src/tests/a.c", true),
            ("{src,lib}/**/*.{c,h}", "lib/a/b.h", true),
            ("a{,.c}", "a", true),
            ("[!a-c].c", "d.c", true),
            ("[!a-c].c", "b.c", false),
            ("a[/]b", "a/b", false),
            ("*.c", "ä.c", true),
            ("!a.c", "!a.c", true),
            ("!a.c", "b.c", false),
            ("a\\*c", "a*c", true),
            ("a\\*c", "abc", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn a_bracket_in_a_name_is_a_bracket() {
        let patterns = NamePatterns::new(vec!["*[bot]*".to_owned()]).expect("valid");
        assert!(patterns.matches("dependabot[bot] <a@b>"));
        assert!(patterns.matches("x/y[bot] <a@b/c>"));
        assert!(!patterns.matches("Bo Tobias <bot@example.org>"));
    }

    #[test]
    fn an_invalid_pattern_is_refused_by_name() {
        let refused =
            |pattern: &str| PathPatterns::new(vec![pattern.to_owned()]).expect_err(pattern);
        assert!(refused("src/[a").contains("`src/[a`"));
        assert!(refused("src/{a").contains("not a valid pattern"));
        assert!(refused("src\\").contains("not a valid pattern"));
        assert!(refused("").contains("empty"));
    }

    #[test]
    fn patterns_that_match_no_path_are_named() {
        let texts = ["src/**", "engine/**"].map(str::to_owned).to_vec();
        let patterns = PathPatterns::new(texts).expect("valid");
        assert_eq!(patterns.unused(["src/a.c", "b"].into_iter()), ["engine/**"]);
    }
}
