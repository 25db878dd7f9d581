//! Gathers what the policy must know of the world: directories, platform, shell, the repository.
//!
//! By looking at files and variables, never by running anything. What cannot be found out stays missing, and the policy
//! takes the careful answer for it.

use std::{
    env,
    path::{Path, PathBuf},
};

use policy_core::facts::{Facts, Platform, Shell};

use super::git;

/// What the caller said; the rest is found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The working directory; the process's own when left out.
    pub cwd: Option<PathBuf>,
    /// Workspace roots; the repository's root, else the working directory, when empty.
    pub workspace: Vec<PathBuf>,
}

/// Facts for a command run at `given.cwd`, on this machine, now.
#[must_use]
pub fn gather(given: &Given) -> Facts {
    let cwd = match &given.cwd {
        Some(cwd) => std::path::absolute(cwd).ok(),
        None => env::current_dir().ok(),
    };
    let look = cwd.as_deref().map(git::look);
    let workspace = if given.workspace.is_empty() {
        let root = look.as_ref().and_then(|look| look.root.clone());
        root.or_else(|| cwd.clone()).into_iter().collect()
    } else {
        given
            .workspace
            .iter()
            .filter_map(|path| std::path::absolute(path).ok())
            .collect::<Vec<_>>()
    };
    Facts {
        cwd: cwd.as_deref().and_then(text),
        workspace: workspace.iter().filter_map(|path| text(path)).collect(),
        home: env::home_dir().as_deref().and_then(text),
        platform: platform(),
        shell: env::var("PORTCULLIS_SHELL")
            .or_else(|_| env::var("SHELL"))
            .map_or_else(|_| Shell::default(), |path| shell(&path)),
        git: look.map(|look| look.facts).unwrap_or_default(),
        ..Facts::default()
    }
}

/// The root for project settings: the repository's, else the directory itself.
#[must_use]
pub fn project_root(cwd: &Path) -> PathBuf {
    git::look(cwd).root.unwrap_or_else(|| cwd.to_owned())
}

const fn platform() -> Platform {
    if cfg!(target_os = "macos") {
        Platform::Macos
    } else if cfg!(windows) {
        Platform::Windows
    } else {
        Platform::Linux
    }
}

/// By the name of the program; what is neither zsh nor a plain sh is run by bash.
fn shell(path: &str) -> Shell {
    match Path::new(path).file_name().and_then(|name| name.to_str()) {
        Some("zsh") => Shell::Zsh,
        _ => Shell::Bash,
    }
}

/// Paths that are not UTF-8 cannot be told to the policy and count as missing.
fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_the_repository_else_the_directory() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let given = Given {
            cwd: Some(folder.path().to_owned()),
            workspace: Vec::new(),
        };
        let facts = gather(&given);
        assert_eq!(facts.cwd.as_deref(), folder.path().to_str());
        assert_eq!(facts.workspace, [folder.path().to_str().expect("UTF-8")]);
    }

    #[test]
    fn shells_are_told_by_name() {
        assert_eq!(shell("/usr/bin/zsh"), Shell::Zsh);
        assert_eq!(shell("/bin/bash"), Shell::Bash);
        assert_eq!(shell("/usr/bin/fish"), Shell::Bash);
    }
}
