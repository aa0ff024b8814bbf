//! Histories of every shape, with hostile paths: what is done in process is what git does.

use std::{io::Write, process::Stdio};

use proptest::{prelude::*, sample::Index};

use super::*;

/// Ids, records of changes, quotes and names around the order of a slash.
const NAMES: [&str; 8] = [
    "a",
    "a-b",
    "a.c",
    "a0",
    "\u{e9}\n",
    "\"q\\",
    ":100644 100644 1111111 2222222 M",
    "1111111111111111111111111111111111111111",
];

#[derive(Debug, Clone)]
struct Made {
    parents: Vec<Index>,
    date: u32,
    /// Paths, each with a content and a mode, or removed.
    changes: Vec<Change>,
}

type Change = (Vec<usize>, Option<(u8, u8)>);

fn made() -> impl Strategy<Value = Made> {
    let path = prop::collection::vec(0..NAMES.len(), 1..4);
    let content = prop::option::weighted(0.8, (0..2_u8, 0..4_u8));
    (
        prop::collection::vec(any::<Index>(), 0..4),
        1_700_000_000..1_700_000_009_u32,
        prop::collection::vec((path, content), 0..5),
    )
        .prop_map(|(parents, date, changes)| Made {
            parents,
            date,
            changes,
        })
}

fn path_of(names: &[usize]) -> String {
    let names: Vec<&str> = names.iter().map(|name| NAMES[*name]).collect();
    names.join("/")
}

/// The stream of `git fast-import`; each commit has a branch of its own, `c` and its number.
fn stream(history: &[Made]) -> String {
    let commits = history.iter().enumerate();
    let parts: Vec<String> = commits
        .flat_map(|(number, made)| {
            let head = format!(
                "commit refs/heads/c{number}\nmark :{}\ncommitter A <a@b> {} +0000\ndata 1\nx\n",
                number + 1,
                made.date
            );
            let parents = parents(number, made).into_iter().enumerate();
            let parents = parents.map(|(place, parent)| {
                let word = if place == 0 { "from" } else { "merge" };
                format!("{word} :{}\n", parent + 1)
            });
            std::iter::once(head)
                .chain(parents)
                .chain(made.changes.iter().map(change))
                .collect::<Vec<_>>()
        })
        .collect();
    parts.concat()
}

/// Mostly the commit before.
fn parents(number: usize, made: &Made) -> Vec<usize> {
    let mut parents: Vec<usize> = Vec::new();
    for parent in made.parents.iter().filter(|_| number > 0) {
        let parent = if parents.is_empty() {
            number - 1
        } else {
            parent.index(number)
        };
        if !parents.contains(&parent) {
            parents.push(parent);
        }
    }
    parents
}

fn change((names, content): &Change) -> String {
    let bytes = path_of(names).into_bytes().into_iter();
    let quoted: Vec<String> = bytes.map(|byte| format!("\\{byte:03o}")).collect();
    let quoted = quoted.concat();
    match content {
        None => format!("D \"{quoted}\"\n"),
        Some((content, 3)) => format!("M 160000 {content:0>40} \"{quoted}\"\n"),
        Some((content, mode)) => {
            let mode = ["100644", "100755", "120000"][usize::from(*mode)];
            format!("M {mode} inline \"{quoted}\"\ndata 1\n{content}\n")
        }
    }
}

fn repository_of(history: &[Made]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), &["init", "-q", "--bare"]);
    let mut import = program(folder.path())
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut input = import.stdin.take().expect("its input");
    input
        .write_all(stream(history).as_bytes())
        .expect("it reads");
    drop(input);
    assert!(import.wait().expect("ends").success());
    folder
}

/// The id of an object with this content, however odd.
fn written(folder: &Path, kind: &str, content: &[u8]) -> String {
    let path = folder.join("content");
    fs::write(&path, content).expect("a file");
    let path = path.to_string_lossy();
    git(
        folder,
        &["hash-object", "-w", "--literally", "-t", kind, &path],
    )
}

#[test]
fn a_folder_of_an_odd_mode_is_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    git(path, &["init", "-q", "--bare"]);
    let tree_of = |mode: &str, name: &str, id: &str| {
        let bytes = (0..20).map(|at| u8::from_str_radix(&id[2 * at..2 * at + 2], 16));
        let bytes: Vec<u8> = bytes.collect::<Result<_, _>>().expect("an id");
        written(
            path,
            "tree",
            &[format!("{mode} {name}\0").as_bytes(), &bytes].concat(),
        )
    };
    let file = written(path, "blob", b"x");
    let inner = tree_of("100644", "a.c", &file);
    // git lets the highest digits of the last three fall out of its number, and reads a folder.
    for mode in [
        "40000",
        "040000",
        "40755",
        "0000040000",
        "10000000000040000",
        "40000040000",
        "1000000040755",
    ] {
        let tree = tree_of(mode, "src", &inner);
        let head = git(path, &["commit-tree", "-m", "x", &tree]);
        let repository = Repository::discover(path).expect("opens");
        let commits = repository.commits(&Range::One(head)).expect("lists");
        let commits: Vec<&Commit> = commits.iter().collect();
        let wanted = |changed: &str| changed == "src/a.c";
        let expected = repository.touching_by_program(&commits, &wanted);
        assert_eq!(expected.expect("compares").len(), 1, "{mode}");
        let no_trees = trees_of([].into_iter());
        let found = repository.touching(&commits, &no_trees, &wanted);
        assert_eq!(found.expect("compares").len(), 1, "{mode}");
        let by_library = repository.touching_by_library(&commits, &no_trees, &wanted);
        assert_eq!(by_library.is_ok(), mode.len() <= 10, "{mode}");
    }
}

#[test]
fn what_is_no_tree_is_left_to_git() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    git(path, &["init", "-q", "--bare"]);
    let id = [b'x'; 20];
    for entry in [
        &b"100644 a"[..],
        b"100644",
        b"+40000 a\0",
        b" a\0",
        b"100648 a\0",
        b"100644 \0",
    ] {
        let tree = written(path, "tree", &[entry, &id].concat());
        let commit = Commit {
            tree,
            ..Commit::unborn(String::new())
        };
        let repository = Repository::discover(path).expect("opens");
        let no_trees = trees_of([].into_iter());
        let compared = repository.touching_by_library(&[&commit], &no_trees, &|_| false);
        assert!(compared.is_err(), "{}", String::from_utf8_lossy(entry));
    }
}

#[test]
fn an_author_in_another_encoding_is_read_as_git_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    git(path, &["init", "-q", "--bare"]);
    let tree = written(path, "tree", b"");
    for (name, encoding) in [
        (&b"J\xf6rg"[..], "encoding ISO-8859-1\n"),
        ("J\u{f6}rg".as_bytes(), "encoding UTF-8\n"),
        ("J\u{f6}rg".as_bytes(), ""),
    ] {
        let start = format!("tree {tree}\nauthor ");
        let head = [
            start.as_bytes(),
            name,
            b" <a@b> 1700000000 +0100\ncommitter A <a@b> 1700000000 +0100\n",
            encoding.as_bytes(),
            b"\nx\n",
        ];
        let commit = written(path, "commit", &head.concat());
        git(path, &["update-ref", "HEAD", &commit]);
        let repository = Repository::discover(path).expect("opens");
        let author = repository.author_of_head();
        assert_eq!(
            author.as_deref(),
            Some("J\u{f6}rg\na@b\n1700000000"),
            "{encoding}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn histories_are_read_as_git_reads_them(
        history in prop::collection::vec(made(), 1..25), from in any::<Index>(),
    ) {
        let folder = repository_of(&history);
        let repository = Repository::discover(folder.path()).expect("opens");
        let name = |number: usize| format!("c{number}");
        let tip = name(history.len() - 1);
        let from = name(from.index(history.len()));
        let since = Range::Since { from: from.clone(), tip: tip.clone() };
        for (range, stop) in [(Range::All(tip.clone()), None), (since, Some(format!("^{from}")))] {
            let mut arguments = vec!["log", "--topo-order", "--reverse", "--format=%H", &tip];
            arguments.extend(stop.as_deref());
            let expected = git(folder.path(), &arguments);
            let found = repository.commits(&range).expect("lists");
            let found: Vec<&str> = found.iter().map(|commit| commit.id.as_str()).collect();
            prop_assert_eq!(found, expected.lines().collect::<Vec<_>>());
        }
        let commits = repository.commits(&Range::All(tip)).expect("lists");
        // Of the others, the tree is read.
        let trees = trees_of(commits.iter().skip(commits.len() / 2));
        let commits: Vec<&Commit> = commits.iter().collect();
        let mut paths: Vec<String> =
            history.iter().flat_map(|made| &made.changes).map(|(path, _)| path_of(path)).collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            let wanted = |changed: &str| changed == path;
            let found = repository.touching_by_library(&commits, &trees, &wanted).expect("compares");
            let expected = repository.touching_by_program(&commits, &wanted).expect("compares");
            prop_assert_eq!(found, expected, "{}", path);
        }
    }
}
