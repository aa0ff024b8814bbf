//! A surface that the user describes in a file, TOML or JSON.
//!
//! With z the distance from the optimum in units of the parameter's `c_end`, and h its curvature,
//!
//! ```text
//! Elo = - sum h psi(z) (1 + tilt sign(z)) - sum strength z_a z_b - cliffs
//! square      psi = z^2 / 2
//! saturating  psi = 4 (sqrt(1 + z^2 / 4) - 1)      linear tails
//! plateau     psi = 3 z^2 / (6 + z^2)              flat far away
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use foundation::Failure;
use serde::Deserialize;

use crate::formats::encoding;
use crate::parameter::Parameter;

use super::EloSurface;

/// What a file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    parameters: BTreeMap<String, AxisKeys>,
    #[serde(default)]
    interactions: Vec<InteractionKeys>,
    #[serde(default)]
    cliffs: Vec<CliffKeys>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisKeys {
    /// In the option's unit; else the start.
    optimum: Option<f64>,
    /// Elo per `c_end` squared, as reports of runs show it.
    curvature: f64,
    #[serde(default)]
    shape: Shape,
    /// How much steeper the upper side is than the lower one, from -1 to 1.
    #[serde(default)]
    tilt: f64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    #[default]
    Square,
    Saturating,
    Plateau,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InteractionKeys {
    between: [String; 2],
    /// Elo lost where both are one `c_end` above their optima.
    strength: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CliffKeys {
    parameter: String,
    /// Where it begins, in the option's unit.
    at: f64,
    side: Side,
    /// Over how much of the option's unit it falls.
    #[serde(default)]
    width: f64,
    /// Elo lost beyond it.
    loss: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Above,
    Below,
}

/// The surface.
#[derive(Debug, Clone)]
pub(crate) struct OwnSurface {
    axes: Vec<Axis>,
    interactions: Vec<(usize, usize, f64)>,
    cliffs: Vec<Cliff>,
    start: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Axis {
    optimum: f64,
    c_end: f64,
    curvature: f64,
    shape: Shape,
    tilt: f64,
}

#[derive(Debug, Clone, Copy)]
struct Cliff {
    index: usize,
    at: f64,
    side: Side,
    width: f64,
    loss: f64,
}

impl OwnSurface {
    /// Reads a file; parameters that it does not name are dead.
    pub(crate) fn read(path: &Path, parameters: &[Parameter]) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let (text, _) = encoding::read(path)?;
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        Self::parse(&text, is_json, parameters)
            .map_err(|what| Failure::unable(format!("{name}: {what}")).hint(HINT))
    }

    fn parse(text: &str, is_json: bool, parameters: &[Parameter]) -> Result<Self, String> {
        let file: File = if is_json {
            serde_json::from_str(text).map_err(|error| error.to_string())?
        } else {
            toml::from_str(text).map_err(|error| error.to_string())?
        };
        let place = |name: &str| {
            parameters
                .iter()
                .position(|known| known.name == name)
                .ok_or_else(|| format!("`{name}` is no parameter that is tuned"))
        };
        let mut surface = Self {
            axes: parameters.iter().map(Axis::dead).collect(),
            interactions: Vec::new(),
            cliffs: Vec::new(),
            start: parameters.iter().map(|parameter| parameter.value).collect(),
        };
        for (name, keys) in &file.parameters {
            let axis = &mut surface.axes[place(name)?];
            let optimum = keys.optimum.unwrap_or(axis.optimum);
            finite(name, "optimum", optimum)?;
            if !(keys.curvature.is_finite() && keys.curvature >= 0.0) {
                let got = keys.curvature;
                return Err(format!(
                    "{name}: curvature is {got}, not a number from 0 up"
                ));
            }
            if !(-1.0..=1.0).contains(&keys.tilt) {
                return Err(format!(
                    "{name}: tilt is {}, not within -1 and 1",
                    keys.tilt
                ));
            }
            *axis = Axis {
                optimum,
                curvature: keys.curvature,
                shape: keys.shape,
                tilt: keys.tilt,
                ..*axis
            };
        }
        for keys in &file.interactions {
            let [first, second] = &keys.between;
            let (a, b) = (place(first)?, place(second)?);
            finite(first, "strength", keys.strength)?;
            if a == b {
                return Err(format!("an interaction is between {first} and itself"));
            }
            let [one, other] = [a, b].map(|index| surface.axes[index].curvature);
            let most = (one * other).sqrt();
            if keys.strength.abs() >= most {
                return Err(format!(
                    "{first} and {second} have strength {} together; expected less than {most}, the root \
                     of the product of their curvatures {one} and {other}: there is no optimum otherwise",
                    keys.strength
                ));
            }
            surface.interactions.push((a, b, keys.strength));
        }
        for keys in &file.cliffs {
            let name = &keys.parameter;
            finite(name, "at", keys.at)?;
            finite(name, "loss", keys.loss)?;
            if !(keys.width.is_finite() && keys.width >= 0.0) {
                let got = keys.width;
                return Err(format!("{name}: width is {got}, not a number from 0 up"));
            }
            surface.cliffs.push(Cliff {
                index: place(name)?,
                at: keys.at,
                side: keys.side,
                width: keys.width,
                loss: keys.loss,
            });
        }
        Ok(surface)
    }
}

const HINT: &str = "a surface has tables [parameters.NAME] with `curvature`, and may have `optimum`, `shape` \
    and `tilt` there, [[interactions]] and [[cliffs]]; see tuner/README.md";

fn finite(name: &str, key: &str, number: f64) -> Result<(), String> {
    if number.is_finite() {
        return Ok(());
    }
    Err(format!("{name}: {key} is {number}, not a finite number"))
}

impl EloSurface for OwnSurface {
    fn elo(&self, values: &[f64]) -> f64 {
        let distance = |index: usize| self.axes[index].distance(values[index]);
        let own: f64 = self
            .axes
            .iter()
            .zip(values)
            .map(|(axis, &value)| axis.loss(value))
            .sum();
        let together: f64 = self
            .interactions
            .iter()
            .map(|&(a, b, strength)| strength * distance(a) * distance(b))
            .sum();
        let fallen: f64 = self
            .cliffs
            .iter()
            .map(|cliff| cliff.loss(values[cliff.index]))
            .sum();
        -own - together - fallen
    }

    fn deficit(&self) -> f64 {
        -self.elo(&self.start)
    }

    fn is_dead(&self, index: usize) -> bool {
        self.axes[index].curvature == 0.0 && self.cliffs.iter().all(|cliff| cliff.index != index)
    }
}

impl Axis {
    fn dead(parameter: &Parameter) -> Self {
        Self {
            optimum: parameter.value,
            c_end: parameter.c_end,
            curvature: 0.0,
            shape: Shape::Square,
            tilt: 0.0,
        }
    }

    /// From the optimum, in c.
    fn distance(&self, value: f64) -> f64 {
        (value - self.optimum) / self.c_end
    }

    fn loss(&self, value: f64) -> f64 {
        let z = self.distance(value);
        let shape = match self.shape {
            Shape::Square => z * z / 2.0,
            Shape::Saturating => 4.0 * ((1.0 + z * z / 4.0).sqrt() - 1.0),
            Shape::Plateau => 3.0 * z * z / (6.0 + z * z),
        };
        self.curvature * shape * (1.0 + self.tilt * z.signum())
    }
}

impl Cliff {
    fn loss(&self, value: f64) -> f64 {
        let beyond = match self.side {
            Side::Above => value - self.at,
            Side::Below => self.at - value,
        };
        if beyond <= 0.0 {
            0.0
        } else if beyond >= self.width {
            self.loss
        } else {
            self.loss * beyond / self.width
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    const FILE: &str = "[parameters.P0]\noptimum = 1100\ncurvature = 2.0\n\
        [parameters.P1]\ncurvature = 1.0\nshape = 'saturating'\ntilt = 0.5\n\
        [[interactions]]\nbetween = ['P0', 'P1']\nstrength = 0.5\n\
        [[cliffs]]\nparameter = 'P2'\nat = 1010\nside = 'above'\nwidth = 10\nloss = 20\n";

    fn parameters() -> Vec<Parameter> {
        let mut list = study::parameters(4, 1);
        for parameter in &mut list {
            (parameter.c_end, parameter.min, parameter.max) = (50.0, 0.0, 2000.0);
        }
        list
    }

    fn parse(text: &str) -> Result<OwnSurface, String> {
        OwnSurface::parse(text, false, &parameters())
    }

    #[test]
    fn elo_is_what_the_file_says() {
        let surface = parse(FILE).expect("a surface");
        let elo = |values: [f64; 4]| surface.elo(&values);
        assert!(elo([1100.0, 1000.0, 1000.0, 1000.0]).abs() < 1e-12);
        // Two c from the optimum of P0, which loses 2 z^2 / 2.
        assert!((surface.deficit() - 4.0).abs() < 1e-12);
        let upper = elo([1100.0, 1100.0, 1000.0, 1000.0]);
        assert!((upper + 1.5 * 4.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-12);
        // One c above both optima: what each loses, and the interaction.
        let both = elo([1150.0, 1050.0, 1000.0, 1000.0]);
        let alone = elo([1150.0, 1000.0, 1000.0, 1000.0]) + elo([1100.0, 1050.0, 1000.0, 1000.0]);
        assert!((both - alone + 0.5).abs() < 1e-12);
        assert!((elo([1100.0, 1000.0, 1015.0, 1000.0]) + 10.0).abs() < 1e-12);
        assert!((elo([1100.0, 1000.0, 1900.0, 1000.0]) + 20.0).abs() < 1e-12);
        assert!(surface.is_dead(3) && !surface.is_dead(2));
    }

    #[test]
    fn json_says_the_same() {
        let text = r#"{"parameters": {"P0": {"optimum": 1100, "curvature": 2.0}}}"#;
        let surface = OwnSurface::parse(text, true, &parameters()).expect("a surface");
        assert!((surface.deficit() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_surface_is_reported() {
        for (from, to, said) in [
            ("P0]", "Q0]", "`Q0` is no parameter"),
            ("curvature = 2.0", "curvature = -1", "curvature is -1"),
            ("curvature = 2.0", "curve = 1", "unknown field `curve`"),
            ("tilt = 0.5", "tilt = 2", "tilt is 2"),
            (
                "strength = 0.5",
                "strength = 1.5",
                "there is no optimum otherwise",
            ),
            ("'above'", "'beside'", "unknown variant `beside`"),
            ("at = 1010", "at = nan", "at is NaN"),
            ("width = 10", "width = -1", "width is -1"),
            ("[parameters.P0]", "[parameters.P0", "TOML parse error"),
        ] {
            let told = parse(&FILE.replace(from, to)).expect_err(said);
            assert!(told.contains(said), "{told}\nexpected {said}");
        }
    }

    #[test]
    fn the_surface_of_the_manual_is_one() {
        let manual = include_str!("../../README.md");
        let (_, rest) = manual
            .split_once("```toml\n[parameters.")
            .expect("a surface");
        let (text, _) = rest.split_once("```").expect("its end");
        let names = ["RfpMargin", "LmrQuietBase", "HistoryMax"];
        let parameters = names.map(|name| Parameter {
            name: name.to_owned(),
            ..crate::parameter::tests::margin()
        });
        let text = format!("[parameters.{text}");
        OwnSurface::parse(&text, false, &parameters).expect("a surface");
        let flat = text.replace("curvature = 1.0", "curvature = 0");
        let told = OwnSurface::parse(&flat, false, &parameters).expect_err("no optimum");
        let expected =
            "RfpMargin and LmrQuietBase have strength 0.5 together; expected less than 0";
        assert!(told.starts_with(expected), "{told}");
    }
}
