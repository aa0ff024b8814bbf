//! Lines of an engine that are kept with its moves, such as data for training from its games.

use foundation::Failure;
use regex_lite::Regex;

/// For each pattern, the last line of a search that matches.
#[derive(Debug)]
pub(super) struct KeptLines(Vec<(Regex, Option<String>)>);

impl KeptLines {
    /// Compiles the patterns.
    ///
    /// # Errors
    /// One of them is not a valid regular expression.
    pub(super) fn new(patterns: &[String]) -> Result<Self, Failure> {
        let compile = |pattern: &String| match Regex::new(pattern) {
            Ok(regex) => Ok((regex, None)),
            Err(error) => Err(Failure::unable(format!(
                "`{pattern}` is no regular expression: {error}"
            ))),
        };
        patterns
            .iter()
            .map(compile)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether nothing is to be kept.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        for (_, last) in &mut self.0 {
            *last = None;
        }
    }

    pub(super) fn record(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        for (pattern, last) in &mut self.0 {
            if pattern.is_match(&line) {
                *last = Some(line.clone().into_owned());
            }
        }
    }

    /// What was kept, in the order of the patterns.
    pub(super) fn take(&mut self) -> Vec<String> {
        self.0
            .iter_mut()
            .filter_map(|(_, last)| last.take())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_matches_is_kept_once() {
        let patterns = ["^info string pgncomment .*", "depth 2"].map(str::to_owned);
        let mut kept = KeptLines::new(&patterns).expect("patterns");
        for line in [
            &b"info string pgncomment first"[..],
            b"info depth 2",
            b"an info string pgncomment elsewhere",
            b"info string pgncomment last \xff",
        ] {
            kept.record(line);
        }
        assert_eq!(
            kept.take(),
            ["info string pgncomment last \u{fffd}", "info depth 2"]
        );
        assert!(kept.take().is_empty());
        kept.record(b"info depth 2");
        kept.clear();
        assert!(kept.take().is_empty());
    }

    #[test]
    fn a_bad_pattern_is_reported() {
        let failure = KeptLines::new(&["(".to_owned()]).expect_err("no expression");
        assert!(failure.message().contains("`(`"), "{failure}");
    }
}
