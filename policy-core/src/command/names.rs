//! Variables by name: which may be exported without a thought, which change what later commands run, which are plain.
//!
//! The lists come from the manuals of the shells and tools. An unknown name is plain for the shell alone; exported
//! it is not, since any program may look at it.

use crate::facts::Shell;

/// What setting a variable means for later commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Influence {
    /// Locale, colour, CI switches: no program runs or writes anything because of it.
    Harmless,
    /// A name the text made up for itself.
    Plain,
    /// The shell or a well-known program looks at it.
    Influential,
}

/// The influence of a variable by its name.
pub(super) fn influence(name: &str, shell: Shell) -> Influence {
    if HARMLESS.contains(&name) || name.starts_with("LC_") {
        return Influence::Harmless;
    }
    let influential = SHELL.contains(&name)
        || LOWER.contains(&name)
        || (shell == Shell::Zsh && ZSH.contains(&name))
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || (name.bytes().all(|byte| !byte.is_ascii_lowercase())
            && SUFFIXES.iter().any(|suffix| name.ends_with(suffix)));
    if influential {
        Influence::Influential
    } else {
        Influence::Plain
    }
}

/// Whether this value makes an otherwise influential variable harmless: `GIT_PAGER=cat`.
pub(crate) fn is_harmless_value(name: &str, value: Option<&str>) -> bool {
    match name {
        "PAGER" | "GIT_PAGER" | "MANPAGER" | "GH_PAGER" | "AWS_PAGER" | "DELTA_PAGER"
        | "BAT_PAGER" | "SYSTEMD_PAGER" => matches!(value, Some("" | "cat")),
        "GIT_TERMINAL_PROMPT" | "GIT_OPTIONAL_LOCKS" => matches!(value, Some("0" | "1")),
        "GIT_EDITOR" | "EDITOR" | "VISUAL" => matches!(value, Some("true" | ":" | "false")),
        _ => false,
    }
}

/// A name that can be assigned: letters, digits, underscore.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Whether the shell evaluates what is assigned to it as arithmetic (`declare -p RANDOM` shows `-i`).
pub(super) fn is_integer(name: &str, shell: Shell) -> bool {
    matches!(
        name,
        "RANDOM"
            | "SRANDOM"
            | "SECONDS"
            | "LINENO"
            | "HISTCMD"
            | "OPTIND"
            | "EPOCHSECONDS"
            | "BASHPID"
    ) || (shell == Shell::Zsh
        && matches!(
            name,
            "COLUMNS"
                | "LINES"
                | "HISTSIZE"
                | "SAVEHIST"
                | "SHLVL"
                | "FUNCNEST"
                | "KEYTIMEOUT"
                | "LISTMAX"
                | "MAILCHECK"
                | "TMOUT"
                | "LOGCHECK"
                | "BAUD"
                | "DIRSTACKSIZE"
                | "TRY_BLOCK_ERROR"
                | "TRY_BLOCK_INTERRUPT"
                | "UID"
                | "EUID"
                | "GID"
                | "EGID"
                | "CURRENT"
                | "CURSOR"
                | "MARK"
                | "PENDING"
                | "ERRNO"
                | "PPID"
        ))
}

/// Whether the shell gives it values of its own, so that an assignment tells nothing.
pub(super) fn is_dynamic(name: &str) -> bool {
    matches!(
        name,
        "_" | "RANDOM"
            | "SRANDOM"
            | "SECONDS"
            | "LINENO"
            | "HISTCMD"
            | "EPOCHSECONDS"
            | "EPOCHREALTIME"
            | "BASHPID"
            | "UID"
            | "EUID"
            | "PPID"
            | "GROUPS"
            | "FUNCNAME"
            | "DIRSTACK"
            | "PIPESTATUS"
            | "OPTARG"
            | "OPTIND"
            | "HOSTTYPE"
            | "MACHTYPE"
            | "OSTYPE"
            | "SHLVL"
            | "COLUMNS"
            | "LINES"
            | "REPLY"
            | "MAPFILE"
            | "COPROC"
    ) || name.starts_with("BASH")
}

const HARMLESS: &[&str] = &[
    "LANG",
    "LANGUAGE",
    "TZ",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM",
    "CI",
    "COLUMNS",
    "LINES",
    "DEBIAN_FRONTEND",
    "NODE_ENV",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "PYTHONHASHSEED",
    "CARGO_TERM_COLOR",
    "GREP_COLOR",
    "GREP_COLORS",
    "LS_COLORS",
    "TIME_STYLE",
    "QUOTING_STYLE",
    "BLOCK_SIZE",
    "BLOCKSIZE",
    "SOURCE_DATE_EPOCH",
    "HOMEBREW_NO_AUTO_UPDATE",
    "NEXT_TELEMETRY_DISABLED",
    "DO_NOT_TRACK",
    "OPTIND",
    "REPLY",
];

/// What bash, dash and the loader look at.
const SHELL: &[&str] = &[
    "PATH",
    "IFS",
    "HOME",
    "PWD",
    "OLDPWD",
    "ENV",
    "CDPATH",
    "SHELLOPTS",
    "BASHOPTS",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PROMPT_COMMAND",
    "PROMPT_DIRTRIM",
    "GLOBIGNORE",
    "GLOBSORT",
    "FIGNORE",
    "EXECIGNORE",
    "INPUTRC",
    "HISTFILE",
    "HISTFILESIZE",
    "HISTSIZE",
    "HISTCONTROL",
    "HISTIGNORE",
    "HISTTIMEFORMAT",
    "MAIL",
    "MAILPATH",
    "MAILCHECK",
    "POSIXLY_CORRECT",
    "TIMEFORMAT",
    "TMOUT",
    "TMPDIR",
    "TMP",
    "TEMP",
    "FUNCNEST",
    "SHELL",
    "FCEDIT",
    "FPATH",
    "HOSTFILE",
    "COMP_WORDBREAKS",
    "COMPREPLY",
    "DIRSTACK",
    "auto_resume",
    "histchars",
    "TERMCAP",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERMPATH",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "BROWSER",
    "LOCPATH",
    "NLSPATH",
    "GCONV_PATH",
    "MALLOC_TRACE",
    "RES_OPTIONS",
    "HOSTALIASES",
    "RESOLV_HOST_CONF",
    "TZDIR",
    "KSH_VERSION",
    "MANPATH",
    "MANOPT",
    "MANROFFOPT",
    "TAR_OPTIONS",
    "TAPE",
    "GZIP",
    "BZIP2",
    "XZ_OPT",
    "XZ_DEFAULTS",
    "ZSTD_CLEVEL",
    "JQ_COLORS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "RANLIB",
    "CFLAGS",
    "CXXFLAGS",
    "MAKE",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "CLASSPATH",
    "RSYNC_RSH",
    "CVS_RSH",
    "SVN_SSH",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "KRB5_CONFIG",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "HGRCPATH",
    "HGPLAIN",
    "EMAIL",
    "LOGNAME",
    "USER",
    "USERNAME",
    "HOSTNAME",
    "TERM_PROGRAM",
    "VIRTUAL_ENV",
    "WATCHDOG_PID",
];

/// Names in small letters that programs look at.
const LOWER: &[&str] = &[
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "no_proxy",
    "rsync_proxy",
];

/// What zsh ties to its own state or runs.
const ZSH: &[&str] = &[
    // Its value is run as arguments of `stty` before each command that a terminal waits for.
    "STTY",
    "NULLCMD",
    "READNULLCMD",
    "ZDOTDIR",
    "path",
    "fpath",
    "cdpath",
    "manpath",
    "mailpath",
    "module_path",
    "fignore",
    "prompt",
    "PROMPT",
    "PROMPT2",
    "PROMPT3",
    "PROMPT4",
    "RPROMPT",
    "RPS1",
    "SPROMPT",
    "WORDCHARS",
    "watch",
    "psvar",
    "argv",
    "functions",
    "aliases",
    "galiases",
    "saliases",
    "dis_functions",
    "dis_aliases",
    "commands",
    "builtins",
    "options",
    "parameters",
    "modules",
    "nameddirs",
    "userdirs",
    "chpwd_functions",
    "precmd_functions",
    "preexec_functions",
    "periodic_functions",
    "zshexit_functions",
    "zsh_directory_name_functions",
    "status",
    "histchars",
    "keymap",
    "signals",
];

/// Families of names.
const PREFIXES: &[&str] = &[
    "LD_",
    "DYLD_",
    "GIT_",
    "BASH_",
    "ZSH_",
    "PYTHON",
    "NODE_",
    "NPM_",
    "npm_config_",
    "YARN_",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "LESS",
    "MAN_",
    "GREP_",
    "RIPGREP_",
    "FZF_",
    "FD_",
    "BAT_",
    "KUBE",
    "DOCKER_",
    "BUILDKIT_",
    "COMPOSE_",
    "AWS_",
    "AZURE_",
    "ARM_",
    "GOOGLE_",
    "CLOUDSDK_",
    "GCLOUD_",
    "GH_",
    "GITHUB_",
    "GLAB_",
    "GO",
    "CGO_",
    "CARGO_",
    "RUSTC_",
    "RUSTUP_",
    "RUSTFLAGS",
    "JAVA_",
    "_JAVA",
    "JDK_",
    "MAVEN_",
    "GRADLE_",
    "SSH_",
    "XDG_",
    "CURL_",
    "WGET",
    "PIP_",
    "UV_",
    "POETRY_",
    "CONDA_",
    "PG",
    "MYSQL_",
    "TF_",
    "TERRAFORM_",
    "ANSIBLE_",
    "VAULT_",
    "HELM_",
    "MAKE",
    "CMAKE_",
    "GLIBC_",
    "MALLOC_",
    "ELECTRON_",
    "DENO_",
    "BUN_",
    "PNPM_",
    "COREPACK_",
    "SYSTEMD_",
    "VIM",
    "EMACS",
    "NVIM_",
    "TMUX",
    "LUA_",
    "PHP",
    "R_",
    "JULIA_",
    "TERRAGRUNT_",
    "SQLITE_",
    "HOMEBREW_",
    "VALGRIND_",
    "GDB",
    "ASAN_",
    "LSAN_",
    "UBSAN_",
    "TSAN_",
    "QT_",
    "GTK_",
];

/// Endings of names in capitals.
const SUFFIXES: &[&str] = &[
    "_OPTIONS",
    "_OPTS",
    "_ARGS",
    "FLAGS",
    "_CONFIG",
    "_CONFIG_PATH",
    "_CONFIG_FILE",
    "_PATH",
    "_PAGER",
    "EDITOR",
    "_COMMAND",
    "_CMD",
    "_PROXY",
    "_RSH",
    "_WRAPPER",
    "_LAUNCHER",
    "_PRELOAD",
    "_EXEC",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn influence_by_name() {
        for (name, expected) in [
            ("LC_ALL", Influence::Harmless),
            ("NO_COLOR", Influence::Harmless),
            ("x", Influence::Plain),
            ("DIR", Influence::Plain),
            ("path", Influence::Plain),
            ("PATH", Influence::Influential),
            ("LD_PRELOAD", Influence::Influential),
            ("GIT_SSH_COMMAND", Influence::Influential),
            ("https_proxy", Influence::Influential),
            ("RIPGREP_CONFIG_PATH", Influence::Influential),
            ("MY_TOOL_OPTIONS", Influence::Influential),
            ("KUBECONFIG", Influence::Influential),
        ] {
            assert_eq!(influence(name, Shell::Bash), expected, "{name}");
        }
        assert_eq!(influence("path", Shell::Zsh), Influence::Influential);
    }
}
