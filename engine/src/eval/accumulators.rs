//! The hidden layer of the network along the line that is searched.
//!
//! A move changes the sums of the hidden layer by two to four rows of weights. Where those before it
//! are up to date, they are changed when it is made. Otherwise it is noted, and they are brought up
//! to date when an evaluation asks for them. A king that changes the half of the board, or its
//! bucket, changes its side's view of every piece: that side's sums are then computed from those of
//! the last position that was seen so, which has most pieces in common.

use cozy_chess::{BitBoard, Color, Move, Piece, Square};

use crate::network::{Accumulator, KingBuckets, Network, View};
use crate::position::Position;
use crate::score::MAX_PLY;

/// Castling puts two pieces on the board and removes two, a capture removes two.
const MAX_CHANGES: usize = 2;

/// Pieces that a move puts on the board or removes from it.
#[derive(Clone, Copy)]
struct Pieces {
    pieces: [(Color, Piece, Square); MAX_CHANGES],
    count: usize,
}

impl Pieces {
    const NONE: Self = Self {
        pieces: [(Color::White, Piece::Pawn, Square::A1); MAX_CHANGES],
        count: 0,
    };

    fn push(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[self.count] = (color, piece, square);
        self.count += 1;
    }

    fn inputs(&self, view: View) -> [u16; MAX_CHANGES] {
        self.pieces
            .map(|(color, piece, square)| view.input(color, piece, square))
    }
}

/// One position of the line.
#[derive(Clone)]
struct Entry {
    /// By perspective: the sums, if they are up to date.
    sums: [Accumulator; 2],
    is_current: [bool; 2],
    views: [View; 2],
    /// What the move that led here has changed.
    added: Pieces,
    removed: Pieces,
}

/// The last position whose sums were computed from scratch with a view, at first the empty board.
#[derive(Clone, Copy)]
struct Seen {
    sums: Accumulator,
    /// By colour and piece.
    pieces: [[BitBoard; 6]; 2],
}

impl Seen {
    fn empty(network: &Network) -> Self {
        Self {
            sums: network.accumulate(&[]),
            pieces: [[BitBoard::EMPTY; 6]; 2],
        }
    }

    /// Brings the sums from the position seen last to this one.
    fn follow(&mut self, network: &Network, position: &Position, view: View) {
        let (mut added, mut removed) = (Inputs::NONE, Inputs::NONE);
        for color in Color::ALL {
            for piece in Piece::ALL {
                let now = position.board().colored_pieces(color, piece);
                let before = &mut self.pieces[color as usize][piece as usize];
                for square in now & !*before {
                    added.push(view.input(color, piece, square));
                }
                for square in *before & !now {
                    removed.push(view.input(color, piece, square));
                }
                *before = now;
            }
        }
        network.change(&mut self.sums, added.as_slice(), removed.as_slice());
    }
}

/// Inputs of pieces, at most one a square.
struct Inputs {
    inputs: [u16; 64],
    count: usize,
}

impl Inputs {
    const NONE: Self = Self {
        inputs: [0; 64],
        count: 0,
    };

    fn push(&mut self, input: u16) {
        self.inputs[self.count] = input;
        self.count += 1;
    }

    fn as_slice(&self) -> &[u16] {
        &self.inputs[..self.count]
    }
}

/// The positions from the root of the search to the current one.
pub struct Accumulators {
    entries: Vec<Entry>,
    top: usize,
    /// By perspective and [`View::number`]; empty before the first search.
    seen: [Vec<Seen>; 2],
}

impl Default for Accumulators {
    fn default() -> Self {
        let entry = Entry {
            sums: [Accumulator::ZERO; 2],
            is_current: [false; 2],
            views: Color::ALL.map(|side| View::new(side, Square::E1, &KingBuckets::ONE)),
            added: Pieces::NONE,
            removed: Pieces::NONE,
        };
        Self {
            entries: vec![entry; MAX_PLY + 1],
            top: 0,
            seen: [Vec::new(), Vec::new()],
        }
    }
}

impl Accumulators {
    /// Starts a line.
    pub fn reset(&mut self, network: &Network, root: &Position) {
        self.top = 0;
        self.entries[0].views = views(network, root);
        // The network may be another one than before.
        for seen in &mut self.seen {
            seen.clear();
            seen.resize(network.views(), Seen::empty(network));
        }
        for side in Color::ALL {
            self.refresh(network, root, side as usize);
        }
    }

    /// A move is made in the current position.
    pub fn push(&mut self, network: &Network, position: &Position, mv: Move) {
        let entry = self.push_null();
        position.changes(mv, |color, piece, square, sign| {
            if sign > 0 {
                if piece == Piece::King {
                    entry.views[color as usize] = network.view(color, square);
                }
                entry.added.push(color, piece, square);
            } else {
                entry.removed.push(color, piece, square);
            }
        });
        // Many positions are never evaluated, but the search has to wait for the table's entry anyway.
        let (before, rest) = self.entries.split_at_mut(self.top);
        let (before, entry) = (&before[self.top - 1], &mut rest[0]);
        for side in 0..2 {
            if before.is_current[side] && before.views[side] == entry.views[side] {
                update(network, before, entry, side);
            }
        }
    }

    /// A null move is made.
    pub fn push_null_move(&mut self) {
        self.push_null();
    }

    fn push_null(&mut self) -> &mut Entry {
        let views = self.entries[self.top].views;
        self.top += 1;
        let entry = &mut self.entries[self.top];
        entry.is_current = [false; 2];
        entry.views = views;
        entry.added.count = 0;
        entry.removed.count = 0;
        entry
    }

    /// The last move is taken back.
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// The output of the network for the current position, which is `position`.
    pub fn output(&mut self, network: &Network, position: &Position) -> i32 {
        for perspective in Color::ALL {
            self.bring_up_to_date(network, position, perspective as usize);
        }
        let sums = &self.entries[self.top].sums;
        let side = position.side();
        let pieces = position.board().occupied().len() as usize;
        network.output(&sums[side as usize], &sums[!side as usize], pieces)
    }

    fn bring_up_to_date(&mut self, network: &Network, position: &Position, side: usize) {
        let view = self.entries[self.top].views[side];
        let mut current = self.top;
        // The root is always up to date.
        loop {
            let entry = &self.entries[current];
            if entry.views[side] != view {
                return self.refresh(network, position, side);
            }
            if entry.is_current[side] {
                break;
            }
            current -= 1;
        }
        for index in current..self.top {
            let (upper, lower) = self.entries.split_at_mut(index + 1);
            update(network, &upper[index], &mut lower[0], side);
        }
    }

    /// Computes one side's sums of the current position without those before it.
    fn refresh(&mut self, network: &Network, position: &Position, side: usize) {
        let top = &mut self.entries[self.top];
        let view = top.views[side];
        let seen = &mut self.seen[side][view.number()];
        seen.follow(network, position, view);
        top.sums[side] = seen.sums;
        top.is_current[side] = true;
    }
}

/// Computes one side's sums of an entry from those of the one before, where it has the same view.
fn update(network: &Network, before: &Entry, entry: &mut Entry, side: usize) {
    let from = &before.sums[side];
    let to = &mut entry.sums[side];
    let added = entry.added.inputs(entry.views[side]);
    let removed = entry.removed.inputs(entry.views[side]);
    match (entry.added.count, entry.removed.count) {
        (0, 0) => *to = *from,
        (1, 1) => network.update(from, to, [added[0]], [removed[0]]),
        (1, 2) => network.update(from, to, [added[0]], removed),
        _ => network.update(from, to, added, removed),
    }
    entry.is_current[side] = true;
}

/// By perspective: how each side sees a position.
fn views(network: &Network, position: &Position) -> [View; 2] {
    Color::ALL.map(|side| network.view(side, position.board().king(side)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::random_network;
    use crate::random::SplitMix;

    /// The sums of a position as one side sees it.
    fn from_scratch(network: &Network, position: &Position, view: View) -> Accumulator {
        let pieces = position.pieces();
        let inputs: Vec<u16> = pieces
            .map(|(color, piece, square)| view.input(color, piece, square))
            .collect();
        network.accumulate(&inputs)
    }

    /// Plays a random line, evaluating now and then, and takes it back; every evaluation is the one
    /// from scratch.
    fn follow(network: &Network, root: &Position, random: &mut SplitMix) -> [usize; 5] {
        let mut accumulators = Accumulators::default();
        accumulators.reset(network, root);
        let mut line = vec![root.clone()];
        let mut seen = [0; 5];
        for _ in 0..400 {
            let position = line[line.len() - 1].clone();
            if random.below(3) == 0 {
                let [white, black] =
                    views(network, &position).map(|view| from_scratch(network, &position, view));
                let pieces = position.board().occupied().len() as usize;
                let expected = match position.side() {
                    Color::White => network.output(&white, &black, pieces),
                    Color::Black => network.output(&black, &white, pieces),
                };
                let found = accumulators.output(network, &position);
                assert_eq!(found, expected, "{}", position.board());
            }
            let moves = position.moves();
            let takes_back = line.len() > 1 && random.below(4) == 0;
            if takes_back || moves.is_empty() || line.len() > MAX_PLY {
                if line.len() == 1 {
                    break;
                }
                line.pop();
                accumulators.pop();
                continue;
            }
            if random.below(8) == 0
                && let Some(next) = position.null_move()
            {
                accumulators.push_null_move();
                line.push(next);
                seen[4] += 1;
                continue;
            }
            // Prefer what is rare.
            let is_rare = |mv: &Move| {
                position.is_castling(*mv) || mv.promotion.is_some() || is_en_passant(&position, *mv)
            };
            let mv = match moves.iter().find(|mv| is_rare(mv)) {
                Some(&mv) if random.below(2) == 0 => mv,
                _ => moves[random.below(moves.len() as u64) as usize],
            };
            seen[0] += usize::from(position.is_castling(mv));
            seen[1] += usize::from(is_en_passant(&position, mv));
            seen[2] += usize::from(mv.promotion.is_some());
            seen[3] += usize::from(position.captured(mv).is_some());
            accumulators.push(network, &position, mv);
            line.push(position.play(mv));
        }
        seen
    }

    fn is_en_passant(position: &Position, mv: Move) -> bool {
        position.captured(mv) == Some(Piece::Pawn) && !position.board().occupied().has(mv.to)
    }

    #[test]
    fn sums_that_follow_the_moves_are_those_from_scratch() {
        let mut random = SplitMix::new(11);
        for layout in [
            "0000/0000/0000/0000/0000/0000/0000/0000",
            "0123/4455/6666/6666/7777/7777/7777/7777",
        ] {
            let network = random_network(layout.parse().unwrap());
            let seen = follow_from_everywhere(&network, &mut random);
            assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
        }
    }

    fn follow_from_everywhere(network: &Network, random: &mut SplitMix) -> [usize; 5] {
        let mut seen = [0; 5];
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            // Chess960: rooks and kings change places.
            "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w BGbg - 0 1",
            "5rkr/8/8/8/8/8/8/5RKR b FHfh - 0 1",
            "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
        ] {
            let root = Position::from_fen(fen).unwrap();
            for _ in 0..8 {
                for (sum, count) in seen.iter_mut().zip(follow(network, &root, random)) {
                    *sum += count;
                }
            }
        }
        seen
    }
}
