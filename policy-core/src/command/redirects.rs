//! Redirections, resolved: what each opens, and whether that is known.
//!
//! bash expands the word after `>&` and `<&` twice, quotes or not, so there anything but plain text is a hazard.

use alloc::{string::String, vec::Vec};

use super::{
    model::{HazardKind, RedirectKind, Redirection, Stdin, Value},
    words::{Expander, literal_text},
};
use crate::{
    facts::Shell,
    span::Span,
    syntax::ast::{Descriptor, Part, Redirect, RedirectOp},
};

/// What one redirection comes to.
pub(super) struct Resolved {
    /// What it opens; several when the target is one of a few.
    pub(super) opens: Vec<Redirection>,
    /// Why it cannot be followed.
    pub(super) hazard: Option<HazardKind>,
    /// Standard input comes from here now.
    pub(super) stdin: Option<Stdin>,
    /// Standard output goes elsewhere than to a terminal.
    pub(super) stdout: bool,
}

/// Resolves a redirection whose target has been walked already; `span` is where it stands in the whole text.
pub(super) fn resolve<'a>(redirect: &'a Redirect, expander: &Expander<'a>, span: Span) -> Resolved {
    let number = match &redirect.descriptor {
        Some(Descriptor::Number(number)) => Some(*number),
        Some(Descriptor::Variable(_)) => Some(u32::MAX),
        None => None,
    };
    let mut resolved = Resolved {
        opens: Vec::new(),
        hazard: None,
        stdin: None,
        stdout: false,
    };
    let opens = |kind| Redirection {
        kind,
        span,
        cwd: expander.scope.cwd.clone(),
    };
    let reads_stdin = matches!(
        redirect.op,
        RedirectOp::Read
            | RedirectOp::ReadWrite
            | RedirectOp::DupInput
            | RedirectOp::HereDoc
            | RedirectOp::HereDocTabs
            | RedirectOp::HereString
    ) && number.unwrap_or(0) == 0;
    if reads_stdin {
        resolved.stdin = Some(Stdin::Redirected);
    }
    resolved.stdout = matches!(
        redirect.op,
        RedirectOp::Write | RedirectOp::Append | RedirectOp::Clobber
    ) && number.unwrap_or(1) == 1
        || matches!(redirect.op, RedirectOp::WriteBoth | RedirectOp::AppendBoth);
    match redirect.op {
        RedirectOp::HereDoc | RedirectOp::HereDocTabs | RedirectOp::HereString => {
            resolved.opens.push(opens(RedirectKind::Nothing));
        }
        RedirectOp::DupInput | RedirectOp::DupOutput => match literal_text(&redirect.target) {
            Some(text) if is_descriptor(&text, expander.shell) => {
                resolved.opens.push(opens(RedirectKind::Nothing))
            }
            Some(text)
                if redirect.op == RedirectOp::DupOutput
                    && number.unwrap_or(1) == 1
                    && !text.is_empty()
                    && !text.contains(['$', '`', '\\', '"', '\'', '<', '>']) =>
            {
                resolved.stdout = true;
                resolved.opens.push(opens(write(text)));
            }
            _ => resolved.hazard = Some(HazardKind::DynamicRedirect),
        },
        RedirectOp::Read => target(redirect, expander, span, &mut resolved, read),
        RedirectOp::Write
        | RedirectOp::Append
        | RedirectOp::Clobber
        | RedirectOp::ReadWrite
        | RedirectOp::WriteBoth
        | RedirectOp::AppendBoth => target(redirect, expander, span, &mut resolved, write),
    }
    resolved
}

fn target<'a>(
    redirect: &'a Redirect,
    expander: &Expander<'a>,
    span: Span,
    resolved: &mut Resolved,
    kind: fn(String) -> RedirectKind,
) {
    let opens = |kind| Redirection {
        kind,
        span,
        cwd: expander.scope.cwd.clone(),
    };
    if let [Part::ProcessSub { output, .. }] = redirect.target.parts.as_slice() {
        if !output {
            resolved.stdin = resolved.stdin.map(|_| Stdin::Pipe);
        }
        resolved.opens.push(opens(RedirectKind::Nothing));
        return;
    }
    let words = expander.argument(&redirect.target);
    match words.as_slice() {
        [word] => match &word.value {
            Value::Exact(text) => resolved.opens.push(opens(kind(text.clone()))),
            Value::OneOf(all) => resolved
                .opens
                .extend(all.iter().map(|text| opens(kind(text.clone())))),
            Value::Prefix(text)
                if redirect.op == RedirectOp::Read && !is_beginning_of_device(text) =>
            {
                resolved
                    .opens
                    .push(opens(RedirectKind::Read(word.value.clone())));
            }
            // A match of a pattern, or the pattern itself; several are an error to bash.
            _ if redirect.op == RedirectOp::Read
                && word.matched
                && !word.value.known_prefix().starts_with('/') =>
            {
                resolved
                    .opens
                    .push(opens(RedirectKind::Read(word.value.clone())))
            }
            // A match of a pattern, or the pattern itself; several are an error to bash.
            _ if redirect.op == RedirectOp::Read
                && word.matched
                && !word.value.known_prefix().starts_with('/') =>
            {
                resolved
                    .opens
                    .push(opens(RedirectKind::Read(word.value.clone())))
            }
            _ => resolved.hazard = Some(HazardKind::DynamicRedirect),
        },
        // Several words are an error to bash.
        [first, rest @ ..]
            if redirect.op == RedirectOp::Read
                && expander.shell == Shell::Bash
                && matches!(&first.value, Value::Prefix(text) if !is_beginning_of_device(text))
                && rest.iter().all(|word| matches!(word.value, Value::Many(_))) =>
        {
            resolved
                .opens
                .push(opens(RedirectKind::Read(first.value.clone())));
        }
        _ => resolved.hazard = Some(HazardKind::DynamicRedirect),
    }
}

/// Whether a path that goes on after `text` may lie under `/dev/tcp` and kin.
fn is_beginning_of_device(text: &str) -> bool {
    "/dev/".starts_with(text) || text.starts_with("/dev/")
}

/// `2`, `2-`, `-`. In zsh `2-` is a file.
fn is_descriptor(text: &str, shell: Shell) -> bool {
    let moved = text
        .strip_suffix('-')
        .filter(|left| left.is_empty() || shell != Shell::Zsh);
    let digits = moved.unwrap_or(text);
    !text.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn read(path: String) -> RedirectKind {
    match special(&path) {
        Some(kind) => kind,
        None => RedirectKind::Read(Value::Exact(path)),
    }
}

fn write(path: String) -> RedirectKind {
    match special(&path) {
        Some(kind) => kind,
        None => RedirectKind::Write(Value::Exact(path)),
    }
}

fn special(path: &str) -> Option<RedirectKind> {
    if path == "/dev/null"
        || path == "/dev/stdin"
        || path == "/dev/stdout"
        || path == "/dev/stderr"
        || path.strip_prefix("/dev/fd/").is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        return Some(RedirectKind::Nothing);
    }
    path.strip_prefix("/dev/tcp/")
        .or_else(|| path.strip_prefix("/dev/udp/"))
        .map(|rest| RedirectKind::Network(Value::Exact(rest.into())))
}
