//! Network files: the quantised weights of a network of any size.
//!
//! All numbers are little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 0 to 7 | `WHETSNET` |
//! | 8 to 11 | version of the format, 3 |
//! | 12 to 15 | number of inputs, 768 for each king bucket |
//! | 16 to 19 | size of the hidden layer, for an engine a multiple of 64 |
//! | 20 to 23 | number of outputs, 8 |
//! | 24 to 27 | what stands for 1 in the hidden layer, 255 |
//! | 28 to 31 | what stands for 1 in the output weights, 512 |
//! | 32 to 35 | centipawns of an output of 1 |
//! | 36 to 39 | 0 |
//! | 40 to 47 | FNV-1a (64 bits) of all other bytes |
//! | from 48 | with more than one king bucket, the bucket of each square: 32 bytes |
//! | | hidden weights: `i16`, by king bucket, one row of hidden values an input |
//! | | hidden biases: `i16` |
//! | | output weights: `i16`, by output, for the side to move, then for the other side |
//! | | output biases: `i32`, in units of 1 / (255 * 512) |

use super::king_buckets::KingBuckets;

/// Inputs of a king bucket.
pub const INPUTS: usize = 768;
/// The hidden layer of an engine is a multiple of this: four registers of AVX2.
pub const BLOCK: usize = 64;
/// Outputs; the number of pieces decides which is used.
pub const OUTPUTS: usize = 8;
/// The quantised value of 1 in the hidden layer.
pub const HIDDEN_UNIT: i32 = 255;
/// The quantised value of 1 in the output weights.
pub const OUTPUT_UNIT: i32 = 512;
/// Largest half of the square of a hidden value; the half fits into 16 bits.
pub const MAX_SQUARE: i32 = HIDDEN_UNIT * HIDDEN_UNIT / 2;
/// Largest sum of absolute weights of one side in an output: the weighted sum of the squares fits
/// into 32 bits.
pub const MAX_OUTPUT_SUM: i32 = i32::MAX / MAX_SQUARE;
/// Largest hidden weight or bias: the sum for 32 pieces and the bias fits into 16 bits.
pub const MAX_HIDDEN_WEIGHT: i16 = i16::MAX / 33;

const MAGIC: [u8; 8] = *b"WHETSNET";
const VERSION: u32 = 3;
const HEADER: usize = 48;
/// Where the checksum is.
const SUM: std::ops::Range<usize> = 40..48;
/// A bucket for each square of the king.
const MAX_BUCKETS: usize = 32;
/// A larger hidden layer means a damaged file.
const MAX_HIDDEN: u32 = 1 << 14;

/// The content of a network file, with a hidden layer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFile {
    pub hidden: usize,
    pub king_buckets: KingBuckets,
    /// Centipawns of an output of 1.
    pub scale: i32,
    pub hidden_weights: Vec<i16>,
    pub hidden_biases: Vec<i16>,
    pub output_weights: Vec<i16>,
    pub output_biases: Vec<i32>,
}

impl NetworkFile {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let numbers = [
            VERSION,
            (INPUTS * self.king_buckets.count()) as u32,
            self.hidden as u32,
            OUTPUTS as u32,
            HIDDEN_UNIT as u32,
            OUTPUT_UNIT as u32,
            self.scale as u32,
            0,
        ];
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&[0; 8]);
        if self.king_buckets != KingBuckets::ONE {
            bytes.extend_from_slice(&self.king_buckets.to_bytes());
        }
        for weights in [
            &self.hidden_weights,
            &self.hidden_biases,
            &self.output_weights,
        ] {
            for weight in weights {
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
        }
        for bias in &self.output_biases {
            bytes.extend_from_slice(&bias.to_le_bytes());
        }
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
            ("number of outputs", number(3), OUTPUTS as u32),
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
        let inputs = number(1) as usize;
        if !(INPUTS..=MAX_BUCKETS * INPUTS).contains(&inputs) || !inputs.is_multiple_of(INPUTS) {
            return Err(format!(
                "number of inputs: expected {INPUTS} for each of 1 to {MAX_BUCKETS} king buckets, \
                 got {inputs}"
            ));
        }
        let layout = if inputs == INPUTS { 0 } else { MAX_BUCKETS };
        let weights = inputs * hidden + hidden + OUTPUTS * 2 * hidden;
        let size = HEADER + layout + 2 * weights + 4 * OUTPUTS;
        if bytes.len() != size {
            return Err(format!(
                "expected {size} bytes for {inputs} inputs and a hidden layer of {hidden}, got {}",
                bytes.len()
            ));
        }
        if checksum(bytes).to_le_bytes() != bytes[SUM] {
            return Err("the checksum is wrong: the file is damaged".to_owned());
        }
        let (layout, rest) = bytes[HEADER..].split_at(layout);
        let king_buckets = match layout.first_chunk() {
            None => KingBuckets::ONE,
            Some(layout) => KingBuckets::new(*layout)?,
        };
        if king_buckets.count() * INPUTS != inputs {
            return Err(format!(
                "number of inputs: expected {} for {} king buckets, got {inputs}",
                king_buckets.count() * INPUTS,
                king_buckets.count()
            ));
        }
        let (weights, biases) = rest.split_at(2 * weights);
        let mut values = weights
            .as_chunks()
            .0
            .iter()
            .map(|&pair| i16::from_le_bytes(pair));
        let mut take = |count: usize| values.by_ref().take(count).collect();
        Ok(Self {
            hidden,
            king_buckets,
            scale: u32_at(header, 32) as i32,
            hidden_weights: take(inputs * hidden),
            hidden_biases: take(hidden),
            output_weights: take(OUTPUTS * 2 * hidden),
            output_biases: (biases.as_chunks().0.iter())
                .map(|&bytes| i32::from_le_bytes(bytes))
                .collect(),
        })
    }
}

impl NetworkFile {
    /// Whether an engine can be built for the network.
    pub fn check_for_build(&self) -> Result<(), String> {
        if !self.hidden.is_multiple_of(BLOCK) {
            return Err(format!(
                "expected a hidden layer that is a multiple of {BLOCK}, got {}",
                self.hidden
            ));
        }
        self.check()
    }

    /// Whether no sum of the engine can overflow.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=10_000).contains(&self.scale) {
            return Err(format!(
                "expected a scale of 1 to 10000, got {}",
                self.scale
            ));
        }
        let hidden = self.hidden_weights.iter().chain(&self.hidden_biases);
        let largest = hidden.map(|weight| weight.unsigned_abs()).max();
        if largest > Some(MAX_HIDDEN_WEIGHT.unsigned_abs()) {
            return Err(format!(
                "expected hidden weights of at most {MAX_HIDDEN_WEIGHT}"
            ));
        }
        for side in self.output_weights.chunks(self.hidden) {
            let sum: i64 = side.iter().map(|&weight| i64::from(weight).abs()).sum();
            if sum > i64::from(MAX_OUTPUT_SUM) {
                return Err(format!(
                    "expected output weights whose sizes sum to at most {MAX_OUTPUT_SUM} for a \
                     side, got {sum}"
                ));
            }
        }
        Ok(())
    }
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
