//! Which files an agent has seen through commands, and which of them a command changed afterwards.
//!
//! An edit tool that insists on reading first can ask here. Only what a successful foreground command showed whole
//! counts; background, aborted, failed, cut and image results change nothing.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use policy_core::outcome::{ReadRange, Step, changed_files_note, may_reformat, read_sources};

/// Larger files are not recorded.
const FILE_MOST: u64 = 10 * 1024 * 1024;

/// What was seen of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// When the file had last changed, as of then.
    pub modified: SystemTime,
    /// The lines seen, counted from 1; `None` for all.
    pub lines: Option<(u64, u64)>,
}

/// The files seen so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadState {
    files: BTreeMap<PathBuf, Seen>,
}

impl ReadState {
    /// What was seen of `path` (absolute).
    pub fn seen(&self, path: &Path) -> Option<&Seen> {
        self.files.get(path)
    }

    /// All of it.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &Seen)> {
        self.files.iter().map(|(path, seen)| (path.as_path(), seen))
    }

    /// Another tool read a file.
    pub fn record(&mut self, path: PathBuf, lines: Option<(u64, u64)>) {
        if let Ok(modified) = fs::metadata(&path).and_then(|meta| meta.modified()) {
            self.files.insert(path, Seen { modified, lines });
        }
    }

    /// Takes note of what a successful command, started in `cwd` at `began`, showed and changed.
    /// Returns what the model should be told.
    pub fn after_command(
        &mut self,
        steps: &[Step],
        cwd: &Path,
        began: SystemTime,
    ) -> Option<String> {
        let note = may_reformat(steps)
            .then(|| self.changed_since(began))
            .flatten();
        for source in read_sources(steps, 0) {
            let path = absolute(cwd, &source.path);
            let Ok(meta) = fs::metadata(&path) else {
                continue;
            };
            if !meta.is_file() || meta.len() > FILE_MOST || self.files.contains_key(&path) {
                continue;
            }
            let Ok(modified) = meta.modified() else {
                continue;
            };
            // Written while it was shown: what was seen is not what is there.
            if modified > began {
                continue;
            }
            let lines = match source.range {
                ReadRange::Whole => None,
                ReadRange::First(count) => Some((1, count)),
                ReadRange::Lines(from, to) => Some((from, to)),
                ReadRange::Last(count) => match count_lines(&path) {
                    Some(total) => Some((total.saturating_sub(count) + 1, total)),
                    None => continue,
                },
            };
            self.files.insert(path, Seen { modified, lines });
        }
        note
    }

    fn changed_since(&self, began: SystemTime) -> Option<String> {
        let changed: Vec<String> = self
            .files
            .iter()
            .filter(|(path, seen)| {
                fs::metadata(path)
                    .and_then(|meta| meta.modified())
                    .is_ok_and(|modified| modified >= coarse(began) && modified > seen.modified)
            })
            .map(|(path, _)| path.display().to_string())
            .collect();
        changed_files_note(changed.iter().map(String::as_str))
    }
}

/// File times lag behind the clock by up to a timer tick.
fn coarse(time: SystemTime) -> SystemTime {
    time.checked_sub(std::time::Duration::from_millis(20))
        .unwrap_or(time)
}

fn count_lines(path: &Path) -> Option<u64> {
    let bytes = fs::read(path).ok()?;
    let breaks = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    Some(breaks + u64::from(bytes.last().is_some_and(|byte| *byte != b'\n')))
}

/// Without looking: `.` and `..` are resolved by the names alone.
fn absolute(cwd: &Path, path: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            std::path::Component::ParentDir => drop(out.pop()),
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use policy_core::outcome::Joint;
    use std::time::Duration;

    fn step(words: &[&str]) -> Vec<Step> {
        vec![Step {
            argv: words.iter().map(|word| Some((*word).into())).collect(),
            joint: Joint::Sequence,
            redirected: false,
            altered: false,
        }]
    }

    #[test]
    fn shown_files_are_recorded_and_changes_reported() {
        let root = std::env::temp_dir().join(format!("reads-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("a"), "1\n2\n3\n4\n").unwrap();
        let mut state = ReadState::default();
        let soon = || SystemTime::now() + Duration::from_secs(1);
        assert_eq!(
            state.after_command(
                &step(&["tail", "-n", "2", "../a"]),
                &root.join("sub"),
                soon()
            ),
            None
        );
        assert_eq!(state.seen(&root.join("a")).unwrap().lines, Some((3, 4)));
        // Recorded once: a later partial view does not narrow it.
        state.after_command(&step(&["head", "-n", "1", "a"]), &root, soon());
        assert_eq!(state.seen(&root.join("a")).unwrap().lines, Some((3, 4)));
        let began = SystemTime::now();
        std::thread::sleep(Duration::from_millis(30));
        fs::write(root.join("a"), "changed\n").unwrap();
        let note = state
            .after_command(&step(&["cargo", "fmt"]), &root, began)
            .unwrap();
        assert!(note.contains(&root.join("a").display().to_string()));
        assert_eq!(
            state.after_command(&step(&["cargo", "build"]), &root, began),
            None
        );
        fs::remove_dir_all(root).unwrap();
    }
}
