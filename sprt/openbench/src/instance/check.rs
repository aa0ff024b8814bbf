//! What the server checks of an engine's entry when it starts; it ends where this fails.

use foundation::Failure;
use serde_json::Value;

use crate::form;

/// The server's kinds of presets, with the keys that only they may have.
pub(super) const PRESETS: [(&str, &[&str]); 3] = [
    (
        "test_presets",
        &["test_bounds", "test_confidence", "test_max_games"],
    ),
    (
        "tune_presets",
        &[
            "spsa_reporting_type",
            "spsa_distribution_type",
            "spsa_alpha",
            "spsa_gamma",
            "spsa_A_ratio",
            "spsa_iterations",
            "spsa_pairs_per",
        ],
    ),
    (
        "datagen_presets",
        &[
            "datagen_custom_genfens",
            "datagen_play_reverses",
            "datagen_max_games",
        ],
    ),
];
/// Keys that stand behind `both_` and `dev_`, and behind `base_` where there are two engines.
const OF_ENGINES: [&str; 5] = ["branch", "bench", "network", "options", "time_control"];
/// The books that lie in the server's folder `Books`.
const BOOKS: [&str; 15] = [
    "2moves_v1.epd",
    "3moves_FRC.epd",
    "4moves_noob.epd",
    "8moves_v3.epd",
    "DFRC.epd",
    "DFRC_4852_v1.epd",
    "Endgames.epd",
    "Pohl.epd",
    "Pohl.pgn",
    "UHO_4060_v2.epd",
    "UHO_4060_vB.epd",
    "UHO_4060_vT.epd",
    "UHO_Lichess_4852_v1.epd",
    "endgames_cdb95105.epd",
    "fortresses_150_250.epd",
];
/// The book of whoever needs none.
pub(super) const NO_BOOK: &str = "NONE";

/// # Errors
/// The server would not start with the entry, or would not take a part of it.
pub(super) fn check(entry: &Value) -> Result<(), Failure> {
    let is = |path: &str, holds: &dyn Fn(&Value) -> bool, expected: &str| {
        let value = entry.pointer(path).unwrap_or(&Value::Null);
        if holds(value) {
            return Ok(());
        }
        let key = path.trim_start_matches('/').replace('/', ".");
        Err(Failure::unable(format!(
            "`{key}` is {value}, expected {expected}; the server would not start"
        )))
    };
    let texts = |value: &Value| {
        value
            .as_array()
            .is_some_and(|list| list.iter().all(Value::is_string))
    };
    is("/private", &Value::is_boolean, "true or false")?;
    is(
        "/nps",
        &|value| value.as_u64().is_some_and(|nps| nps > 0),
        "nodes per second",
    )?;
    is("/source", &Value::is_string, "an address on GitHub")?;
    is(
        "/build/path",
        &Value::is_string,
        "the folder of the Makefile",
    )?;
    for key in ["cpuflags", "systems", "compilers"] {
        is(&format!("/build/{key}"), &texts, "a list of texts")?;
    }
    PRESETS
        .iter()
        .try_for_each(|(kind, own)| presets(entry, kind, own))
}

/// Checks the presets of a kind; without any the server takes empty ones.
fn presets(entry: &Value, kind: &str, own: &[&str]) -> Result<(), Failure> {
    let Some(value) = entry.get(kind) else {
        return Ok(());
    };
    let presets = value.as_object().ok_or_else(|| {
        Failure::unable(format!(
            "`{kind}` is {value}, expected objects by name; the server would not start"
        ))
    })?;
    if !presets.contains_key("default") {
        return Err(Failure::unable(format!(
            "`{kind}` has no `default`; the server would drop the others"
        ))
        .hint("add `\"default\": {}`"));
    }
    for (name, preset) in presets {
        let place = format!("{kind}.{name}");
        let keys = preset.as_object().ok_or_else(|| {
            Failure::unable(format!(
                "`{place}` is {preset}, expected an object; the server would not start"
            ))
        })?;
        if let Some(key) = keys.keys().find(|key| !is_key(kind, own, key)) {
            return Err(Failure::unable(format!(
                "`{place}` has a key `{key}`, which the server does not know; it would not start"
            )));
        }
        let book = keys.get("book_name").and_then(Value::as_str);
        if let Some(book) = book.filter(|book| *book != NO_BOOK && !BOOKS.contains(book)) {
            return Err(Failure::unable(format!(
                "`{place}.book_name` is `{book}`, which is no book of the server; it would not start"
            ))
            .hint(format!("it has {}", BOOKS.join(", "))));
        }
    }
    Ok(())
}

fn is_key(kind: &str, own: &[&str], key: &str) -> bool {
    let is_tune = kind == "tune_presets";
    let of_engine = match key.split_once('_') {
        Some(("both" | "dev", rest)) => OF_ENGINES.contains(&rest),
        Some(("base", rest)) => !is_tune && OF_ENGINES.contains(&rest),
        _ => false,
    };
    let has_size = !is_tune && key == "workload_size";
    of_engine || has_size || form::PRESET.contains(&key) || own.contains(&key)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Value {
        json!({
            "private": false,
            "nps": 1_000_000,
            "source": "https://github.com/example/engine",
            "build": {"path": "", "compilers": ["gcc"], "cpuflags": [], "systems": ["Linux"]},
            "test_presets": {"default": {"book_name": "Pohl.epd", "base_time_control": "8.0+0.08"}},
            "datagen_presets": {"default": {"book_name": "NONE", "workload_size": 8}},
        })
    }

    #[test]
    fn what_the_server_would_refuse_is_named() {
        assert_eq!(check(&entry()), Ok(()));
        for (path, value, said) in [
            ("/nps", json!(null), "`nps` is null, expected nodes"),
            (
                "/build/systems",
                json!("Linux"),
                "`build.systems` is \"Linux\"",
            ),
            ("/test_presets", json!([]), "`test_presets` is []"),
            (
                "/test_presets",
                json!({}),
                "`test_presets` has no `default`",
            ),
            (
                "/test_presets/default",
                json!(1),
                "`test_presets.default` is 1",
            ),
            (
                "/test_presets/default",
                json!({"tc": "1+1"}),
                "has a key `tc`",
            ),
            (
                "/test_presets/default",
                json!({"spsa_alpha": 1}),
                "`spsa_alpha`",
            ),
            (
                "/test_presets/default/book_name",
                json!("my.epd"),
                "`my.epd`, which is no book",
            ),
        ] {
            let mut entry = entry();
            *entry.pointer_mut(path).expect("there") = value;
            let failure = check(&entry).expect_err(path);
            assert!(failure.message().contains(said), "{path}: {failure}");
        }
        // A tune has one engine, and a size of its own.
        for key in ["base_options", "workload_size"] {
            let mut entry = entry();
            entry["tune_presets"] = json!({"default": {key: "x"}});
            let failure = check(&entry).expect_err(key);
            assert!(failure.message().contains(key), "{failure}");
        }
    }
}
