//! How a running command is doing, for those who watch.
//!
//! Samples are a stream with back-pressure: a slow reader skips some and holds nobody back. They are made from
//! the supervisor's counts and from new bytes of the output file, a bounded piece at a time.

use std::{
    collections::VecDeque,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc;

use super::clean;

/// When the first sample comes.
pub const PROGRESS_AFTER: Duration = Duration::from_secs(2);
/// How far apart samples are.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(1);
/// Lines that are remembered.
const RING_LINES: usize = 1_000;
/// Bytes of one line that are remembered.
const LINE_MOST: usize = 4 * 1024;
/// Bytes read for one sample.
const READ_MOST: u64 = 256 * 1024;

/// One look at a running command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// Counts up from 1; gaps are samples that were skipped.
    pub sequence: u64,
    /// Milliseconds since the start.
    pub elapsed: u64,
    /// Bytes printed so far.
    pub total_bytes: u64,
    /// Lines printed so far.
    pub total_lines: u64,
    /// The last lines, cleaned.
    pub tail: String,
}

/// The stream of samples; it ends when the command does, or moves to the background.
#[derive(Debug)]
pub struct Progress(mpsc::Receiver<Sample>);

impl Progress {
    /// The next sample.
    pub async fn next(&mut self) -> Option<Sample> {
        self.0.recv().await
    }
}

impl Stream for Progress {
    type Item = Sample;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Sample>> {
        self.0.poll_recv(context)
    }
}

/// Both ends. The sender must only `try_send`: a full channel means that the reader is slow.
pub fn channel() -> (mpsc::Sender<Sample>, Progress) {
    let (sender, receiver) = mpsc::channel(1);
    (sender, Progress(receiver))
}

/// The last lines of a growing file.
#[derive(Debug)]
pub struct Ring {
    path: PathBuf,
    read: u64,
    partial: Vec<u8>,
    lines: VecDeque<Vec<u8>>,
}

impl Ring {
    /// Of this file, which need not be there yet.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            read: 0,
            partial: Vec::new(),
            lines: VecDeque::new(),
        }
    }

    /// Reads what is new; of a flood only the end.
    pub fn refresh(&mut self) {
        let Ok(mut file) = File::open(&self.path) else {
            return;
        };
        let Ok(length) = file.metadata().map(|meta| meta.len()) else {
            return;
        };
        if length < self.read || length - self.read > READ_MOST {
            self.read = length.saturating_sub(READ_MOST);
            self.partial.clear();
        }
        let mut new = Vec::new();
        if file.seek(SeekFrom::Start(self.read)).is_err()
            || file.take(READ_MOST).read_to_end(&mut new).is_err()
        {
            return;
        }
        self.read += new.len() as u64;
        for piece in new.split_inclusive(|byte| *byte == b'\n') {
            let room = LINE_MOST.saturating_sub(self.partial.len());
            self.partial.extend(piece.iter().take(room));
            if piece.ends_with(b"\n") {
                let mut line = std::mem::take(&mut self.partial);
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                if self.lines.len() == RING_LINES {
                    self.lines.pop_front();
                }
                self.lines.push_back(line);
            }
        }
    }

    /// The last `count` lines, cleaned; a line that is still being written counts.
    pub fn last(&self, count: usize) -> String {
        let whole = self.lines.iter().map(Vec::as_slice);
        let partial = Some(self.partial.as_slice()).filter(|line| !line.is_empty());
        let mut picked: Vec<&[u8]> = whole.chain(partial).rev().take(count).collect();
        picked.reverse();
        clean(&picked.join(&b'\n')).text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_ring_keeps_the_last_lines_and_bounds_them() {
        let path = std::env::temp_dir().join(format!("ring-{}", std::process::id()));
        let mut file = File::create(&path).unwrap();
        let mut ring = Ring::new(path.clone());
        writeln!(file, "one\ntwo").unwrap();
        write!(file, "thr").unwrap();
        ring.refresh();
        assert_eq!(ring.last(2), "two\nthr");
        writeln!(file, "ee").unwrap();
        ring.refresh();
        assert_eq!(ring.last(2), "two\nthree");
        file.write_all(&vec![b'x'; 600 * 1024]).unwrap();
        ring.refresh();
        assert_eq!(ring.last(1).len(), LINE_MOST);
        for i in 0..5_000 {
            writeln!(file, "{i}").unwrap();
        }
        ring.refresh();
        assert_eq!(ring.lines.len(), RING_LINES);
        assert_eq!(ring.last(1), "4999");
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test]
    async fn a_slow_reader_skips() {
        let (sender, mut progress) = channel();
        let sample = |sequence| Sample {
            sequence,
            elapsed: 0,
            total_bytes: 0,
            total_lines: 0,
            tail: String::new(),
        };
        for sequence in 1..=5 {
            let _ = sender.try_send(sample(sequence));
        }
        assert_eq!(progress.next().await.unwrap().sequence, 1);
        let _ = sender.try_send(sample(6));
        assert_eq!(progress.next().await.unwrap().sequence, 6);
        drop(sender);
        assert!(progress.next().await.is_none());
    }
}
