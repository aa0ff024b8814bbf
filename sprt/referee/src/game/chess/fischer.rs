//! The start positions of Chess960 by their usual numbers (Reinhard Scharnagl's; 518 is that of
//! classical chess).

pub(super) const POSITIONS: u32 = 960;

/// The start position of a number, as a FEN; numbers begin again after 959.
pub(super) fn position(number: u32) -> String {
    double_position(number, number)
}

/// The start position in which White has the back rank of one number and Black that of another.
pub(crate) fn double_position(white: u32, black: u32) -> String {
    let [white, black] = [white, black].map(|number| back_rank(number % POSITIONS));
    format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {}{} - 0 1",
        black.to_ascii_lowercase(),
        castling(&white),
        castling(&black).to_ascii_lowercase()
    )
}

/// The files of the rooks of a back rank, from the right.
fn castling(rank: &str) -> String {
    let rooks = (b'A'..)
        .zip(rank.bytes())
        .filter(|(_, piece)| *piece == b'R');
    let rooks: Vec<char> = rooks.map(|(file, _)| char::from(file)).collect();
    rooks.into_iter().rev().collect()
}

fn back_rank(number: u32) -> String {
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    rank[light as usize * 2 + 1] = Some('B');
    let (rest, dark) = (rest / 4, rest % 4);
    rank[dark as usize * 2] = Some('B');
    let (knights, queen) = (rest / 6, rest % 6);
    place(&mut rank, queen, 'Q');
    // The ten ways to put two knights on five free squares, the first knight leftmost.
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    if let Some((first, second)) = pairs.into_iter().nth(knights as usize) {
        place(&mut rank, second, 'N');
        place(&mut rank, first, 'N');
    }
    for piece in ['R', 'K', 'R'] {
        place(&mut rank, 0, piece);
    }
    rank.into_iter().flatten().collect()
}

/// Puts a piece on the free square of that number from the left.
fn place(rank: &mut [Option<char>; 8], free: u32, piece: char) {
    if let Some(square) = rank
        .iter_mut()
        .filter(|square| square.is_none())
        .nth(free as usize)
    {
        *square = Some(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_a_back_rank_of_its_own() {
        let classical = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        assert_eq!(double_position(518, 518), classical);
        assert_eq!(position(518), classical);
        assert_eq!(
            double_position(0, 959),
            "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1"
        );
    }
}
