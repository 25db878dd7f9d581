//! Which variables are secrets, which change how a shell or a reading tool starts, and which are always set.
//!
//! Patterns have a `*` at an end or none at all, so that the same list serves here and inside a shell's `case`.

/// Set for every command: nothing waits for a person, nothing is held back, nothing colours for a terminal.
pub(super) const FIXED: &[(&str, &str)] = &[
    ("PORTCULLIS", "1"),
    ("GIT_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("GH_PAGER", "cat"),
    ("AWS_PAGER", ""),
    ("DELTA_PAGER", "cat"),
    ("BAT_PAGER", ""),
    // An editor that fails beats one that waits on a terminal that is not there.
    ("EDITOR", "false"),
    ("VISUAL", "false"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("TERM", "dumb"),
    // Python keeps back 8 KiB otherwise, which a stopped program takes with it.
    ("PYTHONUNBUFFERED", "1"),
];

/// Would change how the shell starts or reads, run code in it, or point git at another repository.
const SHELL_CHANGING: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "BASH_COMPAT",
    "BASH_XTRACEFD",
    "BASH_LOADABLES_PATH",
    "BASH_FUNC_*",
    "POSIXLY_CORRECT",
    "IFS",
    "PS4",
    "PROMPT_COMMAND",
    "CDPATH",
    "GLOBIGNORE",
    "EXECIGNORE",
    "FUNCNEST",
    "NULLCMD",
    "READNULLCMD",
    "LD_PRELOAD",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "GCONV_PATH",
    "LESSOPEN",
    "LESSCLOSE",
    "RIPGREP_CONFIG_PATH",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "GIT_ASKPASS",
    // Set by git for its hooks; a host started from one would work on that repository for ever.
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_EXTERNAL_DIFF",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_*",
    "GIT_CONFIG_VALUE_*",
];

/// Secrets by name: clouds, model providers, CI, registries, databases.
const SECRET: &[&str] = &[
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AZURE_CLIENT_CERTIFICATE_PATH",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CREDENTIALS",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "ACTIONS_RUNTIME_URL",
    "KUBECONFIG_DATA",
    "VAULT_TOKEN",
    "SSH_PRIVATE_KEY",
    "DOCKER_AUTH_CONFIG",
    "NPM_CONFIG__AUTH",
    "PGPASSWORD",
    "MYSQL_PWD",
    "REDISCLI_AUTH",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "*_API_KEY",
    "*_APIKEY",
    "*_ACCESS_KEY",
    "*_SECRET_KEY",
    "*_PRIVATE_KEY",
    "*_ENCRYPTION_KEY",
    "*_SIGNING_KEY",
    "*_KEY_BASE64",
    "*_TOKEN",
    "*_TOKENS",
    "*_PAT",
    "*_SECRET",
    "*_SECRETS",
    "*_PASSWORD",
    "*_PASSWD",
    "*_PASSPHRASE",
    "*_CREDENTIALS",
    "*_AUTHTOKEN",
    "*_AUTH_CONFIG",
    "*_CLIENT_SECRET",
    "*_CONNECTION_STRING",
    "*_CUSTOM_HEADERS",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSPHRASE",
    "API_KEY",
    "APIKEY",
];

/// Names that look like one of those and are none.
const NOT_SECRET: &[&str] = &[
    "CANCELLATION_TOKEN",
    "SSH_AUTH_SOCK",
    "XAUTHORITY",
    "GIT_CREDENTIALS",
];

/// Values that are secrets under whatever name: well-known prefixes of keys.
const VALUES: &[&str] = &[
    "sk-ant-",
    "sk-proj-",
    "sk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "npm_",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "-----BEGIN",
];

/// A secret, by its name (also as `INPUT_…`, the form in which CI passes it on) or by its value.
pub fn is_secret(name: &str, value: &[u8]) -> bool {
    let upper = name.to_ascii_uppercase();
    let bare = upper.strip_prefix("INPUT_").unwrap_or(&upper);
    if NOT_SECRET.contains(&bare) {
        return false;
    }
    SECRET.iter().any(|pattern| matches(pattern, bare)) || looks_secret(value)
}

fn looks_secret(value: &[u8]) -> bool {
    let long = value.len() >= 16;
    long && VALUES
        .iter()
        .any(|prefix| value.starts_with(prefix.as_bytes()))
        || has_password(value)
}

/// `scheme://user:password@host`
fn has_password(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else {
        return false;
    };
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    // Proxies are needed as they are; taking them out would cut the network off.
    if scheme.starts_with("http")
        || scheme.starts_with("socks")
        || scheme.contains(char::is_whitespace)
    {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority
        .rsplit_once('@')
        .and_then(|(user, _)| user.split_once(':'))
        .is_some_and(|(_, password)| !password.is_empty())
}

/// The names as a shell's `case` takes them.
pub fn scrub_patterns() -> Vec<String> {
    SECRET
        .iter()
        .flat_map(|pattern| [(*pattern).to_owned(), format!("INPUT_{pattern}")])
        .collect()
}

/// See [`SHELL_CHANGING`].
pub(super) fn changes_the_shell(name: &[u8]) -> bool {
    std::str::from_utf8(name)
        .is_ok_and(|name| SHELL_CHANGING.iter().any(|pattern| matches(pattern, name)))
}

fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.len() > end.len() && name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h09_secrets_and_what_only_looks_like_one() {
        for name in [
            "AWS_SECRET_ACCESS_KEY",
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GITHUB_TOKEN",
            "INPUT_GITHUB_TOKEN",
            "NPM_TOKEN",
            "NODE_AUTH_TOKEN",
            "ACTIONS_RUNTIME_TOKEN",
            "AZURE_CLIENT_SECRET",
            "DB_PASSWORD",
            "npm_config__auth",
        ] {
            assert!(is_secret(name, b"x"), "{name}");
        }
        for name in [
            "SSH_AUTH_SOCK",
            "XAUTHORITY",
            "KEYBOARD",
            "MONKEY",
            "TOKENIZERS_PARALLELISM",
            "PATH",
            "KEY",
            "COMPAT",
            "PASSWORD_STORE_DIR",
        ] {
            assert!(!is_secret(name, b"x"), "{name}");
        }
    }

    #[test]
    fn values_give_secrets_away() {
        assert!(is_secret("X", b"ghp_0123456789abcdef0123"));
        assert!(is_secret("DATABASE_URL", b"postgres://u:p@host/db"));
        assert!(!is_secret("DATABASE_URL", b"postgres://host/db"));
        assert!(!is_secret("https_proxy", b"http://u:p@proxy:3128"));
        assert!(!is_secret("X", b"npm_"));
    }
}
