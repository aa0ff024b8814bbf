//! The commands that games and tests rely on: each limit is kept, and `stop` and `quit` are obeyed.
//!
//! What a node limit means is [`node_limit`]'s rule, which match runs go by too. Every wait is
//! bounded, and an engine that does not answer is ended.

use std::time::Duration;

use engine_client::node_limit::{self, Breach};
use engine_client::{Clocks, Face, Fault, Info, Limit, Stage};
use foundation::{Failure, counted};

use crate::checks::complaint::{Complaint, ENGINE, shortened};
use crate::checks::prober::{Prober, Questions};

/// The node limit that is tried where games have another limit.
const USUAL_NODES: u64 = 10_000;
/// Positions searched with a node limit.
const POSITIONS: usize = 6;
/// The tolerance for an engine that takes longer than it should.
const GRACE: Duration = Duration::from_secs(5);
/// The time until a search is under way.
const START: Duration = Duration::from_millis(200);
/// Searches that no engine ends by itself while it is watched.
const ENDLESS: [&str; 2] = ["go infinite", "go depth 60"];

/// The complaints, and whether the engine can be asked more.
pub(crate) async fn inspect(
    questions: &Questions,
    played: &Limit,
) -> Result<(Vec<Complaint>, bool), Failure> {
    let Some(first) = questions.positions().first() else {
        return Ok((Vec::new(), true));
    };
    if let (_, Err(fault)) = search(questions, first, "go depth 1", GRACE).await? {
        let complaint = Complaint::new(ENGINE, "gives no move for `go depth 1`");
        let complaint = complaint.detail(&fault.to_string()).fatal_if(true);
        return Ok((vec![complaint], false));
    }
    let mut complaints = Vec::new();
    if let Some(text) = played_nodes(questions, played).await? {
        complaints.push(Complaint::new(ENGINE, text).fatal_if(true));
    }
    if played.nodes.is_none()
        && let Some(text) = nodes(questions, USUAL_NODES).await?
    {
        complaints.push(Complaint::new(ENGINE, text));
    }
    let second = Stage {
        moves: None,
        base_ms: 1000,
        increment_ms: 10,
    };
    for (limit, due) in [(Limit::movetime(100), 100), (Limit::clock(second), 1000)] {
        let (go, timeout) = (go(&limit), Duration::from_millis(due) + GRACE);
        if let (_, Err(fault)) = search(questions, first, &go, timeout).await? {
            let is_played = limit.clock.is_some() == played.clock.is_some()
                && limit.movetime.is_some() == played.movetime.is_some();
            let complaint = Complaint::new(ENGINE, format!("does not keep `{go}`"));
            complaints.push(complaint.detail(&fault.to_string()).fatal_if(is_played));
        }
    }
    complaints.extend(stop_and_quit(questions, first).await?);
    Ok((complaints, true))
}

/// What is wrong with how an engine keeps the node limit of the games, if they have one.
pub(crate) async fn played_nodes(
    questions: &Questions,
    played: &Limit,
) -> Result<Option<String>, Failure> {
    match played.nodes {
        Some(limit) => nodes(questions, limit.min(node_limit::MOST)).await,
        None => Ok(None),
    }
}

/// The command for a limit, with a second on both clocks.
pub(crate) fn go(limit: &Limit) -> String {
    let face = limit.clock.as_ref().map(|control| Face {
        left: Duration::from_secs(1),
        increment_ms: control.stage(0).increment_ms,
    });
    let clocks = Clocks {
        white: face,
        black: face,
        moves_to_go: None,
    };
    let mut line = String::new();
    engine_client::uci::write_go(limit, clocks, &mut line);
    line.trim_end().to_owned()
}

/// The largest node count that a new process reported, and whether its search ended.
async fn search(
    questions: &Questions,
    position: &str,
    go: &str,
    timeout: Duration,
) -> Result<(Option<u64>, Result<(), Fault>), Failure> {
    let mut prober = Prober::start(questions).await?;
    let mut nodes = None;
    let hear = |line: &str| {
        if line.starts_with("info ") {
            nodes = nodes.max(Info::parse(line.as_bytes()).nodes);
        }
    };
    let command = format!("{position}{go}\n");
    let ended = prober
        .engine
        .converse(&command, "bestmove", timeout, hear)
        .await;
    if ended.is_ok() {
        prober.quit().await;
    }
    Ok((nodes, ended))
}

/// Whether a node limit is kept.
async fn nodes(questions: &Questions, limit: u64) -> Result<Option<String>, Failure> {
    let go = go(&Limit::nodes(limit));
    let timeout = node_limit::timeout(limit);
    let mut counts = Vec::new();
    for position in questions.positions().iter().take(POSITIONS) {
        match search(questions, position, &go, timeout).await? {
            (nodes, Ok(())) => counts.extend(nodes),
            (nodes, Err(Fault::Silent(_))) => {
                let at = nodes.map_or(String::new(), |nodes| format!(", at {nodes} nodes"));
                return Ok(Some(format!(
                    "does not keep `{go}`: still searching after {:.0} s{at}",
                    timeout.as_secs_f64()
                )));
            }
            (_, Err(Fault::Crashed(how))) => {
                return Ok(Some(format!("fails at `{go}`: {}", shortened(&how))));
            }
        }
    }
    Ok(judge_nodes(limit, &counts))
}

/// What is wrong with the node counts that an engine reported.
fn judge_nodes(limit: u64, counts: &[u64]) -> Option<String> {
    Some(match node_limit::judge(limit, counts)? {
        Breach::TooMany(nodes) => {
            format!("does not keep `go nodes {limit}`: it searched {nodes} nodes")
        }
        Breach::TooFew(nodes) => format!(
            "does not use `go nodes {limit}`: it searched {nodes} nodes at most, in {}",
            counted(counts.len(), "position")
        ),
    })
}

/// Whether a search can be ended from outside.
async fn stop_and_quit(questions: &Questions, position: &str) -> Result<Vec<Complaint>, Failure> {
    let mut complaints = Vec::new();
    for go in ENDLESS {
        let command = format!("{position}{go}\n");
        for word in ["stop", "quit"] {
            let mut prober = Prober::start(questions).await?;
            let begun = prober
                .engine
                .converse(&command, "bestmove", START, |_| ())
                .await;
            let obeyed = match begun {
                // It reaches that depth at once, or claims to: not what this check is about.
                Ok(()) => {
                    prober.quit().await;
                    true
                }
                Err(Fault::Crashed(how)) => {
                    let text = format!("fails at `{go}`");
                    complaints.push(Complaint::new(ENGINE, text).detail(&how));
                    break;
                }
                Err(Fault::Silent(_)) if word == "stop" => prober.engine.answers_stop(GRACE).await,
                Err(Fault::Silent(_)) => prober.exits_on_quit(GRACE).await,
            };
            if !obeyed {
                complaints.push(Complaint::new(
                    ENGINE,
                    format!(
                        "does not obey `{word}` during `{go}`: nothing happens within {} s",
                        GRACE.as_secs()
                    ),
                ));
            }
        }
    }
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_the_limit_and_the_nodes() {
        assert_eq!(judge_nodes(10_000, &[9_000, 10_003, 4_000]), None);
        let words = |counts: &[u64]| judge_nodes(10_000, counts).expect("a complaint");
        assert_eq!(
            words(&[9_000, 60_000]),
            "does not keep `go nodes 10000`: it searched 60000 nodes"
        );
        assert_eq!(
            words(&[21, 35]),
            "does not use `go nodes 10000`: it searched 35 nodes at most, in 2 positions"
        );
    }
}
