//! Which of two builds is faster: verdicts by a `perf` that counts what the test says, and CPU time
//! where the difference is large.

use crate::scene::{Finished, Scene, script};

/// An engine whose instructions `perf` takes from its last line.
fn engine(scene: &Scene, name: &str, nodes: u64, instructions: u64, work: u64) -> String {
    let path = scene.beside(name);
    script(
        &path,
        &format!(
            "#!/bin/sh\ni=0; while [ $i -lt {work} ]; do i=$((i+1)); done\necho '{nodes} nodes 1000 nps'\n# {instructions}\n"
        ),
    );
    path.display().to_string()
}

/// Runs `nps` with a `perf` of our own.
fn nps(scene: &Scene, arguments: &[&str]) -> Finished {
    let perf = scene.beside("bin/perf");
    std::fs::create_dir_all(scene.beside("bin")).expect("a folder");
    script(
        &perf,
        "#!/bin/sh\n[ \"$1 $2 $3 $4 $5\" = 'stat -x, -e instructions:u -o' ] || exit 9\nout=$6; shift 7\n\
         echo \"$(tail -n1 \"$1\" | tr -d '# '),,instructions:u,1,100.00,,\" > $out\nexec \"$@\"\n",
    );
    let path = std::env::var("PATH").expect("a PATH");
    let bin = scene.beside("bin").display().to_string();
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args([&["nps"], arguments].concat())
        .env("PATH", format!("{bin}:{path}"))
        .current_dir(scene.root())
        .output()
        .expect("bench-guard starts");
    Finished::from(&output)
}

#[test]
fn a_project_file_that_cannot_be_read_is_an_error() {
    let scene = Scene::new();
    let base = engine(&scene, "base", 1000, 2_000_000, 1);
    scene.write("whetstone.toml", "[bench-guard]\nbanch = [\"bench\"]\n");
    let done = nps(&scene, &[&base, &base, "--instructions", "--rounds", "2"]);
    assert_eq!(done.code, Some(2), "{}", done.stdout);
    done.says("banch");
}

#[test]
fn instructions_decide_whether_a_build_is_faster() {
    let scene = Scene::new();
    let base = engine(&scene, "base", 1000, 2_000_000, 1);
    let faster = engine(&scene, "faster", 1000, 1_900_000, 2);
    let counted = ["--instructions", "--rounds", "3"];
    for (sides, more, code, words) in [
        ([&base, &faster], &[][..], 0, "new is +5.26%"),
        ([&faster, &base], &[], 1, "not faster"),
        ([&base, &base], &[], 4, "undecided"),
        ([&base, &faster], &["--gain", "4"], 0, "faster by 4%"),
        ([&base, &faster], &["--gain", "6"], 1, "not faster by 6%"),
    ] {
        let sides = sides.map(String::as_str);
        let done = nps(&scene, &[&sides, more, &counted].concat());
        assert_eq!(done.code, Some(code), "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(words), "{words}: {}", done.stdout);
    }
    let done = nps(
        &scene,
        &[&base, &faster, "--instructions", "--rounds", "2", "--json"],
    );
    assert!(
        done.stdout.contains("\"claim\": \"holds\""),
        "{}",
        done.stdout
    );
    let other = engine(&scene, "other", 900, 1_000_000, 3);
    let done = nps(&scene, &[&base, &other, "--instructions", "--rounds", "2"]);
    done.says("1000 and 900");
}

#[test]
fn cpu_time_tells_ten_times_the_work() {
    let scene = Scene::new();
    let slow = engine(&scene, "slow", 1000, 0, 100_000);
    let fast = engine(&scene, "fast", 1000, 0, 10_000);
    let done = nps(&scene, &[&slow, &fast, "--gain", "100", "--rounds", "6"]);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    let done = nps(&scene, &[&fast, &slow, "--rounds", "6"]);
    assert_eq!(done.code, Some(1), "{}{}", done.stdout, done.stderr);
}

#[test]
fn without_a_perf_that_counts_there_is_no_answer() {
    let scene = Scene::new();
    let base = engine(&scene, "base", 1000, 1, 1);
    std::fs::create_dir_all(scene.beside("refused")).expect("a folder");
    let refuses = "#!/bin/sh\necho 'Access to performance monitoring is limited' >&2\nexit 255\n";
    script(&scene.beside("refused/perf"), refuses);
    for (folder, words) in [
        ("nowhere", "No such file"),
        ("refused", "monitoring is limited"),
    ] {
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["nps", &base, &base, "--instructions", "--rounds", "2"])
            .env("PATH", scene.beside(folder))
            .current_dir(scene.root())
            .output()
            .expect("bench-guard starts");
        let done = Finished::from(&output);
        assert_eq!(done.code, Some(2), "{}{}", done.stdout, done.stderr);
        done.says("needs `perf`");
        done.says(words);
    }
}
