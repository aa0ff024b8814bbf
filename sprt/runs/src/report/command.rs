//! Commands that messages suggest: one that plays a run's match again, one that shows the run.

use std::path::Path;

use foundation::process::word;

use crate::plan::project_file::SIDES;
use crate::plan::{Contender, Plan};
use crate::state_folder::runs;
use engine_client::Limit;

/// A command that plays the same match in a folder of its own.
pub fn again(plan: &Plan) -> String {
    let mut words = vec![
        "sprt".to_owned(),
        same_engine(&plan.base),
        same_engine(&plan.new),
    ];
    let mut flag = |name: &str, value: String| {
        // A value that may be left out, or that looks like a flag, stands behind an equals sign.
        if value.is_empty() {
            words.push(format!("--{name}"));
        } else if value == "true" || value.starts_with('-') {
            words.push(format!("--{name}={value}"));
        } else {
            words.extend([format!("--{name}"), value]);
        }
    };
    // A default that no engine plays under was never asked for.
    let limit = &plan.play.limit;
    let is_used = [&plan.base, &plan.new]
        .iter()
        .any(|engine| engine.settings.limit.is_none());
    if is_used || *limit != Limit::usual() {
        for (name, value) in limit.flags() {
            flag(name, value);
        }
    }
    for (name, value) in plan.test_flags() {
        flag(name, value);
    }
    for (side, engine) in SIDES.into_iter().zip([&plan.base, &plan.new]) {
        flag(&format!("{side}-name"), engine.name.clone());
        for (name, value) in engine.settings.flags() {
            flag(&format!("{side}-{name}"), value);
        }
    }
    for (name, value) in plan.play.flags().into_iter().chain(plan.pgn.flags()) {
        flag(name, value);
    }
    let words: Vec<String> = words.iter().map(|text| word(text)).collect();
    words.join(" ")
}

/// A word that means the engine of a plan later, and in another folder; a working tree has only the
/// name that it was given.
fn same_engine(engine: &Contender) -> String {
    match (&engine.commit, &engine.inputs) {
        (Some(commit), _) => match engine.source.split_once(':') {
            Some((_, folder)) => format!("{commit}:{folder}"),
            None => commit.clone(),
        },
        (None, Some(_)) => engine.source.clone(),
        (None, None) => engine.command.display().to_string(),
    }
}

/// A command that shows this run in a browser, from whatever folder it is given.
pub fn to_serve(run: &Path) -> String {
    let absolute = std::path::absolute(run).unwrap_or_else(|_| run.to_owned());
    let is_kept = runs().is_ok_and(|runs| absolute.parent() == Some(&runs));
    let name = absolute.file_name().filter(|_| is_kept);
    let name = name.map_or_else(
        || absolute.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    format!("sprt serve {}", word(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_names_a_kept_run_by_name_and_others_by_path() {
        let elsewhere = to_serve(Path::new("run 1"));
        assert!(elsewhere.starts_with("sprt serve '/") && elsewhere.ends_with("/run 1'"));
        let kept = runs().expect("a state folder").join("a-vs-b");
        assert_eq!(to_serve(&kept), "sprt serve a-vs-b");
    }
}
