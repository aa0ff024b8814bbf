//! Whether limits are kept.

use std::time::Duration;

use super::moves::legal;
use super::question::{Question, USUAL};
use super::subject::{Checked, Searched, Subject, failed};
use engine_client::Info;
use engine_client::node_limit::{self, Breach};

const NODES: u64 = 10_000;
/// How much later than asked a move may come: what match runners allow.
const MARGIN: Duration = Duration::from_millis(250);
/// A machine that is busy for a moment is not the engine's fault.
const TRIES: u32 = 3;

pub(super) async fn depth(subject: &mut Subject) -> Checked<()> {
    for question in Question::standard(USUAL)? {
        for wanted in [1, 5] {
            let go = format!("go depth {wanted}");
            let searched = legal(subject, &question, &go).await?;
            let Some(reached) = deepest(&searched) else {
                return failed(format!("{}: it reports no depth", searched.what()));
            };
            if reached != wanted {
                let what = searched.what();
                return failed(format!("{what}: it searched to depth {reached}"));
            }
        }
    }
    Ok(())
}

fn deepest(searched: &Searched) -> Option<u32> {
    let depths = searched.info_lines().filter_map(|line| {
        let info = Info::parse(line.as_bytes());
        info.score.and(info.depth)
    });
    depths.max()
}

pub(super) async fn nodes(subject: &mut Subject) -> Checked<()> {
    let go = format!("go nodes {NODES}");
    let mut counts = Vec::new();
    for question in Question::standard(USUAL)? {
        let wait = node_limit::timeout(NODES).min(subject.answer_timeout());
        let searched = subject.search(&question, &go, wait).await?;
        let nodes = searched
            .info_lines()
            .filter_map(|line| Info::parse(line.as_bytes()).nodes);
        counts.extend(nodes.max());
    }
    if counts.is_empty() {
        return failed("it reports no nodes");
    }
    match node_limit::judge(NODES, &counts) {
        None => Ok(()),
        Some(Breach::TooMany(nodes)) => failed(format!("`{go}`: it searched {nodes} nodes")),
        Some(Breach::TooFew(nodes)) => {
            failed(format!("`{go}`: it stopped after {nodes} nodes at most"))
        }
    }
}

pub(super) async fn movetime(subject: &mut Subject) -> Checked<()> {
    in_time(subject, "go movetime 200", 200).await?;
    in_time(subject, "go movetime 20", 20).await
}

pub(super) async fn clock(subject: &mut Subject) -> Checked<()> {
    in_time(subject, "go wtime 1000 btime 1000 winc 10 binc 10", 1000).await?;
    in_time(subject, "go wtime 1000 btime 1000", 1000).await?;
    in_time(subject, "go wtime 1000 winc 10 btime 60000 binc 0", 1000).await
}

pub(super) async fn moves_to_go(subject: &mut Subject) -> Checked<()> {
    for moves in [1, 2, 40] {
        let go = format!("go wtime 500 btime 500 movestogo {moves}");
        in_time(subject, &go, 500).await?;
    }
    Ok(())
}

pub(super) async fn low_clock(subject: &mut Subject) -> Checked<()> {
    for left in [100, 10, 1] {
        let go = format!("go wtime {left} btime {left} winc 0 binc 0");
        in_time(subject, &go, left).await?;
    }
    Ok(())
}

/// A move within so many milliseconds and the margin, at one of some tries.
async fn in_time(subject: &mut Subject, go: &str, allowed: u64) -> Checked<()> {
    let allowed = Duration::from_millis(allowed);
    let question = Question::start()?;
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        let searched = legal(subject, &question, go).await?;
        best = best.min(searched.elapsed);
        if best <= allowed + MARGIN {
            return Ok(());
        }
    }
    let late = best.saturating_sub(allowed).as_millis();
    failed(format!(
        "`{go}`: the move came {late} ms late, at the best of {TRIES} tries"
    ))
}
