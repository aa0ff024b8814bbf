//! Engines that do not search the same the second time.

use crate::scene::{Finished, Scene};

/// An engine whose nodes are what `nodes` computes: from `searches`, the searches since the start,
/// and `games`, those of this game.
fn engine(scene: &Scene, nodes: &str, bench: &str) {
    scene.write(
        "search.sh",
        &format!(
            r#"searches=0; games=0; hash=16
bench() {{ {bench}; }}
[ "$1" = bench ] && {{ bench; exit; }}
while read -r word rest; do
  case "$word" in
    uci) echo "option name Hash type spin default 16 min 1 max 1024"; echo uciok;;
    setoption) hash=${{rest##* }};;
    ucinewgame) games=0;;
    isready) echo readyok;;
    bench) bench;;
    quit) exit;;
    go) searches=$((searches+1)); games=$((games+1))
        echo "info depth 5 score cp $games nodes $(({nodes})) pv a2a3"
        echo "bestmove a2a3";;
  esac
done
"#
        ),
    );
}

const BENCH: &str = "echo 100 nodes 1000 nps";

fn check(scene: &Scene) -> (Option<i32>, String) {
    scene.commit("Change\n\nBench: 100");
    assert_eq!(
        scene.guard(&["check", "HEAD"]).code,
        Some(0),
        "without --repro"
    );
    let done = scene.guard(&["check", "--repro", "HEAD"]);
    (done.code, format!("{}{}", done.stdout, done.stderr))
}

#[test]
fn an_engine_that_repeats_itself_is_right() {
    let scene = Scene::new();
    engine(&scene, "games * 100", BENCH);
    let (code, said) = check(&scene);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn an_engine_that_searches_again_gets_no_secret() {
    // A name of a secret stays out even if the settings let it through.
    for (secret, settings) in [
        ("DEPLOY_KEY", ""),
        (
            "DEPLOY_TOKEN",
            "[bench-guard]\nenvironment = ['DEPLOY_*']\n",
        ),
    ] {
        let scene = Scene::new();
        scene.write("whetstone.toml", settings);
        // Whoever knows the secret leaves it behind, and searches differently in each process.
        let seen = scene.beside("seen");
        let bench = format!("echo \"<${secret}>\" >> '{}'; {BENCH}", seen.display());
        let nodes = format!("games * 100${{{secret}:+ + $$}}");
        engine(&scene, &nodes, &bench);
        scene.commit("Change\n\nBench: 100");
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["check", "--repro", "HEAD"])
            .env(secret, "open sesame")
            .current_dir(scene.root())
            .output();
        let done = Finished::from(&output.expect("bench-guard starts"));
        assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
        let seen = std::fs::read_to_string(seen).expect("benched");
        // In the surroundings that are made, too.
        assert!(
            seen.lines().count() > 2 && seen.lines().all(|line| line == "<>"),
            "{seen}"
        );
    }
}

#[test]
fn each_way_of_not_repeating_is_reported() {
    for (nodes, bench, words) in [
        // A history that no new game clears.
        (
            "searches * 100",
            BENCH,
            "search 1 of 6 differs after `ucinewgame`",
        ),
        ("$$ + games", BENCH, "differs in another process"),
        // A bench that leaves something.
        (
            "100 + benched",
            "benched=1; echo 100 nodes 1000 nps",
            "differs after a bench in the same process",
        ),
        (
            "100",
            "benched=$((benched+1)); echo $((99+benched)) nodes 1000 nps",
            "two benches in one process are 100 and 101",
        ),
        (
            "100",
            "kept=$kept$(head -c 12000000 /dev/zero | tr '\\0' a); echo 100 nodes 1000 nps",
            "MiB in memory",
        ),
    ] {
        let scene = Scene::new();
        engine(&scene, nodes, bench);
        let (code, said) = check(&scene);
        assert_eq!(code, Some(1), "{words}: {said}");
        assert!(
            said.contains("non-deterministic") && said.contains(words),
            "{words}: {said}"
        );
    }
}

#[test]
fn an_engine_that_keeps_no_nodes_is_searched_to_a_depth() {
    let without_nodes = |scene: &Scene, nodes: &str, depths: &str| {
        engine(scene, nodes, BENCH);
        let path = scene.root().join("search.sh");
        let text = std::fs::read_to_string(&path).expect("a source");
        let told = "games=$((games+1))\n";
        let depth = format!(
            "{told}        case \"$rest\" in {depths}) ;; *) echo 'info depth 30 score cp 1 nodes 9000000'; echo 'bestmove a2a3'; continue;; esac\n"
        );
        assert!(text.contains(told));
        std::fs::write(path, text.replace(told, &depth)).expect("a source");
    };
    let scene = Scene::new();
    without_nodes(&scene, "games * 100", "depth*");
    let (code, said) = check(&scene);
    assert_eq!(code, Some(0), "{said}");
    without_nodes(&scene, "searches * 100", "depth*");
    let (code, said) = check(&scene);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("differs after `ucinewgame`"), "{said}");
    // Whoever keeps neither cannot be asked.
    without_nodes(&scene, "games * 100", "none");
    let (code, said) = check(&scene);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("neither `go nodes 20000` nor"), "{said}");
}

/// A bench that is another where this command prints something else.
fn bench_by(word: &str, usual: &str) -> String {
    format!("[ \"$({word})\" = '{usual}' ] && echo 100 nodes 1000 nps || echo 666 nodes 1000 nps")
}

#[test]
fn a_bench_that_depends_on_its_surroundings_is_reported() {
    let said_by = |command: &str| {
        let output = std::process::Command::new("sh")
            .args(["-c", command])
            .output();
        let output = output.expect("a shell");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    for (word, starter, place) in [
        ("hostname", "unshare --map-root-user --uts", "another name"),
        ("date +%Y", "faketime 2035-01-01", "in the year 2035"),
        ("nproc", "taskset --cpu-list 0", "single processor"),
    ] {
        // Some machines lack the tools for such surroundings, or have one processor only.
        if said_by(&format!("{starter} true && echo there")) != "there" || said_by(word) == "1" {
            continue;
        }
        let scene = Scene::new();
        engine(&scene, "games * 100", &bench_by(word, &said_by(word)));
        let (code, said) = check(&scene);
        assert_eq!(code, Some(1), "{word}: {said}");
        assert!(
            said.contains(place) && said.contains("666 instead of 100"),
            "{said}"
        );
    }
}

#[test]
fn hash_sizes_matter_where_they_are_said_not_to() {
    let scene = Scene::new();
    engine(&scene, "hash * 100", BENCH);
    let (code, said) = check(&scene);
    assert_eq!(code, Some(0), "{said}");
    scene.write("whetstone.toml", "[bench-guard]\nhash-sizes = [16, 64]\n");
    let (code, said) = check(&scene);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("differs with Hash 64") && !said.contains("Hash 16"),
        "{said}"
    );
}

#[test]
fn an_engine_that_dies_in_its_second_game_has_no_good_bench() {
    let scene = Scene::new();
    engine(&scene, "100 / (searches < 8)", BENCH);
    let (code, said) = check(&scene);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("failed when it searched again"), "{said}");
}
