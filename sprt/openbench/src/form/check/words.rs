//! Texts of a form, read exactly as the server's own expressions read them.

/// The value of an option as the server finds it: anywhere in the text, quoted or up to a blank.
pub(crate) fn option_value<'a>(options: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = options.split_once(&format!("{name}="))?;
    match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => rest[1..].split(quote).next(),
        _ => rest.split(' ').next(),
    }
}

/// `[a, b]`, exactly as the server's expression reads it.
pub(super) fn bracketed(text: &str) -> Option<(f64, f64)> {
    let (first, second) = text
        .strip_prefix('[')?
        .strip_suffix(']')?
        .split_once(", ")?;
    let number = |text: &str| -> Option<f64> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let mut parts = digits.split('.');
        let whole = |part: Option<&str>| {
            part.is_some_and(|part| {
                !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        let fraction_is_whole = match (whole(parts.next()), parts.next()) {
            (true, None) => true,
            (true, fraction) => whole(fraction) && parts.next().is_none(),
            (false, _) => false,
        };
        text.parse().ok().filter(|_| fraction_is_whole)
    };
    Some((number(first)?, number(second)?))
}

/// `a=N b=N`; further words are left to the match runner.
pub(crate) fn is_rule(text: &str, names: &[&str]) -> bool {
    let mut words = text.split(' ');
    names.iter().all(|name| {
        let value = words
            .next()
            .and_then(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.is_some_and(|value| {
            !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
        })
    })
}
