//! Programs that engines are built with: which of them a build did not find, and what installs it.

const TOOLS: [(&str, &str); 18] = [
    (
        "ar",
        "binutils, with a C compiler: `build-essential` on Debian",
    ),
    ("cargo", "Rust: https://rustup.rs"),
    ("cc", "a C compiler: `build-essential` on Debian"),
    (
        "clang",
        "LLVM: `clang` on most systems, https://apt.llvm.org",
    ),
    (
        "clang++",
        "LLVM: `clang` on most systems, https://apt.llvm.org",
    ),
    ("cmake", "CMake: https://cmake.org/download"),
    ("curl", "curl: `curl` on most systems"),
    (
        "dotnet",
        "the .NET SDK: https://dotnet.microsoft.com/download",
    ),
    ("g++", "a C++ compiler: `build-essential` on Debian"),
    ("gcc", "a C compiler: `build-essential` on Debian"),
    ("go", "Go: https://go.dev/dl"),
    ("java", "a Java runtime: https://adoptium.net"),
    ("javac", "a Java development kit: https://adoptium.net"),
    ("make", "make: `build-essential` on Debian"),
    ("mvn", "Maven: https://maven.apache.org/download.cgi"),
    ("ninja", "Ninja: `ninja-build` on Debian"),
    ("rustc", "Rust: https://rustup.rs"),
    ("zig", "Zig: https://ziglang.org/download"),
];

/// What a shell or make could not find, by the log of a build.
pub(super) fn missing(log: &str) -> Option<String> {
    let words = |line: &str| {
        let complaint = [
            ": not found",
            ": command not found",
            ": No such file or directory",
        ]
        .into_iter()
        .find_map(|complaint| line.trim_end().strip_suffix(complaint).map(str::to_owned))?;
        complaint.rsplit([' ', ':']).next().map(str::to_owned)
    };
    let mut named = log.lines().filter_map(words);
    let (tool, installer) = named.find_map(|name| TOOLS.iter().find(|(tool, _)| *tool == name))?;
    Some(format!(
        "`{tool}` is not installed; it comes with {installer}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shells_and_make_say_names_the_toolchain() {
        for line in [
            "sh: 1: zig: not found",
            "bash: line 1: zig: command not found",
            "make: zig: No such file or directory",
            "/bin/sh: zig: command not found",
        ] {
            let said = missing(&format!("building\n{line}\nmake: *** [all] Error 127"));
            assert!(
                said.is_some_and(|said| said.contains("ziglang.org")),
                "{line}"
            );
        }
    }

    #[test]
    fn other_trouble_names_none() {
        for line in [
            "search.c: No such file or directory",
            "zig: error: not found in cache",
            "sh: 1: my-tool: not found",
            "",
        ] {
            assert_eq!(missing(line), None, "{line}");
        }
    }
}
