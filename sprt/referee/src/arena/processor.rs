//! Gives a slot processors, and a runtime, of its own.
//!
//! A runner and its two engines take turns: one waits while another works. A slot with a runtime of
//! its own reads and writes on the thread that waits, whereas one runtime for all slots has to wake
//! another thread. And handing over on one processor costs a fraction of what it costs to wake
//! another processor. CPU time of the runner per ply, scripted engine at one node a move, one slot,
//! two rounds on a busy machine:
//!
//! | runtime | bound to a processor | us a ply |
//! |---|---|---|
//! | one a slot | yes | 7.3, 9.0 |
//! | one a slot | no | 9.6, 12.0 |
//! | one for all | no | 14.1, 18.2 |
//!
//! Unless they are asked to be, slots are only bound where no clock runs, for there a busy
//! processor would cost an engine time it is charged for. All runs of a machine keep off each
//! other's processors, also those of other users, by locks on files in a folder that all may read;
//! a lock goes with its process, however that ends. Locks do not show what plays in a container
//! with a folder of its own, so of the cores that are free by the locks the least busy one is
//! taken.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use foundation::platform::{affinity::Binding, tables};
use foundation::{Failure, failure::OrUnable, folders, variables};

use super::placement::Placement;
use super::topology::Topology;

/// Folders that all users of a machine may write to.
const SHARED: [&str; 2] = ["/run/lock", "/tmp"];
/// A process that chooses a processor holds the lock for less time than this, unless it has died.
const GATE_WAIT: Duration = Duration::from_secs(1);
/// How long the load of the processors is watched.
const WATCHED: Duration = Duration::from_millis(30);

/// Processors that the thread which took them is bound to; dropping them sets the thread free.
pub(super) struct Processors {
    _binding: Binding,
    _locks: Vec<File>,
}

impl Processors {
    /// Binds this thread, and the processes that it starts from now on, to so many of the `allowed`
    /// processors that no other slot has. `None` where too few are left, or there is no such thing on
    /// this system.
    pub(super) fn take(count: usize, allowed: &BTreeSet<usize>) -> Option<Self> {
        let load = load();
        let folder = lock_folder();
        // One at a time, so that no process sees a lock that another only tries.
        let gate = open(&folder, "gate")?;
        lock_soon(&gate)?;
        let topology = Topology::read(Path::new(tables::PROCESSORS), &present(allowed));
        let taken = topology.processors().filter(|&number| {
            let lock = open(&folder, &number.to_string());
            lock.is_some_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
        });
        let mut taken: BTreeSet<usize> = taken.collect();
        let busy = |number: usize| load.get(&number).copied().unwrap_or(0);
        let mut numbers = Vec::with_capacity(count);
        let mut locks = Vec::with_capacity(count);
        for _ in 0..count {
            let number = topology.choose(allowed, &taken, busy)?;
            let lock = open(&folder, &number.to_string())?;
            lock.try_lock().ok()?;
            taken.insert(number);
            numbers.push(number);
            locks.push(lock);
        }
        Some(Self {
            _binding: Binding::to(&numbers)?,
            _locks: locks,
        })
    }

    /// Binds this thread to all of these processors, which others may use too.
    fn share(these: &BTreeSet<usize>) -> Option<Self> {
        let numbers: Vec<usize> = these.iter().copied().collect();
        Some(Self {
            _binding: Binding::to(&numbers)?,
            _locks: Vec::new(),
        })
    }
}

/// All processors of the machine, also those that this process may not use.
fn present(allowed: &BTreeSet<usize>) -> Vec<usize> {
    let entries = fs::read_dir(tables::PROCESSORS)
        .into_iter()
        .flatten()
        .flatten();
    let numbers = entries.filter_map(|entry| {
        let name = entry.file_name();
        name.to_str()?.strip_prefix("cpu")?.parse().ok()
    });
    let all: BTreeSet<usize> = numbers.chain(allowed.iter().copied()).collect();
    all.into_iter().collect()
}

/// Where the locks are: a folder that is named, or else one that all users share.
fn lock_folder() -> PathBuf {
    if let Some(named) = folders::named(variables::LOCKS) {
        return named;
    }
    let shared = SHARED.map(PathBuf::from);
    let is_writable =
        |folder: &&PathBuf| nix::unistd::access(*folder, nix::unistd::AccessFlags::W_OK).is_ok();
    let found = shared.iter().find(is_writable).cloned();
    found.unwrap_or_else(std::env::temp_dir)
}

/// Makes sure that locks can be taken in the folder that was named, if one was. Without them all
/// slots would share all processors, and nobody would know why.
///
/// # Errors
/// There is no such folder and it cannot be made, or it cannot be written to.
pub(crate) fn check_locks() -> Result<(), Failure> {
    folders::named(variables::LOCKS).map_or(Ok(()), |named| check_lock_folder(&named))
}

fn check_lock_folder(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    let hint = format!(
        "{} names the folder of the locks on processors; name one that you may write to, or unset it",
        variables::LOCKS
    );
    fs::create_dir_all(folder)
        .or_unable(format_args!("create the folder `{shown}`"))
        .map_err(|failure| failure.hint(&hint))?;
    match open(folder, "gate") {
        Some(_) => Ok(()),
        None => Err(Failure::unable(format!("cannot create a lock in `{shown}`")).hint(hint)),
    }
}

/// The file of a lock. A file of another user can be locked by whoever can read it, but systems
/// refuse to create it again.
fn open(folder: &Path, name: &str) -> Option<File> {
    let path = folder.join(format!("whetstone-processor-{name}"));
    let create = || {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o644).open(&path)
    };
    // Another may have created it in between.
    File::open(&path)
        .or_else(|_| create())
        .or_else(|_| File::open(&path))
        .ok()
}

fn lock_soon(file: &File) -> Option<()> {
    let started = Instant::now();
    while started.elapsed() < GATE_WAIT {
        match file.try_lock() {
            Ok(()) => return Some(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}

/// How busy each processor of the machine has been, in ticks, whoever kept it busy. It is watched
/// once: later this process is what keeps them busy.
fn load() -> &'static BTreeMap<usize, u64> {
    static LOAD: OnceLock<BTreeMap<usize, u64>> = OnceLock::new();
    LOAD.get_or_init(|| {
        let before = tables::busy_ticks();
        std::thread::sleep(WATCHED);
        let after = tables::busy_ticks().into_iter();
        let spent = |(number, ticks): (usize, u64)| {
            let earlier = before.get(&number).copied().unwrap_or(ticks);
            (number, ticks.saturating_sub(earlier))
        };
        after.map(spent).collect()
    })
}

/// Runs a slot on this thread with a runtime of its own, and on processors of its own where some
/// are wanted and free; else on those of a list, if there is one.
///
/// # Errors
/// The system gives no runtime.
pub(crate) fn run_slot<F: Future>(placement: &Placement, slot: F) -> Result<F::Output, Failure> {
    let allowed = placement.allowed();
    let own = match placement.own {
        0 => None,
        count => Processors::take(count, &allowed),
    };
    let is_listed = placement.among.is_some();
    let _processors = own.or_else(|| is_listed.then(|| Processors::share(&allowed)).flatten());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .or_unable("start the runtime of a slot")?;
    Ok(runtime.block_on(slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foundation::platform::affinity;

    #[test]
    fn a_thread_is_bound_while_it_has_a_processor_and_free_again_after() {
        let before = affinity::allowed();
        // Another run on this machine may have all of them.
        let all: BTreeSet<usize> = before.iter().copied().collect();
        for count in [1, 2] {
            if let Some(processors) = Processors::take(count, &all) {
                assert_eq!(affinity::allowed().len(), count);
                drop(processors);
            }
        }
        assert_eq!(affinity::allowed(), before);
    }

    #[test]
    fn a_slot_stays_on_the_processors_of_its_list() {
        let all = affinity::allowed();
        // Whether or not another run on this machine has the processor for itself.
        for own in [0, 1] {
            for &number in &all {
                let placement = Placement {
                    own,
                    among: number.to_string().parse().ok(),
                };
                let used = run_slot(&placement, async { affinity::allowed() });
                assert_eq!(used, Ok(vec![number]), "own {own}");
            }
        }
        assert_eq!(affinity::allowed(), all);
    }

    #[test]
    fn a_missing_lock_folder_is_made_and_a_hint_says_how_to_choose_another() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("not/yet");
        check_lock_folder(&folder).expect("made");
        assert!(open(&folder, "0").is_some());
        let file = place.path().join("file");
        fs::write(&file, "").expect("a file");
        let failure = check_lock_folder(&file).expect_err("no folder");
        let hint = failure.next_step().unwrap_or_default();
        assert!(hint.contains("WHETSTONE_LOCKS"), "{failure}");
    }

    #[test]
    fn the_lock_file_of_another_user_is_opened_to_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = open(folder.path(), "0").expect("created");
        first.try_lock().expect("locked");
        let second = open(folder.path(), "0").expect("opened");
        assert!(matches!(second.try_lock(), Err(TryLockError::WouldBlock)));
        drop(first);
        assert!(second.try_lock().is_ok());
    }
}
