//! Flags of a limit, for a match or for one engine, and the limit that they give.

use foundation::Failure;

use super::range::{WEEK, within};
use engine_client::Limit;

/// The flags of a limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LimitFlags<'a> {
    pub tc: Option<&'a str>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub movetime: Option<u64>,
}

impl LimitFlags<'_> {
    /// The limit, if one is given.
    pub(super) fn resolve(self) -> Result<Option<Limit>, Failure> {
        let at_least_one = |flag, value: Option<u64>, most| {
            value.map(|value| within(flag, value, 1..=most)).transpose()
        };
        let is_infinite = self
            .tc
            .is_some_and(|tc| matches!(tc.trim(), "inf" | "infinite"));
        let limit = Limit {
            clock: match self.tc {
                Some(tc) if !is_infinite => Some(tc.parse()?),
                _ => None,
            },
            nodes: at_least_one("nodes", self.nodes, u64::MAX)?,
            depth: at_least_one("depth", self.depth.map(u64::from), u32::MAX.into())?
                .and_then(|depth| depth.try_into().ok()),
            movetime: at_least_one("movetime", self.movetime, 1000 * WEEK)?,
        };
        if let (Some(clock), Some(ms)) = (&limit.clock, limit.movetime) {
            return Err(Failure::unable(format!(
                "--tc {clock} and --movetime {ms}: expected a clock or a time for each move, not both"
            )));
        }
        if limit != Limit::default() {
            return Ok(Some(limit));
        }
        if is_infinite {
            return Err(Failure::unable(
                "--tc inf: without any other limit an engine thinks for ever",
            )
            .hint("add --nodes, --depth or --movetime"));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_may_stand_beside_each_other_but_two_clocks_may_not() {
        let limit = |tc: Option<&str>, nodes, movetime| {
            let flags = LimitFlags {
                tc,
                nodes,
                movetime,
                ..LimitFlags::default()
            };
            flags
                .resolve()
                .map(|limit| limit.map(|limit| limit.openbench()))
        };
        let is = |words: &str| Ok(Some(words.to_owned()));
        assert_eq!(limit(None, None, None), Ok(None));
        assert_eq!(limit(Some("8+0.08"), Some(5), None), is("8.0+0.08s N=5"));
        assert_eq!(limit(Some("inf"), Some(5), None), is("N=5"));
        assert_eq!(limit(None, Some(5), Some(50)), is("N=5 MT=50"));
        let failure = limit(Some("inf"), None, None).expect_err("no limit");
        assert!(failure.message().contains("for ever"), "{failure}");
        let failure = limit(Some("8"), None, Some(50)).expect_err("two clocks");
        assert!(failure.message().contains("not both"), "{failure}");
    }
}
