//! Where a server is.

use std::fmt;

use foundation::Failure;
use reqwest::Url;

/// A server, by its origin: OpenBench's pages link to each other from the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    root: Url,
}

impl Server {
    /// Takes `https://host[:port]`, also without `https://`. Plain HTTP would show the password to
    /// everyone on the way, so it must be allowed explicitly, except on this machine.
    pub fn parse(text: &str, allow_http: bool) -> Result<Self, Failure> {
        let expected =
            |failure: Failure| failure.hint("expected something like https://bench.example.org");
        let text = text.trim();
        let with_scheme = if text.contains("://") {
            text.to_owned()
        } else {
            format!("https://{text}")
        };
        let root = Url::parse(&with_scheme).map_err(|error| {
            expected(Failure::unable(format!(
                "`{text}` is no address of a server: {error}"
            )))
        })?;
        if !root.username().is_empty() || root.password().is_some() {
            return Err(Failure::unable(
                "the address of the server has a user name or password in it",
            )
            .hint("give OPENBENCH_USERNAME and OPENBENCH_PASSWORD instead"));
        }
        let loopback = matches!(root.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
        match root.scheme() {
            "https" => {}
            "http" if loopback || allow_http => {}
            "http" => {
                return Err(Failure::unable(format!(
                    "`{text}` is not encrypted: the password would cross the network in the clear"
                ))
                .hint("use https://, or --allow-http if the way to the server is safe"));
            }
            other => {
                return Err(expected(Failure::unable(format!(
                    "`{other}` is no way to a server"
                ))));
            }
        }
        if root.path() != "/" || root.query().is_some() || root.fragment().is_some() {
            return Err(Failure::unable(format!(
                "`{text}` is a page, not the address of a server"
            ))
            .hint(format!("give `{}`", root.origin().ascii_serialization())));
        }
        Ok(Self { root })
    }

    /// `path` starts with a slash and, for OpenBench, ends with one.
    pub fn url(&self, path: &str) -> Url {
        let mut url = self.root.clone();
        url.set_path(path);
        url
    }

    pub fn origin(&self) -> String {
        self.root.origin().ascii_serialization()
    }

    /// Where a redirection leads, if it stays on this server.
    pub(crate) fn redirected(&self, from: &Url, location: &str) -> Result<Url, Failure> {
        let to = from.join(location).map_err(|error| {
            Failure::unable(format!("the server redirects to `{location}`: {error}"))
        })?;
        if to.origin() == self.root.origin() {
            return Ok(to);
        }
        let there = to.origin().ascii_serialization();
        Err(Failure::unable(format!(
            "{} redirects to {there}; not followed",
            self.origin()
        ))
        .hint(format!("if that is the server, give `--server {there}`")))
    }
}

impl fmt::Display for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.origin())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_server_is_an_origin_reached_safely() {
        let server = Server::parse("bench.example.org", false).expect("a server");
        assert_eq!(
            server.url("/api/config/").as_str(),
            "https://bench.example.org/api/config/"
        );
        assert!(Server::parse("http://127.0.0.1:8000", false).is_ok());
        assert!(Server::parse("http://bench.example.org", true).is_ok());
        for (text, said) in [
            ("http://bench.example.org", "not encrypted"),
            (
                "https://a:secret@bench.example.org",
                "has a user name or password",
            ),
            ("https://bench.example.org/index/", "is a page"),
            ("ftp://bench.example.org", "is no way"),
            ("https://", "no address"),
        ] {
            let failure = Server::parse(text, false).expect_err(text);
            assert!(failure.message().contains(said), "{text}: {failure}");
            assert!(!failure.to_string().contains("secret"), "{failure}");
        }
    }

    #[test]
    fn redirections_stay_on_the_server() {
        let server = Server::parse("https://bench.example.org", false).expect("a server");
        let from = server.url("/scripts/");
        let to = |location| server.redirected(&from, location);
        assert_eq!(to("/index/").expect("same host").path(), "/index/");
        for elsewhere in [
            "https://evil.example.org/index/",
            "http://bench.example.org/index/",
            "//evil.example.org/",
            "https://bench.example.org:8443/",
        ] {
            assert!(to(elsewhere).is_err(), "{elsewhere}");
        }
    }

    proptest! {
        #[test]
        fn no_name_is_a_panic(text in "\\PC{0,60}") {
            let _ = Server::parse(&text, false);
        }
    }
}
