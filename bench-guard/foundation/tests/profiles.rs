//! Settings of one package in a profile make cargo forget the profile's `strip` for the programs of that package, so they must
//! repeat it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// The `strip` of a profile, its own or inherited.
fn strip<'a>(profiles: &'a Value, name: &str) -> Option<&'a Value> {
    let profile = profiles.get(name)?;
    let inherited = || strip(profiles, profile.get("inherits")?.as_str()?);
    profile.get("strip").or_else(inherited)
}

/// `profile.package` of each entry for a package with programs that does not repeat its profile's `strip`.
fn forgetful(manifest: &Table, with_programs: &BTreeSet<String>) -> Vec<String> {
    let Some(profiles) = manifest.get("profile") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (name, profile) in profiles.as_table().into_iter().flatten() {
        let Some(strip) = strip(profiles, name) else {
            continue;
        };
        let packages = profile.get("package").and_then(Value::as_table);
        for (package, setting) in packages.into_iter().flatten() {
            if with_programs.contains(package) && setting.get("strip") != Some(strip) {
                found.push(format!("{name}.{package}"));
            }
        }
    }
    found
}

#[test]
fn a_setting_of_a_package_with_a_program_repeats_what_its_profile_strips() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &Path| -> Table {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("a manifest");
        text.parse().expect("TOML")
    };
    let manifest = read(&root);
    let members = manifest["workspace"]["members"].as_array();
    let members = members.expect("members").iter().filter_map(Value::as_str);
    let with_programs: BTreeSet<String> = members
        .map(|member| (root.join(member), read(&root.join(member))))
        .filter(|(folder, package)| {
            folder.join("src/main.rs").exists() || package.contains_key("bin")
        })
        .filter_map(|(_, package)| Some(package["package"]["name"].as_str()?.to_owned()))
        .collect();
    assert!(with_programs.contains("sprt"), "{with_programs:?}");
    let found = forgetful(&manifest, &with_programs);
    assert!(
        found.is_empty(),
        "repeat `strip` of the profile in: {found:?}"
    );
}

#[test]
fn a_profile_that_strips_by_inheritance_is_seen() {
    let manifest: Table = "\
        [profile.release]\nstrip = \"symbols\"\n\
        [profile.release.package.one]\nopt-level = 3\n\
        [profile.release.package.two]\nopt-level = 3\nstrip = \"symbols\"\n\
        [profile.release.package.library]\nopt-level = 3\n\
        [profile.engine]\ninherits = \"release\"\n\
        [profile.engine.package.two]\nopt-level = 3\n\
        [profile.dev.package.one]\nopt-level = 3\n"
        .parse()
        .expect("TOML");
    let programs = ["one", "two"].map(str::to_owned).into();
    assert_eq!(
        forgetful(&manifest, &programs),
        ["engine.two", "release.one"]
    );
}
