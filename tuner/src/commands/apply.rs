//! `tuner apply`: a run's values, written into the parameter file they came from.

use std::path::{Path, PathBuf};

use clap::Args;
use foundation::{Exit, Failure, Printer, files};

use crate::commands::settings::{check_names, is_chosen};
use crate::formats::encoding::{self, Encoding};
use crate::formats::location::Source;
use crate::formats::{self, ANY_LENGTH, Format, code};
use crate::parameter::{Kind, Parameter, some_of};
use crate::run::journal;
use crate::run::printed::shown;
use crate::run::result::RunResult;
use crate::run::server::{self, ServerTune};

/// Parameters with their values.
struct Values {
    list: Vec<(Parameter, f64)>,
    /// What speaks against them.
    doubts: Vec<String>,
    /// Parameters whose values are not written.
    left_out: Vec<String>,
    /// The names of all parameters of the tune.
    parameters: Vec<String>,
    /// Whether their starts are known to the last digit: a server prints four decimals.
    starts_are_exact: bool,
}

/// The arguments of `tuner apply`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ApplyArgs {
    /// The run's folder; of a tune on an OpenBench server, the folder that was fetched
    pub run: PathBuf,
    /// The file to change: a list of parameters in any format, or source with each value in one place,
    /// whose changes are shown as a patch
    #[arg(value_name = "PARAMS")]
    pub params: PathBuf,
    /// Write no value that ended at a bound, or that moved without evidence, less than noise or to
    /// another level
    #[arg(long)]
    pub only_evident: bool,
    /// Write these parameters only, separated by commas, such as those of one of several files
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Write all parameters but these
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub except: Vec<String>,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What applying a run changes.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The file's name.
    pub name: String,
    text: String,
    /// The file with the values.
    new: String,
    encoding: Encoding,
    /// The names of all its parameters.
    pub parameters: Vec<String>,
    /// Parameters whose value differs, with the old and the new one.
    pub moved: Vec<(String, String, String)>,
    /// What a person should know before keeping the values.
    pub doubts: Vec<String>,
    /// What --only-evident leaves as it is, in words.
    pub left_out: Option<String>,
}

impl Change {
    /// The file with the values.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.encoding.bytes(&self.new)
    }
}

impl ApplyArgs {
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let change = self.change()?;
        for doubt in &change.doubts {
            printer.warn(doubt);
        }
        if let Some(left_out) = &change.left_out {
            printer.note(left_out);
        }
        let Change {
            name,
            text,
            new,
            encoding,
            ..
        } = &change;
        if new == text {
            printer.note(&format!("{name} has these values already"));
            return Ok(Exit::Yes);
        }
        if code::is_source(name) {
            // As a patch, since a look at it is the only check that source has.
            let before = encoding.bytes(text);
            printer.bytes(&code::diff(name, &before, &change.bytes()));
        } else {
            for (parameter, old, value) in &change.moved {
                printer.result(&format!("{parameter}: {old} -> {value}"));
            }
        }
        if !self.dry_run {
            files::replace(&self.params, change.bytes())?;
            printer.note(&format!("wrote {name}"));
        }
        Ok(Exit::Yes)
    }

    /// What would be written.
    pub(crate) fn change(&self) -> Result<Change, Failure> {
        let name = self.params.display().to_string();
        let (text, encoding) = encoding::read(&self.params)?;
        let source = Source {
            name: &name,
            text: &text,
        };
        let Values {
            mut list,
            mut doubts,
            left_out,
            parameters,
            starts_are_exact,
        } = match server::digest_in(&self.run) {
            Some(digest) => {
                let tune = ServerTune::read(&self.run)?;
                let list = self.of_server(&digest, source)?;
                Values {
                    parameters: list.iter().map(|(own, _)| own.name.clone()).collect(),
                    starts_are_exact: false,
                    list,
                    doubts: tune.map_or_else(Vec::new, |tune| tune.result.warnings()),
                    left_out: Vec::new(),
                }
            }
            None => self.of_run()?,
        };
        let known: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let missing = "the tune has no such parameter";
        check_names("--only", &self.only, &known, missing)?;
        check_names("--except", &self.except, &known, missing)?;
        list.retain(|(own, _)| is_chosen(&self.only, &self.except, own));
        if !formats::has_ranges(source) {
            // Only a list with ranges can hold a fraction of an int, with which a server's tune may begin.
            for (own, value) in list.iter_mut().filter(|(own, _)| own.kind == Kind::Int) {
                (own.value, *value) = (own.settle(own.value), own.settle(*value));
            }
        }
        let (values, others): (Vec<_>, Vec<_>) = list
            .iter()
            .map(|(parameter, value)| (parameter, *value))
            .partition(|(parameter, value)| formats::can_hold(source, parameter, *value));
        let (new, old) = formats::with_values(source, &values)?;
        let others: Vec<&str> = others
            .into_iter()
            .filter(|(parameter, value)| *value != parameter.value)
            .map(|(parameter, _)| parameter.name.as_str())
            .collect();
        if !others.is_empty() {
            doubts.push(format!(
                "{name} has numbers only, and switches and choices that moved are left out: {}",
                some_of(&others)
            ));
        }
        doubts.extend(other_start(&name, &values, &old, starts_are_exact));
        let both = values.iter().zip(&old);
        let moved = both.filter(|((_, value), (_, old))| old != value);
        let moved = moved
            .map(|((parameter, value), (_, old))| {
                let [old, new] = [*old, *value].map(|value| shown(&parameter.choices, value));
                (parameter.name.clone(), old, new)
            })
            .collect();
        Ok(Change {
            name,
            text,
            new,
            encoding,
            parameters,
            moved,
            doubts,
            left_out: (!left_out.is_empty()).then(|| {
                format!(
                    "left as they are, at a bound or without evidence: {}",
                    left_out.join(", ")
                )
            }),
        })
    }

    /// The values of a server's tune, as an engine would be given them.
    fn of_server(&self, digest: &Path, source: Source) -> Result<Vec<(Parameter, f64)>, Failure> {
        if self.only_evident {
            return Err(
                Failure::unable("a server keeps no evidence for each of its values")
                    .hint("leave --only-evident out, and see `tuner validate`"),
            );
        }
        let tuned = server::read_digest(digest)?;
        if !formats::has_ranges(source) {
            let known = server::submitted(digest)?;
            // Those with gains of 0 are not among them, and stay what they are.
            let of_name = |name: &str| tuned.iter().find(|tuned| tuned.name == name);
            let moved = known
                .iter()
                .filter_map(|own| Some((own, of_name(&own.name)?)));
            return Ok(moved
                .map(|(own, tuned)| (own.clone(), server::as_given(own, tuned.value)))
                .collect());
        }
        let read = Format::of(source.text).read(source, ANY_LENGTH)?;
        let known = read.content.parameters;
        let values = tuned.into_iter().filter_map(|tuned| {
            let Some(parameter) = known.iter().find(|own| own.name == tuned.name) else {
                // Those with gains of 0 are not among them, and stay what they are.
                let has_moved = tuned.value != tuned.start;
                return has_moved.then(|| {
                    let message = format!("{} has no parameter {}", source.name, tuned.name);
                    Err(Failure::unable(message)
                        .hint("apply to the file that the tune was submitted from"))
                });
            };
            let began = Parameter {
                value: tuned.start,
                ..parameter.clone()
            };
            Some(Ok((began, server::as_given(parameter, tuned.value))))
        });
        values.collect()
    }

    /// The values of a run of ours, and what speaks against them.
    fn of_run(&self) -> Result<Values, Failure> {
        let replayed = journal::replay(&self.run)?;
        let result = RunResult::new(&replayed.session);
        let mut doubts = Vec::new();
        if !replayed.session.is_finished() {
            doubts.push(format!(
                "the run is at pair {} of {}; these are its present values",
                result.pairs, result.planned_pairs
            ));
        }
        let mut values = self.of_result(&result, &replayed.session.tune().parameters);
        values.doubts.splice(..0, doubts);
        Ok(values)
    }

    /// The values of a result that are to be written: what --only-evident leaves out is no doubt.
    fn of_result(&self, result: &RunResult, parameters: &[Parameter]) -> Values {
        let tuned = parameters.iter().zip(&result.parameters);
        let (left_out, kept): (Vec<_>, Vec<_>) =
            tuned.partition(|(_, found)| self.only_evident && found.is_doubtful());
        Values {
            parameters: parameters.iter().map(|own| own.name.clone()).collect(),
            starts_are_exact: true,
            list: kept
                .into_iter()
                .map(|(parameter, found)| (parameter.clone(), found.value))
                .collect(),
            doubts: if self.only_evident {
                Vec::new()
            } else {
                result.warnings()
            },
            left_out: left_out
                .into_iter()
                .filter(|(_, found)| found.has_moved())
                .map(|(parameter, _)| parameter.name.clone())
                .collect(),
        }
    }
}

/// Where the file has changed since the tune began, or another was tuned: what is printed as moved is
/// then not what the tune moved.
fn other_start(
    file: &str,
    values: &[(&Parameter, f64)],
    old: &[(&Parameter, f64)],
    is_exact: bool,
) -> Option<String> {
    let differs = |own: &Parameter, now: f64| {
        let most = if is_exact { own.c_end / 100.0 } else { 1e-4 };
        (own.value - now).abs() > most
    };
    // Values that are applied already differ from the start.
    let mut others = values
        .iter()
        .zip(old)
        .filter(|((parameter, value), (_, now))| differs(parameter, *now) && value != now);
    let ((parameter, _), (_, now)) = others.next()?;
    let more = match others.count() {
        0 => String::new(),
        more => format!(", and {more} more differ"),
    };
    Some(format!(
        "the tune began at {} = {}, but {file} has {}{more}",
        parameter.name,
        shown(&parameter.choices, parameter.value),
        shown(&parameter.choices, *now)
    ))
}

#[cfg(test)]
mod tests {
    use foundation::printer::OutputArgs;

    use super::*;
    use crate::run::result::tests::won_by_the_second;
    use crate::synthetic::study;

    const FILE: &str = "[params.Margin] # kept\nvalue = 75\nmin = 20\nmax = 200\nc_end = 9.0\n\n\
        [params.Scale]\nvalue = 1.5\nmin = 0.0\nmax = 2.0\nc_end = 0.1\n";
    const DIGEST: &str = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
        Margin,84.5000,75,20,200,15.3690,9.0000,0.0028,0.0020\n\
        Scale,1.7321,1.5000,0.0000,2.0000,0.2000,0.1000,0.0028,0.0020\n";

    #[test]
    fn what_only_evident_leaves_out_is_no_doubt() {
        let mut parameters = study::parameters(2, 1);
        parameters[1].max = parameters[1].value + 1.0;
        parameters[1].r_end = Some(1.0);
        let result = won_by_the_second(parameters.clone());
        let of = |only_evident| {
            let args = ApplyArgs {
                run: PathBuf::new(),
                params: PathBuf::new(),
                only_evident,
                only: Vec::new(),
                except: Vec::new(),
                dry_run: true,
            };
            args.of_result(&result, &parameters)
        };
        let all = of(false);
        assert_eq!((all.list.len(), all.left_out.len()), (2, 0));
        assert!(all.doubts[0].starts_with("ended at a bound: P1;"));
        let evident = of(true);
        assert!(evident.left_out.contains(&"P1".to_owned()));
        assert_eq!(evident.doubts, Vec::<String>::new());
        assert!(evident.list.iter().all(|(own, _)| own.name != "P1"));
        assert_eq!(evident.parameters, all.parameters);
    }

    #[test]
    fn a_start_that_has_changed_by_less_than_a_server_prints_is_noticed() {
        let mut own = study::parameters(1, 1).remove(0);
        (own.value, own.c_end) = (0.000_12, 0.000_02);
        let now = Parameter {
            value: 0.000_18,
            ..own.clone()
        };
        let doubt =
            |is_exact| other_start("file", &[(&own, 0.0002)], &[(&now, now.value)], is_exact);
        let said = doubt(true).expect("a doubt");
        assert!(said.contains("= 0.00012, but file has 0.00018"), "{said}");
        assert_eq!(doubt(false), None);
    }

    #[test]
    fn values_fetched_from_a_server_are_applied() {
        let folder = tempfile::tempdir().expect("a folder");
        let params = folder.path().join("params.toml");
        std::fs::write(&params, FILE).expect("written");
        std::fs::write(folder.path().join("digest.csv"), DIGEST).expect("written");
        let printer = Printer::new(OutputArgs {
            quiet: true,
            ..OutputArgs::default()
        });
        let mut args = ApplyArgs {
            run: folder.path().to_owned(),
            params: params.clone(),
            only_evident: false,
            only: Vec::new(),
            except: Vec::new(),
            dry_run: false,
        };
        let other_starts = |args: &ApplyArgs| {
            let mut doubts = args.change().expect("read").doubts;
            doubts.retain(|doubt| doubt.starts_with("the tune began at"));
            doubts
        };
        assert_eq!(other_starts(&args), [""; 0]);
        args.run(printer).expect("applied");
        // They are there already.
        assert_eq!(other_starts(&args), [""; 0]);
        let written = std::fs::read_to_string(&params).expect("read");
        assert_eq!(
            written,
            FILE.replace("value = 75", "value = 84")
                .replace("value = 1.5", "value = 1.7321")
        );
        let marked = format!("\u{feff}{}", FILE.replace('\n', "\r\n"));
        std::fs::write(&params, &marked).expect("written");
        args.run(printer).expect("applied after a byte order mark");
        assert_eq!(
            std::fs::read_to_string(&params).expect("read"),
            format!("\u{feff}{}", written.replace('\n', "\r\n"))
        );
        let list = "Margin, int, 75, 20, 200, 9, 0.002\nScale, float, 1.5, 0, 2, 0.1, 0.002";
        std::fs::write(&params, list).expect("written");
        args.run(printer).expect("applied to a list");
        assert_eq!(
            std::fs::read_to_string(&params).expect("read"),
            list.replace("75", "84").replace("1.5", "1.7321")
        );
        std::fs::write(&params, FILE.replace("75", "90")).expect("written");
        let doubts = other_starts(&args);
        assert_eq!(doubts.len(), 1, "{doubts:?}");
        assert!(
            doubts[0].contains("began at Margin = 75, but") && doubts[0].ends_with("has 90"),
            "{doubts:?}"
        );
        args.only_evident = true;
        assert!(args.run(printer).is_err());
        args.only_evident = false;
        std::fs::write(
            folder.path().join("digest.csv"),
            DIGEST.replace("Scale", "Other"),
        )
        .expect("written");
        assert!(
            args.run(printer)
                .expect_err("unknown")
                .message()
                .contains("Other")
        );
    }
}
