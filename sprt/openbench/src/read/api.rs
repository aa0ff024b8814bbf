//! What the server's `/api/` answers, as types. Servers differ in age: a field that is missing gets
//! its default.

use std::collections::BTreeMap;

use foundation::Failure;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use openbench_command::workload::Kind;

/// What the server answers when it wants a login.
pub(crate) const WANTS_LOGIN: &str = "API requires authentication";

/// `/api/config/`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Config {
    pub engines: Vec<String>,
    pub books: BTreeMap<String, Value>,
}

/// `/api/config/ENGINE/`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct EngineConfig {
    pub private: bool,
    pub nps: u64,
    pub source: String,
    pub test_presets: Presets,
    pub tune_presets: Presets,
    pub datagen_presets: Presets,
}

/// Fields by preset.
pub(crate) type Presets = BTreeMap<String, Map<String, Value>>;

impl EngineConfig {
    pub fn presets(&self, kind: Kind) -> &Presets {
        match kind {
            Kind::Test => &self.test_presets,
            Kind::Tune => &self.tune_presets,
            Kind::Datagen => &self.datagen_presets,
        }
    }
}

/// `/api/networks/ENGINE/`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Networks {
    pub default: Option<Network>,
    pub networks: Vec<Network>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Network {
    pub default: bool,
    pub was_default: bool,
    /// The first eight digits of its SHA-256, in upper case.
    pub sha256: String,
    pub name: String,
    pub author: String,
    pub created: String,
}

/// `/api/workload/ID/info/`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Info {
    pub id: u64,
    pub author: String,
    pub info: String,
    pub upload_pgns: String,
    pub book_name: String,
    pub dev_engine: String,
    pub dev_options: String,
    pub base_options: String,
    pub dev_time_control: String,
    pub test_mode: String,
    pub elolower: f64,
    pub eloupper: f64,
    pub alpha: f64,
    pub beta: f64,
    pub lowerllr: f64,
    pub currentllr: f64,
    pub upperllr: f64,
    pub max_games: u64,
    pub workload_size: i64,
    pub priority: i64,
    pub throughput: i64,
    pub games: u64,
    pub use_tri: bool,
    pub use_penta: bool,
    pub passed: bool,
    pub failed: bool,
    pub finished: bool,
    pub deleted: bool,
    pub approved: bool,
    pub error: bool,
    pub dev: Side,
    pub base: Side,
    /// Losses, draws, wins.
    pub tri: [u64; 3],
    pub penta: [u64; 5],
    pub creation: String,
    pub updated: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Side {
    pub name: String,
    pub sha: String,
    pub bench: i64,
}

impl Info {
    pub fn kind(&self) -> Kind {
        Kind::of_mode(&self.test_mode)
    }
}

/// A row of `/api/workload/ID/results/`: what one machine played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct MachineResult {
    #[serde(rename(deserialize = "machine__id"))]
    pub machine: u64,
    #[serde(rename(deserialize = "machine__user__username"))]
    pub user: String,
    pub games: u64,
    pub timeloss: u64,
    pub crashes: u64,
    pub active: bool,
}

/// `/api/workload/ID/summary/`; servers before version 49 do not have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Summary {
    pub user: Vec<Share>,
    pub cpu_name: Vec<Share>,
    pub isa_name: Vec<Share>,
}

/// The results of one user, processor or instruction set in a workload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Share {
    pub key: String,
    pub penta: String,
    /// With its error bar.
    pub elo: String,
    pub pairs: u64,
    pub percent: String,
}

impl Summary {
    pub fn parts(&self) -> [(&'static str, &[Share]); 3] {
        [
            ("user", &self.user),
            ("processor", &self.cpu_name),
            ("instruction set", &self.isa_name),
        ]
    }
}

/// `/api/spsa/ID/perturbation/`, by parameter.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Perturbed(BTreeMap<String, Values>);

/// The values of a parameter for each runner.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Values {
    index: u64,
    pub dev: Vec<f64>,
    pub base: Vec<f64>,
    pub c: f64,
    pub r: f64,
}

impl Perturbed {
    /// As the tune lists them.
    pub fn in_order(&self) -> Vec<(&str, &Values)> {
        let mut all: Vec<(&str, &Values)> = self
            .0
            .iter()
            .map(|(name, values)| (name.as_str(), values))
            .collect();
        all.sort_by_key(|(_, values)| values.index);
        all
    }
}

/// `/api/buildinfo/`.
pub type BuildInfo = BTreeMap<String, BuiltEngine>;

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct BuiltEngine {
    pub private: bool,
    pub source: String,
    pub build: Build,
    pub network: Option<DefaultNetwork>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Build {
    pub path: String,
    pub compilers: Vec<String>,
    pub cpuflags: Vec<String>,
    pub systems: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct DefaultNetwork {
    pub sha: String,
    pub name: String,
}

/// One part of an answer's JSON, or all of it.
pub fn part<T: DeserializeOwned>(value: Value, key: Option<&str>) -> Result<T, Failure> {
    let foreign = |what: &str| {
        Failure::unable(format!("the server's answer cannot be understood: {what}"))
            .hint("is this an OpenBench server? One that is very old or new may answer otherwise")
    };
    let value = match (key, value) {
        (None, value) => value,
        (Some(key), mut value) => value
            .get_mut(key)
            .map(Value::take)
            .ok_or_else(|| foreign(&format!("no `{key}`")))?,
    };
    serde_json::from_value(value).map_err(|error| foreign(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_recorded_workload_is_understood() {
        let value = serde_json::from_str(include_str!("../../tests/data/info.json")).expect("JSON");
        let info: Info = part(value, Some("info")).expect("a workload");
        assert_eq!((info.id, info.kind(), info.passed), (21, Kind::Test, true));
        assert_eq!(
            (info.penta, info.tri),
            ([0, 2, 3, 503, 500], [3, 509, 1504])
        );
        assert_eq!(
            (info.dev.name.as_str(), info.dev.bench),
            ("feature/better", 302_398)
        );
    }

    #[test]
    fn values_of_a_perturbation_are_in_the_order_of_the_tune() {
        let value = serde_json::json!({"perturbation": {
            "A": {"index": 1, "dev": [7, 8], "base": [9, 6], "flip": [1, -1], "c": 1.5, "r": 0.01},
            "B": {"index": 0, "dev": [4.575], "base": [4.0], "flip": [1], "c": 0.5, "r": 0.02},
        }});
        let perturbed: Perturbed = part(value, Some("perturbation")).expect("values");
        let names: Vec<&str> = perturbed.in_order().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["B", "A"]);
        assert_eq!(perturbed.in_order()[0].1.dev, [4.575]);
    }

    proptest! {
        #[test]
        fn no_answer_is_a_panic(text in "[{}\\[\\]\":,a-z0-9 .-]{0,60}") {
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                let _ = part::<Info>(value.clone(), Some("info"));
                let _ = part::<EngineConfig>(value.clone(), None);
                let _ = part::<Networks>(value, None);
            }
        }
    }
}
