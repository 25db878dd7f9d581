//! Variables set before a command → harmless, or able to change what runs.
//!
//! Two lists. The first is of variables that only change language, colour, width or verbosity: they may stand before
//! anything. The second is of names that change which code runs, what is read as options, or where files are
//! written. A name on neither may stand before a plain text tool, which cannot know it; before git, package
//! managers, cloud tools and everything else with configuration of its own only the first list passes.

use super::model::Why;
use crate::{
    command::{is_harmless_value, model::Assign},
    diagnostic::Code,
};

use alloc::format;

/// Harmless everywhere. `*` at the end stands for any rest.
const HARMLESS: &[&str] = &[
    // Language and time zone: glibc refuses locale names with `/`.
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    // Colour and width.
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM",
    "COLUMNS",
    "LINES",
    "CARGO_TERM_COLOR",
    // What kind of run it is: read by programs, never a path or a command.
    "CI",
    "NODE_ENV",
    "DEBIAN_FRONTEND",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    // Verbosity on standard error.
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_LIB_BACKTRACE",
];

/// Influential whatever the command.
const INFLUENTIAL: &[&str] = &[
    // Which file a name means, and what is loaded into it.
    "PATH",
    "LD_*",
    "DYLD_*",
    "GLIBC_*",
    "GCONV_PATH",
    "LOCPATH",
    "NLSPATH",
    "EXECIGNORE",
    "MANPATH",
    "MAGIC",
    "*PATH",
    // The shell itself.
    "BASH*",
    "ENV",
    "IFS",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "SHELL",
    "SHELLOPTS",
    "STTY",
    "CDPATH",
    "GLOBIGNORE",
    "PROMPT_*",
    "ZDOTDIR",
    "FPATH",
    "HIST*",
    "INPUTRC",
    "OPTIND",
    "MAIL",
    "TMOUT",
    "FCEDIT",
    // How options are read: with POSIXLY_CORRECT the `-c` of `uniq in -c` is an output file.
    "POSIX*",
    "_*",
    "*OPTIONS",
    "*OPTS",
    "*_OPT",
    "*FLAGS",
    "*DEFAULTS",
    "GZIP",
    "BZIP",
    "BZIP2",
    "ZIPOPT",
    "UNZIP",
    "ZIPINFO",
    "UNZIPOPT",
    "MANOPT",
    "LESS*",
    "MORE",
    "GREP_OPTION*",
    "RIPGREP_*",
    "BAT_*",
    "FZF_*",
    "SKIM_*",
    "ACK*",
    "MLR*",
    "EXIFTOOL_*",
    "FFREPORT",
    "GNUPGHOME",
    "HADOLINT_*",
    "YAMLLINT_*",
    "PANDOC_*",
    "GHCRTS",
    "BC_ENV_ARGS",
    "_ZO_*",
    "XML_CATALOG_FILES",
    "FD_*",
    "TAR_*",
    "TAPE",
    "XZ_*",
    "ZSTD_*",
    // Programs that are started.
    "*PAGER",
    "*EDITOR",
    "VISUAL",
    "BROWSER",
    "*_COMMAND",
    "*_PROGRAM",
    "*ASKPASS",
    "*_SHELL",
    "*_CMD",
    "*_EXEC",
    "*_RSH",
    "*_WRAPPER",
    "*_HOOK",
    "*_HOOKS",
    "CC",
    "CXX",
    "LD",
    "AR",
    "AS",
    "CPP",
    "FC",
    // Where configuration and state are found.
    "HOME",
    "XDG_*",
    "TMPDIR",
    "TMP",
    "TEMP",
    "TERMINFO*",
    "TERMCAP",
    "*_CONFIG*",
    "*CONFIG",
    "*_HOME",
    "*_DIR",
    "*_FILE",
    "*_ROOT",
    "*_PREFIX",
    // Whole families.
    "GIT_*",
    "SSH_*",
    "GPG_*",
    "GNUPG*",
    "PYTHON*",
    "NODE_*",
    "NPM_*",
    "PERL*",
    "RUBY*",
    "GEM*",
    "BUNDLE*",
    "JAVA*",
    "JDK*",
    "CLASSPATH",
    "GO*",
    "CARGO*",
    "RUSTC*",
    "RUSTUP*",
    "RUSTDOC*",
    "MAKE*",
    "AWK*",
    "GAWK*",
    "AWS_*",
    "KUBE*",
    "DOCKER_*",
    "PG*",
    "MYSQL*",
    "SQLITE*",
    "OPENSSL*",
    "SSL_*",
    "CURL_*",
    "WGET*",
    "NIX_*",
    "DOTNET*",
    "COMPLUS_*",
    "CORECLR_*",
    "DENO_*",
    "BUN_*",
    "YARN_*",
    "PNPM_*",
    "PIP_*",
    "UV_*",
    "VIRTUAL_ENV",
    "CONDA*",
    "LUA*",
    "TCL*",
    "PHP*",
    "R_*",
    "JULIA*",
    "ELECTRON_*",
    // Where requests go.
    "*PROXY",
    "HOSTALIASES",
    "RES_OPTIONS",
    "LOCALDOMAIN",
    "XML_*",
    "SGML_*",
    "DISPLAY",
    "DBUS_*",
    // Write a file as a side effect.
    "MALLOC_*",
    "GCOV_*",
    "LLVM_*",
    "*SAN_*",
    "*TRACE*",
    "*LOG_FILE",
    "*_LOG",
];

/// Judges the assignments before a command `tool`. `plain`: it is a text tool without configuration of its own.
pub(super) fn judge(assignments: &[Assign], tool: &str, plain: bool) -> Result<(), Why> {
    let harmless = |assign: &&Assign| {
        passes(&assign.name, plain)
            // It says where `read` parts the line, and nothing else while `read` runs.
            || (assign.name == "IFS" && tool == "read")
            || is_harmless_value(&assign.name, assign.value.exact())
    };
    match assignments.iter().find(|assign| !harmless(assign)) {
        None => Ok(()),
        Some(assign) => Err(refusal(&assign.name, assign.span)),
    }
}

/// Whether a variable of this name may be set.
#[must_use]
pub(super) fn passes(name: &str, plain: bool) -> bool {
    HARMLESS.iter().any(|pattern| fits(pattern, name))
        || (plain && !INFLUENTIAL.iter().any(|pattern| fits(pattern, name)))
}

/// Whether this is a plain variable name.
#[must_use]
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Why an assignment to `name` is refused.
#[must_use]
pub(super) fn refusal(name: &str, span: crate::span::Span) -> Why {
    Why {
        code: Code::CommandAssignment,
        message: format!("setting `{name}` may change what the command runs or where it writes"),
        span,
    }
}

/// Case does not matter: npm and curl read lower-case names too.
fn fits(pattern: &str, name: &str) -> bool {
    // Most patterns part with the first letter, or the last.
    let parts = |wanted: Option<&u8>, letter: Option<&u8>| match (wanted, letter) {
        (Some(b'*'), _) | (None, _) | (_, None) => false,
        (Some(wanted), Some(letter)) => !wanted.eq_ignore_ascii_case(letter),
    };
    let (wanted, letters) = (pattern.as_bytes(), name.as_bytes());
    if parts(wanted.first(), letters.first()) || parts(wanted.last(), letters.last()) {
        return false;
    }
    let (start, rest) = match pattern.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let (end, middle) = match rest.strip_suffix('*') {
        Some(middle) => (true, middle),
        None => (false, rest),
    };
    let (name, middle) = (name.as_bytes(), middle.as_bytes());
    let same = |part: &[u8]| part.eq_ignore_ascii_case(middle);
    match (start, end) {
        (false, false) => same(name),
        (false, true) => name.get(..middle.len()).is_some_and(same),
        (true, false) => name
            .len()
            .checked_sub(middle.len())
            .and_then(|from| name.get(from..))
            .is_some_and(same),
        (true, true) => name.windows(middle.len().max(1)).any(same),
    }
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn locale_and_colour_pass_everywhere() {
        for name in [
            "LC_ALL",
            "LANG",
            "NO_COLOR",
            "NODE_ENV",
            "RUST_BACKTRACE",
            "TZ",
        ] {
            assert!(passes(name, false), "{name}");
        }
    }

    #[test]
    fn unknown_names_pass_only_before_plain_tools() {
        for name in ["FOO", "A", "BAZ", "build_id"] {
            assert!(passes(name, true), "{name}");
            assert!(!passes(name, false), "{name}");
        }
    }

    #[test]
    fn influential_names_never_pass() {
        for name in [
            "PATH",
            "LD_PRELOAD",
            "BASH_ENV",
            "GIT_PAGER",
            "PAGER",
            "MANPAGER",
            "NODE_OPTIONS",
            "npm_config_registry",
            "https_proxy",
            "TAR_OPTIONS",
            "PERL5OPT",
            "PERL5LIB",
            "RIPGREP_CONFIG_PATH",
            "LESSOPEN",
            "KUBECONFIG",
            "POSIXLY_CORRECT",
            "GREP_OPTIONS",
            "IFS",
            "HOME",
            "MALLOC_TRACE",
            "GIT_TRACE",
            "PS4",
            "_JAVA_OPTIONS",
            "GOFLAGS",
            "FZF_DEFAULT_COMMAND",
            "CDPATH",
        ] {
            assert!(!passes(name, true), "{name}");
        }
    }
}
