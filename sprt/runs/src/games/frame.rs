//! What a move changed in the picture of a position: far shorter than the next picture.

use std::collections::BTreeMap;

use referee::game::{Picture, Shot};
use serde::Serialize;

/// The squares that look different than before, with what stands there now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub changes: BTreeMap<String, Option<String>>,
    #[serde(skip_serializing_if = "Shot::is_empty")]
    pub shot: Shot,
}

impl Frame {
    pub fn between(before: &Picture, after: &Picture) -> Self {
        let gone = before.pieces.keys();
        let gone = gone.filter(|square| !after.pieces.contains_key(*square));
        let come = after.pieces.iter();
        let come = come.filter(|(square, piece)| before.pieces.get(*square) != Some(*piece));
        Self {
            changes: gone
                .map(|square| (square.clone(), None))
                .chain(come.map(|(square, piece)| (square.clone(), Some(piece.clone()))))
                .collect(),
            shot: after.shot.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::game::{Opening, find};

    #[test]
    fn all_that_a_move_does_is_in_its_frame() {
        let variant = find("standard").expect("chess");
        let mut game = variant
            .start(&Opening {
                start: Some("r3k2r/8/8/4pP2/8/8/8/R3K2R w KQkq e6 0 1".to_owned()),
                moves: Vec::new(),
            })
            .expect("a position");
        let mut before = game.picture().expect("it is drawn");
        for (text, squares) in [
            ("f5e6", &["e5", "e6", "f5"][..]),
            ("e8c8", &["a8", "c8", "d8", "e8"]),
        ] {
            game.play(text).expect(text);
            let after = game.picture().expect("it is drawn");
            let frame = Frame::between(&before, &after);
            assert!(frame.changes.keys().eq(squares), "{frame:?}");
            let mut pieces = before.pieces.clone();
            for (square, piece) in frame.changes {
                match piece {
                    Some(piece) => pieces.insert(square, piece),
                    None => pieces.remove(&square),
                };
            }
            assert_eq!(pieces, after.pieces);
            before = after;
        }
    }
}
