//! Where paths lie: inside, outside, sensitive, protected, critical; by name and by the facts.

use super::*;

fn facts() -> Facts {
    Facts {
        cwd: Some("/w/app".into()),
        workspace: alloc::vec!["/w/app".into()],
        home: Some("/home/u".into()),
        ..Facts::default()
    }
}

fn at(text: &str, effect: Effect) -> Place {
    place(&Value::Exact(text.into()), effect, &Cwd::Initial, &facts())
}

#[test]
fn paths_are_normalised_textually() {
    assert_eq!(normalise("/a/./b/../c//d/"), "/a/c/d");
    assert_eq!(normalise("/../.."), "/");
    assert_eq!(normalise("../a/../../b"), "../../b");
    assert_eq!(normalise("."), "");
}

#[test]
fn inside_and_outside() {
    assert_eq!(at("src/main.rs", Effect::Write), Place::Inside);
    assert_eq!(at("/w/app/x", Effect::Write), Place::Inside);
    assert_eq!(at("/w/apple/x", Effect::Write), Place::Outside);
    assert_eq!(at("../x", Effect::Write), Place::Outside);
    assert_eq!(at("src/../../x", Effect::Write), Place::Outside);
    assert_eq!(
        place(
            &Value::Prefix("src/".into()),
            Effect::Write,
            &Cwd::Initial,
            &facts()
        ),
        Place::Outside,
        "the unknown rest may hold `..`"
    );
    assert_eq!(
        place(
            &Value::Exact("x".into()),
            Effect::Write,
            &Cwd::Unknown,
            &facts()
        ),
        Place::Outside
    );
}

#[test]
fn credentials_are_sensitive_to_read() {
    for path in [
        "/home/u/.ssh/id_rsa",
        "~/.aws/credentials",
        ".env",
        ".env.local",
        "config/.env.production",
        "/proc/self/environ",
        "/proc/1/environ",
        "/home/u/.netrc",
        "/etc/shadow",
        "../../home/u/.ssh/id_ed25519",
        "/home/u/.bash_history",
        "server.key",
    ] {
        assert_eq!(at(path, Effect::Read), Place::Sensitive, "{path}");
    }
    for path in [
        ".env.example",
        "src/environ.c",
        "/home/u/.ssh/id_rsa.pub",
        "/etc/passwd",
        "env",
        "keys.md",
        ".envrc.md",
    ] {
        assert_ne!(at(path, Effect::Read), Place::Sensitive, "{path}");
    }
    let glob = Value::Many("/home/u/.ssh/".into());
    assert_eq!(
        place(&glob, Effect::Read, &Cwd::Initial, &facts()),
        Place::Sensitive
    );
}

#[test]
fn what_runs_later_is_protected() {
    for path in [
        "~/.bashrc",
        "/home/u/.zshrc",
        ".git/hooks/pre-commit",
        ".git/config",
        ".gitmodules",
        ".github/workflows/ci.yml",
        ".vscode/tasks.json",
        "/etc/cron.d/x",
        "~/.config/systemd/user/x.service",
        "~/.ssh/authorized_keys",
        ".claude/settings.json",
        "/usr/local/bin/x",
        "sub/.git/config",
        "~/.local/bin/x",
        ".envrc",
    ] {
        assert_eq!(at(path, Effect::Write), Place::Protected, "{path}");
        assert_eq!(at(path, Effect::Delete), Place::Protected, "{path}");
    }
    for path in [
        "src/hooks/x",
        ".gitignore",
        "README.md",
        "/tmp/x",
        ".github/CODEOWNERS",
    ] {
        assert_ne!(at(path, Effect::Write), Place::Protected, "{path}");
    }
}

#[test]
fn losses_that_cannot_be_mended() {
    for path in [
        "/", "/usr", "/home", "/home/u", "~", "~/", ".", "..", "/w", "/w/app", "/w/app/", "./",
        "../..", "//",
    ] {
        assert_eq!(at(path, Effect::Delete), Place::Critical, "{path}");
    }
    for path in ["build", "/tmp/foo", "./node_modules", "/home/u/x"] {
        assert_ne!(at(path, Effect::Delete), Place::Critical, "{path}");
    }
}

#[test]
fn unc_names_have_a_host_and_a_share() {
    assert!(is_unc("//server/share/x"));
    assert!(is_unc("\\\\server\\share"));
    assert!(!is_unc("//"));
    assert!(!is_unc("//comment"));
    assert!(!is_unc("///x/y"));
    assert!(!is_unc("/usr//bin"));
}
