//! The evaluation by a network: its file, its inputs, and its output in centipawns.
//!
//! The network has one hidden layer, which is computed twice: for the side to move and for the
//! other side, each seeing the board from its own side and with its own king on the files a to d
//! (else left and right are exchanged). An input is a piece of one side on a square. The hidden
//! values are clipped to the range from 0 to 1 and squared (`SCReLU`), and an output is their
//! weighted sum. There are several outputs, each for positions with so many pieces on the board:
//! the same squares are worth more or less in an endgame.
//!
//! The weights are 16-bit integers, and the arithmetic is exact: every machine finds the same
//! output, whatever instructions its compiler uses.

mod file;
mod king_buckets;

use std::sync::{Arc, LazyLock};

use cozy_chess::{Color, File, Piece, Square};

pub use file::{
    HIDDEN, HIDDEN_UNIT, INPUTS, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SUM, MAX_SQUARE, NetworkFile,
    OUTPUT_UNIT, OUTPUTS,
};
pub use king_buckets::KingBuckets;

const _: () = assert!(MAX_SQUARE <= i16::MAX as i32);

/// How one side sees the board: from its own side, with its own king on the files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    perspective: Color,
    /// What a square's index is combined with by exclusive or.
    turn: usize,
}

impl View {
    /// The view of a side with its king on this square.
    #[inline]
    pub fn new(perspective: Color, king: Square) -> Self {
        let ranks = if perspective == Color::White { 0 } else { 56 };
        let files = if king.file() <= File::D { 0 } else { 7 };
        Self {
            perspective,
            turn: ranks | files,
        }
    }

    /// Whether left and right are exchanged.
    pub fn is_mirrored(self) -> bool {
        self.turn & 7 != 0
    }

    /// The input that is active when the piece stands on the square.
    #[inline]
    pub fn input(self, color: Color, piece: Piece, square: Square) -> usize {
        let owner = if color == self.perspective {
            0
        } else {
            INPUTS / 2
        };
        owner + piece as usize * 64 + (square as usize ^ self.turn)
    }
}

// `EMBEDDED: &[u8]`, which the build script has checked.
include!(concat!(env!("OUT_DIR"), "/network.rs"));

/// The network that was embedded by the build; `None` only if it could not be read.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: LazyLock<Option<Arc<Network>>> =
        LazyLock::new(|| Network::from_bytes(EMBEDDED).ok().map(Arc::new));
    NETWORK.clone()
}

/// Sums of the hidden layer, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Accumulator(pub [i16; HIDDEN]);

impl Accumulator {
    pub const ZERO: Self = Self([0; HIDDEN]);
}

/// Weights of the hidden values for the side to move and for the other side, and a bias.
#[derive(Clone, Copy, Debug)]
struct Output {
    weights: [Accumulator; 2],
    bias: i32,
}

/// The output for positions with so many pieces, kings included.
pub fn output_index(pieces: usize) -> usize {
    pieces.saturating_sub(1).min(31) * OUTPUTS / 32
}

/// A network that this engine can compute.
#[derive(Debug)]
pub struct Network {
    weights: Box<[Accumulator]>,
    biases: Accumulator,
    outputs: [Output; OUTPUTS],
    scale: i32,
}

impl Network {
    /// Reads a network file. One for which the engine is not built is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let file = NetworkFile::for_this_engine(bytes)?;
        let rows = |weights: &[i16]| -> Vec<Accumulator> {
            weights
                .as_chunks()
                .0
                .iter()
                .copied()
                .map(Accumulator)
                .collect()
        };
        let weights = rows(&file.output_weights);
        let outputs = std::array::from_fn(|index| Output {
            weights: [weights[2 * index], weights[2 * index + 1]],
            bias: file.output_biases[index],
        });
        Ok(Self {
            weights: rows(&file.hidden_weights).into(),
            biases: rows(&file.hidden_biases)[0],
            outputs,
            scale: file.scale,
        })
    }

    /// The sums of a side that sees these inputs.
    pub fn accumulate(&self, inputs: impl IntoIterator<Item = usize>) -> Accumulator {
        let mut sums = self.biases;
        for input in inputs {
            self.add(&mut sums, input);
        }
        sums
    }

    /// Makes an input active.
    #[inline]
    pub fn add(&self, sums: &mut Accumulator, input: usize) {
        for (sum, weight) in sums.0.iter_mut().zip(&self.weights[input].0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    /// Makes an input inactive.
    #[inline]
    pub fn remove(&self, sums: &mut Accumulator, input: usize) {
        for (sum, weight) in sums.0.iter_mut().zip(&self.weights[input].0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    /// Computes sums from those of a position that differs by a few inputs.
    #[inline]
    pub fn update<const ADDED: usize, const REMOVED: usize>(
        &self,
        from: &Accumulator,
        to: &mut Accumulator,
        added: [usize; ADDED],
        removed: [usize; REMOVED],
    ) {
        let added = added.map(|input| &self.weights[input].0);
        let removed = removed.map(|input| &self.weights[input].0);
        for index in 0..HIDDEN {
            // The final value fits into 16 bits; an intermediate one need not.
            let mut sum = from.0[index];
            for row in added {
                sum = sum.wrapping_add(row[index]);
            }
            for row in removed {
                sum = sum.wrapping_sub(row[index]);
            }
            to.0[index] = sum;
        }
    }

    /// Centipawns for the side to move, from the sums of both sides and the number of pieces.
    pub fn output(&self, ours: &Accumulator, theirs: &Accumulator, pieces: usize) -> i32 {
        let output = &self.outputs[output_index(pieces)];
        let sum = i64::from(weighted_squares(ours, &output.weights[0]))
            + i64::from(weighted_squares(theirs, &output.weights[1]));
        let unit = i64::from(HIDDEN_UNIT);
        let output = 2 * sum / unit + i64::from(output.bias);
        (output * i64::from(self.scale) / (unit * i64::from(OUTPUT_UNIT))) as i32
    }
}

/// The weighted sum of the clipped and squared values, halved. Half a square fits into 16 bits, so
/// that compilers can multiply sixteen at a time.
fn weighted_squares(sums: &Accumulator, weights: &Accumulator) -> i32 {
    let pairs = sums.0.iter().zip(&weights.0);
    pairs
        .map(|(&sum, &weight)| {
            let value = sum.clamp(0, HIDDEN_UNIT as i16) as u16;
            i32::from((value * value / 2) as i16) * i32::from(weight)
        })
        .sum()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// A network of random weights.
    pub fn random(seed: u64, hidden: usize) -> NetworkFile {
        let mut random = SplitMix::new(seed);
        let mut weights = |count: usize, limit: u64| {
            (0..count)
                .map(|_| random.below(2 * limit + 1) as i16 - limit as i16)
                .collect()
        };
        NetworkFile {
            hidden,
            scale: 400,
            hidden_weights: weights(INPUTS * hidden, 60),
            hidden_biases: weights(hidden, 60),
            output_weights: weights(OUTPUTS * 2 * hidden, 127),
            output_biases: (0..OUTPUTS as i32).map(|index| 500 - 90 * index).collect(),
        }
    }

    pub fn random_network() -> Network {
        Network::from_bytes(&random(1, HIDDEN).to_bytes()).unwrap()
    }

    #[test]
    fn files_are_read_as_written_and_refused_when_damaged() {
        for hidden in [32, HIDDEN] {
            let file = random(1, hidden);
            let bytes = file.to_bytes();
            assert_eq!(NetworkFile::from_bytes(&bytes), Ok(file));
            for length in [0, 7, 47, 48, bytes.len() / 2, bytes.len() - 1] {
                assert!(NetworkFile::from_bytes(&bytes[..length]).is_err());
            }
            for index in (0..bytes.len()).step_by(7).chain(0..48) {
                let mut bytes = bytes.clone();
                bytes[index] ^= 1;
                assert!(NetworkFile::from_bytes(&bytes).is_err(), "{index}");
            }
        }
    }

    #[test]
    fn other_networks_are_refused_with_what_was_expected() {
        let refused = |file: NetworkFile| Network::from_bytes(&file.to_bytes()).unwrap_err();
        let error = refused(random(1, HIDDEN / 2));
        assert!(
            error.contains(&format!("of {HIDDEN}"))
                && error.contains(&format!("got {}", HIDDEN / 2)),
            "{error}"
        );
        let scale = NetworkFile {
            scale: 0,
            ..random(1, HIDDEN)
        };
        assert!(refused(scale).contains("got 0"));
        let mut large = random(1, HIDDEN);
        large.output_weights[HIDDEN..2 * HIDDEN].fill(-(1 << 10));
        assert!(refused(large).contains("sum to at most 66052 for a side, got"));
        let mut large = random(1, HIDDEN);
        large.hidden_biases[3] = i16::MIN;
        assert!(refused(large).contains("hidden weights"));
        assert!(
            Network::from_bytes(b"hello")
                .unwrap_err()
                .contains("a file of 5 bytes")
        );
        let text = [b'x'; 100];
        assert!(
            Network::from_bytes(&text)
                .unwrap_err()
                .contains("got 'xxxxxxxx'")
        );
    }

    #[test]
    fn a_side_sees_itself_below_and_its_king_on_the_left() {
        let white = View::new(Color::White, Square::D1);
        let black = View::new(Color::Black, Square::E8);
        assert_eq!(white.input(Color::White, Piece::Pawn, Square::A2), 8);
        assert_eq!(black.input(Color::Black, Piece::Pawn, Square::H7), 8);
        assert_eq!(
            black.input(Color::White, Piece::Pawn, Square::H2),
            INPUTS / 2 + 48
        );
        // No two pieces share an input.
        let mut inputs: Vec<usize> = Color::ALL
            .into_iter()
            .flat_map(|color| Piece::ALL.map(|piece| (color, piece)))
            .flat_map(|(color, piece)| Square::ALL.map(|square| black.input(color, piece, square)))
            .collect();
        inputs.sort_unstable();
        assert!(inputs.into_iter().eq(0..INPUTS));
    }

    #[test]
    fn every_output_has_its_numbers_of_pieces() {
        let mut counts = [0; OUTPUTS];
        for pieces in 1..=32 {
            counts[output_index(pieces)] += 1;
        }
        assert_eq!(counts, [32 / OUTPUTS; OUTPUTS]);
        assert_eq!(output_index(0), 0);
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let largest = (MAX_OUTPUT_SUM / HIDDEN as i32) as i16;
        let file = NetworkFile {
            hidden_weights: vec![MAX_HIDDEN_WEIGHT; INPUTS * HIDDEN],
            hidden_biases: vec![MAX_HIDDEN_WEIGHT; HIDDEN],
            output_weights: vec![largest; OUTPUTS * 2 * HIDDEN],
            output_biases: vec![0; OUTPUTS],
            ..random(1, HIDDEN)
        };
        let network = Network::from_bytes(&file.to_bytes()).unwrap();
        let sums = network.accumulate(0..32);
        let sum = i64::from(MAX_SQUARE) * i64::from(largest) * 2 * HIDDEN as i64;
        let unit = i64::from(HIDDEN_UNIT);
        let expected = 2 * sum / unit * 400 / (unit * i64::from(OUTPUT_UNIT));
        assert_eq!(i64::from(network.output(&sums, &sums, 32)), expected);
    }
}
