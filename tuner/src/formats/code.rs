//! Values in an engine's source: the one place where a name is given a number, or true or false.
//!
//! Known forms, with or without quotes around the name:
//!
//! ```text
//! TUNE(Name, 100, 0, 400)    X(Name, 100)    spsa!("Name", 100, ..)    {"Name", 100, ..}
//! int Name = 100;    pub const NAME: i32 = 100;    Name: 100,    #define NAME 100
//! static NAME: AtomicI32 = AtomicI32::new(100);    int Name{100};    int Name(100);    #define NAME (100)
//! ```
//! A name is taken as it is written; where it stands nowhere, regardless of case and underscores.
//! Where a declaration gives a name its first value, later assignments and calls that name it are
//! uses. Of several arguments after a name, the value is the one that is the start value, if it is the
//! first number, or other entries of the list or the range beside it confirm it. Two places of the same
//! kind for one name are one too many, and an expression that is more than a number is refused: nothing
//! is guessed.

mod argument;
mod blanked;
mod call;
mod given;
mod syntax;
mod wanted;

use std::ops::Range;

use foundation::Failure;

use crate::formats::location::Source;

use given::{Entry, Form, Given};
pub(crate) use wanted::Wanted;

/// Endings of files that are source.
const ENDINGS: [&str; 21] = [
    "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inc", "def", "rs", "zig", "go", "java",
    "cs", "kt", "swift", "nim", "d", "py", "js",
];

/// Whether a file of this name is source.
pub(crate) fn is_source(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Where the values of these parameters stand, as ranges of bytes.
pub(crate) fn places(source: Source, wanted: &[Wanted]) -> Result<Vec<Range<usize>>, Failure> {
    let code = blanked::blanked(source.name, source.text);
    let given = given::all(&code);
    let found = wanted.iter().map(|one| one_given(source, &given, *one));
    let found: Vec<&Given> = found.collect::<Result<_, _>>()?;
    let both = found.iter().zip(wanted);
    for (place, (one, of)) in both.clone().enumerate() {
        if let Some((_, other)) = both
            .clone()
            .take(place)
            .find(|(it, _)| std::ptr::eq(**it, *one))
        {
            return Err(Failure::unable(format!(
                "{}: {} and {} are one place",
                source.name, other.name, of.name
            ))
            .hint("spell the names of the parameters as the source does"));
        }
    }
    let entries = both.clone().filter_map(|(given, wanted)| {
        Some(Entry {
            list: given.list?,
            name: wanted.name,
            columns: given.columns(*wanted),
        })
    });
    let entries: Vec<Entry> = entries.collect();
    both.map(|(given, wanted)| given.place(source, *wanted, &entries))
        .collect()
}

/// What may give a name its value. Where it is declared as something that is no number, such as
/// `f(x)`, what looks like a use is one.
fn candidates<'a>(
    given: &'a [Given<'a>],
    wanted: Wanted,
    is_it: impl Fn(&str) -> bool,
) -> Vec<&'a Given<'a>> {
    let named = given.iter().filter(|one| is_it(one.name));
    let (declared, others): (Vec<&Given>, Vec<&Given>) =
        named.partition(|one| one.form == Form::Declared);
    let is_candidate = |one: &&Given| one.is_candidate(wanted);
    let found: Vec<&Given> = declared.iter().copied().filter(is_candidate).collect();
    if !found.is_empty() {
        return found;
    }
    let is_use = |one: &Given| {
        let is_outside = !declared.iter().any(|whole| whole.contains(one));
        one.form == Form::Use && !declared.is_empty() && is_outside
    };
    let others = others.into_iter().filter(|one| !is_use(one));
    others.filter(is_candidate).collect()
}

fn one_given<'a>(
    source: Source,
    given: &'a [Given<'a>],
    wanted: Wanted,
) -> Result<&'a Given<'a>, Failure> {
    let (name, value) = (wanted.name, wanted.words());
    let bare = plain(name);
    let mut found = candidates(given, wanted, |word| word == name);
    if found.is_empty() {
        found = candidates(given, wanted, |word| plain(word) == bare);
    }
    if found.is_empty() {
        let is_it = |one: &&Given| one.form == Form::Declared && plain(one.name) == bare;
        found.extend(given.iter().find(is_it));
    }
    // `X(Margin, "Margin", 100)` names it twice.
    found.dedup_by_key(|one| one.end());
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(
            Failure::unable(format!("{}: no place gives {name} {value}", source.name)).hint(
                "known forms are MACRO(NAME, 100, …), NAME = 100, NAME: 100 and #define NAME 100",
            ),
        ),
        several => {
            let lines: Vec<String> = several
                .iter()
                .map(|one| source.line(one.first().start).to_string())
                .collect();
            Err(Failure::unable(format!(
                "{}: {} places give {name} {value}, in lines {}",
                source.name,
                several.len(),
                lines.join(", ")
            ))
            .hint("write it by hand, or apply to the file that holds the default alone"))
        }
    }
}

/// Regardless of case and underscores.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// What changes, as a unified diff without context, in the bytes of the file.
pub(crate) fn diff(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut diff = format!("--- a/{name}\n+++ b/{name}").into_bytes();
    let lines = |text| <[u8]>::split(text, |byte| *byte == b'\n');
    for (index, (old, new)) in lines(before).zip(lines(after)).enumerate() {
        if old != new {
            let line = index + 1;
            diff.extend(format!("\n@@ -{line} +{line} @@").bytes());
            diff.extend([b"\n-", old, b"\n+", new].concat());
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, name: &str) -> Result<String, String> {
        value_of(text, name, false)
    }

    fn value_of(text: &str, name: &str, is_switch: bool) -> Result<String, String> {
        let source = Source {
            name: "search.cpp",
            text,
        };
        let wanted = Wanted {
            name,
            is_switch,
            start: if is_switch { 0.0 } else { 100.0 },
            value: 7.0,
            bounds: [0.0, 400.0],
        };
        places(source, &[wanted])
            .map(|places| text[places[0].clone()].to_owned())
            .map_err(|failure| failure.message().to_owned())
    }

    #[test]
    fn the_usual_forms_are_found() {
        for text in [
            "TUNE(Margin, 100, 0, 400, 12)",
            "    X(Margin,100,0,400) \\\n    X(Other, 3, 0, 9) \\\n",
            "TUNE_PARAM(\"Margin\", 100, 0, 400);",
            "  {\"Margin\", 100, 0, 400},",
            "spsa! { Margin: i32 = 100, 0..=400; }",
            "int Margin = 100; // was 90\n",
            "inline constexpr int Margin{ 100 };",
            "int Margin{100}; int f(int d) { return std::max(p.Margin, 20) * d; }",
            "struct P { int Margin {100}, Other {3}; };",
            "LMR Margin = {\"Margin\", 100, 0, 400};",
            "Tunable Margin{\"Margin\", 100, 0, 400};",
            "auto Margin = tune(\"Margin\", 100);",
            "const int Margin = TUNE(Margin, 100, 0, 400);",
            "int x = std::max(Margin, 20);\nTUNE(Margin, 100, 0, 400)\nint y = min(Margin, 3);",
            "add({&Margin, 100});",
            "{ margin: 100 }\nlet margin = p.margin * depth;",
            "printf(\"Margin = 7\"); auto s = R\"(Margin = 8)\"; int Margin = 100;",
            "x = y ? Margin : 7; struct { int Margin : 4; } b; Margin = 100;",
            "int Margin = 100u;",
            "int Margin = 100\nint Other = 3",
            "pub static Margin: i32=100;",
            "pub static MARGIN: AtomicI32 = AtomicI32::new(100);",
            "#define Margin 100\n",
            "#define Margin (100)\n",
            "int Margin(100);\nbool f() { return Margin(7); }",
            "int Other(int Margin);\nint Margin = (100);",
            "static const Params P = { .Margin = 100, .other = 4 };",
            "    margin: 100,\n    depth: 8,",
            "pub const MARGIN: i32 = 100;",
            "/* Margin = 90 */ int x = f(Margin); // Margin = 80\nint Margin = 100;",
            "if (Margin == 7 || other >= Margin) return; Margin = 100;",
            "#include <cstdint>\n\nTUNE(Margin, 100, 0, 400)\n",
            "from tune import *\nTUNE(Margin, 100)\n",
            "#if A\nPARAM(Other, 1)\n#else\nPARAM(Margin, 100)\n#endif\n",
            "TUNE(Margin, 100, 0, 400)\nint RfpMargin = std::max(Margin, 20);",
            "addSpin(\"Margin\", 100, 0, 400);\nint Margin = get(\"Margin\");",
            "tunables!((Margin, 100, 0, 400), (Other, 5, 0, 9));",
            "struct Margin { int x; };\nTUNE(Margin, 100)",
            "PARAMS(X(Margin, 100) X(Other, 5))",
            "PARAMS(\n  X(Other, 5)\n  X(Margin, 100)\n)",
        ] {
            assert_eq!(found(text, "Margin").as_deref(), Ok("100"), "{text}");
        }
    }

    #[test]
    fn a_declaration_comes_before_uses_of_the_name() {
        for text in [
            "int Margin = 100;\nvoid reset() { Margin = 7; }",
            "static int Margin = 100;\nclamp(Margin, 0, 400);",
            "std::atomic<int> Margin = 100;\nf(Margin, 3);",
            "#define Margin 100\nint x = max(Margin, 3);",
            "Margin = 7;\nextern const int *Margin = 100;",
            "let margin = 100;\nmargin = 3;",
        ] {
            assert_eq!(found(text, "Margin").as_deref(), Ok("100"), "{text}");
        }
        for text in [
            "int Margin = 1;\nint Margin = 2;",
            "Margin = 1;\nMargin = 2;",
            "if (x) return Margin = 1; else Margin = 2;",
        ] {
            assert!(found(text, "Margin").is_err(), "{text}");
        }
    }

    #[test]
    fn switches_are_found_as_words_and_as_digits() {
        for (text, expected) in [
            ("bool UseNull = true;", "true"),
            ("TUNE(UseNull, false)\nTUNE(Other, true)", "false"),
            ("pub const USE_NULL: bool = false;", "false"),
            ("int UseNull = 1;\nset(UseNull, 7);", "1"),
            ("#define UseNull 0", "0"),
            ("UseNull = trueish;\nstatic bool UseNull = true;", "true"),
        ] {
            assert_eq!(
                value_of(text, "UseNull", true).as_deref(),
                Ok(expected),
                "{text}"
            );
        }
        assert!(value_of("int UseNull = 2;", "UseNull", true).is_err());
        // A number is not sought where a word stands.
        let text = "set(Margin, true);\nMargin = 100;";
        assert_eq!(found(text, "Margin").as_deref(), Ok("100"));
    }

    #[test]
    fn names_are_found_regardless_of_case_and_underscores() {
        let text = "pub const LMR_QUIET_BASE: i32 = -100;\nlet lmr_quiet = 3;";
        assert_eq!(found(text, "LmrQuietBase").as_deref(), Ok("-100"));
        // As it is written it comes first.
        let text = "int LmrBase = 7;\nint lmr_base = 8;";
        assert_eq!(found(text, "LmrBase").as_deref(), Ok("7"));
    }

    #[test]
    fn fractions_keep_what_follows_them() {
        assert_eq!(found("float Scale = 1.5f;", "Scale").as_deref(), Ok("1.5"));
        assert_eq!(found("Scale = .75;", "Scale").as_deref(), Ok(".75"));
    }

    #[test]
    fn no_place_and_two_places_are_refused() {
        let none = found("int Margins = compute();", "Margin").expect_err("none");
        assert!(none.contains("no place gives Margin"), "{none}");
        let two = found("Margin = 1;\n\nMargin = 2;", "Margin").expect_err("two");
        assert!(two.contains("in lines 1, 3"), "{two}");
        assert!(found("int Margins = 1;", "Margin").is_err());
    }

    #[test]
    fn one_place_for_two_names_is_refused() {
        let wanted = ["Lmr_1_1", "Lmr_11"].map(|name| Wanted {
            name,
            is_switch: false,
            start: 100.0,
            value: 7.0,
            bounds: [0.0, 400.0],
        });
        let source = Source {
            name: "search.cpp",
            text: "int Lmr_11 = 100;",
        };
        let failure = places(source, &wanted).expect_err("one place");
        assert!(
            failure
                .message()
                .contains("Lmr_1_1 and Lmr_11 are one place")
        );
    }

    #[test]
    fn what_only_looks_like_a_value_is_refused() {
        for text in [
            "printf(\"Margin = 100\");",
            "auto s = R\"(Margin = 100)\";",
            "return clamp(Margin, 100, 200);",
            "x = std::max(p.Margin, 20);",
            "f(std::max(Margin, 20));",
            "f((int) max(Margin, 100));",
            "if (f(Margin, 100) and f(x)) {}",
            "fn f() -> i32 { bound(MARGIN, 20) * d }",
            "x = y ? Margin : 100;",
            "int Margin : 4;",
            "range(Margin, 3..=9)",
            "int RfpMargin = std::max(Margin, 20);",
        ] {
            assert!(found(text, "Margin").is_err(), "{text}");
        }
    }

    #[test]
    fn an_expression_is_not_taken_for_its_first_number() {
        for (text, told) in [
            ("int Margin = 100 + 20;", "100 + 20"),
            ("int Margin = 100\n    + 20;", "100 + 20"),
            ("#define Margin 100 * 2\n", "100 * 2"),
            ("#define Margin 100 \\\n + 2\n", "100 \\ + 2"),
            ("Margin = 100 << 1;", "100 << 1"),
            ("let margin = 100 + depth * 5;", "100 + depth * 5"),
            ("int Margin{100 + 20};", "100 + 20"),
            ("#define Margin (100) * 2\n", "(100) * 2"),
            ("#define Margin (100 * 2)\n", "(100 * 2)"),
            ("AtomicI32 Margin = AtomicI32::new(100 + 20);", "100 + 20"),
            ("int Margin = 0x64;\nint x = max(Margin, 3);", "0x64"),
            ("int Margin = 1e3;", "1e3"),
            ("int Margin = compute();\nMargin = 7;", "compute()"),
        ] {
            let told = format!("Margin is `{told}`, which is not a number alone");
            let failure = found(text, "Margin").expect_err(text);
            assert!(failure.contains(&told), "{failure}");
        }
    }

    #[test]
    fn separators_of_digits_belong_to_the_number() {
        for (text, expected) in [
            (
                "const MARGIN: i32 = 1_00; fn f() { bound(MARGIN, 20) }",
                "1_00",
            ),
            ("int Margin = 1'000'000;", "1'000'000"),
            ("let margin = 100_i32;", "100"),
        ] {
            assert_eq!(found(text, "Margin").as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_diff_has_a_hunk_for_each_line() {
        let shown = diff(
            "src/a.c",
            b"int a = 1;\nint b;\nint c = 2;\n",
            b"int a = 3;\nint b;\nint c = 4;\n",
        );
        assert_eq!(
            shown,
            b"--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-int a = 1;\n+int a = 3;\n@@ -3 +3 @@\n-int c = 2;\n+int c = 4;"
        );
        assert!(is_source("src/search.cpp") && !is_source("params.toml") && !is_source("Makefile"));
    }
}
