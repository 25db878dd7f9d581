//! Where outputs, records and snapshots are kept: a private folder of the user.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;

/// The state folder.
#[derive(Debug)]
pub struct StateDir {
    path: PathBuf,
    temporary: Option<tempfile::TempDir>,
}

impl StateDir {
    /// The one that is named, or `PORTCULLIS_STATE_DIR`, or the user's own. If that cannot be written, a temporary
    /// one: everything works, but nothing outlives this host.
    pub fn open(named: Option<PathBuf>) -> io::Result<Self> {
        let wanted = named
            .or_else(|| {
                std::env::var_os("PORTCULLIS_STATE_DIR")
                    .filter(|dir| !dir.is_empty())
                    .map(PathBuf::from)
            })
            .or_else(|| {
                let strategy = etcetera::choose_base_strategy().ok()?;
                Some(
                    strategy
                        .state_dir()
                        .unwrap_or_else(|| strategy.data_dir())
                        .join("portcullis"),
                )
            });
        if let Some(path) = wanted.and_then(|path| std::path::absolute(path).ok()) {
            match prepare(&path) {
                Ok(()) => {
                    return Ok(Self {
                        path,
                        temporary: None,
                    });
                }
                // Without descriptors no folder will do, and a temporary one could not even be removed.
                Err(error) if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) => {
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        let temporary = tempfile::Builder::new().prefix("portcullis-").tempdir()?;
        prepare(temporary.path())?;
        Ok(Self {
            path: temporary.path().to_owned(),
            temporary: Some(temporary),
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// It goes with this host.
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// Outputs that were too long to give whole.
    pub fn results(&self) -> PathBuf {
        self.path.join("results")
    }

    /// Snapshots of login shells.
    pub fn snapshots(&self) -> PathBuf {
        self.path.join("snapshots")
    }
}

fn prepare(path: &Path) -> io::Result<()> {
    super::private_folder(path)?;
    let meta = fs::symlink_metadata(path)?;
    if !meta.is_dir() || meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    if meta.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    super::private_folder(&path.join("results"))?;
    tempfile::tempfile_in(path).map(drop)
}
