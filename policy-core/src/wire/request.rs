//! The request as JSON: one flat object, read strictly.
//!
//! `{"command": "ls", "cwd": "/w", "mode": "edit", "allow": ["npm test:*"]}`. The facts and rules stand beside the
//! command, and a key that is not known is an error that names it. (`serde(flatten)` cannot refuse
//! unknown keys, so the flat shape is spelled out here and a test holds it equal to [`Facts`].)

use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::{Deserialize, Deserializer};

use super::{Analysis, Request, RuleLists};
use crate::{
    decision::Decision,
    facts::{Facts, GitFacts, Mode, Platform, SandboxFacts, Session, Shell},
};

/// Which keys with a setting of the same name a JSON request left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// `mode`
    pub mode: bool,
    /// `analysis`
    pub analysis: bool,
    /// `askNetwork`
    pub ask_network: bool,
    /// `allowSensitiveReads`
    pub allow_sensitive_reads: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Flat {
    command: String,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default, deserialize_with = "crate::facts::one_or_many")]
    workspace: Vec<String>,
    #[serde(default)]
    home: Option<String>,
    #[serde(default)]
    platform: Platform,
    #[serde(default)]
    shell: Shell,
    #[serde(default)]
    mode: Option<Mode>,
    #[serde(default)]
    session: Session,
    #[serde(default)]
    unattended: bool,
    #[serde(default)]
    git: GitFacts,
    #[serde(default)]
    sandbox: SandboxFacts,
    #[serde(default)]
    can_apply_conditions: bool,
    #[serde(default)]
    ask_network: Option<bool>,
    #[serde(default)]
    allow_sensitive_reads: Option<bool>,
    #[serde(default)]
    analysis: Option<Analysis>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    ask: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    hook: Option<Decision>,
    #[serde(default)]
    answers: BTreeMap<String, bool>,
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let flat = Flat::deserialize(deserializer)?;
        Ok(Self {
            left_out: LeftOut {
                mode: flat.mode.is_none(),
                analysis: flat.analysis.is_none(),
                ask_network: flat.ask_network.is_none(),
                allow_sensitive_reads: flat.allow_sensitive_reads.is_none(),
            },
            command: flat.command,
            facts: Facts {
                cwd: flat.cwd,
                workspace: flat.workspace,
                home: flat.home,
                platform: flat.platform,
                shell: flat.shell,
                mode: flat.mode.unwrap_or_default(),
                session: flat.session,
                unattended: flat.unattended,
                git: flat.git,
                sandbox: flat.sandbox,
                can_apply_conditions: flat.can_apply_conditions,
                ask_network: flat.ask_network.unwrap_or_default(),
                allow_sensitive_reads: flat.allow_sensitive_reads.unwrap_or_default(),
            },
            analysis: flat.analysis.unwrap_or_default(),
            rules: RuleLists {
                allow: flat.allow,
                ask: flat.ask,
                deny: flat.deny,
            },
            hook: flat.hook,
            answers: flat.answers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_full_request_survives_the_round_trip() {
        let text = r#"{"command":"ls","cwd":"/w","workspace":["/w"],"home":"/home/u","platform":"macos","shell":"zsh",
            "mode":"acceptEdits","session":"idle","unattended":true,"git":"trusted","sandbox":{"available":true,"excluded":["docker:*"]},
            "canApplyConditions":true,"askNetwork":true,"allowSensitiveReads":true,"analysis":"strict",
            "allow":["a"],"ask":["b"],"deny":["c"],"hook":"allow","answers":{"q":true}}"#;
        let request: Request = serde_json::from_str(text).expect("readable");
        assert_eq!(request.facts.mode, Mode::Edit);
        assert_eq!(request.left_out, LeftOut::default());
        let again: Request =
            serde_json::from_str(&serde_json::to_string(&request).expect("writable"))
                .expect("readable");
        assert_eq!(again, request);
    }

    #[test]
    fn unknown_keys_are_named() {
        let error = serde_json::from_str::<Request>(r#"{"command":"ls","comand":"x"}"#)
            .expect_err("refused");
        assert!(
            error.to_string().contains("unknown field `comand`"),
            "{error}"
        );
        let request: Request =
            serde_json::from_str(r#"{"command":"ls","workspace":"/w"}"#).expect("readable");
        assert_eq!(request.facts.workspace, ["/w"]);
        assert!(request.left_out.mode && request.left_out.analysis);
    }
}
