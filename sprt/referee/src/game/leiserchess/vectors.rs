//! What other programs have computed, for tests.

use serde::de::DeserializeOwned;

/// A section of the vectors.
pub(super) fn section<T: DeserializeOwned>(name: &str) -> T {
    let text = include_str!("../../../tests/leiserchess-vectors.json");
    let all: serde_json::Value = serde_json::from_str(text).expect("JSON");
    serde_json::from_value(all[name].clone()).expect(name)
}
