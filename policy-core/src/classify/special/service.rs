//! Words of service and package tools that the tables cannot tell apart: secrets in a listing, another host in a name.
//!
//! Sources: kubectl, aws, gcloud, az and npm reference pages; peers' advisories on credentials shown by reading verbs.

use alloc::{format, vec::Vec};

use super::super::{check::CheckInput, model::Why};
use crate::{
    command::model::{Arg, Value},
    diagnostic::Code,
    effect::Touch,
};

/// What a check ends with.
pub(super) type Outcome = Result<Vec<Touch>, Why>;

/// A refusal for one word: `WORD what`.
pub(super) fn refuse(arg: &Arg, what: &str) -> Why {
    let word = arg.value.known_prefix();
    let message = if word.is_empty() {
        format!("this word {what}")
    } else {
        format!("`{word}` {what}")
    };
    Why {
        code: Code::CommandOperand,
        message,
        span: arg.span,
    }
}

/// The arguments after the command name.
fn words<'a>(input: &CheckInput<'a>) -> impl Iterator<Item = &'a Arg> {
    input.invocation.argv.iter().skip(1)
}

/// The operands of the subcommand.
fn operands<'a>(input: &CheckInput<'a>) -> impl Iterator<Item = &'a Arg> {
    let argv = &input.invocation.argv;
    input
        .parsed
        .operands
        .iter()
        .filter_map(move |&index| argv.get(index))
}

/// `kubectl get`: secrets pass by name only; an output format that shows their content, or a resource that is
/// not known beside one, does not.
pub(super) fn kubectl(input: &CheckInput<'_>) -> Outcome {
    let shows = input.parsed.all("-o --output --template").find(|option| {
        let format = option
            .value
            .as_ref()
            .map_or("", |value| value.known_prefix());
        option.name == "--template" || !matches!(format, "wide" | "name")
    });
    if shows.is_none() {
        return Ok(Vec::new());
    }
    for arg in operands(input) {
        let Some(text) = arg.value.exact() else {
            return Err(refuse(
                arg,
                "is only known when it runs and may be a secret",
            ));
        };
        // `secret`, `secrets`, `secret.v1.`, `pod,secret`, `secret/name`; `secretstores` and kin are other kinds.
        let secret = text.split(',').any(|kind| {
            let kind = kind.split(['/', '.']).next().unwrap_or(kind);
            kind.eq_ignore_ascii_case("secret") || kind.eq_ignore_ascii_case("secrets")
        });
        if secret {
            return Err(refuse(arg, "shows the content of secrets in this format"));
        }
    }
    Ok(Vec::new())
}

/// Options of aws that turn a reading verb into one that shows secrets or reads the request from elsewhere.
pub(super) fn aws(input: &CheckInput<'_>) -> Outcome {
    for arg in words(input) {
        match &arg.value {
            Value::Exact(text) => {
                let secret = [
                    "--with-",
                    "--include-value",
                    "--show-secret",
                    "--include-secret",
                ]
                .iter()
                .any(|start| text.starts_with(start));
                if secret {
                    return Err(refuse(arg, "shows secrets"));
                }
                if [
                    "--endpoint",
                    "--cli-input",
                    "--no-verify",
                    "--ca-",
                    "--cli-auto",
                ]
                .iter()
                .any(|start| text.starts_with(start))
                {
                    return Err(refuse(
                        arg,
                        "sends the request elsewhere, or reads it from a file",
                    ));
                }
                // `file://` and `fileb://` values are read and sent.
                if text.contains("file://") || text.contains("fileb://") {
                    return Err(refuse(arg, "sends the content of a file"));
                }
            }
            // A value that begins like a name cannot be an option; anything else may.
            other if other.may_be_option(false) => {
                return Err(refuse(
                    arg,
                    "is only known when it runs and may be an option that acts",
                ));
            }
            _ => {}
        }
    }
    Ok(Vec::new())
}

/// Group words under which a listing holds credentials.
const CREDENTIALS: &[&str] = &[
    "key",
    "keys",
    "secret",
    "secrets",
    "credential",
    "credentials",
    "connection-string",
    "connection-strings",
    "access-token",
    "token",
    "tokens",
    "password",
    "sas",
    "publishing-profile",
    "publishing-credentials",
];

fn no_credentials(input: &CheckInput<'_>) -> Outcome {
    let argv = &input.invocation.argv;
    for arg in argv.iter().take(input.parsed.start).skip(1) {
        if arg
            .value
            .exact()
            .is_some_and(|word| CREDENTIALS.contains(&word))
        {
            return Err(refuse(arg, "names credentials"));
        }
    }
    Ok(Vec::new())
}

/// `az … list|show`: groups of credentials are refused.
pub(super) fn az(input: &CheckInput<'_>) -> Outcome {
    no_credentials(input)?;
    no_acting_verb(input)
}

/// Groups of gcloud below the first level whose names are no plurals.
const GROUPS: &str = "managed unmanaged fleet hub docker composite ssl os-config os-login sole-tenancy project-info binauthz \
    aws azure attached bare-metal vmware tcp network";

/// Verbs of gcloud that stand before a plural (`add-backends`, `get-credentials`).
const VERBS: &str = "abandon add apply attach cancel change clear connect copy create delete deploy detach disable enable \
    export fetch get import list modify move patch print promote recreate remove replace reset restart restore resume \
    revoke rotate run send set start stop suspend switch sync test undelete unset update upgrade upload";

/// `gcloud … list|describe`: groups of credentials are refused, and every word before the last must name a group: what is
/// listed is a plural, any other word may be a verb and `list` the name of what it acts on (`services disable list`).
pub(super) fn gcloud(input: &CheckInput<'_>) -> Outcome {
    no_credentials(input)?;
    let listed = |text: &str, word: &str| text.split_whitespace().any(|known| known == word);
    let end = input.parsed.start.saturating_sub(1);
    let is_option = |index: usize| {
        let mut options = input.parsed.options.iter();
        options.any(|option| option.index == index || option.value_index == Some(index))
    };
    let mut first = true;
    for (index, arg) in input.invocation.argv.iter().enumerate().take(end).skip(1) {
        let word = arg.value.exact().unwrap_or_default();
        if is_option(index) || listed("alpha beta preview", word) {
            continue;
        }
        let verb = word.split_once('-').map_or("", |(verb, _)| verb);
        let plural = word.ends_with('s') && word != "access" && !listed(VERBS, verb);
        if !core::mem::take(&mut first) && !plural && !listed(GROUPS, word) {
            return Err(refuse(arg, "may be a verb that acts"));
        }
    }
    Ok(Vec::new())
}

/// A wildcard of group words must not swallow a verb (`compute instances delete list`).
fn no_acting_verb(input: &CheckInput<'_>) -> Outcome {
    const ACTING: &[&str] = &[
        "delete", "create", "update", "set", "add", "remove", "ssh", "scp", "deploy", "import",
        "export", "start", "stop", "reset", "run", "execute", "submit", "apply", "patch", "access",
        "call", "move", "restore", "copy",
    ];
    let argv = &input.invocation.argv;
    let group_end = input.parsed.start.saturating_sub(1);
    for (index, arg) in argv.iter().enumerate().take(group_end).skip(1) {
        // `run services list`: the group named `run` stands first, no verb does.
        let first = index == 1
            || argv
                .get(index.saturating_sub(1))
                .and_then(|before| before.value.exact())
                .is_some_and(|word| matches!(word, "alpha" | "beta") || word.starts_with('-'));
        if !first && arg.value.exact().is_some_and(|word| ACTING.contains(&word)) {
            return Err(refuse(arg, "is a verb that acts"));
        }
    }
    Ok(Vec::new())
}

/// Values and operands that may name another host: a URL, an address with `@`, or `HOST/OWNER/REPO`.
pub(super) fn host_value(input: &CheckInput<'_>) -> Outcome {
    for arg in words(input) {
        let text = arg.value.known_prefix();
        if text.contains("://") || text.contains('@') || text.matches('/').count() >= 2 {
            return Err(refuse(arg, "may name another host"));
        }
        if arg.value.exact().is_none() && !matches!(&arg.value, Value::OneOf(_)) {
            return Err(refuse(
                arg,
                "is only known when it runs and may name another host",
            ));
        }
    }
    Ok(Vec::new())
}

/// Package names of a registry: a folder, an archive or a repository makes npm run git or read elsewhere.
pub(super) fn package_name(input: &CheckInput<'_>) -> Outcome {
    for arg in operands(input) {
        let Some(text) = arg.value.exact() else {
            return Err(refuse(
                arg,
                "is only known when it runs and may name a repository",
            ));
        };
        let (scope, rest) = match text.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
            Some((scope, rest)) => (scope, rest),
            None => ("", text),
        };
        let plain = |part: &str| {
            part.chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.^~<>=*+@ ".contains(c))
        };
        if !plain(scope) || !plain(rest) || rest.starts_with('.') {
            return Err(refuse(arg, "is no plain package name"));
        }
    }
    Ok(Vec::new())
}

/// The environment in which `brew outdated` does not update brew first.
pub(in crate::classify) const NO_UPDATE: &[(&str, &str)] = &[("HOMEBREW_NO_AUTO_UPDATE", "1")];

/// Formula names: a path or URL is Ruby code that brew loads.
pub(super) fn brew_name(input: &CheckInput<'_>) -> Outcome {
    let sub = input.parsed.sub.map_or("", |sub| sub.words);
    if sub == "outdated" && !input.facts.can_apply_conditions {
        return Err(Why {
            code: Code::CommandEffect,
            message: "`brew outdated` updates brew first".into(),
            span: input.invocation.span,
        });
    }
    for arg in operands(input) {
        let plain = arg.value.exact().is_some_and(|text| {
            !text.contains("://")
                && !text.starts_with(['.', '/', '~'])
                && !text.ends_with(".rb")
                && text.matches('/').count() == 0
        });
        if !plain {
            return Err(refuse(arg, "may be a file of code"));
        }
    }
    Ok(Vec::new())
}

/// `rpm` only asks when it is told to query or verify.
pub(super) fn rpm_query(input: &CheckInput<'_>) -> Outcome {
    let parsed = input.parsed;
    let fault = |what: &str| Why {
        code: Code::CommandFlag,
        message: what.into(),
        span: input.invocation.span,
    };
    if !parsed.has("-q --query") && !parsed.has("-V --verify") {
        return Err(fault("`rpm` without `-q` or `-V` changes packages"));
    }
    if parsed.has("-V --verify") && !parsed.has("--noscripts") {
        return Err(fault(
            "`rpm -V` without `--noscripts` runs scripts of packages",
        ));
    }
    // `%(…)` in a query format and URLs in package names run or fetch.
    for arg in words(input) {
        let text = arg.value.known_prefix();
        if arg.value.exact().is_none() || text.contains("%(") || text.contains("://") {
            return Err(refuse(arg, "may run or fetch something"));
        }
    }
    Ok(Vec::new())
}

/// `terraform fmt` writes unless it only checks.
pub(super) fn terraform_fmt(input: &CheckInput<'_>) -> Outcome {
    if input.parsed.has("-check") {
        return Ok(Vec::new());
    }
    Err(Why {
        code: Code::CommandEffect,
        message: "`terraform fmt` rewrites files unless `-check` is given".into(),
        span: input.invocation.span,
    })
}
