//! Installs and removes git hooks alongside existing ones.
//!
//! A hook of somebody else is kept under another name and run first, with the same arguments and
//! the same stdin; if it refuses, so does git. The folder is the one git uses: shared by linked
//! worktrees, inside the parent for submodules, and the one `core.hooksPath` names. The pre-commit
//! framework can be installed before or after: each side runs the hook it finds.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::project::Project;
use crate::{build, repository::Repository};
use foundation::{
    Exit, Failure, Printer,
    failure::OrUnable,
    files,
    process::{self, quoted},
};

const NAMES: [&str; 3] = ["prepare-commit-msg", "commit-msg", "pre-push"];

/// This line marks our own scripts, of any version.
const MARK: &str = "# Installed by bench-guard; `bench-guard uninstall` removes it.";

#[derive(clap::Args, Debug)]
pub(crate) struct InstallArgs {
    /// Install without a test build
    #[arg(long)]
    no_build: bool,
}

/// Installs all hooks; our own existing ones are rewritten.
pub(crate) fn run(args: &InstallArgs, printer: Printer) -> Result<Exit, Failure> {
    let project = Project::open()?;
    project.repository.require_work_tree()?;
    if !args.no_build {
        try_to_build(&project, printer)?;
    }
    install_in(&project.repository, printer)?;
    Ok(Exit::Yes)
}

/// If nothing can be built, hooks would refuse every commit.
fn try_to_build(project: &Project, printer: Printer) -> Result<(), Failure> {
    let revision = project.repository.resolve(".")?;
    let settings = project.build_settings(&revision)?;
    let progress = |text: &str| printer.note(text);
    build::build(&project.repository, &revision, &settings, &progress)
        .map(drop)
        .map_err(|failure| {
            let first = failure.next_step().map(|hint| format!("{hint}\nhint: "));
            let hint = first.unwrap_or_default();
            failure.context("no hook was installed").hint(format!(
                "{hint}`bench-guard init` finds out how the engine is built, `--no-build` installs without a test build"
            ))
        })
}

/// The folder of the repository's own hooks, which its linked worktrees share: a relative one would lie
/// in each of them.
fn own_hooks(repository: &Repository) -> Result<String, Failure> {
    let common = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
    Ok(format!("{}/hooks", repository.git().text(&common)?))
}

/// Installs all hooks in the folder that git uses for this repository.
pub(super) fn install_in(repository: &Repository, printer: Printer) -> Result<(), Failure> {
    let hooks_path = |arguments: &[&str]| {
        let command = [&["config"], arguments, &["--get", "core.hooksPath"]].concat();
        repository.git().text(&command).unwrap_or_default()
    };
    // An older git does not tell the scope.
    let scope = hooks_path(&["--show-scope"]);
    if scope.starts_with("global") || scope.starts_with("system") {
        return Err(Failure::unable(format!(
            "core.hooksPath is set for all repositories, so hooks there would check the commits of each: {}",
            hooks_path(&[])
        ))
        .hint(format!(
            "`git config core.hooksPath {}` gives this repository its own, or leave the check to CI",
            process::word(&own_hooks(repository)?)
        )));
    }
    let folder = folder(repository)?;
    if ["h", "husky.sh"]
        .iter()
        .any(|own| folder.join(own).is_file())
    {
        return Err(Failure::unable(format!(
            "the hooks in `{}` are husky's, which find out by their names what to run, and are written anew at each \
             installation",
            folder.display()
        ))
        .hint(format!(
            "add a line to `.husky/NAME`, for NAME of {}: `bench-guard hook NAME \"$@\"`",
            NAMES.join(", ")
        )));
    }
    fs::create_dir_all(&folder).or_unable(format_args!("create `{}`", folder.display()))?;
    let program = std::env::current_exe().or_unable("find the path of bench-guard")?;
    for name in NAMES {
        let hook = folder.join(name);
        let previous = previous(&hook);
        if fs::symlink_metadata(&hook).is_ok() && !is_ours(&hook) {
            if fs::symlink_metadata(&previous).is_ok() {
                return Err(Failure::unable(format!(
                    "`{}` and `{}` both exist, and neither was installed by bench-guard",
                    hook.display(),
                    previous.display()
                ))
                .hint("remove one of them"));
            }
            fs::rename(&hook, &previous)
                .or_unable(format_args!("move `{}` aside", hook.display()))?;
            printer.note(&format!(
                "kept the {name} hook that was there; it runs first"
            ));
        }
        // The old script may be running: it is replaced, not overwritten.
        files::replace_with_mode(&hook, script(name, &program), 0o755)
            .or_unable(format_args!("write the hook `{}`", hook.display()))?;
    }
    printer.result(&format!(
        "installed {} in {}",
        NAMES.join(", "),
        folder.display()
    ));
    let configured = hooks_path(&["--type=path"]);
    if !configured.is_empty() && Path::new(&configured).is_relative() {
        printer.note(&format!(
            "core.hooksPath is `{configured}`: each worktree has its own such folder, install in each"
        ));
    }
    Ok(())
}

/// Removes our hooks and puts back what was there before; nothing to do is fine.
pub(crate) fn uninstall(printer: Printer) -> Result<Exit, Failure> {
    uninstall_in(&Project::open()?.repository, printer)?;
    Ok(Exit::Yes)
}

fn uninstall_in(repository: &Repository, printer: Printer) -> Result<(), Failure> {
    let folder = folder(repository)?;
    let mut removed = Vec::new();
    for name in NAMES {
        let first = folder.join(name);
        let moved = folder.join(format!("{name}.legacy"));
        let Some(hook) = [&first, &moved].into_iter().find(|hook| is_ours(hook)) else {
            continue;
        };
        let previous = previous(&first);
        let result = if fs::symlink_metadata(&previous).is_ok() {
            fs::rename(&previous, hook)
        } else {
            fs::remove_file(hook)
        };
        result.or_unable(format_args!("remove the hook `{}`", hook.display()))?;
        removed.push(name);
    }
    printer.result(&if removed.is_empty() {
        format!("no hook of bench-guard in {}", folder.display())
    } else {
        format!("removed {} from {}", removed.join(", "), folder.display())
    });
    Ok(())
}

fn folder(repository: &Repository) -> Result<PathBuf, Failure> {
    let path = repository
        .git()
        .text(&["rev-parse", "--git-path", "hooks"])?;
    Ok(repository.root().join(path))
}

fn previous(hook: &Path) -> PathBuf {
    let mut name = hook.as_os_str().to_owned();
    name.push(".before-bench-guard");
    PathBuf::from(name)
}

fn is_ours(hook: &Path) -> bool {
    fs::read(hook).is_ok_and(|bytes| {
        String::from_utf8_lossy(&bytes)
            .lines()
            .any(|line| line == MARK)
    })
}

/// The hook: the previous one, then ours; a machine without bench-guard can still commit.
fn script(name: &str, program: &Path) -> String {
    let program = quoted(&program.to_string_lossy());
    // Only pre-push reads stdin, and two hooks have to read it.
    let (keep, give) = if name == "pre-push" {
        (
            "input=$(cat)\n",
            "{ [ -z \"$input\" ] || printf '%s\\n' \"$input\"; } | ",
        )
    } else {
        ("", "")
    };
    format!(
        r#"#!/bin/sh
{MARK}
{keep}previous="${{0%.legacy}}.before-bench-guard"
# The pre-commit framework, installed again, runs this as NAME.legacy, and refuses to be run by it.
case $0 in
*.legacy) if grep -qs 'generated by pre-commit' "$previous"; then previous=; fi ;;
esac
if [ -x "$previous" ]; then
    {give}"$previous" "$@" || exit $?
fi
program={program}
[ -x "$program" ] || program=$(command -v bench-guard) || {{
    echo "bench-guard is not installed here: the bench is not checked" >&2
    exit 0
}}
{give}"$program" hook {name} "$@"
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::tests::git;

    #[test]
    fn hooks_are_installed_once_and_what_was_there_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        git(folder.path(), &["init", "-q"]);
        let hook = folder.path().join(".git/hooks/commit-msg");
        fs::create_dir_all(hook.parent().expect("a folder")).expect("a folder");
        fs::write(&hook, "#!/bin/sh\nexit 0\n").expect("a hook");
        let repository = Repository::discover(folder.path()).expect("opens");
        let printer = Printer::new(foundation::printer::OutputArgs {
            quiet: true,
            ..Default::default()
        });
        for _ in 0..2 {
            install_in(&repository, printer).expect("installs");
            assert!(is_ours(&hook) && previous(&hook).exists());
        }
        for _ in 0..2 {
            uninstall_in(&repository, printer).expect("uninstalls");
            assert_eq!(
                fs::read_to_string(&hook).ok().as_deref(),
                Some("#!/bin/sh\nexit 0\n")
            );
            assert!(!previous(&hook).exists());
            assert!(!folder.path().join(".git/hooks/pre-push").exists());
        }
    }
}
