//! A workload as a comment for a pull request.

use std::fmt::Write as _;

use foundation::Failure;
use foundation::format::{escaped, fenced};

use crate::block::block;
use crate::watch::View;
use openbench_command::workload::Kind;

/// The verdict, the block, and where to look further. `evidence` is what remains of it without
/// copies of games.
pub fn comment(view: &View, url: &str, evidence: Option<&str>) -> Result<String, Failure> {
    let info = &view.info;
    let (kind, id) = (info.kind(), info.id);
    let mut text = format!("**[{} {id}]({url}) {}**", kind.word(), view.state());
    let dev = escaped(&info.dev.name);
    let _ = match kind {
        Kind::Test => write!(text, ": {dev} against {}", escaped(&info.base.name)),
        Kind::Tune | Kind::Datagen => write!(text, ": {dev}"),
    };
    text.push_str("\n\n");
    if kind == Kind::Tune {
        if let Some(progress) = view.progress {
            let _ = writeln!(
                text,
                "Iteration {} of {}, {} of {} games.\n",
                progress.iteration, progress.iterations, progress.games, progress.games_planned
            );
        }
        text.push_str("| parameter | start | value | moved, in c |\n|---|--:|--:|--:|\n");
        for tuned in &view.tuned {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:+.2} |",
                escaped(&tuned.name),
                tuned.start,
                tuned.shown(),
                tuned.moved()
            );
        }
    } else if info.games > 0 {
        let _ = writeln!(text, "{}", fenced(&format!("{}\n{url}", block(info)?)));
    } else {
        text.push_str("No games yet.\n");
    }
    if let Some(evidence) = evidence {
        let _ = write!(text, "\n{}.\n", escaped(evidence));
    }
    if !info.approved {
        text.push_str("\nAn approver of the server has to approve it before it is played.\n");
    }
    for event in view.errors.iter().take(5) {
        let _ = write!(
            text,
            "\n- machine {} of {}: {}",
            event.machine,
            escaped(&event.user),
            escaped(&event.summary)
        );
    }
    Ok(text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::api::Info;

    fn recorded() -> View {
        let value: serde_json::Value =
            serde_json::from_str(include_str!("../tests/data/info.json")).expect("JSON");
        View {
            info: serde_json::from_value(value["info"].clone()).expect("a workload"),
            ..View::default()
        }
    }

    const URL: &str = "https://bench.example.org/test/21/";

    #[test]
    fn a_comment_has_verdict_block_and_address() {
        let text = comment(&recorded(), URL, None).expect("a comment");
        assert_eq!(
            text,
            "**[test 21](https://bench.example.org/test/21/) passed**: feature/better against main\n\n\
             ```text\n\
             Elo   | 333.75 +- 12.81 (95%)\n\
             SPRT  | 1.0+0.01s Threads=1 Hash=16MB\n\
             LLR   | 17.90 (-2.94, 2.94) [-5.00, 0.00]\n\
             Games | N: 2016 W: 1504 L: 3 D: 509\n\
             Penta | [0, 2, 3, 503, 500]\n\
             https://bench.example.org/test/21/\n\
             ```"
        );
        assert!(stats::block::find_blocks(&text).is_ok_and(|blocks| blocks.len() == 1));
    }

    #[test]
    fn names_of_others_are_no_markup() {
        let mut view = recorded();
        view.info = Info {
            games: 0,
            approved: false,
            ..view.info
        };
        view.info.dev.name = "@everyone_*".to_owned();
        let text = comment(&view, URL, Some("2 of 3 pairs")).expect("a comment");
        assert!(
            text.contains(": &#64;everyone\\_\\* against main"),
            "{text}"
        );
        assert!(
            text.contains("No games yet.") && text.contains("has to approve it"),
            "{text}"
        );
    }
}
