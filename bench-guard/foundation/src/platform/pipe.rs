//! How much a pipe holds before who writes into it must wait.

use std::os::fd::AsFd;

/// As much as Linux grants without a privilege.
#[cfg(target_os = "linux")]
const LARGEST: i32 = 1 << 20;

/// Lets a pipe hold a megabyte, if the system does; usual are 64 kB.
#[cfg(target_os = "linux")]
pub fn enlarge(pipe: &impl AsFd) {
    // Without it who writes waits more often, nothing else.
    let _ = nix::fcntl::fcntl(pipe, nix::fcntl::FcntlArg::F_SETPIPE_SZ(LARGEST));
}

#[cfg(not(target_os = "linux"))]
pub fn enlarge(_pipe: &impl AsFd) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use nix::fcntl::{FcntlArg, fcntl};

    use super::*;

    #[test]
    fn a_large_pipe_holds_a_megabyte() {
        let (reader, _writer) = std::io::pipe().expect("a pipe");
        enlarge(&reader);
        assert_eq!(fcntl(&reader, FcntlArg::F_GETPIPE_SZ), Ok(LARGEST));
    }
}
