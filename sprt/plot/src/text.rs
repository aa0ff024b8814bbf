//! Numbers and names in the HTML of a page.

/// Escapes text for HTML, attributes included. Marks that reverse the direction of all text after
/// them are replaced.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                safe.push(char::REPLACEMENT_CHARACTER);
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// A number with at most four decimals, below 0.1 with four digits, without trailing zeros.
pub fn short(value: f64) -> String {
    if value.abs() < 1e-12 {
        "0".to_owned()
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        let decimals = (3.0 - value.abs().log10().floor()).clamp(4.0, 15.0);
        let text = format!("{value:.0$}", decimals as usize);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_means_something_to_html_is_left() {
        let hostile = "<script>alert('x')</script>\"&";
        let safe = escape(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'']), "{safe}");
        assert_eq!(safe.matches('&').count(), safe.matches(';').count());
    }

    #[test]
    fn marks_of_text_direction_are_replaced() {
        assert_eq!(escape("a\u{202e}b\u{200f}"), "a\u{fffd}b\u{fffd}");
        assert_eq!(escape("שלום"), "שלום");
    }

    #[test]
    fn numbers_have_no_trailing_zeros() {
        assert_eq!(short(1.5), "1.5");
        assert_eq!(short(-3.0), "-3");
        assert_eq!(short(0.12345), "0.1235");
        assert_eq!(short(0.000_123_456), "0.0001235");
        assert_eq!(short(0.5 - 0.4 - 0.1), "0");
    }
}
