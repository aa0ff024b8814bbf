//! Time controls in the server's form: `8.0+0.08`, `40/60.0+0.60`, `N=5000`, `D=8`, `MT=100`.
//!
//! The server searches for one anywhere in the text and rounds what it finds: `8.0 + 0.08` becomes
//! `8.0+0.00`, `0.05` becomes `0.1+0.00`. Here the whole text must be one, and nothing may be lost.

/// The server's form of a time control, or why there is none.
pub fn normal(text: &str) -> Result<String, String> {
    let text = text.trim();
    let expected = || {
        format!(
            "`{text}` is no time control; expected [MOVES/]SECONDS[+INCREMENT], N=nodes, D=depth or MT=milliseconds"
        )
    };
    if let Some((word, value)) = text.split_once('=') {
        let word = match word.trim().to_lowercase().as_str() {
            "n" | "nodes" => "N",
            "d" | "depth" => "D",
            "mt" | "movetime" => "MT",
            _ => return Err(expected()),
        };
        let value = value.trim();
        return match value.parse::<u32>() {
            Ok(count) if count > 0 && is_digits(value) => Ok(format!("{word}={count}")),
            _ => Err(expected()),
        };
    }
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) if is_digits(moves) => {
            (Some(moves.parse::<u32>().map_err(|_| expected())?), rest)
        }
        Some(_) => return Err(expected()),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let seconds = |text: &str| -> Result<f64, String> {
        let parts_are_digits = text.split('.').all(is_digits) && text.split('.').count() <= 2;
        text.parse::<f64>()
            .ok()
            .filter(|_| parts_are_digits)
            .ok_or_else(expected)
    };
    let (base, increment) = (seconds(base)?, seconds(increment)?);
    if moves == Some(0) || base + increment <= 0.0 {
        return Err(format!("`{text}` leaves no time to move"));
    }
    let printed = format!("{base:.1}+{increment:.2}");
    let kept = |value: f64, printed: Option<&str>| {
        printed.and_then(|text| text.parse::<f64>().ok()) == Some(value)
    };
    let (printed_base, printed_increment) = printed.split_once('+').unzip();
    if !kept(base, printed_base) || !kept(increment, printed_increment) {
        return Err(format!(
            "the server would play `{text}` as {printed}: it keeps tenths of a second, and hundredths of the increment"
        ));
    }
    Ok(match moves {
        Some(moves) => format!("{moves}/{printed}"),
        None => printed,
    })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_kind_has_its_normal_form() {
        for (text, expected) in [
            ("8+0.08", "8.0+0.08"),
            ("8.0+0.08", "8.0+0.08"),
            ("10", "10.0+0.00"),
            ("40/60+0.6", "40/60.0+0.60"),
            ("N=5000", "N=5000"),
            ("nodes=5000", "N=5000"),
            ("depth=8", "D=8"),
            ("MT=100", "MT=100"),
            ("movetime=100", "MT=100"),
        ] {
            assert_eq!(normal(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_the_server_would_play_otherwise_is_refused() {
        for text in [
            "",
            "8.0 + 0.08",
            "0.05+0.01",
            "8+0.001",
            "5+0.1 N=100",
            ".5+.05",
            "N=",
            "N=0",
            "N=-5",
            "0",
            "0/8",
            "x",
            "8+",
            "1e3",
            "8+0.08s",
        ] {
            assert!(normal(text).is_err(), "{text}: {:?}", normal(text));
        }
    }

    proptest! {
        #[test]
        fn a_normal_form_is_its_own(text in "([0-9]{1,3}/)?[0-9]{1,4}(\\.[0-9])?(\\+[0-9]\\.[0-9]{1,2})?") {
            if let Ok(once) = normal(&text) {
                prop_assert_eq!(normal(&once), Ok(once.clone()));
            }
        }

        #[test]
        fn no_text_is_a_panic(text in "[0-9./+=NDMTx -]{0,14}|\\PC{0,8}") {
            let _ = normal(&text);
        }
    }
}
