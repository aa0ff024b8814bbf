//! The variables that builds and engines get: those that compilers, toolchains and proxies need,
//! and those that the settings add. A secret may have any name, so nothing else reaches code that
//! nobody has read.

use std::{ffi::OsString, process::Command};

use foundation::process;

/// Variables of the user, the system, the network and git: they decide where and as whom something
/// is built. A name that ends in `*` stands for every name with that beginning.
#[rustfmt::skip]
const SYSTEM: &[&str] = &[
    // A user and a system.
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LOGNAME",
    "PATH", "SHELL", "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER",
    "SOURCE_DATE_EPOCH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    // The network.
    "ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "all_proxy", "https_proxy", "http_proxy", "no_proxy",
    "CURL_CA_BUNDLE", "NIX_SSL_CERT_FILE", "SSL_CERT_DIR", "SSL_CERT_FILE",
    // git, for what a build fetches.
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
];

/// Variables of compilers and toolchains, which may decide what is built.
#[rustfmt::skip]
const TOOLS: &[&str] = &[
    // C, C++ and linkers.
    "AR", "ARFLAGS", "AS", "ASFLAGS", "CC", "CFLAGS", "CPP", "CPPFLAGS", "CXX", "CXXFLAGS", "LD", "LDFLAGS", "LDLIBS",
    "NM", "OBJCOPY", "RANLIB", "STRIP", "COMPILER_PATH", "CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH",
    "LD_LIBRARY_PATH", "LIBRARY_PATH", "PKG_CONFIG*", "CCACHE_DIR", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET",
    "SDKROOT",
    // CMake.
    "CMAKE_BUILD_PARALLEL_LEVEL", "CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_C_COMPILER_LAUNCHER",
    "CMAKE_GENERATOR", "CMAKE_GENERATOR_INSTANCE", "CMAKE_GENERATOR_PLATFORM", "CMAKE_GENERATOR_TOOLSET",
    "CMAKE_INCLUDE_PATH", "CMAKE_LIBRARY_PATH", "CMAKE_OSX_ARCHITECTURES", "CMAKE_POLICY_VERSION_MINIMUM",
    "CMAKE_PREFIX_PATH", "CMAKE_PROGRAM_PATH", "CMAKE_TOOLCHAIN_FILE",
    // The wrappers of Nix; `NIX_CONFIG` holds tokens.
    "NIX_BINTOOLS*", "NIX_CC*", "NIX_CFLAGS_*", "NIX_CXXSTDLIB_*", "NIX_DONT_SET_RPATH*", "NIX_ENFORCE_*",
    "NIX_HARDENING_ENABLE", "NIX_LDFLAGS*", "NIX_PKG_CONFIG_*", "NIX_STORE",
    // What engines' Makefiles take.
    "ARCH", "EVALFILE",
    // Rust; names of profiles and targets stand in some.
    "CARGO_BUILD_INCREMENTAL", "CARGO_BUILD_JOBS", "CARGO_BUILD_RUSTC", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER", "CARGO_BUILD_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "CARGO_HOME",
    "CARGO_HTTP_CAINFO", "CARGO_HTTP_CHECK_REVOKE", "CARGO_HTTP_LOW_SPEED_LIMIT", "CARGO_HTTP_MULTIPLEXING",
    "CARGO_HTTP_PROXY", "CARGO_HTTP_SSL_VERSION", "CARGO_HTTP_TIMEOUT",
    "CARGO_NET_GIT_FETCH_WITH_CLI", "CARGO_NET_OFFLINE", "CARGO_NET_RETRY", "CARGO_PROFILE_*", "CARGO_TARGET_*", "RUSTC",
    "RUSTC_BOOTSTRAP", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_WRAPPER", "RUSTFLAGS", "RUSTUP_DIST_SERVER", "RUSTUP_HOME",
    "RUSTUP_UPDATE_ROOT", "RUST_BACKTRACE", "SCCACHE_DIR",
    // Other languages.
    "CGO_CFLAGS", "CGO_CFLAGS_ALLOW", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_ENABLED", "CGO_LDFLAGS", "CGO_LDFLAGS_ALLOW",
    "GOARCH", "GOCACHE", "GOFLAGS",
    "GOMODCACHE", "GOOS", "GOPATH", "GOPROXY", "GOROOT", "GOSUMDB", "GOTOOLCHAIN", "DOTNET_CLI_HOME", "DOTNET_CLI_TELEMETRY_OPTOUT",
    "DOTNET_NOLOGO", "DOTNET_ROOT", "NUGET_PACKAGES",
    "GRADLE_USER_HOME", "JAVA_HOME", "MAVEN_OPTS", "ZIG_GLOBAL_CACHE_DIR", "ZIG_LIB_DIR", "ZIG_LOCAL_CACHE_DIR",
];

/// Which variables reach a build and an engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    /// Additional ones, written like the usual ones.
    added: Vec<String>,
    /// Variables with fixed values.
    set: Vec<(String, String)>,
}

impl Environment {
    pub(crate) fn with(added: Vec<String>) -> Self {
        Self {
            added,
            set: Vec::new(),
        }
    }

    /// The same with these variables set.
    pub(crate) fn and(mut self, variables: &[(String, String)]) -> Self {
        self.set.extend_from_slice(variables);
        self
    }

    /// Removes all other variables from a program that is to be started.
    pub(crate) fn apply(&self, command: &mut Command) {
        let is_wanted = |name: &str| is_one_of(SYSTEM, name) || self.decides(name);
        command
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_wanted)));
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
    }

    /// The variables that are left, without those of secrets, whatever the settings add.
    pub(crate) fn variables(&self) -> Vec<(OsString, OsString)> {
        let mut command = Command::new("");
        self.apply(&mut command);
        process::scrub(&mut command);
        process::hide_secrets(&mut command);
        let left = command.get_envs();
        left.filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect()
    }

    /// Those that may decide what is built, in the order of names.
    pub(crate) fn deciding(&self) -> Vec<(OsString, OsString)> {
        let mut deciding = self.variables();
        let is_set = |name: &str| self.set.iter().any(|(set, _)| set == name);
        deciding.retain(|(name, _)| {
            name.to_str()
                .is_some_and(|name| self.decides(name) || is_set(name))
        });
        deciding.sort_unstable();
        deciding
    }

    /// A variable of a toolchain, or one that the settings add.
    fn decides(&self, name: &str) -> bool {
        let mut added = self.added.iter();
        is_one_of(TOOLS, name) || added.any(|pattern| matches(pattern, name))
    }
}

fn is_one_of(patterns: &[&str], name: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_the_rest_of_a_name() {
        assert!(matches("NIX_CC*", "NIX_CC_FOR_TARGET") && matches("CC", "CC"));
        assert!(!matches("CC", "CCC") && !matches("NIX_CC*", "NIX_STORE"));
        assert!(!matches("A*B", "AXB"));
    }

    #[test]
    fn no_usual_name_is_that_of_a_known_secret() {
        for secret in [
            "GH_PAT",
            "DEPLOY_KEY",
            "NETRC",
            "DATABASE_URL",
            "CARGO_REGISTRY_TOKEN",
            "CARGO_REGISTRIES_MY_TOKEN",
            "AWS_ACCESS_KEY_ID",
            "KUBECONFIG",
            "DOCKER_AUTH_CONFIG",
            "SSH_AUTH_SOCK",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "GIT_ASKPASS",
            "GITHUB_OUTPUT",
            "PGPASSFILE",
            "NIX_CONFIG",
            "NIX_SSHOPTS",
            "CARGO_BUILD_PAT",
            "CARGO_HTTP_AUTH",
            "CARGO_NET_NETRC",
            "CGO_PAT",
            "CMAKE_PAT",
            "LC_PAT",
            "RUSTC_PAT",
            "RUSTUP_PAT",
            "ZIG_PAT",
            "DOTNET_PAT",
        ] {
            assert!(!is_one_of(SYSTEM, secret), "{secret}");
            assert!(!is_one_of(TOOLS, secret), "{secret}");
        }
    }
}
