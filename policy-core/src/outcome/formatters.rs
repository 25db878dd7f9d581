//! Commands that may rewrite files an agent has read, and what to tell it.

use alloc::{format, string::String};

use super::Step;

/// Programs that rewrite files in place when they are called without more.
const PROGRAMS: [&str; 14] = [
    "black",
    "isort",
    "autopep8",
    "yapf",
    "gofmt",
    "goimports",
    "rustfmt",
    "clang-format",
    "prettier",
    "rubocop",
    "ktlint",
    "swiftformat",
    "stylua",
    "shfmt",
];

/// Subcommands that do.
const SUBCOMMANDS: [(&str, &str); 11] = [
    ("cargo", "fmt"),
    ("cargo", "fix"),
    ("go", "fmt"),
    ("go", "fix"),
    ("terraform", "fmt"),
    ("tofu", "fmt"),
    ("deno", "fmt"),
    ("ruff", "format"),
    ("biome", "format"),
    ("mix", "format"),
    ("dart", "format"),
];

/// Flags that make a checker rewrite.
const FLAGS: [&str; 8] = [
    "--write",
    "--fix",
    "--in-place",
    "--inplace",
    "--auto-correct",
    "--autocorrect",
    "--autofix",
    "--apply",
];

/// One of the commands may have rewritten files.
#[must_use]
pub fn may_reformat(steps: &[Step]) -> bool {
    steps.iter().any(|step| {
        let mut words = step
            .argv
            .iter()
            .map_while(|word| word.as_deref())
            .peekable();
        // `npx prettier`, `uv run black`, `bundle exec rubocop`
        while words.next_if(|word| RUNNERS.contains(word)).is_some() {}
        let Some(name) = words.next().and_then(|name| name.rsplit('/').next()) else {
            return false;
        };
        let next = words.next();
        PROGRAMS.contains(&name)
            || next.is_some_and(|next| SUBCOMMANDS.contains(&(name, next)))
            || matches!(name, "sed" | "perl") && in_place(step)
            || step.argv.iter().flatten().any(|word| {
                FLAGS
                    .iter()
                    .any(|flag| word == flag || word.starts_with(&format!("{flag}=")))
            })
    })
}

const RUNNERS: [&str; 12] = [
    "npx", "bunx", "pnpm", "yarn", "npm", "exec", "run", "uv", "uvx", "poetry", "bundle", "dlx",
];

fn in_place(step: &Step) -> bool {
    step.argv
        .iter()
        .flatten()
        .any(|word| word.starts_with("-i") || word == "-pi" || word.starts_with("-pi"))
}

/// What the agent is told about files it has read and that changed since; at most five are named.
#[must_use]
pub fn changed_files_note<'a>(paths: impl ExactSizeIterator<Item = &'a str>) -> Option<String> {
    let count = paths.len();
    if count == 0 {
        return None;
    }
    let mut text = match count {
        1 => String::from("[This command changed 1 file that you have read: "),
        _ => format!("[This command changed {count} files that you have read: "),
    };
    for (place, path) in paths.take(5).enumerate() {
        if place > 0 {
            text.push_str(", ");
        }
        text.push_str(path);
    }
    if count > 5 {
        text.push_str(&format!(" and {} more", count.saturating_sub(5)));
    }
    text.push_str(". Read them again before you edit them.]");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::list, *};

    #[test]
    fn formatters_by_program_subcommand_and_flag() {
        for text in [
            "black .",
            "cargo fmt",
            "cd x && go fmt ./...",
            "npx prettier a.js",
            "npx eslint --fix src",
            "terraform fmt",
            "sed -i s/a/b/ f",
            "pnpm exec biome check --apply=all",
            "uv run ruff format",
        ] {
            assert!(may_reformat(&list(text)), "{text}");
        }
        for text in ["cargo test", "ls", "sed -n 1p f", "git diff", "eslint src"] {
            assert!(!may_reformat(&list(text)), "{text}");
        }
    }

    #[test]
    fn five_are_named() {
        let note = changed_files_note(["a", "b", "c", "d", "e", "f"].into_iter()).unwrap();
        assert_eq!(
            note,
            "[This command changed 6 files that you have read: a, b, c, d, e and 1 more. Read them again before you edit them.]"
        );
        assert_eq!(changed_files_note([].into_iter()), None);
    }
}
