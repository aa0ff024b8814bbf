//! What Linux shows of processes and processors in files. Elsewhere these files are missing and nothing is known.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::fd::AsRawFd;

/// The folder that describes the processors.
pub const PROCESSORS: &str = "/sys/devices/system/cpu";

/// The words of the command line of a process.
pub fn command_line(process: u32) -> Option<Vec<String>> {
    let line = fs::read(format!("/proc/{process}/cmdline")).ok()?;
    let words = line.split(|byte| *byte == 0);
    let words = words.map(|word| String::from_utf8_lossy(word).into_owned());
    Some(words.collect())
}

/// The parent of a process.
pub fn parent(process: u32) -> Option<u32> {
    status(process, "PPid:")?.parse().ok()
}

/// The children of a process.
pub fn children(of: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| {
            let number = process.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
            // The name stands in parentheses and may hold anything; state and parent follow.
            let (_, after_name) = stat.rsplit_once(')')?;
            let parent: u32 = after_name.split_ascii_whitespace().nth(1)?.parse().ok()?;
            (parent == of).then_some(number)
        })
        .collect()
}

/// Bytes that the first child of a process has in memory.
pub fn memory_of_child(process: u32) -> Option<u64> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let child = children.ok()?.split_whitespace().next()?.parse().ok()?;
    let size = status(child, "VmRSS:")?;
    let kibibytes: u64 = size.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

fn status(process: u32, key: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(key))?;
    Some(value.trim().to_owned())
}

/// A second handle of a pipe that shares nothing with the first: a duplicate would share its non-blocking mode.
pub fn blocking_handle(pipe: &impl AsRawFd) -> Option<File> {
    File::open(format!("/proc/self/fd/{}", pipe.as_raw_fd())).ok()
}

/// How long each processor of the machine has been busy since the machine was started, in ticks, with whatever process.
pub fn busy_ticks() -> BTreeMap<usize, u64> {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    text.lines().filter_map(busy_ticks_of).collect()
}

/// `cpu3 user nice system idle iowait irq softirq steal …`: all but idle and iowait.
fn busy_ticks_of(line: &str) -> Option<(usize, u64)> {
    let (name, fields) = line.split_once(' ')?;
    let number = name.strip_prefix("cpu")?.parse().ok()?;
    let fields = fields.split_whitespace().take(8).enumerate();
    let busy = fields.filter(|(place, _)| !matches!(place, 3 | 4));
    let ticks = busy.filter_map(|(_, ticks)| ticks.parse::<u64>().ok());
    Some((number, ticks.sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_busy_with_all_but_waiting() {
        let line = "cpu12 10 20 30 4000 500 6 7 8 9 10";
        assert_eq!(busy_ticks_of(line), Some((12, 81)));
        assert_eq!(busy_ticks_of("cpu  1 2 3 4"), None);
        assert_eq!(busy_ticks_of("intr 1 2"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_known_by_its_parent_its_words_and_its_children() {
        let itself = std::process::id();
        assert_eq!(parent(itself), Some(std::os::unix::process::parent_id()));
        let words = command_line(itself).expect("a command line");
        assert_eq!(words.first(), std::env::args().next().as_ref());
        let mut sleep = std::process::Command::new("sleep");
        let mut child = sleep.arg("1000").spawn().expect("sleep starts");
        assert!(children(itself).contains(&child.id()));
        child.kill().expect("killed");
        child.wait().expect("ended");
        assert!(!children(itself).contains(&child.id()));
    }
}
