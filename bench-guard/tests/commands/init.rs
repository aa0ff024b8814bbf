//! `init`: what it finds out about a repository, and what it writes.

use std::fs;

use crate::scene::{Finished, Scene};

fn settings(scene: &Scene) -> String {
    fs::read_to_string(scene.root().join("whetstone.toml")).unwrap_or_default()
}

fn initialised(scene: &Scene, arguments: &[&str]) -> Finished {
    scene.guard(&[&["init"], arguments].concat())
}

#[test]
fn an_engine_that_needs_no_settings_gets_those_that_hold_anyway() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.write("whetstone.toml", "[sprt]\nhash = 64 # kept\n");
    let done = initialised(&scene, &[]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let text = settings(&scene);
    assert!(text.contains("hash = 64 # kept"), "{text}");
    assert!(text.contains("the bench was 100"), "{text}");
    assert!(!text.contains("8+0.08"), "a section that is there: {text}");
    assert!(text.contains("[tuner]\nengine = \".\"\n"), "{text}");
    for command in ["bench-guard install", "sprt HEAD .", "tuner init"] {
        done.says(&format!("`{command}`"));
    }
    assert!(
        text.contains("build = \"make -j{jobs} EXE={exe}\""),
        "{text}"
    );
    assert_eq!(scene.guard(&["bench"]).code, Some(0));
    let again = initialised(&scene, &[]);
    assert_eq!(again.code, Some(2));
    again.says("hint: `--force` writes its `folder` and `build` anew");
    assert_eq!(initialised(&scene, &["--force"]).code, Some(0));
}

#[test]
fn force_keeps_what_is_not_about_the_build() {
    let scene = Scene::started();
    let others = "# Ours.\npaths = [\"search.sh\"] # all\nbench = [\"bench\"]\n\n\
        [bench-guard.proof]\nmin-games = 900\ngains = [[0.0, 2.0]]\n\n\
        [bench-guard.engine.small]\nfolder = \"small\"\n\n\
        # A debug build.\n[[bench-guard.variant]]\nname = \"debug\"\nvariables = { A = \"b\" }\n";
    let text = format!("# Mine.\n[bench-guard]\nbuild = \"cc -o {{exe}}\"\n{others}");
    scene.write("whetstone.toml", &text);
    let done = initialised(&scene, &["--force"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let kept = "kept in [bench-guard]: `paths`, `bench`, `proof`, `engine`, `variant`";
    done.says(kept);
    let first = settings(&scene);
    assert!(first.contains(others), "{first}");
    let head = "[bench-guard]\nbuild = \"make -j{jobs} EXE={exe}\"\n";
    assert!(first.contains(head), "{first}");
    assert!(first.starts_with("# Mine.\n# Tried by"), "{first}");
    assert_eq!(initialised(&scene, &["--force"]).code, Some(0));
    assert_eq!(settings(&scene), first);
    // Bounds of a server come into the table that is there.
    let engine = r#"{"build": {"path": "", "compilers": ["gcc"]},
        "test_presets": {"default": {"test_bounds": "[0.00, 5.00]"}}}"#;
    scene.write("Engine.json", engine);
    let done = initialised(&scene, &["--force", "--openbench", "Engine.json"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let text = settings(&scene);
    assert!(
        text.contains("min-games = 900\ngains = [[0.0, 5.0]]\n"),
        "{text}"
    );
}

#[test]
fn one_command_sets_up_all_tools_and_the_hooks() {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    let done = initialised(&scene, &["--hooks"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let text = settings(&scene);
    assert!(
        text.contains("[sprt]\ntc = \"8+0.08\"\nbounds = \"0,5\"\n"),
        "{text}"
    );
    assert!(scene.root().join(".git/hooks/commit-msg").is_file());
    done.says("`bench-guard check`");
    // Every section is one that its tool reads.
    let checked = scene.guard(&["check"]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
}

#[test]
fn a_target_that_builds_is_found_where_the_first_one_prints_help() {
    let scene = Scene::new();
    let makefile = fs::read_to_string(scene.root().join("Makefile")).expect("a Makefile");
    fs::remove_file(scene.root().join("Makefile")).expect("removed");
    scene.engine(100, "start");
    fs::create_dir(scene.root().join("src")).expect("a folder");
    fs::rename(
        scene.root().join("search.sh"),
        scene.root().join("src/search.sh"),
    )
    .expect("moved");
    let makefile = makefile.replace("all:", "help:\n\t@echo 'make build'\nbuild:");
    scene.write("src/Makefile", &makefile);
    let done = initialised(&scene, &["--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let report: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(report["schema"], "bench-guard-init");
    assert_eq!(report["build"], "make build -j{jobs} EXE={exe}");
    assert_eq!(report["bench"], 100);
    assert_eq!(scene.guard(&["bench"]).code, Some(0));
}

#[test]
fn an_openbench_engine_gives_folder_compiler_bounds_and_time_control() {
    let scene = Scene::new();
    scene.engine(100, "start");
    let engine = r#"{"private": false, "nps": 1000000, "source": "https://example.org/x",
        "build": {"path": "", "compilers": ["no-such-compiler>=1.0", "sh++", "gcc"], "cpuflags": [], "systems": ["Linux"]},
        "test_presets": {
            "default": {"test_confidence": "[0.10, 0.05]", "test_bounds": "[0.00, 5.00]",
                        "win_adj": "movecount=3 score=400", "draw_adj": "None"},
            "STC": {"both_options": "Threads=1 Hash=16", "both_time_control": "8.0+0.08"},
            "Simplify": {"test_bounds": "[-5.00, 0.00]"}}}"#;
    scene.write("Engine.json", engine);
    let preview = initialised(&scene, &["--openbench", "Engine.json", "--dry-run"]);
    assert_eq!(preview.code, Some(0), "{}", preview.stderr);
    assert_eq!(settings(&scene), "");
    assert_eq!(
        initialised(&scene, &["--openbench", "Engine.json"]).code,
        Some(0)
    );
    let text = settings(&scene);
    assert_eq!(text.trim_end(), preview.stdout.trim_end());
    for part in [
        "folder = \".\"",
        "EXE={exe} CC=gcc\"",
        "[bench-guard.proof]\nalpha = 0.05\nbeta = 0.1\n",
        "gains = [[0.0, 5.0]]",
        "simplifications = [[-5.0, 0.0]]",
        "tc = \"8.0+0.08\"",
        "bounds = \"0,5\"",
        "hash = 16",
        "threads = 1",
        "resign-adj = \"movecount=3,score=400\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("draw-adj"), "{text}");
    assert_eq!(scene.guard(&["bench"]).code, Some(0));
    scene.write("Engine.json", "{}");
    let refused = initialised(&scene, &["--openbench", "Engine.json", "--force"]);
    assert_eq!(refused.code, Some(2));
    refused.says("is not an OpenBench engine");
}

#[test]
fn where_nothing_builds_the_reasons_are_reported_and_nothing_is_written() {
    let scene = Scene::new();
    let done = initialised(&scene, &[]);
    assert_eq!(done.code, Some(2));
    done.says("no way to build the engine was found");
    done.says("make: ***");
    assert!(!done.stderr.contains("--network"), "{}", done.stderr);
    assert_eq!(settings(&scene), "");
    scene.write("Makefile", "all:\n\ttest -f $(EVALFILE)\n");
    let done = initialised(&scene, &[]);
    done.says("--network FILE");
    fs::remove_file(scene.root().join("Makefile")).expect("removed");
    let done = initialised(&scene, &[]);
    assert_eq!(done.code, Some(2));
    done.says("neither a Makefile nor a project");
    // A bench that fails is no reason to try another way to build.
    let scene = Scene::new();
    scene.write("search.sh", "exit 3\n");
    let done = initialised(&scene, &[]);
    assert_eq!(done.code, Some(3), "{}", done.stderr);
    done.says("builds, but");
}

#[test]
fn hooks_are_not_left_out_in_silence() {
    let scene = Scene::new();
    // As the engine was before it had a bench.
    scene.write("search.sh", "exit 3\n");
    scene.commit("Fix en passant\n\nBench: 249");
    scene.write("search.sh", "echo 294 nodes 1 nps\n");
    scene.commit("Add the bench");
    let done = initialised(&scene, &["--hooks"]);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    done.says("has none when it is built");
    done.says("no hooks were installed");
}

#[test]
fn a_build_that_is_not_the_authors_is_reported() {
    // Without EVALFILE, the Makefile builds another evaluation.
    let scene = Scene::new();
    scene.write(
        "Makefile",
        "EVALFILE ?= none\nall:\n\t@(echo '#!/bin/sh'; echo \"echo $$(cat $(EVALFILE) || echo 294) nodes 1 nps\") > $(EXE) && chmod +x $(EXE)\n",
    );
    scene.write(".gitignore", "net.bin\n");
    let told = scene.commit("Train\n\nBench: 249");
    scene.write("README.md", "words\n");
    scene.commit("Describe");
    let done = initialised(&scene, &[]);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    for part in [&told[..8], "249", "294", "EVALFILE", "--network FILE"] {
        assert!(done.stderr.contains(part), "{part}: {}", done.stderr);
        assert!(
            settings(&scene).contains(part),
            "{part}: {}",
            settings(&scene)
        );
    }
    scene.write("net.bin", "249");
    let done = initialised(&scene, &["--force", "--network", "net.bin", "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let report: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(
        (&report["bench"], &report["message_bench"]),
        (&249.into(), &249.into())
    );
    assert!(
        settings(&scene).contains("what its message tells"),
        "{}",
        settings(&scene)
    );
}

#[test]
fn the_way_to_build_that_gives_the_told_bench_is_taken() {
    let scene = Scene::new();
    let engine = |nodes| {
        format!(
            "\t@(echo '#!/bin/sh'; echo 'echo {nodes} nodes 1 nps') > $(EXE) && chmod +x $(EXE)\n"
        )
    };
    let makefile = format!("plain:\n{}release:\n{}", engine(5), engine(6));
    scene.write("Makefile", &makefile);
    scene.commit("Start\n\nBench: 6");
    // The working tree has moved on; the commit that tells a bench is what is compared.
    scene.write("Makefile", &makefile.replace("echo 6", "echo 7"));
    let done = initialised(&scene, &["--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let report: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(report["build"], "make release -j{jobs} EXE={exe}");
    assert_eq!(
        (&report["bench"], &report["message_commit_bench"]),
        (&7.into(), &6.into())
    );
}

#[test]
fn a_toolchain_that_is_missing_is_named_with_what_installs_it() {
    let scene = Scene::new();
    fs::remove_file(scene.root().join("Makefile")).expect("removed");
    scene.write("build.zig", "b.addExecutable(.{ .name = \"tiny\" });\n");
    let tools = scene.beside("tools");
    fs::create_dir(&tools).expect("a folder");
    for tool in ["sh", "git", "tar", "cp"] {
        let path = std::env::split_paths(&std::env::var_os("PATH").expect("a PATH"))
            .map(|folder| folder.join(tool))
            .find(|path| path.is_file());
        std::os::unix::fs::symlink(path.expect("a tool"), tools.join(tool)).expect("a link");
    }
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .arg("init")
        .current_dir(scene.root())
        .env("PATH", &tools)
        .output()
        .expect("bench-guard starts");
    let done = Finished::from(&output);
    assert_eq!(done.code, Some(2), "{}", done.stderr);
    done.says("`zig` is not installed");
    done.says("https://ziglang.org");
}

#[test]
fn a_bare_repository_is_reported_as_what_it_is() {
    let scene = Scene::new();
    let bare = scene.beside("bare.git");
    scene.git(&["clone", "-q", "--bare", ".", &bare.to_string_lossy()]);
    let init = || scene.guard_in(&bare, &["init"]);
    for arguments in [
        &["init"][..],
        &["install"],
        &["install", "--no-build"],
        &["bench", "."],
    ] {
        let told = scene.guard_in(&bare, arguments);
        assert_eq!(told.code, Some(2), "{}", told.stderr);
        let reason = "bare.git` is a bare repository, which has no working tree";
        assert!(
            told.stderr.contains(reason),
            "{arguments:?}: {}",
            told.stderr
        );
    }
    // git takes it for one without its configuration, too; the folder above is not its working tree.
    fs::remove_file(bare.join("config")).expect("removed");
    let told = init();
    told.says("bare.git` is a bare repository");
}

#[test]
fn of_several_folders_with_a_makefile_the_one_that_is_taken_is_named() {
    let scene = Scene::new();
    let makefile = fs::read_to_string(scene.root().join("Makefile")).expect("a Makefile");
    fs::remove_file(scene.root().join("Makefile")).expect("removed");
    for folder in ["a", "b"] {
        scene.write(&format!("eng/{folder}/Makefile"), &makefile);
        let search = "echo '100 nodes 1000 nps'\n";
        scene.write(&format!("eng/{folder}/search.sh"), search);
    }
    let done = initialised(&scene, &[]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let words = "folders with a Makefile (eng/a, eng/b), `eng/a` is taken";
    done.says(words);
}

#[test]
fn an_engine_in_a_submodule_is_looked_for_there() {
    let scene = Scene::started();
    fs::remove_file(scene.root().join("Makefile")).expect("removed");
    scene.write(
        ".gitmodules",
        "[submodule \"a\"]\n\tpath = a\n\turl = ../a\n",
    );
    // It is checked out, and still not in the tree of what surrounds it.
    scene.write(".gitignore", "a/\n");
    scene.write("a/Makefile", "all:\n");
    let done = scene.guard(&["init"]);
    assert_eq!(done.code, Some(2), "{}", done.stderr);
    let told = "if the engine is in one, run this there";
    done.says(told);
    for wrong in ["printed nothing", "`bench-guard init` looks"] {
        assert!(!done.stderr.contains(wrong), "{}", done.stderr);
    }
    let reason = "there is no Makefile in working tree";
    assert!(done.stderr.matches(reason).count() <= 1, "{}", done.stderr);
}
