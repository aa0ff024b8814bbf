//! The start positions of Chess960 by their usual numbers (Reinhard Scharnagl's; 518 is that of
//! classical chess).

pub const POSITIONS: u32 = 960;

/// The start position of a number, as a FEN; numbers begin again after 959.
pub fn position(number: u32) -> String {
    let rank = back_rank(number % POSITIONS);
    let rooks: String = (b'A'..)
        .zip(rank.chars())
        .filter(|(_, piece)| *piece == 'R')
        .map(|(file, _)| char::from(file))
        .collect();
    let castling: String = rooks.chars().rev().collect();
    format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {castling}{} - 0 1",
        rank.to_ascii_lowercase(),
        castling.to_ascii_lowercase()
    )
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
