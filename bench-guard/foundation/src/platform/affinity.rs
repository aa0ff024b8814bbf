//! Which processors a thread may run on. Only Linux lets a thread choose them; elsewhere slots run
//! where the system puts them.

#[cfg(target_os = "linux")]
mod system {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    /// The id that means the calling thread, and whatever it starts.
    const SELF: Pid = Pid::from_raw(0);

    /// Binds the calling thread to processors; dropping it undoes that.
    pub struct Binding {
        before: CpuSet,
    }

    impl Binding {
        pub fn to(processors: &[usize]) -> Option<Self> {
            let before = sched_getaffinity(SELF).ok()?;
            let mut these = CpuSet::new();
            for processor in processors {
                these.set(*processor).ok()?;
            }
            sched_setaffinity(SELF, &these).ok()?;
            Some(Self { before })
        }
    }

    impl Drop for Binding {
        fn drop(&mut self) {
            let _ = sched_setaffinity(SELF, &self.before);
        }
    }

    /// The numbers of the processors that this thread may run on.
    pub fn allowed() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(SELF) else {
            return Vec::new();
        };
        (0..CpuSet::count())
            .filter(|&number| set.is_set(number).unwrap_or(false))
            .collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub struct Binding;

    impl Binding {
        pub fn to(_: &[usize]) -> Option<Self> {
            None
        }
    }

    pub fn allowed() -> Vec<usize> {
        Vec::new()
    }
}

pub use system::{Binding, allowed};
