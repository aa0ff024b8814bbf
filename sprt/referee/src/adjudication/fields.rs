//! Reads the rules of adjudication as they are written on the command line: `key=value` words.

use foundation::Failure;

/// `key=value` words, separated by commas or blanks.
pub(super) struct Fields<'a> {
    pub(super) text: &'a str,
    pub(super) keys: &'static [&'static str],
    pub(super) example: &'static str,
}

impl<'a> Fields<'a> {
    /// The values in the order of `keys`, where they were given; `None` if the rule is switched
    /// off.
    pub(super) fn read<const N: usize>(&self) -> Result<Option<[Option<&'a str>; N]>, Failure> {
        if matches!(self.text.trim(), "none" | "off") {
            return Ok(None);
        }
        let mut values = [None; N];
        let words = self
            .text
            .split([',', ' ', '\t'])
            .filter(|word| !word.is_empty());
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| self.wrong(&format!("`{word}` is not KEY=VALUE")))?;
            let place = self
                .keys
                .iter()
                .zip(&mut values)
                .find_map(|(known, place)| (*known == key).then_some(place))
                .ok_or_else(|| self.wrong(&format!("there is no `{key}`")))?;
            if place.replace(value).is_some() {
                return Err(self.wrong(&format!("`{key}` comes twice")));
            }
        }
        Ok(Some(values))
    }

    pub(super) fn number(
        &self,
        key: &str,
        value: Option<&str>,
        least: i32,
    ) -> Result<i32, Failure> {
        let value = value.ok_or_else(|| self.wrong(&format!("`{key}` is missing")))?;
        match value.parse::<i32>() {
            Ok(number) if number >= least => Ok(number),
            _ => Err(self.wrong(&format!(
                "`{key}` is `{value}`, expected a whole number from {least}"
            ))),
        }
    }

    pub(super) fn wrong(&self, why: &str) -> Failure {
        Failure::unable(format!("`{}` is no adjudication rule: {why}", self.text))
            .hint(format!("expected {}, or `none`", self.example))
    }
}
