//! Engines that are started again after a failure.

use std::fs;

use crate::support::{Place, text};

#[test]
fn only_the_engine_that_failed_is_started_again_and_a_failed_start_is_tried_again() {
    let place = Place::new();
    let engine = place.engine("engine-a");
    let script = |name: &str, more: &str| {
        let starts = place.path(&format!("starts-{name}"));
        let starts = starts.display();
        place.script(
            name,
            &format!("echo x >> {starts}\nn=$(wc -l < {starts})\n{more}\nexec {engine}"),
        )
    };
    // The second start is that of the slot.
    let new = script("new", "[ $n -ne 2 ] || exit 1");
    let base = script("base", "");
    let output = place
        .sprt([&base, &new])
        .args(["--nodes", "1", "--max-games", "2", "--out", "run"])
        .args(["--seed", "7", "--new-option", "Script=crash@2"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let starts = |name: &str| {
        let lines = fs::read_to_string(place.path(&format!("starts-{name}")));
        lines.expect("a count").lines().count()
    };
    // When the plan is made and in the slot; NEW once more for the start that failed and after each
    // crash.
    assert_eq!((starts("base"), starts("new")), (2, 5));
}

#[test]
fn an_engine_that_hangs_is_gone_before_its_replacement_starts() {
    let place = Place::new();
    let engine = place.engine("engine-a");
    // Says when the last process of it is still there.
    let new = place.script(
        "new",
        &format!(
            "[ -s $0.last ] && kill -0 $(cat $0.last) 2> $0.quiet && echo > $0.both\n\
             echo $$ > $0.last\nexec {engine}"
        ),
    );
    let output = place
        .sprt([&engine, &new])
        .args(["--nodes", "1", "--max-games", "2", "--concurrency", "1"])
        .args(["--out", "run", "--seed", "7", "--move-timeout", "1"])
        .args(["--new-option", "Script=stall@2"])
        .output()
        .expect("sprt runs");
    let said = text(&output.stderr);
    assert!(said.contains("'s connection stalls"), "{said}");
    assert!(!place.path("new.both").exists(), "{said}");
}
