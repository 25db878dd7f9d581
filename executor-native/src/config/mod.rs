//! Configuration: files on disk to the layers of one policy.
//!
//! `discover` says where files may be, `read` turns one into a [`File`] or an error with a position, `trust` keeps which project
//! files may loosen anything, `write` changes a file without losing a comment. Loading is all or
//! nothing: one bad file and no command is judged by the rest.

mod discover;
mod edit;
mod fault;
mod file;
mod merge;
mod read;
mod schema;
mod trust;
mod write;

use std::path::{Path, PathBuf};

pub use discover::{Places, places};
pub use fault::ConfigFault;
pub use file::File;
pub use policy_core::Layer;
pub use read::read;
pub use schema::schema;
pub use trust::{Trust, trust};
pub use write::{Change, RuleList, write};

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its layer.
    pub layer: Layer,
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub file: File,
    /// Its text, for positions.
    pub text: String,
    /// Its allow rules and loosening settings count. Always so but for project and local files, which the user has
    /// to have trusted as they are now.
    pub trusted: bool,
}

/// Every file that counts, the strongest layer first.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// In order of their layers; nearer project files before farther ones.
    pub sources: Vec<Source>,
}

/// Reads every configuration file that counts for a command run at `cwd` inside `root`.
///
/// # Errors
/// Every fault of every file: unreadable, not valid, unknown keys, wrong types.
pub fn load(cwd: &Path, root: &Path) -> Result<Loaded, Vec<ConfigFault>> {
    load_from(&places(cwd, root), &Trust::open())
}

/// As [`load`], from one file that takes the place of the project's and user's own (`--config`).
///
/// # Errors
/// As [`load`].
pub fn load_only(path: &Path) -> Result<Loaded, Vec<ConfigFault>> {
    let mut places = Places {
        managed: discover::managed(),
        ..Places::default()
    };
    places.user = vec![path.to_owned()];
    if !path.exists() {
        return Err(vec![
            ConfigFault::new(path, "there is no such file")
                .help("name an existing file, or leave `--config` out"),
        ]);
    }
    load_from(&places, &Trust::open())
}

/// The machine's own files alone, which no flag can leave out.
///
/// # Errors
/// As [`load`].
pub fn load_managed() -> Result<Loaded, Vec<ConfigFault>> {
    let places = Places {
        managed: discover::managed(),
        ..Places::default()
    };
    load_from(&places, &Trust::open())
}

fn load_from(places: &Places, trusted: &Trust) -> Result<Loaded, Vec<ConfigFault>> {
    let mut loaded = Loaded::default();
    let mut faults = Vec::new();
    for (layer, paths) in [
        (Layer::Managed, &places.managed),
        (Layer::Local, &places.local),
        (Layer::Project, &places.project),
        (Layer::User, &places.user),
    ] {
        for path in paths {
            match read(path) {
                Ok(None) => {}
                Ok(Some((file, text))) => {
                    let needs_trust = matches!(layer, Layer::Local | Layer::Project);
                    let trusted = !needs_trust || trusted.holds(path, &text);
                    loaded.sources.push(Source {
                        layer,
                        path: path.clone(),
                        file,
                        text,
                        trusted,
                    });
                }
                Err(fault) => faults.push(fault),
            }
        }
    }
    if faults.is_empty() {
        Ok(loaded)
    } else {
        Err(faults)
    }
}

#[cfg(test)]
mod tests;
