//! What a stranger sees of a server.

use foundation::Failure;
use jiff::Timestamp;
use jiff::fmt::rfc2822;

use super::Finding;
use crate::http::Client;
use crate::http::Probe;

/// No instance has this page, and none this name.
const NO_PAGE: &str = "/no-such-page-of-openbench/";
const NO_HOST: &str = "no-such-host.invalid";
/// A clock that is off by more than this makes the times on the server's pages misleading.
const SECONDS: i64 = 30;

/// Examines the server as somebody without an account.
pub async fn examine(client: &Client) -> Result<Vec<Finding>, Failure> {
    let login = client.probe("/login/", None).await?;
    let asked = Timestamp::now();
    if !is_openbench(&login) {
        return Err(Failure::unable(format!(
            "{} does not answer like OpenBench: its /login/ is {}",
            client.server, login.status
        )));
    }
    let missing = client.probe(NO_PAGE, None).await?;
    let stranger = client.probe("/login/", Some(NO_HOST)).await;
    let style = client.probe("/static/style.css", None).await?;
    let register = client.probe("/register/", None).await?;
    Ok(vec![
        debug(&missing),
        hosts(stranger.ok().as_ref()),
        encryption(client.server.url("/").scheme(), &login),
        static_files(&style),
        registration(&register),
        clock(&login, asked),
    ])
}

fn is_openbench(page: &Probe) -> bool {
    page.status.is_success() && page.text.contains("csrfmiddlewaretoken")
}

fn debug(missing: &Probe) -> Finding {
    let is_on = missing.text.contains("DEBUG = True");
    if is_on {
        Finding::bad(
            "debug",
            "DEBUG is on: errors show settings and sources to everybody",
            "set DEBUG = False in the settings",
        )
    } else {
        Finding::good("debug", "off")
    }
}

fn hosts(stranger: Option<&Probe>) -> Finding {
    if stranger.is_some_and(is_openbench) {
        Finding::bad(
            "hosts",
            format!("the server answers to any name, such as {NO_HOST}"),
            "set ALLOWED_HOSTS to the name of the server",
        )
    } else {
        Finding::good("hosts", "the server answers to its own name only")
    }
}

fn encryption(scheme: &str, login: &Probe) -> Finding {
    let cookies = || {
        login
            .headers
            .get_all("set-cookie")
            .iter()
            .filter_map(|value| value.to_str().ok())
    };
    let is_secure = |cookie: &str| {
        cookie
            .split(';')
            .any(|word| word.trim().eq_ignore_ascii_case("secure"))
    };
    if scheme != "https" {
        return Finding::bad(
            "encryption",
            "the server is asked over plain HTTP: passwords of people and workers can be read on the way",
            "put a proxy with a certificate before it",
        );
    }
    if !cookies().all(is_secure) {
        return Finding::bad(
            "encryption",
            "cookies may go over plain HTTP, too",
            "set SESSION_COOKIE_SECURE and CSRF_COOKIE_SECURE",
        );
    }
    if login.header("strict-transport-security").is_none() {
        return Finding::bad(
            "encryption",
            "browsers are not told to stay with TLS",
            "set SECURE_HSTS_SECONDS and, behind a proxy, SECURE_PROXY_SSL_HEADER",
        );
    }
    Finding::good("encryption", "TLS, also for cookies")
}

fn static_files(style: &Probe) -> Finding {
    if style.status.is_success() {
        Finding::good("static files", "served")
    } else {
        Finding::bad(
            "static files",
            format!(
                "/static/style.css is {}: pages have no style and no scripts",
                style.status
            ),
            "run `manage.py collectstatic` and let the proxy or WhiteNoise serve the files",
        )
    }
}

fn registration(register: &Probe) -> Finding {
    if register.status.is_success() {
        Finding::bad(
            "registration",
            "open: everybody can make an account, which waits to be enabled",
            "set require_manual_registration in Config/config.json",
        )
    } else {
        Finding::good("registration", "by an administrator")
    }
}

fn clock(answer: &Probe, asked: Timestamp) -> Finding {
    let server_time = answer
        .header("date")
        .and_then(|date| rfc2822::parse(date).ok());
    let Some(server_time) = server_time else {
        return Finding::unknown("clock", "the server does not send its time");
    };
    let ahead = server_time.timestamp().as_second() - asked.as_second();
    if ahead.abs() > SECONDS {
        let way = if ahead > 0 { "ahead of" } else { "behind" };
        Finding::bad(
            "clock",
            format!("{} s {way} the clock here", ahead.abs()),
            "let NTP set the clock of the server, or the one here",
        )
    } else {
        Finding::good("clock", format!("within {SECONDS} s of the one here"))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::StatusCode;
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    use super::*;
    use crate::doctor::State;

    fn probe(status: u16, headers: &[(&str, &str)], text: &str) -> Probe {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name.parse().expect("a name");
            map.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        Probe {
            status: StatusCode::from_u16(status).expect("a status"),
            headers: map,
            text: text.to_owned(),
        }
    }

    #[test]
    fn debug_mode_is_seen_on_the_page_of_an_error() {
        let page = "because you have <code>DEBUG = True</code> in your Django settings file";
        assert_eq!(debug(&probe(404, &[], page)).state, State::Bad);
        assert_eq!(debug(&probe(404, &[], "Not Found")).state, State::Good);
    }

    #[test]
    fn a_server_for_any_host_is_distinguished_from_a_proxy_that_answers_for_it() {
        let page = "<input name=csrfmiddlewaretoken>";
        assert_eq!(hosts(Some(&probe(200, &[], page))).state, State::Bad);
        assert_eq!(hosts(Some(&probe(200, &[], ""))).state, State::Good);
        assert_eq!(
            hosts(Some(&probe(400, &[], "Bad Request"))).state,
            State::Good
        );
        assert_eq!(hosts(None).state, State::Good);
    }

    #[test]
    fn encryption_covers_cookies_and_later_visits() {
        let plain = probe(200, &[("set-cookie", "csrftoken=a; Path=/")], "");
        let secure = probe(200, &[("set-cookie", "csrftoken=a; Path=/; Secure")], "");
        let sound = probe(
            200,
            &[
                ("set-cookie", "csrftoken=a; Secure"),
                ("strict-transport-security", "max-age=2592000"),
            ],
            "",
        );
        assert!(encryption("http", &sound).text.contains("plain HTTP"));
        assert!(encryption("https", &plain).text.contains("cookies"));
        assert!(encryption("https", &secure).text.contains("stay with TLS"));
        assert_eq!(encryption("https", &sound).state, State::Good);
    }

    #[test]
    fn a_clock_is_compared_by_the_date_of_an_answer() {
        let answer = probe(200, &[("date", "Wed, 25 Nov 2026 08:00:00 GMT")], "");
        let at = |text: &str| text.parse::<Timestamp>().expect("a moment");
        assert_eq!(
            clock(&answer, at("2026-11-25T08:00:10Z")).state,
            State::Good
        );
        let late = clock(&answer, at("2026-11-25T08:02:00Z"));
        assert_eq!(
            (late.state, late.text.as_str()),
            (State::Bad, "120 s behind the clock here")
        );
        assert_eq!(
            clock(&probe(200, &[], ""), at("2026-11-25T08:00:00Z")).state,
            State::Unknown
        );
    }

    #[test]
    fn what_is_missing_or_open_is_bad() {
        assert_eq!(static_files(&probe(404, &[], "")).state, State::Bad);
        assert_eq!(registration(&probe(200, &[], "")).state, State::Bad);
        assert_eq!(
            registration(&probe(302, &[("location", "/login/")], "")).state,
            State::Good
        );
    }
}
