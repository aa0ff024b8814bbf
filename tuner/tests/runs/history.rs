//! The tunes of one parameter file, shown together.

use crate::support::Place;

#[test]
fn a_history_tells_which_values_were_kept() {
    let place = Place::new();
    place.finished("first", &[]);
    let applied = place.run(["apply", "first", "params.toml"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    place.finished("second", &[]);

    let told = place.run(["history", "params.toml", "second", "first", "--json"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let tunes = told.json()["tunes"].clone();
    let seen: Vec<(String, String)> = (0..2)
        .map(|tune| {
            let margin = &tunes[tune]["parameters"][0];
            assert_eq!(margin["name"], "Margin");
            let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
            (text(&tunes[tune]["run"]), text(&margin["outcome"]))
        })
        .collect();
    let expected = [("first", "kept"), ("second", "dropped")];
    assert_eq!(seen, expected.map(|(run, it)| (run.into(), it.into())));
    assert_eq!(
        tunes[0]["parameters"][0]["value"],
        tunes[1]["parameters"][0]["start"]
    );

    // Any file that has the values will do.
    place.write("values.txt", "Gated, 3\nMargin, 100\n");
    place.write("search.c", "int Margin = 100;\n");
    for file in ["values.txt", "search.c"] {
        let told = place.run(["history", file, "first", "--json"]).json();
        let margin = &told["tunes"][0]["parameters"][0];
        assert_eq!(margin["outcome"], "dropped", "{told}");
    }

    let value = tunes[0]["parameters"][0]["value"]
        .as_f64()
        .expect("a value");
    for (now, outcome) in [(100.0, "dropped"), (value, "kept")] {
        place.write("tune.c", &format!("TUNE(Margin, 0, 400, {now})\n"));
        let told = place.run(["history", "tune.c", "first", "--json"]).json();
        let margin = &told["tunes"][0]["parameters"][0];
        assert_eq!(margin["outcome"], outcome, "{told}");
    }

    // One that is not to be tuned any more has its value all the same.
    let frozen = place
        .read("params.toml")
        .replace("c_end = 12.0", "c_end = 0");
    place.write("frozen.toml", &frozen);
    let told = place
        .run(["history", "frozen.toml", "first", "--json"])
        .json();
    let margin = &told["tunes"][0]["parameters"][0];
    assert_eq!(margin["outcome"], "kept", "{told}");

    // Why nothing is known of a value.
    place.write(
        "search.c",
        "int Margin = 100;\nint margin = 100;\nint Margin = 90;\n",
    );
    let told = place.run(["history", "search.c", "first", "--text"]);
    told.says("2 places give Margin");

    let drawn = place.run(["history", "params.toml", "first", "second"]);
    assert_eq!((drawn.code, drawn.stdout.trim()), (Some(0), "history.html"));
    let page = place.read("history.html");
    for part in ["What was tried", "Margin: now ", "Tune 2: ", "dropped"] {
        assert!(page.contains(part), "{part}");
    }
    for resource in ["http:", "https:", "src=", "href=", "<script", "NaN"] {
        assert!(!page.contains(resource), "{resource}");
    }

    // To what stdout is, a pipe or a file that has something already.
    let to_stdout = ["history", "params.toml", "first", "--out", "/dev/stdout"];
    let drawn = place.run(to_stdout);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    assert!(drawn.stdout.contains("</html>"), "{drawn:?}");
    place.write("log", "kept\n");
    let log = std::fs::File::options()
        .append(true)
        .open(place.path("log"));
    let mut drawn = place.tuner(to_stdout);
    let drawn = drawn.stdout(log.expect("a file")).status();
    assert!(drawn.expect("tuner runs").success());
    let log = place.read("log");
    assert!(
        log.starts_with("kept\n") && log.contains("</html>"),
        "{log}"
    );
}

#[test]
fn a_text_is_looked_for_among_the_choices_of_the_last_tune() {
    let place = Place::new();
    let engine = place.engine("chooser");
    for (name, table) in [
        ("first", "value = 'calm'\nchoices = ['calm', 'very bold']\n"),
        ("second", "value = 'mad'\nchoices = ['calm', 'mad']\n"),
    ] {
        place.write("style.toml", &format!("[params.Style]\n{table}"));
        let shape = ["--iterations", "1", "--nodes", "100", "--out", name];
        let tune = ["spsa", "style.toml", "--engine", &engine];
        let tuned = place.run(tune.iter().chain(&shape));
        assert_eq!(tuned.code, Some(0), "{tuned:?}");
    }
    place.write("values.txt", "Style, mad\n");
    let drawn = place.run(["history", "values.txt", "first", "second"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    assert!(place.read("history.html").contains("Style: now mad"));
}

#[test]
fn a_file_that_was_never_tuned_has_no_history() {
    let place = Place::new();
    let told = place.run(["history", "params.toml"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    told.says("no tune of `params.toml`");
    told.says("hint: name the folders");
}
