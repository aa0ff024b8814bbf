//! `params.toml`: one table per parameter, the shape of the run in `[spsa]`, the games in
//! `[match]`.
//!
//! Reading names line and column of whatever is wrong, before any game is played. Writing changes
//! values and nothing else: comments, order and layout stay the author's.

mod entries;
mod item;
mod text;

use std::ops::Range;

use foundation::Failure;
use runs::plan::MatchFlags;
use runs::plan::project_file::is_known;
use serde::Deserialize;
use toml_edit::{Document, Item, TableLike};

use super::location::Source;
use super::lost;
use super::params_file::{ParamsFile, SpsaKeys};
use super::syntax::{Converted, Reader, Syntax};
use crate::parameter::{Field, Parameter};

use item::{as_number, start};
pub(crate) use text::{to_text, written};

#[derive(Debug)]
pub(super) struct ParamsToml;

impl Syntax for ParamsToml {
    fn fits(&self, list: &str) -> bool {
        // A table, or a key, which no list of others begins with.
        let line = list.lines().next().unwrap_or_default();
        let is_key =
            |(key, _): (&str, &str)| !key.contains([',', '{']) && !key.starts_with("setoption ");
        list.starts_with('[') || line.split_once('=').is_some_and(is_key)
    }

    fn reader(&self) -> Option<Reader> {
        Some(|source, _| {
            Ok(Converted {
                content: parse(source)?,
                warnings: Vec::new(),
            })
        })
    }

    fn has_choices(&self) -> bool {
        true
    }

    fn places(&self, source: Source, names: &[&str]) -> Result<Vec<Range<usize>>, Failure> {
        let document = Document::parse(source.text)
            .map_err(|error| source.fault(start(error.span()), error.message()))?;
        let place = |name: &&str| {
            document
                .get("params")
                .and_then(|params| params.get(*name))
                .and_then(|fields| fields.get(Field::Value.key()))
                .and_then(Item::span)
                .ok_or_else(|| {
                    lost::no_value(source, name)
                        .hint("apply to the file that the run was started with")
                })
        };
        names.iter().map(place).collect()
    }

    fn write(&self, parameters: &[Parameter], spsa: &SpsaKeys, _games: u64) -> Converted<String> {
        Converted {
            content: to_text(parameters, spsa),
            warnings: Vec::new(),
        }
    }
}

/// Reads and checks a file.
fn parse(source: Source) -> Result<ParamsFile, Failure> {
    let document = Document::parse(source.text)
        .map_err(|error| source.fault(start(error.span()), error.message()))?;
    let mut file = ParamsFile::default();
    for (name, item) in document.iter() {
        let place = start(document.key(name).and_then(toml_edit::Key::span));
        let table = item
            .as_table_like()
            .ok_or_else(|| source.fault(place, format!("`{name}` is not a table")));
        match name {
            "params" => (file.parameters, file.fixed) = entries::read(source, table?)?,
            "spsa" => file.spsa = spsa(source, table?)?,
            "match" => file.match_section = match_section(source, table?)?,
            _ => {
                return Err(source
                    .fault(place, format!("unknown section `{name}`"))
                    .hint("known sections are [params.NAME], [spsa] and [match]"));
            }
        }
    }
    if file.parameters.is_empty() && !file.fixed.is_empty() {
        return Err(Failure::unable(format!(
            "{} has no parameters to tune: no entry has a `c_end` above 0, or `choices`",
            source.name
        ))
        .hint(
            "`c_end` of [params.NAME] is by how much the value is changed at the end of a tune; `choices` are \
             the values of what is no number",
        ));
    }
    if file.parameters.is_empty() {
        return Err(
            Failure::unable(format!("{} has no parameters", source.name)).hint(
                "add a table [params.NAME] each, or let `tuner init --engine ENGINE` write it",
            ),
        );
    }
    Ok(file)
}

fn spsa(source: Source, table: &dyn TableLike) -> Result<SpsaKeys, Failure> {
    let mut keys = SpsaKeys::default();
    for (name, item) in table.iter() {
        let place = start(item.span());
        let count = || {
            item.as_integer()
                .and_then(|count| u64::try_from(count).ok())
                .filter(|&count| count > 0)
                .ok_or_else(|| source.fault(place, format!("{name} is not a positive integer")))
        };
        let number = || {
            as_number(item)
                .filter(|number| number.is_finite() && *number >= 0.0)
                .ok_or_else(|| source.fault(place, format!("{name} is not a finite number >= 0")))
        };
        match name {
            "iterations" => keys.iterations = Some(count()?),
            "pairs_per_iteration" => keys.pairs_per_iteration = Some(count()?),
            "alpha" => keys.alpha = Some(number()?),
            "gamma" => keys.gamma = Some(number()?),
            "a_ratio" => keys.a_ratio = Some(number()?),
            _ => {
                return Err(source
                    .fault(place, format!("[spsa]: unknown key `{name}`"))
                    .hint(
                        "known keys are iterations, pairs_per_iteration, alpha, gamma, a_ratio",
                    ));
            }
        }
    }
    Ok(keys)
}

/// The section as the match's own flags are read, its keys known to be theirs.
fn match_section(source: Source, table: &dyn TableLike) -> Result<toml::Table, Failure> {
    for (name, item) in table.iter() {
        if name != "engine" && !is_known::<MatchFlags>(name) {
            return Err(source
                .fault(start(item.span()), format!("[match]: unknown key `{name}`"))
                .hint("its keys are `engine` and the flags of `sprt run` without the dashes"));
        }
    }
    let whole: WithMatch = toml::from_str(source.text)
        .map_err(|error| source.fault(start(error.span()), error.message()))?;
    Ok(whole.section)
}

/// A file that has this section.
#[derive(Deserialize)]
struct WithMatch {
    #[serde(rename = "match")]
    section: toml::Table,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::Kind;

    const FILE: &str = r#"# Margins, tuned in spring.
[params.FutilityMargin]
value = 100   # was 90
min = 0
max = 400
c_end = 12.0
r_end = 0.002
doc = "futility margin per ply of depth, centipawns"

[params.Scale]
value = 1.5
min = 0.0
max = 4
c_end = 0.25

[spsa]
iterations = 500
pairs_per_iteration = 4

[match]
nodes = 5000
option = ["Hash=16", "Threads=1"]
draw-adj = "movenumber=40"
"#;

    fn read(text: &str) -> Result<ParamsFile, Failure> {
        parse(Source {
            name: "params.toml",
            text,
        })
    }

    fn complaint(text: &str) -> String {
        read(text).expect_err(text).message().to_owned()
    }

    #[test]
    fn a_whole_file_is_read() {
        let file = read(FILE).expect("a file");
        let [margin, scale] = file.parameters.as_slice() else {
            panic!("two parameters");
        };
        assert_eq!(
            (margin.kind, margin.value, margin.r_end),
            (Kind::Int, 100.0, Some(0.002))
        );
        assert_eq!(
            (scale.kind, scale.max, scale.r_end),
            (Kind::Float, 4.0, None)
        );
        assert_eq!(file.spsa.schedule().pairs(), 2000);
        assert_eq!(file.match_section["nodes"].as_integer(), Some(5000));
        assert_eq!(file.match_section.len(), 3);
    }

    #[test]
    fn complaints_name_line_and_column() {
        let table = |fields: &str| format!("[params.A]\n{fields}\n");
        let cases = [
            (
                table("value = 5\nmin = 9\nmax = 1\nc_end = 1"),
                "params.toml:3:7: A: min 9 is above",
            ),
            (
                table("value = 5\nmin = 0\nmax = 4\nc_end = 1"),
                "params.toml:2:9: A: value 5 is out",
            ),
            (
                table("value = 5\nmin = 0\nmax = 9\nc_end = -1"),
                "params.toml:5:9: A: c_end is -1",
            ),
            (
                table("value = 5\nmin = 0\nmax = 9\nc_end = nan"),
                "params.toml:5:9: A: c_end is NaN",
            ),
            (
                table("value = 5\nmin = 0\nmax = 9\nr_end = 0.002"),
                "params.toml:1:9: A: c_end is missing",
            ),
            (
                table("value = '5'\nmin = 0\nmax = 9\nc_end = 1"),
                "params.toml:2:9: A: value is a str",
            ),
            (
                table("value = 5\nstep = 1"),
                "params.toml:3:8: A: unknown key `step`",
            ),
            (
                table("value = true\nchoices = [false, true]\nmin = 0"),
                "params.toml:4:7: A: min is for numbers, and this has choices",
            ),
            (
                table("value = 'loud'\nchoices = ['calm', 'bold']"),
                "params.toml:2:9: A: value is `loud`, and none of its choices: calm, bold",
            ),
            (
                table("value = 1\nchoices = [1, 2]"),
                "params.toml:3:12: A: choices has a value of type integer, not string",
            ),
            (
                table("value = 'a'\nchoices = ['a', 'b', 'c', 'd', 'e', 'f', 'g']"),
                "params.toml:3:11: A: 7 choices, and at most 6 can be tuned",
            ),
            (
                table("type = 'spin'\nc_end = 1"),
                "params.toml:2:8: A: type is `spin`",
            ),
            (
                "[spsa]\niterations = 0\n".into(),
                "params.toml:2:14: iterations is not a positive",
            ),
            ("[spsb]\n".into(), "params.toml:1:2: unknown section `spsb`"),
            (
                "params = 3\n".into(),
                "params.toml:1:1: `params` is not a table",
            ),
            ("[params.A\n".into(), "params.toml:1:10: "),
            (
                "[match]\nnodez = 3\n".into(),
                "params.toml:2:9: [match]: unknown key `nodez`",
            ),
            (String::new(), "params.toml has no parameters"),
            (
                table("value = 5\nmin = 0\nmax = 9"),
                "params.toml has no parameters to tune: no entry has a `c_end` above 0, or `choices`",
            ),
        ];
        for (text, expected) in cases {
            let got = complaint(&text);
            assert!(got.starts_with(expected), "{got}\nexpected {expected}");
        }
    }

    #[test]
    fn switches_and_choices_are_written_as_they_are_read() {
        let text = "[params.UseNull]\nvalue = true\nchoices = [false, true]\n\n\
            [params.Style]\ndoc = \"temper\"\nvalue = \"very bold\"\nchoices = [\"calm\", \"very bold\", \"true\"]\n";
        let file = read(text).expect("a file");
        let [switch, style] = file.parameters.as_slice() else {
            panic!("two parameters");
        };
        assert_eq!(
            (switch.choices.as_slice(), switch.value),
            (["false", "true"].map(str::to_owned).as_slice(), 1.0)
        );
        assert_eq!(
            (style.text(style.value).as_str(), style.max),
            ("very bold", 2.0)
        );
        assert_eq!(to_text(&file.parameters, &SpsaKeys::default()), text);
    }

    #[test]
    fn entries_without_gains_are_not_tuned() {
        let text = format!("{FILE}\n[params.Switch]\nvalue = 1\nmin = 0\nmax = 1\n");
        let file = read(&text).expect("a file");
        assert_eq!(
            (file.parameters.len(), file.fixed),
            (2, vec![("Switch".to_owned(), Some(1.0))])
        );
    }

    /// What the engine's build reads or refuses, we read or refuse.
    #[test]
    fn the_grammar_is_the_engines() {
        #[derive(serde::Deserialize)]
        struct Grammar {
            accepted: Vec<Accepted>,
            refused: Vec<Refused>,
        }
        #[derive(serde::Deserialize)]
        struct Accepted {
            case: String,
            text: String,
            tunable: Vec<String>,
            fixed: Vec<String>,
        }
        #[derive(serde::Deserialize)]
        struct Refused {
            case: String,
            text: String,
            blames: String,
        }
        let grammar = include_str!("../../../engine/tests/data/params_grammar.toml");
        let grammar: Grammar = toml::from_str(grammar).expect("the cases");
        assert!(!grammar.accepted.is_empty() && !grammar.refused.is_empty());
        for case in grammar.accepted {
            let file =
                read(&case.text).unwrap_or_else(|failure| panic!("{}: {failure}", case.case));
            let tunable: Vec<String> = file.parameters.into_iter().map(|own| own.name).collect();
            let fixed: Vec<String> = file.fixed.into_iter().map(|(name, _)| name).collect();
            assert_eq!(
                (tunable, fixed),
                (case.tunable, case.fixed),
                "{}",
                case.case
            );
        }
        for case in grammar.refused {
            let told = complaint(&case.text);
            assert!(told.contains(&case.blames), "{}: {told}", case.case);
        }
    }

    #[test]
    fn a_whole_number_with_an_exponent_is_an_integer() {
        let text = "[params.A]\nvalue = 1e2\nmin = 0\nmax = 4e2\nc_end = 12\n";
        let file = read(text).expect("a file");
        assert_eq!(
            (file.parameters[0].kind, file.parameters[0].value),
            (Kind::Int, 100.0)
        );
        let text = text.replace("1e2", "100.0");
        assert_eq!(read(&text).expect("a file").parameters[0].kind, Kind::Float);
    }

    #[test]
    fn a_gain_of_zero_freezes_a_parameter() {
        for gains in [
            "c_end = 1.0\nr_end = 0",
            "c_end = 0",
            "c_end = 0.0\nr_end = 0.002",
        ] {
            let frozen = format!("[params.B]\nvalue = 1\nmin = 0\nmax = 9\n{gains}\n");
            let file = read(&format!("{FILE}\n{frozen}")).expect("a file");
            assert_eq!(
                (file.parameters.len(), file.fixed),
                (2, vec![("B".to_owned(), Some(1.0))])
            );
        }
    }
}
