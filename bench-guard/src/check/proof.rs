//! Whether a message proves what it claims: by blocks of results whose tests passed, with every
//! figure recomputed.
//!
//! A block proves nothing if a figure contradicts its own counts, if its limits or bounds are not
//! allowed by the project, if its test did not pass, or if it has too few games.

mod conditions;
mod unread;

use stats::{
    block::{PrintedBlock, PrintedFaults, PrintedGames, PrintedLlr, find_blocks},
    verify::{self, Given},
};

use super::quoted::without_quotes;
use crate::settings::ProofSettings;

/// Why the message proves nothing; `None` where each test in it is sound and passed, and there is
/// one.
pub(crate) fn missing(message: &str, settings: &ProofSettings) -> Option<String> {
    let message = without_quotes(message);
    let blocks = match find_blocks(&message) {
        Ok(blocks) => blocks,
        Err(failure) => return Some(failure.message().to_owned()),
    };
    if !blocks.iter().any(|block| block.llr.is_some()) {
        return Some(
            "the message has no OpenBench block of a sequential test, quotes left out".to_owned(),
        );
    }
    let mut problems = unread::reasons(&message);
    let reasons = blocks.iter().flat_map(|block| {
        let reasons = reasons(block, settings).into_iter();
        reasons.map(|reason| format!("the block in line {}: {reason}", block.line))
    });
    problems.extend(reasons);
    (!problems.is_empty()).then(|| problems.join("; "))
}

fn reasons(block: &PrintedBlock, settings: &ProofSettings) -> Vec<String> {
    let given = Given {
        older: true,
        ..Given::default()
    };
    let checked = match verify::check(block, given) {
        Ok(checked) => checked,
        Err(failure) => return vec![failure.message().to_owned()],
    };
    let mut reasons: Vec<String> = checked
        .figures
        .iter()
        .filter(|figure| !figure.agrees)
        .map(|figure| {
            let (name, found) = (figure.name, &figure.found);
            format!("{name} is {found}, recomputed it is {}", figure.recomputed)
        })
        .collect();
    let Some(llr) = &block.llr else {
        return reasons;
    };
    if block.sequential == Some(false) {
        reasons.push("`Conf` labels it as a match of fixed length, which is no test".to_owned());
    }
    match (block.games, block.penta) {
        (Some(games), Some(_)) if games.number < settings.min_games => reasons.push(format!(
            "{} games are fewer than {}",
            games.number, settings.min_games
        )),
        (Some(games), Some(_)) if games.number > settings.max_games => reasons.push(format!(
            "{} games are more than {}",
            games.number, settings.max_games
        )),
        (Some(games), Some(_)) => reasons.extend(many_faults(block.faults, games, settings)),
        (None, _) => reasons.push("it has no `Games` line".to_owned()),
        (_, None) => reasons.push("it has no `Penta` line to recompute the LLR from".to_owned()),
    }
    for (name, found, most) in [
        ("alpha", checked.alpha, settings.alpha),
        ("beta", checked.beta, settings.beta),
    ] {
        if let Some(found) = found.filter(|found| *found > most) {
            reasons.push(format!(
                "its limits ({:.2}, {:.2}) are those of {name} = {found}, at most {most} is allowed",
                llr.lower.value, llr.upper.value
            ));
        }
    }
    reasons.extend(conditions::reasons(block.settings.as_deref(), settings));
    reasons.extend(unusual_bounds(llr, settings));
    // What is printed may be rounded up.
    let figures = checked.summary.and_then(|it| Some((it.llr?, it.upper?)));
    match figures {
        Some((llr, upper)) if llr < upper => reasons.push(format!(
            "the test did not pass: the LLR of its counts is {llr:.4}, below {upper:.4}"
        )),
        Some(_) => {}
        None => reasons.push("its counts give no LLR".to_owned()),
    }
    reasons
}

/// A game that one engine spoiled is won by the other, whatever the patch does.
fn many_faults(
    faults: Option<PrintedFaults>,
    games: PrintedGames,
    settings: &ProofSettings,
) -> Option<String> {
    let PrintedFaults { base, new } = faults?;
    let most = settings.max_faults * games.number as f64;
    (base as f64 + new as f64 > most).then(|| {
        format!(
            "engines spoiled {base} and {new} of {} games, more than a share of {}",
            games.number, settings.max_faults
        )
    })
}

fn unusual_bounds(llr: &PrintedLlr, settings: &ProofSettings) -> Option<String> {
    let found = [llr.elo0.value, llr.elo1.value];
    let same = |allowed: &&[f64; 2]| {
        let close = |a: f64, b: f64| (a - b).abs() < 0.005;
        close(allowed[0], found[0]) && close(allowed[1], found[1])
    };
    let mut allowed = settings.gains.iter().chain(&settings.simplifications);
    if allowed.any(|bounds| same(&bounds)) {
        return None;
    }
    Some(format!(
        "bounds [{:.2}, {:.2}] are not allowed; `gains` are {}, `simplifications` {}",
        found[0],
        found[1],
        listed(&settings.gains),
        listed(&settings.simplifications)
    ))
}

fn listed(bounds: &[[f64; 2]]) -> String {
    let texts: Vec<String> = bounds
        .iter()
        .map(|[elo0, elo1]| format!("[{elo0}, {elo1}]"))
        .collect();
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join(" ")
    }
}
