//! The lines of a run's journal.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    Pair(PairLine),
    Fault(FaultLine),
    /// A pair that was given up after repeated faults.
    #[serde(rename = "given-up")]
    GivenUp {
        pair: u64,
    },
    /// A new length of the run.
    Extend {
        iterations: u64,
        /// Whether pairs under way that play the former end no longer count for its strength. Journals of
        /// before 2026-11-26 counted them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        discounted: bool,
    },
}

/// A finished pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairLine {
    pub pair: u64,
    /// Index in the pentanomial, from two losses of the plus side to two wins.
    pub penta: u8,
    #[serde(with = "numbers")]
    pub plus: Vec<f64>,
    #[serde(with = "numbers")]
    pub minus: Vec<f64>,
}

/// A game that an engine spoiled; its pair does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FaultLine {
    pub pair: u64,
    pub attempt: u32,
    /// Whose engine it was, if known.
    pub side: Option<Side>,
    pub what: String,
    #[serde(with = "numbers")]
    pub plus: Vec<f64>,
    #[serde(with = "numbers")]
    pub minus: Vec<f64>,
}

/// The engine of a pair whose result is counted, or its opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Plus,
    Minus,
}

impl FaultLine {
    /// What happened, and to whom.
    pub fn words(&self) -> String {
        let side = match self.side {
            Some(Side::Plus) => "plus side: ",
            Some(Side::Minus) => "minus side: ",
            None => "",
        };
        format!("{side}{}", self.what)
    }
}

/// Whole numbers without a decimal point: most values are, and there are many.
mod numbers {
    use super::{Deserialize, Deserializer, Serializer};

    const EXACT: f64 = (1_u64 << 53) as f64;

    pub(super) fn serialize<S: Serializer>(
        values: &[f64],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut list = serializer.serialize_seq(Some(values.len()))?;
        for &value in values {
            if value.fract() == 0.0 && value.abs() < EXACT {
                list.serialize_element(&(value as i64))?;
            } else {
                list.serialize_element(&value)?;
            }
        }
        list.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<f64>, D::Error> {
        Vec::deserialize(deserializer)
    }
}
