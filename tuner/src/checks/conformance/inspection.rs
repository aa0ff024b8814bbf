//! One parameter's option: does it do anything, and does it take what it should take and nothing
//! else?
//!
//! Every check needs a value that changes the search. Where neither minimum nor maximum does, no
//! other mistake can be found.

use std::sync::Arc;

use engine_client::OptionKind;
use foundation::Failure;

use super::reference::Reference;
use super::subject::{NO_NUMBER, Seen, Subject, setting};
use super::tuned_option::TunedOption;
use super::untuned;
use crate::checks::complaint::Complaint;
use crate::parameter::options;

/// What was found out about a parameter.
pub(super) struct Findings {
    pub name: String,
    pub complaints: Vec<Complaint>,
    /// Nothing changed a search: deeper ones must tell whether it is dead.
    pub is_suspect: bool,
    /// Its name and a value that changes the search.
    pub effective: Option<(String, String)>,
}

pub(super) struct Inspection {
    reference: Arc<Reference>,
    tuned: TunedOption,
    /// Whether a printed default is what the engine starts with.
    defaults_agree: bool,
    complaints: Vec<Complaint>,
}

impl Inspection {
    pub(super) fn new(reference: Arc<Reference>, tuned: TunedOption, defaults_agree: bool) -> Self {
        Self {
            reference,
            tuned,
            defaults_agree,
            complaints: Vec::new(),
        }
    }

    /// Whether a first look shows something wrong: a bound that cannot be searched with, or two that
    /// change nothing.
    pub(super) async fn looks_wrong(self) -> Result<bool, Failure> {
        let reference = Arc::clone(&self.reference);
        let mut subject = Subject::new(&reference);
        let usual = self.see(&mut subject, &self.tuned.default).await?;
        let mut has_effect = false;
        for bound in [self.tuned.parameter.max, self.tuned.parameter.min] {
            let seen = self.see(&mut subject, &self.text(bound)).await?;
            if !matches!(seen, Seen::Searched(_)) {
                return Ok(true);
            }
            has_effect |= seen != usual;
        }
        Ok(!has_effect)
    }

    pub(super) async fn findings(mut self) -> Result<Findings, Failure> {
        let reference = Arc::clone(&self.reference);
        let mut subject = Subject::new(&reference);
        // The first search with the usual value makes a table that is derived once and never again.
        let mut usual = subject.see("", "").await?;
        if !self.defaults_agree {
            usual = self.see(&mut subject, &self.tuned.default).await?;
        }
        let parameter = &self.tuned.parameter;
        let (max, min) = (self.text(parameter.max), self.text(parameter.min));
        let at_max = self.see(&mut subject, &max).await?;
        let at_min = self.see(&mut subject, &min).await?;
        let bounds = [(max, at_max), (min, at_min)];
        for (value, seen) in &bounds {
            if !self.judge_bound(value, seen) {
                break;
            }
        }
        let effective = bounds
            .iter()
            .find(|(_, seen)| matches!(seen, Seen::Searched(_)) && *seen != usual);
        if let Some((value, seen)) = effective {
            self.case(&mut subject, value, seen).await?;
            self.range(&mut subject, &usual).await?;
            self.fraction(&mut subject, &usual).await?;
        }
        // A table that is never renewed shows when the value is set before the first search.
        let told_late = match effective {
            Some(one) => std::slice::from_ref(one),
            None => &bounds,
        };
        let mut renewed = true;
        for (value, seen) in told_late {
            if matches!(seen, Seen::Searched(_)) {
                let told_first = Subject::fresh(&reference, &self.setting(value)).await?;
                renewed &= !matches!(told_first, Seen::Searched(_)) || told_first == *seen;
            }
        }
        let mut is_suspect = false;
        if !renewed {
            self.complain(
                "set after a search it gives another search than set before the first: what is \
                 derived from it is not renewed",
            );
        } else if bounds.iter().all(|(_, seen)| *seen == usual) {
            let values = bounds.each_ref().map(|(value, _)| value.as_str());
            is_suspect = !self.is_gated(values).await?;
        }
        self.garbage(&mut subject, &usual).await?;
        let name = self.tuned.option.name;
        Ok(Findings {
            complaints: self.complaints,
            is_suspect,
            effective: effective.map(|(value, _)| (name.clone(), value.clone())),
            name,
        })
    }

    /// Neither bound changes anything: whether that is because a switch is off.
    async fn is_gated(&mut self, bounds: [&str; 2]) -> Result<bool, Failure> {
        let reference = Arc::clone(&self.reference);
        let all: String = reference
            .gates
            .iter()
            .map(|gate| gate.on.as_str())
            .collect();
        if !all.is_empty() && self.changes_after(&all, bounds).await? {
            for gate in &reference.gates {
                if self.changes_after(&gate.on, bounds).await? {
                    self.complain_of("dead while a switch is off", &gate.name);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the bounds change a search after `lines`.
    async fn changes_after(&self, lines: &str, bounds: [&str; 2]) -> Result<bool, Failure> {
        let mut subject = Subject::new(&self.reference);
        let usual = subject.see(lines, "").await?;
        for value in bounds {
            let seen = self.see(&mut subject, value).await?;
            if matches!((&usual, &seen), (Seen::Searched(_), Seen::Searched(_))) && seen != usual {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a value within its range neither ends the engine nor makes it play an illegal move.
    fn judge_bound(&mut self, value: &str, seen: &Seen) -> bool {
        let (text, detail) = match seen {
            Seen::Crashed(how) => (
                "a value in its range ends the engine".to_owned(),
                format!("{value}: {how}"),
            ),
            Seen::Silent => (
                format!(
                    "a value in its range makes a search last over {:.0} s; all of {} took {:.1} s",
                    self.reference.questions.timeout().as_secs_f64(),
                    self.reference.searches,
                    self.reference.took.as_secs_f64(),
                ),
                value.to_owned(),
            ),
            Seen::Searched(trace) => match self.reference.questions.first_illegal(trace) {
                None => return true,
                Some(best) => (
                    "a value in its range makes it play illegal moves".to_owned(),
                    format!("{value}: {best}"),
                ),
            },
        };
        self.complain_of(&text, &detail);
        false
    }

    /// Names of options ignore case.
    async fn case(
        &mut self,
        subject: &mut Subject<'_>,
        value: &str,
        expected: &Seen,
    ) -> Result<(), Failure> {
        let name = &self.tuned.option.name;
        let lower = name.to_lowercase();
        let (other, text) = if lower == *name {
            (
                name.to_uppercase(),
                "not known in upper case, though names of options ignore case",
            )
        } else {
            (
                lower,
                "not known in lower case, though names of options ignore case",
            )
        };
        let seen = subject
            .see(&setting(&other, value), &self.setting(&self.tuned.default))
            .await?;
        if let Seen::Crashed(how) = &seen {
            self.complain_of(text, how);
        } else if seen != *expected {
            self.complain(text);
        }
        Ok(())
    }

    /// A value beyond the printed range must be refused, or taken for the bound.
    async fn range(&mut self, subject: &mut Subject<'_>, usual: &Seen) -> Result<(), Failure> {
        let OptionKind::Spin { min, max, .. } = self.tuned.option.kind else {
            return Ok(());
        };
        let width = max.saturating_sub(min);
        for (bound, outward) in [(max, 1), (min, -1)] {
            let at_bound = self.see(subject, &bound.to_string()).await?;
            // The next value may do just what the bound does: one far out differs more.
            for distance in [1, width] {
                let beyond = bound.saturating_add(width.min(distance).saturating_mul(outward));
                if beyond == bound {
                    continue;
                }
                let seen = self.see(subject, &beyond.to_string()).await?;
                let detail = match &seen {
                    _ if seen == *usual || seen == at_bound => continue,
                    Seen::Searched(_) | Seen::Silent => beyond.to_string(),
                    Seen::Crashed(how) => format!("{beyond}: {how}"),
                };
                self.complain_of("takes values beyond its printed range", &detail);
                return Ok(());
            }
        }
        Ok(())
    }

    /// A fraction must be refused or rounded; engines that read whole numbers only cut it off.
    async fn fraction(&mut self, subject: &mut Subject<'_>, usual: &Seen) -> Result<(), Failure> {
        let OptionKind::Spin { default, min, max } = self.tuned.option.kind else {
            return Ok(());
        };
        // Not the default itself: an engine that refuses a fraction must be told from one that cuts
        // it off.
        let [mut near, mut far] = if default <= max.saturating_sub(2) {
            [default + 1, default + 2]
        } else if default >= min.saturating_add(2) {
            [default - 1, default - 2]
        } else {
            return Ok(());
        };
        if near.unsigned_abs() > far.unsigned_abs() {
            (near, far) = (far, near);
        }
        let seen_near = self.see(subject, &near.to_string()).await?;
        let seen_far = self.see(subject, &far.to_string()).await?;
        if seen_near == seen_far || seen_near == *usual {
            return Ok(());
        }
        let sign = if near < 0 || far < 0 { "-" } else { "" };
        let fraction = format!("{sign}{}.6", near.unsigned_abs());
        if self.see(subject, &fraction).await? == seen_near {
            let text = "cuts fractions off, where it should round or refuse them";
            let detail = format!("{fraction} does what {near} does");
            self.complaints.push(
                Complaint::new(&self.tuned.parameter.name, text)
                    .detail(&detail)
                    .into_note(),
            );
        }
        Ok(())
    }

    async fn garbage(&mut self, subject: &mut Subject<'_>, usual: &Seen) -> Result<(), Failure> {
        for value in [NO_NUMBER, ""] {
            let seen = self.see(subject, value).await?;
            if seen == *usual {
                continue;
            }
            let (text, detail) = match seen {
                Seen::Crashed(how) => (untuned::ENDS, format!("`{value}`: {how}")),
                Seen::Silent => (
                    "a value that is no number makes it hang",
                    format!("`{value}`"),
                ),
                Seen::Searched(_) => (
                    "a value that is no number changes the search",
                    format!("`{value}`"),
                ),
            };
            self.complain_of(text, &detail);
            break;
        }
        Ok(())
    }

    /// The answers at a value; the default is put back afterwards.
    async fn see(&self, subject: &mut Subject<'_>, value: &str) -> Result<Seen, Failure> {
        subject
            .see(&self.setting(value), &self.setting(&self.tuned.default))
            .await
    }

    fn setting(&self, value: &str) -> String {
        setting(&self.tuned.option.name, value)
    }

    /// A value as it is sent to the engine.
    fn text(&self, value: f64) -> String {
        let told = options(std::slice::from_ref(&self.tuned.parameter), &[value]).pop();
        told.map_or(String::new(), |(_, text)| text)
    }

    fn complain(&mut self, text: impl Into<String>) {
        self.complaints
            .push(Complaint::new(&self.tuned.parameter.name, text));
    }

    fn complain_of(&mut self, text: &str, detail: &str) {
        self.complaints
            .push(Complaint::new(&self.tuned.parameter.name, text).detail(detail));
    }
}
