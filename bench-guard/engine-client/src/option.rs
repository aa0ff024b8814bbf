//! The options an engine advertises, and whether it would take a value.

use foundation::Failure;

/// The value of Hash, in MiB, if the user does not set it.
pub const USUAL_HASH: &str = "16";

/// A line `option name … type …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    pub name: String,
    pub kind: OptionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Combo {
        default: String,
        choices: Vec<String>,
    },
    Button,
    String {
        default: String,
    },
}

impl UciOption {
    /// Reads what follows `option ` on an engine's line; `None` where it is not a well-formed
    /// option.
    pub fn parse(text: &str) -> Option<Self> {
        const FIELDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
        let mut fields: Vec<(&str, String)> = Vec::new();
        for word in text.split_whitespace() {
            // A name may hold any word, also `min` or `max`: only `type` ends it.
            let in_name = fields.last().is_some_and(|(field, _)| *field == "name");
            match FIELDS.iter().find(|field| **field == word) {
                Some(field) if !in_name || word == "type" => fields.push((field, String::new())),
                _ => {
                    let (_, value) = fields.last_mut()?;
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(word);
                }
            }
        }
        let value = |wanted: &str| {
            fields
                .iter()
                .find(|(field, _)| *field == wanted)
                .map(|(_, value)| value.as_str())
        };
        let name = value("name").filter(|name| !name.is_empty())?.to_owned();
        let default = value("default").unwrap_or("");
        let kind = match value("type")? {
            "check" => OptionKind::Check {
                default: default == "true",
            },
            "spin" => OptionKind::Spin {
                default: default.parse().ok()?,
                min: value("min").map_or(Some(i64::MIN), |min| min.parse().ok())?,
                max: value("max").map_or(Some(i64::MAX), |max| max.parse().ok())?,
            },
            "combo" => OptionKind::Combo {
                default: default.to_owned(),
                choices: fields
                    .iter()
                    .filter(|(field, _)| *field == "var")
                    .map(|(_, choice)| choice.clone())
                    .collect(),
            },
            "button" => OptionKind::Button,
            "string" => OptionKind::String {
                default: if default == "<empty>" { "" } else { default }.to_owned(),
            },
            _ => return None,
        };
        Some(Self { name, kind })
    }

    /// The minimum of this option, if it is `Hash`, `value` is the usual size, and the minimum is
    /// above it: the user did not ask for that size in particular.
    pub fn least_hash(&self, value: &str) -> Option<i64> {
        match self.kind {
            OptionKind::Spin { min, .. }
                if self.name.eq_ignore_ascii_case("Hash") && value == USUAL_HASH =>
            {
                value
                    .parse()
                    .is_ok_and(|usual: i64| usual < min)
                    .then_some(min)
            }
            _ => None,
        }
    }

    /// Whether the engine would take `value`.
    ///
    /// # Errors
    /// Says what the option expects.
    pub fn accepts(&self, value: &str) -> Result<(), Failure> {
        let expected = match &self.kind {
            OptionKind::Check { .. } if value == "true" || value == "false" => return Ok(()),
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => return Ok(()),
                _ => format!("a whole number from {min} to {max}"),
            },
            OptionKind::Combo { choices, .. } => {
                if choices
                    .iter()
                    .any(|choice| choice.eq_ignore_ascii_case(value))
                {
                    return Ok(());
                }
                format!("one of {}", choices.join(", "))
            }
            OptionKind::Button | OptionKind::String { .. } => return Ok(()),
        };
        Err(Failure::unable(format!(
            "option {} cannot be set to `{value}`: the engine expects {expected}",
            self.name
        ))
        .hint("start the engine by hand and type `uci` to see its options"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_type_is_read() {
        let kind = |text: &str| UciOption::parse(text).map(|option| (option.name, option.kind));
        assert_eq!(
            kind("name Move Overhead type spin default 10 min 0 max 5000"),
            Some((
                "Move Overhead".into(),
                OptionKind::Spin {
                    default: 10,
                    min: 0,
                    max: 5000
                }
            ))
        );
        assert_eq!(
            kind("name Style type combo default Normal var Solid var Normal var Very Risky"),
            Some((
                "Style".into(),
                OptionKind::Combo {
                    default: "Normal".into(),
                    choices: vec!["Solid".into(), "Normal".into(), "Very Risky".into()]
                }
            ))
        );
        assert_eq!(
            kind("name Clear Hash type button"),
            Some(("Clear Hash".into(), OptionKind::Button))
        );
        assert_eq!(
            kind("name Book type string default <empty>"),
            Some((
                "Book".into(),
                OptionKind::String {
                    default: String::new()
                }
            ))
        );
        assert_eq!(
            kind("name Ponder type check default false"),
            Some(("Ponder".into(), OptionKind::Check { default: false }))
        );
        assert_eq!(
            kind("name max depth type spin default 1 min 0 max 2").map(|(name, _)| name),
            Some("max depth".into())
        );
        assert_eq!(kind("name Broken type spin default many min 0 max 3"), None);
        assert_eq!(kind("type spin"), None);
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_the_range() {
        let option =
            UciOption::parse("name Hash type spin default 16 min 1 max 1024").expect("an option");
        assert!(option.accepts("16").is_ok());
        for value in ["0", "2048", "16.0", "", "many"] {
            let failure = option.accepts(value).expect_err(value);
            assert!(failure.message().contains("from 1 to 1024"), "{failure}");
        }
    }

    #[test]
    fn the_usual_hash_is_raised_to_the_least_that_an_engine_takes() {
        let least =
            |text: &str, value: &str| UciOption::parse(text).and_then(|it| it.least_hash(value));
        let hash = "name Hash type spin default 64 min 32 max 1024";
        assert_eq!(least(hash, "16"), Some(32));
        assert_eq!(least(hash, "8"), None, "somebody asked for it");
        assert_eq!(
            least("name Hash type spin default 16 min 1 max 1024", "16"),
            None
        );
        assert_eq!(
            least("name Depth type spin default 64 min 32 max 1024", "16"),
            None
        );
    }

    proptest! {
        #[test]
        fn no_line_panics(text in "(name|type|spin|default|min|max|var|x|-1| ){0,12}") {
            let _ = UciOption::parse(&text);
        }
    }
}
