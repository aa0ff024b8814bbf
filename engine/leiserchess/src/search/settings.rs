//! Settings of a search: options, parameters and what is computed from them.

use crate::eval::Evaluation;
use crate::params::Params;

/// Greater depths and move numbers are treated like the last of the table.
const MOST: usize = 64;

/// Late move reductions in plies, by depth and move number.
#[derive(Clone, Debug)]
pub(crate) struct Reductions(Vec<[i32; MOST]>);

impl Reductions {
    fn new(params: &Params) -> Self {
        let percent = |value: i32| f64::from(value) / 100.0;
        let (base, scale) = (percent(params.lmr_base()), percent(params.lmr_scale()));
        let of = |depth: usize, number: usize| {
            let logs = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            (base + scale * logs).max(0.0) as i32
        };
        let row = |depth| std::array::from_fn(|number| of(depth, number));
        Self((0..MOST).map(row).collect())
    }

    pub(crate) fn plies(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(MOST - 1)][number.min(MOST - 1)]
    }
}

/// The options of a search.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) params: Params,
    pub(crate) evaluation: Evaluation,
    pub(crate) reductions: Reductions,
    /// Plies without a zap after which the game is a draw.
    pub(crate) quiet_limit: usize,
    /// Time lost between GUI and engine, in milliseconds.
    pub(crate) overhead: u64,
    pub(crate) threads: usize,
    /// How many of the best root moves to report.
    pub(crate) multi_pv: usize,
    /// Whether to play from the opening book.
    pub(crate) own_book: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let params = Params::default();
        Self {
            evaluation: Evaluation::new(&params),
            reductions: Reductions::new(&params),
            params,
            quiet_limit: 100,
            overhead: 10,
            threads: 1,
            multi_pv: 1,
            own_book: false,
        }
    }
}

impl Settings {
    /// Sets a parameter by its index.
    ///
    /// # Errors
    /// The value is out of range.
    pub(crate) fn set(&mut self, index: usize, value: i32) -> Result<(), String> {
        self.params.set(index, value)?;
        self.evaluation = Evaluation::new(&self.params);
        self.reductions = Reductions::new(&self.params);
        Ok(())
    }
}
