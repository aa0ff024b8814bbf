//! Something wrong or doubtful about an option or an engine, and a short list of many such
//! complaints.

use schemars::JsonSchema;
use serde::Serialize;

/// The subject of complaints that concern the engine as a whole.
pub(crate) const ENGINE: &str = "engine";

/// Something wrong or doubtful.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Complaint {
    /// The option's name, or [`ENGINE`].
    pub parameter: String,
    /// The same words for the same mistake, whichever option it is about.
    pub text: String,
    /// What was seen of this one: a value, an engine's last words.
    pub detail: Option<String>,
    pub severity: Severity,
}

/// What a complaint means for a tune.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// The tune cannot be started like this.
    Error,
    Warning,
    /// A warning: the tune can run.
    Note,
}

impl Complaint {
    pub(crate) fn new(parameter: &str, text: impl Into<String>) -> Self {
        Self {
            parameter: parameter.to_owned(),
            text: text.into(),
            detail: None,
            severity: Severity::Warning,
        }
    }

    #[must_use]
    pub(crate) fn detail(self, detail: &str) -> Self {
        Self {
            detail: Some(shortened(detail)),
            ..self
        }
    }

    #[must_use]
    pub(crate) fn fatal_if(self, is_fatal: bool) -> Self {
        let severity = if is_fatal {
            Severity::Error
        } else {
            self.severity
        };
        Self { severity, ..self }
    }

    #[must_use]
    pub(crate) fn into_note(self) -> Self {
        Self {
            severity: Severity::Note,
            ..self
        }
    }
}

/// How many characters of a long text are kept, at its beginning and at its end.
const KEPT: [usize; 2] = [80, 120];

/// What an engine said, on one line and without its middle where it is long.
pub(crate) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let letters: Vec<char> = line.chars().collect();
    let [first, last] = KEPT;
    if letters.len() <= first + last {
        return line;
    }
    let part = |letters: &[char]| letters.iter().collect::<String>();
    let (beginning, end) = (&letters[..first], &letters[letters.len() - last..]);
    format!("{} … {}", part(beginning), part(end))
}

/// One line for each mistake, errors first, with all options that have it.
pub(crate) fn lines(complaints: &[Complaint]) -> Vec<String> {
    let mut mistakes: Vec<Vec<&Complaint>> = Vec::new();
    for complaint in complaints {
        let same = |group: &&mut Vec<&Complaint>| {
            (group[0].severity, &group[0].text) == (complaint.severity, &complaint.text)
        };
        match mistakes.iter_mut().find(same) {
            Some(group) => group.push(complaint),
            None => mistakes.push(vec![complaint]),
        }
    }
    mistakes.sort_by_key(|group| group[0].severity);
    mistakes.iter().map(|group| line(group)).collect()
}

fn line(group: &[&Complaint]) -> String {
    let Complaint {
        parameter,
        text,
        detail,
        severity,
    } = group[0];
    let weight = match severity {
        Severity::Error => "error: ",
        Severity::Warning => "",
        Severity::Note => "note: ",
    };
    let in_brackets = |detail: &Option<String>| match detail {
        Some(detail) => format!(" ({detail})"),
        None => String::new(),
    };
    if group.len() == 1 {
        format!("{parameter}: {weight}{text}{}", in_brackets(detail))
    } else {
        let names: Vec<String> = group
            .iter()
            .map(|complaint| format!("{}{}", complaint.parameter, in_brackets(&complaint.detail)))
            .collect();
        format!(
            "{} options: {weight}{text}: {}",
            names.len(),
            names.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_last_words_keep_their_beginning_and_end() {
        assert_eq!(shortened("ended\n by  itself"), "ended by itself");
        let long = format!(
            "ended by itself: {}é what(): stoi",
            "searching\n".repeat(100)
        );
        let short = shortened(&long);
        assert_eq!(short.chars().count(), 203);
        assert!(short.starts_with("ended by itself: searching searching"));
        assert!(
            short.contains(" … ") && short.ends_with("é what(): stoi"),
            "{short}"
        );
    }

    #[test]
    fn the_same_mistake_is_one_line_and_fatal_ones_come_first() {
        let complaints = [
            Complaint::new("F", "cuts fractions off").into_note(),
            Complaint::new("A", "dead"),
            Complaint::new("B", "takes what is beyond its range").detail("401"),
            Complaint::new("C", "dead"),
            Complaint::new(ENGINE, "crashed").detail("bye\n  for ever"),
            Complaint::new("D", "no such option").fatal_if(true),
            Complaint::new("E", "takes what is beyond its range").detail("9"),
        ];
        assert_eq!(
            lines(&complaints),
            [
                "D: error: no such option",
                "2 options: dead: A, C",
                "2 options: takes what is beyond its range: B (401), E (9)",
                "engine: crashed (bye for ever)",
                "F: note: cuts fractions off",
            ]
        );
    }
}
