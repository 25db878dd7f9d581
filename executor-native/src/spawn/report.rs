//! What the shell tells through the report descriptor: its last directory, or the text of a snapshot.
//!
//! The wrapper writes `C` directory newline NUL `E` status NUL. The command itself may write there too, so this is a
//! courtesy, not a boundary: the last well-formed record wins, and exit codes never come from here.

use crate::protocol::Bytes;

/// The report, as far as it is kept.
#[derive(Debug)]
pub(super) struct Report {
    raw: Vec<u8>,
    cap: usize,
    whole: bool,
}

impl Report {
    /// Keeps the last `cap` bytes; or, if `whole`, all of them and no more than `cap`.
    pub(super) fn new(cap: usize, whole: bool) -> Self {
        Self {
            raw: Vec::new(),
            cap,
            whole,
        }
    }

    /// Takes more; false when a whole report grew past its cap.
    pub(super) fn take(&mut self, chunk: &[u8]) -> bool {
        self.raw.extend(chunk);
        if self.raw.len() <= self.cap {
            return true;
        }
        if self.whole {
            self.raw.truncate(self.cap);
            return false;
        }
        let extra = self.raw.len() - self.cap;
        self.raw.drain(..extra);
        true
    }

    /// All that is kept.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The directory of the last record, if it is an absolute path.
    pub(super) fn directory(&self) -> Option<Bytes> {
        let fields: Vec<&[u8]> = self.raw.split(|byte| *byte == 0).collect();
        let complete = fields.len().checked_sub(1)?;
        fields
            .iter()
            .take(complete)
            .collect::<Vec<_>>()
            .windows(2)
            .rev()
            .find_map(|pair| match pair {
                // One newline is the end of the line that `pwd` prints; others are the directory's.
                [[b'C', path @ .., b'\n'], [b'E', ..]] if path.first() == Some(&b'/') => {
                    Some(Bytes(path.to_vec()))
                }
                _ => None,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(raw: &[u8]) -> Option<Vec<u8>> {
        let mut report = Report::new(1024, false);
        report.take(raw);
        report.directory().map(|bytes| bytes.0)
    }

    #[test]
    fn f15_any_bytes_and_the_last_complete_record_wins() {
        assert_eq!(directory(b"C/a b\nc\n\0E0\0").unwrap(), b"/a b\nc");
        assert_eq!(directory(b"C/\xff\xfe\n\n\0E1\0").unwrap(), b"/\xff\xfe\n");
        assert_eq!(directory(b"C/evil\n\0E0\0C/usr\n\0E0\0").unwrap(), b"/usr");
        assert_eq!(directory(b"C/usr\n\0E0\0C/half").unwrap(), b"/usr");
        assert_eq!(directory(b"C\0E0\0"), None);
        assert_eq!(directory(b"Crelative\n\0E0\0"), None);
        assert_eq!(directory(b""), None);
    }

    #[test]
    fn a_flood_keeps_the_end() {
        let mut report = Report::new(32, false);
        for _ in 0..1000 {
            assert!(report.take(b"garbage garbage garbage "));
        }
        assert!(report.take(b"\0C/usr\n\0E0\0"));
        assert_eq!(report.directory().unwrap().0, b"/usr");
        let mut whole = Report::new(4, true);
        assert!(whole.take(b"1234"));
        assert!(!whole.take(b"5"));
    }
}
