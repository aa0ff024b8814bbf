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

const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];

impl UciOption {
    /// Reads what follows `option ` on an engine's line; `None` where it is not a well-formed
    /// option.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        words.next().filter(|word| *word == "name")?;
        let words: Vec<&str> = words.collect();
        // A name may hold any word, also `min` or `type`: only a known type ends it.
        let is_type = |pair: &[&str]| pair[0] == "type" && TYPES.contains(&pair[1]);
        let end = words.windows(2).position(is_type).filter(|end| *end > 0)?;
        let kind = words[end + 1];
        let fields = fields(kind, &words[end + 2..]);
        let all = |wanted: &'static str| {
            let of_name = fields.iter().filter(move |(name, _)| *name == wanted);
            of_name.map(|(_, value)| value.as_str())
        };
        let default = all("default").next().unwrap_or_default();
        let bound = |name, usual| all(name).next().map_or(Some(usual), whole);
        let kind = match kind {
            "check" => OptionKind::Check {
                default: default == "true",
            },
            "spin" => OptionKind::Spin {
                default: whole(default)?,
                min: bound("min", i64::MIN)?,
                max: bound("max", i64::MAX)?,
            },
            "combo" => OptionKind::Combo {
                default: default.to_owned(),
                choices: all("var").map(str::to_owned).collect(),
            },
            "button" => OptionKind::Button,
            _ => OptionKind::String {
                default: if default == "<empty>" { "" } else { default }.to_owned(),
            },
        };
        Some(Self {
            name: words[..end].join(" "),
            kind,
        })
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

    /// A choice as the engine spells it, which may compare letter by letter; other values as they are.
    pub fn spelled<'a>(&'a self, value: &'a str) -> &'a str {
        let OptionKind::Combo { choices, .. } = &self.kind else {
            return value;
        };
        let own = choices.iter().find(|own| own.eq_ignore_ascii_case(value));
        own.map_or(value, String::as_str)
    }

    /// Whether the engine would take `value`.
    ///
    /// # Errors
    /// Says what the option expects.
    pub fn accepts(&self, value: &str) -> Result<(), Failure> {
        let expected = match &self.kind {
            OptionKind::Check { .. } if value == "true" || value == "false" => return Ok(()),
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => {
                // A bound of more than 63 bits was cut to them.
                let end = if *max == i64::MAX {
                    u64::MAX.into()
                } else {
                    i128::from(*max)
                };
                match value.parse::<i128>() {
                    Ok(number) if (i128::from(*min)..=end).contains(&number) => return Ok(()),
                    _ => format!("a whole number from {min} to {end}"),
                }
            }
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

/// Splits what stands after the type of an option at the fields that this type has.
fn fields(kind: &str, words: &[&str]) -> Vec<(&'static str, String)> {
    let names: &[&'static str] = match kind {
        "spin" => &["default", "min", "max"],
        "combo" => &["default", "var"],
        _ => &["default"],
    };
    let mut fields: Vec<(&'static str, String)> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let name = names.iter().find(|name| *name == word);
        // Any word may be a value, also `var`; but a default may be empty.
        let is_value = match fields.last() {
            Some(("default", value)) if kind == "combo" => {
                value.is_empty() && words.get(place + 1).is_none_or(|next| *next == "var")
            }
            Some((_, value)) => value.is_empty(),
            None => false,
        };
        let is_again = *word == "default" && fields.iter().any(|(name, _)| *name == "default");
        match (name, fields.last_mut()) {
            (Some(name), _) if !is_value && !is_again => fields.push((name, String::new())),
            (_, Some((_, value))) => {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
            (_, None) => {}
        }
    }
    fields
}

/// A whole number, or the nearest that is kept: some engines have bounds of 64 bits without sign.
fn whole(text: &str) -> Option<i64> {
    let number: i128 = text.parse().ok()?;
    Some(number.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_choice_is_sent_as_the_engine_spells_it() {
        let style = UciOption::parse("name Style type combo default Solid var Solid var Risky");
        let style = style.expect("an option");
        style.accepts("risky").expect("a choice");
        assert_eq!(
            (style.spelled("risky"), style.spelled("other")),
            ("Risky", "other")
        );
        let file = UciOption::parse("name EvalFile type string default Risky").expect("an option");
        assert_eq!(file.spelled("risky"), "risky");
    }

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
        let combo = |default: &str, choices: &[&str]| OptionKind::Combo {
            default: default.to_owned(),
            choices: choices.iter().copied().map(str::to_owned).collect(),
        };
        for (fields, expected) in [
            (
                "default default var default var max var var",
                combo("default", &["default", "max", "var"]),
            ),
            ("var one var two default one", combo("one", &["one", "two"])),
            ("default var one", combo("", &["one"])),
            ("default var var var", combo("var", &["var"])),
        ] {
            let line = format!("name Style type type combo {fields}");
            assert_eq!(kind(&line), Some(("Style type".into(), expected)), "{line}");
        }
        assert_eq!(
            kind("name Seed type spin default 0 min 0 max 18446744073709551615"),
            Some((
                "Seed".into(),
                OptionKind::Spin {
                    default: 0,
                    min: 0,
                    max: i64::MAX
                }
            ))
        );
        let string = |default: &str| OptionKind::String {
            default: default.into(),
        };
        assert_eq!(
            kind("name File type string default max var default x"),
            Some(("File".into(), string("max var default x")))
        );
        assert_eq!(kind("name Broken type spin default many min 0 max 3"), None);
        assert_eq!(kind("name type spin default 1"), None);
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
    fn a_spin_of_64_bits_without_sign_takes_its_largest_value() {
        let option =
            UciOption::parse("name Seed type spin default 0 min 0 max 18446744073709551615")
                .expect("an option");
        assert!(option.accepts("18446744073709551615").is_ok());
        for value in ["-1", "18446744073709551616"] {
            assert!(option.accepts(value).is_err(), "{value}");
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
