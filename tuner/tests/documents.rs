//! What the documents tell their readers to type exists, and what they link to is there.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All documents but the changelog, which describes the past.
fn documents() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", ".github/CONTRIBUTING.md"]
        .iter()
        .map(|name| root().join(name))
        .collect();
    for tool in ["bench-guard", "engine", "sprt", "tuner"] {
        paths.push(root().join(tool).join("README.md"));
    }
    let mut pending = vec![root().join("docs")];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                paths.push(path);
            }
        }
    }
    paths.retain(|path| !path.ends_with("CHANGELOG.md"));
    let read = |path: PathBuf| {
        let text =
            fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        (path.to_string_lossy().into_owned(), text)
    };
    paths.into_iter().map(read).collect()
}

/// Lines of blocks, and code within the text.
fn pieces(text: &str) -> Vec<String> {
    let (mut pieces, mut in_block, mut prose) = (Vec::new(), false, String::new());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            let line = line.trim().trim_start_matches("$ ");
            pieces.push(line.split(" #").next().unwrap_or_default().to_owned());
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    let code = prose.split('`').skip(1).step_by(2);
    pieces.extend(code.map(|code| code.replace('\n', " ")));
    pieces
}

/// What is wrong with a line, if it calls one of the tools.
fn complaint(line: &str) -> Option<String> {
    // Alternatives and omissions are no command lines.
    if line.contains(['|', '…', '[', '<', '{']) || line.contains("...") {
        return None;
    }
    let line = line.split([';', '&', '>']).next()?.trim();
    let mut words = line.split_whitespace().peekable();
    let tool = words.next()?;
    let mut command = match tool {
        "bench-guard" => bench_guard::cli::Cli::command(),
        "sprt" => sprt::cli::Cli::command(),
        "tuner" => tuner::cli::Cli::command(),
        _ => return None,
    };
    // Sentences and lines of output begin with these words, too.
    let first = *words.peek()?;
    let is_word = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let mut globals = names(&command);
    if tool == "sprt" && !first.starts_with('-') && command.find_subcommand(first).is_none() {
        command = command.find_subcommand("run")?.clone();
    } else {
        while let Some(next) = words.peek().filter(|word| is_word(word)) {
            let Some(inner) = command.find_subcommand(next).cloned() else {
                // `sprt suite BASE NEW` has commands, and does without.
                if !command.is_subcommand_required_set() || next.starts_with('-') {
                    break;
                }
                return Some(format!(
                    "`{line}`: `{}` has no `{next}`",
                    command.get_name()
                ));
            };
            globals.extend(names(&inner));
            command = inner;
            words.next();
        }
    }
    globals.extend(names(&command));
    globals.extend(["help", "version"].map(str::to_owned));
    let flags = words.filter_map(|word| word.strip_prefix("--"));
    let unknown = flags
        .map(|flag| flag.split('=').next().unwrap_or_default())
        .map(|flag| flag.trim_end_matches(['.', ',', ':']))
        .find(|flag| !flag.is_empty() && !globals.iter().any(|known| known == flag))?;
    Some(format!("`{line}`: no flag `--{unknown}`"))
}

fn names(command: &Command) -> Vec<String> {
    let flags = command.get_arguments().filter_map(|arg| arg.get_long());
    flags.map(str::to_owned).collect()
}

#[test]
fn commands_in_the_documents_have_the_flags_that_they_are_given() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, text) in documents() {
        for piece in pieces(&text) {
            count += usize::from(piece.starts_with("sprt ") || piece.starts_with("tuner "));
            wrong.extend(complaint(&piece).map(|complaint| format!("{path}: {complaint}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 50, "only {count} commands were found");
}

#[test]
fn a_wrong_command_is_found() {
    for (line, said) in [
        ("sprt HEAD . --notes 5", "no flag `--notes`"),
        ("tuner spas params.toml", "`tuner` has no `spas`"),
        ("sprt openbench submit match", "has no `match`"),
        ("bench-guard check --fresh --strikt", "no flag `--strikt`"),
    ] {
        assert!(
            complaint(line).is_some_and(|text| text.contains(said)),
            "{line}"
        );
    }
    for line in [
        "sprt HEAD~1 HEAD",
        "sprt openbench submit test --bounds 0,5 -v --color never",
        "cargo test --nothing",
    ] {
        assert_eq!(complaint(line), None);
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    for (path, text) in documents() {
        let folder = Path::new(&path).parent().expect("a folder").to_owned();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.contains("://") || link.starts_with("mailto:") || link.contains(' ') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                PathBuf::from(&path)
            } else {
                folder.join(file)
            };
            let has_anchor = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                let heads = text.lines().filter(|line| line.starts_with('#'));
                anchor.is_empty() || heads.map(slug).any(|slug| slug == anchor)
            };
            if !target.exists() || !has_anchor() {
                wrong.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
