//! Where the tools keep their rules: files that are there, each with the layer its rules belong to.

use std::{
    fs,
    path::{Path, PathBuf},
};

use policy_core::Layer;

use super::Vendor;

/// A file that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Whose it is.
    pub vendor: Vendor,
    /// The file.
    pub path: PathBuf,
    /// Where its rules count: a file of the project is written by whoever writes to the repository.
    pub layer: Layer,
}

/// A place: below the home folder (`~`) or the workspace (`.`), a file or every file of an ending in a folder.
const PLACES: &[(Vendor, Layer, &str)] = &[
    (Vendor::Claude, Layer::User, "~/.claude/settings.json"),
    (Vendor::Claude, Layer::Project, "./.claude/settings.json"),
    (
        Vendor::Claude,
        Layer::Local,
        "./.claude/settings.local.json",
    ),
    (Vendor::Codex, Layer::User, "~/.codex/rules/*.rules"),
    (Vendor::Codex, Layer::Project, "./.codex/rules/*.rules"),
    (Vendor::Gemini, Layer::User, "~/.gemini/settings.json"),
    (Vendor::Gemini, Layer::User, "~/.gemini/policies/*.toml"),
    (Vendor::Gemini, Layer::Project, "./.gemini/settings.json"),
    (Vendor::Gemini, Layer::Project, "./.gemini/policies/*.toml"),
    (
        Vendor::OpenCode,
        Layer::User,
        "~/.config/opencode/opencode.json",
    ),
    (
        Vendor::OpenCode,
        Layer::User,
        "~/.config/opencode/opencode.jsonc",
    ),
    (Vendor::OpenCode, Layer::Project, "./opencode.json"),
    (Vendor::OpenCode, Layer::Project, "./opencode.jsonc"),
    (
        Vendor::VsCode,
        Layer::User,
        "~/.config/Code/User/settings.json",
    ),
    (
        Vendor::VsCode,
        Layer::User,
        "~/Library/Application Support/Code/User/settings.json",
    ),
    (Vendor::VsCode, Layer::Project, "./.vscode/settings.json"),
];

/// The files of these vendors that are there.
#[must_use]
pub fn discover(vendors: &[Vendor], home: Option<&Path>, workspace: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    for (vendor, layer, place) in PLACES {
        if !vendors.contains(vendor) {
            continue;
        }
        let base = if place.starts_with('~') {
            home
        } else {
            Some(workspace)
        };
        let (Some(base), Some(rest)) = (base, place.get(2..)) else {
            continue;
        };
        for path in files(&base.join(rest)) {
            found.push(Found {
                vendor: *vendor,
                path,
                layer: *layer,
            });
        }
    }
    found
}

/// The file, or with `*` in its name every file of that ending, by name.
fn files(path: &Path) -> Vec<PathBuf> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let Some(ending) = name.strip_prefix('*') else {
        return if path.is_file() {
            vec![path.to_owned()]
        } else {
            Vec::new()
        };
    };
    let entries = path.parent().and_then(|folder| fs::read_dir(folder).ok());
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}
