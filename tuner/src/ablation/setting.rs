//! Settings of an engine that switch a technique, or change several options at once.

use engine_client::{OptionKind, UciOption};
use foundation::Failure;
use runs::plan::{NamedSetting, parse_option};

use crate::parameter::{Parameter, nearest};

/// A name and what is set; the usual setting sets nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub name: String,
    pub options: Vec<(String, String)>,
}

/// What the engine is compared with: as it is set.
pub(crate) const BASELINE: &str = "baseline";
pub(crate) const CONSERVATIVE: &str = "conservative";
pub(crate) const DISABLED: &str = "disabled";

/// Switches that are not about the search. Others that change no search are found out by searching.
const NOT_SEARCH: [&str; 3] = ["Ponder", "OwnBook", "PruningStats"];
/// Words in the names of margins and counts of moves, which a conservative setting widens.
const WIDENED: [&str; 2] = ["margin", "limit"];
/// By how much.
const WIDER: f64 = 1.5;
/// Words in the names of switches that turn pruning off.
const PRUNING: [&str; 9] = [
    "delta",
    "futility",
    "lmp",
    "movecount",
    "nmp",
    "null",
    "probcut",
    "prun",
    "razor",
];

impl Setting {
    pub(crate) fn baseline() -> Self {
        Self {
            name: BASELINE.to_owned(),
            options: Vec::new(),
        }
    }

    /// One option, which gives the setting its name.
    fn of_one(name: &str, value: &str) -> Self {
        Self {
            name: format!("{name}={value}"),
            options: vec![(name.to_owned(), value.to_owned())],
        }
    }

    /// Reads `NAME=VALUE`.
    pub(crate) fn parse_one(text: &str) -> Result<Self, Failure> {
        let (name, value) = parse_option(text)?;
        Ok(Self::of_one(&name, &value))
    }

    /// Reads `NAME: OPTION=VALUE, OPTION=VALUE`, or a name in the project file.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let NamedSetting { name, options } = NamedSetting::read(text)?;
        Ok(Self {
            name: name.replace(char::is_whitespace, "-"),
            options,
        })
    }

    /// Fails where the engine has no such option, or would not take the value.
    pub(crate) fn verify(&self, engine: &[UciOption]) -> Result<(), Failure> {
        for (name, value) in &self.options {
            let Some(option) = engine.iter().find(|it| it.name.eq_ignore_ascii_case(name)) else {
                let failure = Failure::unable(format!("the engine has no option `{name}`"));
                return Err(
                    match nearest(name, engine.iter().map(|it| it.name.as_str())) {
                        Some(near) => failure.hint(format!("did you mean `{near}`?")),
                        None => failure.hint("`sprt check ENGINE` lists what it has"),
                    },
                );
            };
            option.accepts(value)?;
        }
        Ok(())
    }
}

/// Every switch of an engine turned over, one a setting: options of type check, numbers from 0 to 1,
/// and the other choices of combos. `set` is what is set for all settings.
pub(crate) fn switches(engine: &[UciOption], set: &[(String, String)]) -> Vec<Setting> {
    let now = |option: &UciOption, default: String| {
        let is_it = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(&option.name);
        set.iter()
            .rev()
            .find(is_it)
            .map_or(default, |(_, value)| value.clone())
    };
    let turned = |option: &UciOption| -> Vec<Setting> {
        let one = |value: &str| Setting::of_one(&option.name, value);
        match &option.kind {
            OptionKind::Check { default } => {
                let is_on = now(option, default.to_string()) == "true";
                vec![one(if is_on { "false" } else { "true" })]
            }
            OptionKind::Spin {
                default,
                min: 0,
                max: 1,
            } => {
                let is_on = now(option, default.to_string()) != "0";
                vec![one(if is_on { "0" } else { "1" })]
            }
            OptionKind::Combo { default, choices } => {
                let chosen = now(option, default.clone());
                let others = choices
                    .iter()
                    .filter(|it| !it.eq_ignore_ascii_case(&chosen));
                others.map(|choice| one(choice)).collect()
            }
            _ => Vec::new(),
        }
    };
    let is_of_search = |option: &&UciOption| {
        !option.name.starts_with("UCI_") && !NOT_SEARCH.contains(&option.name.as_str())
    };
    engine
        .iter()
        .filter(is_of_search)
        .flat_map(turned)
        .collect()
}

/// `conservative` and `disabled` for an engine that has no option with such choices: margins and
/// counts of moves half as large again, within their ranges; and all pruning that `switches` turn
/// off.
pub(crate) fn made(parameters: &[Parameter], switches: &[Setting]) -> Vec<Setting> {
    let has = |name: &str| {
        let mut values = switches.iter().flat_map(|it| &it.options);
        values.any(|(_, value)| value.eq_ignore_ascii_case(name))
    };
    let named = |words: &[&str], name: &str| {
        let name = name.to_ascii_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let numbers = parameters.iter().filter(|it| it.choices.is_empty());
    let widened = numbers.filter(|it| named(&WIDENED, &it.name));
    let widened = widened.map(|it| {
        let value = it.settle(it.value * WIDER);
        (it.name.clone(), value.to_string())
    });
    let off = |(name, value): &&(String, String)| {
        named(&PRUNING, name) && ["0", "false", "off"].contains(&value.as_str())
    };
    let disabled = switches.iter().flat_map(|it| &it.options).filter(off);
    [
        (CONSERVATIVE, widened.collect::<Vec<_>>()),
        (DISABLED, disabled.cloned().collect()),
    ]
    .into_iter()
    .filter(|(name, options)| !has(name) && !options.is_empty())
    .map(|(name, options)| Setting {
        name: name.to_owned(),
        options,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::Kind;

    fn engine() -> Vec<UciOption> {
        [
            "name Ponder type check default false",
            "name UCI_Chess960 type check default false",
            "name UseNull type check default true",
            "name Razoring type check default false",
            "name LmpEnable type spin default 1 min 0 max 1",
            "name Depth type spin default 1 min 0 max 9",
            "name SEEPruning type combo default mild var off var mild var bold",
        ]
        .map(|text| UciOption::parse(text).expect("an option"))
        .to_vec()
    }

    fn names(settings: &[Setting]) -> Vec<&str> {
        settings.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn every_switch_is_turned_over_from_what_is_set() {
        assert_eq!(
            names(&switches(&engine(), &[])),
            [
                "UseNull=false",
                "Razoring=true",
                "LmpEnable=0",
                "SEEPruning=off",
                "SEEPruning=bold"
            ]
        );
        let set = [
            ("usenull".to_owned(), "false".to_owned()),
            ("LmpEnable".to_owned(), "0".to_owned()),
        ];
        assert_eq!(
            names(&switches(&engine(), &set))[..3],
            ["UseNull=true", "Razoring=true", "LmpEnable=1"]
        );
    }

    fn margin(value: f64, max: f64) -> Parameter {
        Parameter {
            name: "RfpMargin".to_owned(),
            kind: Kind::Int,
            value,
            min: 0.0,
            max,
            c_end: 1.0,
            r_end: None,
            doc: None,
            choices: Vec::new(),
        }
    }

    #[test]
    fn named_settings_are_made_where_the_engine_has_none() {
        let switches = switches(&engine(), &[]);
        let settings = made(&[margin(61.0, 200.0)], &switches);
        assert_eq!(names(&settings), [CONSERVATIVE, DISABLED]);
        assert_eq!(
            settings[0].options,
            [("RfpMargin".to_owned(), "92".to_owned())]
        );
        assert_eq!(made(&[margin(61.0, 80.0)], &switches)[0].options[0].1, "80");
        let scale = Parameter {
            kind: Kind::Float,
            c_end: 0.1,
            ..margin(0.3, 1.0)
        };
        assert_eq!(made(&[scale], &switches)[0].options[0].1, "0.45");
        let off: Vec<&str> = settings[1]
            .options
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(
            off,
            ["UseNull", "LmpEnable", "SEEPruning"],
            "razoring is off already"
        );
        let own = Setting::parse_one("Pruning=Conservative").expect("a setting");
        assert_eq!(names(&made(&[margin(61.0, 80.0)], &[own])), [] as [&str; 0]);
    }

    #[test]
    fn settings_are_read_and_held_against_the_engine() {
        let read = Setting::parse("my own: UseNull=false, Depth=3").expect("a setting");
        assert_eq!((read.name.as_str(), read.options.len()), ("my-own", 2));
        assert!(read.verify(&engine()).is_ok());
        for text in ["own", "own:", ": Depth=3", "own: Depth"] {
            assert!(Setting::parse(text).is_err(), "{text}");
        }
        for (text, words) in [("a: Dept=3", "no option `Dept`"), ("a: Depth=99", "`99`")] {
            let setting = Setting::parse(text).expect("a setting");
            let failure = setting.verify(&engine()).expect_err(text);
            assert!(failure.message().contains(words), "{failure:?}");
        }
    }
}
