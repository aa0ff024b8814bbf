//! Searches that are ended, questioned or changed from outside, and the end of the engine.

use std::time::Duration;

use super::handshake::find_option;
use super::moves::{is_legal, legal};
use super::question::{FEW_MOVES, Question, USUAL};
use super::subject::{Checked, Searched, Subject, failed, skipped};

/// How long a search is watched that must not end by itself.
const OBSERVED: Duration = Duration::from_millis(300);
/// For `stop`, `ponderhit` and `quit`.
const REACTION_TIMEOUT: Duration = Duration::from_secs(2);
const INFINITE: &str = "go infinite";

/// No move before `stop`, and one soon after it.
pub(super) async fn infinite(subject: &mut Subject) -> Checked<()> {
    // In the second there is nothing to think about.
    for question in [Question::start()?, one_move()?] {
        begin_and_watch(subject, &question, INFINITE).await?;
        stop(subject, &question, INFINITE).await?;
    }
    Ok(())
}

fn one_move() -> Checked<Question> {
    match Question::standard(FEW_MOVES)?.into_iter().next() {
        Some(question) => Ok(question),
        None => skipped("there is no position"),
    }
}

/// Begins a search that must not end before it is stopped.
async fn begin_and_watch(subject: &mut Subject, question: &Question, go: &str) -> Checked<()> {
    subject.begin(question, go).await?;
    let lines = subject.read_for(OBSERVED).await?;
    if lines.iter().any(|line| is_best(line)) {
        let position = question.text();
        return failed(format!(
            "`{go}` after `position {position}`: it gives a move before it is asked for one"
        ));
    }
    Ok(())
}

async fn stop(subject: &mut Subject, question: &Question, go: &str) -> Checked<Searched> {
    subject.send("stop\n").await?;
    let searched = subject.finish(question, go, REACTION_TIMEOUT).await?;
    is_legal(&searched)?;
    Ok(searched)
}

fn is_best(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

/// Sends `stop` right after `go`.
pub(super) async fn stop_at_once(subject: &mut Subject) -> Checked<()> {
    let question = Question::start()?;
    for _ in 0..5 {
        subject.begin(&question, INFINITE).await?;
        stop(subject, &question, INFINITE).await?;
    }
    Ok(())
}

pub(super) async fn stop_when_idle(subject: &mut Subject) -> Checked<()> {
    let question = Question::start()?;
    legal(subject, &question, "go depth 1").await?;
    subject.send("stop\n").await?;
    let mut said = subject.ping().await?;
    said.extend(subject.read_for(Duration::from_millis(50)).await?);
    if said.iter().any(|line| is_best(line)) {
        return failed("it answers `stop` with a move although it was not searching");
    }
    legal(subject, &question, "go depth 1").await.map(drop)
}

pub(super) async fn isready_during_search(subject: &mut Subject) -> Checked<()> {
    let question = Question::start()?;
    begin_and_watch(subject, &question, INFINITE).await?;
    let said = subject.ping().await?;
    if said.iter().any(|line| is_best(line)) {
        return failed("`isready` ended the search");
    }
    stop(subject, &question, INFINITE).await.map(drop)
}

pub(super) async fn go_twice(subject: &mut Subject) -> Checked<()> {
    let question = Question::start()?;
    // During a search without an end, some engines read no further until it ends.
    subject.begin(&question, "go movetime 200").await?;
    subject.send("go depth 1\n").await?;
    subject.ping().await?;
    subject.send("stop\n").await?;
    subject.read_for(OBSERVED).await?;
    let searched = legal(subject, &question, "go depth 1").await?;
    let after = subject.ping().await?;
    if after.iter().any(|line| is_best(line)) {
        return failed(format!("{}: another move follows", searched.what()));
    }
    Ok(())
}

/// The next line after a move belongs to the next question.
pub(super) async fn silence_after_move(subject: &mut Subject) -> Checked<()> {
    for question in Question::standard(USUAL)? {
        legal(subject, &question, "go depth 3").await?;
        let after = subject.read_for(Duration::from_millis(60)).await?;
        let after = after.iter().find(|line| !line.trim().is_empty());
        if let Some(line) = after {
            let line = engine_client::cut(line, 100);
            return failed(format!("after the move it says `{line}`"));
        }
    }
    Ok(())
}

pub(super) async fn ponder(subject: &mut Subject) -> Checked<()> {
    if find_option(subject, "Ponder").await?.is_none() {
        return skipped("it has no option `Ponder`");
    }
    subject.send("setoption name Ponder value true\n").await?;
    let question = Question::start()?;
    let go = "go ponder wtime 1000 btime 1000 winc 10 binc 10";
    begin_and_watch(subject, &question, go).await?;
    subject.send("ponderhit\n").await?;
    let searched = subject.finish(&question, go, REACTION_TIMEOUT).await?;
    is_legal(&searched)?;
    // The opponent played another move than the one pondered on.
    begin_and_watch(subject, &question, go).await?;
    stop(subject, &question, go).await?;
    subject.send("setoption name Ponder value false\n").await?;
    subject.ping().await.map(drop)
}

pub(super) async fn multi_pv(subject: &mut Subject) -> Checked<()> {
    if find_option(subject, "MultiPV").await?.is_none() {
        return skipped("it has no option `MultiPV`");
    }
    subject.send("setoption name MultiPV value 3\n").await?;
    let searched = legal(subject, &Question::start()?, "go depth 5").await?;
    subject.send("setoption name MultiPV value 1\n").await?;
    subject.ping().await?;
    let mut moves = Vec::new();
    for rank in ["1", "2", "3"] {
        let last = searched.info_lines().rev().find(|line| {
            let mut words = line
                .split_whitespace()
                .skip_while(|word| *word != "multipv");
            words.nth(1) == Some(rank)
        });
        let mut words = last.unwrap_or("").split_whitespace();
        match words.by_ref().find(|word| *word == "pv").and(words.next()) {
            None => return failed(format!("there is no line with `multipv {rank}`")),
            Some(first) if moves.contains(&first) => {
                return failed(format!("two lines begin with `{first}`"));
            }
            Some(first) => moves.push(first),
        }
    }
    Ok(())
}

pub(super) async fn quit(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    send_quit(subject).await
}

pub(super) async fn quit_during_search(subject: &mut Subject) -> Checked<()> {
    begin_and_watch(subject, &Question::start()?, INFINITE).await?;
    send_quit(subject).await
}

async fn send_quit(subject: &mut Subject) -> Checked<()> {
    subject.send("quit\n").await?;
    let has_ended = subject.ended(REACTION_TIMEOUT).await;
    subject.end();
    if !has_ended {
        return failed(format!(
            "it is still there {REACTION_TIMEOUT:?} after `quit`"
        ));
    }
    Ok(())
}

pub(super) async fn end_of_input(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    close(subject).await
}

pub(super) async fn end_of_input_during_search(subject: &mut Subject) -> Checked<()> {
    begin_and_watch(subject, &Question::start()?, INFINITE).await?;
    close(subject).await
}

async fn close(subject: &mut Subject) -> Checked<()> {
    subject.close_input();
    let has_ended = subject.ended(REACTION_TIMEOUT).await;
    subject.end();
    if !has_ended {
        return failed(format!(
            "it is still there {REACTION_TIMEOUT:?} after the end of its input"
        ));
    }
    Ok(())
}

/// Two processes of the engine, as in a match at a concurrency of two, and another after them.
pub(super) async fn two_at_a_time(subject: &mut Subject) -> Checked<()> {
    let question = Question::start()?;
    let mut other = subject.another_process();
    legal(subject, &question, "go depth 2").await?;
    legal(&mut other, &question, "go depth 2").await?;
    subject.end();
    legal(&mut other, &question, "go depth 2").await?;
    legal(subject, &question, "go depth 2").await.map(drop)
}
