//! On which processors games are played.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use foundation::Failure;
use foundation::platform::affinity;
use serde::{Deserialize, Serialize};

/// Processor numbers end below this; no machine has so many.
const MOST: usize = 1 << 16;

/// Which processors slots may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Processors that each slot has for itself, where there are enough; 0 is none.
    pub own: usize,
    /// Those that may be used; `None` are all that this process has.
    pub among: Option<ProcessorList>,
}

impl Placement {
    /// The processors that may be used.
    pub(super) fn allowed(&self) -> BTreeSet<usize> {
        let all = affinity::allowed().into_iter();
        match &self.among {
            Some(list) => all.filter(|number| list.0.contains(number)).collect(),
            None => all.collect(),
        }
    }

    /// The same, but slots share processors where so many slots would want more than there are.
    pub(super) fn for_slots(&self, slots: usize) -> Self {
        let wanted = slots.saturating_mul(self.own);
        Self {
            own: if wanted <= self.allowed().len() {
                self.own
            } else {
                0
            },
            among: self.among.clone(),
        }
    }
}

/// Processors by their numbers, in words such as `2,4-7`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProcessorList(BTreeSet<usize>);

impl ProcessorList {
    #[expect(clippy::len_without_is_empty, reason = "none is empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Makes sure that this process may use all of them.
    ///
    /// # Errors
    /// The first that it may not use.
    pub fn check(&self) -> Result<(), Failure> {
        let allowed: BTreeSet<usize> = affinity::allowed().into_iter().collect();
        if allowed.is_empty() {
            return Err(Failure::unable(format!(
                "--processors {self}: this system does not let a process choose its processors"
            )));
        }
        match self.0.difference(&allowed).next() {
            None => Ok(()),
            Some(number) => Err(Failure::unable(format!(
                "--processors {self}: this process may not run on processor {number}"
            ))
            .hint(format!("expected some of {}", Self(allowed)))),
        }
    }
}

impl FromStr for ProcessorList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |part: &str| {
            format!("`{part}`: expected numbers and ranges below {MOST}, such as 2,4-7")
        };
        let mut numbers = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<usize>().ok();
            match number(first).zip(number(last)) {
                Some((first, last)) if first <= last && last < MOST => numbers.extend(first..=last),
                _ => return Err(wrong(part)),
            }
        }
        Ok(Self(numbers))
    }
}

impl fmt::Display for ProcessorList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<usize> = self.0.iter().copied().collect();
        let runs = numbers.chunk_by(|one, next| one + 1 == *next);
        for (place, run) in runs.enumerate() {
            let comma = if place > 0 { "," } else { "" };
            match run {
                [first, .., last] => write!(out, "{comma}{first}-{last}")?,
                one => one.iter().try_for_each(|it| write!(out, "{comma}{it}"))?,
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for ProcessorList {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ProcessorList> for String {
    fn from(list: ProcessorList) -> Self {
        list.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_processors_is_read_and_written_in_ranges() {
        let list: ProcessorList = "7,2,4-6,4".parse().expect("a list");
        assert_eq!((list.to_string().as_str(), list.len()), ("2,4-7", 5));
        for wrong in ["", "a", "3-1", "1,,2", "-1", "99999999999", "0-70000"] {
            let why = wrong.parse::<ProcessorList>().expect_err(wrong);
            assert!(why.contains("such as 2,4-7"), "{why}");
        }
    }

    #[test]
    fn a_processor_that_may_not_be_used_is_named() {
        let list = ProcessorList(BTreeSet::from([MOST - 1]));
        let failure = list.check().expect_err("no such processor");
        assert!(failure.message().contains("65535"), "{failure}");
        let allowed: BTreeSet<usize> = affinity::allowed().into_iter().collect();
        ProcessorList(allowed).check().expect("those it has");
    }

    #[test]
    fn slots_share_the_list_where_it_is_too_short_for_one_each() {
        let allowed = affinity::allowed();
        let one = ProcessorList(allowed.iter().take(1).copied().collect());
        let placement = Placement {
            own: 1,
            among: Some(one),
        };
        assert_eq!(placement.for_slots(1).own, 1);
        assert_eq!(placement.for_slots(2).own, 0);
        assert_eq!(placement.allowed().len(), 1);
    }
}
