//! The network evaluation: file, inputs, and output in centipawns.
//!
//! The network has one hidden layer, which is computed twice: for the side to move and for the
//! other side, each from its own point of view, mirrored if its king is on the files e to h. An
//! input is a piece of one side on a square; a network may have several sets of weights for them,
//! one of which is chosen by the square of the own king ([`KingBuckets`]). The hidden values are
//! clipped to the range from 0 to 1 and squared (`SCReLU`), and an output is their weighted sum.
//! The output is chosen by the number of pieces, since a square is worth more or less in an
//! endgame.
//!
//! The weights are 16-bit integers, and the arithmetic is exact: the output is the same on every
//! machine, whatever instructions the compiler uses.

mod file;
mod king_buckets;

use std::sync::{Arc, LazyLock};

use cozy_chess::{Color, File, Piece, Square};
use wide::{i16x8, i32x4};

use crate::checksum;
pub use file::{
    BLOCK, HIDDEN_UNIT, INPUTS, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SUM, MAX_SQUARE, NetworkFile,
    OUTPUT_UNIT, OUTPUTS,
};
pub use king_buckets::KingBuckets;

const _: () = assert!(MAX_SQUARE <= i16::MAX as i32);

/// The point of view of one side: its own side below, its king on the files a to d, and the weights
/// of that king's bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    perspective: Color,
    /// The mask that is applied to a square by exclusive or.
    turn: u8,
    bucket: u8,
}

impl View {
    /// The view of a side with its king on this square.
    #[inline]
    pub fn new(perspective: Color, king: Square, buckets: &KingBuckets) -> Self {
        let ranks = if perspective == Color::White { 0 } else { 56 };
        let files = if king.file() <= File::D { 0 } else { 7 };
        let turn = ranks | files;
        let seen = king as usize ^ usize::from(turn);
        Self {
            perspective,
            turn,
            bucket: buckets.at(seen % 8, seen / 8) as u8,
        }
    }

    /// Views of a side with the same number are equal.
    pub fn number(self) -> usize {
        2 * usize::from(self.bucket) + usize::from(self.turn & 7 != 0)
    }

    /// The input of a piece on a square.
    #[inline]
    pub fn input(self, color: Color, piece: Piece, square: Square) -> u16 {
        let owner = if color == self.perspective {
            0
        } else {
            INPUTS / 2
        };
        let square = square as usize ^ usize::from(self.turn);
        (usize::from(self.bucket) * INPUTS + owner + piece as usize * 64 + square) as u16
    }
}

// `HIDDEN` and `EMBEDDED: &[u8]`, which the build script has checked.
include!(concat!(env!("OUT_DIR"), "/network.rs"));

/// The network embedded by the build; `None` only if it could not be read.
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

/// The output for a number of pieces, kings included.
pub fn output_index(pieces: usize) -> usize {
    pieces.saturating_sub(1).min(31) * OUTPUTS / 32
}

/// A network that this engine can evaluate.
#[derive(Debug)]
pub struct Network {
    king_buckets: KingBuckets,
    weights: Box<[Accumulator]>,
    biases: Accumulator,
    outputs: [Output; OUTPUTS],
    scale: i32,
}

impl Network {
    /// Reads a network file; fails if its size is not that for which the engine is built.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let file = NetworkFile::from_bytes(bytes)?;
        if file.hidden != HIDDEN {
            return Err(format!(
                "expected a hidden layer of {HIDDEN}, for which this engine is built, got {}; \
                 train one with `--hidden {HIDDEN}`, or embed this one with `make EVALFILE=...`",
                file.hidden
            ));
        }
        file.check()?;
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
            king_buckets: file.king_buckets,
            weights: rows(&file.hidden_weights).into(),
            biases: rows(&file.hidden_biases)[0],
            outputs,
            scale: file.scale,
        })
    }

    /// By which networks are told apart.
    pub fn checksum(&self) -> u64 {
        let outputs = self.outputs.iter().flat_map(|output| &output.weights);
        let rows = self.weights.iter().chain([&self.biases]).chain(outputs);
        let biases = self.outputs.iter().map(|output| output.bias);
        let values = rows.flat_map(|row| row.0).map(i32::from);
        let values = values.chain(biases).chain([self.scale]);
        let buckets = self.king_buckets.to_bytes();
        let start = checksum::mix_bytes(checksum::START, &buckets);
        values.fold(start, |sum, value| checksum::mix(sum, value as u64))
    }

    /// The view of a side with its king on this square.
    #[inline]
    pub fn view(&self, perspective: Color, king: Square) -> View {
        View::new(perspective, king, &self.king_buckets)
    }

    /// Number of different views of a side; see [`View::number`].
    pub fn views(&self) -> usize {
        2 * self.king_buckets.count()
    }

    /// The sums of a side with these inputs.
    pub fn accumulate(&self, inputs: &[u16]) -> Accumulator {
        let mut sums = self.biases;
        self.change(&mut sums, inputs, &[]);
        sums
    }

    /// Makes inputs active and others inactive.
    pub fn change(&self, sums: &mut Accumulator, added: &[u16], removed: &[u16]) {
        // A block of sums stays in registers over all inputs.
        for (index, block) in sums.0.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let row = |input: u16| &self.weight_row(input).as_chunks::<BLOCK>().0[index];
            for &input in added {
                for (sum, weight) in block.iter_mut().zip(row(input)) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
            for &input in removed {
                for (sum, weight) in block.iter_mut().zip(row(input)) {
                    *sum = sum.wrapping_sub(*weight);
                }
            }
        }
    }

    /// Computes sums from those of a position that differs by a few inputs.
    #[inline]
    pub fn update<const ADDED: usize, const REMOVED: usize>(
        &self,
        from: &Accumulator,
        to: &mut Accumulator,
        added: [u16; ADDED],
        removed: [u16; REMOVED],
    ) {
        let added = added.map(|input| self.weight_row(input));
        let removed = removed.map(|input| self.weight_row(input));
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

    fn weight_row(&self, input: u16) -> &[i16; HIDDEN] {
        &self.weights[usize::from(input)].0
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
/// that a processor multiplies as many as a register holds. Registers of 128 bits are wide enough: Intel's
/// processors before Ice Lake lower their frequency for all of the search where those of 256 bits multiply
/// without a pause.
fn weighted_squares(sums: &Accumulator, weights: &Accumulator) -> i32 {
    let blocks = sums.0.as_chunks::<BLOCK>().0.iter();
    // Sums side by side: each addition waits for the last one to the same sum.
    let mut lanes = [i32x4::ZERO; BLOCK / 8];
    for (sums, weights) in blocks.zip(weights.0.as_chunks::<BLOCK>().0) {
        let parts = sums.as_chunks().0.iter().zip(weights.as_chunks().0);
        for (lanes, (&sums, &weights)) in lanes.iter_mut().zip(parts) {
            let values = i16x8::new(sums)
                .max(i16x8::ZERO)
                .min(i16x8::splat(HIDDEN_UNIT as i16));
            // Without the sign bit, which the shift has filled in.
            let squares: i16x8 = (values * values) >> 1;
            let halves = squares & i16x8::splat(i16::MAX);
            *lanes += halves.dot(i16x8::new(weights));
        }
    }
    lanes.into_iter().sum::<i32x4>().reduce_add()
}

#[cfg(test)]
pub mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::SplitMix;

    /// A network of random weights.
    pub fn random(seed: u64, hidden: usize, king_buckets: KingBuckets) -> NetworkFile {
        let mut random = SplitMix::new(seed);
        let mut weights = |count: usize, limit: u64| {
            (0..count)
                .map(|_| random.below(2 * limit + 1) as i16 - limit as i16)
                .collect()
        };
        NetworkFile {
            hidden,
            king_buckets,
            scale: 400,
            hidden_weights: weights(king_buckets.count() * INPUTS * hidden, 60),
            hidden_biases: weights(hidden, 60),
            output_weights: weights(OUTPUTS * 2 * hidden, 127),
            output_biases: (0..OUTPUTS as i32).map(|index| 500 - 90 * index).collect(),
        }
    }

    pub fn random_network(king_buckets: KingBuckets) -> Network {
        let file = random(1, HIDDEN, king_buckets);
        Network::from_bytes(&file.to_bytes()).unwrap()
    }

    fn one_bucket(hidden: usize) -> NetworkFile {
        random(1, hidden, KingBuckets::ONE)
    }

    /// Two buckets: the own first two ranks, and all others.
    fn two_buckets() -> KingBuckets {
        "0000/0000/1111/1111/1111/1111/1111/1111".parse().unwrap()
    }

    #[test]
    fn files_are_read_as_written_and_refused_when_damaged() {
        for file in [one_bucket(32), random(1, 32, two_buckets())] {
            let bytes = file.to_bytes();
            assert_eq!(NetworkFile::from_bytes(&bytes), Ok(file));
            for length in [0, 7, 47, 48, 79, 80, bytes.len() / 2, bytes.len() - 1] {
                assert!(NetworkFile::from_bytes(&bytes[..length]).is_err());
            }
            for index in (0..bytes.len()).step_by(7).chain(0..80) {
                let mut bytes = bytes.clone();
                bytes[index] ^= 1;
                assert!(NetworkFile::from_bytes(&bytes).is_err(), "{index}");
            }
        }
    }

    #[test]
    fn other_networks_are_refused_with_what_was_expected() {
        let refused = |file: NetworkFile| Network::from_bytes(&file.to_bytes()).unwrap_err();
        let error = refused(one_bucket(HIDDEN / 2));
        assert!(
            error.contains(&format!("of {HIDDEN}"))
                && error.contains(&format!("got {}", HIDDEN / 2)),
            "{error}"
        );
        let scale = NetworkFile {
            scale: 0,
            ..one_bucket(HIDDEN)
        };
        assert!(refused(scale).contains("got 0"));
        let mut large = one_bucket(HIDDEN);
        large.output_weights[HIDDEN..2 * HIDDEN].fill(-(1 << 10));
        assert!(refused(large).contains("sum to at most 66052 for a side, got"));
        let mut bytes = random(1, HIDDEN, two_buckets()).to_bytes();
        bytes[12..16].copy_from_slice(&1_000_u32.to_le_bytes());
        let error = Network::from_bytes(&bytes).unwrap_err();
        assert!(
            error.contains("768 for each of 1 to 32 king buckets") && error.contains("got 1000"),
            "{error}"
        );
        let mut large = one_bucket(HIDDEN);
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
        let white = View::new(Color::White, Square::D1, &KingBuckets::ONE);
        let black = View::new(Color::Black, Square::E8, &KingBuckets::ONE);
        assert_eq!(white.input(Color::White, Piece::Pawn, Square::A2), 8);
        assert_eq!(black.input(Color::Black, Piece::Pawn, Square::H7), 8);
        assert_eq!(
            usize::from(black.input(Color::White, Piece::Pawn, Square::H2)),
            INPUTS / 2 + 48
        );
        // No two pieces share an input.
        let mut inputs: Vec<u16> = Color::ALL
            .into_iter()
            .flat_map(|color| Piece::ALL.map(|piece| (color, piece)))
            .flat_map(|(color, piece)| Square::ALL.map(|square| black.input(color, piece, square)))
            .collect();
        inputs.sort_unstable();
        assert!(inputs.into_iter().eq(0..INPUTS as u16));
    }

    #[test]
    fn the_own_king_chooses_the_weights() {
        let layout: KingBuckets = "0123/4444/4444/4444/4444/4444/4444/5555".parse().unwrap();
        for (perspective, king, bucket) in [
            (Color::White, Square::B1, 1),
            (Color::White, Square::G1, 1),
            (Color::White, Square::E2, 4),
            (Color::White, Square::H8, 5),
            (Color::Black, Square::B8, 1),
            (Color::Black, Square::E8, 3),
            (Color::Black, Square::D1, 5),
        ] {
            let view = View::new(perspective, king, &layout);
            let unbucketed = View::new(perspective, king, &KingBuckets::ONE);
            let input = |view: View| usize::from(view.input(Color::White, Piece::Rook, Square::C4));
            assert_eq!(input(view), bucket * INPUTS + input(unbucketed), "{king}");
            assert_eq!(view.number() / 2, bucket);
        }
        // Pawns are seen alike by kings on squares that mirror each other, but not at the same time.
        let [left, right] =
            [Square::B1, Square::G1].map(|king| View::new(Color::White, king, &layout).number());
        assert_eq!(left ^ right, 1);
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

    proptest! {
        /// Whatever instructions a compiler uses, the output is the one of plain arithmetic.
        #[test]
        fn the_output_is_that_of_exact_arithmetic(seed: u64, pieces in 2_usize..=32) {
            let file = random(seed, HIDDEN, KingBuckets::ONE);
            let network = Network::from_bytes(&file.to_bytes()).unwrap();
            let mut random = SplitMix::new(seed ^ 1);
            // Also below the range of the hidden values and above it.
            let mut sums = || Accumulator(std::array::from_fn(|_| random.below(600) as i16 - 150));
            let sides = [sums(), sums()];
            let index = output_index(pieces);
            let weights = file.output_weights.chunks(HIDDEN).skip(2 * index);
            let squares = |sums: &Accumulator| {
                sums.0.map(|sum| i128::from(sum).clamp(0, i128::from(HIDDEN_UNIT)).pow(2) / 2)
            };
            let sum: i128 = sides
                .iter()
                .zip(weights)
                .flat_map(|(side, weights)| squares(side).into_iter().zip(weights))
                .map(|(square, &weight)| square * i128::from(weight))
                .sum();
            let (unit, output_unit) = (i128::from(HIDDEN_UNIT), i128::from(OUTPUT_UNIT));
            let output = 2 * sum / unit + i128::from(file.output_biases[index]);
            let expected = output * i128::from(file.scale) / (unit * output_unit);
            prop_assert_eq!(i128::from(network.output(&sides[0], &sides[1], pieces)), expected);
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let largest = (MAX_OUTPUT_SUM / HIDDEN as i32) as i16;
        let file = NetworkFile {
            hidden_weights: vec![MAX_HIDDEN_WEIGHT; INPUTS * HIDDEN],
            hidden_biases: vec![MAX_HIDDEN_WEIGHT; HIDDEN],
            output_weights: vec![largest; OUTPUTS * 2 * HIDDEN],
            output_biases: vec![0; OUTPUTS],
            ..one_bucket(HIDDEN)
        };
        let network = Network::from_bytes(&file.to_bytes()).unwrap();
        let sums = network.accumulate(&std::array::from_fn::<u16, 32, _>(|input| input as u16));
        let sum = i64::from(MAX_SQUARE) * i64::from(largest) * 2 * HIDDEN as i64;
        let unit = i64::from(HIDDEN_UNIT);
        let expected = 2 * sum / unit * 400 / (unit * i64::from(OUTPUT_UNIT));
        assert_eq!(i64::from(network.output(&sums, &sums, 32)), expected);
    }
}
