//! Options that are advertised but half wired, found from outside by what they do to fixed searches.
//!
//! Each check is a mistake that real engines have shipped: a parameter that the search no longer reads; two copies of a
//! default that disagree; a range that is printed and not enforced; a name that must be written in the right case; tables
//! derived once and never renewed; a text that crashes the parser; a switch without effect.

use bench_guard::Failure;
use sprt::engine::{OptionKind, UciOption};

use crate::arena::options;
use crate::options::Complaint;
use crate::parameter::Parameter;
use crate::prober::{Prober, Questions, Trace};

/// Options that no search at a fixed depth need heed.
const HARMLESS: [&str; 6] = [
    "Ponder",
    "OwnBook",
    "Clear Hash",
    "UCI_ShowWDL",
    "UCI_AnalyseMode",
    "UCI_LimitStrength",
];

/// A way to set an option without the checks that keep users from it.
struct Raw<'a> {
    name: &'a str,
    value: &'a str,
}

/// Complaints about the parameters' options, and about the engine's switches.
pub async fn inspect(
    questions: &Questions,
    parameters: &[Parameter],
    engine_options: &[UciOption],
) -> Result<Vec<Complaint>, Failure> {
    let mut prober = Prober::start(questions).await?;
    let base = prober.trace().await?;
    if prober.trace().await? != base {
        return Err(Failure::unable(
            "the same search gave two different answers: the engine is not deterministic here",
        )
        .hint("lint with Threads=1 and a fixed --depth or --nodes"));
    }
    prober.quit().await;

    let mut complaints = defaults(questions, parameters, engine_options, &base).await?;
    for parameter in parameters {
        let option = engine_options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(&parameter.name));
        if let Some(option) = option
            && let Some(default) = printed_default(option)
        {
            let one = Inspection {
                questions,
                parameter,
                option,
                default,
                base: &base,
            };
            complaints.extend(one.complaints().await?.into_iter().map(|text| Complaint {
                parameter: parameter.name.clone(),
                text,
                fatal: false,
            }));
        }
    }
    for option in engine_options {
        if let Some(text) = idle_switch(questions, option, &base).await? {
            complaints.push(Complaint {
                parameter: option.name.clone(),
                text,
                fatal: false,
            });
        }
    }
    Ok(complaints)
}

/// Options that change the search when they are set to what they are said to be.
async fn defaults(
    questions: &Questions,
    parameters: &[Parameter],
    engine_options: &[UciOption],
    base: &Trace,
) -> Result<Vec<Complaint>, Failure> {
    let printed: Vec<(String, String)> = parameters
        .iter()
        .filter_map(|parameter| {
            let option = engine_options
                .iter()
                .find(|option| option.name.eq_ignore_ascii_case(&parameter.name))?;
            Some((option.name.clone(), printed_default(option)?))
        })
        .collect();
    let mut prober = Prober::start(questions).await?;
    prober.engine.set_options(&printed).await?;
    let all = prober.trace().await?;
    prober.quit().await;
    let mut complaints = Vec::new();
    if all == *base {
        return Ok(complaints);
    }
    for (name, default) in printed {
        let mut prober = Prober::start(questions).await?;
        prober
            .engine
            .set_options(&[(name.clone(), default.clone())])
            .await?;
        if prober.trace().await? != *base {
            complaints.push(Complaint {
                parameter: name,
                text: format!(
                    "setting it to its printed default {default} changes the search: there is \
                     another copy of the default"
                ),
                fatal: false,
            });
        }
        prober.quit().await;
    }
    if complaints.is_empty() {
        complaints.push(Complaint {
            parameter: "all parameters".to_owned(),
            text:
                "setting them to their printed defaults changes the search, though none does alone"
                    .to_owned(),
            fatal: false,
        });
    }
    Ok(complaints)
}

/// One parameter under inspection.
struct Inspection<'a> {
    questions: &'a Questions,
    parameter: &'a Parameter,
    option: &'a UciOption,
    default: String,
    base: &'a Trace,
}

impl Inspection<'_> {
    async fn complaints(&self) -> Result<Vec<String>, Failure> {
        let mut complaints = Vec::new();
        let name = &self.option.name;
        let one = std::slice::from_ref(self.parameter);
        let text = |value: f64| {
            options(one, &[value])
                .pop()
                .map_or(String::new(), |(_, text)| text)
        };
        let mut prober = Prober::start(self.questions).await?;
        // The first search with the usual value makes a table that is derived once and never again.
        prober.trace().await?;
        let mut stirring = None;
        for bound in [self.parameter.max, self.parameter.min] {
            let trace = prober.trace_with(name, &text(bound), &self.default).await?;
            if trace != *self.base {
                stirring = Some((text(bound), trace));
                break;
            }
        }
        prober.quit().await;
        if let Some((bound, trace)) = stirring {
            complaints.extend(self.case(&bound, &trace).await?);
            complaints.extend(self.stale(&bound, &trace).await?);
            complaints.extend(self.range().await?);
        } else {
            // Dead, or a table that is never renewed: an engine that was given the value first tells.
            let fresh = self.fresh(&text(self.parameter.max)).await?;
            complaints.push(if fresh == *self.base {
                "dead: neither minimum nor maximum changes the search".to_owned()
            } else {
                STALE.to_owned()
            });
        }
        complaints.extend(self.garbage().await?);
        Ok(complaints)
    }

    /// The answers of a new engine that is given the value before its first search.
    async fn fresh(&self, value: &str) -> Result<Trace, Failure> {
        let mut prober = Prober::start(self.questions).await?;
        prober
            .engine
            .set_options(&[(self.option.name.clone(), value.to_owned())])
            .await?;
        let trace = prober.trace().await?;
        prober.quit().await;
        Ok(trace)
    }

    async fn stale(&self, value: &str, used: &Trace) -> Result<Option<String>, Failure> {
        Ok((self.fresh(value).await? != *used).then(|| STALE.to_owned()))
    }

    async fn case(&self, value: &str, expected: &Trace) -> Result<Option<String>, Failure> {
        let lower = self.option.name.to_lowercase();
        if lower == self.option.name {
            return Ok(None);
        }
        let raw = Raw {
            name: &lower,
            value,
        };
        Ok(match self.raw(raw).await {
            Ok(trace) if trace == *expected => None,
            Ok(_) => Some(format!(
                "ignored when written `{lower}`: option names ignore case"
            )),
            Err(failure) => Some(format!("written `{lower}`: {}", failure.message())),
        })
    }

    /// A value beyond the printed range must be refused, or taken for the bound.
    async fn range(&self) -> Result<Option<String>, Failure> {
        let OptionKind::Spin { min, max, .. } = self.option.kind else {
            return Ok(None);
        };
        for (bound, beyond) in [(max, max.saturating_add(1)), (min, min.saturating_sub(1))] {
            if bound == beyond {
                continue;
            }
            let (bound, beyond) = (bound.to_string(), beyond.to_string());
            let raw = Raw {
                name: &self.option.name,
                value: &beyond,
            };
            match self.raw(raw).await {
                Ok(trace) if trace == *self.base => {}
                Ok(trace) if trace == self.fresh(&bound).await? => {}
                Ok(_) => return Ok(Some(format!("takes {beyond}, beyond its printed range"))),
                Err(failure) => return Ok(Some(format!("{beyond}: {}", failure.message()))),
            }
        }
        Ok(None)
    }

    async fn garbage(&self) -> Result<Option<String>, Failure> {
        let raw = Raw {
            name: &self.option.name,
            value: "abc",
        };
        Ok(match self.raw(raw).await {
            Ok(trace) if trace == *self.base => None,
            Ok(_) => Some("the value `abc` changes the search".to_owned()),
            Err(failure) => Some(format!("the value `abc`: {}", failure.message())),
        })
    }

    /// The answers of a new engine after an option was set to whatever under whatever name.
    async fn raw(&self, raw: Raw<'_>) -> Result<Trace, Failure> {
        let mut prober = Prober::start(self.questions).await?;
        // What is set is checked against what is advertised; so advertise it.
        prober.engine.options = vec![UciOption {
            name: raw.name.to_owned(),
            kind: OptionKind::String {
                default: String::new(),
            },
        }];
        prober
            .engine
            .set_options(&[(raw.name.to_owned(), raw.value.to_owned())])
            .await?;
        let trace = prober.trace().await?;
        prober.quit().await;
        Ok(trace)
    }
}

const STALE: &str = "set after a search it gives another search than set before the first: what is \
                     derived from it is not renewed";

/// A check or combo option none of whose values changes anything.
async fn idle_switch(
    questions: &Questions,
    option: &UciOption,
    base: &Trace,
) -> Result<Option<String>, Failure> {
    let values: Vec<String> = match &option.kind {
        OptionKind::Check { default } => vec![(!default).to_string()],
        OptionKind::Combo { default, choices } => choices
            .iter()
            .filter(|choice| *choice != default)
            .cloned()
            .collect(),
        _ => return Ok(None),
    };
    if HARMLESS.contains(&option.name.as_str()) || option.name == "UCI_Chess960" {
        return Ok(None);
    }
    for value in values {
        let mut prober = Prober::start(questions).await?;
        prober
            .engine
            .set_options(&[(option.name.clone(), value)])
            .await?;
        let trace = prober.trace().await?;
        prober.quit().await;
        if trace != *base {
            return Ok(None);
        }
    }
    Ok(Some(
        "a switch without effect: no value changes the search".to_owned(),
    ))
}

fn printed_default(option: &UciOption) -> Option<String> {
    match &option.kind {
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::String { default } if default.trim().parse::<f64>().is_ok() => {
            Some(default.trim().to_owned())
        }
        _ => None,
    }
}
