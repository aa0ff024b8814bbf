//! `docs/ARCHITECTURE.md` describes the crates as Cargo has them: their names and folders, what
//! each uses, and that each stands on a floor above everything that it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// For each crate, its folder and the crates of the workspace that it uses.
type Crates = BTreeMap<String, (String, BTreeSet<String>)>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn toml(file: &Path) -> toml::Table {
    let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    text.parse().expect("TOML")
}

/// As the manifests have them.
fn crates() -> Crates {
    let workspace = toml(&root().join("Cargo.toml"));
    let members = workspace["workspace"]["members"].as_array();
    let members = members
        .expect("members")
        .iter()
        .filter_map(|it| it.as_str());
    let manifests: BTreeMap<&str, toml::Table> = members
        .map(|member| (member, toml(&root().join(member).join("Cargo.toml"))))
        .collect();
    let name = |manifest: &toml::Table| manifest["package"]["name"].as_str().map(str::to_owned);
    let names: BTreeSet<String> = manifests.values().filter_map(name).collect();
    let named = manifests.iter().map(|(member, manifest)| {
        let uses = manifest.get("dependencies").and_then(toml::Value::as_table);
        let uses = uses.into_iter().flat_map(toml::Table::keys);
        let uses = uses.filter(|used| names.contains(*used)).cloned();
        let name = name(manifest).expect("a name");
        (name, ((*member).to_owned(), uses.collect()))
    });
    named.collect()
}

fn page() -> String {
    fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("a page")
}

/// As the table has them: name, folder, uses, and what it owns.
fn table(page: &str) -> Crates {
    let quoted = |cell: &str| {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<Vec<String>> = row.split('|').skip(1).take(3).map(quoted).collect();
        let [name, folder, uses] = &cells[..] else {
            panic!("expected a crate, its folder and its uses, got {row}");
        };
        let uses = uses.iter().cloned().collect();
        (name.concat(), (folder.concat(), uses))
    })
    .collect()
}

/// The floor of each crate in the drawing.
fn floors(page: &str) -> BTreeMap<String, u32> {
    page.lines()
        .filter_map(|line| line.strip_prefix("floor "))
        .flat_map(|line| {
            let mut words = line.split_whitespace();
            let floor = words.next().and_then(|word| word.parse().ok());
            let floor: u32 = floor.unwrap_or_else(|| panic!("expected a number in {line}"));
            words.map(move |name| (name.to_owned(), floor))
        })
        .collect()
}

#[test]
fn the_table_of_crates_is_what_cargo_has() {
    assert_eq!(table(&page()), crates());
}

#[test]
fn a_crate_stands_above_all_that_it_uses() {
    let (crates, floors) = (crates(), floors(&page()));
    assert!(crates.keys().eq(floors.keys()), "{floors:?}");
    for (name, (_, uses)) in &crates {
        for used in uses {
            assert!(floors[name] > floors[used], "{name} uses {used}");
        }
    }
}
