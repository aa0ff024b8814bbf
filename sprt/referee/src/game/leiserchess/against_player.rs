//! The rules here against those of the player `leiserchess`, which were written independently.
//!
//! `WHETSTONE_PLIES=1000000 cargo test -p referee against_player` plays a million plies.

use leiserchess::game::Game as PlayersGame;

use super::board::Board;
use super::fen::{OPENING, parse_fen, write_fen};
use super::moves::{breaks_ko, moves, turn};
use super::notation::Move;
use crate::shuffle::Stream;

const PLIES: usize = 20_000;
/// Games are no longer than this.
const LENGTH: usize = 300;

/// The legal moves, and how many Ko forbids.
fn legal(before: Option<&Board>, board: &Board) -> (Vec<Move>, usize) {
    let all = moves(board);
    let count = all.len();
    let is_legal = |played: &Move| !breaks_ko(before, &turn(board, *played).board);
    let legal: Vec<Move> = all.into_iter().filter(is_legal).collect();
    let forbidden = count - legal.len();
    (legal, forbidden)
}

#[test]
fn both_know_the_same_moves_and_positions_in_random_games() {
    let plies = std::env::var("WHETSTONE_PLIES").map_or(PLIES, |text| {
        text.parse().expect("a number of plies in WHETSTONE_PLIES")
    });
    let mut random = Stream::new(2018, 0);
    let (mut played, mut forbidden, mut zapped_kings) = (0, 0, 0);
    while played < plies {
        let mut board = parse_fen(OPENING).expect("the opening");
        let mut before = None;
        let mut player = PlayersGame::from_fen(OPENING).expect("the opening");
        for _ in 0..LENGTH {
            let (legal, refused) = legal(before.as_ref(), &board);
            forbidden += refused;
            let mut ours: Vec<String> = legal.iter().map(ToString::to_string).collect();
            let mut theirs = player.legal_moves();
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "in {}", write_fen(&board));

            let chosen = legal[random.below(legal.len() as u32) as usize];
            player.play(&chosen.to_string()).expect("a legal move");
            let next = turn(&board, chosen);
            assert_eq!(player.fen(), write_fen(&next.board), "after {chosen}");
            played += 1;
            let lost = next
                .zapped
                .filter(|piece| piece.role == super::board::Role::King);
            assert_eq!(
                lost.map(|king| king.color == engine_client::Color::White),
                player
                    .loser()
                    .map(|color| color == leiserchess::piece::Color::White),
                "after {chosen}"
            );
            if lost.is_some() {
                zapped_kings += 1;
                break;
            }
            before = Some(std::mem::replace(&mut board, next.board));
        }
    }
    assert!(
        forbidden > 0 && zapped_kings > 0,
        "{forbidden} {zapped_kings}"
    );
}
