//! What was found, for a person, for a program, and for GitHub. No reporter decides anything.

mod format;
mod github;
pub(crate) mod json;
mod text;

pub(crate) use format::{Format, FormatArgs};
pub(crate) use github::{annotations, outputs, summary};
pub(crate) use json::{Object, check as check_json, message as message_json, object};
pub(crate) use text::{check as check_text, plain};
