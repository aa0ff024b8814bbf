//! Leaves of the game tree against published numbers, in standard chess and Chess960.

use engine::perft::perft;
use engine::position::Position;

#[test]
fn leaves_are_as_published() {
    let mut checked = 0;
    for line in include_str!("../data/perft.epd")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let mut fields = line.split(';');
        let position = Position::from_fen(fields.next().unwrap()).unwrap();
        for field in fields {
            let (depth, leaves) = field
                .trim()
                .trim_start_matches('D')
                .split_once(' ')
                .unwrap();
            let expected: u64 = leaves.parse().unwrap();
            assert_eq!(
                perft(position.board(), depth.parse().unwrap()),
                expected,
                "{line} at {depth}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 35);
}
