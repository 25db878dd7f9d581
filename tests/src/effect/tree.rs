//! The throw-away tree that commands run in: a small project with a git repository, made afresh for each run of the suite.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

/// A tree on disk that goes when it is dropped.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
}

/// The files of the project: name and content.
const FILES: &[(&str, &str)] = &[
    ("f.txt", "foo\nbar\nbaz 1\n"),
    ("a.txt", "a 1\nb 2\nc 3\n"),
    ("b.txt", "b 2\nc 3\nd 4\n"),
    ("f.csv", "x,1,2\ny,3,4\n"),
    (
        "f.json",
        "{\"a\": {\"b\": [1, 2, 3]}, \"scripts\": {\"test\": \"true\"}}\n",
    ),
    ("f.yml", "jobs:\n  build: 1\n"),
    ("f.xml", "<a><b>1</b></a>\n"),
    ("f.md", "# title\n\ntext\n"),
    ("f.sh", "echo hi\n"),
    ("f.py", "print(1)\n"),
    ("f.c", "int main(void) { return 0; }\n"),
    ("list", "a.txt\nb.txt\n"),
    (
        "package.json",
        "{\"name\": \"app\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"true\"}}\n",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    ),
    ("Makefile", "all:\n\ttrue\n"),
    ("README.md", "# app\n"),
    ("src/main.rs", "fn main() {}\n// TODO foo\n"),
    ("src/lib.rs", "pub fn foo() {}\n"),
    ("sub/x.txt", "foo\n"),
];

impl Tree {
    /// Makes the tree.
    ///
    /// # Errors
    /// When a file cannot be written or git cannot make the repository.
    pub fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root =
            std::env::temp_dir().join(format!("portcullis-effect-{}-{number}", std::process::id()));
        let tree = Self { root };
        let app = tree.app();
        fs::create_dir_all(tree.home())?;
        for (name, content) in FILES {
            let path = app.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, content)?;
        }
        let script = "set -e; gzip -k a.txt; tar cf a.tar a.txt b.txt; tar czf a.tgz a.txt; git init -q -b main .; git add -A; git commit -qm one; echo x >> f.txt; git commit -qam two; git tag v1; git branch side; echo y >> f.txt";
        let done = Command::new("sh")
            .args(["-c", script])
            .current_dir(&app)
            .env("HOME", tree.home())
            .envs([
                ("GIT_AUTHOR_NAME", "u"),
                ("GIT_AUTHOR_EMAIL", "u@example.invalid"),
                ("GIT_COMMITTER_NAME", "u"),
                ("GIT_COMMITTER_EMAIL", "u@example.invalid"),
            ])
            .stdin(Stdio::null())
            .output()?;
        if done.status.success() {
            Ok(tree)
        } else {
            Err(io::Error::other(
                String::from_utf8_lossy(&done.stderr).into_owned(),
            ))
        }
    }

    /// The project folder on the host.
    #[must_use]
    pub fn app(&self) -> PathBuf {
        self.root.join("app")
    }

    /// The home folder on the host.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Room for traces on the host.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}
