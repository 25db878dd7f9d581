//! The lists: paths that hold credentials, and paths that gain execution later.
//!
//! A pattern is a run of path components that may stand anywhere in the path; `*` matches within one component. A
//! pattern that begins with `/` is absolute, one that begins with `~/` is under the home folder; whatever lies under a
//! match matches too.

use alloc::vec::Vec;

use super::index::Index;
use crate::facts::Platform;

/// Reading these is not free.
const SENSITIVE: &[&str] = &[
    // Keys and credential stores.
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".oci",
    ".password-store",
    ".config/gcloud",
    ".config/gh",
    ".config/glab-cli",
    ".config/rclone",
    ".config/op",
    ".config/sops",
    ".config/doctl",
    ".config/hub",
    ".docker/config.json",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".git-credentials",
    ".config/git/credentials",
    ".pypirc",
    "~/.npmrc",
    "~/.yarnrc.yml",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".terraform.d/credentials.tfrc.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".htpasswd",
    ".databrickscfg",
    ".snowflake",
    ".config/stripe",
    ".fly/config.yml",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ppk",
    "privkey*.pem",
    "*-key.pem",
    "*_key.pem",
    "private*.pem",
    // Secrets of a project, by the names people give them.
    "secret",
    "secrets",
    "secret.*",
    "secrets.*",
    "credentials",
    "credentials.json",
    ".env",
    ".env.*",
    ".envrc",
    ".dev.vars",
    // Keyrings, browser profiles, wallets, mail.
    ".local/share/keyrings",
    ".local/share/kwalletd",
    "Library/Keychains",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome*",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge*",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox",
    "Library/Cookies",
    "Library/Mail",
    "Library/Messages",
    ".bitcoin",
    ".ethereum",
    ".electrum",
    "AppData/Local/Google/Chrome",
    "AppData/Roaming/Mozilla",
    "AppData/Roaming/Microsoft/Credentials",
    "AppData/Local/Microsoft/Credentials",
    // What was typed.
    ".bash_history",
    ".zsh_history",
    ".zhistory",
    ".sh_history",
    ".histfile",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".node_repl_history",
    ".rediscli_history",
    ".local/share/fish/fish_history",
    // The machine.
    "/etc/shadow*",
    "/etc/gshadow*",
    "/etc/master.passwd",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssl/private",
    "/etc/ssh/ssh_host_*_key",
    "/etc/kubernetes",
    "/etc/krb5.keytab",
    "/run/secrets",
    "/var/run/secrets",
    "/proc/*/environ",
    "/proc/*/mem",
    "/proc/*/task/*/environ",
    "/proc/*/root",
    "/proc/*/cwd",
    "/proc/*/fd",
    "/proc/kcore",
    "/dev/mem",
    "/dev/kmem",
    "/dev/sd*",
    "/dev/nvme*",
    "/dev/disk*",
    "/dev/rdisk*",
];

/// Not sensitive although a pattern above says so.
const NOT_SENSITIVE: &[&str] = &[
    "*.pub",
    ".ssh/known_hosts",
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.defaults",
    ".env.*.example",
    "/proc/*/fd/0",
    "/proc/*/fd/1",
    "/proc/*/fd/2",
];

/// Writing these always asks.
const PROTECTED: &[&str] = &[
    // Shells read them.
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".config/fish",
    ".inputrc",
    ".envrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    // Git runs them.
    ".git",
    ".gitconfig",
    ".config/git",
    ".gitmodules",
    ".husky",
    ".pre-commit-config.yaml",
    ".lefthook.yml",
    "lefthook.yml",
    // CI runs them.
    ".github/workflows",
    ".github/actions",
    ".gitlab-ci.yml",
    ".circleci",
    ".travis.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    ".buildkite",
    ".drone.yml",
    ".woodpecker.yml",
    ".woodpecker",
    "appveyor.yml",
    ".appveyor.yml",
    ".cirrus.yml",
    // Editors run them.
    ".vscode",
    ".idea",
    ".vimrc",
    ".gvimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".vim",
    ".config/nvim",
    ".emacs",
    ".emacs.d",
    ".config/emacs",
    ".dir-locals.el",
    ".editorconfig-exec",
    // The machine starts them.
    ".config/systemd",
    ".config/autostart",
    ".local/share/systemd",
    "Library/LaunchAgents",
    "Library/LaunchDaemons",
    "crontab",
    "Start Menu/Programs/Startup",
    // Keys that let others in.
    ".ssh",
    ".gnupg",
    ".aws",
    ".kube",
    ".netrc",
    ".docker",
    // Tools read them and run what they name.
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pypirc",
    ".config/pip",
    ".cargo/config",
    ".cargo/config.toml",
    ".gemrc",
    ".irbrc",
    ".pythonrc",
    ".mavenrc",
    ".gradle/init.d",
    ".tmux.conf",
    ".screenrc",
    ".curlrc",
    ".wgetrc",
    ".gdbinit",
    ".lldbinit",
    ".psqlrc",
    ".sqliterc",
    ".direnvrc",
    // Agents' own settings.
    ".claude",
    ".claude.json",
    ".cursor",
    ".codex",
    ".gemini",
    ".qwen",
    ".continue",
    ".windsurf",
    ".aider.conf.yml",
    ".mcp.json",
    ".portcullis",
    "portcullis.toml",
    "portcullis.json",
    ".config/portcullis",
    // Programs.
    "~/bin",
    "~/.local/bin",
    "~/.cargo/bin",
    "~/go/bin",
    "/bin",
    "/sbin",
    "/usr",
    "/lib",
    "/lib64",
    "/boot",
    "/etc",
    "/opt",
    "/sys",
    "/proc",
    "/dev",
    "/var/spool",
    "/Library",
    "/System",
    "/Applications",
    "C:/Windows",
    "C:/Program Files*",
];

/// Devices that keep nothing.
const HARMLESS_DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/zero",
    "/dev/full",
    "/dev/fd/1",
    "/dev/fd/2",
    "/proc/self/fd/1",
    "/proc/self/fd/2",
    "NUL",
];

const SENSITIVE_INDEX: Index<{ SENSITIVE.len() }> = Index::new(SENSITIVE);
const NOT_SENSITIVE_INDEX: Index<{ NOT_SENSITIVE.len() }> = Index::new(NOT_SENSITIVE);
const PROTECTED_INDEX: Index<{ PROTECTED.len() }> = Index::new(PROTECTED);

/// Whether reading the normalised path gives away credentials. `whole`: it is all of the path.
#[must_use]
pub(super) fn is_sensitive(path: &str, home: Option<&str>, whole: bool) -> bool {
    any(&SENSITIVE_INDEX, path, home, whole, false)
        && !(whole && any(&NOT_SENSITIVE_INDEX, path, home, true, false))
}

/// Whether a path of which only a shape is known (`*` is any text) names credentials by what is known of it.
///
/// Any shape could become any path; it counts when a component spells a listed name out (`*/.ssh/x`, `*.key`), when it
/// begins one and leaves less than half of it open (`id_*sa`), or when it stands for dotted names (`.*`), some of which
/// are listed. `*.env` is a file of somebody's environment as likely as not, so it does not.
#[must_use]
pub(super) fn is_sensitive_shape(shape: &str) -> bool {
    let spells = |parts: &[&str], patterns: &[&str]| {
        patterns
            .iter()
            .filter(|pattern| !pattern.starts_with(['/', '~']))
            .any(|pattern| {
                let wanted: Vec<&str> = pattern.split('/').collect();
                parts.windows(wanted.len()).any(|window| {
                    window
                        .iter()
                        .zip(&wanted)
                        .all(|(part, wanted)| spells_out(part, wanted))
                })
            })
    };
    let parts: Vec<&str> = shape.split('/').collect();
    let exempt = parts
        .last()
        .is_some_and(|last| !last.contains('*') && spells(&[last], NOT_SENSITIVE));
    spells(&parts, SENSITIVE) && !exempt
}

/// Whether the component `part`, in which `*` is any text, is or spells most of the listed component.
fn spells_out(part: &str, wanted: &str) -> bool {
    if !part.contains('*') {
        return matches(wanted, part, false);
    }
    // What of the listed name is sure to be there.
    let sure = wanted.replace('*', "");
    let literal = part.len() - part.matches('*').count();
    let dotted = part.starts_with('.') && sure.starts_with('.');
    let begins = !part.starts_with('*') || wanted.starts_with('*');
    begins && (dotted || literal * 2 > sure.len()) && literal > 0 && glob_matches(part, &sure)
}

/// Whether `text` is one that `pattern` stands for; `*` is any text.
fn glob_matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or("");
    for piece in pieces {
        match text.find(piece) {
            Some(at) => text = text.get(at + piece.len()..).unwrap_or(""),
            None => return false,
        }
    }
    text.ends_with(last)
}

/// Whether writing the normalised path gains execution later.
#[must_use]
pub(super) fn is_protected(
    path: &str,
    home: Option<&str>,
    platform: Platform,
    whole: bool,
) -> bool {
    // File systems of macOS and Windows take `.GIT` for `.git`; so does nobody's honest project on Linux.
    let fold = platform != Platform::Linux || path.contains(".G");
    !is_harmless_device(path) && any(&PROTECTED_INDEX, path, home, whole, fold)
}

/// `/dev/null` and its kin: writing there keeps nothing.
#[must_use]
pub(super) fn is_harmless_device(path: &str) -> bool {
    HARMLESS_DEVICES.contains(&path)
}

fn any<const N: usize>(
    index: &Index<N>,
    path: &str,
    home: Option<&str>,
    whole: bool,
    fold: bool,
) -> bool {
    let under = |patterns: &[&str], from: &str| {
        let floating = patterns.iter().filter(|it| !it.starts_with(['/', '~']));
        floating
            .into_iter()
            .any(|pattern| begins(pattern, from, whole, fold))
    };
    let anchored = index.unkeyed().iter().any(|pattern| {
        if let Some(rest) = pattern.strip_prefix("~/") {
            return home
                .and_then(|home| path.strip_prefix(home.trim_end_matches('/')))
                .and_then(|under| under.strip_prefix('/'))
                .is_some_and(|under| begins(rest, under, whole, fold));
        }
        pattern.strip_prefix('/').is_some_and(|rest| {
            path.strip_prefix('/')
                .is_some_and(|under| begins(rest, under, whole, fold))
        })
    });
    if anchored {
        return true;
    }
    let mut from = path.trim_start_matches('/');
    loop {
        // A search by bytes is the faster one on texts this short.
        let slash = from.bytes().position(|byte| byte == b'/');
        let parted = slash.and_then(|at| Some((from.get(..at)?, from.get(at + 1..)?)));
        // Of the last component of a path that goes on only a beginning is known.
        let keyed = match parted {
            Some((first, _)) => index.of(first),
            None if whole => index.of(from),
            None => index.keyed(),
        };
        if under(keyed, from) || under(index.unkeyed(), from) {
            return true;
        }
        match parted {
            Some((_, rest)) => from = rest,
            None => return false,
        }
    }
}

/// Whether `path` begins with the components of `pattern`. When the path is not whole, its last component is only a
/// beginning, and matches what it may become.
fn begins(pattern: &str, path: &str, whole: bool, fold: bool) -> bool {
    // Asked for every pattern there is: nearly all part at the first letter.
    if let (Some(wanted), Some(letter)) = (pattern.bytes().next(), path.bytes().next())
        && wanted != b'*'
        && !wanted.eq_ignore_ascii_case(&letter)
    {
        return false;
    }
    let mut parts = path.split('/').peekable();
    for wanted in pattern.split('/') {
        let Some(part) = parts.next() else {
            return false;
        };
        let last = parts.peek().is_none();
        let open = last && !whole;
        if open {
            // `.e*` could be `.env`; an empty beginning says nothing.
            return part.len() > 1 && wanted.starts_with(part);
        }
        if !matches(wanted, part, fold) {
            return false;
        }
    }
    true
}

fn matches(pattern: &str, part: &str, fold: bool) -> bool {
    let same = |left: &str, right: &str| {
        if fold {
            left.eq_ignore_ascii_case(right)
        } else {
            left == right
        }
    };
    match pattern.split_once('*') {
        None => same(pattern, part),
        Some((start, end)) => {
            let (end, _) = end.split_once('*').unwrap_or((end, ""));
            part.len() >= start.len() + end.len()
                && part
                    .get(..start.len())
                    .is_some_and(|text| same(text, start))
                && part
                    .get(part.len().saturating_sub(end.len())..)
                    .is_some_and(|text| same(text, end))
        }
    }
}
