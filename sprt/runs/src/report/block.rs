//! OpenBench's block, to be pasted into a commit message, with the proof that binds it there.

use foundation::{Failure, Printer};
use stats::block::Block;

use super::MatchState;
use super::proof::{lack, proof};
use crate::plan::Plan;
use crate::standing::Standing;

/// What a commit message takes from a run: its block, and the proof that binds it to the commit where
/// there is one.
///
/// # Errors
/// The files of the run cannot be read.
pub fn message(state: &MatchState<'_>) -> Result<String, Failure> {
    let block = block(state.plan, state.standing);
    Ok(match proof(state)? {
        Ok(proof) => format!("{block}\n\n{proof}"),
        Err(_) => block,
    })
}

/// Prints that. Where a test passed and nothing can be bound, it says why.
///
/// # Errors
/// The files of the run cannot be read.
pub fn print(state: &MatchState<'_>, printer: Printer) -> Result<(), Failure> {
    printer.result(&message(state)?);
    if let Some(why) = lack(state) {
        printer.note(&format!(
            "the block comes without a proof that binds it to a commit: {why}"
        ));
    }
    Ok(())
}

/// A run in OpenBench's words.
pub fn block(plan: &Plan, standing: &Standing) -> String {
    let number = |name: &str, default: u32| {
        let options = &plan.new.settings.options;
        let found = options
            .iter()
            .find(|(option, _)| option.eq_ignore_ascii_case(name));
        found
            .and_then(|(_, value)| value.parse().ok())
            .unwrap_or(default)
    };
    let tally = standing.tally();
    let block = Block {
        pairs: &tally.pentanomial,
        games: &tally.wdl,
        test: standing.test(),
        limit: &plan.limit_in_words(),
        threads: number("Threads", 1),
        hash: number("Hash", 16),
        faults: [tally.base_faults, tally.new_faults].map(|faults| faults.sum()),
    };
    let text = block.to_string();
    let lines = text.trim_end().lines();
    if standing.no_verdict().is_none() {
        return lines.collect::<Vec<_>>().join("\n");
    }
    let counts = lines.filter(|line| !line.starts_with("Elo "));
    counts.collect::<Vec<_>>().join("\n")
}
