//! Where a command's output goes: one private file, up to a cap, whatever the disk does.
//!
//! Bytes in, counts out. A full disk or a reached cap never holds the command back: what cannot be kept is counted.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// The most that is written between two looks at the free space; less, the nearer its floor is.
const LOOK_EVERY: u64 = 1024 * 1024;
/// Less than this to the next look is none.
const NEAR: u64 = 64 * 1024;
/// Commands that may print at the same time and share what is left above the floor.
const SHARERS: u64 = 256;

/// One output file.
#[derive(Debug)]
pub(super) struct Sink {
    path: PathBuf,
    file: File,
    cap: u64,
    floor: u64,
    unlooked: u64,
    look_after: u64,
    /// Bytes that arrived.
    pub(super) bytes: u64,
    /// Newlines among them.
    pub(super) lines: u64,
    /// Bytes that could not be kept.
    pub(super) lost: u64,
    /// Bytes written to a file that somebody removed.
    pub(super) gap: u64,
}

/// What a write led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    /// All is well.
    Fine,
    /// The cap is reached: the command should be stopped.
    AtCap,
    /// The disk is nearly full: the command should be stopped.
    AtFloor,
}

/// Makes a file that only the user may read; fails if something is there already, a symbolic link too.
pub fn create_private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)?;
    // Whatever the umask took away: a later reader opens it by name.
    file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    Ok(file)
}

impl Sink {
    /// Makes the file.
    pub(super) fn create(path: PathBuf, cap: u64, floor: u64) -> io::Result<Self> {
        Ok(Self {
            file: create_private(&path)?,
            path,
            cap,
            floor,
            unlooked: 0,
            look_after: 0,
            bytes: 0,
            lines: 0,
            lost: 0,
            gap: 0,
        })
    }

    /// Takes what the command printed.
    pub(super) fn take(&mut self, chunk: &[u8]) -> Kept {
        let room = self.cap.saturating_sub(self.bytes);
        self.bytes += chunk.len() as u64;
        self.lines += chunk.iter().filter(|byte| **byte == b'\n').count() as u64;
        let keep = usize::try_from(room).unwrap_or(usize::MAX).min(chunk.len());
        if self.is_at_floor(keep as u64) {
            self.lost += chunk.len() as u64;
            return Kept::AtFloor;
        }
        self.lost += (chunk.len() - keep) as u64;
        self.write(&chunk[..keep]);
        if keep < chunk.len() {
            return Kept::AtCap;
        }
        Kept::Fine
    }

    /// So much more would leave less than the floor on the disk. Looked at before the writing, since others do the same.
    fn is_at_floor(&mut self, more: u64) -> bool {
        self.unlooked += more;
        if self.floor == 0 || self.unlooked < self.look_after {
            return false;
        }
        self.unlooked = 0;
        let Some((free, total)) = free_space(&self.file) else {
            return false;
        };
        let spare = free.saturating_sub(self.floor.min(total / 10));
        self.look_after = (spare / SHARERS).min(LOOK_EVERY);
        // A look costs a microsecond: near the floor every write is worth one.
        if self.look_after < NEAR {
            self.look_after = 0;
        }
        spare < more
    }

    fn write(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() {
            match self.file.write(chunk) {
                Ok(0) => break,
                Ok(n) => chunk = chunk.get(n..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.lost += chunk.len() as u64;
    }

    /// Notices that somebody removed the file, and starts it again.
    pub(super) fn restore(&mut self) {
        if !self.file.metadata().is_ok_and(|meta| meta.nlink() == 0) {
            return;
        }
        if let Ok(file) = create_private(&self.path) {
            self.gap = self.bytes.saturating_sub(self.lost);
            self.file = file;
        }
    }
}

fn free_space(file: &File) -> Option<(u64, u64)> {
    let stat = rustix::fs::fstatvfs(file).ok()?;
    Some((stat.f_bavail * stat.f_frsize, stat.f_blocks * stat.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> PathBuf {
        let path = std::env::temp_dir().join(format!(
            "sink-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        path
    }

    #[test]
    fn keeps_to_the_cap_and_counts_the_rest() {
        let folder = folder();
        let mut sink = Sink::create(folder.join("o"), 10, 0).unwrap();
        assert_eq!(sink.take(b"12345\n"), Kept::Fine);
        assert_eq!(sink.take(b"789012345\n"), Kept::AtCap);
        assert_eq!((sink.bytes, sink.lines, sink.lost), (16, 2, 6));
        assert_eq!(std::fs::read(folder.join("o")).unwrap(), b"12345\n7890");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn d22_d23_private_and_never_through_a_planted_link() {
        let folder = folder();
        std::os::unix::fs::symlink("/dev/null", folder.join("o")).unwrap();
        assert!(Sink::create(folder.join("o"), 10, 0).is_err());
        let sink = Sink::create(folder.join("p"), 10, 0).unwrap();
        assert_eq!(sink.file.metadata().unwrap().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn c08_a_removed_file_is_started_again() {
        let folder = folder();
        let mut sink = Sink::create(folder.join("o"), 100, 0).unwrap();
        sink.take(b"one\n");
        std::fs::remove_file(folder.join("o")).unwrap();
        sink.restore();
        sink.take(b"two\n");
        assert_eq!(std::fs::read(folder.join("o")).unwrap(), b"two\n");
        assert_eq!(sink.gap, 4);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
