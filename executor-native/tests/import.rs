//! Rules of other tools, from files as they are, to verdicts: each vendor's file beside what its documentation says of it.
//!
//! `*.cases`: `decision | command`, and `! grade line:column` for every note. A verdict is right when the vendor would answer so and our own rules
//! let rules do it; the words beside a case say which of its rules it is about.

use std::path::Path;

use executor_native::import::{Around, Vendor, read};
use policy_core::{Decision, Layer, Policy, PolicyConfig, Request};

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/import")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn around(file: &str) -> Around<'_> {
    Around {
        file,
        home: Some("/home/u"),
        layer: Layer::User,
    }
}

fn holds(vendor: Vendor, file: &str, cases: &str) {
    let import =
        read(vendor, &data(file), around(file)).unwrap_or_else(|fault| panic!("{file}: {fault:?}"));
    let policy = Policy::new(PolicyConfig {
        rule_sets: vec![import.set.clone()],
        ..PolicyConfig::default()
    })
    .expect("rules that can be read");
    let (mut wrong, mut notes, mut seen) = (Vec::new(), Vec::new(), 0);
    let text = data(cases);
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        if let Some(note) = line.strip_prefix("! ") {
            notes.push(note.trim().to_owned());
            continue;
        }
        let (want, command) = line.split_once(" | ").expect("decision | command");
        let want = match want.trim() {
            "allow" => Decision::Allow,
            "ask" => Decision::Ask,
            "deny" => Decision::Deny,
            other => panic!("{cases}: `{other}`"),
        };
        let verdict = policy.evaluate(&request(command));
        seen += 1;
        if verdict.decision != want {
            wrong.push(format!(
                "{command}: {:?}, not {want:?}: {}",
                verdict.decision, verdict.reason.message
            ));
        }
        // Whatever a rule of the file decided, the verdict names the file and a line of it.
        let about_rule = matches!(
            verdict.reason.code.slug(),
            "rule.deny" | "rule.ask" | "rule.allow"
        );
        let from = verdict.reason.from.as_ref();
        if about_rule
            && !from.is_some_and(|from| {
                from.file == file
                    && from.line > 0
                    && verdict
                        .reason
                        .message
                        .contains(&format!("({file}:{})", from.line))
            })
        {
            wrong.push(format!(
                "{command}: {:?} does not name its place",
                verdict.reason
            ));
        }
    }
    let told: Vec<String> = import
        .notes
        .iter()
        .map(|note| format!("{} {}:{}", note.grade.key(), note.at.line, note.at.column))
        .collect();
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
    assert_eq!(told, notes, "{file}: {:#?}", import.notes);
    assert!(seen > 3, "{cases} has cases");
}

fn request(command: &str) -> Request {
    let json = serde_json::json!({"command": command, "cwd": "/w", "workspace": ["/w"], "home": "/home/u", "git": "trusted"});
    serde_json::from_value(json).expect("a request")
}

#[test]
fn claude_code_settings() {
    holds(Vendor::Claude, "claude.settings.json", "claude.cases");
}

#[test]
fn codex_rules() {
    holds(Vendor::Codex, "codex.default.rules", "codex.cases");
}

#[test]
fn gemini_policies() {
    holds(Vendor::Gemini, "gemini.policy.toml", "gemini.cases");
}

#[test]
fn gemini_settings() {
    holds(
        Vendor::Gemini,
        "gemini.settings.json",
        "gemini-settings.cases",
    );
}

#[test]
fn opencode_permissions() {
    holds(Vendor::OpenCode, "opencode.jsonc", "opencode.cases");
}

#[test]
fn vscode_settings() {
    holds(Vendor::VsCode, "vscode.settings.json", "vscode.cases");
}

/// Each as its vendor refuses it, with the place.
#[test]
fn what_a_vendor_refuses_is_refused_with_its_place() {
    for (vendor, text, line, column) in [
        (
            Vendor::Claude,
            "{\"permissions\": {\"allow\": \"x\"}}",
            1,
            27,
        ),
        (Vendor::Claude, "{\n // no comments\n}", 2, 2),
        (
            Vendor::Codex,
            "prefix_rule(pattern=[\"git\"], decision=\"deny\")",
            1,
            30,
        ),
        (
            Vendor::Codex,
            "prefix_rule(pattern=[\"git\"], decision=None)",
            1,
            30,
        ),
        (Vendor::Codex, "prefix_rule(pattern=[])", 1, 13),
        (Vendor::Codex, "prefix_rule(pattern=\"git\")", 1, 13),
        (
            Vendor::Codex,
            "prefix_rule(pattern=[\"git\"], why=\"x\")",
            1,
            30,
        ),
        (
            Vendor::Codex,
            "\nprefix_rule(pattern=[\"git\"], match=[\"git x\", \"hg\"])",
            2,
            46,
        ),
        (
            Vendor::Codex,
            "prefix_rule(pattern=[\"git\"], not_match=[\"git x\"])",
            1,
            41,
        ),
        (Vendor::Codex, "prefix_rule(pattern=[\"git\"", 1, 21),
        (
            Vendor::Codex,
            "prefix_rule(pattern=[\"git\"], justification=\" \")",
            1,
            30,
        ),
        (
            Vendor::Codex,
            "host_executable(name=\"git\", paths=[\"/usr/bin/hg\"])",
            1,
            36,
        ),
        (
            Vendor::Gemini,
            "[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"allow\"\n",
            1,
            1,
        ),
        (
            Vendor::Gemini,
            "[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"prompt\"\npriority = 1\n",
            1,
            1,
        ),
        (
            Vendor::Gemini,
            "[[rule]]\ntoolName = \"x\"\ncommandPrefix = \"git\"\ndecision = \"allow\"\npriority = 1\n",
            1,
            1,
        ),
        (Vendor::Gemini, "[[rule]\n", 1, 8),
        (
            Vendor::OpenCode,
            "{\"permission\": {\"bash\": {\"git *\": \"maybe\"}}}",
            1,
            35,
        ),
        (
            Vendor::VsCode,
            "{\"chat.tools.terminal.autoApprove\": []}",
            1,
            37,
        ),
    ] {
        let fault = read(vendor, text, around("f")).expect_err(text);
        assert_eq!(
            (fault.at.line, fault.at.column),
            (line, column),
            "{text}: {}",
            fault.message
        );
    }
}

/// As the program of the vendor says (`codex execpolicy check`, 0.171).
#[test]
fn codex_takes_these_too() {
    for text in [
        "prefix_rule([\"git\"], \"prompt\", [\"git x\"], [\"hg\"], \"why\")",
        "prefix_rule(pattern=[\"a\"]); prefix_rule(pattern=[\"b\"])",
        "prefix_rule(pattern=[\"g\" + \"it\"], match=[])",
        "prefix_rule([\"git\"], match=[\"/usr/bin/git x\"])",
        "prefix_rule([\"git\"], not_match=[\"/opt/git x\"])\nhost_executable(\"git\", [\"/usr/bin/git\"])",
    ] {
        let import = read(Vendor::Codex, text, around("f"))
            .unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert!(
            import.lost().next().is_none() && !import.set.rules.is_empty(),
            "{text}: {:?}",
            import.notes
        );
    }
    for text in [
        "prefix_rule(pattern=(\"git\", \"x\"))",
        "prefix_rule([\"git\"], \"prompt\", \"why\")",
        "prefix_rule([\"git\"], not_match=[\"/opt/git x\"])",
    ] {
        assert!(read(Vendor::Codex, text, around("f")).is_err(), "{text}");
    }
}

/// What would vanish when a set is not trusted: its allow rules, and nothing else.
#[test]
fn an_untrusted_set_only_tightens() {
    let mut set = read(Vendor::OpenCode, &data("opencode.jsonc"), around("f"))
        .expect("valid")
        .set;
    set.tighten_only = true;
    let policy = Policy::new(PolicyConfig {
        rule_sets: vec![set],
        ..PolicyConfig::default()
    })
    .expect("valid");
    assert_eq!(
        policy.evaluate(&request("git commit -m x")).decision,
        Decision::Ask
    );
    assert_eq!(
        policy.evaluate(&request("git push")).decision,
        Decision::Deny
    );
}

/// Sets beside each other: the strictest answer holds, whichever allows.
#[test]
fn the_strictest_of_several_sets_holds() {
    let set = |vendor, text: &str| read(vendor, text, around("f")).expect("valid").set;
    let policy = Policy::new(PolicyConfig {
        rule_sets: vec![
            set(Vendor::Claude, "{\"permissions\": {\"allow\": [\"Bash(npm *)\"], \"deny\": [\"Bash(npm publish *)\"]}}"),
            set(Vendor::Codex, "prefix_rule(pattern=[\"npm\", \"ci\"], decision=\"prompt\")\nprefix_rule(pattern=[\"npm\", \"publish\"])"),
        ],
        ..PolicyConfig::default()
    })
    .expect("valid");
    for (command, want) in [
        ("npm test", Decision::Allow),
        ("npm ci", Decision::Ask),
        ("npm publish", Decision::Deny),
        ("make", Decision::Ask),
    ] {
        assert_eq!(
            policy.evaluate(&request(command)).decision,
            want,
            "{command}"
        );
    }
}
