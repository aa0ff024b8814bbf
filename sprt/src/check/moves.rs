//! Moves: legal in every position, and understood after `position`.

use super::handshake::find_option;
use super::question::{
    AFTER_CASTLING, AFTER_EN_PASSANT, EN_PASSANT, FEW_MOVES, MATE_IN_ONE, MATED_IN_ONE, PROMOTIONS,
    Question, TRICKY, USUAL,
};
use super::subject::{Checked, Searched, Subject, failed, skipped};
use engine_client::hint;

/// Each position is searched with these.
const GO: [&str; 2] = ["go depth 1", "go depth 4"];

pub(super) async fn start(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, vec![Question::start()?]).await
}

pub(super) async fn usual(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(USUAL)?).await
}

pub(super) async fn tricky(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(TRICKY)?).await
}

pub(super) async fn promotions(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(PROMOTIONS)?).await
}

pub(super) async fn en_passant(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(EN_PASSANT)?).await?;
    legal_in(subject, Question::standard(AFTER_EN_PASSANT)?).await
}

pub(super) async fn after_castling(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(AFTER_CASTLING)?).await
}

pub(super) async fn few_moves(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(FEW_MOVES)?).await
}

pub(super) async fn near_mate(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, Question::standard(MATED_IN_ONE)?).await?;
    for question in Question::standard(MATE_IN_ONE)? {
        let searched = legal(subject, &question, GO[1]).await?;
        let mut game = question.game()?;
        let mates = game.play(searched.best()).is_ok()
            && game.ending().is_some_and(|ending| ending.winner.is_some());
        if !mates {
            let what = searched.what();
            return failed(format!("{what}: `{}` is no mate", searched.best()));
        }
    }
    Ok(())
}

pub(super) async fn long_game(subject: &mut Subject) -> Checked<()> {
    legal_in(subject, vec![Question::long_game()?]).await
}

/// Positions in which the game is over: whatever is answered, the engine must go on.
pub(super) async fn game_over(subject: &mut Subject) -> Checked<()> {
    for fen in [
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        subject.ready().await?;
        subject
            .send(&format!("position fen {fen}\ngo depth 2\nstop\n"))
            .await?;
        subject.ping().await?;
    }
    // An answer that comes late is not to be taken for the next one.
    subject
        .read_for(std::time::Duration::from_millis(100))
        .await?;
    legal_in(subject, vec![Question::start()?]).await
}

pub(super) async fn searchmoves(subject: &mut Subject) -> Checked<()> {
    let question = Question::start()?;
    let searched = legal(subject, &question, "go depth 4 searchmoves a2a3 h2h3").await?;
    match searched.best() {
        "a2a3" | "h2h3" => Ok(()),
        best => failed(format!("`{best}` was not among the moves to search")),
    }
}

/// How castling is written in standard chess.
pub(super) async fn castling(subject: &mut Subject) -> Checked<()> {
    let (question, moves) = Question::castling()?;
    for castles in moves {
        let go = format!("go depth 3 searchmoves {castles}");
        let searched = legal(subject, &question, &go).await?;
        if searched.best() != castles {
            return skipped("it does not keep to `searchmoves`");
        }
    }
    Ok(())
}

pub(super) async fn chess960(subject: &mut Subject) -> Checked<()> {
    if find_option(subject, "UCI_Chess960").await?.is_none() {
        return skipped("it has no option `UCI_Chess960`");
    }
    subject
        .send("setoption name UCI_Chess960 value true\nucinewgame\n")
        .await?;
    subject.ping().await?;
    legal_in(subject, Question::chess960()?).await?;
    subject
        .send("setoption name UCI_Chess960 value false\nucinewgame\n")
        .await?;
    subject.ping().await?;
    legal_in(subject, Question::standard(AFTER_CASTLING)?).await
}

async fn legal_in(subject: &mut Subject, questions: Vec<Question>) -> Checked<()> {
    for question in questions {
        for go in GO {
            legal(subject, &question, go).await?;
        }
    }
    Ok(())
}

/// A search whose answer is a legal move.
pub(super) async fn legal(
    subject: &mut Subject,
    question: &Question,
    go: &str,
) -> Checked<Searched> {
    let wait = subject.answer_timeout();
    let searched = subject.search(question, go, wait).await?;
    is_legal(&searched)?;
    Ok(searched)
}

pub(super) fn is_legal(searched: &Searched) -> Checked<()> {
    let best = searched.best();
    let mut game = searched.question.game()?;
    if game.play(best).is_ok() {
        return Ok(());
    }
    let legal = game.legal_moves();
    let cause = hint::of_move(best, |word| legal.iter().any(|it| it == word));
    let cause = cause.map_or_else(String::new, |cause| format!(": {cause}"));
    let what = searched.what();
    failed(if best.is_empty() {
        format!("{what}: no move at all{cause}")
    } else {
        format!("{what}: `{best}` is no legal move{cause}")
    })
}
