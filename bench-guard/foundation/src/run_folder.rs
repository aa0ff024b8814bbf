//! The folder of a run that can be killed at any instant and resumed.
//!
//! `plan.json` holds what was decided before the first game, and is never changed: its last member
//! is a digest of the others, and a plan that does not fit it is refused. Plans of earlier releases
//! have none. The process that plays the run holds a lock on the plan. A journal beside it
//! ([`crate::journal`]) records what has happened since. A folder appears whole or not at all.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::{Failure, digest, failure::OrUnable, files, process::command_on};

/// What is played, in each of them.
pub const PLAN: &str = "plan.json";
/// All that the tools write to the folders of their runs.
const RECORDS: [&str; 14] = [
    PLAN,
    "activity.json",
    "answers.jsonl",
    "control.json",
    "copied.json",
    "games.pgn",
    "journal.jsonl",
    "judgements.jsonl",
    "limit.json",
    "live.json",
    "pairs.jsonl",
    "positions.epd",
    "result.json",
    "verifications.jsonl",
];
/// The name of the plan's last member, and what stands before and after the digest.
const DIGEST: &str = "\"plan_sha256\"";
const BEFORE_DIGEST: &str = "\n  \"plan_sha256\": \"";
const AFTER_DIGEST: &str = "\"\n}";
/// A temporary folder is readable by its owner alone; this one becomes an ordinary one, as far as
/// the user's mask allows.
const FOLDER_MODE: u32 = 0o777;

/// A process that was killed holds its lock for a moment longer, while the system takes it apart.
const LOCK_WAIT: Duration = Duration::from_secs(1);

/// The commands that a hint names for a run of a tool.
#[derive(Debug)]
pub struct Commands {
    /// Plays on, as `sprt resume`.
    pub resume: &'static str,
    /// Only reads, as `sprt show`.
    pub show: &'static str,
    /// Lists the runs, as `sprt list`.
    pub list: &'static str,
}

/// Those of `sprt`, whose runs other tools read, too.
pub const SPRT: Commands = Commands {
    resume: "sprt resume",
    show: "sprt show",
    list: "sprt list",
};

/// A run's folder that only this process may write to, as long as the value lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    lock: Arc<File>,
    commands: &'static Commands,
}

/// Where a run's folder was when its process took it.
#[derive(Clone, Debug)]
pub struct Place {
    path: PathBuf,
    plan: Arc<File>,
    commands: &'static Commands,
}

impl RunFolder {
    /// Makes the folder of a new run, with its plan and other `files` by name and content.
    pub fn create(
        path: &Path,
        plan: &str,
        files: &[(&str, &str)],
        commands: &'static Commands,
    ) -> Result<Self, Failure> {
        let shown = path.display();
        if path.join(PLAN).exists() {
            return Err(
                Failure::unable(format!("`{shown}` holds a run already")).hint(format!(
                    "continue it with `{}`, or name another --out",
                    command_on(commands.resume, path)
                )),
            );
        }
        if fs::read_dir(path).is_ok_and(|mut files| files.next().is_some()) {
            return Err(Failure::unable(format!("`{shown}` has other files"))
                .hint("name a new folder, or an empty one, with --out"));
        }
        make(path, &sealed(plan), files)
            .map_err(|failure| failure.hint("name a folder that you may write to with --out"))?;
        Self::open(path, commands)
    }

    /// Takes the folder of an earlier run.
    pub fn open(path: &Path, commands: &'static Commands) -> Result<Self, Failure> {
        let plan = path.join(PLAN);
        let lock = File::open(&plan)
            .or_unable(format_args!("open `{}`", plan.display()))
            .map_err(|failure| failure.hint(no_run(commands)))?;
        match lock_soon(&lock) {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
                lock: Arc::new(lock),
                commands,
            }),
            Err(TryLockError::WouldBlock) => {
                let shown = path.display();
                Err(
                    Failure::unable(format!("the run in `{shown}` is being played already")).hint(
                        format!("look at it with `{}`", command_on(commands.show, path)),
                    ),
                )
            }
            Err(TryLockError::Error(error)) => Err(Failure::unable(format!(
                "failed to lock `{}`: {error}",
                plan.display()
            ))),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn place(&self) -> Place {
        Place {
            path: self.path.clone(),
            plan: Arc::clone(&self.lock),
            commands: self.commands,
        }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Gives a file beside the journal this content; it is old or new at every instant.
    pub fn write(&self, name: &str, content: &str) -> Result<(), Failure> {
        files::replace(&self.file(name), content)
    }
}

impl Place {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// # Errors
    /// The folder is not there any more: it was moved, deleted, or another has taken its place.
    pub fn check(&self) -> Result<(), Failure> {
        let Ok(own) = self.plan.metadata() else {
            return Ok(());
        };
        let is_there = match fs::metadata(self.path.join(PLAN)) {
            Ok(found) => (found.dev(), found.ino()) == (own.dev(), own.ino()),
            // Whatever else keeps a file from being looked at says nothing of where it is.
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        if is_there {
            return Ok(());
        }
        let shown = self.path.display();
        Err(if own.nlink() == 0 {
            Failure::unable(format!(
                "`{shown}` was deleted while the run was being played"
            ))
            .hint("what was played is lost with it; start a new run")
        } else {
            Failure::unable(format!(
                "`{shown}` was moved while the run was being played"
            ))
            .hint(format!(
                "continue with `{}` and its new path",
                self.commands.resume
            ))
        })
    }
}

/// The plan of a run, which may be being played.
pub fn read_plan(path: &Path, commands: &Commands) -> Result<String, Failure> {
    let plan = path.join(PLAN);
    let text = fs::read_to_string(&plan)
        .or_unable(format_args!("read `{}`", plan.display()))
        .map_err(|failure| failure.hint(no_run(commands)))?;
    unsealed(&text).ok_or_else(|| {
        Failure::unable(format!(
            "`{}` was changed since the run began: it does not fit the digest in its last member",
            plan.display()
        ))
        .hint("restore it from a copy, or start a new run; pairs of two plans cannot be counted together")
    })
}

/// Fails where a file to be written is what a run itself writes to its folder.
pub fn refuse_record(file: &Path) -> Result<(), Failure> {
    let found = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let is_named_so = RECORDS.iter().any(|name| found.ends_with(name));
    let plan = fs::read_to_string(found.with_file_name(PLAN));
    // Other programs have plans, too.
    if !is_named_so || !plan.is_ok_and(|plan| plan.contains(DIGEST)) {
        return Ok(());
    }
    let shown = file.display();
    Err(
        Failure::unable(format!("`{shown}` is a part of the record of a run"))
            .hint("name another file to write to"),
    )
}

/// Writes what was asked for to the file that was named for it.
pub fn write_output(file: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    refuse_record(file)?;
    files::replace(file, content)
}

/// A JSON object with a digest of its other members as its last.
fn sealed(plan: &str) -> String {
    let Some(members) = plan.trim_end().strip_suffix('}') else {
        return plan.to_owned();
    };
    let members = members.trim_end();
    let comma = if members.ends_with('{') { "" } else { "," };
    let members = format!("{members}{comma}");
    let digest = digest::of_bytes(members.as_bytes());
    format!("{members}{BEFORE_DIGEST}{digest}{AFTER_DIGEST}")
}

/// The object without its digest, if that fits or there is none.
fn unsealed(text: &str) -> Option<String> {
    if !text.contains(DIGEST) {
        return Some(text.to_owned());
    }
    let (members, end) = text.trim_end().split_once(BEFORE_DIGEST)?;
    let digest = end.strip_suffix(AFTER_DIGEST)?;
    let is_right = digest == digest::of_bytes(members.as_bytes());
    is_right.then(|| format!("{}\n}}", members.strip_suffix(',').unwrap_or(members)))
}

/// Whether some process is playing the run.
pub fn is_being_played(path: &Path) -> bool {
    File::open(path.join(PLAN))
        .is_ok_and(|plan| matches!(plan.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn lock_soon(file: &File) -> Result<(), TryLockError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_WAIT => {
                thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

fn no_run(commands: &Commands) -> String {
    format!(
        "expected the folder of a run; `{}` lists them",
        commands.list
    )
}

fn make(path: &Path, plan: &str, files: &[(&str, &str)]) -> Result<(), Failure> {
    let parent = files::folder(path);
    fs::create_dir_all(parent)
        .or_unable(format_args!("create the folder `{}`", parent.display()))?;
    let making = tempfile::Builder::new()
        .prefix(".run-")
        .permissions(Permissions::from_mode(FOLDER_MODE))
        .tempdir_in(parent)
        .or_unable(format_args!("create a folder in `{}`", parent.display()))?;
    for (name, content) in files.iter().chain([&(PLAN, plan)]) {
        let file = making.path().join(name);
        fs::write(&file, content).or_unable(format_args!("write `{}`", file.display()))?;
    }
    // The rename takes the place of an empty folder, and of no other.
    fs::rename(making.path(), path)
        .or_unable(format_args!("create the run folder `{}`", path.display()))?;
    // Renamed away: there is nothing left to clean up.
    let _ = making.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_belongs_to_one_process_and_is_made_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs/first");
        let run = RunFolder::create(&path, "{}", &[("pairs.jsonl", "")], &SPRT).expect("a run");
        assert_eq!(read_plan(&path, &SPRT).as_deref(), Ok("{\n}"));
        assert!(run.file("pairs.jsonl").is_file() && is_being_played(&path));

        let taken = RunFolder::open(&path, &SPRT).expect_err("locked");
        assert!(taken.to_string().contains("`sprt show"), "{taken}");
        drop(run);
        assert!(!is_being_played(&path));
        drop(RunFolder::open(&path, &SPRT).expect("free"));

        let there = RunFolder::create(&path, "{}", &[], &SPRT).expect_err("a run is there");
        assert!(there.to_string().contains("`sprt resume"), "{there}");
    }

    #[test]
    fn a_folder_that_was_moved_or_deleted_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, moved] = ["run", "moved"].map(|name| folder.path().join(name));
        let run = RunFolder::create(&path, "{}", &[], &SPRT).expect("a run");
        assert_eq!(run.place().check(), Ok(()));
        fs::rename(&path, &moved).expect("moved");
        let hint = |run: &RunFolder| run.place().check().expect_err("not there").to_string();
        let expected = "continue with `sprt resume` and its new path";
        assert!(hint(&run).contains(expected), "{}", hint(&run));
        fs::create_dir(&path).expect("a folder");
        fs::write(path.join(PLAN), "{}").expect("another run");
        assert!(hint(&run).contains("was moved"), "{}", hint(&run));
        fs::remove_dir_all(&moved).expect("deleted");
        assert!(hint(&run).contains("start a new run"), "{}", hint(&run));
    }

    #[test]
    fn a_plan_that_was_changed_is_refused_and_one_without_a_digest_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let plan = "{\n  \"seed\": 1,\n  \"hash\": 16\n}";
        drop(RunFolder::create(&path, plan, &[], &SPRT).expect("a run"));
        assert_eq!(read_plan(&path, &SPRT).as_deref(), Ok(plan));

        let written = fs::read(path.join(PLAN)).expect("a plan");
        let name = written
            .windows(DIGEST.len())
            .position(|it| it == DIGEST.as_bytes());
        let name = name.expect("a digest");
        for place in (0..written.len()).filter(|place| !(name..name + DIGEST.len()).contains(place))
        {
            let mut changed = written.clone();
            changed[place] ^= 1;
            fs::write(path.join(PLAN), &changed).expect("a file");
            assert!(read_plan(&path, &SPRT).is_err(), "byte {place}");
        }
        let older = "{\"seed\":1}\n";
        fs::write(path.join(PLAN), older).expect("a file");
        assert_eq!(read_plan(&path, &SPRT).as_deref(), Ok(older));
    }

    #[test]
    fn output_is_not_written_over_a_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let files = [("pairs.jsonl", "")];
        drop(RunFolder::create(&path, "{}", &files, &SPRT).expect("a run"));
        for name in ["pairs.jsonl", PLAN] {
            let failure = write_output(&path.join(name), "").expect_err("a record");
            assert!(
                failure.message().contains("part of the record"),
                "{failure}"
            );
        }
        write_output(&path.join("report.html"), "").expect("no record");
    }

    #[test]
    fn opening_a_run_waits_for_a_process_that_is_just_ending() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let run = RunFolder::create(&path, "{}", &[], &SPRT).expect("a run");
        let dying = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            drop(run);
        });
        RunFolder::open(&path, &SPRT).expect("free in a moment");
        dying.join().expect("no panic");
    }

    #[test]
    fn what_is_no_run_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("notes"), "mine").expect("a file");
        let failure = RunFolder::create(folder.path(), "{}", &[], &SPRT).expect_err("in use");
        assert!(failure.message().ends_with("has other files"), "{failure}");
        assert!(
            failure.to_string().contains("an empty one, with --out"),
            "{failure}"
        );
        assert!(RunFolder::open(folder.path(), &SPRT).is_err());
        assert!(!is_being_played(folder.path()));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);

        let empty = folder.path().join("empty");
        fs::create_dir(&empty).expect("a folder");
        RunFolder::create(&empty, "{}", &[], &SPRT).expect("an empty folder serves");
    }
}
