//! What reaches the supervisor: signals, the host's orders and its end, other hosts' orders, the command's output and
//! the shell's report. None of it is ever waited for here, and none can keep the others waiting.

use std::{
    fs::File,
    io::{self, Read},
    time::Instant,
};

use super::Supervisor;
use crate::{
    protocol::{Order, Reason},
    spawn::sink::{Kept, Sink},
};

impl Supervisor {
    pub(super) fn read_signals(&mut self) {
        let mut buffer = [0; 64];
        while let Ok(n @ 1..) = rustix::io::read(&self.signals, &mut buffer) {
            if buffer
                .iter()
                .take(n)
                .any(|signal| i32::from(*signal) != libc::SIGCHLD)
            {
                self.stop(Reason::Signal, "a signal to the supervisor");
            }
        }
    }

    pub(super) fn read_host(&mut self) {
        let mut buffer = [0; 512];
        while self.host {
            match io::stdin().lock().read(&mut buffer) {
                Ok(0) => {
                    self.host = false;
                    if !self.detached {
                        self.stop(Reason::HostGone, "the end of its host");
                    }
                }
                Ok(n) => {
                    self.inbox.extend(buffer.iter().take(n));
                    while let Some(end) = self.inbox.iter().position(|byte| *byte == b'\n') {
                        let line: Vec<u8> = self.inbox.drain(..=end).collect();
                        self.obey(&String::from_utf8_lossy(&line));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }

    pub(super) fn read_orders(&mut self) {
        let mut buffer = [0; 512];
        // A line from one writer arrives whole: it is far below PIPE_BUF.
        while let Some(Ok(n @ 1..)) = self.orders.as_mut().map(|orders| orders.read(&mut buffer)) {
            for line in String::from_utf8_lossy(&buffer[..n]).lines() {
                self.obey(line);
            }
        }
    }

    pub(super) fn obey(&mut self, line: &str) {
        match Order::parse(line) {
            Some(Order::Detach) => self.detached = true,
            Some(Order::Stop { reason, by }) => self.stop(reason, &by),
            None => {}
        }
    }

    pub(super) fn read_output(&mut self) {
        let before = self.sink.bytes + self.error_sink.as_ref().map_or(0, |sink| sink.bytes);
        let verdict = pump(&mut self.output, &mut self.sink);
        let errors = match &mut self.error_sink {
            Some(sink) => pump(&mut self.errors, sink),
            None => Kept::Fine,
        };
        let after = self.sink.bytes + self.error_sink.as_ref().map_or(0, |sink| sink.bytes);
        if after != before {
            self.last_output = Instant::now();
            self.record.output_after_exit |= self.settled;
        }
        for kept in [verdict, errors] {
            match kept {
                Kept::Fine => {}
                Kept::AtCap => self.stop(Reason::OutputLimit, "the limit on output"),
                Kept::AtFloor => self.stop(Reason::DiskFloor, "the limit on free disk space"),
            }
        }
    }

    pub(super) fn read_report(&mut self) {
        let Some(end) = &mut self.report_end else {
            return;
        };
        let mut buffer = [0; 16 * 1024];
        for _ in 0..64 {
            match end.read(&mut buffer) {
                Ok(0) => {
                    self.report_end = None;
                    return;
                }
                Ok(n) => {
                    if !self.report.take(&buffer[..n]) {
                        self.stop(Reason::OutputLimit, "the limit on the report");
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }
}

/// Moves what is in the pipe to the file; a closed pipe is dropped.
fn pump(pipe: &mut Option<File>, sink: &mut Sink) -> Kept {
    let mut kept = Kept::Fine;
    let Some(file) = pipe else { return kept };
    let mut buffer = [0; 64 * 1024];
    // Bounded, so that a flood does not keep orders waiting.
    for _ in 0..16 {
        match file.read(&mut buffer) {
            Ok(0) => {
                *pipe = None;
                break;
            }
            Ok(n) => match sink.take(&buffer[..n]) {
                Kept::Fine => {}
                other => kept = other,
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    kept
}
