//! Reads from git's index which paths are other repositories (submodules, embedded clones).
//!
//! A reading command looks into each of them, by their own configuration. Bytes in, paths out; written from
//! gitformat-index(5). The index does not say how long its object names are, so it is read for SHA-1 and for SHA-256 and
//! whatever either reading finds counts. What neither can read is never taken for empty.

/// Signature, version, number of entries.
const HEADER: usize = 12;
/// Where the mode stands in an entry.
const MODE: usize = 24;
/// Bytes of an entry before its object name.
const STAT: usize = 40;
/// The mode of an entry that is a commit of another repository.
const GITLINK: u32 = 0o160_000;

/// The paths of other repositories, as bytes below the work tree's root; `None` when this is no index that can be read.
pub(super) fn gitlinks(index: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (short, long) = (read(index, 20), read(index, 32));
    if short.is_none() && long.is_none() {
        return None;
    }
    let mut paths: Vec<Vec<u8>> = short.into_iter().chain(long).flatten().collect();
    paths.sort();
    paths.dedup();
    Some(paths)
}

fn read(index: &[u8], name_length: usize) -> Option<Vec<Vec<u8>>> {
    if index.get(..4)? != b"DIRC" {
        return None;
    }
    let version = word(index, 4)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut at = HEADER;
    let mut path: Vec<u8> = Vec::new();
    let mut found = Vec::new();
    for _ in 0..word(index, 8)? {
        let mode = word(index, at + MODE)?;
        // Files, links, gitlinks, and the folders of a sparse index.
        if !matches!(
            mode & 0o170_000,
            0o100_000 | 0o120_000 | GITLINK | 0o040_000
        ) {
            return None;
        }
        let flags = at + STAT + name_length;
        let extended = version >= 3 && index.get(flags)? & 0x40 != 0;
        let mut name = flags + if extended { 4 } else { 2 };
        if version == 4 {
            let (dropped, after) = offset(index, name)?;
            path.truncate(path.len().checked_sub(dropped)?);
            name = after;
        } else {
            path.clear();
        }
        let length = index.get(name..)?.iter().position(|&byte| byte == 0)?;
        path.extend_from_slice(index.get(name..name + length)?);
        let end = name + length;
        at = if version == 4 {
            end + 1
        } else {
            // One to eight zeros, so that the entry's length is a multiple of eight.
            at + (end - at + 8) / 8 * 8
        };
        if mode & 0o170_000 == GITLINK {
            found.push(path.clone());
        }
    }
    (at <= index.len()).then_some(found)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

/// The number of bytes that a path of version 4 drops from the one before it, and where its own begin.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value
            .checked_add(1)?
            .checked_mul(128)?
            .checked_add(usize::from(byte & 0x7f))?;
    }
    Some((value, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index as git writes it, without its trailing checksum.
    fn index(version: u32, name_length: usize, entries: &[(u32, &str)]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(entries.len()).expect("few").to_be_bytes());
        let mut before = "";
        for (mode, path) in entries {
            let start = bytes.len();
            bytes.extend([1; MODE]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend([2; 12]);
            bytes.resize(start + STAT + name_length, 3);
            bytes.extend(u16::try_from(path.len()).expect("short").to_be_bytes());
            if version == 4 {
                let common = before
                    .bytes()
                    .zip(path.bytes())
                    .take_while(|(a, b)| a == b)
                    .count();
                bytes.push(u8::try_from(before.len() - common).expect("short"));
                bytes.extend(path[common..].bytes());
                bytes.push(0);
                before = path;
            } else {
                bytes.extend(path.bytes());
                bytes.push(0);
                while !(bytes.len() - start).is_multiple_of(8) {
                    bytes.push(0);
                }
            }
        }
        bytes.extend([0; 20]);
        bytes
    }

    #[test]
    fn other_repositories_are_found_in_every_version() {
        let entries = [
            (0o100_644, "a/file"),
            (GITLINK, "a/sub"),
            (0o120_000, "link"),
            (GITLINK, "z"),
        ];
        for version in [2, 3, 4] {
            for name_length in [20, 32] {
                let found = gitlinks(&index(version, name_length, &entries)).expect("an index");
                for path in ["a/sub", "z"] {
                    assert!(
                        found.contains(&path.as_bytes().to_vec()),
                        "{version} {name_length}: {found:?}"
                    );
                }
            }
        }
        assert_eq!(gitlinks(&index(2, 20, &[(0o100_644, "f")])), Some(vec![]));
        assert_eq!(gitlinks(&index(2, 20, &[])), Some(vec![]));
    }

    #[test]
    fn what_is_no_index_is_not_taken_for_an_empty_one() {
        for bytes in [
            &b""[..],
            b"DIRC",
            b"DIRC\0\0\0\x09\0\0\0\0",
            b"DIRC\0\0\0\x02\0\0\0\x01",
            b"CRID\0\0\0\x02\0\0\0\0",
        ] {
            assert_eq!(gitlinks(bytes), None);
        }
    }
}
