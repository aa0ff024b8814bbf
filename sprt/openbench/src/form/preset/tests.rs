use proptest::prelude::*;

use super::*;
use openbench_command::flags::{BaseArgs, FieldArgs, TestArgs};

fn engines() -> Engines {
    let config: EngineConfig =
        serde_json::from_str(include_str!("../../../tests/data/engine.json")).expect("an engine");
    Engines {
        dev_name: "TinyRust".into(),
        base_name: "TinyRust".into(),
        dev: config.clone(),
        base: config,
        ..Engines::default()
    }
}

fn filled(kind: Kind, fields: &FieldArgs, test: &TestArgs) -> Result<Form, Failure> {
    fill(
        kind,
        &Settings::default().with(fields).with(test),
        &engines(),
    )
}

#[test]
fn without_a_word_the_preset_stc_plays() {
    let form = filled(Kind::Test, &FieldArgs::default(), &TestArgs::default()).expect("a form");
    for (field, expected) in [
        ("test_mode", "SPRT"),
        ("test_bounds", "[0.00, 5.00]"),
        ("dev_options", "Threads=1 Hash=16"),
        ("base_options", "Threads=1 Hash=16"),
        ("base_time_control", "8.0+0.08"),
        ("base_branch", "main"),
        ("book_name", "tiny.epd"),
        ("workload_size", "32"),
        ("scale_method", "BASE"),
        ("scale_nps", "1000000"),
        ("syzygy_wdl", "DISABLED"),
    ] {
        assert_eq!(form.get(field), expected, "{field}");
    }
}

#[test]
fn flags_win_over_presets_and_serve_both_sides() {
    let fields = FieldArgs {
        tc: Some("nodes=2000".into()),
        dev_options: Some("Threads=1 Hash=16 RfpMargin=80".into()),
        upload_pgns: Some("compact".into()),
        draw_adj: Some("none".into()),
        ..FieldArgs::default()
    };
    let test = TestArgs {
        bounds: Some("-1.75,0.25".into()),
        alpha: Some("0.05".into()),
        beta: Some("0.1".into()),
        max_games: None,
    };
    let form = filled(Kind::Test, &fields, &test).expect("a form");
    for (field, expected) in [
        ("dev_time_control", "N=2000"),
        ("base_time_control", "N=2000"),
        ("dev_options", "Threads=1 Hash=16 RfpMargin=80"),
        ("base_options", "Threads=1 Hash=16"),
        ("test_bounds", "[-1.75, 0.25]"),
        ("test_confidence", "[0.10, 0.05]"),
        ("upload_pgns", "COMPACT"),
        ("draw_adj", "None"),
    ] {
        assert_eq!(form.get(field), expected, "{field}");
    }
}

#[test]
fn what_is_typed_for_both_sides_counts_before_what_the_file_says_of_one() {
    let section = toml::from_str("dev-tc = '8.0+0.08'\nbase-options = 'Threads=1'");
    let settings = Settings::of_section(&section.expect("TOML")).expect("settings");
    let typed = FieldArgs {
        tc: Some("40.0+0.40".into()),
        options: Some("Threads=2 Hash=64".into()),
        ..FieldArgs::default()
    };
    let of_base = BaseArgs {
        base_options: Some("Threads=2 Hash=8".into()),
        ..BaseArgs::default()
    };
    let settings = settings.with(&typed).with(&of_base);
    let form = fill(Kind::Test, &settings, &engines()).expect("a form");
    for (field, expected) in [
        ("dev_time_control", "40.0+0.40"),
        ("base_time_control", "40.0+0.40"),
        ("dev_options", "Threads=2 Hash=64"),
        ("base_options", "Threads=2 Hash=8"),
    ] {
        assert_eq!(form.get(field), expected, "{field}");
    }
}

#[test]
fn a_number_of_games_makes_no_sprt() {
    let test = TestArgs {
        max_games: Some("2000".into()),
        ..TestArgs::default()
    };
    let form = filled(Kind::Test, &FieldArgs::default(), &test).expect("a form");
    assert_eq!(
        (
            form.get("test_mode"),
            form.get("test_max_games"),
            form.get("test_bounds")
        ),
        ("GAMES", "2000", "")
    );
}

#[test]
fn the_chosen_preset_says_before_default_whether_a_test_is_an_sprt() {
    const GAMES: &str = r#"{"test_max_games": 500}"#;
    const BOUNDS: &str = r#"{"test_bounds": "[-5.00, 0.00]"}"#;
    const BOTH: &str = r#"{"test_bounds": "[0.00, 5.00]", "test_max_games": 40000}"#;
    for (default, chosen, mode) in [
        (GAMES, "{}", "GAMES"),
        (BOUNDS, "{}", "SPRT"),
        (BOTH, "{}", "GAMES"),
        (BOTH, BOUNDS, "SPRT"),
        (GAMES, r#"{"test_confidence": "[0.10, 0.05]"}"#, "SPRT"),
        (BOUNDS, GAMES, "GAMES"),
    ] {
        let presets = format!(r#"{{"test_presets": {{"default": {default}, "STC": {chosen}}}}}"#);
        let mut engines = engines();
        engines.dev = serde_json::from_str(&presets).expect("an engine");
        let form = fill(Kind::Test, &Settings::default(), &engines).expect("a form");
        assert_eq!(form.get("test_mode"), mode, "{default} {chosen}");
    }
}

#[test]
fn our_own_presets_are_tests_and_no_matches() {
    let mut engines = engines();
    let own = include_str!("../../../../../engine/openbench.json");
    engines.dev = serde_json::from_str(own).expect("an engine");
    for (name, bounds) in [("LTC", "[0.00, 5.00]"), ("Non-regression", "[-5.00, 0.00]")] {
        let settings = Settings::default().with(&FieldArgs {
            preset: Some(name.into()),
            ..FieldArgs::default()
        });
        let form = fill(Kind::Test, &settings, &engines).expect("a form");
        let found = (form.get("test_mode"), form.get("test_bounds"));
        assert_eq!(found, ("SPRT", bounds), "{name}");
    }
}

#[test]
fn datagen_plays_against_itself_and_leaves_no_field_empty() {
    let settings = Settings::default().with(&FieldArgs {
        tc: Some("N=5000".into()),
        dev: Some("main".into()),
        ..FieldArgs::default()
    });
    let form = fill(Kind::Datagen, &settings, &engines()).expect("a form");
    let empty: Vec<&str> = form
        .fields()
        .filter(|(_, value)| value.is_empty())
        .map(|(name, _)| name)
        .collect();
    // Benches, repositories and the description come from git; the number of games is the user's.
    assert_eq!(
        empty,
        [
            "dev_repo",
            "dev_bench",
            "dev_network",
            "base_repo",
            "base_bench",
            "base_network",
            "datagen_max_games",
            "datagen_custom_genfens",
            "info"
        ]
    );
    assert_eq!(
        (
            form.get("base_branch"),
            form.get("book_name"),
            form.get("workload_size")
        ),
        ("main", "NONE", "8")
    );
}

#[test]
fn another_engine_keeps_its_own_options_but_for_threads_and_hash() {
    let mut engines = engines();
    engines.base_name = "Other".into();
    engines.base = serde_json::from_str(r#"{"test_presets": {"default": {"base_branch": "trunk", "both_options": "Threads=1 Hash=8 Contempt=0"}}}"#).expect("an engine");
    let settings = Settings::default().with(&BaseArgs {
        base_engine: Some("Other".into()),
        ..BaseArgs::default()
    });
    let form = fill(Kind::Test, &settings, &engines).expect("a form");
    assert_eq!(
        (form.get("base_options"), form.get("base_branch")),
        ("Threads=1 Hash=16 Contempt=0", "trunk")
    );
}

#[test]
fn networks_are_named_or_default() {
    let network = |name: &str, sha256: &str| crate::read::api::Network {
        name: name.into(),
        sha256: sha256.into(),
        ..Default::default()
    };
    let mut engines = engines();
    engines.dev_networks = Networks {
        default: Some(network("one", "AAAA1111")),
        networks: vec![network("one", "AAAA1111"), network("two", "BBBB2222")],
    };
    engines.base_networks = engines.dev_networks.clone();
    let with = |net: Option<&str>| {
        let fields = FieldArgs {
            dev_network: net.map(str::to_owned),
            ..FieldArgs::default()
        };
        let form = fill(Kind::Test, &Settings::default().with(&fields), &engines).expect("a form");
        (
            form.get("dev_network").to_owned(),
            form.get("base_network").to_owned(),
        )
    };
    assert_eq!(with(None), ("AAAA1111".into(), "AAAA1111".into()));
    assert_eq!(with(Some("two")), ("BBBB2222".into(), "AAAA1111".into()));
    assert_eq!(with(Some("bbbb2222")).0, "BBBB2222");
    assert_eq!(with(Some("none")).0, "");
    // A preset may say that none plays, as the server's page has it.
    let own = r#"{"test_presets": {"default": {"both_network": ""}}}"#;
    engines.dev = serde_json::from_str(own).expect("an engine");
    let form = fill(Kind::Test, &Settings::default(), &engines).expect("a form");
    assert_eq!([form.get("dev_network"), form.get("base_network")], [""; 2]);
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let preset = FieldArgs {
        preset: Some("VLTC".into()),
        ..FieldArgs::default()
    };
    let failure = filled(Kind::Test, &preset, &TestArgs::default()).expect_err("unknown");
    assert!(
        failure.message().contains("`VLTC`")
            && failure.next_step().is_some_and(|hint| hint.contains("STC")),
        "{failure}"
    );
    let bounds = TestArgs {
        bounds: Some("5".into()),
        ..TestArgs::default()
    };
    assert!(filled(Kind::Test, &FieldArgs::default(), &bounds).is_err());
    let tc = FieldArgs {
        tc: Some("8.0 + 0.08".into()),
        ..FieldArgs::default()
    };
    assert!(
        filled(Kind::Test, &tc, &TestArgs::default())
            .expect_err("blanks")
            .to_string()
            .contains("is not parsable")
    );
}

proptest! {
    #[test]
    fn bounds_survive(first in -1e3..1e3_f64, second in -1e3..1e3_f64) {
        let text = bracketed(first, second);
        prop_assert_eq!(pair(&text, "bounds").ok(), Some((first, second)));
        prop_assert!(!text.contains('e'), "{}", text);
    }
}
