//! Bounded pieces of an output file: its beginning, its end, cut where characters begin.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// The bytes, whole characters as far as they are UTF-8.
    pub bytes: Vec<u8>,
    /// How large the file is.
    pub total: u64,
    /// There is more than this.
    pub cut: bool,
}

/// The first `most` bytes.
pub fn read_head(path: &Path, most: usize) -> io::Result<View> {
    let file = File::open(path)?;
    let total = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    let cut = bytes.len() > most;
    if cut {
        bytes.truncate(cut_at_char(&bytes, most));
    }
    Ok(View {
        bytes,
        total: total.max(most as u64 * u64::from(cut)),
        cut,
    })
}

/// The last `most` bytes.
pub fn read_tail(path: &Path, most: usize) -> io::Result<View> {
    let mut file = File::open(path)?;
    let total = file.metadata()?.len();
    let from = total.saturating_sub(most as u64);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes)?;
    let cut = from > 0;
    if cut {
        let broken = bytes
            .iter()
            .take(3)
            .take_while(|byte| **byte & 0xc0 == 0x80)
            .count();
        bytes.drain(..broken);
    }
    Ok(View { bytes, total, cut })
}

/// The largest `n` ≤ `most` at which no character is split; bytes that are no UTF-8 do not count as one.
pub fn cut_at_char(bytes: &[u8], most: usize) -> usize {
    let most = most.min(bytes.len());
    // A character has at most three bytes after its first.
    for back in 0..4.min(most) {
        let at = most - back - 1;
        let Some(byte) = bytes.get(at) else { break };
        let length = match byte {
            0x80..=0xbf => continue,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        return if at + length > most { at } else { most };
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d10_every_cut_point_is_a_boundary() {
        let text = "a👩‍👩‍👧é\u{301}xyz日本";
        for most in 0..=text.len() {
            let at = cut_at_char(text.as_bytes(), most);
            assert!(text.is_char_boundary(at), "{most} → {at}");
            assert!(most - at < 4);
        }
        assert_eq!(cut_at_char(&[0x80; 10], 5), 5);
        assert_eq!(cut_at_char(&[0xff; 10], 5), 5);
    }

    #[test]
    fn head_and_tail_of_a_file() {
        let path = std::env::temp_dir().join(format!("view-{}", std::process::id()));
        std::fs::write(&path, "äöü".repeat(10)).unwrap();
        let head = read_head(&path, 7).unwrap();
        assert_eq!(
            (
                String::from_utf8(head.bytes).unwrap().as_str(),
                head.total,
                head.cut
            ),
            ("äöü", 60, true)
        );
        let tail = read_tail(&path, 7).unwrap();
        assert_eq!(
            (String::from_utf8(tail.bytes).unwrap().as_str(), tail.cut),
            ("äöü", true)
        );
        assert!(!read_head(&path, 60).unwrap().cut);
        assert!(!read_tail(&path, 60).unwrap().cut);
        std::fs::remove_file(path).unwrap();
    }
}
