//! A page with its style and scripts, and the access rules for its requests.

use std::fmt::Write as _;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::answer::problem;
use super::site::Site;

/// What a page is made of, besides what all pages have.
pub(crate) struct Document {
    /// HTML with a place for scripts and one for pieces.
    pub(crate) page: &'static str,
    pub(crate) style: &'static str,
    /// In the order in which they need each other.
    pub(crate) scripts: &'static [(&'static str, &'static str)],
}

/// Requests of all pages, which come after the pieces and the boards.
const SERVER: (&str, &str) = ("server.js", include_str!("server.js"));

/// Nothing from elsewhere is loaded, nothing is framed, and no text can become a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The header that carries the token, which no foreign page can set.
const TOKEN: &str = "x-token";

/// The page, and the requests of `api` for those who may make them.
pub(crate) fn guarded(site: Site, document: &Document, api: Router) -> Router {
    let scripts: Vec<(&str, &str)> = plot::SCRIPTS
        .into_iter()
        .chain([SERVER])
        .chain(document.scripts.iter().copied())
        .collect();
    let page = page(document.page, &scripts);
    let style = [plot::STYLE, plot::BOARD_STYLE, document.style].concat();
    let mut router = Router::new()
        .route("/", file("text/html; charset=utf-8", page))
        .route("/page.css", file("text/css; charset=utf-8", style));
    for (name, script) in scripts {
        let script = file("text/javascript; charset=utf-8", script.to_owned());
        router = router.route(&format!("/{name}"), script);
    }
    let api = api.layer(middleware::from_fn_with_state(site.clone(), reader));
    router
        .merge(api)
        .layer(middleware::from_fn_with_state(site, guard))
}

fn page(page: &str, scripts: &[(&str, &str)]) -> String {
    let mut elements = String::new();
    for (name, _) in scripts {
        // Writing to a `String` cannot fail.
        let _ = writeln!(elements, "<script src=\"/{name}\" defer></script>");
    }
    page.replace("<!-- scripts -->", &elements)
        .replace("<!-- pieces -->", plot::PIECES)
}

fn file(kind: &'static str, content: String) -> axum::routing::MethodRouter {
    get(move || async move { ([(header::CONTENT_TYPE, kind)], content.clone()) })
}

/// Refuses requests that do not name this server, and adds the security headers to answers.
async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| site.is_addressed(host)) {
        return problem(
            StatusCode::MISDIRECTED_REQUEST,
            "this server has another address",
        );
    }
    let mut response = next.run(request).await.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses requests without the token, unless everybody may read.
async fn reader(State(site): State<Site>, request: Request, next: Next) -> Response {
    if site.lets_read(token_of(&request)) {
        next.run(request).await
    } else {
        problem(
            StatusCode::FORBIDDEN,
            "open the address that was printed in the terminal: the token in it lets you in",
        )
    }
}

pub(super) fn token_of(request: &Request) -> Option<&str> {
    let token = request.headers().get(TOKEN)?;
    token.to_str().ok()
}
