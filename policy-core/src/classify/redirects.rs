//! Redirects → what they touch, and whether they only read.

use alloc::{format, vec::Vec};

use super::{
    model::Why,
    paths::{self, touch},
    places,
};
use crate::{
    command::model::{RedirectKind, Redirection, Value},
    diagnostic::Code,
    effect::{Effect, Touch},
    facts::Facts,
};

/// What redirects do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Redirects {
    /// Reads, writes and connections, in order.
    pub touches: Vec<(Touch, crate::span::Span)>,
    /// The first that does more than read.
    pub refusal: Option<Why>,
}

/// Judges redirects, of an invocation or of a compound command.
#[must_use]
pub fn judge(redirects: &[Redirection], facts: &Facts) -> Redirects {
    let mut all = Redirects::default();
    for redirect in redirects {
        let (touch, refusal) = match &redirect.kind {
            RedirectKind::Nothing => continue,
            RedirectKind::Read(value) => {
                let unc = value.exact().filter(|text| paths::is_unc(text));
                let refusal = unc.map(|text| {
                    (
                        Code::CommandUnc,
                        format!("`{text}` may name another machine"),
                    )
                });
                (touch(value, Effect::Read, &redirect.cwd, facts), refusal)
            }
            RedirectKind::Write(Value::Exact(text)) if places::is_harmless_device(text) => continue,
            RedirectKind::Write(value) => (
                touch(value, Effect::Write, &redirect.cwd, facts),
                Some((
                    Code::RedirectWrite,
                    match value.exact() {
                        Some(text) => format!("output is written to `{text}`"),
                        None => {
                            "output is written to a file that is only known when it runs".into()
                        }
                    },
                )),
            ),
            RedirectKind::Network(value) => (
                Touch {
                    effect: Effect::Network,
                    target: value.exact().map(Into::into),
                    place: None,
                },
                Some((
                    Code::RedirectNetwork,
                    "a redirect opens a connection".into(),
                )),
            ),
        };
        all.touches.push((touch, redirect.span));
        if let (None, Some((code, message))) = (&all.refusal, refusal) {
            all.refusal = Some(Why {
                code,
                message,
                span: redirect.span,
            });
        }
    }
    all
}
