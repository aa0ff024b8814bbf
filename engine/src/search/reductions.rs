//! Late move reductions, in 1024ths of a ply.

use crate::params::Params;

const SIZE: usize = 64;

/// `ln(depth) * ln(move number)` scaled by the parameters: quiet moves and noisy ones.
pub struct Reductions {
    quiet: [[i32; SIZE]; SIZE],
    noisy: [[i32; SIZE]; SIZE],
}

/// What the reduction of a move depends on.
#[derive(Clone, Copy)]
pub(crate) struct ReductionInput {
    pub(crate) quiet: bool,
    pub(crate) pv: bool,
    pub(crate) cut_node: bool,
    pub(crate) improving: bool,
    pub(crate) tt_capture: bool,
    /// A killer or the counter move.
    pub(crate) killer_or_counter: bool,
    pub(crate) gives_check: bool,
    pub(crate) history: i32,
    /// Many of the moves before, or of the moves of sibling nodes, have been refuted.
    pub(crate) refuted: bool,
}

impl Reductions {
    pub fn new(params: &Params) -> Self {
        let table = |base: i32, factor: i32| {
            let mut table = [[0; SIZE]; SIZE];
            for (depth, row) in table.iter_mut().enumerate() {
                for (moves, cell) in row.iter_mut().enumerate() {
                    let product = i64::from(ln(depth)) * i64::from(ln(moves)) * i64::from(factor);
                    *cell = base + (product >> 20) as i32;
                }
            }
            table
        };
        Self {
            quiet: table(params.lmr_quiet_base(), params.lmr_quiet_mul()),
            noisy: table(params.lmr_noisy_base(), params.lmr_noisy_mul()),
        }
    }

    /// The reduction by depth and move number alone.
    pub(crate) fn base(&self, quiet: bool, depth: i32, moves: i32) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[depth.clamp(0, SIZE as i32 - 1) as usize][moves.clamp(0, SIZE as i32 - 1) as usize]
    }

    /// The reduction of this move, in whole plies; may be negative.
    pub(crate) fn plies(
        &self,
        params: &Params,
        depth: i32,
        moves: i32,
        input: ReductionInput,
    ) -> i32 {
        let when = |condition: bool, value: i32| if condition { value } else { 0 };
        let sum = self.base(input.quiet, depth, moves)
            + when(!input.pv, params.lmr_non_pv())
            + when(input.cut_node, params.lmr_cut_node())
            + when(!input.improving, params.lmr_not_improving())
            + when(input.tt_capture, params.lmr_tt_capture())
            + when(input.refuted, params.lmr_refuted())
            - when(input.killer_or_counter, params.lmr_killer())
            - when(input.gives_check, params.lmr_gives_check())
            - input.history * 1024 / params.lmr_history_div();
        sum >> 10
    }
}

/// `1024 * ln(number)` in integer arithmetic, so that every machine searches the same tree; 0 for
/// 0.
fn ln(number: usize) -> i32 {
    if number == 0 {
        return 0;
    }
    let whole = number.ilog2();
    // The fraction of the binary logarithm, bit by bit: squaring a mantissa in [1, 2)
    // doubles its logarithm.
    let mut mantissa = (number as u64) << (32 - whole);
    let mut log2 = u64::from(whole) << 16;
    for bit in (0..16).rev() {
        mantissa = ((u128::from(mantissa) * u128::from(mantissa)) >> 32) as u64;
        if mantissa >> 33 != 0 {
            mantissa >>= 1;
            log2 |= 1 << bit;
        }
    }
    // ln 2 in 65536ths is 45426.
    ((log2 * 45_426 * 1024) >> 32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for number in 1..100_usize {
            let exact = 1024.0 * (number as f64).ln();
            assert!((f64::from(ln(number)) - exact).abs() < 1.5, "{number}");
        }
    }

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let reductions = Reductions::new(&Params::default());
        for n in 2..63 {
            assert!(reductions.base(true, n, 10) <= reductions.base(true, n + 1, 10));
            assert!(reductions.base(true, 10, n) <= reductions.base(true, 10, n + 1));
            assert!(reductions.base(false, 10, n) <= reductions.base(true, 10, n));
        }
    }
}
