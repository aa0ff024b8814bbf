//! Variants of an engine, which must have its bench: each has the settings of the engine, except
//! for those that it sets itself.

use std::collections::BTreeSet;

use super::{Settings, is_variable, variant::VariantSettings};
use crate::{build::with_words, message::is_engine_name};
use foundation::Failure;

/// The name that stands for all variants.
const ALL: &str = "all";

/// How many times longer than the usual bench a variant's bench may take: sanitizers and emulators
/// are slow.
const BENCH_LIMIT_FACTOR: f64 = 10.0;

/// Rejects a variant that is invalid by itself.
fn check(variant: &VariantSettings) -> Result<(), Failure> {
    let wrong = |why: String| {
        Err(Failure::unable(format!(
            "the variant `{}` in [[bench-guard.variant]] of whetstone.toml {why}",
            variant.name
        )))
    };
    if !is_engine_name(&variant.name) || variant.name == ALL {
        return wrong(format!(
            "cannot be called so: expected lower-case letters, digits and `-`, and not `{ALL}`"
        ));
    }
    if let Some(name) = variant
        .variables
        .keys()
        .find(|name| name.contains('*') || !is_variable(name))
    {
        return wrong(format!("has a variable `{name}`, expected one like `CXX`"));
    }
    if variant.runner.first().is_some_and(String::is_empty) {
        return wrong("has a `runner` without a program".to_owned());
    }
    if variant.build.is_none() && variant.variables.is_empty() && variant.runner.is_empty() {
        return wrong("is the engine itself: expected `build`, `variables` or `runner`".to_owned());
    }
    Ok(())
}

impl Settings {
    /// The settings of the variants of this engine that are named, each under its name; [`ALL`] names
    /// all.
    pub(crate) fn variants(&self, names: &[String]) -> Vec<(String, Self)> {
        let is_wanted = |variant: &&VariantSettings| {
            variant.engine == self.name && names.iter().any(|it| *it == variant.name || it == ALL)
        };
        let wanted = self.variant.iter().filter(is_wanted);
        wanted
            .map(|variant| (variant.name.clone(), self.of_variant(variant)))
            .collect()
    }

    /// Those of this engine that are named.
    ///
    /// # Errors
    /// A name has none.
    pub(crate) fn own_variants(&self, names: &[String]) -> Result<Vec<(String, Self)>, Failure> {
        self.check_variants(names)?;
        let has_none = |name: &&String| self.variants(std::slice::from_ref(name)).is_empty();
        match names.iter().find(has_none) {
            None => Ok(self.variants(names)),
            Some(name) => Err(Failure::unable(format!(
                "the variant `{name}` is of another engine"
            ))
            .hint("--engine names that engine")),
        }
    }

    /// Makes sure that there is a variant for each name, of any engine.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn check_variants(&self, names: &[String]) -> Result<(), Failure> {
        let known: Vec<&str> = self.variant.iter().map(|it| it.name.as_str()).collect();
        let is_unknown = |name: &&String| !known.contains(&name.as_str());
        match names.iter().find(is_unknown) {
            Some(name) if *name != ALL || known.is_empty() => {
                let hint = if known.is_empty() {
                    "whetstone.toml has no `[[bench-guard.variant]]`".to_owned()
                } else {
                    format!("whetstone.toml has {}, or {ALL}", known.join(", "))
                };
                Err(Failure::unable(format!("no variant is called `{name}`")).hint(hint))
            }
            _ => Ok(()),
        }
    }

    /// Refuses variants that make no sense.
    pub(super) fn refuse_odd_variants(&self) -> Result<(), Failure> {
        let mut names = BTreeSet::new();
        for variant in &self.variant {
            check(variant)?;
            let engine = match &variant.engine {
                Some(name) => &self.engine_named(name)?,
                None => self,
            };
            engine.of_variant(variant).check_values()?;
            if !names.insert(&variant.name) {
                return Err(Failure::unable(format!(
                    "two variants in [[bench-guard.variant]] of whetstone.toml are called `{}`",
                    variant.name
                )));
            }
        }
        Ok(())
    }

    fn of_variant(&self, variant: &VariantSettings) -> Self {
        let own = variant.clone();
        let has_own_build = own.build.is_some();
        let build = own.build.unwrap_or_else(|| self.build.clone());
        let mut variant = Self {
            variables: own.variables.into_iter().collect(),
            has_own_build,
            runner: own.runner,
            build_limit: own.build_limit.unwrap_or(self.build_limit),
            bench_limit: own
                .bench_limit
                .unwrap_or((self.bench_limit * BENCH_LIMIT_FACTOR).min(86_400.0)),
            // Only builds are compared, and one run of each is enough for that.
            runs: 1,
            ..self.clone()
        };
        variant.build = with_words(&build, &variant.variables);
        variant
    }
}

#[cfg(test)]
mod tests {
    use super::super::parsed as settings;
    use super::*;

    #[test]
    fn a_variant_says_what_differs_and_make_gets_it_on_its_command_line() {
        let settings = settings(
            "[[variant]]
            name = 'clang'
            variables = { CXX = \"clang++ -g\" }
            [[variant]]
            name = 'nehalem'
            runner = ['qemu-x86_64', '-cpu', 'Nehalem']
            bench-limit = 9.0
            [[variant]]
            name = 'debug'
            build = 'cargo build && cp target/debug/e {exe}'
            variables = { RUSTFLAGS = '-Cdebug-assertions' }
            ",
        )
        .expect("valid");
        let all = settings.variants(&[ALL.to_owned()]);
        let named: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(named, ["clang", "nehalem", "debug"]);
        let build = |index: usize| all[index].1.build_settings(1);
        assert_eq!(build(0).command, "make CXX='clang++ -g' -j{jobs} EXE={exe}");
        assert_eq!(build(1).command, settings.build);
        assert_eq!(build(1).bench.runner.len(), 3);
        assert_eq!(build(1).bench.time_limit.as_secs(), 9);
        assert_eq!(build(0).bench.time_limit.as_secs(), 600);
        assert!(!build(2).command.contains("RUSTFLAGS"));
        assert_eq!(settings.variants(&["clang".to_owned()]).len(), 1);
        assert!(settings.check_variants(&["gcc".to_owned()]).is_err());
    }

    #[test]
    fn variants_that_make_no_sense_are_refused() {
        let runner = "runner = ['qemu']";
        for (text, word) in [
            (format!("[[variant]]\nname = 'all'\n{runner}"), "all"),
            (format!("[[variant]]\nname = 'A b'\n{runner}"), "A b"),
            ("[[variant]]\nname = 'a'".to_owned(), "the engine itself"),
            (
                format!("[[variant]]\nname = 'a'\n{runner}\n[[variant]]\nname = 'a'\n{runner}"),
                "two variants",
            ),
            (
                format!("[[variant]]\nname = 'a'\nengine = 'b'\n{runner}"),
                "no engine",
            ),
            (
                "[[variant]]\nname = 'a'\nvariables = { 'X*' = '1' }".to_owned(),
                "X*",
            ),
            (
                "[[variant]]\nname = 'a'\nbuild = 'make'".to_owned(),
                "{exe}",
            ),
            (
                "[[variant]]\nname = 'a'\nrunner = ['']".to_owned(),
                "without a program",
            ),
        ] {
            let failure = settings(&text).expect_err(&text);
            assert!(failure.contains(word), "{text}: {failure}");
        }
    }
}
