//! What the digest of build inputs covers.

use crate::scene::{BLOCK, Scene, script};
use bench_guard::{
    proof::{Proof, Source, inputs},
    settings::Settings,
};
use stats::{Model, Test};

/// The digest of a revision by the settings of the working tree.
fn digest(scene: &Scene, revision: &str) -> String {
    let settings = Settings::find(&scene.root()).expect("settings");
    let repository = settings.repository(&scene.root()).expect("a repository");
    let revision = repository.resolve(revision).expect("a revision");
    let build = settings.build_settings(1);
    inputs(&repository, &revision, &settings, &build).expect("a digest")
}

#[test]
fn documents_change_nothing_and_sources_do() {
    let scene = Scene::new();
    scene.engine(100, "first");
    scene.commit("First\n\nBench: 100");
    let first = digest(&scene, "HEAD");
    scene.write("README.md", "about it");
    scene.write("src/AUTHORS", "A");
    scene.commit("About it");
    assert_eq!(digest(&scene, "HEAD"), first);
    scene.engine(100, "second");
    let second = digest(&scene, ".");
    assert_ne!(second, first);
    scene.commit("Second\n\nBench: 100");
    assert_eq!(digest(&scene, "HEAD"), second, "committed as it was tested");
    scene.git(&["mv", "search.sh", "moved.sh"]);
    assert_ne!(digest(&scene, "."), second);
    scene.git(&["mv", "moved.sh", "search.sh"]);
    script(
        &scene.root().join("search.sh"),
        "# second\necho '100 nodes 1000 nps'\n",
    );
    assert_ne!(digest(&scene, "."), second, "its mode");
    // What git packs for a worker hangs on attributes, whatever `ignore` says.
    scene.write(".gitattributes", "search.sh export-ignore\n");
    assert_ne!(digest(&scene, "."), digest(&scene, "HEAD"));
}

#[test]
fn another_way_to_build_is_another_input() {
    let scene = Scene::new();
    scene.engine(100, "first");
    scene.commit("First\n\nBench: 100");
    let before = digest(&scene, "HEAD");
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nbuild = 'make EXE={exe} ARCH=native'\n",
    );
    assert_ne!(digest(&scene, "HEAD"), before);
}

#[test]
fn a_file_of_settings_that_the_user_ignores_is_no_input() {
    let scene = Scene::started();
    let with = |ignore: &str| {
        let settings = format!("[bench-guard]\nignore = [{ignore}'*.txt']\n");
        scene.write("whetstone.toml", &settings);
        scene.commit("Settings");
        let before = digest(&scene, "HEAD");
        scene.write("whetstone.toml", &format!("# reworded\n{settings}"));
        scene.commit("Reword");
        (before, digest(&scene, "HEAD"))
    };
    let (before, after) = with("'whetstone.toml', ");
    assert_eq!(before, after);
    let (before, after) = with("");
    assert_ne!(before, after);
}

#[test]
fn each_proof_between_is_judged_once() {
    let scene = Scene::started();
    let base = digest(&scene, "HEAD");
    // Each is compared with the first, across all between.
    for number in 0..40 {
        scene.engine(100, &format!("gain {number}"));
        let proof = Proof {
            source: Source::Run {
                book: "b".repeat(64),
                seed: 42,
                journal: "c".repeat(64),
                games: "d".repeat(64),
            },
            engine: None,
            new: digest(&scene, "."),
            base: base.clone(),
            limit: "8.0+0.08s".to_owned(),
            options: vec![("Hash".to_owned(), "32".to_owned())],
            test: Test::new(0.0, 5.0, 0.05, 0.1, Model::Normalized).expect("a test"),
            penta: [28, 858, 1839, 983, 33],
        };
        scene.commit(&format!("Gain {number}\n\n{BLOCK}\n\n{proof}\nBench: 100"));
    }
    let answer = scene.guard(&["check", "HEAD", "--no-build", "--require", "run"]);
    let said = format!("{}{}", answer.stdout, answer.stderr);
    // All show the same test here, so that only the first is not another one's.
    assert!(said.contains("which is another change"), "{said}");
    assert!(!said.contains("neither proved nor"), "{said}");
}
