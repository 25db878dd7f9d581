//! Where configuration files may be.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

/// The file names of a project's own settings, and of the git-ignored ones beside it.
const PROJECT: [&str; 2] = ["portcullis.toml", "portcullis.json"];
const LOCAL: [&str; 2] = ["portcullis.local.toml", "portcullis.local.json"];

/// Candidate paths by layer; most do not exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// The machine's.
    pub managed: Vec<PathBuf>,
    /// Beside the project's, nearest first.
    pub local: Vec<PathBuf>,
    /// The project's, nearest first.
    pub project: Vec<PathBuf>,
    /// The user's own.
    pub user: Vec<PathBuf>,
}

/// The candidates for a command run at `cwd` in the workspace `root`: every folder from `cwd` up to `root`, or `cwd` alone when
/// it lies outside. All of them count, so that a file in a subfolder cannot hide a deny above it.
#[must_use]
pub fn places(cwd: &Path, root: &Path) -> Places {
    let folders: Vec<&Path> = if cwd.starts_with(root) {
        cwd.ancestors()
            .take_while(|folder| folder.starts_with(root))
            .collect()
    } else {
        vec![cwd]
    };
    let of = |names: &[&str; 2]| {
        folders
            .iter()
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .collect()
    };
    Places {
        managed: managed(),
        local: of(&LOCAL),
        project: of(&PROJECT),
        user: user(),
    }
}

/// The machine's files.
#[must_use]
pub(super) fn managed() -> Vec<PathBuf> {
    PROJECT
        .iter()
        .map(|name| Path::new("/etc/portcullis").join(name))
        .collect()
}

/// The user's files: `$XDG_CONFIG_HOME/portcullis/` (default `~/.config`), on macOS too.
fn user() -> Vec<PathBuf> {
    let Ok(base) = etcetera::base_strategy::Xdg::new() else {
        return Vec::new();
    };
    PROJECT
        .iter()
        .map(|name| base.config_dir().join("portcullis").join(name))
        .collect()
}
