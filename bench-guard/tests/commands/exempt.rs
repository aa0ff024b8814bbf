//! The hooks at commits that owe no bench.

use crate::hooks::{commit, installed, message};
use crate::scene::Finished;

#[test]
fn commits_that_owe_no_bench_are_left_alone() {
    let scene = installed();
    let builds = scene.builds();
    scene.write("README.md", "An engine.\n");
    scene.git(&["add", "-A"]);
    assert_eq!(commit(&scene, &["-m", "Describe"]).code, Some(0));
    assert_eq!(message(&scene), "Describe");
    scene.engine(100, "tidy");
    assert_eq!(
        commit(&scene, &["-a", "-m", "Tidy up\n\nNo functional change."]).code,
        Some(0)
    );
    assert_eq!(message(&scene), "Tidy up\n\nNo functional change.");
    scene.engine(101, "fix");
    assert_eq!(commit(&scene, &["-a", "--fixup", "HEAD"]).code, Some(0));
    assert_eq!(message(&scene), "fixup! Tidy up");
    scene.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    scene.write("other.sh", "true\n");
    scene.git(&["add", "-A"]);
    assert_eq!(commit(&scene, &["-m", "WIP: other"]).code, Some(0));
    let merged = scene.git_output(&[
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "Merge branch 'main'",
        "main",
    ]);
    assert!(
        merged.status.success(),
        "{}",
        String::from_utf8_lossy(&merged.stderr)
    );
    assert_eq!(message(&scene), "Merge branch 'main'");
    assert_eq!(scene.builds(), builds, "none of these is built");
}

#[test]
fn what_only_calls_itself_a_revert_owes_a_bench() {
    let scene = installed();
    scene.write("whetstone.toml", "[bench-guard]\nreverts = \"optional\"\n");
    scene.commit("Settings\n\nNo functional change.");
    scene.engine(101, "gain");
    commit(&scene, &["-a", "-m", "Gain"]);
    let reverted = scene.git_output(&["revert", "--no-edit", "HEAD"]);
    assert!(reverted.status.success());
    assert!(!message(&scene).contains("Bench"), "{}", message(&scene));
    scene.engine(102, "other");
    let answer = commit(&scene, &["-a", "-m", "Revert \"Gain\""]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Revert \"Gain\"\n\nBench: 102");
    assert_eq!(scene.guard(&["check", "HEAD~3..HEAD"]).code, Some(0));
}

#[test]
fn authors_that_owe_no_bench_are_known_before_the_commit() {
    let scene = installed();
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nauthors = [\"Web Editor <*>\"]\n",
    );
    scene.commit("Settings\n\nNo functional change.");
    scene.engine(100, "tidy");
    let author = "--author=Web Editor <web@example.com>";
    let answer = commit(&scene, &["-a", author, "-m", "Tidy"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(message(&scene), "Tidy");
    scene.engine(101, "gain");
    commit(&scene, &["-a", "-m", "Gain"]);
    assert_eq!(message(&scene), "Gain\n\nBench: 101");
    assert_eq!(scene.guard(&["check", "HEAD~2..HEAD"]).code, Some(0));
}

#[test]
fn a_bench_is_verified_although_none_is_due() {
    let scene = installed();
    scene.write("whetstone.toml", "[bench-guard]\nignore = [\"*.md\"]\n");
    scene.commit("Settings\n\nNo functional change.");
    scene.git(&["checkout", "-q", "-b", "side"]);
    scene.engine(101, "gain");
    commit(&scene, &["-a", "-m", "Gain"]);
    scene.git(&["checkout", "-q", "main"]);
    scene.write("README.md", "words\n");
    scene.git(&["add", "-A"]);
    let answer = commit(&scene, &["-m", "Describe\n\nBench: 6"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let corrected = "the message said 6, the engine says 100; the message has been corrected";
    answer.says(corrected);
    assert_eq!(message(&scene), "Describe\n\nBench: 100");
    scene.git(&["merge", "-q", "-m", "Merge side\n\nBench: 3", "side"]);
    assert_eq!(message(&scene), "Merge side\n\nBench: 101");
    // One that is typed in the editor is seen only afterwards.
    scene.write("README.md", "more words\n");
    let editor = |text: &str| format!("core.editor=printf '{text}' >");
    let edited = |text: &str| {
        let answer = scene.git_output(&["-c", &editor(text), "commit", "-q", "-a"]);
        Finished::from(&answer)
    };
    let answer = edited("Describe\\n\\nBench: 6\\n");
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    let refused = "mismatch: the message says 6, the engine says 101";
    answer.says(refused);
    let answer = edited("Describe\\n\\nBench: 101\\n");
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(scene.guard(&["check", "HEAD~2..HEAD"]).code, Some(0));
}

#[test]
fn a_commit_that_owes_no_bench_may_not_compile() {
    let scene = installed();
    scene.write("search.sh", "if then\n");
    scene.git(&["add", "-A"]);
    assert_eq!(commit(&scene, &["-m", "WIP: half"]).code, Some(0));
    let carried = ["--amend", "-m", "WIP: half done", "-m", "Bench: 123"];
    let answer = commit(&scene, &carried);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let warning = "the bench in the message is not verified: its build failed";
    answer.says(warning);
    assert_eq!(message(&scene), "WIP: half done\n\nBench: 123");
    let builds = answer.stderr.matches("building working tree").count();
    assert_eq!(builds, 1, "{}", answer.stderr);
    // One that is typed in the editor.
    scene.write("search.sh", "if then else\n");
    let editor = "core.editor=printf 'WIP: more\\n\\nBench: 5\\n' >";
    let answer = Finished::from(&scene.git_output(&["-c", editor, "commit", "-q", "-a"]));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    answer.says(warning);
}

#[test]
fn a_merge_with_a_bench_passes_although_runs_of_its_tree_differ() {
    let scene = installed();
    scene.write("whetstone.toml", "[bench-guard]\nruns = 2\n");
    scene.commit("Settings");
    scene.write("search.sh", "echo \"$$ nodes 1000 nps\"\n");
    assert_eq!(commit(&scene, &["-a", "-m", "WIP: differ"]).code, Some(0));
    scene.git(&["checkout", "-q", "-b", "side", "main~1"]);
    scene.write("README.md", "words\n");
    scene.commit("Describe");
    let merge = ["merge", "-q", "-m", "Merge main", "-m", "Bench: 5", "main"];
    let answer = Finished::from(&scene.git_output(&merge));
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let warning = "the bench in the message is not verified: runs of its bench gave";
    answer.says(warning);
}

#[test]
fn a_bench_that_openbench_reads_from_words_is_verified_too() {
    let scene = installed();
    let words = |nodes: u32| format!("Describe\n\nIt needs nodes {nodes} per second.");
    scene.write("README.md", "An engine.\n");
    scene.git(&["add", "-A"]);
    let answer = commit(&scene, &["-m", &words(6)]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    let refused =
        "OpenBench reads 6 from the words `It needs nodes 6 per second.`, the engine says 100";
    answer.says(refused);
    let answer = commit(&scene, &["-m", &words(100)]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    answer.says("write the bench on a line of its own");
    assert_eq!(message(&scene), words(100));
    // No server reads work in progress.
    let builds = scene.builds();
    scene.engine(101, "half");
    let answer = commit(&scene, &["-a", "-m", "WIP: below nodes 6"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(scene.builds(), builds);
}
