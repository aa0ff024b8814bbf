//! Which parameter causes an engine's faults, and from what value on.
//!
//! A coin chose which side of a pair got the larger value of a parameter. If the parameter is
//! unrelated to the faults, the side that failed has the larger value as often as the smaller,
//! whatever other parameters do. So the number of pairs that failed on one side of it is binomial,
//! and a sign test shows which parameters are involved. The input is each pair that was played to
//! its end and each that an engine spoiled, in any order.

use std::collections::BTreeSet;

use statrs::distribution::{Binomial, DiscreteCDF};

use crate::parameter::Parameter;
use crate::run::lines::{FaultLine, PairLine, Side};
use crate::run::printed::shown;

/// The probability of naming any parameter if none is related to the faults.
const LEVEL: f64 = 0.01;

/// The evidence about an engine's faults.
#[derive(Debug, Clone)]
pub struct Attribution {
    pairs: BTreeSet<u64>,
    records: Vec<Record>,
}

/// One parameter in faulty and in sound pairs.
#[derive(Debug, Clone)]
struct Record {
    name: String,
    choices: Vec<String>,
    /// The values that failed, where they were the larger, and where they were the smaller of the
    /// pair.
    larger: Vec<f64>,
    smaller: Vec<f64>,
    /// The least and the greatest value that a whole pair was played with.
    sound: Option<(f64, f64)>,
}

/// A parameter whose values correlate with the faults.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    pub name: String,
    /// Texts for the values, where it is a choice.
    pub choices: Vec<String>,
    /// Whether large or small values fail.
    pub fails_above: bool,
    /// The mildest value that failed.
    pub from: f64,
    /// The most extreme value in that direction with which a pair was played to its end.
    pub sound: Option<f64>,
    /// Faulty pairs in which the failing side had the value further in that direction, and all in
    /// which the sides differed.
    pub agreeing: usize,
    pub faults: usize,
}

impl Attribution {
    pub fn new(parameters: &[Parameter]) -> Self {
        let record = |parameter: &Parameter| Record {
            name: parameter.name.clone(),
            choices: parameter.choices.clone(),
            larger: Vec::new(),
            smaller: Vec::new(),
            sound: None,
        };
        Self {
            pairs: BTreeSet::new(),
            records: parameters.iter().map(record).collect(),
        }
    }

    /// A pair that was played to its end.
    pub fn sound(&mut self, line: &PairLine) {
        let sides = line.plus.iter().zip(&line.minus);
        for (record, (&plus, &minus)) in self.records.iter_mut().zip(sides) {
            let (least, most) = record.sound.unwrap_or((plus, plus));
            record.sound = Some((least.min(plus).min(minus), most.max(plus).max(minus)));
        }
    }

    /// A pair that an engine spoiled; it counts once, however often it was tried. No coin chose the sides of
    /// an anchor, in which everything that was moved differs at once.
    pub fn fault(&mut self, line: &FaultLine, is_anchor: bool) {
        let Some(side) = line.side else { return };
        if is_anchor || !self.pairs.insert(line.pair) {
            return;
        }
        let sides = line.plus.iter().zip(&line.minus);
        for (record, (&plus, &minus)) in self.records.iter_mut().zip(sides) {
            let (failed, other) = match side {
                Side::Plus => (plus, minus),
                Side::Minus => (minus, plus),
            };
            if failed > other {
                record.larger.push(failed);
            } else if failed < other {
                record.smaller.push(failed);
            }
        }
    }

    /// The parameters related to the faults, the most significant first.
    pub fn suspects(&self) -> Vec<Suspect> {
        let mut found: Vec<(f64, Suspect)> = self
            .records
            .iter()
            .map(|record| (record.chance(), record.suspect()))
            .filter(|(chance, _)| chance * self.records.len() as f64 <= LEVEL)
            .collect();
        found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        found.into_iter().map(|(_, suspect)| suspect).collect()
    }
}

impl Record {
    /// The two-sided p-value of the parameter.
    fn chance(&self) -> f64 {
        let most = self.larger.len().max(self.smaller.len()) as u64;
        let faults = (self.larger.len() + self.smaller.len()) as u64;
        let Some(below) = most.checked_sub(1) else {
            return 1.0;
        };
        Binomial::new(0.5, faults).map_or(1.0, |coins| 2.0 * coins.sf(below))
    }

    fn suspect(&self) -> Suspect {
        let fails_above = self.larger.len() >= self.smaller.len();
        let (agreeing, from, sound) = if fails_above {
            let least = self.larger.iter().copied().fold(f64::INFINITY, f64::min);
            (&self.larger, least, self.sound.map(|(_, most)| most))
        } else {
            let most = self
                .smaller
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max);
            (&self.smaller, most, self.sound.map(|(least, _)| least))
        };
        Suspect {
            name: self.name.clone(),
            choices: self.choices.clone(),
            fails_above,
            from,
            sound,
            agreeing: agreeing.len(),
            faults: self.larger.len() + self.smaller.len(),
        }
    }
}

impl Suspect {
    /// As text, such as `Margin from 106 up: 10 of 10 faults; sound up to 104`.
    pub fn words(&self) -> String {
        let (way, beyond) = if self.fails_above {
            ("up", "up to")
        } else {
            ("down", "down to")
        };
        let sound = match self.sound {
            Some(sound) => format!("sound pairs had {beyond} {}", shown(&self.choices, sound)),
            None => "no pair was sound".to_owned(),
        };
        format!(
            "{} from {} {way}: {} of {} faulty pairs; {sound}",
            self.name,
            shown(&self.choices, self.from),
            self.agreeing,
            self.faults
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturbation::{Draws, probe};
    use crate::synthetic::study;

    /// Plays `pairs` pairs of parameters around their start, against an engine that fails as
    /// `fails` says.
    fn played(count: usize, pairs: u64, fails: impl Fn(&[f64]) -> bool) -> Attribution {
        let parameters = study::parameters(count, 1);
        let mut attribution = Attribution::new(&parameters);
        for pair in 0..pairs {
            let mut draws = Draws::new(3, pair);
            let (plus, minus): (Vec<f64>, Vec<f64>) = parameters
                .iter()
                .map(|parameter| {
                    probe(
                        parameter,
                        parameter.value,
                        2.0 * parameter.c_end,
                        draws.draw(),
                    )
                })
                .unzip();
            let side = match (fails(&plus), fails(&minus)) {
                (true, _) => Side::Plus,
                (_, true) => Side::Minus,
                _ => {
                    attribution.sound(&PairLine {
                        pair,
                        penta: 2,
                        plus,
                        minus,
                    });
                    continue;
                }
            };
            for attempt in 0..3 {
                let line = fault(pair, attempt, side, &plus, &minus);
                attribution.fault(&line, false);
            }
        }
        attribution
    }

    fn fault(pair: u64, attempt: u32, side: Side, plus: &[f64], minus: &[f64]) -> FaultLine {
        FaultLine {
            pair,
            attempt,
            side: Some(side),
            what: String::new(),
            plus: plus.to_vec(),
            minus: minus.to_vec(),
        }
    }

    #[test]
    fn pairs_of_the_values_against_their_start_blame_no_parameter() {
        let mut attribution = Attribution::new(&study::parameters(4, 1));
        for pair in 0..40 {
            let line = fault(pair, 0, Side::Plus, &[1.0; 4], &[0.0; 4]);
            attribution.fault(&line, true);
        }
        assert!(attribution.suspects().is_empty());
    }

    #[test]
    fn the_parameter_that_causes_faults_is_named_with_its_values() {
        let start = study::parameters(20, 1)[7].value;
        let attribution = played(20, 15, |values| values[7] < start);
        let suspects = attribution.suspects();
        assert_eq!(suspects.len(), 1, "{suspects:?}");
        let suspect = &suspects[0];
        assert_eq!((suspect.name.as_str(), suspect.fails_above), ("P7", false));
        assert_eq!((suspect.agreeing, suspect.faults), (15, 15));
        assert!(suspect.from < start && suspect.sound.is_none());
        assert!(
            suspect
                .words()
                .ends_with("down: 15 of 15 faulty pairs; no pair was sound")
        );
    }

    #[test]
    fn a_fault_that_needs_two_values_is_found_among_sound_pairs() {
        let start: Vec<f64> = study::parameters(6, 1).iter().map(|p| p.value).collect();
        let attribution = played(6, 200, |values| {
            values[0] > start[0] && values[3] > start[3]
        });
        let names: BTreeSet<String> = attribution.suspects().into_iter().map(|s| s.name).collect();
        assert_eq!(names, BTreeSet::from(["P0".to_owned(), "P3".to_owned()]));
        assert!(attribution.suspects()[0].sound.is_some());
    }

    #[test]
    fn random_faults_name_no_parameter() {
        let named = (0..200).filter(|salt| {
            // An engine that fails occasionally, whatever its values.
            let fails = |values: &[f64]| {
                let mixed = values.iter().fold(*salt, |hash: u64, value| {
                    (hash ^ value.to_bits())
                        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                        .rotate_left(29)
                });
                mixed % 4 == 0
            };
            !played(10, 60, fails).suspects().is_empty()
        });
        // One in a hundred is allowed.
        let named = named.count();
        assert!(named <= 6, "{named}");
        assert!(
            Attribution::new(&study::parameters(3, 1))
                .suspects()
                .is_empty()
        );
    }
}
