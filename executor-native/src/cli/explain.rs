//! `portcullis explain`: the command with each part marked, and the reason for each in words.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use policy_core::{Decision, Span, diagnostic::Code};
use serde::Deserialize;

use super::{
    Failure, Outcome,
    args::JudgeArgs,
    check, print,
    safe::{self, Safe},
    setup,
};

/// What `explain` of the service answers, as far as it is shown.
#[derive(Deserialize)]
pub(super) struct Explanation {
    command: String,
    decision: Decision,
    reason: Reason,
    spans: Vec<Part>,
}

#[derive(Deserialize)]
struct Reason {
    code: Code,
    message: String,
    span: Span,
}

#[derive(Deserialize)]
struct Part {
    span: Span,
    decision: Decision,
    reason: Reason,
}

pub(super) fn run(args: &JudgeArgs) -> Outcome {
    let command = setup::command(&args.command)?;
    let mut engine = setup::engine(&args.policy)?;
    let request = setup::request(&args.policy, &command).to_string();
    let answer = setup::ask(engine.as_mut(), "explain", &request)?;
    let explanation: Explanation =
        serde_json::from_str(&answer).map_err(|error| Failure::internal(error.to_string()))?;
    if args.json {
        let _ = print::line(&answer);
    } else {
        print::block(&render(&explanation, print::coloured()));
    }
    Ok(check::of(explanation.decision))
}

/// The command with its parts underlined.
pub(super) fn render(explanation: &Explanation, coloured: bool) -> String {
    let source = Safe::new(&explanation.command);
    let level = match explanation.decision {
        Decision::Allow => Level::NOTE.with_name("allow"),
        Decision::Ask => Level::WARNING.with_name("ask"),
        Decision::Deny => Level::ERROR.with_name("deny"),
    };
    let labels: Vec<(AnnotationKind, std::ops::Range<usize>, String)> =
        if explanation.spans.is_empty() {
            vec![(
                AnnotationKind::Primary,
                source.range(explanation.reason.span),
                String::new(),
            )]
        } else {
            explanation
                .spans
                .iter()
                .map(|part| {
                    let kind = if part.decision == explanation.decision
                        && part.reason.code == explanation.reason.code
                        || part.decision > Decision::Allow
                    {
                        AnnotationKind::Primary
                    } else {
                        AnnotationKind::Context
                    };
                    let label = format!(
                        "{}: {} [{}]",
                        print::word(part.decision, false),
                        safe::line(&part.reason.message),
                        part.reason.code.slug()
                    );
                    (kind, source.range(part.span), label)
                })
                .collect()
        };
    let snippet = Snippet::source(source.text())
        .fold(false)
        .line_numbering(source.text().contains('\n'))
        .annotations(labels.iter().map(|(kind, range, label)| {
            let annotation = kind.span(range.clone());
            if label.is_empty() {
                annotation
            } else {
                annotation.label(label.as_str())
            }
        }));
    let title = safe::line(&explanation.reason.message);
    let report = [level
        .primary_title(title.as_str())
        .id(explanation.reason.code.slug())
        .element(snippet)];
    let renderer = if coloured {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_would_obey_comes_through() {
        let reason = |message: &str| Reason {
            code: Code::RuleNone,
            message: message.to_owned(),
            span: Span::new(0, 2),
        };
        let explanation = Explanation {
            command: "a\x1b[31m\u{202e} b".to_owned(),
            decision: Decision::Ask,
            reason: reason("no \x1b]0;rule\x07"),
            spans: vec![Part {
                span: Span::new(0, 1),
                decision: Decision::Ask,
                reason: reason("\u{200b}\r"),
            }],
        };
        let text = render(&explanation, false);
        let bad = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{200b}');
        assert!(!text.contains(bad), "{text:?}");
        assert!(text.contains("ask[rule.none]"), "{text}");
    }
}
