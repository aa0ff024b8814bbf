//! The pages of `sprt serve`: runs, their reports, the games being played and those that were.
//!
//! ```text
//! run folders ──▶ site ──▶ api (JSON) ──▶ page (JavaScript in the browser)
//!      ▲                    │
//!      └── control.json ◀── requests with the token
//! ```
//! The server plays nothing and holds no run: it reads what the processes that play write, and
//! writes what is asked of them. Stopping it stops no run. It answers only requests whose `Host`
//! header is its own address, so that no other site can make a browser send requests to it.

mod answer;
mod api;
mod board;
mod document;
mod ending;
mod games;
mod mistakes;
mod site;
pub(crate) mod token;

pub(crate) use answer::{Asked, answer, blocking};
pub(crate) use api::router;
pub(crate) use document::{Document, guarded};
pub(crate) use ending::until_interrupted;
pub(crate) use mistakes::mistakes;
pub(crate) use site::Site;
