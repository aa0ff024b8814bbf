//! What an OpenBench worker reads from the output of a bench.
//!
//! The output (stdout and stderr together) is stripped, split into lines and read from the last
//! line upward. In a line, each run of characters other than ASCII letters, digits and blanks
//! becomes one blank. Then, ignoring case, the first line that has it gives the speed,
//! `(\d+\s+nps)|(nps\s+\d+)|(nodes second\s+\d+)`, and, looked up on its own, the first line that
//! has it gives the bench, `(\d+\s+nodes)|(nodes\s+\d+)|(nodes searched\s+\d+)`. The leftmost place
//! in the line counts, and at one place the alternatives in this order.

use super::Bench;

/// What a worker reads: `None` where there is no bench, or one that does not fit 64 bits.
pub fn read(output: &str) -> Option<Bench> {
    let mut nodes = None;
    let mut nps = None;
    for line in output.trim().rsplit('\n') {
        let words = normalised(line);
        nodes = nodes.or_else(|| number(&words, "nodes", "nodes searched"));
        nps = nps.or_else(|| number(&words, "nps", "nodes second"));
        if nodes.is_some() && nps.is_some() {
            break;
        }
    }
    Some(Bench {
        nodes: nodes?.parse().ok()?,
        nps: nps.and_then(|digits| digits.parse().ok()),
    })
}

fn normalised(line: &str) -> String {
    let mut words = String::with_capacity(line.len());
    let mut replaced = false;
    for c in line.chars() {
        let kept = c.is_ascii_alphanumeric() || c == ' ';
        if kept {
            words.push(c.to_ascii_lowercase());
        } else if !replaced {
            words.push(' ');
        }
        replaced = !kept;
    }
    words
}

/// The digits in the leftmost match of `(\d+\s+LABEL)|(LABEL\s+\d+)|(LONG\s+\d+)`.
fn number(words: &str, label: &str, long: &str) -> Option<String> {
    (0..words.len()).find_map(|at| {
        let rest = &words[at..];
        // Digits that match from within match from their first one: long rows are read once.
        let is_within = at > 0 && words.as_bytes()[at - 1].is_ascii_digit();
        let before = (!is_within).then(|| before_label(rest, label)).flatten();
        before
            .or_else(|| after_label(rest, label))
            .or_else(|| after_label(rest, long))
            .map(str::to_owned)
    })
}

fn before_label<'a>(rest: &'a str, label: &str) -> Option<&'a str> {
    let (digits, rest) = rest.split_at(digits_at_start(rest));
    let labelled = rest.starts_with(' ') && rest.trim_start_matches(' ').starts_with(label);
    (!digits.is_empty() && labelled).then_some(digits)
}

fn after_label<'a>(rest: &'a str, label: &str) -> Option<&'a str> {
    let rest = rest
        .strip_prefix(label)?
        .strip_prefix(' ')?
        .trim_start_matches(' ');
    let digits = &rest[..digits_at_start(rest)];
    (!digits.is_empty()).then_some(digits)
}

fn digits_at_start(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recommended_line_is_read() {
        assert_eq!(
            read("position 1: 12\n302378 nodes 1228421 nps\n"),
            Some(Bench {
                nodes: 302378,
                nps: Some(1228421)
            })
        );
    }

    #[test]
    fn a_line_printed_after_the_result_takes_its_place() {
        assert_eq!(
            read("100 nodes 200 nps\ninfo depth 5 nodes 999 nps 888\n"),
            Some(Bench {
                nodes: 5,
                nps: Some(999)
            })
        );
    }

    #[test]
    fn a_mebibyte_of_digits_is_read() {
        let digits = "7".repeat(1 << 20);
        assert_eq!(read(&digits), None);
        let bench = read(&format!("5 nodes {digits} {digits} nps\n"));
        assert_eq!(bench.map(|bench| bench.nodes), Some(5));
    }

    #[test]
    fn a_number_beyond_64_bits_is_no_bench() {
        assert_eq!(read("99999999999999999999999 nodes 5 nps"), None);
    }
}
