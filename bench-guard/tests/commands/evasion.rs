//! Ways in which a change could pass the gate unchecked, all of them closed.

use std::os::unix::fs::symlink;

use crate::scene::{Finished, Scene};

#[test]
fn a_path_that_is_the_id_of_a_commit_is_a_path() {
    let scene = Scene::started();
    // The tip of a side branch, known before the commit that is listed ahead of it is made.
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.write("README.md", "words\n");
    let side = scene.commit("Describe");
    scene.git(&["checkout", "-q", "main"]);
    scene.engine(666, "rewritten");
    scene.write(&side, "");
    scene.commit("Rewrite");
    scene.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    let answer = scene.guard(&["check", "HEAD~2..HEAD", "--json", "--no-build"]);
    assert_eq!(answer.verdict("Rewrite"), "missing", "{}", answer.stdout);
    assert_eq!(answer.verdict("Describe"), "not needed");
}

#[test]
fn a_merge_that_git_would_not_make_owes_a_bench() {
    let scene = Scene::started();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.write("README.md", "words\n");
    scene.commit("Describe");
    scene.git(&["checkout", "-q", "main"]);
    scene.write("AUTHORS", "A\n");
    scene.commit("Credit");
    scene.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(answer.verdict("Merge side"), "not needed");
    // The same, with a change that neither parent has.
    scene.engine(666, "smuggled in");
    scene.git(&["commit", "-q", "-a", "--amend", "-m", "Merge side"]);
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(answer.verdict("Merge side"), "missing", "{}", answer.stdout);
    // A conflict that is resolved by hand owes one too, unless it lies in files that need none.
    scene.git(&["checkout", "-q", "-b", "other", "HEAD^"]);
    scene.write("AUTHORS", "B\n");
    scene.commit("Credit another");
    scene.git_output(&["merge", "-q", "--no-ff", "side", "-m", "x"]);
    scene.git(&["checkout", "-q", "-b", "third", "main^"]);
    scene.write("AUTHORS", "C\n");
    scene.commit("Credit a third");
    assert!(
        !scene
            .git_output(&["merge", "-q", "--no-ff", "other"])
            .status
            .success()
    );
    scene.write("AUTHORS", "B and C\n");
    scene.commit("Merge credits");
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(
        answer.verdict("Merge credits"),
        "not needed",
        "{}",
        answer.stdout
    );
}

/// Commits are compared part by part; the parent of one may be in another part.
#[test]
fn each_commit_of_a_long_history_is_compared_with_its_parent() {
    let scene = Scene::started();
    let changes = |number: usize| number.is_multiple_of(7);
    let commits = (0..1_200).map(|number| {
        let name = if changes(number) { "a.c" } else { "README.md" };
        format!(
            "commit refs/heads/main\ncommitter A <a@b> {} +0000\ndata <<.\nNumber {number}\n.\n{}\
             M 644 inline {name}\ndata <<.\n{number}\n.\n\n",
            1_700_001_000 + number,
            if number == 0 {
                "from refs/heads/main^0\n"
            } else {
                ""
            }
        )
    });
    let stream = scene.beside("stream");
    std::fs::write(&stream, commits.collect::<String>()).expect("a file");
    let import = scene
        .command("git")
        .args(["fast-import", "--quiet"])
        .current_dir(scene.root())
        .stdin(std::fs::File::open(stream).expect("the file"))
        .status();
    assert!(import.expect("git starts").success());
    let answer = scene.guard(&["check", "main", "--all", "--json", "--no-build"]);
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let commits = report["commits"].as_array().expect("commits");
    assert_eq!(commits.len(), 1_201);
    for (number, commit) in commits[1..].iter().enumerate() {
        let expected = if changes(number) {
            "missing"
        } else {
            "not needed"
        };
        assert_eq!(commit["verdict"], expected, "{commit}");
    }
}

#[test]
fn a_claim_that_no_bench_can_confirm_does_not_count() {
    let scene = Scene::started();
    let broken = |message: &str| {
        scene.write("search.sh", "if then\n");
        scene.commit(message);
        scene.engine(666, "rewritten");
        scene.commit("Mend\n\nNo functional change.");
        scene.guard(&["check", "HEAD", "--json"])
    };
    let answer = broken("Break");
    assert_eq!(answer.verdict("Mend"), "missing", "{}", answer.stdout);
    // What the message of the broken commit says is better than nothing.
    assert_eq!(broken("Break\n\nBench: 666").verdict("Mend"), "ok");
    assert_eq!(broken("Break\n\nBench: 100").verdict("Mend"), "drift");
    // Nothing comes before the first commit of a history.
    scene.git(&["checkout", "-q", "--orphan", "fresh"]);
    scene.commit("Import\n\nNo functional change.");
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(answer.verdict("Import"), "missing", "{}", answer.stdout);
    scene.git(&[
        "commit",
        "-q",
        "--amend",
        "-m",
        "Import\n\nNo functional change.\n\nBench: 666",
    ]);
    let answer = scene.guard(&["check", "HEAD", "--json", "--require-sprt"]);
    assert_eq!(answer.verdict("Import"), "unproved", "{}", answer.stdout);
}

#[test]
fn an_exempt_author_may_not_move_the_bench() {
    let scene = Scene::started();
    let author = "x[bot] <x[bot]@users.noreply.github.com>";
    scene.write("Cargo.lock", "1\n");
    scene.git(&["add", "-A"]);
    scene.git(&["commit", "-q", "-m", "Bump", "--author", author]);
    scene.engine(666, "rewritten");
    scene.git(&["commit", "-q", "-a", "-m", "Bump more", "--author", author]);
    let answer = scene.guard(&["check", "HEAD~2..HEAD", "--json"]);
    assert_eq!(answer.verdict("Bump"), "ok", "{}", answer.stdout);
    assert_eq!(answer.verdict("Bump more"), "drift", "{}", answer.stdout);
    // Where a proof is required, nobody is exempt unless the settings name them.
    let answer = scene.guard(&["check", "HEAD~2..HEAD", "--json", "--require-sprt"]);
    assert_eq!(answer.verdict("Bump"), "missing", "{}", answer.stdout);
}

#[test]
fn unfinished_commits_are_refused_unless_the_settings_say_otherwise() {
    for subject in [
        "WIP: rewrite",
        "fixup! Start",
        "amend! Start",
        "squash! Start",
    ] {
        let scene = Scene::started();
        scene.engine(666, "rewritten");
        scene.commit(subject);
        let answer = scene.guard(&["check", "HEAD", "--json"]);
        assert_eq!(answer.verdict(subject), "unfinished");
        assert_eq!(answer.code, Some(1), "{subject}");
        scene.write("whetstone.toml", "[bench-guard]\nunfinished = 'optional'\n");
        let answer = scene.guard(&["check", "HEAD", "--json"]);
        assert_eq!(answer.verdict(subject), "not needed");
        scene.write("whetstone.toml", "[bench-guard]\nunfinished = 'required'\n");
        let answer = scene.guard(&["check", "HEAD", "--json"]);
        assert_eq!(answer.verdict(subject), "missing");
    }
}

#[test]
fn rules_that_change_behind_a_link_or_without_a_merge_base_are_reported() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.write("rules.toml", "[bench-guard]\nruns = 1\n");
    symlink("rules.toml", scene.root().join("whetstone.toml")).expect("a link");
    scene.commit("Start\n\nBench: 100");
    scene.write("rules.toml", "[bench-guard]\nruns = 1\nignore = ['**']\n");
    scene.engine(666, "rewritten");
    scene.commit("Loosen the rules");
    let answer = scene.guard(&["check", "HEAD~1..HEAD", "--strict"]);
    answer.says("changes whetstone.toml");
    assert_eq!(answer.code, Some(1));
    // A history of its own has no merge base with main.
    scene.git(&["checkout", "-q", "--orphan", "fresh"]);
    scene.commit("All new");
    let answer = scene.guard(&["check", "main~1..HEAD", "--strict"]);
    answer.says("changes whetstone.toml");
    assert_eq!(answer.code, Some(1));
}

#[test]
fn rules_that_one_commit_or_the_whole_history_changes_are_reported() {
    let scene = Scene::started();
    scene.engine(101, "second");
    scene.commit("Second\n\nBench: 101");
    let told = |range: &[&str]| {
        let answer = scene.guard(&[&["check", "--strict", "--no-build"], range].concat());
        (
            answer.code,
            answer.stderr.contains("changes whetstone.toml"),
        )
    };
    assert_eq!(told(&["HEAD"]), (Some(0), false));
    assert_eq!(told(&["--all"]), (Some(0), false));
    scene.write("whetstone.toml", "[bench-guard]\nignore = ['**']\n");
    scene.engine(666, "rewritten");
    scene.commit("Loosen the rules");
    assert_eq!(told(&["HEAD"]), (Some(1), true));
    assert_eq!(told(&["--all"]), (Some(1), true));
    assert_eq!(told(&["--all", "--rules-from", "HEAD"]), (Some(0), false));
    // One commit whose parent has the same rules.
    scene.write("README.md", "words\n");
    scene.commit("Describe");
    assert_eq!(told(&["HEAD"]), (Some(0), false));
    // Where the parent is hidden, nobody knows.
    scene.git(&["rm", "-q", "whetstone.toml"]);
    scene.commit("No rules\n\nBench: 666");
    let clone = scene.shallow("1");
    let answer = scene.guard_in(&clone, &["check", "HEAD", "--strict", "--no-build"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    answer.says("cannot be told");
}

#[test]
fn a_first_file_that_says_how_to_build_brings_no_rules() {
    let scene = Scene::started();
    let told = |arguments: &[&str]| {
        let answer = scene.guard(&[&["check", "HEAD", "--strict"], arguments].concat());
        (
            answer.code,
            answer.stderr.contains("changes whetstone.toml"),
        )
    };
    let build = "[bench-guard]\nbuild = 'make EXE={exe}'\n";
    scene.write("whetstone.toml", build);
    scene.commit("Say how to build\n\nBench: 100");
    assert_eq!(told(&[]), (Some(0), false));
    // Another tool's section, and a remark.
    let other = format!("# Ours.\n{build}[sprt]\nthreads = 1\n");
    scene.write("whetstone.toml", &other);
    scene.commit("Say how to play\n\nBench: 100");
    assert_eq!(told(&[]), (Some(0), false));
    scene.write("whetstone.toml", &other.replace("EXE=", "X=1 EXE="));
    scene.commit("Build otherwise\n\nBench: 100");
    assert_eq!(told(&[]), (Some(1), true));
    // What a proof must show matters where one is required.
    scene.git(&["rm", "-q", "whetstone.toml"]);
    scene.commit("No rules\n\nBench: 100");
    scene.write("whetstone.toml", "[bench-guard.proof]\nmin-games = 1\n");
    scene.commit("Prove by a game\n\nBench: 100");
    assert_eq!(told(&[]), (Some(0), false));
    assert_eq!(told(&["--require-sprt"]), (Some(1), true));
}

#[test]
fn the_rules_of_the_target_branch_can_be_applied() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.write("whetstone.toml", "[bench-guard]\nruns = 1\n");
    scene.commit("Start\n\nBench: 100");
    scene.write("whetstone.toml", "[bench-guard]\nignore = ['**']\n");
    scene.engine(666, "rewritten");
    scene.commit("Loosen the rules");
    let answer = scene.guard(&["check", "HEAD~1..HEAD", "--rules-from", "HEAD~1", "--json"]);
    assert_eq!(answer.verdict("Loosen the rules"), "missing");
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    // A branch without rules has the defaults.
    scene.git(&["rm", "-q", "whetstone.toml"]);
    scene.commit("No rules\n\nNo functional change.");
    let answer = scene.guard(&["check", "HEAD~2..HEAD~1", "--rules-from", "HEAD", "--json"]);
    assert_eq!(answer.verdict("Loosen the rules"), "missing");
    let answer = scene.guard(&["check", "HEAD", "--rules-from", "nowhere"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
}

#[test]
fn a_history_that_is_cut_off_where_it_is_needed_is_no_answer() {
    let scene = Scene::started();
    let base = scene.git(&["rev-parse", "HEAD"]);
    for (nodes, message) in [(5, "Wrong\n\nBench: 6"), (101, "Right\n\nBench: 101")] {
        scene.engine(nodes, message);
        scene.commit(message);
    }
    scene.engine(102, "drift");
    scene.commit("Drift\n\nNo functional change.\n\nBench: 102");
    let clone = scene.shallow("1");
    let answer = scene.guard_in(&clone, &["check", "HEAD"]);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
    answer.says("shallow");
    // Its own bench is enough for a commit that claims nothing about its parent.
    scene.engine(103, "functional");
    scene.commit("Tune\n\nBench: 103");
    let clone = scene.shallow("1");
    let answer = scene.guard_in(&clone, &["check", "HEAD"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    // A range is not whole if the history ends inside of it.
    let clone = scene.shallow("2");
    scene.git_in(
        &clone,
        &[
            "fetch",
            "-q",
            "--depth",
            "1",
            &scene.root().to_string_lossy(),
            &base,
        ],
    );
    let answer = scene.guard_in(&clone, &["check", &format!("{base}..HEAD")]);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
    answer.says("shallow");
}

#[test]
fn a_merge_whose_sides_part_where_the_history_is_cut_off_is_not_judged() {
    let scene = Scene::started();
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(101, "side");
    scene.commit("Side\n\nBench: 101");
    scene.git(&["checkout", "-q", "main"]);
    for words in ["one", "two", "three"] {
        scene.write("README.md", words);
        scene.commit("Describe");
    }
    let main = scene.git(&["rev-parse", "HEAD"]);
    scene.git(&["checkout", "-q", "side"]);
    scene.git(&["merge", "-q", "--no-edit", "main"]);
    let range = format!("{main}..HEAD");
    assert_eq!(scene.guard(&["check", &range]).code, Some(0));
    let clone = scene.shallow("3");
    let answer = scene.guard_in(&clone, &["check", &range]);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
    answer.says("shallow");
}

#[test]
fn what_a_build_reads_owes_a_bench() {
    for path in [
        ".gitattributes",
        "src/.gitattributes",
        "docs/flags.sh",
        "scripts/flags.sh",
        ".github/flags.mk",
        ".ci/flags",
        "HISTORY.inc",
        "README.h",
        "LICENSE.c",
    ] {
        let scene = Scene::started();
        scene.write(path, "search.sh text\n");
        scene.commit("Change the build");
        let answer = scene.guard(&["check", "HEAD", "--json", "--no-build"]);
        assert_eq!(answer.verdict("Change the build"), "missing", "{path}");
    }
    // Also where the settings ignore it: it decides what is in the tree that is built.
    let scene = Scene::started();
    scene.write(
        "whetstone.toml",
        "[bench-guard]\npaths = ['*.sh']\nignore = ['**/.git*']\n",
    );
    scene.commit("Settings");
    scene.write(".gitattributes", "search.sh export-ignore\n");
    scene.commit("Leave the search out");
    let answer = scene.guard(&["check", "HEAD", "--json", "--no-build"]);
    assert_eq!(answer.verdict("Leave the search out"), "missing");
}

#[test]
fn ignored_changes_can_be_proved_to_leave_the_bench() {
    let scene = Scene::started();
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nignore = ['notes/**']\nruns = 1\n",
    );
    scene.write("search.sh", "");
    let makefile = "all:\n\t@(echo '#!/bin/sh'; cat notes/engine) > $(EXE) && chmod +x $(EXE)\n";
    scene.write("Makefile", makefile);
    scene.write("notes/engine", "echo 7 nodes 1 nps\n");
    scene.commit("Read the notes\n\nBench: 7");
    scene.write("notes/engine", "echo 7 nodes 1 nps # the same\n");
    scene.commit("Reword");
    scene.write("notes/engine", "echo 8 nodes 1 nps\n");
    scene.commit("Reword again");
    scene.write("notes/engine", "echo 9 nodes 1 nps\n");
    scene.commit("Reword with a bench\n\nBench: 9");
    let answer = scene.guard(&["check", "HEAD~3..HEAD", "--json"]);
    assert_eq!(answer.verdict("Reword again"), "not needed");
    assert_eq!(answer.verdict("Reword with a bench"), "ok");
    let answer = scene.guard(&["check", "HEAD~3..HEAD", "--json", "--prove-ignored"]);
    assert_eq!(answer.verdict("Reword"), "ok");
    assert_eq!(answer.verdict("Reword again"), "drift", "{}", answer.stdout);
    assert_eq!(
        answer.verdict("Reword with a bench"),
        "drift",
        "{}",
        answer.stdout
    );
    assert_eq!(answer.code, Some(1));
}

#[test]
fn only_variables_that_are_named_reach_a_build_and_a_bench() {
    let scene = Scene::new();
    scene.write(
        "Makefile",
        "all:\n\t@(echo '#!/bin/sh'; echo 'env | grep value; echo 5 nodes 5 nps; exit 1') > $(EXE) && chmod +x $(EXE)\n\t@env | grep value; exit $${FAIL_HERE:-0}\n",
    );
    let secrets = [
        "GH_PAT",
        "DEPLOY_KEY",
        "NETRC",
        "DATABASE_URL",
        "SLACK_WEBHOOK",
    ];
    let check = |fails: &str| {
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["check", "HEAD"])
            .current_dir(scene.root())
            .envs(secrets.map(|name| (name, "hidden-value")))
            .env("CFLAGS", "seen-value")
            .env("FAIL_HERE", fails)
            .output()
            .expect("bench-guard starts");
        Finished::from(&output)
    };
    for (step, environment) in [("the build", "FAIL_*"), ("the bench", "OTHER")] {
        let rules = format!("[bench-guard]\nenvironment = ['{environment}']\nruns = 1\n");
        scene.write("whetstone.toml", &rules);
        scene.commit("Read the environment\n\nBench: 5");
        let answer = check("1");
        assert_eq!(answer.code, Some(1), "{step}: {}", answer.stderr);
        let failed = step.trim_start_matches("the ").to_owned() + " failed";
        assert!(answer.stdout.contains(&failed), "{}", answer.stdout);
        let log = answer.stdout + &answer.stderr;
        assert!(!log.contains("hidden-value"), "{step}: {log}");
        assert!(log.contains("CFLAGS=seen-value"), "{step}: {log}");
    }
    // What is named counts for what is built.
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nenvironment = ['FAIL_HERE']\n",
    );
    assert!(check("1").stdout.contains("build failed"));
    assert!(check("0").stdout.contains("bench failed"));
}

#[test]
fn a_build_under_other_variables_of_a_toolchain_is_another_build() {
    let scene = Scene::new();
    scene.write(
        "Makefile",
        "all:\n\t@(echo '#!/bin/sh'; echo \"echo $$GOFLAGS$$CPPFLAGS nodes 5 nps\") > $(EXE) && chmod +x $(EXE)\n",
    );
    scene.commit("Flags decide the bench\n\nBench: 11");
    let check = |go: &str, cpp: &str| {
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["check", "HEAD"])
            .current_dir(scene.root())
            .envs([("GOFLAGS", go), ("CPPFLAGS", cpp)])
            .output()
            .expect("bench-guard starts");
        let answer = Finished::from(&output);
        assert!(answer.stdout.contains("1 commit"), "{}", answer.stderr);
        answer.code
    };
    assert_eq!(check("1", "1"), Some(0));
    assert_eq!(check("2", "1"), Some(1));
    assert_eq!(check("1", "2"), Some(1));
    assert_eq!(check("1", "1"), Some(0));
}

/// Sets the bench in every entry of the cache.
fn forge(scene: &Scene, from: &str, to: &str) -> usize {
    let builds = std::fs::read_dir(scene.beside("cache/builds")).expect("a cache");
    let files = builds
        .flat_map(|build| std::fs::read_dir(build.expect("an entry").path()).expect("a build"));
    let mut forged = 0;
    for file in files.map(|file| file.expect("an entry").path()) {
        if file.extension().is_some_and(|it| it == "json") {
            let text = std::fs::read_to_string(&file).expect("JSON");
            forged += text.matches(from).count();
            std::fs::write(&file, text.replace(from, to)).expect("JSON");
        }
    }
    forged
}

#[test]
fn a_fresh_check_trusts_no_cache() {
    let scene = Scene::new();
    scene.engine(31_415, "start");
    scene.commit("Start\n\nBench: 27182");
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(answer.verdict("Start"), "mismatch");
    assert!(forge(&scene, "31415", "27182") > 0);
    let answer = scene.guard(&["check", "HEAD", "--json", "--fresh"]);
    assert_eq!(answer.verdict("Start"), "mismatch", "{}", answer.stdout);
    assert_eq!(scene.builds(), 2);
    // What it built is gone, and what was there is as it was.
    let left = std::fs::read_dir(scene.beside("cache/fresh")).expect("a folder");
    assert_eq!(left.count(), 0);
    let answer = scene.guard(&["check", "HEAD", "--json"]);
    assert_eq!(answer.verdict("Start"), "ok");
}

#[test]
fn a_fresh_build_finds_no_other_beside_it() {
    let scene = Scene::new();
    let makefile = "all:\n\t@ls ../../../builds | wc -l >> $$HOME/beside\n\t@cp search.sh $(EXE) && chmod +x $(EXE)\n";
    scene.write("Makefile", makefile);
    for bench in 1..=4 {
        scene.write(
            "search.sh",
            &format!("#!/bin/sh\necho {bench} nodes 1 nps\n"),
        );
        scene.commit(&format!("Commit\n\nBench: {bench}"));
    }
    let answer = scene.guard(&["check", "--all", "--fresh"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    let beside = std::fs::read_to_string(scene.beside("beside")).expect("a file");
    assert_eq!(beside, "0\n".repeat(4));
}

#[test]
fn no_text_of_a_change_commands_the_job_or_the_terminal() {
    let scene = Scene::started();
    let key = "\"a\\n::notice title=x::y_\"";
    scene.write(
        "whetstone.toml",
        &format!("[bench-guard.engine.{key}]\nfolder = 'x'\n"),
    );
    let answer = scene.guard(&["check", "HEAD", "--no-build"]);
    let is_command = |line: &str| line.trim_start().starts_with("::");
    answer.says("notice");
    assert!(!answer.stderr.lines().any(is_command), "{}", answer.stderr);
}

#[test]
fn a_moved_engine_owes_its_bench_in_both_folders() {
    let scene = Scene::new();
    let settings = |folder: &str| {
        let text = format!(
            "[bench-guard]\npaths = ['a/**']\n[bench-guard.engine.b]\nfolder = '{folder}'\n"
        );
        scene.write("whetstone.toml", &text);
    };
    settings("engine/b");
    scene.write("engine/b/s.c", "1\n");
    scene.commit("Start");
    let base = scene.git(&["rev-parse", "HEAD"]);
    scene.write("engine/b/s.c", "2\n");
    scene.commit("Before");
    settings("engine/c");
    scene.git(&["mv", "engine/b", "engine/c"]);
    scene.commit("Move");
    scene.write("engine/c/s.c", "3\n");
    scene.commit("After");
    scene.write("engine/d/s.c", "3\n");
    scene.commit("Elsewhere");
    let range = format!("{base}..HEAD");
    for rules in [&["--rules-from", &base][..], &[]] {
        let arguments = [&["check", &range, "--no-build", "--json"], rules].concat();
        let answer = scene.guard(&arguments);
        let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
        let rows = json["commits"].as_array().expect("rows").iter();
        let of_b: Vec<&str> = rows
            .filter(|row| row["engine"] == "b")
            .map(|row| row["subject"].as_str().expect("a subject"))
            .collect();
        assert_eq!(of_b, ["Before", "Move", "After"], "{rules:?}");
    }
    for odd in ["engine//c", "engine/./c", "engine/c/.", "engine/[c]"] {
        settings(odd);
        let answer = scene.guard(&["check", "--no-build"]);
        let told = answer.stderr;
        assert!(told.contains("as git names it"), "{odd}: {told}");
    }
}
