//! How requests are read and answered.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use foundation::Failure;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub(super) fn problem(status: StatusCode, words: &str) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        json!({ "error": words }).to_string(),
    )
        .into_response()
}

/// Works in a thread in which waiting for files is allowed.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Response> {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(failure)) => {
            let step = failure.next_step().map(|step| format!("; {step}"));
            let words = [failure.message(), &step.unwrap_or_default()].concat();
            Err(problem(StatusCode::UNPROCESSABLE_ENTITY, &words))
        }
        Err(_) => Err(problem(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the request failed",
        )),
    }
}

/// The same, answered as JSON.
pub(crate) async fn answer(
    work: impl FnOnce() -> Result<Value, Failure> + Send + 'static,
) -> Response {
    match blocking(work).await {
        Ok(value) => (
            [(header::CONTENT_TYPE, "application/json")],
            value.to_string(),
        )
            .into_response(),
        Err(problem) => problem,
    }
}

/// The query of a request; errors in it are answered as JSON too.
pub(crate) struct Asked<T>(pub(crate) T);

/// The run that a request is about.
#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) run: String,
}

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(wrong) => Err(problem(StatusCode::BAD_REQUEST, &wrong.body_text())),
        }
    }
}
