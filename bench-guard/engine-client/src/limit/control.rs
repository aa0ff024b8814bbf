//! Time controls: stages with a number of moves and the time for them.
//!
//! The usual forms are read, `8+0.08` and `40/60+0.6`, and several stages in a row,
//! `40/60+0.6,20/30,10+0.1`, and cutechess's hourglass, `hg60`. What is printed is read back as the
//! same.

use std::fmt;

use foundation::Failure;
use serde::{Deserialize, Serialize};

/// A chess clock. It goes through its stages in order, and repeats the last one if that has a
/// number of moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct TimeControl {
    /// At least one; all but the last have a number of moves.
    stages: Vec<Stage>,
    /// Whether what a player uses is added to the opponent's time. It has one stage, which is only
    /// a base.
    is_hourglass: bool,
}

/// A number of moves, or the rest of the game, in `base`, plus an increment for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    pub moves: Option<u32>,
    pub base_ms: u64,
    pub increment_ms: u64,
}

/// In JSON, a clock of one stage is that stage.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    One(Stage),
    Several(Vec<Stage>),
    Hourglass { hourglass_ms: u64 },
}

impl From<Form> for TimeControl {
    fn from(form: Form) -> Self {
        match form {
            Form::One(stage) => stage.into(),
            Form::Several(stages) => Self {
                stages,
                is_hourglass: false,
            },
            Form::Hourglass { hourglass_ms } => Self {
                is_hourglass: true,
                ..Stage::of_base(hourglass_ms).into()
            },
        }
    }
}

impl From<TimeControl> for Form {
    fn from(control: TimeControl) -> Self {
        match control.stages[..] {
            [stage] if control.is_hourglass => Self::Hourglass {
                hourglass_ms: stage.base_ms,
            },
            [stage] => Self::One(stage),
            _ => Self::Several(control.stages),
        }
    }
}

impl From<Stage> for TimeControl {
    fn from(stage: Stage) -> Self {
        Self {
            stages: vec![stage],
            is_hourglass: false,
        }
    }
}

impl TimeControl {
    /// The stage with this number, from 0; after the last stage, the last one again.
    pub fn stage(&self, number: usize) -> Stage {
        let stage = self.stages.get(number).or(self.stages.last());
        stage.copied().unwrap_or(Stage::of_base(0))
    }

    /// Whether what a player uses is added to the opponent's time.
    pub fn is_hourglass(&self) -> bool {
        self.is_hourglass
    }

    /// The same with so many times the time.
    pub(super) fn times(&self, factor: u64) -> Self {
        let stages = self.stages.iter().map(|stage| Stage {
            moves: stage.moves,
            base_ms: stage.base_ms.saturating_mul(factor),
            increment_ms: stage.increment_ms.saturating_mul(factor),
        });
        Self {
            stages: stages.collect(),
            is_hourglass: self.is_hourglass,
        }
    }

    /// As OpenBench's block writes it: `8.0+0.08s`, `40/60.0+0.60s`. It knows no hourglass.
    pub fn openbench(&self) -> String {
        if self.is_hourglass {
            return format!("{self}s");
        }
        let stages = self.stages.iter().map(|stage| {
            let moves = stage
                .moves
                .map_or_else(String::new, |moves| format!("{moves}/"));
            let (base, increment) = (seconds(stage.base_ms), seconds(stage.increment_ms));
            // OpenBench writes these digits; what is shorter than they show has all of its own.
            let base = if stage.base_ms % 100 == 0 || stage.base_ms >= 1000 {
                format!("{base:.1}")
            } else {
                base.to_string()
            };
            let increment = if stage.increment_ms % 10 == 0 || stage.increment_ms >= 100 {
                format!("{increment:.2}")
            } else {
                increment.to_string()
            };
            format!("{moves}{base}+{increment}")
        });
        stages.collect::<Vec<_>>().join(",") + "s"
    }

    /// As PGN's `TimeControl` tag writes it: stages separated by colons, an hourglass as `*60`.
    pub fn pgn(&self) -> String {
        let text = self.to_string().replace(',', ":");
        match text.strip_prefix(HOURGLASS) {
            Some(base) => format!("*{base}"),
            None => text,
        }
    }

    /// For people to read: `40 moves in 60 s + 0.6 s a move, then 10 s`.
    pub fn prose(&self) -> String {
        if self.is_hourglass {
            return format!("hourglass of {} s", seconds(self.stage(0).base_ms));
        }
        let stages = self.stages.iter().map(|stage| {
            let moves = stage
                .moves
                .map_or_else(String::new, |moves| format!("{moves} moves in "));
            let increment = match stage.increment_ms {
                0 => String::new(),
                increment => format!(" + {} s a move", seconds(increment)),
            };
            format!("{moves}{} s{increment}", seconds(stage.base_ms))
        });
        stages.collect::<Vec<_>>().join(", then ")
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_hourglass {
            formatter.write_str(HOURGLASS)?;
        }
        for (number, stage) in self.stages.iter().enumerate() {
            if number > 0 {
                formatter.write_str(",")?;
            }
            if let Some(moves) = stage.moves {
                write!(formatter, "{moves}/")?;
            }
            write!(formatter, "{}", seconds(stage.base_ms))?;
            if stage.increment_ms > 0 {
                write!(formatter, "+{}", seconds(stage.increment_ms))?;
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for TimeControl {
    type Err = Failure;

    /// `[MOVES/]SECONDS[+INCREMENT]`, and stages of this form separated by commas, or `hgSECONDS`.
    /// Seconds may be `minutes:seconds`; a trailing `s` is allowed.
    fn from_str(text: &str) -> Result<Self, Failure> {
        let wrong = |what: &str| {
            Failure::unable(format!("`{text}` is not a time control: {what}"))
                .hint("expected [MOVES/]SECONDS[+INCREMENT], such as 8+0.08 or 40/60+0.6, with a comma between stages, or hg60 for an hourglass; for other limits see --nodes, --depth and --movetime")
        };
        let bare = text.trim();
        let bare = bare.strip_suffix('s').unwrap_or(bare);
        if let Some(base) = bare.strip_prefix(HOURGLASS) {
            let stage = Stage::parse(base).map_err(|what| wrong(&what))?;
            if stage != Stage::of_base(stage.base_ms) {
                return Err(wrong("an hourglass has neither increment nor moves"));
            }
            return Ok(Form::Hourglass {
                hourglass_ms: stage.base_ms,
            }
            .into());
        }
        let separator = if has_colons_between_stages(bare) {
            ':'
        } else {
            ','
        };
        let stages = bare
            .split(separator)
            .map(|stage| Stage::parse(stage).map_err(|what| wrong(&what)))
            .collect::<Result<Vec<_>, _>>()?;
        let mut before_last = stages.iter().rev().skip(1);
        if before_last.any(|stage| stage.moves.is_none()) {
            return Err(wrong("a stage that is not the last has no number of moves"));
        }
        Ok(Self {
            stages,
            is_hourglass: false,
        })
    }
}

/// Whether colons separate stages, as in PGN, and not minutes from seconds: if there are several,
/// or if one comes after an increment or before a number of moves.
fn has_colons_between_stages(text: &str) -> bool {
    text.split_once(':').is_some_and(|(before, after)| {
        !text.contains(',') && (before.contains('+') || after.contains([':', '/']))
    })
}

impl Stage {
    const fn of_base(base_ms: u64) -> Self {
        Self {
            moves: None,
            base_ms,
            increment_ms: 0,
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (moves, rest) = match text.split_once('/') {
            None => (None, text),
            Some((moves, rest)) => match moves.parse::<u32>() {
                Ok(moves) if moves > 0 => (Some(moves), rest),
                _ => return Err(format!("`{moves}` is not a number of moves")),
            },
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base_ms = match base.split_once(':') {
            None => milliseconds(base),
            Some((minutes, seconds)) => minutes
                .parse::<u32>()
                .ok()
                .zip(sexagesimal(seconds))
                .map(|(minutes, ms)| u64::from(minutes) * 60_000 + ms)
                .filter(|&ms| ms <= WEEK),
        }
        .ok_or_else(|| format!("`{base}` is not a time in seconds"))?;
        let increment_ms = milliseconds(increment)
            .ok_or_else(|| format!("`{increment}` is not an increment in seconds"))?;
        // The increment is there before the first move.
        if base_ms == 0 && increment_ms == 0 {
            return Err("there is no time to make the first move".to_owned());
        }
        Ok(Self {
            moves,
            base_ms,
            increment_ms,
        })
    }
}

pub(super) fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// The seconds after minutes, which are two digits as on a clock: who types `8:0.08` means
/// `8+0.08`.
fn sexagesimal(text: &str) -> Option<u64> {
    let whole = text.split('.').next().unwrap_or_default();
    milliseconds(text).filter(|&ms| whole.len() == 2 && ms < 60_000)
}

/// Seconds with decimals to milliseconds; a week at most, so that sums never overflow.
fn milliseconds(text: &str) -> Option<u64> {
    if !text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return None;
    }
    let seconds: f64 = text.parse().ok()?;
    (0.0..=WEEK as f64 / 1000.0)
        .contains(&seconds)
        .then(|| (seconds * 1000.0).round() as u64)
}

/// What cutechess writes before the seconds of an hourglass.
const HOURGLASS: &str = "hg";

/// In milliseconds.
const WEEK: u64 = 604_800_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn minutes_beyond_a_week_are_refused() {
        assert!("10080:00".parse::<TimeControl>().is_ok());
        assert!("10080:01".parse::<TimeControl>().is_err());
        assert!("18445:00+0.55".parse::<TimeControl>().is_err());
    }

    fn read(text: &str) -> Result<Vec<(Option<u32>, u64, u64)>, Failure> {
        let control: TimeControl = text.parse()?;
        let stages = control.stages.iter();
        Ok(stages
            .map(|stage| (stage.moves, stage.base_ms, stage.increment_ms))
            .collect())
    }

    #[test]
    fn usual_time_controls_are_read() {
        for (text, stage) in [
            ("8+0.08", (None, 8000, 80)),
            ("40/60+0.6", (Some(40), 60_000, 600)),
            ("1:30+1s", (None, 90_000, 1000)),
            ("40/1:30+1", (Some(40), 90_000, 1000)),
            ("0.5", (None, 500, 0)),
            ("0+1", (None, 0, 1000)),
        ] {
            assert_eq!(read(text), Ok(vec![stage]), "{text}");
        }
    }

    #[test]
    fn stages_follow_each_other_after_commas_and_where_they_are_clear_after_colons() {
        let stages = vec![
            (Some(40), 60_000, 500),
            (Some(20), 30_000, 0),
            (None, 10_000, 100),
        ];
        for text in ["40/60+0.5,20/30,10+0.1", "40/60+0.5:20/30:10+0.1"] {
            assert_eq!(read(text), Ok(stages.clone()), "{text}");
        }
        let repeated = vec![(Some(40), 5_400_000, 0), (Some(20), 1_800_000, 0)];
        assert_eq!(read("40/5400:20/1800"), Ok(repeated.clone()));
        assert_eq!(read("40/90:00,20/30:00"), Ok(repeated));
        let failure = read("60+1,10").expect_err("the first stage never ends");
        assert!(
            failure.message().contains("no number of moves"),
            "{failure}"
        );
    }

    #[test]
    fn colons_that_make_no_time_are_refused() {
        for text in ["8:0.08", "8:8", "1:60", "1:000"] {
            let failure = read(text).expect_err(text);
            assert!(failure.message().contains("not a time"), "{failure}");
        }
    }

    #[test]
    fn a_bad_time_control_is_refused_with_what_was_got_and_what_was_expected() {
        for text in [
            "", ",", "8+", "inf", "-1+1", "0/8+1", "8+0.08+1", "x/8", "1e99", "nan", "0+0",
            "8 + 0.08", "40/60,", "40/60,0", ":", "40/60+1:", "hg", "hg0", "hg60+1", "hg40/60",
            "hg60,10", "40/hg60",
        ] {
            let failure = read(text).expect_err(text);
            assert!(
                failure.message().contains(&format!("`{text}`")),
                "{failure}"
            );
            assert!(
                failure
                    .next_step()
                    .is_some_and(|hint| hint.contains("8+0.08"))
            );
        }
    }

    #[test]
    fn an_hourglass_is_read_and_printed() {
        let control: TimeControl = "hg60".parse().expect("a time control");
        assert!(control.is_hourglass());
        assert_eq!(control.stage(3), Stage::of_base(60_000));
        assert_eq!(control.to_string().parse(), Ok(control.clone()));
        assert_eq!("hg1:00s".parse(), Ok(control.clone()));
        assert_eq!(
            (control.prose().as_str(), control.pgn().as_str()),
            ("hourglass of 60 s", "*60")
        );
        let json = serde_json::to_string(&control).expect("JSON");
        assert_eq!(json, r#"{"hourglass_ms":60000}"#);
        let again: TimeControl = serde_json::from_str(&json).expect("a clock");
        assert_eq!(again, control);
    }

    #[test]
    fn every_reader_gets_its_own_words() {
        let control: TimeControl = "40/60+0.6,10".parse().expect("a time control");
        assert_eq!(control.openbench(), "40/60.0+0.60,10.0+0.00s");
        let short: TimeControl = "0.01+0.001".parse().expect("a time control");
        assert_eq!(short.openbench(), "0.01+0.001s");
        assert_eq!(control.pgn(), "40/60+0.6:10");
        assert_eq!(
            control.prose(),
            "40 moves in 60 s + 0.6 s a move, then 10 s"
        );
        assert_eq!(
            [0, 1, 2].map(|it| control.stage(it).base_ms),
            [60_000, 10_000, 10_000]
        );
    }

    #[test]
    fn a_clock_of_an_earlier_release_is_read() {
        let json = r#"{"moves":40,"base_ms":60000,"increment_ms":600}"#;
        let control: TimeControl = serde_json::from_str(json).expect("a clock");
        assert_eq!(control.to_string(), "40/60+0.6");
        assert_eq!(serde_json::to_string(&control).expect("JSON"), json);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,20}|[0-9/:+,.s]{0,24}") {
            let _ = text.parse::<TimeControl>();
        }

        #[test]
        fn what_is_printed_is_read_back(
            timed in proptest::collection::vec((1u32..200, 1u64..10_000_000, 0u64..100_000), 0..4),
            last in (proptest::option::of(1u32..200), 1u64..10_000_000, 0u64..100_000),
        ) {
            let stage = |(moves, base_ms, increment_ms)| Stage { moves, base_ms, increment_ms };
            let timed = timed.into_iter().map(|(moves, base, inc)| stage((Some(moves), base, inc)));
            let stages = timed.chain([stage(last)]).collect();
            let control = TimeControl { stages, is_hourglass: false };
            prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control.clone()));
            if control.stages.len() > 2 {
                prop_assert_eq!(control.pgn().parse::<TimeControl>(), Ok(control.clone()));
            }
            let json = serde_json::to_string(&control).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<TimeControl>(&json).expect("a clock"), control);
        }
    }
}
