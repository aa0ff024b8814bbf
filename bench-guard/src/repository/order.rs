//! The order of `git log --topo-order --reverse`, for commits that git has printed as it came upon
//! them: to sort them itself, git would read the whole history before it prints the first.

use std::collections::HashMap;

/// A commit and its parents, by id.
pub(super) type Node<'a> = (&'a str, &'a [String]);

/// The places of the commits, each after its parents. The first commit is the newest.
pub(super) fn parents_first<'a>(commits: &[Node<'a>]) -> Vec<usize> {
    let places = commits.iter().enumerate();
    let places: HashMap<&str, usize> = places.map(|(place, (id, _))| (*id, place)).collect();
    let parents = |place: usize| {
        let parents: &'a [String] = commits[place].1;
        let known = parents.iter();
        known.filter_map(|parent| places.get(parent.as_str()).copied())
    };
    let mut children = vec![0_usize; commits.len()];
    for parent in (0..commits.len()).flat_map(parents) {
        children[parent] += 1;
    }
    let without_child = (0..commits.len()).filter(|place| children[*place] == 0);
    // The last one is taken first: a line of commits is followed as far as it goes.
    let mut ready: Vec<usize> = without_child.rev().collect();
    let mut order = Vec::with_capacity(commits.len());
    while let Some(place) = ready.pop() {
        order.push(place);
        for parent in parents(place) {
            children[parent] -= 1;
            if children[parent] == 0 {
                ready.push(parent);
            }
        }
    }
    order.reverse();
    order
}
