//! Workloads, as users and pages name them.

use std::str::FromStr;

use strum::VariantArray;

/// The three kinds of workloads, which share one sequence of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Kind {
    Test,
    Tune,
    Datagen,
}

impl Kind {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The word in the server's addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Tune => "tune",
            Self::Datagen => "datagen",
        }
    }

    /// Of a workload with this word for its kind of test.
    pub fn of_mode(test_mode: &str) -> Self {
        match test_mode {
            "SPSA" => Self::Tune,
            "DATAGEN" => Self::Datagen,
            _ => Self::Test,
        }
    }

    pub fn path(self, id: u64) -> String {
        format!("/{}/{id}/", self.word())
    }
}

/// A workload as a user names it: `21`, `#21`, or the address of its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadName {
    pub id: u64,
    /// The origin, if an address was given.
    pub server: Option<String>,
}

impl FromStr for WorkloadName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || format!("`{text}` is neither a number nor the address of a test, tune or datagen");
        if let Ok(id) = text.trim_start_matches('#').parse() {
            return Ok(Self { id, server: None });
        }
        // The server's name is checked only when it is contacted.
        let (scheme, rest) = text.split_once("://").ok_or_else(expected)?;
        let (host, path) = rest.split_once('/').ok_or_else(expected)?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let (_, id) = workload_of_path(path).ok_or_else(expected)?;
        Ok(Self {
            id,
            server: Some(format!("{scheme}://{host}")),
        })
    }
}

/// `/test/21/` and the addresses below it.
pub fn workload_of_path(path: &str) -> Option<(Kind, u64)> {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let word = parts.next()?;
    let kind = *Kind::ALL.iter().find(|kind| kind.word() == word)?;
    let id = parts.next()?;
    // `parse` would also take a sign.
    id.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
    Some((kind, id.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn workloads_are_named_by_number_or_page() {
        let name = |text: &str| text.parse::<WorkloadName>();
        let number = WorkloadName {
            id: 21,
            server: None,
        };
        assert_eq!(name("21").as_ref(), Ok(&number));
        assert_eq!(name("#21").as_ref(), Ok(&number));
        for page in ["tune/7/", "tune/7", "tune/7/?page=2", "tune/7/#games"] {
            let name = name(&format!("https://bench.example.org:8443/{page}")).expect(page);
            assert_eq!(
                (name.id, name.server.as_deref()),
                (7, Some("https://bench.example.org:8443"))
            );
        }
        for wrong in [
            "https://bench.example.org/index/",
            "x",
            "https://tune",
            "tune/7/",
        ] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_name_is_a_panic(text in "\\PC{0,60}") {
            let _ = text.parse::<WorkloadName>();
            let _ = workload_of_path(&text);
        }
    }
}
