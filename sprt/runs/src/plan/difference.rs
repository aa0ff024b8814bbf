//! What differs between the two engines of a match besides their programs, for people to read: two
//! it distinguishes runs of the same engines.

use std::collections::BTreeMap;

use super::project_file::LIMITS;
use super::{EngineSettings, Plan};

impl Plan {
    /// The settings that differ, as `RfpMargin 75 -> 140`; `None` where they are the same.
    pub fn difference(&self) -> Option<String> {
        let [base, new] = [&self.base, &self.new].map(|engine| {
            let mut settings = engine.settings.clone();
            // Without a limit of its own it has that of the match, which is no default.
            settings.limit = Some(engine.limit(&self.play.limit).clone());
            named(&settings)
        });
        let mut names: Vec<&String> = base.keys().chain(new.keys()).collect();
        names.sort();
        names.dedup();
        let value = |values: &BTreeMap<String, String>, name: &String| {
            values.get(name).cloned().unwrap_or_else(|| {
                let is_limit = LIMITS.iter().any(|flag| *name == format!("--{flag}"));
                if is_limit { "none" } else { "default" }.to_owned()
            })
        };
        let parts: Vec<String> = names
            .into_iter()
            .map(|name| (name, value(&base, name), value(&new, name)))
            .filter(|(_, base, new)| base != new)
            .map(|(name, base, new)| format!("{name} {base} -> {new}"))
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Settings by name; what is given several times is one.
fn named(settings: &EngineSettings) -> BTreeMap<String, String> {
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for (flag, value) in settings.flags() {
        let (name, value) = match (flag, value.split_once('=')) {
            ("option", Some((name, value))) => (name.to_owned(), value.to_owned()),
            _ => (format!("--{flag}"), value),
        };
        named
            .entry(name)
            .and_modify(|all| {
                all.push(' ');
                all.push_str(&value);
            })
            .or_insert(value);
    }
    named
}

#[cfg(test)]
mod tests {
    use crate::plan::tests::plan;
    use engine_client::{Limit, TimeControl};

    #[test]
    fn two_runs_of_the_same_engine_are_distinguished_by_their_settings() {
        let mut plan = plan();
        assert_eq!(plan.difference(), None);
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        plan.base.settings.options = vec![option("Hash", "16"), option("RfpMargin", "75")];
        plan.new.settings.options = vec![option("Hash", "16"), option("RfpMargin", "140")];
        plan.new.settings.arguments = vec!["--fast".into()];
        assert_eq!(
            plan.difference().as_deref(),
            Some("--arg default -> --fast, RfpMargin 75 -> 140")
        );
    }

    #[test]
    fn an_engine_without_its_own_limit_has_that_of_the_match() {
        let mut plan = plan();
        plan.play.limit = limit(4000);
        plan.base.settings.limit = Some(limit(3000));
        assert_eq!(plan.difference().as_deref(), Some("--nodes 3000 -> 4000"));
        plan.base.settings.limit = Some(Limit::clock(
            "8+0.08".parse::<TimeControl>().expect("a control"),
        ));
        assert_eq!(
            plan.difference().as_deref(),
            Some("--nodes none -> 4000, --tc 8+0.08 -> none")
        );
    }

    fn limit(nodes: u64) -> Limit {
        Limit {
            nodes: Some(nodes),
            ..Limit::default()
        }
    }
}
