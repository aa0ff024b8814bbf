//! `bench-guard check [RANGE]`.

use std::{fs::File, io::Write, path::Path};

use super::Scene;
use crate::{
    arguments::{CheckArguments, Format},
    check::{Question, Report, check},
    report,
    repository::{Range, Repository},
};
use foundation::{Exit, Failure, failure::OrUnable};

pub fn run(scene: &Scene, arguments: &CheckArguments) -> Result<Exit, Failure> {
    let repository = scene.repository()?;
    let settings = scene.settings(arguments.runs)?;
    let question = Question {
        range: range(&repository, arguments)?,
        build: !arguments.no_build,
        require_sprt: arguments.require_sprt,
    };
    let printer = scene.printer;
    let report = check(&repository, &settings, &question, &|text| {
        printer.note(text);
    })?;
    write(scene, &report, arguments)?;
    Ok(if report.fails(arguments.strict) {
        Exit::No
    } else {
        Exit::Yes
    })
}

fn range(repository: &Repository, arguments: &CheckArguments) -> Result<Range, Failure> {
    let range = match &arguments.range {
        Some(text) => Range::parse(text)?,
        None if arguments.all => Range::One("HEAD".to_owned()),
        None => match repository.resolve_commit("@{upstream}") {
            Ok(from) => Range::Since {
                from,
                tip: "HEAD".to_owned(),
            },
            Err(_) => Range::One("HEAD".to_owned()),
        },
    };
    match range {
        Range::One(tip) if arguments.all => Ok(Range::All(tip)),
        Range::Since { .. } if arguments.all => {
            Err(Failure::unable("--all takes one commit, not a range")
                .hint("leave out --all, or what stands before `..`"))
        }
        range => Ok(range),
    }
}

fn write(scene: &Scene, report: &Report, arguments: &CheckArguments) -> Result<(), Failure> {
    let text = report::check_text(report, scene.printer.is_verbose());
    match arguments.format.chosen() {
        Format::Text => scene.printer.result(&text),
        Format::Json => scene.printer.result(&report::check_json(report)),
        Format::Github => {
            scene.printer.result(&report::annotations(report, &text));
            append("GITHUB_STEP_SUMMARY", &report::summary(report))?;
            append("GITHUB_OUTPUT", &report::outputs(report, arguments.strict))?;
        }
    }
    Ok(())
}

/// GitHub names files that a step appends to; elsewhere there are none.
fn append(variable: &str, text: &str) -> Result<(), Failure> {
    let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = Path::new(&path);
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .or_unable(format_args!("append to {variable}, `{}`", path.display()))
}
