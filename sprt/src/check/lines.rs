//! The output during a search: `info` lines, variations, scores and the line with the move.

use super::question::{MATE_IN_ONE, MATED_IN_ONE, QUEEN_DOWN, QUEEN_UP, Question};
use super::subject::{Checked, Searched, Subject, failed, skipped};
use engine_client::{Dialect as _, EngineScore, Info, UCI};

/// Fields whose value is a whole number that is not negative.
const COUNTS: [&str; 10] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "multipv",
    "currmovenumber",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
];
const MOST_PERMILLE: u64 = 1000;
const SCORED: &str = "go depth 4";

pub(super) async fn known_lines(subject: &mut Subject) -> Checked<()> {
    each_search(subject, |searched| {
        let unknown = searched.lines.iter().find(|line| {
            let first = line.split_whitespace().next();
            !matches!(first, None | Some("info" | "bestmove"))
        });
        match unknown {
            Some(line) => Err(format!(
                "`{}` is no line of UCI",
                engine_client::cut(line, 100)
            )),
            None => Ok(()),
        }
    })
    .await
}

pub(super) async fn info_lines(subject: &mut Subject) -> Checked<()> {
    each_search(subject, |searched| {
        if searched.info_lines().next().is_none() {
            return Err(format!("{}: no `info` line", searched.what()));
        }
        searched.info_lines().try_for_each(|line| {
            judge_info(line).map_err(|why| format!("`{}`: {why}", engine_client::cut(line, 200)))
        })
    })
    .await
}

/// What is wrong with a line that begins with `info` and is not just an `info string`.
fn judge_info(line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace().skip(1);
    let whole = |name: &str, value: Option<&str>| match value.map(str::parse::<u64>) {
        Some(Ok(number)) => Ok(number),
        _ => Err(format!(
            "`{name}` is followed by `{}`, expected a whole number",
            value.unwrap_or("")
        )),
    };
    while let Some(word) = words.next() {
        match word {
            // The rest is moves, which are judged elsewhere, or free text.
            "pv" | "string" | "refutation" | "currline" => return Ok(()),
            "currmove" => {
                words.next().ok_or("`currmove` is followed by nothing")?;
            }
            "hashfull" => {
                let permille = whole(word, words.next())?;
                if permille > MOST_PERMILLE {
                    return Err(format!("`hashfull {permille}` is more than 1000 permille"));
                }
            }
            "score" => {
                let (kind, value) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
                if !matches!(kind, "cp" | "mate") || value.parse::<i32>().is_err() {
                    return Err(format!(
                        "`score {kind} {value}`, expected `cp` or `mate` and a whole number"
                    ));
                }
            }
            // After a score or its `wdl`.
            "lowerbound" | "upperbound" => {}
            "wdl" => {
                for _ in 0..3 {
                    whole(word, words.next())?;
                }
            }
            count if COUNTS.contains(&count) => {
                whole(count, words.next())?;
            }
            other => return Err(format!("`{other}` is no field of an `info` line")),
        }
    }
    Ok(())
}

pub(super) async fn legal_variations(subject: &mut Subject) -> Checked<()> {
    each_search(subject, |searched| {
        for line in searched.info_lines() {
            let mut game = searched
                .question
                .game()
                .map_err(|failure| failure.to_string())?;
            if let Some(text) = variation(line).find(|text| game.play(text).is_err()) {
                let line = engine_client::cut(line, 200);
                return Err(format!("`{line}`: `{text}` is no legal move there"));
            }
        }
        Ok(())
    })
    .await
}

fn variation(line: &str) -> impl Iterator<Item = &str> {
    let moves = UCI.line_of(line.as_bytes()).unwrap_or_default();
    std::str::from_utf8(moves)
        .unwrap_or_default()
        .split_whitespace()
}

pub(super) async fn best_is_first_of_variation(subject: &mut Subject) -> Checked<()> {
    each_search(subject, |searched| {
        let lines = last_variations(searched);
        let mut firsts = lines.iter().filter_map(|line| variation(line).next());
        let Some(first) = firsts.next() else {
            return Err(format!("{}: no `info` line has a `pv`", searched.what()));
        };
        if first != searched.best() && firsts.all(|first| first != searched.best()) {
            return Err(format!(
                "{}: the last variation begins with `{first}`, but the move is `{}`",
                searched.what(),
                searched.best()
            ));
        }
        Ok(())
    })
    .await
}

/// The last line with a variation, and the last of those whose score is no bound.
fn last_variations(searched: &Searched) -> Vec<&str> {
    let is_bound = |word: &str| matches!(word, "lowerbound" | "upperbound");
    let with_moves = || {
        let lines = searched.info_lines().rev();
        lines.filter(|line| variation(line).next().is_some())
    };
    let exact = with_moves().find(|line| !line.split_whitespace().any(is_bound));
    with_moves().next().into_iter().chain(exact).collect()
}

pub(super) async fn best_move_lines(subject: &mut Subject) -> Checked<()> {
    each_search(subject, |searched| {
        let line = searched.lines.last().map_or("", |line| line.trim());
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut game = searched
            .question
            .game()
            .map_err(|failure| failure.to_string())?;
        let moves = match words.as_slice() {
            [_, best] => vec![*best],
            [_, best, "ponder", reply] => vec![*best, *reply],
            _ => Vec::new(),
        };
        if moves.is_empty() || moves.iter().any(|text| game.play(text).is_err()) {
            return Err(format!(
                "`{}`, expected `bestmove MOVE` or `bestmove MOVE ponder MOVE` with legal moves",
                engine_client::cut(line, 100)
            ));
        }
        Ok(())
    })
    .await
}

/// Judges all usual searches, and shows the one that is wrong.
async fn each_search(
    subject: &mut Subject,
    judge: impl Fn(&Searched) -> Result<(), String>,
) -> Checked<()> {
    for searched in subject.usual_searches().await? {
        if let Err(why) = judge(&searched) {
            subject.show_only(&searched);
            return failed(why);
        }
    }
    Ok(())
}

pub(super) async fn mate_scores(subject: &mut Subject) -> Checked<()> {
    for question in Question::standard(MATE_IN_ONE)? {
        match score(subject, &question).await? {
            EngineScore::Cp(_) => return skipped("it reports no `score mate`"),
            EngineScore::Mate(1..) => {}
            score @ EngineScore::Mate(_) => {
                return wrong(&question, score, "the mover mates in one: `mate 1`");
            }
        }
    }
    for question in Question::standard(MATED_IN_ONE)? {
        match score(subject, &question).await? {
            // It may not have searched as deep as that.
            EngineScore::Mate(..0) | EngineScore::Cp(..0) => {}
            score => return wrong(&question, score, "the mover is mated: `mate -1`"),
        }
    }
    Ok(())
}

/// Scores are those of the side to move, whatever its colour.
pub(super) async fn signs_of_scores(subject: &mut Subject) -> Checked<()> {
    for question in Question::standard(QUEEN_UP)? {
        let score = score(subject, &question).await?;
        if !score.is_won(1) {
            return wrong(&question, score, "the mover is a queen up: more than 0");
        }
    }
    for question in Question::standard(QUEEN_DOWN)? {
        let score = score(subject, &question).await?;
        if !score.is_lost(1) {
            return wrong(&question, score, "the mover is a queen down: less than 0");
        }
    }
    Ok(())
}

fn wrong(question: &Question, score: EngineScore, expected: &str) -> Checked<()> {
    let reported = match score {
        EngineScore::Cp(score) => format!("cp {score}"),
        EngineScore::Mate(moves) => format!("mate {moves}"),
    };
    let position = question.text();
    failed(format!(
        "after `position {position}` the score is `{reported}`; expected, for {expected}"
    ))
}

async fn score(subject: &mut Subject, question: &Question) -> Checked<EngineScore> {
    let wait = subject.answer_timeout();
    let searched = subject.search(question, SCORED, wait).await?;
    let mut scores = searched
        .info_lines()
        .rev()
        .filter_map(|line| Info::parse(line.as_bytes()).score);
    match scores.next() {
        Some(score) => Ok(score),
        None => failed(format!("{}: no score", searched.what())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn usual_lines_are_right() {
        for line in [
            "info depth 5 seldepth 7 multipv 1 score cp 31 nodes 1200 nps 9000 hashfull 0 tbhits 0 time 3 pv e2e4 e7e5",
            "info depth 1 score cp 20 lowerbound nodes 3",
            "info score mate -3 wdl 0 0 1000 depth 4",
            "info score cp -900 wdl 1 9 990 upperbound nodes 6",
            "info currmove e2e4 currmovenumber 1",
            "info depth 3 string all that follows nodes x",
            "info",
        ] {
            assert_eq!(judge_info(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, words) in [
            ("info depth x", "`depth` is followed by `x`"),
            ("info depth 3 nodes", "`nodes` is followed by ``"),
            ("info nodes -3", "`nodes` is followed by `-3`"),
            ("info score 31", "`score 31 `"),
            ("info score cp 0.31", "`score cp 0.31`"),
            ("info hashfull 1001", "more than 1000 permille"),
            ("info depth 3 ebf 1.84", "`ebf` is no field"),
        ] {
            let why = judge_info(line).expect_err(line);
            assert!(why.contains(words), "{line}: {why}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(text in "(info|depth|score|cp|mate|pv|wdl|-1|x|\u{e9}| ){0,12}") {
            let _ = judge_info(&text);
        }
    }
}
