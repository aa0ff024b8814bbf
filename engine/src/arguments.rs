//! Arguments of a command that are pairs of a keyword and a value, in any order.

/// Each keyword with its value, which may contain spaces and is empty if there is none.
pub fn pairs<'a>(
    words: &[&'a str],
    keywords: &[&str],
    usage: &str,
) -> Result<Vec<(&'a str, String)>, String> {
    let mut pairs: Vec<(&str, Vec<&str>)> = Vec::new();
    for &word in words {
        // A keyword that follows a keyword is its value.
        let wants_value = pairs.last().is_some_and(|(_, value)| value.is_empty());
        match pairs.last_mut() {
            Some((_, value)) if wants_value || !keywords.contains(&word) => value.push(word),
            _ if keywords.contains(&word) => pairs.push((word, Vec::new())),
            _ => return Err(format!("unknown argument '{word}'; {usage}")),
        }
    }
    let joined = pairs.into_iter();
    Ok(joined
        .map(|(keyword, value)| (keyword, value.join(" ")))
        .collect())
}

/// The value of a keyword as a number.
pub fn number<T>(keyword: &str, value: &str, min: T, max: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    value
        .parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("{keyword}: expected a number from {min} to {max}, got '{value}'"))
}
