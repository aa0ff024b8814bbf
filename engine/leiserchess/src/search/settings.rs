//! What a search works with besides the position: parameters and what follows from them.

use crate::eval::Evaluation;
use crate::params::Params;

/// Depths and move numbers beyond are reduced like these.
const MOST: usize = 64;

/// Plies by which late moves are searched less deeply.
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
    /// Plies without a zap that are a draw.
    pub(crate) quiet_limit: usize,
    /// Milliseconds lost between the clock and the engine.
    pub(crate) overhead: u64,
    pub(crate) threads: usize,
    /// Play from the opening book.
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
            own_book: false,
        }
    }
}

impl Settings {
    /// Sets a parameter by its place.
    ///
    /// # Errors
    /// If the value is out of its range.
    pub(crate) fn set(&mut self, index: usize, value: i32) -> Result<(), String> {
        self.params.set(index, value)?;
        self.evaluation = Evaluation::new(&self.params);
        self.reductions = Reductions::new(&self.params);
        Ok(())
    }
}
