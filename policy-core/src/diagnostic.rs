//! The closed list of reason codes. One row a code: slug, meaning, example.
//!
//! `docs/reason-codes.md` is generated from this table and a test runs every example.

/// Declares [`Code`] and its table in one place: variant, slug, meaning, example command, example context as
/// `key=value` words understood by the documentation test (`mode=plan`, `allow=RULE`, …).
macro_rules! codes {
    ($($variant:ident, $slug:literal, $meaning:literal, $example:literal, $setting:literal;)*) => {
        /// Why a verdict is what it is. Serialized as its slug.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $(#[doc = $meaning] $variant,)* }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name on every boundary.
            #[must_use]
            pub const fn slug(self) -> &'static str {
                match self { $(Self::$variant => $slug,)* }
            }

            /// One sentence for the documentation.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }

            /// A command that gives this code, and the setting it needs.
            #[must_use]
            pub const fn example(self) -> (&'static str, &'static str) {
                match self { $(Self::$variant => ($example, $setting),)* }
            }
        }
    };
}

codes! {
    ParseError, "parse.error", "the text is not complete, valid shell", "echo 'open", "";
    ParseReadersDisagree, "parse.readers-disagree", "the two readers see different commands in the text", "", "";
    ParseTooLong, "parse.too-long", "the text has more characters than are read", "", "";
    ParseTooComplex, "parse.too-complex", "the text has more parts, or deeper ones, than are read", "", "";
    ParseEmpty, "parse.empty", "there is no command in the text", "# nothing", "";
    ShellUnsupported, "shell.unsupported", "the strict analysis does not follow this construct", "(ls)", "analysis=strict";
    ShellDynamic, "shell.dynamic", "the strict analysis does not accept an expansion here", "ls $HOME", "analysis=strict";
    ShellDynamicCommand, "shell.dynamic-command", "which command runs is only known when it runs", "$cmd x", "";
    ShellEvalUnknown, "shell.eval-unknown", "text that is not known is run as code", "eval \"$x\"", "";
    ShellArithmeticEval, "shell.arithmetic-eval", "arithmetic may run code held in a value", "[[ -v $x ]]", "";
    ShellExpansionEval, "shell.expansion-eval", "this expansion evaluates the value of a variable", "echo ${x@P}", "";
    ShellFunctionDefinition, "shell.function-definition", "a function is defined, so later names may mean something else", "f() { ls; }; f", "";
    ShellShadowing, "shell.shadowing", "a name is given another meaning", "alias ls=rm", "";
    ShellEnvPersist, "shell.env-persist", "a variable is set that changes what later commands run", "export PATH=/tmp:$PATH; ls", "";
    ShellOption, "shell.option", "a shell option is set that changes how later text is read or run", "set -a; ls", "";
    ShellDeferredExec, "shell.deferred-exec", "code is registered to run later", "trap 'rm x' EXIT", "";
    ShellCoproc, "shell.coproc", "a coprocess is started", "coproc cat", "";
    ShellDynamicRedirect, "shell.dynamic-redirect", "where a redirect goes is only known when it runs", "echo x > $f", "";
    ShellOpaque, "shell.opaque", "this syntax is not followed", "", "";
    ShellHiddenCharacter, "shell.hidden-character", "the text holds control, bidirectional or invisible characters", "", "";
    ShellTooDeep, "shell.too-deep", "wrappers or scripts are nested too deep", "", "";
    ShellTooMany, "shell.too-many", "the text makes more words or commands than are followed", "", "";
    CommandUnknown, "command.unknown", "nothing is known of this command", "frobnicate x", "";
    CommandByPath, "command.by-path", "the command is named by a path, so it need not be the tool of that name", "./ls", "";
    CommandSub, "command.subcommand", "this subcommand is not known to be read-only", "git frobnicate", "";
    CommandFlag, "command.flag", "this option is not known to be harmless", "sort --frobnicate f", "";
    CommandFlagEffect, "command.flag-effect", "this option writes, executes or connects", "sort -o out f", "";
    CommandFlagValue, "command.flag-value", "this option does not take such a value", "git log -n lots", "";
    CommandOperand, "command.operand", "this operand is not one that is known to be harmless", "gron a b", "";
    CommandUnknownWord, "command.unknown-word", "a word that is only known when it runs could be an option that acts", "sort $x", "";
    CommandEffect, "command.effect", "the command changes something", "mkdir x", "";
    CommandScript, "command.script", "the command's own program (sed, awk, jq, …) acts or cannot be followed", "awk 'BEGIN { system(\"x\") }'", "";
    CommandAssignment, "command.assignment", "a variable before the command may change what it runs", "LD_PRELOAD=x ls", "";
    CommandPrivileged, "command.privileged", "the command runs with other rights", "sudo ls", "";
    CommandGit, "command.git", "git may run code of the repository here", "cd /tmp && git status", "";
    CommandNetwork, "command.network", "the command talks to another machine", "curl https://example.com", "";
    CommandUnc, "command.unc", "a UNC path names another machine", "cat //server/share/x", "";
    RedirectWrite, "redirect.write", "output is written to a file", "ls > out", "";
    RedirectNetwork, "redirect.network", "a redirect opens a connection", "echo x > /dev/tcp/127.0.0.1/9", "";
    PathSensitive, "path.sensitive", "a path that holds credentials is read", "cat ~/.ssh/id_rsa", "";
    PathProtected, "path.protected", "a path that gains execution later is written", "echo x >> ~/.bashrc", "";
    PathCritical, "path.critical", "a path whose loss cannot be mended is removed", "rm -rf /", "";
    RuleDeny, "rule.deny", "a deny rule matches", "rm x", "deny=rm:*";
    RuleAsk, "rule.ask", "an ask rule matches", "git push", "ask=git push:*";
    RuleAllow, "rule.allow", "allow rules cover every part that is not read-only", "npm test", "allow=npm test:*";
    RuleExact, "rule.exact", "an allow rule equals the whole command", "rm -rf x", "allow=rm -rf x";
    RuleNone, "rule.none", "no rule allows it and it is not known to be read-only", "npm test", "";
    ModePlan, "mode.plan", "while planning only reading is allowed", "touch x", "mode=plan";
    ModeEdit, "mode.edit", "file operations inside the workspace are allowed in edit mode", "mkdir x", "mode=edit";
    ModeYolo, "mode.yolo", "checks are skipped in this mode", "npm test", "mode=yolo";
    ModeUnattended, "mode.unattended", "nobody is there to answer, so what would ask is denied", "npm test", "unattended=true";
    HookAnswer, "hook.answer", "a hook of the host decided", "", "";
    SandboxAuto, "sandbox.auto-allow", "it runs inside the sandbox", "npm test", "sandbox=auto";
    PromptAnswer, "prompt.answer", "a prompt rule was answered", "", "";
    ReadOnly, "read-only", "every part only reads", "ls", "";
    NetworkRead, "network-read", "a service's own reading command, and the setting asks for those", "kubectl get pods", "ask-network=true";
    EngineFault, "engine.fault", "the engine failed, so the careful answer is given", "", "";
    RequestInvalid, "request.invalid", "the request could not be read", "", "";
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.slug())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let slug = alloc::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.slug() == slug)
            .ok_or_else(|| serde::de::Error::custom(alloc::format!("no reason code `{slug}`")))
    }
}
