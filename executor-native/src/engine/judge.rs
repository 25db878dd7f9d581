//! One command judged, and the only way to a [`Permit`].
//!
//! A [`Case`] (the command and what the host knows of it) goes to an engine; a [`Judged`] comes back, which holds the
//! verdict, can be judged again with a classifier's answers, and gives a permit where the verdict allows it, or asks and
//! somebody said yes. What no engine saw has no permit, so `spawn` cannot start it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use policy_core::{
    Decision,
    diagnostic::Code,
    facts::{Facts, Mode, Session, Shell},
    wire::{Request, Verdict},
};
use serde_json::{Map, Value};

use super::{
    Engine, careful,
    facts::{Given, gather},
};
use crate::permit::Permit;

/// A command and what its host knows of it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The text.
    pub command: String,
    /// Where it would start.
    pub cwd: PathBuf,
    /// The workspace roots.
    pub workspace: Vec<PathBuf>,
    /// What would run it.
    pub shell: Shell,
    /// Whose turn it belongs to.
    pub session: Session,
    /// How freely commands may run; as configured when left out.
    pub mode: Option<Mode>,
    /// Nobody is there to answer.
    pub unattended: bool,
    /// The call asks to leave the sandbox.
    pub leaves_sandbox: bool,
    /// More keys of the request, as on the wire; those above and those gathered win.
    pub more: Map<String, Value>,
}

/// A command with its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    json: Map<String, Value>,
    request: Request,
    cwd: PathBuf,
    verdict: Verdict,
}

impl Case {
    /// Gathers the facts and asks the engine. Blocks for as long as that takes (well under a millisecond, as a rule).
    #[must_use]
    pub fn judge(self, engine: &Mutex<Box<dyn Engine>>) -> Judged {
        let gathered = gather(&Given {
            cwd: Some(self.cwd.clone()),
            workspace: self.workspace.clone(),
        });
        let json = self.wire(&gathered);
        let request = Request {
            command: self.command,
            facts: Facts {
                shell: self.shell,
                session: self.session,
                unattended: self.unattended,
                ..gathered
            },
            ..Request::default()
        };
        let verdict = ask(engine, &json);
        Judged {
            json,
            request,
            cwd: self.cwd,
            verdict,
        }
    }

    /// What nobody said stays out, so that the configuration's own settings count.
    fn wire(&self, gathered: &Facts) -> Map<String, Value> {
        let mut request = self.more.clone();
        if let Ok(Value::Object(facts)) = serde_json::to_value(gathered) {
            let found = ["cwd", "workspace", "home", "platform", "git"];
            request.extend(
                facts
                    .into_iter()
                    .filter(|(key, _)| found.contains(&key.as_str())),
            );
        }
        let mut add = |key: &str, value: Result<Value, serde_json::Error>| {
            request.insert(key.into(), value.unwrap_or(Value::Null));
        };
        add("command", Ok(Value::from(self.command.clone())));
        add("shell", serde_json::to_value(self.shell));
        add("session", serde_json::to_value(self.session));
        add("canApplyConditions", Ok(Value::from(true)));
        if let Some(mode) = self.mode {
            add("mode", serde_json::to_value(mode));
        }
        if self.unattended {
            add("unattended", Ok(Value::from(true)));
        }
        if self.leaves_sandbox {
            let sandbox = request
                .entry("sandbox")
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(sandbox) = sandbox {
                sandbox.insert("disabledByCall".into(), Value::from(true));
            }
        }
        request
    }
}

fn ask(engine: &Mutex<Box<dyn Engine>>, request: &Map<String, Value>) -> Verdict {
    let json = Value::Object(request.clone()).to_string();
    let answer = engine
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .evaluate_json(&json);
    serde_json::from_str(&answer)
        .unwrap_or_else(|error| careful(&json, Code::EngineFault, error.to_string()))
}

impl Judged {
    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The command and the facts it was judged by.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The verdict alone.
    pub fn into_verdict(self) -> Verdict {
        self.verdict
    }

    /// Judged again, with what a classifier says to the verdict's questions (by id). Answers add up.
    #[must_use]
    pub fn answered(
        mut self,
        answers: &BTreeMap<String, bool>,
        engine: &Mutex<Box<dyn Engine>>,
    ) -> Self {
        self.request
            .answers
            .extend(answers.iter().map(|(id, yes)| (id.clone(), *yes)));
        let all = self
            .request
            .answers
            .iter()
            .map(|(id, yes)| (id.clone(), Value::from(*yes)))
            .collect();
        self.json.insert("answers".into(), Value::Object(all));
        self.verdict = ask(engine, &self.json);
        self
    }

    /// The permit that follows, if one does; `said_yes` is the answer of whoever was asked, and moves no denial.
    ///
    /// # Errors
    /// The command itself, back, when it may not run.
    pub fn permit(self, said_yes: bool) -> Result<Permit, Box<Self>> {
        let may = match self.verdict.decision {
            Decision::Allow => true,
            Decision::Ask => said_yes,
            Decision::Deny => false,
        };
        // Judged for this directory, or for an unknown one because its name is no text.
        let here = self.request.facts.cwd.as_deref();
        if may && here.is_none_or(|judged| Path::new(judged) == self.cwd) {
            Ok(Permit::of(&self))
        } else {
            Err(Box::new(self))
        }
    }

    /// Where it was judged to start.
    pub(crate) fn cwd(&self) -> &Path {
        &self.cwd
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineFault, native::NativeEngine};

    fn native(config: &str) -> Mutex<Box<dyn Engine>> {
        Mutex::new(Box::new(NativeEngine::new(config).unwrap()))
    }

    fn case(command: &str) -> Case {
        Case {
            command: command.into(),
            cwd: "/".into(),
            ..Case::default()
        }
    }

    #[test]
    fn a_permit_follows_from_allow_or_from_ask_and_yes() {
        let engine = native("");
        let allowed = case("ls").judge(&engine).permit(false).unwrap();
        assert_eq!((allowed.command(), allowed.cwd()), ("ls", Path::new("/")));
        let asks = case("touch f").judge(&engine);
        assert_eq!(asks.verdict().decision, Decision::Ask);
        assert!(asks.clone().permit(false).is_err());
        assert!(asks.permit(true).is_ok());
        let denies = native(r#"{"user": {"deny": ["touch:*"]}}"#);
        assert!(case("touch f").judge(&denies).permit(true).is_err());
    }

    #[test]
    fn answers_of_a_classifier_are_judged_again() {
        let engine = native(r#"{"user": {"deny": ["prompt: throws files away"]}}"#);
        let first = case("touch f").judge(&engine);
        assert_eq!(first.verdict().decision, Decision::Ask);
        let id = first.verdict().questions[0].id.clone();
        let no = BTreeMap::from([(id.clone(), false)]);
        let still = first.clone().answered(&no, &engine);
        assert_eq!(still.verdict().decision, Decision::Ask);
        assert!(still.verdict().questions.is_empty());
        let yes = BTreeMap::from([(id, true)]);
        assert!(first.answered(&yes, &engine).permit(true).is_err());
    }

    struct Mumbles;

    impl Engine for Mumbles {
        fn name(&self) -> &'static str {
            "mumbles"
        }
        fn call(&mut self, _: &str, _: &str) -> Result<String, EngineFault> {
            Ok("{}".into())
        }
    }

    #[test]
    fn an_answer_that_is_no_verdict_permits_nothing() {
        let engine: Mutex<Box<dyn Engine>> = Mutex::new(Box::new(Mumbles));
        let judged = case("ls").judge(&engine);
        assert_eq!(judged.verdict().reason.code, Code::EngineFault);
        assert!(judged.permit(false).is_err());
        let unattended = Case {
            unattended: true,
            ..case("ls")
        };
        assert_eq!(unattended.judge(&engine).verdict().decision, Decision::Deny);
    }
}
