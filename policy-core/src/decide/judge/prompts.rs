//! Prompt rules: questions in words, which a classifier of the host may answer.

use alloc::{format, string::String, vec::Vec};

use super::Judge;
use crate::{
    decision::Decision,
    rules::{Pattern, Rule},
    wire::Question,
};

impl<'a> Judge<'a> {
    pub(super) fn prompts(&self) -> impl Iterator<Item = (Question, &'a Rule)> {
        self.bench
            .books
            .iter()
            .flat_map(|book| book.prompts())
            .filter_map(|rule| {
                let Pattern::Prompt(words) = &rule.parsed.pattern else {
                    return None;
                };
                let decision = rule.source.decision;
                Some((
                    Question {
                        id: question_id(decision, words, self.case.text),
                        prompt: words.clone(),
                        decision,
                    },
                    rule,
                ))
            })
    }

    pub(super) fn questions(&self) -> Vec<Question> {
        let mut questions: Vec<Question> = Vec::new();
        for (question, _) in self.prompts() {
            if !self.bench.answers.contains_key(&question.id) && !questions.contains(&question) {
                questions.push(question);
            }
        }
        questions
    }
}

/// Stable for the rule and the command: FNV-1a over both.
fn question_id(decision: Decision, words: &str, text: &str) -> String {
    let kind = match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    };
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in words.bytes().chain([0]).chain(text.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{kind}-{hash:016x}")
}
