//! The transposition table, shared by all threads without locks.
//!
//! A bucket of 32 bytes holds three entries of 64 bits of data and 16 bits of the key each. Two
//! threads writing the same entry may mix their keys and data. The search tests table moves for
//! legality, and a wrong score is as rare and as harmless as the key collisions that 16 bits allow
//! anyway.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use cozy_chess::{Move, Piece, Square};

use crate::memory::{self, HugeWords};
use crate::score::{self, Score};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The score is exact.
    Exact = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is at most this.
    Upper = 3,
}

impl Bound {
    /// The bound that a search with this window has proven by its score.
    pub(crate) fn of(score: Score, alpha: Score, beta: Score) -> Self {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a score with this bound allows a cutoff in a search with this window.
    pub(crate) fn allows_cutoff(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score with this bound is a better estimate than the static evaluation.
    pub(crate) fn refines(self, score: Score, eval: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    pub(crate) score: Score,
    /// The uncorrected evaluation, [`score::NONE`] where it was not computed.
    pub(crate) eval: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the node has been part of a principal variation.
    pub(crate) pv: bool,
}

impl Entry {
    /// An evaluation without a result: a bound that is true of every score.
    pub(crate) fn of_eval(eval: Score) -> Self {
        Self {
            mv: None,
            score: -score::INFINITE,
            eval,
            depth: -1,
            bound: Bound::Lower,
            pv: false,
        }
    }
}

const WAYS: usize = 3;
/// Added to stored depths, so that those of quiescence search fit into an unsigned byte.
const DEPTH_OFFSET: i32 = 8;
const GENERATIONS: u8 = 32;

/// Words of a bucket: the data of each entry, then a word with 16 bits of each key.
const BUCKET: usize = WAYS + 1;

pub struct Table {
    words: HugeWords,
    generation: AtomicU8,
}

impl Table {
    /// An empty table of the given size in MiB. Ends the program if the memory cannot be allocated.
    pub fn new(megabytes: usize) -> Self {
        Self::try_new(megabytes).unwrap_or_else(|| handle_alloc_error(Layout::new::<Self>()))
    }

    /// The same, or `None` if the memory cannot be allocated.
    pub(crate) fn try_new(megabytes: usize) -> Option<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20)?;
        Some(Self {
            words: HugeWords::new(bytes / size_of::<u64>())?,
            generation: AtomicU8::new(0),
        })
    }

    pub(crate) fn megabytes(&self) -> usize {
        size_of_val(&*self.words) >> 20
    }

    pub fn clear(&mut self) {
        for word in self.words.iter_mut() {
            *word.get_mut() = 0;
        }
        *self.generation.get_mut() = 0;
    }

    /// Starts a new generation: entries of earlier searches are replaced first.
    pub(crate) fn age(&self) {
        self.generation
            .store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let buckets = self.words.len() / BUCKET;
        let index = ((u128::from(key) * buckets as u128) >> 64) as usize;
        &self.words[index * BUCKET..][..BUCKET]
    }

    /// Starts loading the bucket of a position that is about to be probed.
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(&self.bucket(key)[0]);
    }

    /// The entry of the position, if any. Mate scores are converted to count from the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let bucket = self.bucket(key);
        let keys = bucket[WAYS].load(Relaxed);
        (0..WAYS).find_map(|way| {
            let data = bucket[way].load(Relaxed);
            if data == 0 || key_of(keys, way) != key as u16 {
                return None;
            }
            let mut entry = unpack(data)?;
            entry.score = score::from_table(entry.score, ply);
            Some(entry)
        })
    }

    /// Stores an entry, over an older one of the same position or the least valuable of the bucket.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let bucket = self.bucket(key);
        let keys = bucket[WAYS].load(Relaxed);
        let generation = self.generation.load(Relaxed);
        let mut victim = (0, i32::MAX);
        for (way, data) in bucket[..WAYS].iter().enumerate() {
            let data = data.load(Relaxed);
            if data != 0 && key_of(keys, way) == key as u16 {
                let old_depth = stored_depth(data);
                let fresh = age_of(data, generation) == 0;
                // Keep a deep result of the current search rather than a much shallower bound.
                if fresh && entry.bound != Bound::Exact && entry.depth + 4 < old_depth {
                    return;
                }
                if entry.mv.is_none() {
                    entry.mv = unpack_move(data as u16);
                }
                victim = (way, i32::MIN);
                break;
            }
            let worth = if data == 0 {
                i32::MIN + 1
            } else {
                stored_depth(data) - 4 * i32::from(age_of(data, generation))
            };
            if worth < victim.1 {
                victim = (way, worth);
            }
        }
        // An evaluation alone takes the place of no result that may be asked for.
        if entry.depth < 0 && victim.1 >= 0 {
            return;
        }
        entry.score = score::to_table(entry.score, ply);
        bucket[victim.0].store(pack(entry, generation), Relaxed);
        let shift = 16 * victim.0;
        let others = keys & !(0xffff << shift);
        bucket[WAYS].store(others | u64::from(key as u16) << shift, Relaxed);
    }

    /// How full the table is with entries of the current search, in permille.
    pub(crate) fn hashfull(&self) -> usize {
        let generation = self.generation.load(Relaxed);
        let sample = &self.words[..self.words.len().min(1_000 * BUCKET)];
        let used = sample
            .chunks_exact(BUCKET)
            .flat_map(|bucket| &bucket[..WAYS])
            .map(|data| data.load(Relaxed))
            .filter(|&data| data != 0 && age_of(data, generation) == 0)
            .count();
        used * 1000 / (sample.len() / BUCKET * WAYS)
    }
}

/// The part of a key that is stored for an entry of the bucket.
fn key_of(keys: u64, way: usize) -> u16 {
    (keys >> (16 * way)) as u16
}

/// Data from the low bit: move 16, score 16, evaluation 16, depth 8, bound 2, principal variation
/// 1, generation 5.
fn pack(entry: Entry, generation: u8) -> u64 {
    let low = u64::from(entry.mv.map_or(0, pack_move));
    let score = u64::from(entry.score as i16 as u16);
    let eval = u64::from(entry.eval as i16 as u16);
    let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
    let flags = entry.bound as u64 | u64::from(entry.pv) << 2 | u64::from(generation) << 3;
    low | score << 16 | eval << 32 | depth << 48 | flags << 56
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match (data >> 56) & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    Some(Entry {
        mv: unpack_move(data as u16),
        score: Score::from((data >> 16) as i16),
        eval: Score::from((data >> 32) as i16),
        depth: stored_depth(data),
        bound,
        pv: data >> 58 & 1 == 1,
    })
}

fn stored_depth(data: u64) -> i32 {
    i32::from((data >> 48) as u8) - DEPTH_OFFSET
}

fn age_of(data: u64, generation: u8) -> u8 {
    let stored = (data >> 59) as u8;
    (generation + GENERATIONS - stored) % GENERATIONS
}

fn pack_move(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

fn unpack_move(data: u16) -> Option<Move> {
    if data == 0 {
        return None;
    }
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    let promotion = Piece::try_index(usize::from(data >> 12)).filter(|&piece| piece != Piece::Pawn);
    Some(Move {
        from: square(data),
        to: square(data >> 6),
        promotion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: Score) -> Entry {
        let mv = Some(Move {
            from: Square::A7,
            to: Square::B8,
            promotion: Some(Piece::Queen),
        });
        Entry {
            mv,
            score,
            eval: -37,
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn bounds_say_what_the_window_has_shown_and_settle_no_other() {
        assert_eq!(Bound::of(30, 10, 20), Bound::Lower);
        assert_eq!(Bound::of(20, 10, 20), Bound::Lower);
        assert_eq!(Bound::of(15, 10, 20), Bound::Exact);
        assert_eq!(Bound::of(10, 10, 20), Bound::Upper);
        assert!(Bound::Lower.allows_cutoff(20, 10, 20) && !Bound::Lower.allows_cutoff(19, 10, 20));
        assert!(Bound::Upper.allows_cutoff(10, 10, 20) && !Bound::Upper.allows_cutoff(11, 10, 20));
        assert!(Bound::Exact.allows_cutoff(15, 10, 20));
        assert!(Bound::Lower.refines(5, 4) && !Bound::Lower.refines(4, 4));
        assert!(Bound::Upper.refines(3, 4) && !Bound::Upper.refines(4, 4));
        assert!(Bound::Exact.refines(4, 4));
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let mut table = Table::new(1);
        for (key, depth, score) in [
            (1, 0, 0),
            (u64::MAX, -2, -31_000),
            ((77 << 40) + 5, 120, 250),
        ] {
            let entry = entry(depth, score);
            table.store(key, 3, entry);
            assert_eq!(table.probe(key, 3), Some(entry));
        }
        assert_eq!(table.probe(12345 << 20, 0), None);
        table.clear();
        assert_eq!(table.probe(1, 3), None);
    }

    #[test]
    fn mate_scores_count_from_the_node() {
        let table = Table::new(1);
        table.store(9, 4, entry(5, score::mate_in(10)));
        assert_eq!(table.probe(9, 2).unwrap().score, score::mate_in(8));
        table.store(10, 4, entry(5, score::mated_in(10)));
        assert_eq!(table.probe(10, 6).unwrap().score, score::mated_in(12));
    }

    #[test]
    fn a_bucket_keeps_the_deep_and_recent() {
        let table = Table::new(1);
        // Keys that differ in the low bits only share a bucket.
        for key in 1..=3 {
            table.store(key, 0, entry(10 * key as i32, 0));
        }
        table.store(4, 0, entry(5, 0));
        assert!(table.probe(1, 0).is_none(), "the shallowest goes");
        assert!(table.probe(3, 0).is_some());
        for _ in 0..8 {
            table.age();
        }
        table.store(5, 0, entry(1, 0));
        assert!(table.probe(5, 0).is_some());
        assert!(
            table.probe(3, 0).is_some(),
            "the deepest old entry stays longest"
        );
    }

    #[test]
    fn an_evaluation_alone_says_nothing_of_the_score_and_takes_no_place_of_a_result() {
        let table = Table::new(1);
        table.store(1, 100, Entry::of_eval(70));
        let found = table.probe(1, 2).unwrap();
        assert_eq!(found.eval, 70);
        assert!(
            !found
                .bound
                .allows_cutoff(found.score, score::mated_in(0), score::mated_in(1))
        );
        assert!(!found.bound.refines(found.score, score::mated_in(0)));
        for key in 2..=4 {
            table.store(key, 0, entry(0, 0));
        }
        assert!(table.probe(1, 0).is_none());
        table.store(5, 0, Entry::of_eval(0));
        assert!(table.probe(5, 0).is_none());
        assert!((2..=4).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn moves_survive_packing() {
        let mv = Move {
            from: Square::E1,
            to: Square::H1,
            promotion: None,
        };
        assert_eq!(unpack_move(pack_move(mv)), Some(mv));
        let promotion = Move {
            from: Square::H2,
            to: Square::G1,
            promotion: Some(Piece::Knight),
        };
        assert_eq!(unpack_move(pack_move(promotion)), Some(promotion));
        assert_eq!(unpack_move(0), None);
    }
}
