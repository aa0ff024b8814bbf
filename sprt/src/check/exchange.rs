//! The dialogue with an engine, shortened to what a reader needs.

use engine_client::cut;

/// Letters of a line that are kept.
const LONGEST: usize = 300;
/// Lines that are kept at the beginning and at the end.
const FIRST: usize = 12;
const LAST: usize = 24;

/// Lines with their direction: `> isready`, `< readyok`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exchange {
    first: Vec<String>,
    last: std::collections::VecDeque<String>,
    left_out: usize,
}

impl Exchange {
    pub(super) fn sent(&mut self, text: &str) {
        for line in text.lines() {
            self.add('>', line);
        }
    }

    pub(super) fn read(&mut self, line: &str) {
        self.add('<', line);
    }

    /// An event that is not a line of the dialogue.
    pub(super) fn note(&mut self, text: &str) {
        self.add('#', text);
    }

    fn add(&mut self, direction: char, line: &str) {
        let line = format!("{direction} {}", cut(line, LONGEST));
        if self.first.len() < FIRST {
            self.first.push(line);
            return;
        }
        if self.last.len() == LAST {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(line);
    }

    /// All lines; where some were left out, a line says how many.
    pub(super) fn into_lines(self) -> Vec<String> {
        let gap = (self.left_out > 0).then(|| format!("# {} lines left out", self.left_out));
        self.first.into_iter().chain(gap).chain(self.last).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_exchange_is_left_out() {
        let mut exchange = Exchange::default();
        exchange.sent("position startpos\ngo infinite\n");
        for number in 0..100 {
            exchange.read(&number.to_string());
        }
        let lines = exchange.into_lines();
        assert_eq!(lines[..3], ["> position startpos", "> go infinite", "< 0"]);
        assert_eq!(lines[FIRST], "# 66 lines left out");
        assert_eq!(lines.last().map(String::as_str), Some("< 99"));
        assert_eq!(lines.len(), FIRST + 1 + LAST);
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut exchange = Exchange::default();
        exchange.read(&"x".repeat(100_000));
        let lines = exchange.into_lines();
        assert_eq!(lines[0].chars().count(), LONGEST + 3);
    }
}
