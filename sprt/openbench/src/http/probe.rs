//! Answers with their headers, whatever their status: what a server shows to anybody.

use foundation::{Failure, failure::OrUnable};
use reqwest::StatusCode;
use reqwest::header::{HOST, HeaderMap};

use super::Client;

/// An answer to one request, as it came.
#[derive(Clone, Debug)]
pub struct Probe {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Probe {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl Client {
    /// Sends one request, under another name of the server if `host` gives one.
    pub(crate) async fn probe(&self, path: &str, host: Option<&str>) -> Result<Probe, Failure> {
        let mut request = self.http.get(self.server.url(path));
        if let Some(host) = host {
            request = request.header(HOST, host);
        }
        let what = format!("ask {} for {path}", self.server);
        let asked = tokio::time::timeout(self.limits.answer, async {
            let mut response = request.send().await.or_unable(&what)?;
            let (status, headers) = (response.status(), response.headers().clone());
            let mut body = Vec::new();
            while body.len() <= self.limits.page {
                match response.chunk().await.or_unable(&what)? {
                    Some(part) => body.extend_from_slice(&part),
                    None => break,
                }
            }
            let text = String::from_utf8_lossy(&body).into_owned();
            Ok(Probe {
                status,
                headers,
                text,
            })
        });
        asked.await.or_unable(&what)?
    }
}
