//! Both ways of reading, on real repositories in temporary folders.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

mod histories;

use super::*;
use foundation::process::scrub;

/// git in this folder, without variables and settings of whoever runs the tests.
fn program(folder: &Path) -> Command {
    let mut command = Command::new("git");
    scrub(&mut command);
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=A", "-c", "user.email=a@b", "-C"])
        .arg(folder);
    command
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = program(folder)
        .args(arguments)
        .output()
        .expect("git starts");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn repository(init: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    git(path, &[&["init", "-q", "-b", "main"], init].concat());
    fs::write(path.join("a.txt"), "one\n").expect("a file");
    fs::write(path.join(".gitignore"), "ignored\n").expect("a file");
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "first\n\nBench: 42"]);
    folder
}

#[test]
fn library_and_program_read_the_same() {
    let folder = repository(&[]);
    let by_library = Repository::discover(folder.path()).expect("opens");
    let by_program = Repository::by_program(folder.path())
        .expect("opens")
        .expect("a repository");
    assert!(by_library.library.is_some() && by_program.library.is_none());
    assert_eq!(
        by_library.root().canonicalize().ok(),
        by_program.root().canonicalize().ok()
    );
    let head = git(folder.path(), &["rev-parse", "HEAD"]);
    for repository in [&by_library, &by_program] {
        for text in ["HEAD", "main", &head, &head[..7], "main~0", ":/first"] {
            let revision = repository.resolve(text).expect("resolves");
            assert_eq!(revision.commit(), Some(&*head));
            assert_eq!(revision.subject(), Some("first"));
            assert_eq!(revision.message_bench_of(None), Some(42));
            assert_eq!(
                revision.tree(),
                git(folder.path(), &["rev-parse", "HEAD^{tree}"])
            );
        }
    }
}

#[test]
fn formats_that_the_library_cannot_open_are_read_by_the_program() {
    for init in [&["--object-format=sha256"], &["--ref-format=reftable"]] {
        let folder = repository(init);
        let repository = Repository::discover(folder.path()).expect("opens");
        let revision = repository.resolve("main").expect("resolves");
        assert_eq!(revision.message_bench_of(None), Some(42), "{init:?}");
        assert_eq!(
            repository.resolve(".").expect("a snapshot").tree(),
            revision.tree()
        );
    }
}

#[test]
fn an_unknown_revision_names_a_near_one() {
    let folder = repository(&[]);
    let repository = Repository::discover(folder.path()).expect("opens");
    for text in ["mian", "--all", "HEAD:a.txt", ""] {
        let failure = repository.resolve(text).expect_err("no commit");
        assert_eq!(failure.exit(), foundation::Exit::Unable);
        assert!(
            failure
                .message()
                .contains(&format!("`{text}` is not a commit"))
        );
    }
    let failure = repository.resolve("mian").expect_err("no commit");
    assert_eq!(failure.next_step(), Some("did you mean `main`?"));
}

#[test]
fn a_folder_outside_any_repository_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    for found in [Repository::find, Repository::by_program] {
        assert!(found(folder.path()).expect("no failure").is_none());
    }
    let failure = Repository::discover(folder.path())
        .err()
        .expect("no repository");
    assert!(
        failure.message().contains("is not inside a git repository"),
        "{failure}"
    );
}

#[test]
fn the_working_tree_is_taken_without_touching_the_users_repository() {
    let folder = repository(&[]);
    let path = folder.path();
    fs::write(path.join("a.txt"), "changed\n").expect("a file");
    fs::write(path.join("new.txt"), "untracked\n").expect("a file");
    fs::write(path.join("ignored"), "ignored\n").expect("a file");
    let status = git(path, &["status", "--porcelain"]);
    let objects = git(path, &["count-objects", "-v"]);
    let repository = Repository::discover(path).expect("opens");
    let revision = repository.resolve(".").expect("a snapshot");
    let out = tempfile::tempdir().expect("a folder");
    repository.export(&revision, out.path()).expect("exports");
    let read = |name: &str| fs::read_to_string(out.path().join(name)).ok();
    assert_eq!(read("a.txt").as_deref(), Some("changed\n"));
    assert_eq!(read("new.txt").as_deref(), Some("untracked\n"));
    assert_eq!(read("ignored"), None);
    assert_eq!(git(path, &["status", "--porcelain"]), status);
    assert_eq!(git(path, &["count-objects", "-v"]), objects);
}

#[test]
fn a_change_in_the_second_of_the_last_commit_is_seen() {
    let folder = repository(&[]);
    let path = folder.path();
    // Several times, since a second may pass in between.
    for round in 0..5 {
        let text = format!("{round:03}\n");
        fs::write(path.join("a.txt"), "new\n").expect("a file");
        git(path, &["add", "-A"]);
        fs::write(path.join("a.txt"), &text).expect("a file");
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let repository = Repository::discover(path).expect("opens");
        let revision = repository.resolve(".").expect("a snapshot");
        let out = tempfile::tempdir().expect("a folder");
        repository.export(&revision, out.path()).expect("exports");
        let exported = fs::read_to_string(out.path().join("a.txt")).expect("a file");
        assert_eq!(exported, text);
    }
}

#[test]
fn an_export_is_what_github_packs() {
    let folder = repository(&[]);
    let path = folder.path();
    fs::write(
        path.join(".gitattributes"),
        "secret export-ignore\n*.txt eol=lf\n",
    )
    .expect("a file");
    fs::write(path.join("secret"), "x").expect("a file");
    symlink("a.txt", path.join("link")).expect("a link");
    git(path, &["config", "core.autocrlf", "true"]);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "second"]);
    let repository = Repository::discover(path).expect("opens");
    let out = tempfile::tempdir().expect("a folder");
    repository
        .export(&repository.resolve("HEAD").expect("resolves"), out.path())
        .expect("exports");
    assert!(!out.path().join(".git").exists());
    assert!(!out.path().join("secret").exists());
    assert_eq!(
        fs::read_to_string(out.path().join("link")).ok().as_deref(),
        Some("one\n")
    );
}

#[test]
fn a_partial_clone_is_read_and_exported() {
    let folder = repository(&[]);
    git(folder.path(), &["config", "uploadpack.allowFilter", "true"]);
    git(
        folder.path(),
        &["config", "uploadpack.allowAnySHA1InWant", "true"],
    );
    let clones = tempfile::tempdir().expect("a folder");
    let url = format!("file://{}", folder.path().display());
    git(
        clones.path(),
        &[
            "clone",
            "-q",
            "--no-checkout",
            "--filter=blob:none",
            &url,
            "clone",
        ],
    );
    let repository = Repository::discover(&clones.path().join("clone")).expect("opens");
    let revision = repository.resolve("origin/main").expect("resolves");
    let out = tempfile::tempdir().expect("a folder");
    repository
        .export(&revision, out.path())
        .expect("git fetches what is missing");
    assert_eq!(
        fs::read_to_string(out.path().join("a.txt")).ok().as_deref(),
        Some("one\n")
    );
}

#[test]
fn commits_are_asked_what_they_touch() {
    let folder = repository(&[]);
    let path = folder.path();
    fs::create_dir_all(path.join("src/deep")).expect("a folder");
    for (name, text) in [
        ("src/deep/a.c", "a"),
        ("src/b.c", "b"),
        ("src.c", "c"),
        ("src-x", "d"),
    ] {
        fs::write(path.join(name), text).expect("a file");
    }
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "second"]);
    fs::remove_dir_all(path.join("src/deep")).expect("removed");
    fs::remove_file(path.join("src.c")).expect("removed");
    fs::write(path.join("src/deep"), "a file now").expect("a file");
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "third"]);
    git(path, &["commit", "-q", "--allow-empty", "-m", "fourth"]);
    let repository = Repository::discover(path).expect("opens");
    let commits = repository
        .commits(&Range::All("HEAD".into()))
        .expect("lists");
    let trees = trees_of(commits.iter().skip(1));
    let commits: Vec<&Commit> = commits.iter().collect();
    let touching = |wanted: &str| -> Vec<&str> {
        let touching = repository
            .touching(&commits, &trees, &|path| path == wanted)
            .expect("compares");
        let touched = commits
            .iter()
            .filter(|commit| touching.contains(&commit.id));
        touched.map(|commit| commit.subject()).collect()
    };
    assert_eq!(touching("a.txt"), ["first"]);
    assert_eq!(touching("src/b.c"), ["second"]);
    assert_eq!(touching("src/deep/a.c"), ["second", "third"]);
    assert_eq!(touching("src/deep"), ["third"]);
    assert_eq!(touching("src.c"), ["second", "third"]);
    assert!(touching("x").is_empty());
}

#[test]
fn a_commit_of_one_file_leaves_tree_and_index_alone() {
    let folder = repository(&[]);
    let path = folder.path();
    git(path, &["config", "user.name", "A"]);
    git(path, &["config", "user.email", "a@b"]);
    fs::write(path.join("a.txt"), "being edited\n").expect("a file");
    let repository = Repository::discover(path).expect("opens");
    let parent = git(path, &["rev-parse", "HEAD"]);
    let made = repository
        .commit_of_file(
            &parent,
            "deep/new.toml",
            b"value = 1\n",
            "Tune\n\nBench: 5\n",
        )
        .expect("commits");
    assert_eq!(git(path, &["rev-parse", &format!("{made}^")]), parent);
    let changed = git(path, &["diff", "--name-only", &parent, &made]);
    assert_eq!(changed, "deep/new.toml");
    let content = git(path, &["show", &format!("{made}:deep/new.toml")]);
    assert_eq!(content, "value = 1");
    assert_eq!(git(path, &["status", "--porcelain"]), "M a.txt");
    // Lines end as the repository stores them, not as the working tree has them.
    git(path, &["config", "core.autocrlf", "true"]);
    let other = repository.commit_of_file(&parent, "deep/new.toml", b"value = 1\r\n", "Tune\n");
    let blob = |commit: &str| git(path, &["rev-parse", &format!("{commit}:deep/new.toml")]);
    assert_eq!(blob(&other.expect("commits")), blob(&made));
    let revision = repository.resolve(&made).expect("resolves");
    assert_eq!(revision.message_bench_of(None), Some(5));
    assert_eq!(
        repository.path_of(&path.join("a.txt")).as_deref(),
        Ok("a.txt")
    );
    assert!(repository.path_of(Path::new("/etc/passwd")).is_err());
}

#[test]
fn the_tree_of_an_index_is_the_one_that_git_writes() {
    let folder = repository(&[]);
    let path = folder.path();
    let index = path.join(".git/index");
    let repository = Repository::discover(path).expect("opens");
    let tree = || {
        let objects = git(path, &["count-objects", "-v"]);
        let snapshot = repository.snapshot_of_index(&index).expect("a tree");
        assert_eq!(git(path, &["count-objects", "-v"]), objects);
        snapshot.tree().to_owned()
    };
    fs::create_dir_all(path.join("src/deep")).expect("a folder");
    for name in ["src/b.c", "src/deep/c.c", "src.c"] {
        fs::write(path.join(name), name).expect("a file");
    }
    symlink("b.c", path.join("src/link")).expect("a link");
    let head = git(path, &["rev-parse", "HEAD"]);
    let module = format!("160000,{head},module");
    let planned = path.join("planned.c");
    for step in [
        &["add", "-A"][..],
        &["update-index", "--chmod=+x", "src/b.c"],
        &["update-index", "--add", "--cacheinfo", &module],
        &["rm", "-q", "--cached", "src/deep/c.c"],
        // What is intended to be added has a place in the index, and none in the tree.
        &["add", "-N", "planned.c"],
        &["add", "planned.c"],
    ] {
        git(path, step);
        fs::write(&planned, "planned").expect("a file");
        // Before and after git has written it.
        let found = tree();
        assert_eq!(found, git(path, &["write-tree"]), "{step:?}");
        assert_eq!(tree(), found, "{step:?}");
    }
    // A tree with an empty file in the place of the planned one is there, too.
    fs::write(&planned, "").expect("a file");
    git(path, &["add", "planned.c"]);
    let with_empty = git(path, &["write-tree"]);
    git(path, &["rm", "-q", "-f", "--cached", "planned.c"]);
    git(path, &["add", "-N", "planned.c"]);
    assert_ne!(tree(), with_empty);
    assert_eq!(tree(), git(path, &["write-tree"]));
}

#[test]
fn an_index_in_conflict_has_no_tree() {
    let folder = repository(&[]);
    let path = folder.path();
    git(path, &["checkout", "-qb", "side"]);
    fs::write(path.join("a.txt"), "side\n").expect("a file");
    git(path, &["commit", "-qam", "side"]);
    git(path, &["checkout", "-q", "main"]);
    fs::write(path.join("a.txt"), "main\n").expect("a file");
    git(path, &["commit", "-qam", "main"]);
    let merged = program(path).args(["merge", "side"]).output();
    assert!(!merged.expect("git starts").status.success());
    let repository = Repository::discover(path).expect("opens");
    let failure = repository
        .snapshot_of_index(&path.join(".git/index"))
        .expect_err("no tree");
    assert!(failure.message().contains("write-tree"), "{failure}");
}

#[test]
fn a_git_folder_elsewhere_leaves_the_working_tree_where_it_is() {
    let elsewhere = tempfile::tempdir().expect("a folder");
    let git_folder = elsewhere.path().join("own.git");
    let option = format!("--separate-git-dir={}", git_folder.display());
    let folder = repository(&[&option]);
    let found = Repository::discover(folder.path()).expect("opens");
    assert!(found.require_work_tree().is_ok());
    assert_eq!(
        found.root().canonicalize().ok(),
        folder.path().canonicalize().ok()
    );
    assert!(matches!(found.resolve("."), Ok(Revision::WorkTree { .. })));
}
