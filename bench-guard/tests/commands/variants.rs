//! Several builds of one engine, which must have one bench.

use crate::scene::{Scene, script};

/// The build writes its variables into the engine, which prints another bench where one is set.
const MAKEFILE: &str = "EXE ?= engine
PROFILE = release
all:
\t@test \"$(PROFILE)\" != broken
\t@(echo '#!/bin/sh'; echo profile=$(PROFILE); cat search.sh) > $(EXE) && chmod +x $(EXE)
";

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("Makefile", MAKEFILE);
    scene.write(
        "whetstone.toml",
        "[[bench-guard.variant]]
name = 'debug'
variables = { PROFILE = 'debug' }
[[bench-guard.variant]]
name = 'emulated'
runner = ['../runner', '-cpu', 'old']
",
    );
    scene
}

/// An engine of this bench, and of other ones in its variants.
fn engine(scene: &Scene, bench: u64, debug: u64, emulated: u64) {
    scene.write(
        "search.sh",
        &format!(
            "bench={bench}; [ $profile = debug ] && bench={debug}; [ -n \"$OLD\" ] && bench={emulated}
             echo $bench nodes 1000 nps\n"
        ),
    );
}

/// A runner on the PATH.
fn settings(scene: &Scene) {
    let runner = scene.beside("runner");
    script(
        &runner,
        "#!/bin/sh\n[ \"$1 $2\" = '-cpu old' ] || exit 9\nshift 2\nOLD=1 exec \"$@\"\n",
    );
    let text = std::fs::read_to_string(scene.root().join("whetstone.toml")).expect("settings");
    let runner = runner.display().to_string();
    scene.write("whetstone.toml", &text.replace("../runner", &runner));
}

#[test]
fn the_variant_that_differs_is_named() {
    let scene = scene();
    settings(&scene);
    engine(&scene, 5, 5, 5);
    scene.commit("All agree\n\nBench: 5");
    let all = ["check", "--variant", "all", "HEAD"];
    let answer = scene.guard(&all);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    let answer = scene.guard(&["bench", "--variant", "all"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("`emulated` gives the same"),
        "{}",
        answer.stdout
    );

    engine(&scene, 5, 6, 5);
    scene.commit("Debug differs\n\nBench: 5");
    let answer = scene.guard(&all);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    for words in ["variant differs", "`debug` gives 6", "the engine gives 5"] {
        assert!(answer.stdout.contains(words), "{words}: {}", answer.stdout);
    }
    assert!(!answer.stdout.contains("emulated"), "{}", answer.stdout);
    assert_eq!(scene.guard(&["check", "HEAD"]).code, Some(0));
    assert_eq!(
        scene
            .guard(&["check", "--variant", "emulated", "HEAD"])
            .code,
        Some(0)
    );
    let json = scene
        .guard(&["check", "--variant", "all", "HEAD", "--json"])
        .stdout;
    assert!(
        json.contains("\"name\": \"debug\",\n          \"bench\": 6"),
        "{json}"
    );
    assert_eq!(scene.guard(&["bench", "--variant", "debug"]).code, Some(1));

    engine(&scene, 5, 6, 7);
    scene.commit("Both differ\n\nBench: 5");
    let answer = scene.guard(&all);
    assert!(
        answer.stdout.contains("`emulated` gives 7"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_variant_that_does_not_build_differs_and_one_without_its_runner_is_no_answer() {
    let scene = scene();
    engine(&scene, 5, 5, 5);
    let text = std::fs::read_to_string(scene.root().join("whetstone.toml")).expect("settings");
    scene.write("whetstone.toml", &text.replace("'debug' }", "'broken' }"));
    scene.commit("One\n\nBench: 5");
    let answer = scene.guard(&["check", "--variant", "debug", "HEAD"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("`debug` does not build"),
        "{}",
        answer.stdout
    );
    let answer = scene.guard(&["check", "--variant", "emulated", "HEAD"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("../runner");
    let answer = scene.guard(&["check", "--variant", "gcc", "HEAD"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("debug, emulated");
}

#[test]
fn a_bench_that_depends_on_the_host_is_found_by_a_runner() {
    let scene = Scene::new();
    scene.write(
        "search.sh",
        "echo $(( $(hostname | wc -c) + 1000 )) nodes 1000 nps\n",
    );
    // A name that no host of ours is as long as.
    let name = "h".repeat(60);
    scene.write(
        "whetstone.toml",
        &format!(
            "[[bench-guard.variant]]\nname = 'host'\n\
             runner = ['unshare', '-r', '--uts', 'sh', '-c', 'hostname {name}; exec \"$@\"', '-']\n"
        ),
    );
    let may = std::process::Command::new("unshare")
        .args(["-r", "--uts", "true"])
        .status();
    if !may.is_ok_and(|status| status.success()) {
        // This system gives nobody a host name of their own.
        return;
    }
    scene.commit("Host");
    let answer = scene.guard(&["bench", "HEAD", "--variant", "host"]);
    assert_eq!(answer.code, Some(1), "{}{}", answer.stdout, answer.stderr);
    assert!(
        answer.stdout.contains("`host` gives 1061"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_bisection_by_variant_finds_where_it_parts_from_the_engine() {
    let scene = scene();
    for number in 1..=7 {
        // The bench of the engine moves all the time.
        engine(&scene, number, if number < 5 { number } else { 99 }, number);
        scene.commit(&format!("change {number}\n\nBench: {number}"));
    }
    let answer = scene.guard(&["bisect", "HEAD~6", "--variant", "debug"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert!(answer.stdout.contains("change 5"), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("`debug` gives 99"),
        "{}",
        answer.stdout
    );
    let answer = scene.guard(&["bisect", "HEAD~1", "--variant", "debug"]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("already differ");
}
