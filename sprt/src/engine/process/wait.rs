//! Waiting for an engine on a thread that has nothing else to do.
//!
//! The runtime's way to a line is long: its timer, its poller, a wake-up and the way back through
//! all that waits. While a game waits for one engine it is enough to ask the system, which is one
//! call to wait and one to read. The runtime is let in every now and then, and whenever the engine
//! says something on stderr, for that is read there.

use std::os::fd::AsFd as _;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::{read, write};
use tokio::time::Instant;

use super::{Broken, Process, within};

/// How long the runtime is kept out at most.
const SLICE: Duration = Duration::from_millis(100);

/// What came of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// There may be more in the buffer.
    Read,
    /// It is the runtime's turn.
    Elsewhere,
}

impl Process {
    /// [`Process::send`] without the runtime, as far as the pipe takes it at once.
    pub async fn send_within(&mut self, text: &str, timeout: Duration) -> Result<(), Broken> {
        let input = self.input.as_ref().ok_or(Broken::Closed)?;
        let written = match write(input, text.as_bytes()) {
            Ok(written) => written,
            Err(Errno::EAGAIN | Errno::EINTR) => 0,
            Err(_) => return Err(Broken::Closed),
        };
        if written == text.len() {
            return Ok(());
        }
        // What makes an engine search is ASCII, so the rest begins with a whole letter.
        let rest = text.get(written..).ok_or(Broken::Closed)?;
        within(Instant::now() + timeout, self.send(rest)).await
    }

    /// Waits until the engine says something, and reads it. That `other` says something unasked is
    /// noted there.
    ///
    /// # Errors
    /// It said nothing until the deadline, or its output has ended.
    pub fn wait(&mut self, deadline: Instant, other: &mut Self) -> Result<Waited, Broken> {
        let now = Instant::now();
        let left = deadline.saturating_duration_since(now);
        if left.is_zero() {
            return Err(Broken::Late);
        }
        let slice = (self.slice_began + SLICE).saturating_duration_since(now);
        if slice.is_zero() {
            self.slice_began = now;
            return Ok(Waited::Elsewhere);
        }
        let look = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let output = look(self.output.as_fd());
        // The last of them may not be given to the system.
        let mut watched = [output.clone(), output.clone(), output];
        let mut count = 1;
        let errors_place = self.errors_pipe.as_ref().map(|pipe| {
            watched[count] = look(pipe.as_fd());
            count += 1;
            count - 1
        });
        let other_place = (!other.has_unread).then(|| {
            watched[count] = look(other.output.as_fd());
            count += 1;
            count - 1
        });
        let found = poll(&mut watched[..count], timeout(left.min(slice)));
        match found {
            Ok(1..) => {}
            // Asked again, it looks at the time that is left.
            Ok(_) | Err(Errno::EINTR) => return Ok(Waited::Read),
            Err(_) => return Err(Broken::Closed),
        }
        let seen = |place: usize| watched[place].revents().unwrap_or(PollFlags::empty());
        let has_output = !seen(0).is_empty();
        let errors = errors_place.map_or(PollFlags::empty(), seen);
        let other_spoke = other_place.is_some_and(|place| !seen(place).is_empty());
        other.has_unread |= other_spoke;
        other.is_watched = true;
        if errors.intersects(PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL) {
            self.errors_pipe = None;
        }
        if has_output {
            return self.read_output();
        }
        Ok(if errors.is_empty() {
            Waited::Read
        } else {
            Waited::Elsewhere
        })
    }

    fn read_output(&mut self) -> Result<Waited, Broken> {
        match read(&self.output, &mut self.chunk[..]) {
            Ok(0) => Err(Broken::Closed),
            Ok(length) => {
                self.buffer.extend_from_slice(&self.chunk[..length]);
                Ok(Waited::Read)
            }
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(Waited::Read),
            Err(_) => Err(Broken::Closed),
        }
    }
}

/// In whole milliseconds, at least one.
fn timeout(left: Duration) -> PollTimeout {
    let ms = left.as_micros().div_ceil(1000);
    PollTimeout::try_from(ms).unwrap_or(PollTimeout::MAX)
}
