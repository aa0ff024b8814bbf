//! Values written back into files, and what is refused.

use std::os::unix::fs::symlink;

use crate::support::{PARAMS, Place};

/// A place with a finished run of [`PARAMS`] in `run`, and the margin that it came to.
fn tuned() -> (Place, f64) {
    let place = Place::new();
    let result = place.finished("run", &["--iterations", "120"]).json();
    let margin = result["parameters"][0]["value"].as_f64().expect("a value");
    assert!(margin > 101.0, "{margin}");
    (place, margin)
}

#[test]
fn apply_keeps_links_line_ends_and_the_byte_order_mark() {
    let (place, margin) = tuned();
    // The file has moved on since the run began: what was there is what the file says.
    let text = PARAMS.replace("value = 100 ", "value = 90 ");
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    std::fs::create_dir(place.path("kept")).expect("a folder");
    place.write("kept/real.toml", &text);
    symlink("kept/real.toml", place.path("link.toml")).expect("a link");
    let applied = place.run(["apply", "run", "link.toml"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    let told = format!("Margin: 90 -> {margin}");
    assert!(applied.stdout.contains(&told), "{applied:?}");
    assert!(place.path("link.toml").is_symlink());
    let written = place.read("kept/real.toml");
    assert!(written.contains(&format!("value = {margin}  # to be tuned\r\n")));
    // But for the two values, not a byte is another.
    let without_values = |text: &str| -> Vec<String> {
        let lines = text.split('\n').filter(|line| !line.starts_with("value"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(without_values(&written), without_values(&text));
    let again = place.run(["apply", "run", "link.toml"]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""));
    let told = "link.toml has these values already";
    again.says(told);
}

#[test]
fn apply_patches_source_and_has_no_patch_where_nothing_changes() {
    let (place, margin) = tuned();
    place.write("a.c", "int Margin = 100;\nint Gated = 3;\n");
    let patched = place.run(["apply", "run", "a.c"]);
    let told =
        format!("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-int Margin = 100;\n+int Margin = {margin};\n");
    assert!(patched.stdout.starts_with(&told), "{patched:?}");
    let again = place.run(["apply", "run", "a.c"]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""));
    let told = "a.c has these values already";
    again.says(told);
}

#[test]
fn a_fraction_with_which_an_int_began_does_not_reach_source() {
    let place = Place::new();
    let params = PARAMS
        .replace("c_end = 12.0", "c_end = 0")
        .replace("value = 3", "value = 3.4\ntype = \"int\"");
    place.write("params.toml", &params);
    let result = place.finished("run", &["--iterations", "1"]).json();
    assert_eq!(result["parameters"][0]["value"], 3.4, "{result}");
    place.write("a.c", "int Gated = 3;\n");
    let applied = place.run(["apply", "run", "a.c"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(place.read("a.c"), "int Gated = 3;\n");
}

#[test]
fn values_in_several_sources_are_written_file_by_file() {
    let (place, margin) = tuned();
    place.write("search.c", "int Margin = 100;\n");
    let all = place.run(["apply", "run", "search.c"]);
    assert_eq!(all.code, Some(2), "{all:?}");
    for chosen in [["--only", "margin"], ["--except", "Gated"]] {
        place.write("search.c", "int Margin = 100;\n");
        let one = place.run(["apply", "run", "search.c"].iter().chain(&chosen));
        assert_eq!(one.code, Some(0), "{one:?}");
        assert_eq!(place.read("search.c"), format!("int Margin = {margin};\n"));
    }
    let unknown = place.run(["apply", "run", "search.c", "--only", "Margn"]);
    unknown.says("did you mean `Margin`?");
}

#[test]
fn apply_keeps_the_bytes_of_source_that_is_not_utf8() {
    let (place, margin) = tuned();
    let text = |margin: f64| {
        let mut bytes = b"// f\xfcr \xe4\r\n/* \xfc */ int Margin = ".to_vec();
        bytes.extend(format!("{margin}; int Gated = 3; // \u{fc}\r\n").bytes());
        bytes
    };
    std::fs::write(place.path("a.c"), text(100.0)).expect("a file");
    let patched = place.run(["apply", "run", "a.c"]);
    assert_eq!(patched.code, Some(0), "{patched:?}");
    let written = std::fs::read(place.path("a.c")).expect("a file");
    assert_eq!(written, text(margin));
    // Its patch leads from the one to the other.
    std::fs::write(place.path("a.c"), text(100.0)).expect("a file");
    let output = place.tuner(["apply", "run", "a.c", "--dry-run"]).output();
    let patch = output.expect("a patch").stdout;
    std::fs::write(place.path("a.patch"), patch).expect("a file");
    let mut git = std::process::Command::new("git");
    git.args(["apply", "--unidiff-zero", "a.patch"]);
    let applied = git.current_dir(place.path("")).output().expect("git");
    assert!(applied.status.success(), "{applied:?}");
    let written = std::fs::read(place.path("a.c")).expect("a file");
    assert_eq!(written, text(margin));
    let told = place.run(["history", "a.c", "run", "--json"]).json();
    assert_eq!(told["tunes"][0]["parameters"][0]["outcome"], "kept");
    // A list is read in the encoding of the options' names.
    let list = [b"# Margin\n# f\xfcr\n", PARAMS.as_bytes()].concat();
    std::fs::write(place.path("latin.toml"), list).expect("a file");
    for command in [
        &["apply", "run", "latin.toml"][..],
        &["convert", "latin.toml", "--to", "values"],
        &["simulate", "latin.toml"],
        &["simulate", "params.toml", "--surface-file", "latin.toml"],
        &["history", "latin.toml", "run"],
    ] {
        let refused = place.run(command);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let told = "latin.toml:2: this is not UTF-8";
        refused.says(told);
        refused.says("iconv");
    }
}

#[test]
fn apply_refuses_values_beyond_the_range_of_a_file() {
    let (place, _) = tuned();
    let narrow = [
        (
            "narrow.toml",
            PARAMS.replace("max = 400", "max = 101"),
            "[0, 101]",
        ),
        (
            "narrow.txt",
            "Margin, int, 100, 0, 101, 12, 0.002\nGated, int, 3, 1, 8, 0.6, 0.002\n".to_owned(),
            "[0, 101]",
        ),
    ];
    for (name, text, range) in narrow {
        place.write(name, &text);
        let refused = place.run(["apply", "run", name]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        refused.says(range);
        assert_eq!(place.read(name), text);
    }
}

#[test]
fn validate_says_that_a_run_is_unfinished() {
    let (place, _) = tuned();
    let journal = place.read("run/journal.jsonl");
    let kept: Vec<&str> = journal.lines().take(150).collect();
    place.write("run/journal.jsonl", &format!("{}\n", kept.join("\n")));
    let validated = place.run(["validate", "run", "--dry-run"]);
    validated.says("of 240; this validates its present values");
}

#[test]
fn values_that_are_no_numbers_are_named() {
    let place = Place::new();
    let convert = |text: &str, to: &str| {
        place.write("values.txt", text);
        place.run(["convert", "values.txt", "--to", to])
    };
    let some = convert("# mine\nMargin, 99\nScale, 1 # note\nBase\n", "setoption");
    assert_eq!(some.stdout, "setoption name Margin value 99\n");
    let told = "left out, since the value is no number: Scale (line 3), Base (line 4)";
    some.says(told);
    let none = convert("setoption name EvalFile value x.nnue\n", "values");
    assert_eq!(none.code, Some(2), "{none:?}");
    none.says("values.txt has no values");
}

#[test]
fn a_file_with_a_byte_order_mark_is_converted() {
    let place = Place::new();
    place.write("marked.toml", &format!("\u{feff}{PARAMS}"));
    let choice = "[params.Style]\nvalue = 'calm'\nchoices = ['calm', 'bold']\n";
    place.write("style.toml", choice);
    let none = place.run(["convert", "style.toml", "--to", "openbench"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""), "{none:?}");
    let told = "style.toml has no parameter that the format can hold";
    none.says(told);
    let plain = place.run(["convert", "params.toml", "--to", "openbench"]);
    let marked = place.run(["convert", "marked.toml", "--to", "openbench"]);
    assert_eq!(marked.code, Some(0), "{marked:?}");
    assert_eq!(marked.stdout, plain.stdout);
    assert!(marked.stdout.starts_with("Margin, int, 100, 0, 400, 12, "));
}

#[test]
fn parameters_with_gains_of_zero_are_left_out_of_a_tune() {
    let place = Place::new();
    place.write(
        "list.txt",
        "Margin, int, 100, 0, 400, 12, 0.002\nGated, int, 3, 1, 8, 0.6, 0\nDead, int, 10, 0, 20, 0, 0.002\n",
    );
    let output = place
        .tuner(["spsa", "list.txt", "--engine", "./engine", "--nodes", "100"])
        .args(["--iterations", "2", "--seed", "7", "--json", "--out", "run"])
        .output()
        .expect("a run");
    let answer = crate::support::Answer::of(&output);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.says("left out: Gated, Dead");
    let names = answer.json()["parameters"].as_array().map(Vec::len);
    assert_eq!(names, Some(1));
}
