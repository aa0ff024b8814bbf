//! An answer of the server.

use foundation::Failure;
use reqwest::{StatusCode, Url};
use serde_json::Value;

use super::limits::Unanswered;

/// An answer that was read to its end.
#[derive(Clone, Debug)]
pub struct Answer {
    pub url: Url,
    pub status: StatusCode,
    /// Where a 3xx leads; on this server.
    pub location: Option<Url>,
    pub content_type: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The JSON of an answer. Anything but JSON comes from a server in trouble, so a later try may
    /// succeed.
    pub fn json(&self) -> Result<Value, Unanswered> {
        let value: Value = serde_json::from_slice(&self.body).map_err(|error| {
            let start: String = self.text().chars().take(80).collect();
            Unanswered::later(Failure::unable(format!(
                "{} answers with something else than JSON ({error}): {}",
                self.url.path(),
                start.escape_debug()
            )))
        })?;
        match value.get("error").and_then(Value::as_str) {
            Some(error) if value.as_object().is_some_and(|object| object.len() == 1) => Err(
                Failure::unable(format!("the server says of {}: {error}", self.url.path())).into(),
            ),
            _ => Ok(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &str) -> Answer {
        Answer {
            url: Url::parse("http://127.0.0.1/api/workload/1/info/").expect("an address"),
            status: StatusCode::OK,
            location: None,
            content_type: "application/json".into(),
            body: body.as_bytes().to_owned(),
        }
    }

    #[test]
    fn an_error_of_the_server_is_final_and_noise_is_not() {
        match answer(r#"{"error": "Requested Workload Id does not exist"}"#).json() {
            Err(Unanswered::Never(failure)) => {
                assert!(failure.message().contains("does not exist"));
            }
            other => panic!("{other:?}"),
        }
        for noise in ["<h1>Server Error (500)</h1>", "", "{\"info\": {"] {
            assert!(
                matches!(answer(noise).json(), Err(Unanswered::Later { .. })),
                "{noise}"
            );
        }
    }
}
