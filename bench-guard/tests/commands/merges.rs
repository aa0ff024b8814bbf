//! Merges, which owe a bench where they are not what git makes of them.

use crate::scene::{Finished, Scene, script};

#[test]
fn a_merge_that_drops_the_other_side_owes_a_bench() {
    for (others, rules) in [
        (&["main"][..], ""),
        (&["main"], "[bench-guard]\nmerges = 'required'\n"),
        (&["main", "third"], ""),
    ] {
        let scene = Scene::new();
        scene.write("whetstone.toml", rules);
        scene.engine(100, "start");
        scene.commit("Start\n\nBench: 100");
        scene.git(&["checkout", "-q", "-b", "third"]);
        scene.write("AUTHORS", "A\n");
        scene.commit("Credit");
        scene.git(&["checkout", "-q", "main"]);
        scene.engine(101, "gain");
        scene.commit("Gain\n\nBench: 101");
        scene.git(&["checkout", "-q", "-b", "side", "main~1"]);
        scene.write("README.md", "words\n");
        scene.commit("Describe");
        scene.git(&[&["merge", "-q", "-s", "ours", "-m", "Merge main"], others].concat());
        let answer = scene.guard(&["check", "main..HEAD", "--json", "--no-build"]);
        assert_eq!(answer.verdict("Describe"), "not needed");
        assert_eq!(answer.verdict("Merge main"), "missing", "{}", answer.stdout);
        // The bench of its first parent cannot show that nothing changed.
        let words = [
            "commit",
            "-q",
            "--amend",
            "-m",
            "Merge main\n\nNo functional change.",
        ];
        scene.git(&words);
        let answer = scene.guard(&["check", "main..HEAD", "--json", "--no-build"]);
        assert_eq!(answer.verdict("Merge main"), "missing", "{}", answer.stdout);
        // With a bench, it is a change like any other.
        scene.git(&["commit", "-q", "--amend", "-m", "Merge main\n\nBench: 100"]);
        let answer = scene.guard(&["check", "HEAD", "--json", "--no-build", "--require-sprt"]);
        assert_eq!(
            answer.verdict("Merge main"),
            "unproved",
            "{}",
            answer.stdout
        );
    }
    // Of more than two parents that differ in documents only, none is due.
    let scene = Scene::started();
    for branch in ["one", "two"] {
        scene.git(&["checkout", "-q", "-b", branch, "main"]);
        scene.write(&format!("{branch}.md"), "words\n");
        scene.commit("Describe");
    }
    scene.git(&["checkout", "-q", "main"]);
    scene.git(&["merge", "-q", "--no-ff", "-m", "Merge both", "one", "two"]);
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(
        answer.verdict("Merge both"),
        "not needed",
        "{}",
        answer.stdout
    );
}

/// Each case: what one side does and what the other does, and what somebody adds to git's merge of them.
#[test]
fn a_merge_of_any_shape_is_compared_with_what_git_makes() {
    let scene = Scene::started();
    let shell = |script: &str| {
        let output = scene
            .command("sh")
            .args(["-ec", script])
            .current_dir(scene.root())
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "A")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "a@b")))
            .output()
            .expect("sh starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}: {error}");
    };
    shell(
        "seq 20 > a.c; git add a.c; git commit -qm x
        git checkout -qb left; seq 0 20 > a.c; git commit -qam x
        git checkout -qb right main; seq 20 > b.c; git add b.c; git commit -qm x",
    );
    let link = |digit: &str| {
        let id = digit.repeat(40);
        format!("mkdir -p lib; git update-index --add --cacheinfo 160000,{id},lib")
    };
    for (ours, theirs, by_hand) in [
        ("git mv a.c b.c", "echo 21 >> a.c", "echo 22 >> b.c"),
        ("git mv a.c b.c", "echo 21 >> a.c", "seq 20 > b.c"),
        ("chmod +x a.c", "echo 21 >> a.c", "chmod -x a.c"),
        (&link("1"), "echo 21 >> a.c", &link("2")),
        (":", "echo 21 >> a.c", "seq 20 > a.c"),
        ("echo 21 >> a.c", "echo 21 >> a.c", "echo 22 >> a.c"),
        ("seq 0 20 > a.c", "echo 21 >> a.c", "seq 0 20 > a.c"),
        // Two merge bases.
        (
            "git reset -q --hard left; git merge -q right; chmod +x a.c",
            "git reset -q --hard right; git merge -q left; echo 21 >> b.c",
            "echo 22 >> b.c",
        ),
    ] {
        for (branch, change) in [("ours", ours), ("theirs", theirs)] {
            shell(&format!(
                "git checkout -qB {branch} main; {change}; git commit -qam {branch} --allow-empty"
            ));
        }
        shell("git checkout -q ours; git merge -q --no-ff -m 'Merge theirs' theirs");
        let check = ["check", "HEAD", "--json", "--no-build"];
        let answer = scene.guard(&check);
        assert_eq!(answer.verdict("Merge theirs"), "not needed", "{by_hand}");
        shell(&format!(
            "{by_hand}; git commit -qa --amend -m 'Merge theirs'"
        ));
        let answer = scene.guard(&check);
        assert_eq!(answer.verdict("Merge theirs"), "missing", "{by_hand}");
    }
}

#[test]
fn a_git_that_leaves_out_a_merge_is_no_answer() {
    let scene = Scene::started();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.git(&["commit", "-q", "--allow-empty", "-m", "Describe"]);
    scene.git(&["checkout", "-q", "main"]);
    scene.git(&["merge", "-q", "--no-ff", "--no-commit", "side"]);
    scene.engine(666, "smuggled in");
    scene.commit("Merge side");
    let git =
        "#!/bin/sh\ncase \"$*\" in *merge-tree*) exit 0;; esac\nPATH=${PATH#*:} exec git \"$@\"\n";
    std::fs::create_dir(scene.beside("bin")).expect("a folder");
    script(&scene.beside("bin/git"), git);
    let path = std::env::var("PATH").expect("a PATH");
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["check", "HEAD", "--no-build"])
        .current_dir(scene.root())
        .env("PATH", format!("{}:{path}", scene.beside("bin").display()))
        .output();
    let answer = Finished::from(&output.expect("bench-guard starts"));
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("merged 0 of 1 merges");
}

#[test]
fn a_conflict_that_git_does_not_mark_is_resolved_by_hand() {
    // Of a file that one side has deleted, and of a binary one, git's tree holds one side.
    for binary in [false, true] {
        let scene = Scene::started();
        let net = |byte: &str| scene.write("net.bin", &format!("\0{byte}"));
        net("1");
        let start = scene.commit("Net\n\nBench: 100");
        net("2");
        scene.commit("Train\n\nBench: 100");
        scene.git(&["checkout", "-q", "-b", "side", &start]);
        if binary {
            net("3");
        } else {
            scene.git(&["rm", "-q", "net.bin"]);
        }
        scene.commit("Other\n\nBench: 100");
        scene.git(&["checkout", "-q", "main"]);
        let merged = scene.git_output(&["merge", "-q", "--no-ff", "side"]);
        assert!(!merged.status.success());
        scene.commit("Merge side");
        let answer = scene.guard(&["check", "HEAD", "--json", "--no-build"]);
        let verdict = answer.verdict("Merge side");
        assert_eq!(verdict, "missing", "{binary}: {}", answer.stdout);
    }
}
