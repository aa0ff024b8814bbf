//! A tune on a synthetic surface whose pairs another program asks for, line by line: the other side
//! of `tuner simulate --oracle`, so that foreign algorithms can be compared with ours.

use serde::{Deserialize, Serialize};

use crate::parameter::Parameter;

use super::games::Games;
use super::study::Cell;
use super::{EloSurface, PairOracle, Surface};

/// What the program is told first.
#[derive(Debug, Serialize)]
struct Description<'a> {
    names: Vec<&'a str>,
    start: Vec<f64>,
    min: Vec<f64>,
    max: Vec<f64>,
    c: Vec<f64>,
    pairs: u64,
}

/// A pair to play, or the values that the program ends with.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Question {
    Pair {
        pair: u64,
        plus: Vec<f64>,
        minus: Vec<f64>,
    },
    Final {
        #[serde(rename = "final")]
        values: Vec<f64>,
    },
}

/// One tune of the study.
pub struct Served<'a> {
    parameters: Vec<Parameter>,
    surface: Surface,
    games: Games<'a>,
    pairs: u64,
    played: u64,
    is_over: bool,
}

impl<'a> Served<'a> {
    /// On the surface, and with the luck, that the study's algorithms have with this seed.
    pub fn new(cell: Cell, seed: u64, pairs: u64, oracle: &'a PairOracle) -> Self {
        let parameters = cell.parameters(seed);
        Self {
            surface: Surface::random(&parameters, cell.family, cell.deficit, seed),
            games: Games::new(oracle, seed),
            parameters,
            pairs,
            played: 0,
            is_over: false,
        }
    }

    /// The tune as a line of JSON.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn description(&self) -> serde_json::Result<String> {
        let each = |value: fn(&Parameter) -> f64| self.parameters.iter().map(value).collect();
        serde_json::to_string(&Description {
            names: self
                .parameters
                .iter()
                .map(|own| own.name.as_str())
                .collect(),
            start: each(|own| own.value),
            min: each(|own| own.min),
            max: each(|own| own.max),
            c: each(|own| own.c_end),
            pairs: self.pairs,
        })
    }

    /// The result of a pair, or what the final values gain over the start, as a line of JSON.
    ///
    /// # Errors
    /// The line is neither of the two, has a value too few or too many, or asks for more than the
    /// tune's pairs and one gain.
    pub fn answer(&mut self, line: &str) -> Result<String, String> {
        let expected = r#"{"pair":0,"plus":[..],"minus":[..]} or {"final":[..]}"#;
        let question = serde_json::from_str(line)
            .map_err(|error| format!("`{line}`: {error}; expected {expected}"))?;
        if self.is_over {
            return Err("the final values were given before".to_owned());
        }
        Ok(match question {
            Question::Pair { pair, plus, minus } => {
                let all = self.pairs;
                if self.played == all {
                    return Err(format!(
                        "all {all} pairs are played: expected {{\"final\":[..]}}"
                    ));
                }
                if pair >= all {
                    let last = all.saturating_sub(1);
                    return Err(format!("pair {pair}, but the tune has pairs 0 to {last}"));
                }
                let (plus, minus) = (self.as_set(&plus)?, self.as_set(&minus)?);
                let fraction = pair as f64 / self.pairs.max(1) as f64;
                let difference = self.surface.difference(&plus, &minus, fraction);
                let result = self.games.play(difference) as i32 - 2;
                self.played += 1;
                format!(r#"{{"result":{result}}}"#)
            }
            Question::Final { values } => {
                let gain = self.surface.elo(&self.as_set(&values)?) + self.surface.deficit();
                self.is_over = true;
                format!(r#"{{"gain":{gain:.3}}}"#)
            }
        })
    }

    /// Whether the final values were given.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Values as an engine would be given them: within bounds, integers rounded.
    fn as_set(&self, values: &[f64]) -> Result<Vec<f64>, String> {
        let (got, expected) = (values.len(), self.parameters.len());
        if got != expected {
            return Err(format!(
                "expected a value for each of {expected} parameters, got {got}"
            ));
        }
        let own = self.parameters.iter().zip(values);
        Ok(own.map(|(own, &value)| own.settle(value)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::Family;

    const CELL: Cell = Cell {
        family: Family::Quadratic,
        count: 3,
        deficit: 12.0,
    };

    #[test]
    fn a_program_meets_the_surface_and_the_luck_of_the_study() {
        let oracle = PairOracle::default();
        let mut served = Served::new(CELL, 7, 100, &oracle);
        let parameters = CELL.parameters(7);
        let surface = Surface::random(&parameters, CELL.family, CELL.deficit, 7);
        let mut games = Games::new(&oracle, 7);
        let description = served.description().expect("JSON");
        assert!(description.starts_with(r#"{"names":["P0","P1","P2"],"start":[1000.0,"#));
        assert!(description.ends_with(r#""pairs":100}"#), "{description}");
        let start: Vec<f64> = parameters.iter().map(|own| own.value).collect();
        let ahead: Vec<f64> = parameters
            .iter()
            .map(|own| own.value + own.c_end.ceil())
            .collect();
        for pair in 0..50 {
            let line = format!(
                r#"{{"pair":{pair},"seed":1,"names":["P0","P1","P2"],"plus":{ahead:?},"minus":{start:?}}}"#
            );
            let result = games.play(surface.elo(&ahead) - surface.elo(&start)) as i32 - 2;
            let expected = format!(r#"{{"result":{result}}}"#);
            assert_eq!(served.answer(&line), Ok(expected));
        }
        // Values are set as an engine's options are.
        let near: Vec<f64> = ahead.iter().map(|value| value + 0.4).collect();
        let gain = surface.elo(&ahead) + surface.deficit();
        assert_eq!(
            served.answer(&format!(r#"{{"final":{near:?}}}"#)),
            Ok(format!(r#"{{"gain":{gain:.3}}}"#))
        );
    }

    #[test]
    fn a_line_that_is_no_question_is_told_so() {
        let oracle = PairOracle::default();
        let mut served = Served::new(CELL, 7, 100, &oracle);
        let told = served.answer("go");
        let told = told.expect_err("no question");
        assert!(
            told.starts_with("`go`: expected value at line 1 column 1; expected"),
            "{told}"
        );
        let told = served.answer(r#"{"final":[1000]}"#);
        assert_eq!(
            told,
            Err("expected a value for each of 3 parameters, got 1".to_owned())
        );
    }

    #[test]
    fn no_more_pairs_are_played_than_the_tune_has() {
        let oracle = PairOracle::default();
        let mut served = Served::new(CELL, 7, 2, &oracle);
        let values = "[1000,1000,1000]";
        let pair = |pair| format!(r#"{{"pair":{pair},"plus":{values},"minus":{values}}}"#);
        let beyond = "pair 2, but the tune has pairs 0 to 1".to_owned();
        assert_eq!(served.answer(&pair(2)), Err(beyond));
        assert!(served.answer(&pair(0)).is_ok() && served.answer(&pair(1)).is_ok());
        let all = "all 2 pairs are played: expected {\"final\":[..]}".to_owned();
        assert_eq!(served.answer(&pair(1)), Err(all));
        let last = format!(r#"{{"final":{values}}}"#);
        assert!(served.answer(&last).is_ok());
        let told = served.answer(&last);
        assert_eq!(told, Err("the final values were given before".to_owned()));
    }
}
