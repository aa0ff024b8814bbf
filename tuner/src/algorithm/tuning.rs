//! The constants of `bayes`, and those that it had in older plans.

use crate::evidence::terms::{LEAD, Prior};

/// The constants of the algorithm. All rates are per pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuning {
    /// Prior spread of a gradient, Elo per c.
    pub alpha_sd: f64,
    /// Least weight of that guess, in parameters, when their actual spread is estimated. A larger
    /// weight gains on badly scaled parameters that start far from their optimum, and loses on
    /// those that start near it.
    pub guess_weight: f64,
    /// The same weight as a share of the number of parameters: if only a few matter, the spread of
    /// all is not informative.
    pub guess_share: f64,
    /// Prior mean and spread of a curvature, Elo per c squared.
    pub curvature: f64,
    pub curvature_sd: f64,
    /// Variance added at every pair, as a share of the prior variance.
    pub drift: f64,
    /// In place of that drift of the gradients, optima are assumed to wander. With the fraction f of
    /// N pairs played, the variance of each grows by this times `f^2 / N`, in c squared: at the end
    /// of a run what is old is forgotten, and little before that.
    pub wandering: Option<f64>,
    /// With more parameters than this, each is known less precisely, and less is forgotten.
    pub many: f64,
    /// Bound of the centre's speed, c per pair.
    pub speed: f64,
    /// The least distance in c that the bound on speed allows for a whole run: short runs must be
    /// fast.
    pub reach: f64,
    /// Probes at the start and at the end of the run, in c, at most.
    pub probes: (f64, f64),
    /// Runs of more pairs than this begin with narrower probes: there are enough of them, and the
    /// model is wrong far from where it is used.
    pub long: u64,
    /// Curvature at which a probe has its nominal width, and the bounds of its correction.
    pub probe_curvature: f64,
    pub probe_bounds: (f64, f64),
    /// The least curvature that is used to compute the optimum.
    pub least_curvature: f64,
    /// Share of the run whose centres are averaged for export.
    pub tail: f64,
}

impl Tuning {
    pub(crate) const USUAL: Self = Self {
        alpha_sd: 2.0,
        guess_weight: 8.0,
        guess_share: 0.5,
        curvature: 2.5,
        curvature_sd: 1.5,
        drift: 1e-4 / 8.0,
        wandering: Some(0.25),
        many: 40.0,
        speed: 0.01 / 8.0,
        reach: 5.0,
        probes: (2.0, 1.2),
        long: 4_000,
        probe_curvature: 2.5,
        probe_bounds: (0.5, 2.0),
        least_curvature: 0.1,
        tail: 0.12,
    };

    /// The constants of plans of version 7.
    pub(crate) const VERSION_7: Self = Self {
        wandering: None,
        probes: (2.0, 1.0),
        long: u64::MAX,
        tail: 0.4,
        ..Self::USUAL
    };

    /// How much of all drift remains with so many parameters.
    pub(super) fn share_forgotten(&self, count: usize) -> f64 {
        (self.many / count.max(1) as f64).powf(1.5).min(1.0)
    }

    /// What is assumed of the coefficients where c is `scale` times as large as it should be.
    pub(super) fn prior(&self, scale: f64) -> Prior {
        let square = scale.powi(2);
        Prior {
            gradient_sd: self.alpha_sd / scale,
            curvature: (self.curvature / square, self.curvature_sd / square),
            worth_sd: self.alpha_sd,
            lead: LEAD * self.curvature,
        }
    }
}
