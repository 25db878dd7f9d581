//! Asking whoever may say yes: a person at a terminal, a host's own dialog, a hook.
//!
//! The question carries the whole verdict. An answer permits one command, or also stores rules; who stores
//! them is the host's choice ([`RuleStore`]). Prompt rules, which are questions in words, go to the same host's classifier
//! before anybody is bothered.

use std::{collections::BTreeMap, future::Future, pin::Pin};

use policy_core::wire::{self, Request, Verdict};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The command and the facts it was judged by.
    pub request: &'a Request,
    /// The verdict, which is ask.
    pub verdict: &'a Verdict,
    /// What the agent says the command is for.
    pub description: Option<&'a str>,
}

impl Question<'_> {
    /// The rules that "always allow" would store.
    pub fn suggested(&self) -> Vec<String> {
        self.verdict
            .suggestions
            .iter()
            .map(|suggestion| suggestion.rule.clone())
            .collect()
    }
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This time.
    Once,
    /// From now on: store these rules.
    Always(Vec<String>),
    /// No; the words are for the agent.
    No(Option<String>),
}

/// The answer, when it is there.
pub type Pending<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// What a classifier says to prompt rules, by the id of the question; what it leaves out stays open.
pub type Classified<'a> = Pin<Box<dyn Future<Output = BTreeMap<String, bool>> + Send + 'a>>;

/// Somebody who can be asked.
pub trait Approver: Send + Sync {
    /// Asks. The future is dropped when the command is aborted meanwhile.
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a>;

    /// Answers prompt rules: does this command do what the words say? The command is judged again with the answers, before
    /// anybody is asked; a yes can deny, ask or allow, as the rule says. By default nothing is answered, and then such
    /// rules match as the policy says for a host without a classifier.
    fn classify<'a>(
        &'a self,
        questions: &'a [wire::Question],
        about: Question<'a>,
    ) -> Classified<'a> {
        let _ = (questions, about);
        Box::pin(std::future::ready(BTreeMap::new()))
    }
}

/// Where "always" is kept.
pub trait RuleStore: Send + Sync {
    /// Keeps the rules as allow rules; an error in words does not undo the yes for this one command.
    fn store(&self, rules: &[String]) -> Result<(), String>;
}

/// Nobody is there: the answer is no.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: Question<'a>) -> Pending<'a> {
        Box::pin(std::future::ready(Answer::No(Some(
            "nobody is there to say yes".into(),
        ))))
    }
}

/// Whoever started this said yes beforehand (`--yes`). Denials stay denials.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaidYes;

impl Approver for SaidYes {
    fn ask<'a>(&'a self, _: Question<'a>) -> Pending<'a> {
        Box::pin(std::future::ready(Answer::Once))
    }
}
