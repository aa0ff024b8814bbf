//! What only Linux has is behind one module, `foundation::platform`: no other source names a call or a file of Linux, or
//! asks which system this is. Tests may, at the end of a file or in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};

/// It stands alone, so that OpenBench workers can build it without the tools.
const ENGINE: &str = "engine/src/memory.rs";

const MODULE: &str = "bench-guard/foundation/src/platform";

/// Parts of names. A call that only Linux has does not compile elsewhere without `target_os` before it.
const LINUX_ONLY: [&str; 10] = [
    "target_os",
    "/proc/",
    "\"/proc",
    "/sys/devices",
    "prctl",
    "sched_",
    "sys::timer",
    "libc::SYS_",
    "pidfd",
    "F_SETPIPE_SZ",
];

/// The lines of a file that name one of those; comments and the tests at the end do not count.
fn found(text: &str) -> Vec<String> {
    let code = text.lines().take_while(|line| {
        !line.starts_with("#[cfg(test)]") && !line.starts_with("#[cfg(all(test")
    });
    code.filter(|line| !line.trim_start().starts_with("//"))
        .filter(|line| LINUX_ONLY.iter().any(|name| line.contains(name)))
        .map(|line| line.trim().to_owned())
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn only_one_module_names_what_only_linux_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let members = manifest["workspace"]["members"]
        .as_array()
        .expect("members");
    let members = members.iter().filter_map(toml::Value::as_str);
    let mut elsewhere = Vec::new();
    let mut in_module = 0;
    for file in members.flat_map(|member| sources(&root.join(member).join("src"))) {
        let name = file.strip_prefix(&root).expect("below it").display();
        let name = name.to_string();
        let lines = found(&fs::read_to_string(&file).expect("a text"));
        if name.starts_with(MODULE) {
            in_module += lines.len();
        } else if name != ENGINE {
            elsewhere.extend(lines.iter().map(|line| format!("{name}: {line}")));
        }
    }
    assert!(in_module > 0, "{MODULE} is elsewhere now");
    assert!(
        elsewhere.is_empty(),
        "these belong in {MODULE}, with what other systems do instead:\n{}",
        elsewhere.join("\n")
    );
}

#[test]
fn files_and_calls_of_linux_are_found_except_in_comments_and_tests() {
    for line in [
        "    let text = fs::read_to_string(\"/proc/stat\");",
        "    #[cfg(target_os = \"linux\")]",
        "    let _ = nix::sys::prctl::set_dumpable(false);",
        "    read_dir(\"/proc\")",
    ] {
        assert_eq!(found(line), [line.trim()]);
    }
    for line in [
        "    // Not in /proc/stat.",
        "#[cfg(test)]\nmod tests { const X: &str = \"/proc/stat\"; }",
        "use nix::unistd::read;",
    ] {
        assert!(found(line).is_empty(), "{line}");
    }
}
