//! Lists of UCI options, as they are typed and as engines get them.

use engine_client::USUAL_HASH;
use foundation::Failure;
use referee::game::Variant;

/// Reads `NAME=VALUE`.
pub fn parse_option(text: &str) -> Result<(String, String), Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(Failure::unable(format!("`{text}` is not an engine option"))
            .hint("expected NAME=VALUE, such as Hash=32")),
    }
}

/// One value an option, the last that was given, at the place of the first.
pub fn with_last_values(options: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in options {
        match kept
            .iter_mut()
            .find(|(earlier, _)| earlier.eq_ignore_ascii_case(&name))
        {
            Some(earlier) => earlier.1 = value,
            None => kept.push((name, value)),
        }
    }
    kept
}

/// The options that a game demands of its engines.
pub(super) fn demanded(variant: &dyn Variant) -> impl Iterator<Item = (String, String)> {
    let options = variant.engine_options().iter();
    options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
}

/// The options of engines for which none are given.
pub(super) fn usual_options() -> Vec<(String, String)> {
    let options = [("Threads", "1"), ("Hash", USUAL_HASH)];
    options
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_at_the_first_equals_sign() {
        assert_eq!(
            parse_option("Move Overhead = 10"),
            Ok(("Move Overhead".into(), "10".into()))
        );
        assert_eq!(parse_option("File=a=b"), Ok(("File".into(), "a=b".into())));
        assert!(parse_option("Hash").is_err() && parse_option("=1").is_err());
    }
}
