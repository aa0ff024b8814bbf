//! Times in JSON: lengths in milliseconds with decimals, moments as text in universal time.

/// For `#[serde(with = …)]` on a length of time.
pub(super) mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        to_number(*time).serialize(serializer)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(number / 1000.0).map_err(D::Error::custom)
    }

    /// Rounds to microseconds; more digits are noise.
    pub(super) fn to_number(time: Duration) -> f64 {
        time.as_micros() as f64 / 1000.0
    }
}

/// For `#[serde(with = …)]` on a length of time that may be absent.
pub(crate) mod maybe_milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[expect(clippy::ref_option, reason = "serde hands it over like this")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(super::milliseconds::to_number)
            .serialize(serializer)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let number = Option::<f64>::deserialize(deserializer)?;
        let time = number.map(|number| Duration::try_from_secs_f64(number / 1000.0));
        time.transpose().map_err(D::Error::custom)
    }
}

/// For `#[serde(with = …)]` on a moment.
pub(super) mod moment {
    use std::time::SystemTime;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(
        time: &SystemTime,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        // Outside the years that calendars know, the beginning of 1970.
        let time = jiff::Timestamp::try_from(*time).unwrap_or_default();
        format!("{time:.3}").serialize(serializer)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(
        deserializer: D,
    ) -> Result<SystemTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time: jiff::Timestamp = text.parse().map_err(D::Error::custom)?;
        Ok(time.into())
    }
}
