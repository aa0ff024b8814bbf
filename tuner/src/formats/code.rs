//! Values in an engine's source: the one place where a name is given a number, or true or false.
//!
//! Known forms, with or without quotes around the name:
//!
//! ```text
//! TUNE(Name, 100, 0, 400)    X(Name, 100)    spsa!("Name", 100, ..)    {"Name", 100, ..}
//! int Name = 100;    pub const NAME: i32 = 100;    Name: 100,    #define NAME 100
//! static NAME: AtomicI32 = AtomicI32::new(100);    int Name{100};
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
mod syntax;
mod wanted;

use std::ops::Range;

use foundation::Failure;

use crate::formats::location::Source;

use argument::Argument;
use syntax::{NO_TYPES, expression, is_begun, is_of_word};
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
    let given: Vec<Given> = words(&code).filter_map(|word| given(&code, word)).collect();
    let found = wanted.iter().map(|one| one_given(source, &given, *one));
    let found: Vec<&Given> = found.collect::<Result<_, _>>()?;
    let both = found.iter().zip(wanted);
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

/// A name in a list, and which of its arguments may be the value.
struct Entry<'a> {
    list: &'a str,
    name: &'a str,
    columns: Vec<usize>,
}

/// What stands where the value of a name would.
struct Given<'a> {
    name: &'a str,
    form: Form,
    /// What stands before the list whose arguments may be the value; none where the place is sure.
    list: Option<&'a str>,
    arguments: Vec<Argument<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A type, `let` or `#define` stands before the name.
    Declared,
    /// `NAME: 100`, `.NAME = 100` and `"NAME", 100`.
    Field,
    /// An assignment, or the arguments of a macro; a use may look like either.
    Use,
}

impl Given<'_> {
    fn first(&self) -> &Argument<'_> {
        &self.arguments[0]
    }

    fn columns(&self, wanted: Wanted) -> Vec<usize> {
        argument::columns(&self.arguments, wanted)
    }

    /// Where the value stands. What is not the first number has to be confirmed: by the other entries
    /// of its list, or by the range beside it.
    fn place(
        &self,
        source: Source,
        wanted: Wanted,
        entries: &[Entry],
    ) -> Result<Range<usize>, Failure> {
        let Some(list) = self.list else {
            return self.sure_place(source, wanted);
        };
        let is_other = |one: &&Entry| one.list == list && one.name != wanted.name;
        let others: Vec<&Entry> = entries.iter().filter(is_other).collect();
        let is_known = |column: usize| others.iter().any(|one| one.columns == [column]);
        let mut columns = self.columns(wanted);
        if columns.len() > 1 {
            let known: Vec<usize> = columns.iter().copied().filter(|it| is_known(*it)).collect();
            if known.len() == 1 {
                columns = known;
            } else if wanted.value == wanted.start {
                // What stays may be written over anything that it is.
                columns.truncate(1);
            }
        }
        let (name, began) = (wanted.name, wanted.start);
        let fault = match columns.as_slice() {
            [column] => {
                let Argument {
                    text,
                    start,
                    length,
                } = self.arguments[*column];
                let which = format!("argument {} after {name}, {text},", column + 1);
                let mut others = others.iter().filter(|one| !one.columns.is_empty());
                if let Some(other) = others.find(|one| !one.columns.contains(column)) {
                    let (other, its) = (other.name, other.columns[0] + 1);
                    format!("{which} may be its value, but for {other} it is argument {its}")
                } else if is_known(*column) || argument::is_usual(&self.arguments, *column, wanted)
                {
                    return Ok(start..start + length.unwrap_or_default());
                } else {
                    format!("nothing shows that {which} is its value")
                }
            }
            [] => format!("no argument after {name} is its start value, {began}"),
            several => format!(
                "{} arguments after {name} may be its start value, {began}",
                several.len()
            ),
        };
        let start = self.first().start;
        let line = source.text.lines().nth(line_number(source.text, start) - 1);
        let line = line.unwrap_or_default().trim();
        Err(source.fault(start, format!("{fault}: `{line}`")).hint(
            "write it by hand, or apply to a file whose values are those of the tune's start",
        ))
    }

    fn sure_place(&self, source: Source, wanted: Wanted) -> Result<Range<usize>, Failure> {
        let Argument {
            text,
            start,
            length,
        } = *self.first();
        if let Some(length) = length.filter(|length| wanted.may_be(&text[..*length])) {
            return Ok(start..start + length);
        }
        let text: Vec<&str> = text.split_whitespace().collect();
        let (name, value) = (wanted.name, wanted.words());
        let message = format!("{name} is `{}`, which is not {value} alone", text.join(" "));
        Err(source
            .fault(start, message)
            .hint("write it by hand, or give it a number in decimal digits alone"))
    }

    /// Whether it could be taken for a value: it is one, or begins with a number.
    fn is_candidate(&self, wanted: Wanted) -> bool {
        let Argument { text, length, .. } = *self.first();
        let digits = text.trim_start_matches('-');
        match length {
            Some(length) if wanted.may_be(&text[..length]) => true,
            None if digits.starts_with(|it: char| it.is_ascii_digit()) => true,
            _ => self.list.is_some() && !self.columns(wanted).is_empty(),
        }
    }

    /// Where its last argument begins.
    fn end(&self) -> Option<usize> {
        self.arguments.last().map(|last| last.start)
    }

    fn contains(&self, other: &Self) -> bool {
        let start = self.first().start;
        (start..start + self.first().text.len()).contains(&other.first().start)
    }
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
                .map(|one| line_number(source.text, one.first().start).to_string())
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

/// What stands where a word's value would.
fn given(code: &str, word: Range<usize>) -> Option<Given<'_>> {
    let name = &code[word.clone()];
    let rest = &code[word.end..];
    let (quoted, rest) = match rest.strip_prefix('"') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let before = &code[..word.start - usize::from(quoted)];
    let is_defined = !quoted && before.trim_end().ends_with("#define");
    let is_declared = is_declared(code, word.start);
    if let Some(values) = rest.strip_prefix(',').filter(|_| !is_defined) {
        if !quoted && !call::is_declaring(code, word) {
            return None;
        }
        return Some(Given {
            name,
            form: if quoted { Form::Field } else { Form::Use },
            list: Some(call::name(before)),
            arguments: argument::arguments(code, code.len() - values.len()),
        });
    }
    let (form, value) = if is_defined {
        (Form::Declared, rest)
    } else if let Some(value) = assigned(rest) {
        match is_declared {
            true => (Form::Declared, value),
            false if before.ends_with('.') => (Form::Field, value),
            false => (Form::Use, value),
        }
    } else if let Some(value) = rest.strip_prefix('{') {
        // `int Name{100};`, not the body of what returns a `Name` or is one, and no list.
        let (inner, after) = value.split_once('}')?;
        let is_ended = after.trim_start().starts_with([';', ',']);
        let is_body = inner.contains(';');
        if !is_declared || is_body || !is_ended || inner.contains([',', '"', '{']) {
            return None;
        }
        (Form::Declared, value)
    } else {
        let value = rest.strip_prefix(':')?.trim_start();
        match value.find('=') {
            // A type stands between: `NAME: i32 = 100`.
            Some(place) if value[..place].trim().chars().all(is_of_word) => {
                let form = if is_declared {
                    Form::Declared
                } else {
                    Form::Use
                };
                (form, assigned(&value[place..])?)
            }
            // Neither the width of a field nor what stands after a condition.
            _ if is_declared || !is_begun(before) => return None,
            _ => (Form::Field, value),
        }
    };
    let value = value.trim_start();
    let value = made_of(value).unwrap_or(value);
    let text = if is_defined {
        defined(value)
    } else {
        expression(value)
    };
    Some(Given {
        name,
        form,
        list: None,
        arguments: vec![Argument::new(text, code.len() - value.len())],
    })
}

/// What `#define` gives a name: the rest of the line, and of those that a backslash continues it in.
fn defined(text: &str) -> &str {
    let ends = text.match_indices('\n').map(|(at, _)| at);
    let mut ends = ends.filter(|at| !text[..*at].trim_end_matches('\r').ends_with('\\'));
    text[..ends.next().unwrap_or(text.len())].trim_end()
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
