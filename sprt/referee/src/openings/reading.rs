//! How a book is used: which of its openings come, and in which order.

use foundation::is_default;
use serde::{Deserialize, Serialize};

use super::{Order, Used};

/// How a book is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    pub order: Order,
    pub seed: u64,
    /// The place in the order at which the first pair begins, from 1.
    pub start: u64,
    /// Moves taken from each line or game of the book; `None` is all of them.
    pub plies: Option<u32>,
    /// Openings to leave out, because another run has had them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Used>,
    /// The number of openings at the end of the first pass that are kept back for another run.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reserved: u64,
}

impl Reading {
    /// The place in a book of `len` openings, which is not empty, of the opening of a pair of games;
    /// both are counted from 0.
    pub(super) fn pick(&self, pair: u64, len: u64) -> u64 {
        let Self {
            order,
            seed,
            start,
            used,
            reserved,
            ..
        } = *self;
        let place = pair.saturating_add(start.saturating_sub(1));
        match used {
            Some(used) if used.fresh(len) > 0 => used.pick_fresh(order, place, len, seed),
            _ => order.pick_unreserved(place, len, reserved.min(len - 1), seed),
        }
    }

    /// How many openings of a book of `len` come before the first that has come already.
    pub fn openings_once(&self, len: u64) -> u64 {
        let usable = match self.used {
            Some(used) if used.fresh(len) > 0 => used.fresh(len),
            _ => len.saturating_sub(self.reserved).max(1),
        };
        match self.order {
            Order::Sequential => usable,
            // Each pass has an order of its own.
            Order::Random => usable - self.start.saturating_sub(1) % usable,
        }
    }
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            order: Order::Random,
            seed: 0,
            start: 1,
            plies: None,
            used: None,
            reserved: 0,
        }
    }
}
