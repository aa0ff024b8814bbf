//! Values in an engine's source: the one place where a name is given a number, or true or false.
//!
//! Known forms, with or without quotes around the name:
//!
//! ```text
//! TUNE(Name, 100, 0, 400)    X(Name, 100)    spsa!("Name", 100, ..)    {"Name", 100, ..}
//! int Name = 100;    pub const NAME: i32 = 100;    Name: 100,    #define NAME 100
//! static NAME: AtomicI32 = AtomicI32::new(100);
//! ```
//! A name is taken as it is written; where it stands nowhere, regardless of case and underscores.
//! Where a declaration gives a name its first value, later assignments and calls that name it are
//! uses. Two places of the same kind for one name are one too many: nothing is guessed.

use std::ops::Range;

use foundation::Failure;

use crate::formats::location::Source;

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

/// What is looked for: a number, or the value of a switch, which may be written as 0 or 1 too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub name: &'a str,
    pub is_switch: bool,
}

impl Wanted<'_> {
    fn may_be(self, value: &str) -> bool {
        let is_word = SWITCH.contains(&value);
        if self.is_switch {
            is_word || ["0", "1"].contains(&value)
        } else {
            !is_word
        }
    }
}

const SWITCH: [&str; 2] = ["false", "true"];

/// Where the values of these parameters stand, as ranges of bytes.
pub(crate) fn places(source: Source, wanted: &[Wanted]) -> Result<Vec<Range<usize>>, Failure> {
    let code = without_comments(source.text);
    let given: Vec<Given> = words(&code)
        .filter_map(|word| {
            let value = value_after(&code, word.clone())?;
            Some(Given {
                name: &code[word.clone()],
                is_declaration: is_declared(&code, word.start),
                text: &code[value.clone()],
                value,
            })
        })
        .collect();
    let place = |one: &Wanted| one_place(source, &given, *one);
    wanted.iter().map(place).collect()
}

/// A value that stands where that of a name would.
struct Given<'a> {
    name: &'a str,
    is_declaration: bool,
    value: Range<usize>,
    text: &'a str,
}

fn one_place(source: Source, given: &[Given], wanted: Wanted) -> Result<Range<usize>, Failure> {
    let name = wanted.name;
    let value = if wanted.is_switch {
        "true or false"
    } else {
        "a number"
    };
    let places = |is_it: &dyn Fn(&str) -> bool| -> Vec<Range<usize>> {
        let fits = |one: &&Given| is_it(one.name) && wanted.may_be(one.text);
        let found: Vec<&Given> = given.iter().filter(fits).collect();
        let is_any_declared = found.iter().any(|one| one.is_declaration);
        found
            .into_iter()
            .filter(|one| one.is_declaration || !is_any_declared)
            .map(|one| one.value.clone())
            .collect()
    };
    let mut found = places(&|word| word == name);
    if found.is_empty() {
        let bare = plain(name);
        found = places(&|word| plain(word) == bare);
    }
    match found.as_slice() {
        [place] => Ok(place.clone()),
        [] => Err(
            Failure::unable(format!("{}: no place gives {name} {value}", source.name)).hint(
                "known forms are MACRO(NAME, 100, …), NAME = 100, NAME: 100 and #define NAME 100",
            ),
        ),
        several => {
            let lines: Vec<String> = several
                .iter()
                .map(|place| line_number(source.text, place.start).to_string())
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

/// Words that may stand before a name without being its type.
const NO_TYPES: [&str; 7] = ["return", "else", "case", "goto", "in", "if", "while"];

/// Whether a type, `const`, `let` or `#define` stands before the name that begins here.
fn is_declared(code: &str, start: usize) -> bool {
    let before = code[..start].trim_end_matches([' ', '\t', '*', '&']);
    if before.len() == start {
        return false;
    }
    let word = before
        .rsplit(|letter: char| !is_of_word(letter))
        .next()
        .unwrap_or_default();
    // Of a template: `std::atomic<int> Margin`.
    let is_type = !word.is_empty() || before.ends_with('>');
    is_type
        && !word.starts_with(|letter: char| letter.is_ascii_digit())
        && !NO_TYPES.contains(&word)
}

fn line_number(text: &str, place: usize) -> usize {
    text[..place].matches('\n').count() + 1
}

/// Regardless of case and underscores.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// The same text, byte for byte as long, with blanks for comments.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let comment = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            0
        };
        if comment > 0 {
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            code.extend(rest.bytes().take(comment).map(blank));
            rest = &rest[comment..];
        } else {
            let letter = rest.chars().next().map_or(1, char::len_utf8);
            code.push_str(&rest[..letter]);
            rest = &rest[letter..];
        }
    }
    code
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The identifiers of a text, as ranges of bytes.
fn words(code: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        loop {
            let begin = start + code[start..].find(is_of_word)?;
            let length = code[begin..]
                .find(|letter| !is_of_word(letter))
                .unwrap_or(code.len() - begin);
            start = begin + length;
            if !code[begin..].starts_with(|letter: char| letter.is_ascii_digit()) {
                return Some(begin..start);
            }
        }
    })
}

/// The number, true or false that stands where a word's value would.
fn value_after(code: &str, word: Range<usize>) -> Option<Range<usize>> {
    let rest = &code[word.end..];
    let (quoted, rest) = match rest.strip_prefix('"') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let is_defined = code[..word.start].trim_end().ends_with("#define");
    let value = if is_defined && !quoted {
        rest
    } else if let Some(rest) = rest.strip_prefix(',').or_else(|| assigned(rest)) {
        rest.trim_start()
    } else {
        let rest = rest.strip_prefix(':')?.trim_start();
        // A type may stand between: `NAME: i32 = 100`.
        match rest.find('=') {
            Some(place) if rest[..place].trim().chars().all(is_of_word) => {
                assigned(&rest[place..])?.trim_start()
            }
            _ => rest,
        }
    };
    let value = made_of(value).unwrap_or(value);
    let start = code.len() - value.len();
    let length = switch_length(value).or_else(|| number_length(value))?;
    Some(start..start + length)
}

/// The length of the true or false that a text begins with.
fn switch_length(text: &str) -> Option<usize> {
    let word = SWITCH.into_iter().find(|word| text.starts_with(word))?;
    (!text[word.len()..].starts_with(is_of_word)).then_some(word.len())
}

fn assigned(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix('=')?;
    (!rest.starts_with('=')).then_some(rest)
}

/// What an atomic is made of in Rust: the rest after `AtomicI32::new(`.
fn made_of(value: &str) -> Option<&str> {
    let (name, rest) = value.split_once("::new(")?;
    (name.starts_with("Atomic") && name.chars().all(is_of_word)).then_some(rest)
}

/// The length of the number that a text begins with, without a suffix such as `f`.
fn number_length(text: &str) -> Option<usize> {
    let digits = |text: &str| {
        text.find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(&text[sign..]);
    let mut length = sign + whole;
    if let Some(rest) = text[length..].strip_prefix('.') {
        // Not the dots of a range such as `0..=400`.
        let fraction = digits(rest);
        if !rest.starts_with('.') && whole + fraction > 0 {
            length += 1 + fraction;
        }
    }
    let after = &text[length..];
    let goes_on = after.starts_with(is_of_word) && !after.starts_with(['f', 'F']);
    (length > sign && !goes_on).then_some(length)
}

/// What changes, as a unified diff without context.
pub(crate) fn diff(name: &str, before: &str, after: &str) -> String {
    let mut lines = vec![format!("--- a/{name}"), format!("+++ b/{name}")];
    for (index, (old, new)) in before.lines().zip(after.lines()).enumerate() {
        if old != new {
            let line = index + 1;
            lines.push(format!("@@ -{line} +{line} @@\n-{old}\n+{new}"));
        }
    }
    lines.join("\n")
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
        places(source, &[Wanted { name, is_switch }])
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
            "inline constexpr int Margin{ 0 }; int Margin = 100;",
            "pub static Margin: i32=100;",
            "pub static MARGIN: AtomicI32 = AtomicI32::new(100);",
            "#define Margin 100\n",
            "static const Params P = { .Margin = 100, .other = 4 };",
            "    margin: 100,\n    depth: 8,",
            "pub const MARGIN: i32 = 100;",
            "/* Margin = 90 */ int x = f(Margin); // Margin = 80\nint Margin = 100;",
            "if (Margin == 7 || other >= Margin) return; Margin = 100;",
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
        assert_eq!(found("range(Depth, 3..=9)", "Depth").as_deref(), Ok("3"));
    }

    #[test]
    fn no_place_and_two_places_are_refused() {
        let none = found("int Margin = compute();", "Margin").expect_err("none");
        assert!(none.contains("no place gives Margin"), "{none}");
        let two = found("Margin = 1;\n\nMargin = 2;", "Margin").expect_err("two");
        assert!(two.contains("in lines 1, 3"), "{two}");
        assert!(found("int Margin = 0x64;", "Margin").is_err());
        assert!(found("int Margins = 1;", "Margin").is_err());
    }

    #[test]
    fn a_diff_has_a_hunk_for_each_line() {
        let shown = diff(
            "src/a.c",
            "int a = 1;\nint b;\nint c = 2;\n",
            "int a = 3;\nint b;\nint c = 4;\n",
        );
        assert_eq!(
            shown,
            "--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-int a = 1;\n+int a = 3;\n@@ -3 +3 @@\n-int c = 2;\n+int c = 4;"
        );
        assert!(is_source("src/search.cpp") && !is_source("params.toml") && !is_source("Makefile"));
    }
}
