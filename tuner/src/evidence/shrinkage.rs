//! How much to keep of the straight line from the start of a run to its end.
//!
//! An algorithm ends where its own model is best, and the noise of the games is in that model. The
//! regression over all games doubts small gradients where there are only small ones: along that
//! line it expects `promised s - taken s^2` Elo at the share s, with the best at `promised / (2 taken)`.
//! A run from an optimum keeps half of the line or less and loses a quarter of what it would have
//! lost; one that found much keeps all of it.

use super::anchors::AnchorEstimate;
use super::claim::{LEAST_ERROR, MODEL_ERROR};
use super::findings::Findings;
use super::summary::Summary;

/// The share that is kept where the claim is 0 Elo, if the anchors are precise. Nothing is kept
/// where the claim is as many standard deviations below.
const DOUBT: f64 = 0.5;
/// With anchors of this standard deviation, in Elo, everything is kept where the claim is 0 Elo:
/// their noise would cost more than what they find out.
const VAGUE: f64 = 16.0;

/// The share to keep of values with this claim.
pub(super) fn share_of_claim(whole: &Summary) -> f64 {
    let doubt = whole
        .anchors
        .map_or(1.0, |anchors| (anchors.elo_sd / VAGUE).clamp(DOUBT, 1.0));
    (doubt + whole.elo / whole.elo_sd).clamp(0.0, 1.0)
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Shrinkage {
    /// Elo of the gradients over the whole line, and what curvatures take of it.
    pub promised: f64,
    pub taken: f64,
}

impl Shrinkage {
    pub(super) fn new(found: &[Findings]) -> Self {
        let promised = found.iter().map(|one| one.gradient * one.moved).sum();
        let taken = found
            .iter()
            .map(|one| one.curvature * one.moved.powi(2) / 2.0)
            .sum();
        Self { promised, taken }
    }

    /// The share where the regression expects most, at most 1.
    fn best(self) -> f64 {
        if self.promised <= 0.0 {
            0.0
        } else if self.promised >= 2.0 * self.taken {
            1.0
        } else {
            self.promised / (2.0 * self.taken)
        }
    }

    /// The share to keep, where this is known of the whole line.
    pub(super) fn kept(self, whole: &Summary) -> f64 {
        if whole.anchors.is_some() {
            self.best().min(share_of_claim(whole))
        } else {
            self.best()
        }
    }

    /// What anchors that played the end say of the point at `share` of the line: Elo rises as
    /// straight as curvatures let it. What levels are worth is scaled, too: anchors show all together.
    pub(super) fn part(self, share: f64, end: AnchorEstimate) -> AnchorEstimate {
        if share <= 0.0 {
            // The start, whatever the end is worth.
            return AnchorEstimate {
                elo: 0.0,
                elo_sd: LEAST_ERROR,
                ..end
            };
        }
        let bent = self.taken * (1.0 - share) / share;
        AnchorEstimate {
            pairs: end.pairs,
            elo: share * end.elo + bent,
            elo_sd: (share * end.elo_sd)
                .hypot(MODEL_ERROR * bent)
                .max(LEAST_ERROR),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::claim::Basis;
    use super::*;

    fn shrinkage(promised: f64, taken: f64) -> Shrinkage {
        Shrinkage { promised, taken }
    }

    fn claim(elo: f64) -> Summary {
        Summary {
            pairs: 1000,
            variance: 0.89,
            kept: 1.0,
            values: Vec::new(),
            elo,
            elo_sd: 4.0,
            regression_elo: elo,
            regression_sd: 4.0,
            anchors: Some(anchors(elo, 4.0)),
            basis: Basis::Both,
            parameters: Vec::new(),
        }
    }

    fn anchors(elo: f64, elo_sd: f64) -> AnchorEstimate {
        AnchorEstimate {
            pairs: 1000,
            elo,
            elo_sd,
        }
    }

    #[test]
    fn the_share_is_where_the_regression_expects_most() {
        assert_eq!(shrinkage(10.0, 10.0).best(), 0.5);
        assert_eq!(shrinkage(20.0, 10.0).best(), 1.0);
        assert_eq!(shrinkage(90.0, 10.0).best(), 1.0);
        assert_eq!(shrinkage(-1.0, 10.0).best(), 0.0);
        assert_eq!(shrinkage(1.0, -2.0).best(), 1.0);
        assert_eq!(shrinkage(0.0, 0.0).best(), 0.0);
    }

    #[test]
    fn the_fewer_the_anchors_the_less_a_claim_of_nothing_is_doubted() {
        let share = |elo, anchors_sd| {
            let mut whole = claim(elo);
            whole.anchors = Some(anchors(elo, anchors_sd));
            shrinkage(20.0, 10.0).kept(&whole)
        };
        assert_eq!(
            [10.0, 1.0, -4.0].map(|elo| share(elo, 4.0)),
            [1.0, 0.75, 0.0]
        );
        assert_eq!(share(-1.0, 12.0), 0.5);
        assert_eq!((share(0.0, 20.0), share(-4.0, 20.0)), (1.0, 0.0));
    }

    #[test]
    fn anchors_at_the_end_tell_of_the_way() {
        let whole = shrinkage(8.0, 4.0).part(1.0, anchors(5.0, 3.0));
        assert_eq!((whole.elo, whole.elo_sd), (5.0, 3.0));
        // 8 s - 4 s^2 is 3 at the half, where curvatures have taken 1.
        let half = shrinkage(4.0, 1.0).part(0.5, anchors(4.0, 6.0));
        assert_eq!(half.elo, 3.0);
        assert!((half.elo_sd - 3.0_f64.hypot(0.3)).abs() < 1e-12);
        for taken in [0.0, 1e-9, 4.0] {
            let none = shrinkage(0.0, taken).part(0.0, anchors(5.0, 3.0));
            assert_eq!((none.elo, none.elo_sd), (0.0, LEAST_ERROR));
        }
    }
}
