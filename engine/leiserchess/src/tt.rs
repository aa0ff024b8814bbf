//! The transposition table, shared by all threads without locks.
//!
//! An entry is two words, the data and the exclusive or of data and key. If two threads have
//! written halves of different entries, the key does not match and the entry is ignored (Hyatt
//! and Mann, 2002).

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::score::{self, DECIDED};
use crate::turn::Move;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

impl Bound {
    /// What the best score of a search within a window says.
    pub(crate) fn of(best: i32, alpha: i32, beta: i32) -> Self {
        if best >= beta {
            Self::Lower
        } else if best > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: Move,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Entry {
    /// Whether the score settles a search within this window.
    pub(crate) fn decides(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// A static evaluation, corrected by what the search found.
    pub(crate) fn corrected(&self, eval: i32) -> i32 {
        match self.bound {
            _ if self.score.abs() >= DECIDED => eval,
            Bound::Exact => self.score,
            Bound::Lower => eval.max(self.score),
            Bound::Upper => eval.min(self.score),
        }
    }
}

const WAYS: usize = 2;

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

pub(crate) struct Table {
    slots: Vec<Slot>,
    generation: AtomicU64,
}

fn slots_of(megabytes: usize) -> usize {
    (megabytes << 20) / size_of::<Slot>()
}

impl Table {
    pub(crate) fn new(megabytes: usize) -> Self {
        Self::over(Vec::new(), megabytes)
    }

    /// # Errors
    /// There is not so much memory.
    pub(crate) fn try_new(megabytes: usize) -> Result<Self, TryReserveError> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(slots_of(megabytes))?;
        Ok(Self::over(slots, megabytes))
    }

    fn over(mut slots: Vec<Slot>, megabytes: usize) -> Self {
        slots.resize_with(slots_of(megabytes), Slot::default);
        Self {
            slots,
            generation: AtomicU64::new(0),
        }
    }

    pub(crate) fn megabytes(&self) -> usize {
        size_of_val(&*self.slots) >> 20
    }

    pub(crate) fn clear(&self) {
        for slot in &self.slots {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
    }

    /// Begins a new generation: entries of earlier searches are replaced first.
    pub(crate) fn age(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = (self.slots.len() / WAYS) as u128;
        let index = ((u128::from(key) * buckets) >> 64) as usize * WAYS;
        &self.slots[index..index + WAYS]
    }

    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let is_here = data != 0 && slot.check.load(Relaxed) ^ data == key;
            is_here.then(|| unpack(data, ply))
        })
    }

    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation.load(Relaxed) & 0x3f;
        let mut best = (i32::MAX, 0);
        for (way, slot) in self.bucket(key).iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if data != 0 && slot.check.load(Relaxed) ^ data == key {
                let old = unpack(data, ply);
                let is_fresh = data >> 58 == generation;
                if is_fresh && entry.bound != Bound::Exact && entry.depth + 3 < old.depth {
                    return;
                }
                if entry.mv == Move::NONE {
                    entry.mv = old.mv;
                }
                best = (i32::MIN, way);
                break;
            }
            let age = (generation.wrapping_sub(data >> 58) & 0x3f) as i32;
            let worth = (data >> 48 & 0xff) as i32 - 8 * age;
            if data == 0 {
                best = (i32::MIN + 1, way);
            } else if worth < best.0 {
                best = (worth, way);
            }
        }
        let slot = &self.bucket(key)[best.1];
        let data = pack(entry, ply, generation);
        slot.data.store(data, Relaxed);
        slot.check.store(data ^ key, Relaxed);
    }

    /// How full the table is with entries of the current search, in permille.
    pub(crate) fn hashfull(&self) -> usize {
        let generation = self.generation.load(Relaxed) & 0x3f;
        let sample = &self.slots[..self.slots.len().min(1000)];
        let is_used = |slot: &&Slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && data >> 58 == generation
        };
        sample.iter().filter(is_used).count() * 1000 / sample.len()
    }
}

/// Bits from the lowest: move 20, a set bit that marks an entry, score 16, bound 2; depth 8 from
/// bit 48, generation 6.
fn pack(entry: Entry, ply: usize, generation: u64) -> u64 {
    let score = u64::from(score::to_table(entry.score, ply) as i16 as u16);
    let depth = entry.depth.clamp(0, 255) as u64;
    u64::from(entry.mv.to_bits())
        | 1 << 20
        | score << 21
        | (entry.bound as u64) << 37
        | depth << 48
        | generation << 58
}

fn unpack(data: u64, ply: usize) -> Entry {
    Entry {
        mv: Move::from_bits(data as u32),
        score: score::from_table(i32::from((data >> 21) as u16 as i16), ply),
        depth: (data >> 48 & 0xff) as i32,
        bound: match data >> 37 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = Table::new(1);
        for (ply, score) in [(0, -17), (5, score::won_in(9)), (7, score::lost_in(12))] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let mv = Move::rotation(63, 62, 3);
                let entry = Entry {
                    mv,
                    score,
                    depth: 19,
                    bound,
                };
                let key = 0x1234_5678_9abc_def0 ^ ply as u64;
                table.clear();
                table.store(key, ply, entry);
                assert_eq!(table.probe(key, ply), Some(entry));
                assert_eq!(table.probe(key ^ 1, ply), None);
            }
        }
    }
}
