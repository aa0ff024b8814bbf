//! `docs/REFERENCE.md` is made from the types and flags of all tools, and this test says when it is
//! out of date: `WHETSTONE_UPDATE=1 cargo test -p tuner --test reference` makes it anew.

use std::fmt::Write as _;
use std::path::Path;

use foundation::{Exit, variables};

const HEAD: &str = "\
# Reference

Made from the sources by `WHETSTONE_UPDATE=1 cargo test -p tuner --test reference`; do not edit.

`TOOL COMMAND --help` describes all flags, `TOOL man DIR` writes them as manual pages.
";

const SETTINGS: &str = "
## whetstone.toml

The nearest `whetstone.toml`, from the current folder up to the root of its repository. Flags win over the environment, the
environment over the file, the file over defaults. Unknown keys and sections are errors. A relative path starts from the
file's folder.
";

const TUNER_KEYS: &str = "
### [tuner]

`engine` (a program, a git revision, or a folder with a Makefile) and every key of `[sprt]` that says how games are played;
`[match]` of a parameter file takes the same keys and wins; a relative path in it starts from the folder of that file.
";

const NAMED: &str = "
### [settings]

Options of the engine under a name, for `--setting NAME` of `sprt suite` and `tuner ablate`:
`conservative = [\"RfpMargin=110\", \"NmpEnable=0\"]`.
";

const OBJECTS: &str = "
## JSON

`--json` prints one object whose first members are `schema` and `version`. Members are only ever added under the same
version. A figure that does not exist is null; there is no NaN. Where a figure may be null from now on, the version
stays, and the [changelog](CHANGELOG.md) marks it with **script**.
";

fn reference() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (exit, meaning) in Exit::MEANINGS {
        row(&mut text, &(exit as u8).to_string(), meaning);
    }
    text.push_str("\n## Environment variables\n\n| variable | meaning |\n|---|---|\n");
    for (name, meaning) in variables::ALL {
        row(&mut text, &format!("`{name}`"), meaning);
    }
    text.push_str(SETTINGS);
    text.push_str("\n### [bench-guard]\n\n");
    text.push_str(&bench_guard::reference::keys());
    text.push_str("\n### [sprt]\n\n| key | meaning |\n|---|---|\n");
    text.push_str(&sprt::reference::keys());
    text.push_str("\n### [sprt.base], [sprt.new]\n\n| key | meaning |\n|---|---|\n");
    text.push_str(&sprt::reference::engine_keys());
    text.push_str(TUNER_KEYS);
    text.push_str(NAMED);
    text.push_str(OBJECTS);
    let tools = [
        ("bench-guard", bench_guard::reference::objects()),
        ("sprt", sprt::reference::objects()),
        ("tuner", tuner::reference::objects()),
    ];
    for (tool, objects) in tools {
        for (commands, schema, members) in objects {
            // Writing to a `String` cannot fail.
            let _ = write!(
                text,
                "\n### {schema}\n\nOf `{tool}`: {commands}.\n\n{members}"
            );
        }
    }
    text
}

fn row(text: &mut String, name: &str, meaning: &str) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "| {name} | {meaning} |");
}

#[test]
fn the_reference_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/REFERENCE.md");
    let current = reference();
    if std::env::var_os("WHETSTONE_UPDATE").is_some() {
        std::fs::write(&file, &current).expect("docs can be written");
    }
    let written = std::fs::read_to_string(&file).expect("docs/REFERENCE.md");
    assert!(
        written == current,
        "docs/REFERENCE.md is out of date; make it anew with \
         `WHETSTONE_UPDATE=1 cargo test -p tuner --test reference`"
    );
}
