//! The git guard: is the repository git would use here what it seems, and what would its configuration run?
//!
//! Looks at files only and never runs git. Walks up from the working directory as git does; a shape that could lead git
//! to a repository made by somebody else's files (a bare repository inside a work tree, a foreign `gitdir:`) is
//! [`GitState::Suspicious`]. The user's own `~/.gitconfig` and `/etc/gitconfig` are theirs and are not read.

use std::{
    ffi::OsStr,
    fs,
    path::{Component, Path, PathBuf},
};

use policy_core::facts::{GitFacts, GitState};

use super::{
    gitconfig::{executing, included, parse},
    gitindex::gitlinks,
};

/// Longest `.git` file; git's own are a line.
const GITFILE_LIMIT: u64 = 32 << 10;
/// Longest configuration file that is read.
const CONFIG_LIMIT: u64 = 1 << 20;
/// Largest index that is read.
const INDEX_LIMIT: u64 = 256 << 20;
/// Deepest chain of includes, as in git.
const INCLUDE_DEPTH: usize = 10;
/// Deepest chain of repositories within repositories.
const NESTING: usize = 8;
/// Variables that lead git to another repository than the one found by walking.
const LEADING: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
];

/// What git would meet in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Look {
    /// For the policy.
    pub(super) facts: GitFacts,
    /// The work tree's root, when an ordinary repository was found.
    pub(super) root: Option<PathBuf>,
}

/// Looks from `cwd` upward.
pub(super) fn look(cwd: &Path) -> Look {
    if LEADING.iter().any(|name| std::env::var_os(name).is_some()) {
        return Look::of(GitState::Unknown);
    }
    walk(cwd)
}

fn walk(cwd: &Path) -> Look {
    for folder in cwd.ancestors() {
        let dot = folder.join(".git");
        match fs::symlink_metadata(&dot) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return Look::of(GitState::Unknown),
            Ok(meta) => {
                let dir = if meta.is_dir() {
                    (is_repository(&dot) && !dot.join("commondir").exists()).then_some(dot)
                } else if meta.is_symlink() {
                    fs::canonicalize(&dot)
                        .ok()
                        .filter(|target| is_repository(target) && elsewhere(target, folder))
                } else {
                    follow(&dot).filter(|target| elsewhere(target, folder))
                };
                return match dir {
                    Some(dir) => Look {
                        facts: GitFacts {
                            state: GitState::Trusted,
                            executing_keys: keys(&dir, folder),
                        },
                        root: Some(folder.to_owned()),
                    },
                    None => Look::of(GitState::Suspicious),
                };
            }
        }
        if half_bare(folder) {
            return Look::of(GitState::Suspicious);
        }
    }
    Look::of(GitState::None)
}

impl Look {
    fn of(state: GitState) -> Self {
        Self {
            facts: GitFacts {
                state,
                executing_keys: Vec::new(),
            },
            root: None,
        }
    }
}

/// What git asks of a repository: a HEAD that could be one, folders `objects` and `refs`.
fn is_repository(dir: &Path) -> bool {
    let enterable = |name: &str| fs::read_dir(dir.join(name)).is_ok();
    head(&dir.join("HEAD")) && enterable("objects") && enterable("refs")
}

fn head(file: &Path) -> bool {
    let Some(text) = read(file, GITFILE_LIMIT) else {
        return false;
    };
    let text = text.trim_end();
    match text.strip_prefix("ref:") {
        Some(name) => name.trim_start().starts_with("refs/"),
        None => matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit()),
    }
}

/// A folder that is, or is one file short of being, a repository itself: git would use its configuration. A lone
/// folder `objects` or `refs` is an everyday name and no repository.
fn half_bare(folder: &Path) -> bool {
    let has = |name: &str| fs::symlink_metadata(folder.join(name)).is_ok();
    let parts = [has("HEAD"), has("objects"), has("refs")];
    parts.iter().filter(|part| **part).count() >= 2
}

/// The repository that a `.git` file names: a linked work tree's or a submodule's.
fn follow(file: &Path) -> Option<PathBuf> {
    let text = read(file, GITFILE_LIMIT)?;
    let target = text.strip_prefix("gitdir:")?.trim();
    if target.is_empty() || target.contains(['\0', '\n']) {
        return None;
    }
    let target = fs::canonicalize(file.parent()?.join(target)).ok()?;
    head(&target.join("HEAD")).then_some(target)
}

/// Not inside the work tree, where whatever is unpacked or cloned lies, and under a `.git`.
fn elsewhere(target: &Path, tree: &Path) -> bool {
    let tree = fs::canonicalize(tree).unwrap_or_else(|_| tree.to_owned());
    let named = |path: &Path| {
        path.components()
            .any(|part| part == Component::Normal(OsStr::new(".git")))
    };
    named(target) && !target.starts_with(&tree)
}

/// Every executing key of the configuration of the repository `dir` with the work tree `tree`, and of the repositories in
/// it that git would look into, sorted.
fn keys(dir: &Path, tree: &Path) -> Vec<String> {
    let mut found = Vec::new();
    Repository { dir, tree }.keys(&mut found, 0);
    found.sort();
    found.dedup();
    found
}

/// A repository and its work tree.
#[derive(Clone, Copy)]
struct Repository<'a> {
    dir: &'a Path,
    tree: &'a Path,
}

impl Repository<'_> {
    fn keys(self, found: &mut Vec<String>, depth: usize) {
        let common = match read(&self.dir.join("commondir"), GITFILE_LIMIT) {
            Some(path) => self.dir.join(path.trim_end_matches(['\r', '\n'])),
            None => self.dir.to_owned(),
        };
        self.file_keys(&common.join("config"), found, 0);
        // Read whether or not `extensions.worktreeConfig` is set: an unused file costs at most a question.
        for folder in [self.dir, &common] {
            let file = folder.join("config.worktree");
            if file.exists() {
                self.file_keys(&file, found, 0);
            }
        }
        // Refreshing the index, which reading commands do, runs this hook.
        if common.join("hooks/post-index-change").exists() {
            found.push("core.hooksPath".to_owned());
        }
        self.nested_keys(found, depth);
    }

    /// The keys of submodules and embedded clones: `git status` and `git diff` start git in each of them. An index that
    /// cannot be read is reported as the key `index`.
    fn nested_keys(self, found: &mut Vec<String>, depth: usize) {
        for file in self.index_files() {
            let Ok(meta) = fs::metadata(&file) else {
                continue;
            };
            let links = (meta.len() <= INDEX_LIMIT)
                .then(|| fs::read(&file).ok())
                .flatten()
                .and_then(|bytes| gitlinks(&bytes));
            let Some(links) = links.filter(|links| links.is_empty() || depth < NESTING) else {
                found.push("index".to_owned());
                continue;
            };
            for link in links {
                let Some(tree) = path_of(link).map(|path| self.tree.join(path)) else {
                    found.push("index".to_owned());
                    continue;
                };
                let dot = tree.join(".git");
                // git looks into it wherever its `.git` leads; without one it is not checked out.
                let dir = match fs::metadata(&dot) {
                    Err(_) => None,
                    Ok(meta) if meta.is_dir() => Some(dot),
                    Ok(_) => follow(&dot),
                };
                if let Some(dir) = dir {
                    let nested = Repository {
                        dir: &dir,
                        tree: &tree,
                    };
                    nested.keys(found, depth + 1);
                }
            }
        }
    }

    /// The index; a split one keeps most of its entries in a file beside it.
    fn index_files(self) -> Vec<PathBuf> {
        let beside = fs::read_dir(self.dir).into_iter().flatten().flatten();
        let shared = beside.filter(|entry| {
            let name = entry.file_name();
            name.to_string_lossy().starts_with("sharedindex.")
        });
        std::iter::once(self.dir.join("index"))
            .chain(shared.map(|entry| entry.path()))
            .collect()
    }

    /// What cannot be read is reported as the key `include`: nobody knows what it says.
    fn file_keys(self, file: &Path, found: &mut Vec<String>, depth: usize) {
        let entries = read(file, CONFIG_LIMIT).and_then(|text| parse(&text));
        let (Some(entries), true) = (entries, depth < INCLUDE_DEPTH) else {
            found.push("include".to_owned());
            return;
        };
        for entry in &entries {
            found.extend(executing(entry).filter(|key| {
                // Every submodule's repository names the folder it is checked out in.
                key != "core.worktree" || !self.is_tree(&entry.value)
            }));
            if let Some(path) = included(entry) {
                match resolve(path, file) {
                    // git passes over an include that is not there.
                    Some(path) if fs::symlink_metadata(&path).is_err() => {}
                    Some(path) => self.file_keys(&path, found, depth + 1),
                    None => found.push("include".to_owned()),
                }
            }
        }
    }

    fn is_tree(self, path: &str) -> bool {
        let named = fs::canonicalize(self.dir.join(path));
        let tree = fs::canonicalize(self.tree);
        matches!((named, tree), (Ok(named), Ok(tree)) if named == tree)
    }
}

/// A path of the index as one of this system.
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt as _;
        Some(std::ffi::OsString::from_vec(bytes).into())
    }
    #[cfg(not(unix))]
    {
        String::from_utf8(bytes).ok().map(PathBuf::from)
    }
}

/// The path of an include; `~/` is the home directory, `~user` and `%(prefix)` are not followed.
fn resolve(path: &str, from: &Path) -> Option<PathBuf> {
    if let Some(rest) = path.strip_prefix("~/") {
        return Some(PathBuf::from(std::env::var_os("HOME")?).join(rest));
    }
    (!path.starts_with(['~', '%'])).then(|| from.parent().map(|dir| dir.join(path)))?
}

/// A regular file's text, when it is no longer than `limit` and UTF-8 without NUL.
fn read(file: &Path, limit: u64) -> Option<String> {
    let meta = fs::metadata(file).ok()?;
    if !meta.is_file() || meta.len() > limit {
        return None;
    }
    let text = fs::read_to_string(file).ok()?;
    (!text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a temporary folder"))
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn file(&self, name: &str, text: &str) -> &Self {
            let path = self.path(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, text).expect("written");
            self
        }

        fn folder(&self, name: &str) -> &Self {
            fs::create_dir_all(self.path(name)).expect("made");
            self
        }

        /// A repository as `git init` makes it.
        fn repository(&self, dir: &str, config: &str) -> &Self {
            self.file(&format!("{dir}/HEAD"), "ref: refs/heads/main\n")
                .file(&format!("{dir}/config"), config)
                .folder(&format!("{dir}/objects"))
                .folder(&format!("{dir}/refs"))
        }

        fn look(&self, cwd: &str) -> (GitState, Vec<String>) {
            let look = walk(&self.path(cwd));
            (look.facts.state, look.facts.executing_keys)
        }
    }

    const CLEAN: &str = "[core]\n\tbare = false\n";

    #[test]
    fn an_ordinary_repository_is_trusted_from_any_depth() {
        let tree = Tree::new();
        tree.repository("w/.git", CLEAN).folder("w/src/deep");
        assert_eq!(tree.look("w"), (GitState::Trusted, vec![]));
        assert_eq!(tree.look("w/src/deep"), (GitState::Trusted, vec![]));
        assert_eq!(walk(&tree.path("w/src")).root, Some(tree.path("w")));
    }

    #[test]
    fn a_bare_repository_on_the_way_is_suspicious() {
        let tree = Tree::new();
        tree.repository("w/.git", CLEAN)
            .repository("w/sub", CLEAN)
            .folder("w/sub/x");
        assert_eq!(tree.look("w/sub").0, GitState::Suspicious);
        assert_eq!(tree.look("w/sub/x").0, GitState::Suspicious);
        // One file short of one; the other half may come any moment.
        tree.folder("w/half/objects").folder("w/half/refs");
        assert_eq!(tree.look("w/half").0, GitState::Suspicious);
        tree.folder("w/game/objects");
        assert_eq!(tree.look("w/game").0, GitState::Trusted);
    }

    #[test]
    fn a_git_folder_that_is_no_repository_is_suspicious() {
        let tree = Tree::new();
        tree.folder("w/.git");
        assert_eq!(tree.look("w").0, GitState::Suspicious);
        tree.repository("v/.git", CLEAN)
            .file("v/.git/commondir", "../../evil\n");
        assert_eq!(tree.look("v").0, GitState::Suspicious);
        tree.repository("u/.git", CLEAN)
            .file("u/.git/HEAD", "nonsense\n");
        assert_eq!(tree.look("u").0, GitState::Suspicious);
    }

    #[test]
    fn gitdir_files_are_followed_where_git_makes_them() {
        let tree = Tree::new();
        tree.repository("main/.git", "[core]\nfsmonitor = x\n")
            .file("main/.git/worktrees/t/HEAD", "ref: refs/heads/t\n")
            .file("main/.git/worktrees/t/commondir", "../..\n")
            .file(
                "t/.git",
                &format!("gitdir: {}\n", tree.path("main/.git/worktrees/t").display()),
            );
        assert_eq!(
            tree.look("t"),
            (GitState::Trusted, vec!["core.fsmonitor".to_owned()])
        );
        tree.repository("w/evil/.git", CLEAN)
            .file("w/.git", "gitdir: evil/.git\n");
        assert_eq!(
            tree.look("w").0,
            GitState::Suspicious,
            "inside the work tree"
        );
        tree.folder("w/src");
        assert_eq!(
            tree.look("w/src").0,
            GitState::Suspicious,
            "seen from below too"
        );
        tree.repository("bare", CLEAN)
            .file("v/.git", "gitdir: ../bare\n");
        assert_eq!(
            tree.look("v").0,
            GitState::Suspicious,
            "no .git in the path"
        );
        tree.file("u/.git", &"x".repeat(40 << 10));
        assert_eq!(tree.look("u").0, GitState::Suspicious);
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_git_folder_is_held_to_the_same() {
        let tree = Tree::new();
        tree.repository("w/evil/.git", CLEAN)
            .repository("other/.git", CLEAN)
            .folder("v");
        std::os::unix::fs::symlink("evil/.git", tree.path("w/.git")).expect("linked");
        assert_eq!(tree.look("w").0, GitState::Suspicious);
        std::os::unix::fs::symlink("../other/.git", tree.path("v/.git")).expect("linked");
        assert_eq!(tree.look("v").0, GitState::Trusted);
    }

    #[test]
    fn includes_are_followed_and_unreadable_ones_reported() {
        let tree = Tree::new();
        tree.repository("w/.git", "[include]\n\tpath = ../more\n")
            .file("w/more", "[core]\n\tpager = ./x\n");
        assert_eq!(
            tree.look("w"),
            (GitState::Trusted, vec!["core.pager".to_owned()])
        );
        tree.file("w/more", "[include]\n\tpath = more\n");
        assert_eq!(tree.look("w").1, ["include"], "a circle ends");
        tree.file("w/more", "[core");
        assert_eq!(tree.look("w").1, ["include"]);
        tree.repository("v/.git", "[include]\npath = missing\n");
        assert_eq!(tree.look("v").1, Vec::<String>::new());
        tree.repository("u/.git", "[include]\npath = ~other/x\n");
        assert_eq!(tree.look("u").1, ["include"]);
    }

    #[test]
    fn the_work_trees_own_configuration_and_hook_count() {
        let tree = Tree::new();
        tree.repository("w/.git", CLEAN)
            .file("w/.git/config.worktree", "[diff]\nexternal = x\n")
            .file("w/.git/hooks/post-index-change", "#!/bin/sh\n");
        assert_eq!(tree.look("w").1, ["core.hooksPath", "diff.external"]);
    }
}
