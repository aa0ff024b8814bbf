//! `ablate`: what each technique is worth, found by switching one at a time.
//!
//! A technique that is on is switched off, one that is off is switched on. For each, three figures
//! against the engine as it is set: nodes to a depth over the positions of the bench, solved
//! positions of a suite, and Elo by a match, each move with the same number of nodes.

mod duel;
mod report;
mod request;
mod suite;

use crate::bench;
use crate::search::job::Settings;
use crate::search::reductions::Reductions;
use crate::techniques::{SWITCHES, Switch};
use duel::Duel;
use report::{Report, Row};
use suite::Suite;

/// Prints a line per technique as soon as it is known; a JSON object at the end if asked for.
pub(crate) fn run(words: &[&str], settings: &Settings, print: impl Fn(&str)) -> Result<(), String> {
    let describe = |error| format!("ablate: {error}");
    let request = request::parse(words).map_err(describe)?;
    let suite = request
        .suite
        .map(Suite::read)
        .transpose()
        .map_err(describe)?;
    let mut report = Report::new(&request, suite.as_ref());
    print(&report.head());
    let base = Row {
        name: "as set".to_owned(),
        nodes: bench::run_all(settings, request.depth, |_| {}),
        solved: suite
            .as_ref()
            .map(|suite| suite.solved(settings, request.nodes)),
        duel: None,
    };
    print(&report.add(base));
    for switch in SWITCHES.iter().filter(|switch| request.wants(switch)) {
        let (name, changed) = switched(settings, switch).map_err(describe)?;
        let nodes = bench::run_all(&changed, request.depth, |_| {});
        let solved = suite
            .as_ref()
            .map(|suite| suite.solved(&changed, request.nodes));
        let duel = (request.games > 0)
            .then(|| Duel::play(settings, &changed, &request))
            .transpose()
            .map_err(describe)?;
        let row = Row {
            name,
            nodes,
            solved,
            duel,
        };
        print(&report.add(row));
    }
    if request.json {
        print(&report.json());
    }
    Ok(())
}

/// The settings with one technique off, or on if it is off.
fn switched(settings: &Settings, switch: &Switch) -> Result<(String, Settings), String> {
    let index = crate::params::Params::index(switch.param)
        .ok_or_else(|| format!("no parameter '{}'", switch.param))?;
    let mut changed = settings.clone();
    let is_off = settings.params.get(index) == switch.off;
    let (name, value) = if is_off {
        (format!("with {}", switch.name), 1)
    } else {
        (format!("no {}", switch.name), switch.off)
    };
    changed.params.set(index, value)?;
    changed.reductions = Reductions::new(&changed.params);
    Ok((name, changed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn lines(text: &str) -> Result<Vec<String>, String> {
        let lines = RefCell::new(Vec::new());
        let words: Vec<&str> = text.split_whitespace().collect();
        run(&words, &Settings::default(), |line| {
            lines.borrow_mut().push(line.to_owned());
        })?;
        Ok(lines.into_inner())
    }

    #[test]
    fn a_technique_is_measured_in_all_three_ways() {
        let path = std::env::temp_dir().join(format!("suite-{}.epd", std::process::id()));
        let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"mate\";\n";
        std::fs::write(&path, mate).unwrap();
        let request = format!(
            "depth 4 nodes 200 games 4 seed 3 suite {} json RfpEnable DfpEnable",
            path.display()
        );
        let first = lines(&request).unwrap();
        assert!(
            first[1].contains("as set") && first[1].contains("1/1"),
            "{first:?}"
        );
        assert!(
            first[2].contains("no reverse futility pruning"),
            "{first:?}"
        );
        assert!(first[3].contains("with deep futility"), "{first:?}");
        let json: serde_json::Value = serde_json::from_str(&first[4]).unwrap();
        let row = &json["rows"][1];
        let games = |name: &str| row[name].as_u64().unwrap();
        assert_eq!(games("wins") + games("losses") + games("draws"), 4);
        assert!(row["nodes"].as_u64() > json["rows"][0]["nodes"].as_u64());
        // Nothing depends on the clock.
        assert_eq!(lines(&request).unwrap(), first);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_request_that_cannot_be_met_is_told() {
        for (text, told) in [
            ("depth x", "depth: expected a number"),
            ("depth 0", "depth: expected a number"),
            ("games 3", "games: expected an even number"),
            ("suite /nowhere.epd", "/nowhere.epd"),
            ("frobnicate", "unknown argument 'frobnicate'"),
        ] {
            let error = lines(text).unwrap_err();
            assert!(
                error.starts_with("ablate: ") && error.contains(told),
                "{error}"
            );
        }
    }
}
