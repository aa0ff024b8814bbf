//! The file of the ladder and the page about it name the same rungs.

use std::collections::HashSet;

#[test]
fn every_rung_of_the_file_has_a_line_on_the_page() {
    let file: toml::Table = include_str!("../../ladder.toml").parse().unwrap();
    let engines: Vec<&str> = file["engine"]
        .as_array()
        .unwrap()
        .iter()
        .map(|engine| engine["name"].as_str().unwrap())
        .collect();
    assert_eq!(engines[0], "Whetstone", "the one that plays all others");
    // "Stash | v35.26" of the table is "Stash v35.26".
    let lines: HashSet<String> = include_str!("../../docs/ladder.md")
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            let (name, version) = (cells.next()?, cells.next()?);
            Some([name.to_owned(), format!("{name} {version}")])
        })
        .flatten()
        .collect();
    assert!(engines.len() > 5);
    for rung in &engines[1..] {
        assert!(lines.contains(*rung), "{rung}: not in {lines:?}");
    }
}
