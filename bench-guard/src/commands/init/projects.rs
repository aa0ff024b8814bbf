//! Build lines for projects that are built by tools other than make: cargo, `CMake`, Maven, zig, go
//! and dotnet.

use std::{
    fs,
    path::{Path, PathBuf},
};

use foundation::process::quoted;

/// The file by which a project is recognised, and the line that makes `{exe}` from it.
type Kind = (&'static str, fn(&Path) -> Option<String>);

const KINDS: [Kind; 6] = [
    ("Cargo.toml", cargo),
    ("CMakeLists.txt", cmake),
    ("build.zig", zig),
    ("go.mod", go),
    ("pom.xml", maven),
    (".csproj", dotnet),
];

/// The way to build that the root of a source tree offers.
pub(super) fn lines(root: &Path) -> Vec<String> {
    KINDS.iter().filter_map(|(_, line)| line(root)).collect()
}

/// The names of the files that are looked for, for a message.
pub(super) fn files() -> String {
    KINDS.map(|(file, _)| file).join(", ")
}

fn read(root: &Path, name: &str) -> Option<String> {
    fs::read_to_string(root.join(name)).ok()
}

fn copied(build: &str, made: &str) -> String {
    format!("{build} && cp {} {{exe}}", quoted(made))
}

/// The program of the package in the root, or of the first workspace member that has one.
fn cargo(root: &Path) -> Option<String> {
    let manifest = |folder: &Path| -> Option<toml::Table> {
        fs::read_to_string(folder.join("Cargo.toml"))
            .ok()?
            .parse()
            .ok()
    };
    let table = manifest(root)?;
    if let Some(name) = cargo_program(root, &table) {
        return Some(copied(
            "cargo build --release",
            &format!("target/release/{name}"),
        ));
    }
    let members = table.get("workspace")?.get("members")?.as_array()?;
    members
        .iter()
        .filter_map(|member| member.as_str())
        .flat_map(|member| match member.strip_suffix("/*") {
            Some(folder) => entries(&root.join(folder)),
            None => vec![root.join(member)],
        })
        .find_map(|folder| {
            let table = manifest(&folder)?;
            let has_program = table.contains_key("bin")
                || ["src/main.rs", "src/bin"]
                    .map(|it| folder.join(it))
                    .iter()
                    .any(|it| it.exists());
            let package = table.get("package")?.get("name")?.as_str()?.to_owned();
            let program = cargo_program(&folder, &table).filter(|_| has_program)?;
            let build = format!("cargo build --release --package {}", quoted(&package));
            Some(copied(&build, &format!("target/release/{program}")))
        })
}

/// The program that `cargo run` starts, where that is said, or else the first.
fn cargo_program(folder: &Path, manifest: &toml::Table) -> Option<String> {
    let text = |table: &toml::Value, key| table.get(key)?.as_str().map(str::to_owned);
    let package = manifest.get("package");
    let said = package.and_then(|package| text(package, "default-run"));
    let listed = || text(manifest.get("bin")?.get(0)?, "name");
    let found = || {
        let others = entries(&folder.join("src/bin"));
        let other = others
            .first()
            .filter(|_| !folder.join("src/main.rs").exists());
        Some(other?.file_stem()?.to_str()?.to_owned())
    };
    let usual = || text(package?, "name");
    said.or_else(listed).or_else(found).or_else(usual)
}

/// What lies in a folder, in the order of the names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The first program of the project in the root or, where that has none, of its subdirectories.
fn cmake(root: &Path) -> Option<String> {
    let text = read(root, "CMakeLists.txt")?;
    let project = arguments(&text, "project").next().unwrap_or_default();
    let folders = arguments(&text, "add_subdirectory").filter(|folder| !folder.contains("test"));
    let folders = folders.filter_map(|folder| {
        let text = read(&root.join(folder), "CMakeLists.txt")?;
        arguments(&text, "add_executable").next()
    });
    let targets = arguments(&text, "add_executable").chain(folders);
    let target = targets.min_by_key(|name| name.to_lowercase().contains("test"))?;
    let target = target
        .replace("${PROJECT_NAME}", &project)
        .replace("${CMAKE_PROJECT_NAME}", &project);
    let build = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=\"$PWD/build/made\" && cmake --build build --parallel {jobs}";
    (!target.contains('$')).then(|| copied(build, &format!("build/made/{target}")))
}

/// The first argument of each call of this command of `CMake`.
fn arguments(text: &str, command: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().filter_map(|line| line.split('#').next());
    let code = lines.collect::<Vec<_>>().join("\n");
    let called = code.match_indices('(').filter_map(|(place, _)| {
        let before = code[..place].trim_end();
        let name = before
            .rsplit(|it: char| !it.is_alphanumeric() && it != '_')
            .next()?;
        let word = code[place + 1..]
            .split_whitespace()
            .next()?
            .split(')')
            .next()?;
        let is_it = name.eq_ignore_ascii_case(command) && !word.is_empty();
        is_it.then(|| word.trim_matches('"').to_owned())
    });
    called.collect::<Vec<_>>().into_iter()
}

fn zig(root: &Path) -> Option<String> {
    let text = read(root, "build.zig")?;
    let (_, executable) = text.split_once("addExecutable")?;
    let (_, name) = executable.split_once(".name")?;
    let name = name.split('"').nth(1)?;
    let build = "zig build -Doptimize=ReleaseFast";
    Some(copied(build, &format!("zig-out/bin/{name}")))
}

/// The package with `main`: in the root, or in a folder of `cmd`.
fn go(root: &Path) -> Option<String> {
    read(root, "go.mod")?;
    let has_main = |folder: &Path| {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|it| it == "go"))
            .filter_map(|path| fs::read_to_string(path).ok())
            .any(|text| text.lines().any(|line| line.trim() == "package main"))
    };
    if has_main(root) {
        return Some("go build -o {exe} .".to_owned());
    }
    let mut folders: Vec<_> = fs::read_dir(root.join("cmd"))
        .ok()?
        .flatten()
        .filter(|folder| has_main(&folder.path()))
        .map(|folder| folder.file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    let package = format!("./cmd/{}", folders.first()?);
    Some(format!("go build -o {{exe}} {}", quoted(&package)))
}

/// A jar runs behind a line of shell, since a zip archive may begin with other text.
fn maven(root: &Path) -> Option<String> {
    read(root, "pom.xml")?;
    Some(
        "mvn --quiet --batch-mode -DskipTests package && (printf '#!/bin/sh\\nexec java -jar \"$0\" \"$@\"\\n'; cat \"$(ls -S target/*.jar | head -n 1)\") > {exe} && chmod +x {exe}"
            .to_owned(),
    )
}

/// The project in the root, or in a folder of it.
fn dotnet(root: &Path) -> Option<String> {
    let projects = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_project = |path: &PathBuf| path.extension().is_some_and(|it| it == "csproj");
        entries
            .map(|entry| entry.path())
            .filter(is_project)
            .collect()
    };
    let mut found = projects(root);
    if found.is_empty() {
        let folders = fs::read_dir(root).into_iter().flatten().flatten();
        found = folders
            .flat_map(|folder| projects(&folder.path()))
            .collect();
    }
    let is_program = |path: &&PathBuf| {
        fs::read_to_string(path).is_ok_and(|text| text.contains("<OutputType>Exe"))
    };
    found.sort();
    let project = found.iter().find(is_program)?;
    let text = fs::read_to_string(project).ok()?;
    let named = text
        .split_once("<AssemblyName>")
        .and_then(|(_, rest)| rest.split_once('<'))
        .map(|(name, _)| name.trim().to_owned());
    let name = named.or_else(|| Some(project.file_stem()?.to_str()?.to_owned()))?;
    let path = project.strip_prefix(root).ok()?.to_str()?.to_owned();
    let build = format!(
        "dotnet publish {} -c Release --use-current-runtime --self-contained -p:PublishSingleFile=true -o made",
        quoted(&path)
    );
    Some(copied(&build, &format!("made/{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(files: &[(&str, &str)]) -> Option<String> {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        let mut lines = lines(root.path());
        assert!(lines.len() < 2, "{lines:?}");
        lines.pop()
    }

    #[test]
    fn each_kind_of_project_has_a_line() {
        for (files, part) in [
            (
                &[("Cargo.toml", "[package]\nname = 'tiny'\n")][..],
                "target/release/tiny",
            ),
            (
                &[
                    (
                        "Cargo.toml",
                        "[workspace]\nmembers = ['library', 'engine']\n",
                    ),
                    ("library/Cargo.toml", "[package]\nname = 'library'\n"),
                    ("engine/Cargo.toml", "[package]\nname = 'tiny'\n"),
                    ("engine/src/main.rs", "fn main() {}\n"),
                ],
                "--package 'tiny' && cp 'target/release/tiny' {exe}",
            ),
            (
                &[
                    ("Cargo.toml", "[workspace]\nmembers = ['crates/*']\n"),
                    ("crates/README.md", "Words.\n"),
                    ("crates/rules/Cargo.toml", "[package]\nname = 'rules'\n"),
                    ("crates/uci/Cargo.toml", "[package]\nname = 'tiny'\n"),
                    ("crates/uci/src/bin/uci.rs", "fn main() {}\n"),
                ],
                "--package 'tiny' && cp 'target/release/uci' {exe}",
            ),
            (
                &[(
                    "Cargo.toml",
                    "[package]\nname = 'a'\ndefault-run = 'tiny'\n[[bin]]\nname = 'tool'\n[[bin]]\nname = 'tiny'\n",
                )],
                "target/release/tiny",
            ),
            (
                &[(
                    "CMakeLists.txt",
                    "# add_executable(old a.cpp)\nadd_executable(unit_tests a.cpp)\nadd_executable(\n    tiny\n    a.cpp)\n",
                )],
                "cp 'build/made/tiny' {exe}",
            ),
            (
                &[(
                    "CMakeLists.txt",
                    "project(Tiny CXX)\nadd_executable(${PROJECT_NAME} main.cpp)\n",
                )],
                "cp 'build/made/Tiny' {exe}",
            ),
            (
                &[
                    (
                        "CMakeLists.txt",
                        "add_subdirectory (tests)\nadd_subdirectory(library)\nadd_subdirectory(\"engine\")\n",
                    ),
                    ("tests/CMakeLists.txt", "add_executable(tests a.cpp)\n"),
                    ("library/CMakeLists.txt", "add_library(rules a.cpp)\n"),
                    (
                        "engine/CMakeLists.txt",
                        "add_executable(tiny \"main.cpp\")\n",
                    ),
                ],
                "cp 'build/made/tiny' {exe}",
            ),
            (
                &[(
                    "build.zig",
                    "const exe = b.addExecutable(.{\n    .name = \"tiny\",\n});\n",
                )],
                "cp 'zig-out/bin/tiny' {exe}",
            ),
            (
                &[("go.mod", "module tiny\n"), ("main.go", "package main\n")],
                "go build -o {exe} .",
            ),
            (
                &[
                    ("go.mod", "module tiny\n"),
                    ("cmd/uci/main.go", "package main\n"),
                ],
                "go build -o {exe} './cmd/uci'",
            ),
            (&[("pom.xml", "<project/>\n")], "mvn "),
            (
                &[(
                    "src/Tiny.csproj",
                    "<OutputType>Exe</OutputType><AssemblyName>tiny</AssemblyName>",
                )],
                "publish 'src/Tiny.csproj'",
            ),
        ] {
            let found = line(files).unwrap_or_default();
            assert!(
                found.contains(part) && found.contains("{exe}"),
                "{part}: {found}"
            );
        }
    }

    #[test]
    fn what_makes_no_program_has_none() {
        for files in [
            &[("README.md", "words")][..],
            &[("CMakeLists.txt", "add_library(tiny a.cpp)\n")],
            &[("CMakeLists.txt", "add_executable(${NAME} a.cpp)\n")],
            &[("go.mod", "module tiny\n"), ("a.go", "package tiny\n")],
            &[("build.zig", "b.addStaticLibrary(.{ .name = \"x\" })")],
            &[("Cargo.toml", "not toml")],
            &[("a.csproj", "<OutputType>Library</OutputType>")],
        ] {
            assert_eq!(line(files), None);
        }
    }
}
