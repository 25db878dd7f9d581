//! Which directory the next command starts in.
//!
//! Pure but for looking at paths: what a command reported in, the session's next directory out.

use std::path::{Component, Path, PathBuf};

/// What becomes of the session's directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// It stays as it was.
    Same,
    /// The command changed it.
    Moved(PathBuf),
    /// The command left the workspace: back to its root, and the model is told.
    Reset {
        /// The root.
        to: PathBuf,
        /// The words for the model.
        note: String,
    },
}

/// The directory after a command that ended in `reported`, started in `from`.
pub fn next(from: &Path, reported: Option<&Path>, workspace: &[PathBuf]) -> Next {
    let Some(reported) = reported else {
        return Next::Same;
    };
    if same(reported, from) {
        return Next::Same;
    }
    let Some(root) = workspace.first() else {
        return Next::Moved(reported.to_owned());
    };
    if workspace.iter().any(|root| is_inside(reported, root)) {
        return Next::Moved(reported.to_owned());
    }
    Next::Reset {
        to: root.clone(),
        note: format!("Shell cwd was reset to {}", root.display()),
    }
}

/// Where a command can start now: `wanted`, or the workspace root with a note when that is gone.
pub fn usable(wanted: &Path, workspace: &[PathBuf]) -> (PathBuf, Option<String>) {
    if wanted.is_dir() {
        return (wanted.to_owned(), None);
    }
    match workspace.iter().find(|root| root.is_dir()) {
        Some(root) => (
            root.clone(),
            Some(format!(
                "The working directory {} is not there any more; the command ran in {}",
                wanted.display(),
                root.display(),
            )),
        ),
        None => (wanted.to_owned(), None),
    }
}

/// `path` lies in `root`: as written, or as the file system resolves both.
pub fn is_inside(path: &Path, root: &Path) -> bool {
    let (literal, literal_root) = (plain(path), plain(root));
    if literal.starts_with(&literal_root) && !climbs(path) {
        return true;
    }
    match (path.canonicalize(), root.canonicalize()) {
        (Ok(path), Ok(root)) => plain(&path).starts_with(plain(&root)),
        _ => false,
    }
}

fn same(a: &Path, b: &Path) -> bool {
    plain(a) == plain(b) || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn climbs(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// macOS keeps `/tmp` and `/var` under `/private` and shows either name.
fn plain(path: &Path) -> PathBuf {
    if cfg!(target_os = "macos") {
        for folder in ["tmp", "var", "etc"] {
            if let Ok(rest) = path.strip_prefix(Path::new("/private").join(folder)) {
                return Path::new("/").join(folder).join(rest);
            }
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_inside_reset_outside_unchanged_when_unknown() {
        let workspace = [PathBuf::from("/w"), PathBuf::from("/x")];
        assert_eq!(next(Path::new("/w"), None, &workspace), Next::Same);
        assert_eq!(
            next(Path::new("/w"), Some(Path::new("/w")), &workspace),
            Next::Same
        );
        assert_eq!(
            next(Path::new("/w"), Some(Path::new("/x/y")), &workspace),
            Next::Moved("/x/y".into())
        );
        assert_eq!(
            next(Path::new("/w/a"), Some(Path::new("/usr")), &workspace),
            Next::Reset {
                to: "/w".into(),
                note: "Shell cwd was reset to /w".into()
            }
        );
        assert!(matches!(
            next(Path::new("/w"), Some(Path::new("/wider")), &workspace),
            Next::Reset { .. }
        ));
    }

    #[test]
    fn f19_a_workspace_behind_a_link_is_the_same_place() {
        let root = std::env::temp_dir().join(format!("cwd-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("real/sub")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        let workspace = [root.join("link")];
        let reported = root.join("real/sub").canonicalize().unwrap();
        assert_eq!(
            next(&root.join("link"), Some(&reported), &workspace),
            Next::Moved(reported.clone())
        );
        assert_eq!(
            next(&root.join("link"), Some(&root.join("real")), &workspace),
            Next::Same
        );
        std::fs::remove_dir_all(root).unwrap();
    }
}
