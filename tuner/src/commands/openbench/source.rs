//! What is handed to a server: a parameter file, or a run that began here, with the values that it
//! has reached and what is left of its pairs.

use std::path::Path;

use foundation::{Failure, Printer};

use crate::checks::options;
use crate::commands::settings::{read_params, select};
use crate::formats::params_file::{ParamsFile, SpsaKeys};
use crate::parameter::{Kind, Parameter, some_of};
use crate::run::journal::{self, Plan, Replayed};

/// Reads either, without what is no number; a folder is a run's.
pub(super) fn read(
    path: &Path,
    only: &[String],
    except: &[String],
    printer: Printer,
) -> Result<ParamsFile, Failure> {
    let mut file = read_all(path, only, except, printer)?;
    let is_choice = |own: &&Parameter| !own.choices.is_empty();
    let choices: Vec<&str> = file
        .parameters
        .iter()
        .filter(is_choice)
        .map(|own| own.name.as_str())
        .collect();
    if !choices.is_empty() {
        let told = format!(
            "a server tunes numbers only, and switches and choices are left out: {}",
            some_of(&choices)
        );
        file.parameters.retain(|own| own.choices.is_empty());
        if file.parameters.is_empty() {
            return Err(Failure::unable(format!("{told}; nothing is left"))
                .hint("`tuner spsa` tunes them here"));
        }
        printer.warn(&told);
    }
    let all: Vec<&Parameter> = file.parameters.iter().collect();
    if let Some(doubt) = options::by_slopes("OpenBench", &all) {
        printer.warn(&doubt);
    }
    Ok(file)
}

fn read_all(
    path: &Path,
    only: &[String],
    except: &[String],
    printer: Printer,
) -> Result<ParamsFile, Failure> {
    if !path.is_dir() {
        return read_params(path, only, except, printer);
    }
    let Replayed { session, plan, .. } = journal::replay(path)?;
    let tune = session.tune();
    let left = session.pairs().saturating_sub(session.taken_in());
    if left == 0 {
        printer.warn(
            "the run is finished: nothing is left of its pairs, so the tune has the form's length, or \
             that of the flags",
        );
    }
    let each = tune.schedule.pairs_per_iteration.max(1);
    let mut parameters: Vec<Parameter> = tune
        .parameters
        .iter()
        .zip(session.proposal())
        .map(|(parameter, value)| Parameter {
            value: match parameter.kind {
                Kind::Int => parameter.settle(value),
                Kind::Float => parameter.clip(value),
            },
            ..parameter.clone()
        })
        .collect();
    select(&mut parameters, only, except, &path.display().to_string())?;
    Ok(ParamsFile {
        parameters,
        spsa: SpsaKeys {
            iterations: (left > 0).then(|| left.div_ceil(each)),
            pairs_per_iteration: (left > 0).then_some(each),
            alpha: Some(tune.schedule.alpha),
            gamma: Some(tune.schedule.gamma),
            a_ratio: Some(tune.schedule.a_ratio),
        },
        match_section: conditions(&plan),
        ..ParamsFile::default()
    })
}

/// The limit and the options of a run, as a parameter file would say them.
fn conditions(plan: &Plan) -> toml::Table {
    let settings = &plan.engine.settings;
    let limit = settings.limit.as_ref().unwrap_or(&plan.play.limit);
    let flags = limit.flags().into_iter().map(|(key, value)| {
        let number = value.parse().ok().filter(|_| key != "tc");
        let value = number.map_or(toml::Value::String(value), toml::Value::Integer);
        (key.to_owned(), value)
    });
    let options = settings.options.iter();
    let options = options.map(|(name, value)| toml::Value::String(format!("{name}={value}")));
    let options = toml::Value::Array(options.collect());
    flags.chain([("option".to_owned(), options)]).collect()
}
