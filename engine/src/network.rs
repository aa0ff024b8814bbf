//! The evaluation by a network: its file, its inputs, and its output in centipawns.
//!
//! The network has one hidden layer, which is computed twice: for the side to move and for the
//! other side, each seeing the board from its own side. An input is a piece of one side on a
//! square. The hidden values are clipped to the range from 0 to 1 and squared (`SCReLU`), and the
//! output is their weighted sum.
//!
//! All numbers of a file are little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 0 to 7 | `WHETSNET` |
//! | 8 to 11 | version of the format, 1 |
//! | 12 to 15 | number of inputs, 768 |
//! | 16 to 19 | size of the hidden layer |
//! | 20 to 23 | number of outputs, 1 |
//! | 24 to 27 | what stands for 1 in the hidden layer, 255 |
//! | 28 to 31 | what stands for 1 in the output weights, 64 |
//! | 32 to 35 | centipawns of an output of 1 |
//! | 36 to 39 | 0 |
//! | 40 to 47 | FNV-1a (64 bits) of all other bytes |
//! | from 48 | hidden weights: `i16`, one row of hidden values an input |
//! | | hidden biases: `i16` |
//! | | output weights: `i16`, for the side to move, then for the other side |
//! | | output bias: `i32`, in units of 1 / (255 * 64) |

use cozy_chess::{Color, Piece, Square};

pub const INPUTS: usize = 768;
/// Size of the hidden layer for which this engine is built.
pub const HIDDEN: usize = 128;
/// What stands for 1 in the hidden layer.
pub const HIDDEN_UNIT: i32 = 255;
/// What stands for 1 in the output weights.
pub const OUTPUT_UNIT: i32 = 64;
/// Largest output weight: its product with a hidden value fits into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// Largest hidden weight or bias: the sum for 32 pieces and the bias fits into 16 bits.
pub const MAX_HIDDEN_WEIGHT: i16 = i16::MAX / 33;

const MAGIC: [u8; 8] = *b"WHETSNET";
const VERSION: u32 = 1;
const HEADER: usize = 48;
/// Where the checksum is.
const SUM: std::ops::Range<usize> = 40..48;
/// Larger hidden layers are taken for damage.
const MAX_HIDDEN: u32 = 1 << 14;

// The sum of a perspective fits into 32 bits.
const _: () = assert!(
    HIDDEN as i64 * (HIDDEN_UNIT * HIDDEN_UNIT) as i64 * MAX_OUTPUT_WEIGHT as i64
        <= i32::MAX as i64
);

/// The input that is active when a piece stands on a square, as seen by one side.
#[inline]
pub fn feature(perspective: Color, color: Color, piece: Piece, square: Square) -> usize {
    let owner = if color == perspective { 0 } else { INPUTS / 2 };
    let square = match perspective {
        Color::White => square as usize,
        Color::Black => square.flip_rank() as usize,
    };
    owner + piece as usize * 64 + square
}

/// The content of a network file, with a hidden layer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFile {
    pub hidden: usize,
    /// Centipawns of an output of 1.
    pub scale: i32,
    pub hidden_weights: Vec<i16>,
    pub hidden_biases: Vec<i16>,
    pub output_weights: Vec<i16>,
    pub output_bias: i32,
}

impl NetworkFile {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let numbers = [
            VERSION,
            INPUTS as u32,
            self.hidden as u32,
            1,
            HIDDEN_UNIT as u32,
            OUTPUT_UNIT as u32,
            self.scale as u32,
            0,
        ];
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&[0; 8]);
        for weights in [
            &self.hidden_weights,
            &self.hidden_biases,
            &self.output_weights,
        ] {
            for weight in weights {
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
        }
        bytes.extend_from_slice(&self.output_bias.to_le_bytes());
        let sum = checksum(&bytes);
        bytes[SUM].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(format!(
                "expected a network, which has a header of {HEADER} bytes, got a file of {} bytes",
                bytes.len()
            ));
        };
        if header[..8] != MAGIC {
            return Err(format!(
                "expected a network, which begins with '{}', got '{}'",
                MAGIC.escape_ascii(),
                header[..8].escape_ascii()
            ));
        }
        let number = |index: usize| u32_at(header, 8 + 4 * index);
        let hidden = number(2);
        let expected = [
            ("version", number(0), VERSION),
            ("number of inputs", number(1), INPUTS as u32),
            ("number of outputs", number(3), 1),
            ("unit of the hidden layer", number(4), HIDDEN_UNIT as u32),
            ("unit of the output weights", number(5), OUTPUT_UNIT as u32),
        ];
        for (name, got, expected) in expected {
            if got != expected {
                return Err(format!("{name}: expected {expected}, got {got}"));
            }
        }
        if !(1..=MAX_HIDDEN).contains(&hidden) {
            return Err(format!(
                "size of the hidden layer: expected 1 to {MAX_HIDDEN}, got {hidden}"
            ));
        }
        let hidden = hidden as usize;
        let weights = INPUTS * hidden + hidden + 2 * hidden;
        let size = HEADER + 2 * weights + 4;
        if bytes.len() != size {
            return Err(format!(
                "expected {size} bytes for a hidden layer of {hidden}, got {}",
                bytes.len()
            ));
        }
        if checksum(bytes).to_le_bytes() != bytes[SUM] {
            return Err("the checksum is wrong: the file is damaged".to_owned());
        }
        let mut values = bytes[HEADER..]
            .as_chunks()
            .0
            .iter()
            .map(|&pair| i16::from_le_bytes(pair));
        let mut take = |count: usize| values.by_ref().take(count).collect();
        Ok(Self {
            hidden,
            scale: u32_at(header, 32) as i32,
            hidden_weights: take(INPUTS * hidden),
            hidden_biases: take(hidden),
            output_weights: take(2 * hidden),
            output_bias: bytes
                .last_chunk()
                .map_or(0, |&bytes| i32::from_le_bytes(bytes)),
        })
    }
}

/// Sums of the hidden layer, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Accumulator(pub [i16; HIDDEN]);

/// A network that this engine can compute.
#[derive(Debug)]
pub struct Network {
    weights: Box<[Accumulator]>,
    biases: Accumulator,
    /// For the side to move, for the other side.
    output_weights: [Accumulator; 2],
    output_bias: i32,
    scale: i32,
}

impl Network {
    /// Reads a network file. One for which the engine is not built is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let file = NetworkFile::from_bytes(bytes)?;
        if file.hidden != HIDDEN {
            return Err(format!(
                "expected a hidden layer of {HIDDEN}, for which this engine is built, got {}; \
                 train one with `--hidden {HIDDEN}`",
                file.hidden
            ));
        }
        if !(1..=10_000).contains(&file.scale) {
            return Err(format!(
                "expected a scale of 1 to 10000, got {}",
                file.scale
            ));
        }
        let largest = |weights: &[i16]| weights.iter().map(|weight| weight.unsigned_abs()).max();
        let hidden = largest(&file.hidden_weights).max(largest(&file.hidden_biases));
        let output = largest(&file.output_weights);
        for (name, largest, limit) in [
            ("hidden", hidden, MAX_HIDDEN_WEIGHT),
            ("output", output, MAX_OUTPUT_WEIGHT),
        ] {
            if largest > Some(limit.unsigned_abs()) {
                return Err(format!("expected {name} weights of at most {limit}"));
            }
        }
        let rows = |weights: &[i16]| -> Vec<Accumulator> {
            weights
                .as_chunks()
                .0
                .iter()
                .copied()
                .map(Accumulator)
                .collect()
        };
        let outputs = rows(&file.output_weights);
        Ok(Self {
            weights: rows(&file.hidden_weights).into(),
            biases: rows(&file.hidden_biases)[0],
            output_weights: [outputs[0], outputs[1]],
            output_bias: file.output_bias,
            scale: file.scale,
        })
    }

    /// The sums of a side that sees these inputs.
    pub fn accumulate(&self, inputs: impl IntoIterator<Item = usize>) -> Accumulator {
        let mut sums = self.biases;
        for input in inputs {
            for (sum, weight) in sums.0.iter_mut().zip(&self.weights[input].0) {
                *sum += weight;
            }
        }
        sums
    }

    /// Centipawns for the side to move, from the sums of both sides.
    pub fn output(&self, ours: &Accumulator, theirs: &Accumulator) -> i32 {
        let sum = i64::from(weighted_squares(ours, &self.output_weights[0]))
            + i64::from(weighted_squares(theirs, &self.output_weights[1]));
        let unit = i64::from(HIDDEN_UNIT);
        let output = sum / unit + i64::from(self.output_bias);
        (output * i64::from(self.scale) / (unit * i64::from(OUTPUT_UNIT))) as i32
    }
}

/// The weighted sum of the clipped and squared values. The products of value and weight fit into 16
/// bits, so that compilers can multiply sixteen at a time.
fn weighted_squares(sums: &Accumulator, weights: &Accumulator) -> i32 {
    let pairs = sums.0.iter().zip(&weights.0);
    pairs
        .map(|(&sum, &weight)| {
            let value = sum.clamp(0, HIDDEN_UNIT as i16);
            i32::from(value * weight) * i32::from(value)
        })
        .sum()
}

fn u32_at(bytes: &[u8; HEADER], index: usize) -> u32 {
    let word = [
        bytes[index],
        bytes[index + 1],
        bytes[index + 2],
        bytes[index + 3],
    ];
    u32::from_le_bytes(word)
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in bytes[..SUM.start].iter().chain(&bytes[SUM.end..]) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
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
            output_weights: weights(2 * hidden, 127),
            output_bias: 500,
        }
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
            for index in (0..bytes.len()).step_by(7).chain(0..HEADER) {
                let mut bytes = bytes.clone();
                bytes[index] ^= 1;
                assert!(NetworkFile::from_bytes(&bytes).is_err(), "{index}");
            }
        }
    }

    #[test]
    fn other_networks_are_refused_with_what_was_expected() {
        let refused = |file: NetworkFile| Network::from_bytes(&file.to_bytes()).unwrap_err();
        let error = refused(random(1, 64));
        assert!(
            error.contains("of 128") && error.contains("got 64"),
            "{error}"
        );
        let scale = NetworkFile {
            scale: 0,
            ..random(1, HIDDEN)
        };
        assert!(refused(scale).contains("got 0"));
        let mut large = random(1, HIDDEN);
        large.output_weights[3] = -128;
        assert!(refused(large).contains("output weights of at most 127"));
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
    fn the_largest_weights_do_not_overflow() {
        let file = NetworkFile {
            hidden_weights: vec![MAX_HIDDEN_WEIGHT; INPUTS * HIDDEN],
            hidden_biases: vec![MAX_HIDDEN_WEIGHT; HIDDEN],
            output_weights: vec![MAX_OUTPUT_WEIGHT; 2 * HIDDEN],
            output_bias: 0,
            ..random(1, HIDDEN)
        };
        let network = Network::from_bytes(&file.to_bytes()).unwrap();
        let sums = network.accumulate(0..32);
        let expected = i64::from(MAX_OUTPUT_WEIGHT) * 2 * HIDDEN as i64 * 400 / 64;
        assert_eq!(i64::from(network.output(&sums, &sums)), expected);
    }
}
