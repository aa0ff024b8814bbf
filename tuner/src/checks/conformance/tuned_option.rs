//! A parameter and the engine's option for it.

use engine_client::{OptionKind, UciOption};

use crate::parameter::Parameter;

/// A parameter and the engine's option for it.
#[derive(Clone)]
pub(super) struct TunedOption {
    pub parameter: Parameter,
    pub option: UciOption,
    /// As the engine prints it.
    pub default: String,
}

impl TunedOption {
    /// The parameters whose options can be set back to what they were.
    pub(super) fn all(parameters: &[Parameter], options: &[UciOption]) -> Vec<Self> {
        let parameters = parameters.iter();
        let found = parameters.filter_map(|parameter| {
            let same = |option: &&UciOption| option.name.eq_ignore_ascii_case(&parameter.name);
            let option = options.iter().find(same)?;
            Some(Self {
                parameter: parameter.clone(),
                option: option.clone(),
                default: printed_default(option)?,
            })
        });
        found.collect()
    }
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
