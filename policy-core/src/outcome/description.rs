//! The text that tells a model what the shell tool is and how to use it well.

use alloc::{format, string::String};
use serde::Deserialize;

use crate::facts::Shell;

/// What the host has and how it is set up; the text follows from it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Tools {
    /// The shell that runs the commands.
    pub shell: Shell,
    /// Default time limit in milliseconds; 0 stands for 120,000.
    pub default_timeout: u64,
    /// Largest time limit in milliseconds; 0 stands for 600,000.
    pub max_timeout: u64,
    /// The name of the host's own tool to find files, if it has one.
    pub glob: Option<String>,
    /// The host has a tool to search in files.
    pub grep: Option<String>,
    /// The host has a tool to read files.
    pub read: Option<String>,
    /// The host has a tool to edit files.
    pub edit: Option<String>,
    /// The host has a tool to write files.
    pub write: Option<String>,
    /// Commands may go to the background.
    pub background: bool,
    /// Commands run in a sandbox.
    pub sandbox: bool,
    /// A command may ask to leave it.
    pub may_leave_sandbox: bool,
}

/// The description.
#[must_use]
pub fn description(tools: &Tools) -> String {
    let shell = match tools.shell {
        Shell::Bash => "bash",
        Shell::Zsh => "zsh",
        Shell::Sh => "sh",
    };
    let or = |value: u64, default: u64| if value == 0 { default } else { value };
    let (default, max) = (
        or(tools.default_timeout, 120_000),
        or(tools.max_timeout, 600_000),
    );
    let mut text = format!(
        "Runs a command in {shell} and gives its output back.\n\n\
         - Each command has a shell of its own: the working directory carries over to the next one, variables, \
         functions and options do not. Prefer absolute paths to `cd`.\n\
         - There is no terminal and no input: what asks a question fails. Use flags that answer it, and never an \
         interactive mode (`git rebase -i`, `git add -p`).\n\
         - The time limit is {default} ms unless you give `timeout`, at most {max} ms.\n\
         - stdout and stderr come back as one text, in order. Long output is kept in a file and cut here.\n",
    );
    let instead = [
        (&tools.glob, "to find files", "`find` or `ls`"),
        (&tools.grep, "to search in files", "`grep` or `rg`"),
        (&tools.read, "to read files", "`cat`, `head` or `tail`"),
        (&tools.edit, "to edit files", "`sed` or `awk`"),
        (
            &tools.write,
            "to write files",
            "`echo >` or a here-document",
        ),
    ];
    for (tool, purpose, commands) in instead {
        if let Some(tool) = tool {
            text.push_str(&format!("- Use {tool} {purpose}, not {commands}.\n"));
        }
    }
    if tools.background {
        text.push_str(
            "- `runInBackground` starts a command that goes on by itself: a server, a long build. You are told when it \
             ends; do not add `&`, and do not wait with `sleep`. A command that reaches its time limit goes on in the \
             background too.\n",
        );
    }
    if tools.sandbox {
        text.push_str(
            "- Commands run in a sandbox: they write only in the workspace and have no network of their own. A server \
             started inside ends with its command.\n",
        );
        text.push_str(match tools.may_leave_sandbox {
            true => {
                "- When the sandbox is what stopped a command, run it again with `dangerouslyDisableSandbox`; a person \
                 will be asked.\n"
            }
            false => "- No command can leave the sandbox.\n",
        });
    }
    text.push_str(
        "\nGit: commit and push only when asked to. Prefer a new commit to an amended one, leave hooks switched on, and do \
         not force a push to a shared branch. Use `gh` for what concerns GitHub.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_follows_the_host() {
        let plain = description(&Tools::default());
        assert!(
            plain.contains("in bash") && plain.contains("120000 ms") && plain.contains("600000 ms")
        );
        assert!(
            !plain.contains("runInBackground")
                && !plain.contains("sandbox")
                && !plain.contains("`grep`")
        );
        let full = description(&Tools {
            shell: Shell::Zsh,
            grep: Some("Search".into()),
            background: true,
            sandbox: true,
            ..Tools::default()
        });
        assert!(full.contains("in zsh") && full.contains("Use Search to search in files"));
        assert!(full.contains("runInBackground") && full.contains("No command can leave"));
    }
}
