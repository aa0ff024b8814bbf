//! Waiting for an engine on a thread that has nothing else to do.
//!
//! The runtime's way to a line is long: its timer, its poller, a wake-up, and then the way back
//! through every waiting future. While a game waits for one engine it is enough to ask the system,
//! which takes one call to wait and one to read. The runtime gets a turn every now and then, and
//! whenever the engine writes to stderr, which is read there.

use std::os::fd::AsFd as _;
use std::time::Duration;

use foundation::platform::Alarm;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::{read, write};
use tokio::time::Instant;

use super::{Broken, Process, within};

/// The longest time without a turn for the runtime.
const SLICE: Duration = Duration::from_millis(100);

/// The outcome of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// There may be more in the buffer.
    Read,
    /// It is the runtime's turn.
    Elsewhere,
}

impl Process {
    /// [`Process::send`] without the runtime, as far as the pipe takes it at once.
    pub(crate) async fn send_within(
        &mut self,
        text: &str,
        timeout: Duration,
    ) -> Result<(), Broken> {
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

    /// Waits until the engine says something, and reads it.
    ///
    /// # Errors
    /// It said nothing until the deadline, or its output has ended.
    pub fn wait(&mut self, deadline: Instant, alarm: Option<&mut Alarm>) -> Result<Waited, Broken> {
        let now = Instant::now();
        if now >= deadline {
            return Err(Broken::Late);
        }
        let slice_ends = self.slice_began + SLICE;
        if now >= slice_ends {
            self.slice_began = now;
            return Ok(Waited::Elsewhere);
        }
        let until = deadline.min(slice_ends);
        if let (Some(alarm), Some(output)) = (alarm, &self.blocking_output)
            && !self.errors.may_fill_pipe()
            && alarm.ring_by(now.into_std(), until.into_std())
        {
            let length = read(output, &mut self.chunk[..]);
            return self.take_in(length);
        }
        self.poll(until - now)
    }

    /// The same for at most `left`, for when no alarm can be used. It also notices output on stderr
    /// at once.
    fn poll(&mut self, left: Duration) -> Result<Waited, Broken> {
        let poll_input = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let output = poll_input(self.output.as_fd());
        // The second entry is not always passed to the system.
        let mut watched = [output.clone(), output];
        let count = match &self.errors_pipe {
            Some(pipe) => {
                watched[1] = poll_input(pipe.as_fd());
                2
            }
            None => 1,
        };
        match poll(&mut watched[..count], timeout(left)) {
            Ok(1..) => {}
            // The caller asks again, with the time that is left.
            Ok(_) | Err(Errno::EINTR) => return Ok(Waited::Read),
            Err(_) => return Err(Broken::Closed),
        }
        let [output, errors] = watched.map(|fd| fd.revents().unwrap_or(PollFlags::empty()));
        let errors = if count == 2 {
            errors
        } else {
            PollFlags::empty()
        };
        if errors.intersects(PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL) {
            self.errors_pipe = None;
        }
        if !output.is_empty() {
            let length = read(&self.output, &mut self.chunk[..]);
            return self.take_in(length);
        }
        Ok(if errors.is_empty() {
            Waited::Read
        } else {
            Waited::Elsewhere
        })
    }

    /// Takes in what a read has put into the chunk.
    fn take_in(&mut self, length: nix::Result<usize>) -> Result<Waited, Broken> {
        match length {
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
