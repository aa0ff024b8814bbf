//! The form that creates a workload: names and values, in the order of the server's page.

pub mod check;
pub mod copies;
pub mod github;
pub mod preset;
pub mod spsa;
pub mod time_control;

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use openbench_command::workload::Kind;

/// A form of one of the three kinds. Every field of the kind is present, even if it is empty: the
/// server crashes if one is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    pub kind: Kind,
    fields: Vec<(&'static str, String)>,
}

/// The fields of a side: engine, repository, branch, bench, network, options, time control.
const DEV: [&str; 7] = [
    "dev_engine",
    "dev_repo",
    "dev_branch",
    "dev_bench",
    "dev_network",
    "dev_options",
    "dev_time_control",
];
const BASE: [&str; 7] = [
    "base_engine",
    "base_repo",
    "base_branch",
    "base_bench",
    "base_network",
    "base_options",
    "base_time_control",
];
const TEST: [&str; 4] = [
    "test_mode",
    "test_bounds",
    "test_confidence",
    "test_max_games",
];
const TUNE: [&str; 8] = [
    "spsa_reporting_type",
    "spsa_distribution_type",
    "spsa_alpha",
    "spsa_gamma",
    "spsa_A_ratio",
    "spsa_iterations",
    "spsa_pairs_per",
    "spsa_inputs",
];
const DATAGEN: [&str; 3] = [
    "datagen_max_games",
    "datagen_custom_genfens",
    "datagen_play_reverses",
];
/// Fields of every workload that presets may fill in.
pub(crate) const PRESET: [&str; 8] = [
    "book_name",
    "upload_pgns",
    "priority",
    "throughput",
    "syzygy_wdl",
    "syzygy_adj",
    "win_adj",
    "draw_adj",
];
const SCALE: [&str; 2] = ["scale_method", "scale_nps"];

impl Form {
    /// With every field empty.
    pub fn new(kind: Kind) -> Self {
        let mut names: Vec<&'static str> = DEV.to_vec();
        match kind {
            Kind::Test => names.extend(BASE.iter().chain(&TEST)),
            Kind::Tune => names.extend(TUNE),
            Kind::Datagen => names.extend(BASE.iter().chain(&DATAGEN)),
        }
        names.extend(PRESET.iter().chain(&SCALE));
        if kind != Kind::Tune {
            names.push("workload_size");
        }
        names.push("info");
        Self {
            kind,
            fields: names
                .into_iter()
                .map(|name| (name, String::new()))
                .collect(),
        }
    }

    /// Empty if the kind has no such field.
    pub fn get(&self, name: &str) -> &str {
        let field = self.fields.iter().find(|(known, _)| *known == name);
        field.map_or("", |(_, value)| value)
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| *known == name)
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        if let Some((_, old)) = self.fields.iter_mut().find(|(known, _)| *known == name) {
            *old = value.into();
        }
    }

    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// The address that the form is sent to.
    pub fn path(&self) -> String {
        format!("/{}/new/", self.kind.word())
    }
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .fields
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or_default();
        for (index, (name, value)) in self.fields().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            let value = value.replace('\n', &format!("\n{:width$}  ", ""));
            write!(
                formatter,
                "{end}{}",
                format!("{name:width$}  {value}").trim_end()
            )?;
        }
        Ok(())
    }
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, value) in self.fields() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What the web pages of a server sent, recorded.
    #[test]
    fn the_fields_are_those_that_the_server_reads() {
        let recorded: serde_json::Value =
            serde_json::from_str(include_str!("../tests/data/forms.json")).expect("JSON");
        for &kind in Kind::ALL {
            let expected: BTreeSet<&str> = recorded[kind.word()]
                .as_array()
                .expect("names")
                .iter()
                .filter_map(|name| name.as_str())
                .collect();
            let form = Form::new(kind);
            let ours: BTreeSet<&str> = form.fields().map(|(name, _)| name).collect();
            assert_eq!(ours, expected, "{}", kind.word());
        }
    }

    #[test]
    fn a_printed_form_keeps_lines_under_their_field() {
        let mut form = Form::new(Kind::Tune);
        form.set("spsa_inputs", "A, int\nB, int");
        let text = form.to_string();
        assert!(
            text.contains("spsa_inputs             A, int\n                        B, int\n"),
            "{text}"
        );
        assert!(text.starts_with("dev_engine\n"), "{text}");
    }
}
