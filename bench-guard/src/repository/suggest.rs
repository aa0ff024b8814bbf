//! Suggestions for a revision that does not exist.

use strsim::levenshtein;

use super::Git;

/// One sentence: near names, or why a commit may be missing.
pub(crate) fn hint(git: &Git, text: &str) -> String {
    // Of `topic~2` the branch may be there, and the commit not.
    let name = text.split(['~', '^']).next().unwrap_or_default();
    let is_there = || git.text(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
    if name != text && !name.is_empty() && is_there().is_ok() {
        return if is_shallow(git) {
            SHALLOW.to_owned()
        } else {
            format!("`{name}` is there, but its history is shorter")
        };
    }
    let refs = git
        .text(&["for-each-ref", "--format=%(refname:short)", "--count=2000"])
        .unwrap_or_default();
    let near = nearest(name, refs.lines());
    if !near.is_empty() {
        let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
        return format!("did you mean {}?", quoted.join(" or "));
    }
    if is_shallow(git) {
        return SHALLOW.to_owned();
    }
    "give a branch, a tag or a commit; `git fetch` brings what is new".to_owned()
}

const SHALLOW: &str = "this clone is shallow; fetch the rest with `git fetch --unshallow`";

fn is_shallow(git: &Git) -> bool {
    git.text(&["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|answer| answer == "true")
}

/// Up to three names that are close in spelling, or that end in the text after a slash, the closest
/// first.
fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let allowed = text.chars().count().div_ceil(2).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let last = name.rsplit('/').next().unwrap_or(name);
            let distance = levenshtein(text, name).min(levenshtein(text, last));
            (distance <= allowed).then_some((distance, name))
        })
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_closest_first() {
        let names = ["main", "origin/main", "origin/feature", "v1.0", "mail"];
        assert_eq!(nearest("mian", names.into_iter()), ["main", "origin/main"]);
        assert_eq!(
            nearest("mai", names.into_iter()),
            ["mail", "main", "origin/main"]
        );
        assert_eq!(nearest("feature", names.into_iter()), ["origin/feature"]);
        assert_eq!(nearest("master", names.into_iter()), Vec::<&str>::new());
    }
}
