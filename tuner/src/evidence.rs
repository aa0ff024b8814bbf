//! What the pairs played so far show about each parameter, with any algorithm.
//!
//! Two independent analyses of the same games:
//!
//! * A regression of the results on what was played (model and symbols as in
//!   [`crate::algorithm::bayes`], without forgetting) gives the gradient at the start, the
//!   curvature, and the expected Elo of a point, each with a standard deviation.
//! * A sign test shows whether a parameter has any effect at all. The coin that decides which side
//!   gets the larger value is independent of everything else. If the parameter is dead, the result
//!   is independent of the coin, and the sums of `result d` and `result d m` (d: half the distance
//!   of the two sides, m: their middle) are martingales of known variance: the first detects a
//!   slope, the second that the slope changed its sign as the parameter moved. This holds however
//!   parameters interact, while the regression's own t gives three times too many false positives.

pub mod anchors;
pub(crate) mod cholesky;
mod claim;
mod findings;
pub(crate) mod interactions;
pub(crate) mod levels;
mod luck;
pub(crate) mod posterior;
pub(crate) mod saturation;
mod shrinkage;
mod sign_test;
mod summary;
pub(crate) mod sums;
pub(crate) mod terms;
mod verdict;

use crate::elo::USUAL_VARIANCE;
use crate::parameter::Parameter;
use crate::perturbation::Perturbation;

use anchors::AnchorSums;
pub use claim::Basis;
pub use findings::{Findings, Worth};
use interactions::{Interactions, Played};
use luck::Luck;
use posterior::Posterior;
use saturation::Saturation;
use shrinkage::{Shrinkage, share_of_claim};
use sign_test::SignSums;
pub use summary::Summary;
use sums::Sums;
use terms::{LEAD, Prior, Terms};
pub use verdict::{SEEN, Verdict};

/// The priors: gradients are `N(0, s^2)` with one of these s for all parameters, all equally
/// likely, and curvatures are `N(k, k^2)` with one of these k. The games show whether an engine's
/// values are near their optimum or far from it; near it, a single s would take noise for gains.
const GRADIENT_SD: [f64; 5] = [0.125, 0.35, 1.0, 2.8, 8.0];
const CURVATURE: [f64; 3] = [0.5, 1.5, 4.5];
/// The prior for a c that is far too large: gradient and curvature together.
const FAR_TOO_LARGE: [(f64, f64); 4] = [(8.0, 15.0), (25.0, 15.0), (25.0, 50.0), (60.0, 150.0)];
/// The weight of the usual variance of a pair's result, in pairs.
const USUAL_WEIGHT: f64 = 200.0;

/// Levels are dropped where less than this share of a move is kept.
const HALF: f64 = 0.5;

/// Sums over all pairs so far.
#[derive(Debug, Clone)]
pub struct Evidence {
    parameters: Vec<Parameter>,
    terms: Terms,
    pairs: u64,
    squares: f64,
    sums: Sums,
    saturation: Saturation,
    signs: Vec<SignSums>,
    /// Kept where interactions are looked for.
    played: Option<Played>,
    anchors: AnchorSums,
    luck: Luck,
    row: Vec<f64>,
}

impl Evidence {
    pub(crate) fn new(parameters: &[Parameter], terms: Terms) -> Self {
        let size = terms.size();
        Self {
            parameters: parameters.to_vec(),
            terms,
            pairs: 0,
            squares: 0.0,
            sums: Sums::new(size),
            saturation: Saturation::default(),
            signs: vec![SignSums::default(); parameters.len()],
            played: None,
            anchors: AnchorSums::default(),
            luck: Luck::default(),
            row: vec![0.0; size],
        }
    }

    /// Keeps all pairs from now on, in which interactions are looked for.
    pub(crate) fn keep_pairs(&mut self) {
        self.played = Some(Played::new(self.parameters.len()));
    }

    /// The estimated variance of a pair's result.
    pub fn variance(&self) -> f64 {
        (USUAL_VARIANCE * USUAL_WEIGHT + self.squares) / (USUAL_WEIGHT + self.pairs as f64)
    }

    /// Adds a pair.
    pub fn observe(&mut self, perturbation: &Perturbation, result: i32) {
        let y = f64::from(result);
        let parameters = &self.parameters;
        self.terms
            .fill(&mut self.row, perturbation, |index| parameters[index].c_end);
        // The sides of an anchor were not chosen by a coin for each parameter.
        if !perturbation.is_anchor {
            self.luck.add(result);
            for (index, signs) in self.signs.iter_mut().enumerate() {
                signs.add(self.terms.slots(index).map(|slot| self.row[slot]), y);
            }
            if let Some(played) = &mut self.played {
                let sides = parameters.iter().enumerate().map(|(index, parameter)| {
                    let sides = [perturbation.plus[index], perturbation.minus[index]];
                    let [plus, minus] = sides.map(|at| (at - parameter.value) / parameter.c_end);
                    ((plus - minus) / 2.0, f64::midpoint(plus, minus))
                });
                played.add(sides, result);
            }
        }
        self.pairs += 1;
        self.squares += y * y;
        if perturbation.counts {
            self.anchors.add(result);
        }
        self.sums.add(&self.row, y);
        // A straight line through such results is far too flat.
        if !perturbation.is_anchor && self.saturation.observe(result) {
            self.sums = Sums::new(self.terms.size());
            if self.played.is_some() {
                self.keep_pairs();
            }
        }
    }

    /// The posterior of gradients and curvatures.
    fn posterior(&self) -> Posterior {
        let variance = self.variance();
        let given = GRADIENT_SD
            .iter()
            .flat_map(|&sd| CURVATURE.map(|curvature| (sd, curvature)))
            .chain(FAR_TOO_LARGE)
            .filter_map(|(sd, curvature)| {
                let prior = Prior {
                    gradient_sd: sd,
                    curvature: (curvature, curvature),
                    worth_sd: sd,
                    lead: LEAD * curvature,
                };
                self.sums
                    .given(variance, |slot| self.terms.prior(slot, &prior))
            });
        Posterior::new(given.collect())
    }

    /// The summary of a run whose values are `end`, all of which is kept.
    pub fn summary(&self, end: &[f64]) -> Summary {
        self.at(&self.posterior(), end, 1.0)
    }

    /// The summary when only the share of the move to `end` is kept that the pairs support, and the
    /// best of each parameter's levels.
    pub fn cautious_summary(&self, end: &[f64]) -> Summary {
        let posterior = self.posterior();
        let whole = self.at(&posterior, end, 1.0);
        let kept = if self.only_levels_moved(&whole) {
            1.0
        } else {
            Shrinkage::new(&whole.parameters).kept(&whole)
        };
        let best = self.with_levels(end, |index| whole.parameters[index].best_level());
        if kept < 1.0 || best != end {
            self.at(&posterior, &best, kept)
        } else {
            whole
        }
    }

    /// Whether no parameter has moved but those with levels, of which no part can be kept.
    fn only_levels_moved(&self, whole: &Summary) -> bool {
        let is_level = |index: usize| self.terms.levels(index).is_some();
        let mut found = whole.parameters.iter().enumerate();
        found.clone().any(|(index, _)| is_level(index))
            && found.all(|(index, found)| is_level(index) || found.moved == 0.0)
    }

    /// These values with other levels, or their starts, in place of all levels.
    fn with_levels<'a>(
        &self,
        values: &[f64],
        level: impl Fn(usize) -> Option<&'a Worth>,
    ) -> Vec<f64> {
        let values = values.iter().zip(&self.parameters).enumerate();
        values
            .map(
                |(index, (value, parameter))| match self.terms.levels(index) {
                    Some(_) => level(index).map_or(parameter.value, |level| level.value),
                    None => *value,
                },
            )
            .collect()
    }

    /// The summary of values that anchors have played: they are kept as far as the claim is above
    /// zero. Levels are kept or not.
    pub fn final_summary(&self, values: &[f64]) -> Summary {
        let posterior = self.posterior();
        let whole = self.at(&posterior, values, 1.0);
        let kept = match share_of_claim(&whole) {
            share if !self.only_levels_moved(&whole) => share,
            share if share < HALF => 0.0,
            _ => 1.0,
        };
        if kept < HALF {
            self.at(&posterior, &self.with_levels(values, |_| None), kept)
        } else if kept < 1.0 {
            self.at(&posterior, values, kept)
        } else {
            whole
        }
    }

    /// From now on anchors play other values.
    pub fn clear_anchors(&mut self) {
        self.anchors = AnchorSums::default();
    }

    /// The interactions between the first `tuned` parameters, but for those with levels; none where
    /// pairs are not kept.
    pub(crate) fn interactions(&self, tuned: usize) -> Option<Interactions> {
        let played = self.played.as_ref()?;
        let chi2 = |index: usize| self.signs[index].chi2();
        let mut among: Vec<usize> = (0..tuned)
            .filter(|&index| self.terms.levels(index).is_none())
            .collect();
        among.sort_by(|&a, &b| chi2(b).total_cmp(&chi2(a)));
        Some(played.interactions(among, self.variance()))
    }

    /// What a level of a parameter is worth.
    fn worth(&self, posterior: &Posterior, index: usize, value: f64) -> Worth {
        let mut form = vec![0.0; self.terms.size()];
        for slot in self.terms.slots(index) {
            form[slot] = self.terms.form(slot, value, 0.0);
        }
        let (elo, elo_sd) = posterior.linear(&form);
        Worth { value, elo, elo_sd }
    }

    /// What the pairs show of the values at this share of the move to `end`.
    fn at(&self, posterior: &Posterior, end: &[f64], kept: f64) -> Summary {
        let count = self.parameters.len();
        let ends = self.parameters.iter().zip(end).enumerate();
        let values: Vec<f64> = ends
            .map(|(index, (parameter, end))| {
                let is_level = self.terms.levels(index).is_some();
                let kept = if is_level { 1.0 } else { kept };
                if kept == 0.0 {
                    // As it is given: games start with what is settled of it.
                    return parameter.value;
                }
                parameter.settle(parameter.value + kept * (end - parameter.value))
            })
            .collect();
        let moved: Vec<f64> = self
            .parameters
            .iter()
            .zip(&values)
            .map(|(parameter, value)| {
                let start = parameter.settle(parameter.value);
                (parameter.settle(*value) - start) / parameter.c_end
            })
            .collect();
        let form: Vec<f64> = (0..self.terms.size())
            .map(|slot| {
                let index = self.terms.owner(slot);
                self.terms.form(slot, values[index], moved[index])
            })
            .collect();
        let (elo, spread) = posterior.linear(&form);
        let parameters: Vec<Findings> = (0..count)
            .map(|index| {
                let chi2 = self.signs[index].chi2();
                let bare = Findings {
                    moved: moved[index],
                    gradient: 0.0,
                    gradient_sd: 0.0,
                    curvature: 0.0,
                    curvature_sd: 0.0,
                    levels: Vec::new(),
                    chi2,
                    verdict: Verdict::Undecided,
                };
                if let Some(levels) = self.terms.levels(index) {
                    let worths: Vec<Worth> = levels
                        .values()
                        .map(|value| self.worth(posterior, index, value))
                        .collect();
                    let losses: Vec<_> = worths.iter().map(|own| (own.elo, own.elo_sd)).collect();
                    return Findings {
                        levels: worths,
                        verdict: Verdict::new(chi2, &losses),
                        ..bare
                    };
                }
                let (gradient, gradient_sd) = posterior.coefficient(index);
                let (curvature, curvature_sd) = posterior.coefficient(count + index);
                let losses = [
                    (gradient, gradient_sd),
                    (curvature / 2.0, curvature_sd / 2.0),
                ];
                Findings {
                    gradient,
                    gradient_sd,
                    curvature,
                    curvature_sd,
                    verdict: Verdict::new(chi2, &losses),
                    ..bare
                }
            })
            .collect();
        let shrinkage = Shrinkage::new(&parameters);
        let regression = (
            elo,
            claim::regression_sd(spread, elo, shrinkage.promised, shrinkage.taken),
        );
        let variance = self.variance();
        let anchors = self.anchors.estimate(variance, self.luck.factor(variance));
        let (basis, (elo, elo_sd)) =
            claim::combined(regression, anchors.map(|own| shrinkage.part(kept, own)));
        Summary {
            pairs: self.pairs,
            variance: self.variance(),
            kept,
            values,
            elo,
            elo_sd,
            regression_elo: regression.0,
            regression_sd: regression.1,
            anchors,
            basis,
            parameters,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::parameter::Kind;
    use crate::synthetic::study;

    /// Plays `pairs` pairs of ten parameters of which only the first matters: `gradient` Elo per c
    /// and `curvature`.
    fn games(gradient: f64, curvature: f64, pairs: u64) -> Evidence {
        let parameters = study::parameters(10, 1);
        let mut evidence = Evidence::new(&parameters, Terms::new(&parameters, false));
        let oracle = crate::synthetic::PairOracle::default();
        let mut generator = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..pairs {
            let mut perturbation = Perturbation {
                plus: Vec::new(),
                minus: Vec::new(),
                ..Perturbation::default()
            };
            for parameter in &parameters {
                let sign = if generator.next_u32() & 1 == 0 {
                    2.0
                } else {
                    -2.0
                };
                let middle =
                    parameter.value + parameter.c_end * f64::from(generator.next_u32() % 5);
                perturbation.plus.push(middle + sign * parameter.c_end);
                perturbation.minus.push(middle - sign * parameter.c_end);
            }
            let elo = |values: &[f64]| {
                let z = (values[0] - parameters[0].value) / parameters[0].c_end;
                gradient * z - curvature / 2.0 * z * z
            };
            let difference = elo(&perturbation.plus) - elo(&perturbation.minus);
            let result = oracle.draw(difference, &mut generator) as i32 - 2;
            evidence.observe(&perturbation, result);
        }
        evidence
    }

    #[test]
    fn gradient_curvature_and_elo_are_found() {
        let evidence = games(6.0, 2.0, 60_000);
        let parameters = study::parameters(10, 1);
        let mut point: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
        point[0] += 3.0 * parameters[0].c_end;
        let summary = evidence.summary(&point);
        let first = &summary.parameters[0];
        assert!(
            (first.gradient - 6.0).abs() < 3.0 * first.gradient_sd,
            "{first:?}"
        );
        assert!(
            (first.curvature - 2.0).abs() < 3.0 * first.curvature_sd,
            "{first:?}"
        );
        assert!(
            first.gradient_sd < 0.7 && first.curvature_sd < 0.5,
            "{first:?}"
        );
        assert_eq!((first.moved, first.verdict), (3.0, Verdict::Evident));
        assert!((summary.elo - 9.0).abs() < 2.0 && summary.elo_sd < 12.0);
        assert!(
            (summary.variance - 0.95).abs() < 0.1,
            "{}",
            summary.variance
        );
        for other in &summary.parameters[1..] {
            assert_ne!(other.verdict, Verdict::Evident, "{other:?}");
        }
    }

    #[test]
    fn a_parameter_at_its_optimum_is_seen_by_its_curvature() {
        let evidence = games(6.0, 3.0, 60_000);
        let point: Vec<f64> = study::parameters(10, 1).iter().map(|p| p.value).collect();
        let summary = evidence.summary(&point);
        // The middles are spread evenly around the optimum at 2 c: no slope on average.
        assert_eq!(summary.parameters[0].verdict, Verdict::Evident);
        assert_eq!(summary.elo, 0.0);
    }

    #[test]
    fn noise_is_not_taken_for_gains() {
        let evidence = games(0.0, 0.0, 20_000);
        let parameters = study::parameters(10, 1);
        // The point that these games favour.
        let summary = evidence.summary(&[0.0; 10]);
        let point: Vec<f64> = parameters
            .iter()
            .zip(&summary.parameters)
            .map(|(parameter, found)| parameter.value + found.gradient * parameter.c_end)
            .collect();
        let summary = evidence.summary(&point);
        assert!(summary.elo < summary.elo_sd.max(0.5), "{summary:?}");
    }

    #[test]
    fn nothing_is_claimed_without_games() {
        let summary = games(0.0, 0.0, 0).summary(&[0.0; 10]);
        assert!(summary.elo_sd.is_finite());
        assert!(
            summary
                .parameters
                .iter()
                .all(|found| found.verdict == Verdict::Undecided)
        );
    }

    #[test]
    fn each_of_a_few_levels_has_its_worth() {
        const WORTHS: [f64; 4] = [0.0, -3.0, 6.0, -2.0];
        let mut parameter = study::parameters(1, 1).remove(0);
        (parameter.min, parameter.max, parameter.value) = (0.0, 3.0, 1.0);
        let parameters = [parameter];
        let mut evidence = Evidence::new(&parameters, Terms::new(&parameters, true));
        let oracle = crate::synthetic::PairOracle::default();
        let mut generator = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..40_000 {
            let [one, other] = [(); 2].map(|()| (generator.next_u32() % 4) as usize);
            let perturbation = Perturbation {
                plus: vec![one as f64],
                minus: vec![other as f64],
                ..Perturbation::default()
            };
            let result = oracle.draw(WORTHS[one] - WORTHS[other], &mut generator) as i32 - 2;
            evidence.observe(&perturbation, result);
        }
        let summary = evidence.cautious_summary(&[1.0]);
        let found = &summary.parameters[0];
        for (level, worth) in found.levels.iter().zip(WORTHS) {
            let off = level.elo - (worth + 3.0);
            assert!(off.abs() < 3.0 * level.elo_sd.max(0.1), "{found:?}");
        }
        assert_eq!((found.levels.len(), found.verdict), (4, Verdict::Evident));
        // The best one is taken, wherever the run has come to.
        assert_eq!((&summary.values[..], summary.kept), (&[2.0][..], 1.0));
        assert!((summary.elo - 9.0).abs() < 2.0, "{summary:?}");
    }

    #[test]
    fn levels_that_anchors_played_are_kept_whole_or_not_at_all() {
        let mut parameter = study::parameters(1, 1).remove(0);
        (parameter.min, parameter.max, parameter.value) = (0.0, 3.0, 1.0);
        let parameters = [parameter];
        let mut shares = Vec::new();
        for wins in 80..120 {
            let mut evidence = Evidence::new(&parameters, Terms::new(&parameters, true));
            for pair in 0..200 {
                let perturbation = Perturbation {
                    plus: vec![2.0],
                    minus: vec![1.0],
                    is_anchor: true,
                    counts: true,
                    ..Perturbation::default()
                };
                evidence.observe(&perturbation, if pair < wins { 1 } else { -1 });
            }
            let summary = evidence.final_summary(&[2.0]);
            assert_eq!(summary.kept == 1.0, summary.values == [2.0], "{summary:?}");
            shares.push(summary.kept);
        }
        shares.dedup();
        assert_eq!(shares, [0.0, 1.0]);
    }

    #[test]
    fn nothing_is_kept_of_a_tune_that_lost_whatever_digits_its_start_has() {
        let mut parameters = study::parameters(2, 1);
        for (parameter, value) in parameters.iter_mut().zip([0.76577, 0.25]) {
            parameter.kind = Kind::Float;
            (parameter.min, parameter.max, parameter.value) = (0.0, 2.0, value);
            parameter.c_end = 0.1;
        }
        let starts: Vec<f64> = parameters.iter().map(|one| one.value).collect();
        let played: Vec<f64> = parameters.iter().map(|one| one.settle(one.value)).collect();
        assert_ne!(played, starts);
        let end = [0.9, 0.4];
        let mut evidence = Evidence::new(&parameters, Terms::new(&parameters, false));
        for pair in 0..200 {
            let perturbation = Perturbation {
                plus: end.to_vec(),
                minus: played.clone(),
                is_anchor: true,
                counts: true,
                ..Perturbation::default()
            };
            evidence.observe(&perturbation, if pair % 4 == 0 { 1 } else { -1 });
        }
        let summary = evidence.final_summary(&end);
        assert_eq!((summary.kept, &summary.values), (0.0, &starts));
        assert!(summary.elo.abs() < 1e-9, "{summary:?}");
        assert!(summary.elo_sd.is_finite(), "{summary:?}");
        assert!(summary.parameters.iter().all(|one| one.moved == 0.0));
    }
}
