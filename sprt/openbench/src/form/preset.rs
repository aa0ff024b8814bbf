//! Fills a form: from the settings, otherwise from the engine's presets on the server, otherwise as
//! the server's page would.
//!
//! The server fills in nothing when a form is sent; the values on its page are filled in by a
//! script. A preset called `default` lies under every other; `both_…` stands for `dev_…` and
//! `base_…`.

use std::collections::BTreeMap;

use foundation::Failure;
use serde_json::Value;

use crate::form::Form;
use crate::form::time_control;
use crate::read::api::{EngineConfig, Networks};
use crate::settings::Settings;
use openbench_command::workload::Kind;

/// What the server knows of the engines of a form.
#[derive(Clone, Debug, Default)]
pub struct Engines {
    pub dev_name: String,
    pub dev: EngineConfig,
    pub dev_networks: Networks,
    pub base_name: String,
    pub base: EngineConfig,
    pub base_networks: Networks,
}

/// Fields that the server's page fills before anything is chosen.
const PAGE: [(&str, &str); 19] = [
    ("test_bounds", "[0.00, 5.00]"),
    ("test_confidence", "[0.05, 0.05]"),
    ("spsa_reporting_type", "BATCHED"),
    ("spsa_distribution_type", "SINGLE"),
    ("spsa_alpha", "0.602"),
    ("spsa_gamma", "0.101"),
    ("spsa_A_ratio", "0.1"),
    ("spsa_iterations", "25000"),
    ("spsa_pairs_per", "8"),
    ("datagen_play_reverses", "NO"),
    ("priority", "0"),
    ("throughput", "1000"),
    ("workload_size", "32"),
    ("syzygy_wdl", "DISABLED"),
    ("syzygy_adj", "OPTIONAL"),
    ("win_adj", "movecount=3 score=400"),
    ("draw_adj", "movenumber=40 movecount=8 score=10"),
    ("dev_options", "Threads=1 Hash=16"),
    ("upload_pgns", "FALSE"),
];

/// The name of a field among the settings, and the name that serves both sides, if it has one.
fn setting(field: &str) -> (String, Option<&'static str>) {
    let own = match field {
        "dev_time_control" => "dev-tc".to_owned(),
        "base_time_control" => "base-tc".to_owned(),
        "dev_repo" => "repo".to_owned(),
        "dev_engine" => "engine".to_owned(),
        "test_bounds" => "bounds".to_owned(),
        "test_max_games" => "max-games".to_owned(),
        "datagen_max_games" => "games".to_owned(),
        "datagen_custom_genfens" => "genfens".to_owned(),
        "datagen_play_reverses" => "play-reverses".to_owned(),
        "spsa_reporting_type" => "spsa-reporting".to_owned(),
        "spsa_distribution_type" => "spsa-distribution".to_owned(),
        "spsa_A_ratio" => "spsa-a-ratio".to_owned(),
        "book_name" => "book".to_owned(),
        "dev_branch" => "dev".to_owned(),
        "base_branch" => "base".to_owned(),
        other => other.replace('_', "-"),
    };
    let both = match field {
        "dev_options" | "base_options" => Some("options"),
        "dev_time_control" | "base_time_control" => Some("tc"),
        "dev_network" | "base_network" => Some("network"),
        _ => None,
    };
    (own, both)
}

/// What the user set for a field: for it alone, or for both sides.
fn given<'a>(settings: &'a Settings, field: &str) -> Option<&'a str> {
    let (own, both) = setting(field);
    // What is typed for both sides counts before what a file says of one.
    let typed = both.filter(|both| settings.is_typed(both) && !settings.is_typed(&own));
    typed
        .or(Some(own.as_str()))
        .and_then(|key| settings.get(key))
        .or_else(|| settings.get(both?))
}

/// How a user sets a field: the name of the flag.
pub fn flag(field: &str) -> String {
    format!("--{}", setting(field).0)
}

/// All but branches, benches, repositories and the description, which come from git.
pub fn fill(kind: Kind, settings: &Settings, engines: &Engines) -> Result<Form, Failure> {
    let mut form = Form::new(kind);
    let name = settings.get("preset");
    let preset = flattened(&engines.dev_name, kind, engines.dev.presets(kind), name)?;
    let names: Vec<&'static str> = form.fields().map(|(name, _)| name).collect();
    for field in names {
        let value = given(settings, field)
            .map(str::to_owned)
            .or_else(|| preset.get(field).cloned());
        let value = value.or_else(|| page_default(kind, field, engines));
        form.set(field, value.unwrap_or_default());
    }
    form.set("dev_engine", &*engines.dev_name);
    if form.has("base_engine") {
        form.set("base_engine", &*engines.base_name);
        fill_base(&mut form, kind, settings, engines, &preset)?;
    }
    networks(&mut form, settings, engines, &preset);
    tests(&mut form, settings, &preset)?;
    normalise(&mut form)?;
    Ok(form)
}

fn page_default(kind: Kind, field: &str, engines: &Engines) -> Option<String> {
    match (kind, field) {
        (_, "scale_nps") if engines.dev.nps > 0 => Some(engines.dev.nps.to_string()),
        (Kind::Tune, "scale_method") => Some("DEV".to_owned()),
        (_, "scale_method") => Some("BASE".to_owned()),
        (Kind::Datagen, "book_name") => Some("NONE".to_owned()),
        (Kind::Datagen, "upload_pgns") => Some("COMPACT".to_owned()),
        _ => {
            let found = PAGE.iter().find(|(name, _)| *name == field);
            found.map(|(_, value)| (*value).to_owned())
        }
    }
}

/// The base side: its own settings, otherwise those of the preset, otherwise those of dev.
fn fill_base(
    form: &mut Form,
    kind: Kind,
    settings: &Settings,
    engines: &Engines,
    preset: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    let foreign = engines.base_name != engines.dev_name;
    let own = if foreign {
        // Another engine keeps its own options and branch, with the threads and hash of dev.
        let presets = engines.base.presets(kind);
        let name = settings
            .get("preset")
            .filter(|name| presets.contains_key(*name));
        flattened(&engines.base_name, kind, presets, name)?
    } else {
        preset.clone()
    };
    for field in ["base_options", "base_time_control", "base_branch"] {
        if given(settings, field).is_some() {
            continue;
        }
        let dev = form.get(&field.replace("base_", "dev_")).to_owned();
        let value = match (field, own.get(field)) {
            ("base_options", Some(options)) if foreign => with_threads_and_hash(options, &dev),
            ("base_time_control", _) if foreign => dev,
            // An engine that plays for training data plays against itself.
            ("base_branch", None) if kind == Kind::Test => String::new(),
            // An option that is set for dev alone does not make the sides unequal unless the preset
            // does.
            (_, Some(value)) => value.clone(),
            (_, None) => dev,
        };
        form.set(field, value);
    }
    Ok(())
}

fn with_threads_and_hash(options: &str, dev: &str) -> String {
    let of_dev = |name: &str| dev.split_whitespace().find(|word| word.starts_with(name));
    let words = options.split_whitespace().map(|word| {
        let same = ["Threads=", "Hash="]
            .into_iter()
            .find(|name| word.starts_with(name));
        same.and_then(of_dev).unwrap_or(word)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Names of networks become their hashes; if neither a setting nor the preset says which, or that it
/// is none, the engine's default plays.
fn networks(
    form: &mut Form,
    settings: &Settings,
    engines: &Engines,
    preset: &BTreeMap<String, String>,
) {
    for (field, known) in [
        ("dev_network", &engines.dev_networks),
        ("base_network", &engines.base_networks),
    ] {
        let is_set = given(settings, field).is_some() || preset.contains_key(field);
        let text = form.get(field).to_owned();
        let found = known
            .networks
            .iter()
            .find(|network| network.name == text || network.sha256.eq_ignore_ascii_case(&text));
        let hash = match (found, &known.default) {
            (Some(network), _) => network.sha256.clone(),
            (None, _) if text.eq_ignore_ascii_case("none") => String::new(),
            (None, Some(default)) if text.is_empty() && !is_set => default.sha256.clone(),
            (None, _) => text,
        };
        form.set(field, hash);
    }
}

/// Whether a test asks for a verdict or for a number of games, and the form of its bounds.
fn tests(
    form: &mut Form,
    settings: &Settings,
    preset: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    if form.kind != Kind::Test {
        return Ok(());
    }
    let asks = |key: &str| settings.is_typed(key);
    let sprt_typed = asks("bounds") || asks("alpha") || asks("beta");
    let games = match (asks("max-games"), sprt_typed) {
        (true, _) => true,
        (false, true) => false,
        (false, false) => {
            settings.get("max-games").is_some()
                || (preset.contains_key("test_max_games") && settings.get("bounds").is_none())
        }
    };
    if games {
        form.set("test_mode", "GAMES");
        form.set("test_bounds", "");
        form.set("test_confidence", "");
        return Ok(());
    }
    form.set("test_mode", "SPRT");
    form.set("test_max_games", "");
    let (elo0, elo1) = pair(form.get("test_bounds"), "--bounds")?;
    form.set("test_bounds", bracketed(elo0, elo1));
    // The server's order: the probability of a false H0 first.
    let (beta, alpha) = pair(form.get("test_confidence"), "the preset's test_confidence")?;
    let given = |key: &str, otherwise: f64| match settings.get(key) {
        Some(text) => text.trim().parse::<f64>().map_err(|_| {
            Failure::unable(format!("--{key} is `{text}`, not a probability"))
                .hint("expected a number between 0 and 1, such as 0.05")
        }),
        None => Ok(otherwise),
    };
    form.set(
        "test_confidence",
        bracketed(given("beta", beta)?, given("alpha", alpha)?),
    );
    Ok(())
}

/// Two numbers, with or without brackets.
fn pair(text: &str, what: &str) -> Result<(f64, f64), Failure> {
    let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
    let mut numbers = bare
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(str::parse::<f64>);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(second)), None) if first.is_finite() && second.is_finite() => {
            Ok((first, second))
        }
        _ => Err(
            Failure::unable(format!("{what} is `{text}`, not two numbers"))
                .hint("expected something like 0,5"),
        ),
    }
}

fn bracketed(first: f64, second: f64) -> String {
    // Two decimals as on the server's page, more if they are needed.
    let number = |value: f64| {
        let short = format!("{value:.2}");
        if short.parse() == Ok(value) {
            short
        } else {
            value.to_string()
        }
    };
    format!("[{}, {}]", number(first), number(second))
}

/// Words in the server's spelling.
fn normalise(form: &mut Form) -> Result<(), Failure> {
    for field in [
        "upload_pgns",
        "syzygy_wdl",
        "syzygy_adj",
        "scale_method",
        "spsa_reporting_type",
        "spsa_distribution_type",
        "datagen_play_reverses",
    ] {
        let value = form.get(field).trim().to_uppercase();
        form.set(field, value);
    }
    for field in ["win_adj", "draw_adj"] {
        let value = form.get(field).trim().replace(',', " ");
        let none = value.eq_ignore_ascii_case("none");
        form.set(field, if none { "None".to_owned() } else { value });
    }
    if form.kind == Kind::Datagen && form.get("book_name").eq_ignore_ascii_case("none") {
        form.set("book_name", "NONE");
    }
    for field in ["dev_time_control", "base_time_control"] {
        let value = form.get(field).to_owned();
        if value.is_empty() {
            continue;
        }
        let normal = time_control::normal(&value).map_err(|why| {
            let side = if field.starts_with("dev") { "Dev" } else { "Base" };
            Failure::unable(why).hint(format!("the server itself would say `{side} Time Control is not parsable`, or play something else"))
        })?;
        form.set(field, normal);
    }
    Ok(())
}

/// The fields of a preset over those of `default`. A preset whose test has bounds is no match of a
/// number of games that `default` gives.
fn flattened(
    engine: &str,
    kind: Kind,
    presets: &BTreeMap<String, serde_json::Map<String, Value>>,
    name: Option<&str>,
) -> Result<BTreeMap<String, String>, Failure> {
    let chosen = match name {
        Some(name) if presets.contains_key(name) => name,
        Some(name) => {
            let known: Vec<&str> = presets.keys().map(String::as_str).collect();
            return Err(Failure::unable(format!(
                "{engine} has no {} preset `{name}` on this server",
                kind.word()
            ))
            .hint(format!("its presets are {}", known.join(", "))));
        }
        None => "STC",
    };
    let mut fields = BTreeMap::new();
    for preset in ["default", chosen] {
        let layer = presets.get(preset);
        let has = |field: &str| layer.is_some_and(|layer| layer.contains_key(field));
        if has("test_bounds") || has("test_confidence") {
            fields.remove("test_max_games");
        }
        for (key, value) in layer.into_iter().flatten() {
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            match key.strip_prefix("both_") {
                Some(rest) => {
                    fields.insert(format!("dev_{rest}"), text.clone());
                    fields.insert(format!("base_{rest}"), text);
                }
                None => {
                    fields.insert(key.clone(), text);
                }
            }
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests;
