//! Old outputs go, by age and by size; never one whose task still lives.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// How much is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retention {
    /// Older ones go.
    pub age: Duration,
    /// The oldest go until the rest is no larger than this, in bytes.
    pub size: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            age: Duration::from_secs(7 * 24 * 3600),
            size: 10 * 1024 * 1024 * 1024,
        }
    }
}

struct Entry {
    path: PathBuf,
    changed: SystemTime,
    size: u64,
}

/// Removes entries of `folders` (files, or folders of files); `is_live` protects. Returns how many went.
pub fn sweep(
    folders: &[&Path],
    keep: &Retention,
    now: SystemTime,
    is_live: &dyn Fn(&Path) -> bool,
) -> usize {
    let mut entries: Vec<Entry> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten())
        .filter_map(|entry| measure(entry.path()))
        .filter(|entry| !is_live(&entry.path))
        .collect();
    entries.sort_by_key(|entry| entry.changed);
    let mut total: u64 = entries.iter().map(|entry| entry.size).sum();
    let mut removed = 0;
    for entry in entries {
        let old = now
            .duration_since(entry.changed)
            .is_ok_and(|age| age > keep.age);
        if !old && total <= keep.size {
            break;
        }
        let gone = match fs::symlink_metadata(&entry.path).is_ok_and(|meta| meta.is_dir()) {
            true => fs::remove_dir_all(&entry.path),
            false => fs::remove_file(&entry.path),
        };
        if gone.is_ok() {
            total = total.saturating_sub(entry.size);
            removed += 1;
        }
    }
    removed
}

/// Newest change and size of a file, or of a folder's files.
fn measure(path: PathBuf) -> Option<Entry> {
    let meta = fs::symlink_metadata(&path).ok()?;
    let mut changed = meta.modified().ok()?;
    let mut size = meta.len();
    if meta.is_dir() {
        for file in fs::read_dir(&path).ok()?.flatten() {
            let Ok(meta) = file.metadata() else { continue };
            size += meta.len();
            changed = changed.max(meta.modified().unwrap_or(changed));
        }
    }
    Some(Entry {
        path,
        changed,
        size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d25_by_age_and_by_size_but_never_a_live_one() {
        let root = std::env::temp_dir().join(format!("sweep-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (name, size) in [("a", 10), ("b", 10), ("live", 1000)] {
            fs::create_dir_all(root.join(name)).unwrap();
            fs::write(root.join(name).join("output"), vec![0; size]).unwrap();
        }
        let live = |path: &Path| path.ends_with("live");
        let keep = Retention {
            age: Duration::from_secs(60),
            size: u64::MAX,
        };
        assert_eq!(sweep(&[&root], &keep, SystemTime::now(), &live), 0);
        let later = SystemTime::now() + Duration::from_secs(120);
        assert_eq!(sweep(&[&root], &keep, later, &live), 2);
        assert!(root.join("live").exists());
        fs::write(root.join("c"), vec![0; 10]).unwrap();
        let keep = Retention {
            age: Duration::from_secs(600),
            size: 5,
        };
        assert_eq!(sweep(&[&root], &keep, SystemTime::now(), &live), 1);
        fs::remove_dir_all(root).unwrap();
    }
}
