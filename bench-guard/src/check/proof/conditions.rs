//! The conditions of a test, from the `SPRT` line of its block: `8.0+0.08s Threads=1 Hash=32MB`.

use std::collections::HashSet;

use crate::settings::ProofSettings;

/// The number of moves over which times are compared, so that increments, periods and times per
/// move have one measure.
const MOVES: f64 = 40.0;

/// Why the conditions of a test prove nothing.
pub(super) fn reasons(line: Option<&str>, settings: &ProofSettings) -> Vec<String> {
    let Some(line) = line else {
        return vec!["it has no `SPRT` line that says what was played".to_owned()];
    };
    match Conditions::read(line) {
        Ok(conditions) => conditions.reasons(settings),
        Err(word) => vec![format!(
            "its `SPRT` line has {word}, expected words like `8.0+0.08s Threads=1 Hash=32MB`, or `N=5000` instead of the time"
        )],
    }
}

#[derive(Debug, Default, PartialEq)]
struct Conditions {
    /// Seconds for the first moves.
    time: Option<f64>,
    nodes: Option<u64>,
    has_depth: bool,
}

impl Conditions {
    /// The word that cannot be read, in quotes, or what is missing.
    fn read(line: &str) -> Result<Self, String> {
        let mut conditions = Self::default();
        // With two times, node counts or thread counts, nobody knows which one was played.
        let mut kinds = HashSet::new();
        for word in line.split_whitespace() {
            let kind = match word.split_once('=') {
                None | Some(("MT", _)) => "time",
                Some((kind, _)) => kind,
            };
            if !kinds.insert(kind) {
                return Err(format!("`{word}` where another stands before it"));
            }
            conditions.take(word).ok_or_else(|| format!("`{word}`"))?;
        }
        let is_limited =
            conditions.time.is_some() || conditions.nodes.is_some() || conditions.has_depth;
        is_limited
            .then_some(conditions)
            .ok_or_else(|| "neither a time nor a number of nodes".to_owned())
    }

    fn take(&mut self, word: &str) -> Option<()> {
        let at_least_one = |text: &str| text.parse().ok().filter(|count: &u64| *count > 0);
        match word.split_once('=') {
            None => self.time = Some(clock(word.strip_suffix('s')?)?),
            Some(("N", nodes)) => self.nodes = Some(at_least_one(nodes)?),
            Some(("MT", milliseconds)) => {
                self.time = Some(seconds(milliseconds)? / 1000.0 * MOVES);
            }
            Some(("D", depth)) => {
                at_least_one(depth)?;
                self.has_depth = true;
            }
            Some(("Threads", threads)) => {
                at_least_one(threads)?;
            }
            Some(("Hash", size)) => {
                at_least_one(size.strip_suffix("MB")?)?;
            }
            Some(_) => return None,
        }
        Some(())
    }

    fn reasons(&self, settings: &ProofSettings) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some(time) = self.time.filter(|time| *time < settings.min_time) {
            let least = settings.min_time;
            reasons.push(format!(
                "{time:.2} s for {MOVES} moves are less than {least} s"
            ));
        }
        if let Some(nodes) = self.nodes.filter(|nodes| *nodes < settings.min_nodes) {
            let least = settings.min_nodes;
            reasons.push(format!("{nodes} nodes a move are fewer than {least}"));
        }
        if self.has_depth {
            reasons.push("a search of fixed depth says nothing about strength".to_owned());
        }
        reasons
    }
}

/// Seconds for the first moves of `8.0+0.08` or `40/60.0+0.6`.
fn clock(text: &str) -> Option<f64> {
    let (period, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(seconds(moves)?), rest),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let periods = match period {
        Some(moves) if moves >= 1.0 => MOVES / moves,
        Some(_) => return None,
        None => 1.0,
    };
    Some(seconds(base)? * periods + seconds(increment)? * MOVES)
}

/// A number of digits and a point, which is finite and not negative.
fn seconds(text: &str) -> Option<f64> {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_limit_is_read() {
        let time = |line: &str| Conditions::read(line).expect("reads").time;
        let close = |a: Option<f64>, b: f64| (a.expect("a time") - b).abs() < 1e-9;
        assert!(close(time("8.0+0.08s Threads=1 Hash=32MB"), 11.2));
        assert!(close(time("60s"), 60.0));
        assert!(close(time("20/10.0+0.1s"), 24.0));
        assert!(close(time("MT=100 Threads=2 Hash=8MB"), 4.0));
        let nodes = Conditions::read("N=5000 Threads=1 Hash=8MB").expect("reads");
        assert_eq!((nodes.nodes, nodes.time), (Some(5000), None));
        let both = Conditions::read("8.0+0.08s N=5").expect("reads");
        assert_eq!((both.nodes, both.time.is_some()), (Some(5), true));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for line in [
            "",
            "Threads=1 Hash=32MB",
            "whatever",
            "8.0+0.08 Threads=1",
            "-8.0+0.08s",
            "infs",
            "nans",
            "0/8.0s",
            "N=0",
            "N=5000 Threads=0",
            "N=5000 Hash=32",
            "N=5000 Speed=fast",
            "N=10 N=5000",
            "0.1+0.0s 8.0+0.08s",
            "MT=1 8.0+0.08s",
            "8.0+0.08s Threads=1 Threads=8",
            "８.0+0.08s",
        ] {
            assert!(Conditions::read(line).is_err(), "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_too_odd(line in "([0-9.+/]|s|N=|MT=|D=|Hash=|MB| |\\PC){0,40}") {
            let _ = Conditions::read(&line);
        }
    }
}
