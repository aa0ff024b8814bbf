//! Timeouts, the number of tries, and the reasons for which no answer comes.

use std::time::Duration;

use foundation::Failure;

/// Bytes a second that an upload makes at least.
const UPLOAD_SPEED: u64 = 50_000;

/// Timeouts, sizes, and the number of tries.
#[derive(Clone, Debug)]
pub struct Limits {
    pub connect: Duration,
    /// For a whole answer. Creating a workload makes the server ask GitHub several times.
    pub answer: Duration,
    /// Between two parts of a download.
    pub silence: Duration,
    /// Bytes of a page.
    pub page: usize,
    /// Tries of a request that only reads.
    pub tries: u32,
    /// Before the second try; doubled before each further one.
    pub pause: Duration,
    pub longest_pause: Duration,
    /// Whether a status such as 404 may pass: the server has answered before, so it is that of a proxy.
    pub statuses_pass: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            answer: Duration::from_secs(90),
            silence: Duration::from_mins(1),
            page: 32 << 20,
            tries: 4,
            pause: Duration::from_secs(2),
            longest_pause: Duration::from_mins(5),
            statuses_pass: false,
        }
    }
}

impl Limits {
    /// How long to wait for an answer to an upload of so many bytes.
    pub(crate) fn upload_of(&self, bytes: usize) -> Duration {
        self.answer + Duration::from_secs(bytes as u64 / UPLOAD_SPEED)
    }

    /// The pause after this many failed tries.
    pub(crate) fn pause_after(&self, tries: u32) -> Duration {
        let factor = 2u32.saturating_pow(tries.saturating_sub(1).min(16));
        self.pause.saturating_mul(factor).min(self.longest_pause)
    }
}

/// Why a request brought no answer.
#[derive(Clone, Debug)]
pub enum Unanswered {
    /// The same request may succeed later. `arrived`: the server may have acted on it.
    Later { failure: Failure, arrived: bool },
    /// The same request will never succeed.
    Never(Failure),
}

impl Unanswered {
    pub fn later(failure: Failure) -> Self {
        Self::Later {
            failure,
            arrived: true,
        }
    }
}

impl From<Failure> for Unanswered {
    fn from(failure: Failure) -> Self {
        Self::Never(failure)
    }
}

impl From<Unanswered> for Failure {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Later { failure, .. } | Unanswered::Never(failure) => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_has_time_for_its_bytes() {
        let limits = Limits::default();
        let seconds = [0, 50_012_345].map(|bytes| limits.upload_of(bytes));
        assert_eq!(seconds, [90, 1090].map(Duration::from_secs));
    }

    #[test]
    fn pauses_grow_to_a_limit() {
        let limits = Limits::default();
        let seconds: Vec<u64> = [1, 2, 3, 8, 40]
            .map(|tries| limits.pause_after(tries).as_secs())
            .to_vec();
        assert_eq!(seconds, [2, 4, 8, 256, 300]);
    }
}
