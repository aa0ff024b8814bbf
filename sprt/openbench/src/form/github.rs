//! Addresses of repositories, as git knows them and as the server accepts them.

/// The server's message about an address that it does not accept.
pub(crate) const SERVER_WORDS: &str = "Sources must be found on https://github.com/<User>/<Repo>";

/// `https://github.com/USER/REPO`, from any address under which git reaches that repository.
pub fn normal(address: &str) -> Option<String> {
    let address = address.trim();
    let rest = match address.split_once("://") {
        Some(("https" | "http" | "ssh" | "git" | "git+ssh", rest)) => {
            // A user name, and perhaps a token, that only git needs.
            let (authority, path) = rest.split_once('/')?;
            let host = authority.rsplit('@').next()?;
            let host = host.split(':').next()?;
            format!("{host}/{path}")
        }
        Some(_) => return None,
        None => match address.split_once(':') {
            Some((host, path)) => format!(
                "{}/{}",
                host.rsplit('@').next()?,
                path.trim_start_matches('/')
            ),
            None => address.to_owned(),
        },
    };
    let mut parts = rest.trim_end_matches('/').split('/');
    let (host, user, name) = (parts.next()?, parts.next()?, parts.next()?);
    let name = name.strip_suffix(".git").unwrap_or(name);
    let is_user = !user.is_empty()
        && user
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    let is_github = host.eq_ignore_ascii_case("github.com")
        || host.eq_ignore_ascii_case("www.github.com")
        || host.eq_ignore_ascii_case("ssh.github.com");
    (is_github && is_user && is_name && parts.next().is_none())
        .then(|| format!("https://github.com/{user}/{name}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_way_of_git_leads_to_the_address_the_server_takes() {
        for address in [
            "https://github.com/example/whetstone",
            "https://github.com/example/whetstone/",
            "https://github.com/example/whetstone.git",
            "https://token@github.com/example/whetstone.git",
            "git@github.com:example/whetstone.git",
            "ssh://git@github.com/example/whetstone.git",
            "ssh://git@ssh.github.com:443/example/whetstone.git",
            "git@github.com:/example/whetstone",
            "github.com/example/whetstone",
        ] {
            assert_eq!(
                normal(address).as_deref(),
                Some("https://github.com/example/whetstone"),
                "{address}"
            );
        }
        for address in [
            "",
            "https://gitlab.com/a/b",
            "/home/a/b",
            "../b",
            "git@github.com:b",
            "https://github.com/a/b/c",
            "file:///github.com/a/b",
            "https://github.com/a/.git",
        ] {
            assert_eq!(normal(address), None, "{address}");
        }
    }

    proptest! {
        #[test]
        fn a_normal_address_is_its_own(address in "(https://|git@|ssh://git@)?github.com[:/][a-zA-Z0-9-]{1,9}/[a-zA-Z0-9_.-]{1,9}(.git)?/?|\\PC{0,30}") {
            if let Some(once) = normal(&address) {
                // `a.git.git` loses one suffix a time, as it does with git.
                prop_assume!(once.strip_suffix(".git").is_none());
                prop_assert_eq!(normal(&once), Some(once.clone()));
            }
        }
    }
}
