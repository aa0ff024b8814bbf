//! What the digest of build inputs covers.

use crate::scene::{Scene, script};
use bench_guard::{proof::inputs, settings::Settings};

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
