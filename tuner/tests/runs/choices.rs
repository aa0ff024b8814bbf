//! A switch and a choice, from `init` to `apply`.

use crate::support::Place;

#[test]
fn what_is_moved_by_slopes_is_named() {
    let place = Place::new();
    let few = "[params.Few]\nvalue = 1\nmin = 0\nmax = 3\nc_end = 0.5\n[params.On]\nvalue = true\nchoices = [false, true]\n";
    place.write("few.toml", &format!("{few}{}", crate::support::PARAMS));
    let told = "moves these by slopes, with c_end of 0.5 or more, though they have few values: Few";
    let plan = |more: &[&str]| place.run(["plan", "few.toml", "--untimed"].iter().chain(more));
    assert!(!plan(&[]).stderr.contains("slopes"));
    let classic = plan(&["--algorithm", "classic"]);
    classic.says(&format!("classic {told}, On;"));
    let server = plan(&["--openbench"]);
    server.says(&format!("OpenBench {told};"));
    let simulate = [
        "simulate",
        "few.toml",
        "--algorithm",
        "classic",
        "--surfaces",
        "2",
    ];
    let unordered = "[params.Style]\nvalue = 'a'\nchoices = ['a', 'b', 'c']\n";
    place.write("few.toml", unordered);
    let refused = place.run(simulate);
    let told = "--algorithm classic moves by slopes, and the values of Style have no order";
    assert!(
        refused.code == Some(2) && refused.stderr.contains(told),
        "{refused:?}"
    );
    let nothing = plan(&["--openbench"]);
    nothing.says("left out: Style; nothing is left");
}

#[test]
fn switches_and_choices_are_tuned_and_named_by_their_texts() {
    let place = Place::new();
    let engine = place.engine("chooser");
    let begun = place.run([
        "init",
        "--engine",
        &engine,
        "--nodes",
        "100",
        "--out",
        "tune.toml",
    ]);
    assert_eq!(begun.code, Some(0), "{begun:?}");
    begun.says("at most 6 choices can be tuned: Net;");
    let file = place.read("tune.toml");
    let tables = "[params.Wild]\nvalue = true\nchoices = [false, true]\n\n\
        [params.Style]\nvalue = \"calm\"\nchoices = [\"calm\", \"very bold\", \"mad\"]\n";
    assert!(file.contains(tables) && !file.contains("Clear"), "{file}");

    let adjudication = "draw-adj = \"movenumber=1,movecount=2,score=10\"\nresign-adj = \"movecount=1,score=400\"\n";
    place.write("tune.toml", &(file + adjudication));
    let of_both = |command: &str, more: &[&str]| {
        let own = [command, "tune.toml", "--only", "Wild,Style"];
        place.run(own.iter().chain(more))
    };
    let is_told = "Net: a switch without effect on `go depth 9` from 12 positions";
    for (flags, is_examined) in [
        (&["--except", "Style"][..], true),
        (&["--except", "net"], false),
        (&["--only", "Wild,Style"], false),
        (&["--only", "Wild", "--except", "Style"], false),
    ] {
        let linted = place.run(["lint", "tune.toml"].iter().chain(flags));
        assert_eq!(linted.stdout.contains(is_told), is_examined, "{linted:?}");
        assert_ne!(linted.code, Some(2), "{linted:?}");
    }
    let screened = of_both("screen", &["--json"]);
    assert_eq!(screened.code, Some(0), "{screened:?}");
    let report = screened.json();
    assert_eq!(
        report["parameters"][1]["changes_at_bounds"], true,
        "{report}"
    );
    assert!(report["parameters"][1]["shares"][0].is_null(), "{report}");
    let table = of_both("screen", &[]);
    assert_eq!(table.row("Style")[1..3], ["-", "-"], "{table:?}");
    assert!(report["parameters"][1]["shares"][3].is_number(), "{report}");

    let budget = [
        "--iterations",
        "150",
        "--pairs-per-iteration",
        "2",
        "--seed",
        "7",
        "--out",
        "run",
    ];
    let tuned = of_both("spsa", &budget);
    assert_eq!(tuned.code, Some(0), "{tuned:?}");
    let told = "Style, Elo over the start: very bold +";
    assert!(tuned.stdout.contains(told), "{tuned:?}");
    let shown = place.run(["show", "run", "--json"]).json();
    assert_eq!(shown["parameters"][1]["choices"][1], "very bold");
    assert_eq!(shown["parameters"][1]["value"], 1.0);
    place.run(["report", "run"]);
    let page = place.read("run/report.html");
    for told in [
        "Style: calm → very bold",
        "<td>true<td><b>false</b>",
        "setoption name Wild value false",
        "<th>Wild<td>-<td>-<td>",
    ] {
        assert!(page.contains(told), "{told}");
    }
    let plan = place.run(["validate", "run", "--dry-run"]).json();
    let new = plan["new"].to_string();
    for told in [r#"["Wild","false"]"#, r#"["Style","very bold"]"#] {
        assert!(new.contains(told), "{told}: {new}");
    }

    let listed = place.run(["convert", "tune.toml", "--to", "openbench"]);
    assert!(
        listed.stdout.starts_with("Margin, int,") && !listed.stdout.contains("Style"),
        "{listed:?}"
    );
    listed.says("left out: Wild, Style");

    place.write("list.txt", &listed.stdout);
    let applied = place.run(["apply", "run", "list.txt"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    applied.says("left out: Wild, Style");
    let applied = place.run(["apply", "run", "tune.toml"]);
    assert_eq!(
        applied.stdout, "Wild: true -> false\nStyle: calm -> very bold\n",
        "{applied:?}"
    );
    let file = place.read("tune.toml");
    assert!(
        file.contains("value = false\nchoices") && file.contains("value = \"very bold\"\n"),
        "{file}"
    );
}
