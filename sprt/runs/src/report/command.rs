//! Commands that are told to people: one that plays a run's match again, one that shows the run.

use std::path::Path;

use foundation::printer::When;
use foundation::process;

use crate::plan::{OnFault, Plan};
use crate::state_folder::runs;
use clap::ValueEnum;
use engine_client::Limit;
use referee::adjudication::{DrawRule, ResignRule};
use referee::openings::Order;

/// A command that plays the same match in a folder of its own.
pub fn again(plan: &Plan) -> String {
    let (test, play) = (&plan.test, &plan.play);
    let mut words = vec![
        "sprt".to_owned(),
        plan.base.source.clone(),
        plan.new.source.clone(),
    ];
    let mut flag = |name: &str, value: String| {
        // A value that may be left out, or that looks like a flag, stands behind an equals sign.
        if name.ends_with("ponder") || value.starts_with('-') {
            words.push(format!("--{name}={value}"));
        } else {
            words.extend([format!("--{name}"), value]);
        }
    };
    // A default that no engine plays under was never asked for.
    let is_used = [&plan.base, &plan.new]
        .iter()
        .any(|engine| engine.settings.limit.is_none());
    if is_used || play.limit != Limit::usual() {
        for (name, value) in play.limit.flags() {
            flag(name, value);
        }
    }
    let games = plan.max_pairs.map(|pairs| pairs * plan.games_of_a_pair());
    if plan.no_test {
        flag("games-per-opening", plan.games_per_opening.to_string());
        if let Some(games) = games {
            flag("games", games.to_string());
        }
    } else {
        flag("bounds", format!("{},{}", test.elo0, test.elo1));
        flag("alpha", test.alpha.to_string());
        flag("beta", test.beta.to_string());
        flag("model", test.model.name().to_owned());
        if let Some(games) = games {
            flag("max-games", games.to_string());
        }
    }
    if plan.on_fault != OnFault::default() {
        flag("on-fault", value_of(&plan.on_fault));
    }
    for (side, engine) in [("base", &plan.base), ("new", &plan.new)] {
        flag(&format!("{side}-name"), engine.name.clone());
        for (name, value) in engine.settings.flags() {
            flag(&format!("{side}-{name}"), value);
        }
    }
    if let Some(file) = &play.book.file {
        flag("book", file.display().to_string());
    }
    let reading = &play.book.reading;
    if reading.order != Order::Random {
        flag("book-order", value_of(&reading.order));
    }
    if let Some(plies) = reading.plies {
        flag("book-plies", plies.to_string());
    }
    if reading.start != 1 {
        flag("book-start", reading.start.to_string());
    }
    flag("seed", reading.seed.to_string());
    flag("concurrency", play.concurrency.to_string());
    let affinity = if play.own_processors {
        When::Always
    } else {
        When::Never
    };
    flag("affinity", value_of(&affinity));
    flag(
        "draw-adj",
        play.adjudication.draw.map_or("none".into(), draw),
    );
    flag(
        "resign-adj",
        play.adjudication.resign.map_or("none".into(), resign),
    );
    if let Some(moves) = play.adjudication.max_moves {
        flag("max-moves", moves.to_string());
    }
    if let Some(syzygy) = &play.syzygy
        && let Ok(folders) = std::env::join_paths(&syzygy.folders)
    {
        flag("syzygy", folders.to_string_lossy().into_owned());
        if let Some(pieces) = syzygy.pieces {
            flag("syzygy-pieces", pieces.to_string());
        }
    }
    flag("variant", play.variant.clone());
    flag("time-margin", play.time_margin_ms.to_string());
    if play.wait_ms > 0 {
        flag("wait", play.wait_ms.to_string());
    }
    flag("startup-timeout", play.startup_timeout_s.to_string());
    flag("move-timeout", play.move_timeout_s.to_string());
    for (name, value) in plan.pgn.flags() {
        flag(name, value);
    }
    if test.overshoot_correction && !plan.no_test {
        words.push("--correct-overshoot".to_owned());
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

fn value_of(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}

fn draw(rule: DrawRule) -> String {
    let DrawRule {
        movenumber,
        movecount,
        score,
    } = rule;
    format!("movenumber={movenumber},movecount={movecount},score={score}")
}

fn resign(rule: ResignRule) -> String {
    let ResignRule {
        movecount,
        score,
        twosided,
    } = rule;
    format!("movecount={movecount},score={score},twosided={twosided}")
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
    format!("sprt serve {}", quoted(&name))
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.,/+=:".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        process::quoted(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--tc"), "--tc");
        assert_eq!(quoted("Move Overhead=5"), "'Move Overhead=5'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }

    #[test]
    fn the_hint_names_a_kept_run_by_name_and_others_by_path() {
        let elsewhere = to_serve(Path::new("run 1"));
        assert!(elsewhere.starts_with("sprt serve '/") && elsewhere.ends_with("/run 1'"));
        let kept = runs().expect("a state folder").join("a-vs-b");
        assert_eq!(to_serve(&kept), "sprt serve a-vs-b");
    }
}
