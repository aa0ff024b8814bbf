//! Networks of other people, as OpenBench workers hand them over: embedded by `make EVALFILE=`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use engine::bench;
use engine::network::{HIDDEN, INPUTS, KingBuckets, Network, NetworkFile, OUTPUTS};
use engine::search::job::Settings;

const DEPTH: i32 = 3;

/// A network that counts material, which is worth more to a king that has left its first rank. Of
/// any size it has the same output.
fn network(hidden: usize) -> NetworkFile {
    let layout = "0000/1111/1111/1111/1111/1111/1111/1111";
    let king_buckets: KingBuckets = layout.parse().unwrap();
    let weights = (0..king_buckets.count() * INPUTS).flat_map(|input| {
        let (bucket, input) = (input / INPUTS, input % INPUTS);
        let piece = (input / 64 % 6) as i16;
        let weight = if input < INPUTS / 2 {
            (3 + bucket as i16) * piece
        } else {
            0
        };
        (0..hidden).map(move |_| weight)
    });
    let weight = (64 * HIDDEN / hidden) as i16;
    NetworkFile {
        hidden,
        king_buckets,
        scale: 400,
        hidden_weights: weights.collect(),
        hidden_biases: vec![0; hidden],
        output_weights: [weight, -weight]
            .map(|weight| vec![weight; hidden])
            .concat()
            .repeat(OUTPUTS),
        output_biases: vec![0; OUTPUTS],
    }
}

/// Calls `make` as a worker does, with a name for the network that is relative to the folder. Only
/// the optimisations are left out.
fn make(folder: &Path, network: &str) -> Output {
    Command::new("make")
        .args(["EXE=engine", &format!("EVALFILE={network}")])
        .arg(format!("FOLDER={}", folder.display()))
        .arg("--directory")
        .arg(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_PROFILE_ENGINE_LTO", "off")
        .env("CARGO_PROFILE_ENGINE_CODEGEN_UNITS", "16")
        // Of a flag that comes twice the last counts, and cargo's own, which differ by package, come first.
        .env("RUSTFLAGS", "-C opt-level=0")
        .env_remove("MAKEFLAGS")
        .output()
        .unwrap()
}

fn run(engine: &Path, commands: &[&str]) -> String {
    let output = Command::new(engine).args(commands).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("network_file");
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn make_builds_for_the_size_of_the_network_and_refuses_one_that_no_engine_computes() {
    let folder = folder();
    let engine = folder.join("engine");
    let _ = fs::remove_file(&engine);
    let half = HIDDEN / 2;
    let other = network(HIDDEN).to_bytes();
    fs::write(folder.join("half.bin"), network(half).to_bytes()).unwrap();
    fs::write(folder.join("other.bin"), &other).unwrap();
    fs::write(folder.join("odd.bin"), network(100).to_bytes()).unwrap();

    for (network, told) in [
        ("odd.bin", "a multiple of 64, got 100"),
        ("missing.bin", "os error 2"),
    ] {
        let output = make(&folder, network);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{errors}");
        assert!(
            errors.contains("EVALFILE: ") && errors.contains(network) && errors.contains(told),
            "{errors}"
        );
        assert!(!engine.exists());
    }

    let output = make(&folder, "half.bin");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let settings = |network| Settings {
        network: Some(network),
        ..Settings::default()
    };
    let network = Network::from_bytes(&other).unwrap();
    let nodes = bench::run_all(&settings(Arc::new(network)), DEPTH, |_| {});
    assert_ne!(nodes, bench::run_all(&Settings::default(), DEPTH, |_| {}));
    let depth = DEPTH.to_string();
    let output = run(&engine, &[&format!("bench {depth}")]);
    let total = output.lines().last().unwrap_or_default();
    assert!(total.starts_with(&format!("{nodes} nodes ")), "{total}");

    // At run time, one of another size is refused.
    let path = folder.join("other.bin");
    let told = format!("expected a hidden layer of {half}");
    let option = format!("setoption name EvalFile value {}", path.display());
    let output = run(&engine, &[&option, &format!("bench {depth}")]);
    assert!(
        output.contains("other.bin: ") && output.contains(&told),
        "{output}"
    );
    let total = output.lines().last().unwrap_or_default();
    assert!(total.starts_with(&format!("{nodes} nodes ")), "{total}");
}
