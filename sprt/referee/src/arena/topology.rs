//! Which processors share a core, and which of them a game should have.
//!
//! Two games on the siblings of one core (hyper-threads) take turns in it, and each of the four
//! engines is slower than one that has a core to itself. So a game gets a sibling of a busy core
//! only when no core is free.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The processors of each core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Topology {
    cores: Vec<Vec<usize>>,
}

impl Topology {
    /// Cores as lists of their processors.
    #[cfg(test)]
    pub(super) fn new(cores: impl IntoIterator<Item = Vec<usize>>) -> Self {
        Self {
            cores: cores.into_iter().collect(),
        }
    }

    /// As Linux describes it below `/sys/devices/system/cpu`. Of a processor that is not described
    /// nothing is known but its number: it counts as a core.
    pub(super) fn read(folder: &Path, processors: &[usize]) -> Self {
        let mut cores: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for &number in processors {
            let place = folder.join(format!("cpu{number}/topology"));
            let word = |name: &str| {
                let text = fs::read_to_string(place.join(name)).ok()?;
                Some(text.trim().to_owned())
            };
            let core = word("core_id").zip(word("physical_package_id"));
            let core = core.unwrap_or_else(|| (format!("processor {number}"), String::new()));
            cores.entry(core).or_default().push(number);
        }
        let mut cores: Vec<Vec<usize>> = cores.into_values().collect();
        cores.sort();
        Self { cores }
    }

    pub(super) fn processors(&self) -> impl Iterator<Item = usize> {
        self.cores.iter().flatten().copied()
    }

    /// The processor for the next game, of those in `allowed`: on a core where none is `taken`, if
    /// there is one, else on the core with the fewest games. Among equals the one whose core has
    /// been the least `busy`.
    pub(super) fn choose(
        &self,
        allowed: &BTreeSet<usize>,
        taken: &BTreeSet<usize>,
        busy: impl Fn(usize) -> u64,
    ) -> Option<usize> {
        let candidates = self.cores.iter().filter_map(|core| {
            let games = core.iter().filter(|number| taken.contains(number)).count();
            let load: u64 = core.iter().map(|&number| busy(number)).sum();
            let free = core
                .iter()
                .copied()
                .find(|number| allowed.contains(number) && !taken.contains(number))?;
            Some(((games, load), free))
        });
        candidates.min().map(|(_, number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processors that so many games get one after the other.
    fn placed(topology: &Topology, allowed: &[usize], games: usize) -> Vec<usize> {
        let allowed = allowed.iter().copied().collect();
        let mut taken = BTreeSet::new();
        let place = |_| {
            let number = topology.choose(&allowed, &taken, |_| 0)?;
            taken.insert(number);
            Some(number)
        };
        (0..games).map_while(place).collect()
    }

    #[test]
    fn games_are_on_siblings_only_when_no_core_is_free() {
        // As Intel numbers them, and as AMD and virtual machines do.
        let far = Topology::new([vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]]);
        let near = Topology::new([vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7]]);
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(placed(&far, &all, 9), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(placed(&near, &all, 9), [0, 2, 4, 6, 1, 3, 5, 7]);
        // Cores of different kinds, of which some have one processor.
        let mixed = Topology::new([vec![0, 1], vec![2, 3], vec![4], vec![5]]);
        assert_eq!(placed(&mixed, &all, 5), [0, 2, 4, 5, 1]);
    }

    #[test]
    fn processors_that_are_not_allowed_are_seen_and_not_chosen() {
        let topology = Topology::new([vec![0, 1], vec![2, 3]]);
        assert_eq!(placed(&topology, &[1, 3], 3), [1, 3]);
        // Another user's game is on processor 0.
        let (allowed, taken) = (BTreeSet::from([1, 3]), BTreeSet::from([0]));
        assert_eq!(topology.choose(&allowed, &taken, |_| 0), Some(3));
        assert_eq!(topology.choose(&BTreeSet::new(), &taken, |_| 0), None);
    }

    #[test]
    fn among_free_cores_the_idle_one_is_taken() {
        let topology = Topology::new([vec![0, 1], vec![2, 3], vec![4, 5]]);
        let all = (0..6).collect();
        let busy = |number| [0, 90, 3, 0, 50, 50][number];
        assert_eq!(topology.choose(&all, &BTreeSet::new(), busy), Some(2));
        // A sibling of a game is worse than any load.
        assert_eq!(topology.choose(&all, &BTreeSet::from([2]), busy), Some(0));
    }

    #[test]
    fn the_systems_description_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        for (number, core, package) in [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 0, 0)] {
            let place = folder.path().join(format!("cpu{number}/topology"));
            fs::create_dir_all(&place).expect("a folder");
            fs::write(place.join("core_id"), format!("{core}\n")).expect("written");
            fs::write(place.join("physical_package_id"), format!("{package}\n")).expect("written");
        }
        let topology = Topology::read(folder.path(), &[0, 1, 2, 3, 9]);
        let expected = Topology::new([vec![0, 3], vec![1], vec![2], vec![9]]);
        assert_eq!(topology, expected);
    }
}
