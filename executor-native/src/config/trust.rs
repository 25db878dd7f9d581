//! Which project files may loosen anything: those whose content the user has trusted.
//!
//! A project's file is written by whoever writes to the repository, the agent included. Its deny and ask rules count at once; its
//! allow rules and loosening settings count only while the file is byte for byte what the user trusted.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy as _;
use sha2::{Digest as _, Sha256};

use super::ConfigFault;

/// The user's list of trusted contents: a line `HASH  PATH` each.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    lines: BTreeSet<String>,
}

impl Trust {
    /// Reads the user's list; none when there is none or it cannot be read.
    #[must_use]
    pub fn open() -> Self {
        let lines = list()
            .and_then(|path| fs::read_to_string(path).ok())
            .unwrap_or_default();
        Self {
            lines: lines.lines().map(ToOwned::to_owned).collect(),
        }
    }

    /// A list of these files with these contents.
    #[cfg(test)]
    pub(super) fn for_test(files: &[(&Path, &str)]) -> Self {
        Self {
            lines: files.iter().map(|(path, text)| line(path, text)).collect(),
        }
    }

    /// Whether this file was trusted with this content.
    #[must_use]
    pub fn holds(&self, path: &Path, text: &str) -> bool {
        self.lines.contains(&line(path, text))
    }
}

/// Trusts a file as it is now.
///
/// # Errors
/// When the file is not a valid configuration, or the list cannot be written.
pub fn trust(path: &Path) -> Result<(), ConfigFault> {
    let Some((_, text)) = super::read(path)? else {
        return Err(ConfigFault::new(path, "there is no such file"));
    };
    let Some(list) = list() else {
        return Err(
            ConfigFault::new(path, "there is no home folder to remember it in").help("set HOME"),
        );
    };
    let mut trust = Trust::open();
    trust
        .lines
        .retain(|line| !line.ends_with(&format!("  {}", place(path).display())));
    trust.lines.insert(line(path, &text));
    let content: String = trust.lines.iter().map(|line| format!("{line}\n")).collect();
    save(&list, &content)
        .map_err(|error| ConfigFault::new(&list, format!("cannot be written: {error}")))
}

fn list() -> Option<PathBuf> {
    etcetera::base_strategy::Xdg::new()
        .ok()
        .map(|base| base.data_dir().join("portcullis/trusted"))
}

fn place(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn line(path: &Path, text: &str) -> String {
    let hash: String = Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{hash}  {}", place(path).display())
}

fn save(path: &Path, content: &str) -> io::Result<()> {
    use std::io::Write as _;
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
