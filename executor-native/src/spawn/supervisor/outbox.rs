//! The way to the host: never waited for while the command runs.

use std::{
    io,
    os::fd::AsFd,
    time::{Duration, Instant},
};

use crate::protocol::Notice;

/// Lines for the host; kept while the host does not read, never waited for while the command runs.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) pending: Vec<u8>,
    pub(super) closed: bool,
}

impl Outbox {
    pub(super) fn push(&mut self, notice: &Notice) {
        if let Ok(line) = serde_json::to_vec(notice) {
            self.pending.extend(line);
            self.pending.push(b'\n');
        }
    }

    pub(super) fn send(&mut self) {
        while !self.pending.is_empty() && !self.closed {
            // Not through `io::stdout()`, whose buffer would keep what could not be written.
            match rustix::io::write(io::stdout().as_fd(), &self.pending) {
                Ok(n) => drop(self.pending.drain(..n)),
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => self.closed = true,
            }
        }
    }

    /// The last words: a host that reads gets them, one that does not is waited for a second.
    pub(super) fn finish(&mut self) {
        let until = Instant::now() + Duration::from_secs(1);
        loop {
            self.send();
            if self.pending.is_empty() || self.closed || Instant::now() >= until {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
