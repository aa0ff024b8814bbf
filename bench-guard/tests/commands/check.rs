//! `check` on a repository that has every verdict once, in all formats.

use crate::scene::{BLOCK, Scene};

/// Each verdict once, in the order of the history, and some that are ok between them.
fn every_verdict() -> Scene {
    let scene = Scene::new();
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nruns = 3\ninsensitive-after = 3\n",
    );
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    scene.engine(101, "margin");
    scene.commit("Tune margin");
    scene.engine(102, "margin again");
    scene.commit("Tune margin again\n\nBench: 5");
    scene.write("search.sh", "echo \"$$ nodes 1000 nps\"\n");
    scene.commit("Seed by the clock\n\nBench: 7");
    scene.write("search.sh", "if then\n");
    scene.commit("Forget a semicolon | `code` <b>\n\nBench: 103");
    scene.write(
        "search.sh",
        "echo 'assertion failed: depth > 0' >&2; exit 3\n",
    );
    scene.commit("Assert::error::more\n\nBench: 106");
    scene.engine(103, "repaired");
    scene.commit("Repair\n\nBench: 1,03 and so on");
    scene.engine(104, "tidy");
    scene.commit("Tidy up\n\nNo functional change.");
    scene.engine(104, "quick");
    scene.commit(&format!("Gain much\n\n{BLOCK}\n\nBench: 104"));
    scene.write("README.md", "An engine.\n");
    scene.commit("Describe the engine");
    for change in ["one", "two", "three"] {
        scene.engine(105, change);
        scene.commit(&format!("Change {change}\n\nBench: 105"));
    }
    scene
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"runs gave \d+, \d+, \d+", "runs gave [values]");
    settings.add_filter(r"make -j\d+", "make -j[jobs]");
    settings.add_filter(r"engine-[0-9A-F]{8}", "engine-[tree]");
    settings.add_filter(r"stop-commands::[0-9a-f]{32}", "stop-commands::[token]");
    settings.add_filter(r"(?m)^::[0-9a-f]{32}::$", "::[token]::");
    settings
}

#[test]
fn every_verdict_in_every_format() {
    let scene = every_verdict();
    let text = scene.guard(&["check", "--all", "HEAD"]);
    assert_eq!(text.code, Some(1), "{}", text.stderr);
    let builds = scene.builds();
    let json = scene.guard(&["check", "--all", "HEAD", "--format", "json"]);
    let summary = scene.beside("summary");
    let outputs = scene.beside("outputs");
    let github = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["check", "--all", "HEAD", "--format", "github"])
        .current_dir(scene.root())
        .env("GITHUB_STEP_SUMMARY", &summary)
        .env("GITHUB_OUTPUT", &outputs)
        .output()
        .expect("bench-guard starts");
    // What the summary of a job says is a comment, too.
    let comment = scene.guard(&["check", "--all", "HEAD", "--format", "markdown"]);
    let summary = std::fs::read_to_string(summary).expect("a summary");
    assert_eq!(comment.stdout.trim_end(), summary.trim_end());
    assert_eq!(comment.code, Some(1));
    settings().bind(|| {
        insta::assert_snapshot!("text", text.stdout);
        insta::assert_snapshot!("json", json.stdout);
        insta::assert_snapshot!("github", String::from_utf8_lossy(&github.stdout));
        insta::assert_snapshot!("summary", summary);
        insta::assert_snapshot!(
            "outputs",
            std::fs::read_to_string(outputs).expect("outputs")
        );
    });
    assert_eq!(
        scene.builds(),
        builds,
        "nothing that was built is built again"
    );
}

#[test]
fn a_comment_of_a_long_history_is_short_enough_and_holds_no_markup_of_others() {
    let scene = Scene::new();
    scene.engine(100, "start");
    let words = "<b>@all</b> #1 | a ".repeat(5);
    for _ in 0..200 {
        scene.git(&["commit", "-q", "--allow-empty", "-m", &words]);
    }
    let check = ["check", "--all", "HEAD", "--no-build"];
    let comment = scene.guard(&[&check, &["--format", "markdown"][..]].concat());
    let comment = comment.stdout;
    assert!(comment.len() < 65_536, "{}", comment.len());
    assert!(comment.contains("more commits are left out"), "{comment}");
    for markup in ["<b>", "@all", " #1", "1 |"] {
        assert!(!comment.contains(markup), "{markup}");
    }
}

#[test]
fn messages_alone_are_read_without_a_build() {
    let scene = every_verdict();
    let answer = scene.guard(&["check", "--all", "--no-build", "HEAD"]);
    assert_eq!(answer.code, Some(1));
    assert_eq!(scene.builds(), 0);
    assert!(
        answer.stdout.ends_with(
            "13 commits: 10 ok, 1 missing, 1 insensitive, 1 not needed (messages only)\n"
        ),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_passed_test_can_be_demanded() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    scene.engine(101, "proved");
    scene.commit(&format!("Gain\n\n{BLOCK}\n\nBench: 101"));
    scene.engine(102, "not proved");
    scene.commit(&format!(
        "Gain\n\n{}\n\nBench: 102",
        BLOCK.replace("2.91", "2.99")
    ));
    let check = |range| scene.guard(&["check", "--no-build", "--require-sprt", range]);
    assert_eq!(check("HEAD~1").code, Some(0));
    let answer = check("HEAD");
    assert_eq!(answer.code, Some(1));
    assert!(answer.stdout.contains("unproved"), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("LLR is 2.99, recomputed it is 2.91"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_range_that_makes_no_sense_is_explained() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    let answer = scene.guard(&["check", "HEAD...main"]);
    assert_eq!(answer.code, Some(2));
    answer.says("hint: give `A..B`");
    let answer = scene.guard(&["check", "mian"]);
    assert_eq!(answer.code, Some(2));
    answer.says("did you mean `main`?");
    assert_eq!(
        scene.guard(&["check", "HEAD..main"]).stdout,
        "no commit to check\n"
    );
}

#[test]
fn a_repository_without_a_commit_is_reported_as_such() {
    let scene = Scene::new();
    for arguments in [
        &["check"][..],
        &["check", "HEAD~1"],
        &["check", "--all"],
        &["fix"],
    ] {
        let answer = scene.guard(arguments);
        assert_eq!(answer.code, Some(2), "{arguments:?}: {}", answer.stderr);
        let reason = "has no commit yet";
        assert!(
            answer.stderr.contains(reason),
            "{arguments:?}: {}",
            answer.stderr
        );
    }
}

#[test]
fn in_a_fresh_clone_the_last_commit_is_checked() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    scene.git(&["branch", "published"]);
    scene.git(&["branch", "--set-upstream-to=published", "main"]);
    scene.write("whetstone.toml", "[bench-guard]\nruns = 1\n");
    let answer = scene.guard(&["check"]);
    assert!(
        answer.stdout.contains("1 commit: 1 ok"),
        "{}",
        answer.stdout
    );
    assert!(
        !answer.stderr.contains("whetstone.toml"),
        "{}",
        answer.stderr
    );
    scene.commit("Settings\n\nNo functional change.");
    scene.git(&["branch", "--force", "published"]);
    let answer = scene.guard(&["check"]);
    answer.says("the range changes whetstone.toml");
}

#[test]
fn bisect_finds_a_planted_drift_among_64_commits_with_at_most_7_builds() {
    for planted in [2, 40, 64] {
        let scene = Scene::new();
        let mut expected = String::new();
        for number in 1..=64 {
            scene.engine(
                if number < planted { 100 } else { 101 },
                &number.to_string(),
            );
            let id = scene.commit(&format!("Change {number}\n\nNo functional change."));
            if number == planted {
                expected = id;
            }
        }
        let answer = scene.guard(&["bisect", "HEAD~63", "HEAD"]);
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        assert!(answer.stdout.starts_with(&expected), "{}", answer.stdout);
        assert!(
            answer.stdout.contains("the bench went from 100 to 101"),
            "{}",
            answer.stdout
        );
        assert!(scene.builds() <= 7, "{} builds", scene.builds());
    }
}

#[test]
fn bisect_refuses_a_good_commit_that_is_not_on_the_line_of_the_bad_one() {
    let scene = Scene::new();
    scene.engine(7, "start");
    scene.commit("Start\n\nBench: 7");
    scene.git(&["checkout", "-q", "-b", "release"]);
    scene.engine(5, "release");
    scene.commit("Release\n\nBench: 5");
    scene.git(&["checkout", "-q", "-"]);
    scene.engine(7, "main");
    let main = scene.commit("Main\n\nBench: 7");
    let answer = scene.guard(&["bisect", "release", &main]);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
    let told = "`release` is not among the first parents of";
    answer.says(told);
}

#[test]
fn journals_are_refused_where_no_proof_names_a_run() {
    let scene = Scene::new();
    scene.engine(7, "start");
    scene.commit("Start\n\nBench: 7");
    for proof in ["block", "openbench"] {
        let answer = scene.guard(&["check", "HEAD", "--require", proof, "--journals", "."]);
        assert_eq!(answer.code, Some(2), "{proof}: {}", answer.stderr);
        answer.says("--require run");
    }
}

#[test]
fn a_bench_without_a_speed_is_shown_and_fails() {
    let scene = Scene::new();
    scene.write("search.sh", "echo '100 nodes'\n");
    scene.commit("Start\n\nBench: 100");
    for revision in ["HEAD", "."] {
        let answer = scene.guard(&["bench", revision]);
        assert_eq!(answer.code, Some(1), "{}", answer.stderr);
        assert!(
            answer.stdout.starts_with("100 nodes\n"),
            "{}",
            answer.stdout
        );
        let said = "the bench printed no speed";
        answer.says(said);
    }
}

#[test]
fn bench_prints_nodes_and_the_spread_of_speeds() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 99");
    let answer = scene.guard(&["bench", "--runs", "2"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(
        answer.stdout,
        "100 nodes\n1000 nps, 1000 to 1000, a spread of 0.0%\n2 runs at once\n"
    );
    let answer = scene.guard(&["bench", "HEAD", "--json"]);
    assert_eq!(answer.code, Some(1), "the message says 99");
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    assert_eq!(
        (&json["bench"], &json["message_bench"]),
        (&100.into(), &99.into())
    );
    assert_eq!(scene.builds(), 1, "HEAD and the working tree are one tree");
}

#[test]
fn paths_that_match_nothing_guard_nothing() {
    let scene = Scene::new();
    scene.write(
        "whetstone.toml",
        "[bench-guard]\npaths = ['search.sh', 'srcs/**']\n",
    );
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    let check = |arguments: &[&str]| scene.guard(&[&["check", "--no-build"], arguments].concat());
    let answer = check(&[]);
    assert_eq!(answer.code, Some(0));
    answer.says("warning: `srcs/**` in `paths` matches no file");
    assert_eq!(check(&["--strict"]).code, Some(1));
    assert!(
        check(&["--format", "github"])
            .stdout
            .contains("::warning title=settings::")
    );
    scene.write("whetstone.toml", "[bench-guard]\n\npaths = ['[src/**']\n");
    let answer = check(&[]);
    assert_eq!(answer.code, Some(2));
    for part in ["line 3", "`paths`", "`[src/**`"] {
        assert!(answer.stderr.contains(part), "{part}: {}", answer.stderr);
    }
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    let full = std::fs::File::options().write(true).open("/dev/full");
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["check", "--no-build"])
        .current_dir(scene.root())
        .stdout(full.expect("/dev/full"))
        .output()
        .expect("bench-guard starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("failed to write the result"));
}

#[test]
fn notes_beside_the_source_are_not_built() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    assert_eq!(scene.guard(&["bench"]).code, Some(0));
    scene.write("NOTES.md", "try this\n");
    scene.write(".gitignore", "*.log\n");
    scene.write("games.log", "1-0\n");
    scene.write("whetstone.toml", "[sprt]\nnodes = 1000\n");
    let list = "# Parameters to tune, from the engine's UCI options\n[params.Margin]\n";
    scene.write("tune/params.toml", list);
    assert_eq!(scene.guard(&["bench"]).code, Some(0));
    assert_eq!(scene.builds(), 1);
    scene.write("extra.sh", "true\n");
    assert_eq!(scene.guard(&["bench"]).code, Some(0));
    assert_eq!(scene.builds(), 2, "a new source is built");
}

#[test]
fn a_makefile_in_src_is_found() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.git(&["add", "-A"]);
    std::fs::create_dir(scene.root().join("src")).expect("a folder");
    scene.git(&["mv", "Makefile", "search.sh", "src"]);
    scene.commit("Start\n\nBench: 100");
    let answer = scene.guard(&["check"]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    // Where it cannot be told, the candidates are named, and what to write.
    std::fs::create_dir(scene.root().join("other")).expect("a folder");
    scene.git(&["mv", "src", "engine"]);
    scene.write("other/Makefile", "all:\n");
    scene.commit("Move\n\nBench: 100");
    let answer = scene.guard(&["bench"]);
    assert_eq!(answer.code, Some(2));
    answer.says("engine, other");
    answer.says("folder = \"engine\"");
}

#[test]
fn a_bench_that_is_read_from_prose_is_explained_as_such() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nFaster by 2% in bench 512 1 16 of both.");
    let done = scene.guard(&["check"]);
    assert_eq!(done.code, Some(1));
    assert!(
        done.stdout.contains(
            "OpenBench reads 512 from the words `Faster by 2% in bench 512 1 16 of both.`"
        ),
        "{}",
        done.stdout
    );
}

#[test]
fn a_missing_ancestor_of_a_known_branch_is_no_misspelled_name() {
    let scene = Scene::started();
    scene.engine(101, "one");
    scene.commit("One\n\nBench: 101");
    let clone = scene.shallow("1");
    let answer = scene.guard_in(&clone, &["check", "main~1..main"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
    answer.says("--unshallow");
    let answer = scene.guard(&["check", "main~7..main"]);
    let hint = "`main` is there, but its history is shorter";
    answer.says(hint);
}

#[test]
fn only_a_file_that_names_submodules_is_one() {
    let scene = Scene::started();
    std::fs::remove_file(scene.root().join("Makefile")).expect("removed");
    for (modules, is_told) in [("", false), ("[submodule \"a\"]\n\tpath = a\n", true)] {
        scene.write(".gitmodules", modules);
        let answer = scene.guard(&["bench", "."]);
        assert_eq!(
            answer.stderr.contains("submodules"),
            is_told,
            "{}",
            answer.stderr
        );
        assert!(
            !answer.stderr.contains("printed nothing"),
            "{}",
            answer.stderr
        );
    }
}
