//! Faults with positions, layers, trust, and changes that lose nothing.

use std::{fs, path::Path};

use policy_core::{LayerConfig, RuleEntry};

use super::*;

fn fault(name: &str, bytes: &[u8]) -> ConfigFault {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join(name);
    fs::write(&path, bytes).expect("written");
    let mut fault = read(&path).expect_err("a fault");
    fault.path = Path::new(name).to_owned();
    fault
}

#[test]
fn an_unknown_key_is_named_with_its_place() {
    let fault = fault(
        "portcullis.toml",
        b"mode = \"build\"\n\n[rules]\nalow = []\n",
    );
    assert_eq!(fault.position, Some((4, 1)));
    assert!(fault.message.contains("`alow`"), "{fault}");
}

#[test]
fn a_wrong_type_is_named_with_its_place() {
    let toml = fault("portcullis.toml", b"[rules]\nallow = \"ls\"\n");
    assert_eq!(toml.position, Some((2, 9)), "{toml}");
    let json = fault("portcullis.json", b"{\n  \"askNetwork\": 3\n}");
    assert_eq!(json.position.map(|at| at.0), Some(2), "{json}");
}

#[test]
fn a_mode_that_is_none_is_named() {
    let fault = fault("portcullis.toml", b"mode = \"fast\"\n");
    assert!(fault.message.contains("fast"), "{fault}");
}

#[test]
fn text_that_is_not_utf8_is_a_fault_where_it_begins() {
    let fault = fault("portcullis.toml", b"mode = \"build\"\n# \xff\n");
    assert_eq!(
        (fault.position, fault.message.as_str()),
        (Some((2, 3)), "is not UTF-8 text")
    );
}

#[test]
fn a_folder_in_place_of_a_file_is_a_fault() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("portcullis.toml");
    fs::create_dir(&path).expect("made");
    assert_eq!(
        read(&path).expect_err("a fault").message,
        "is a folder, not a file"
    );
}

#[test]
fn every_file_from_the_folder_up_to_the_root_counts() {
    let places = places(Path::new("/w/app/a/b"), Path::new("/w/app"));
    let named = |path: &str| {
        places
            .project
            .iter()
            .position(|place| place == Path::new(path))
    };
    assert!(named("/w/app/a/b/portcullis.toml") < named("/w/app/portcullis.toml"));
    assert_eq!(named("/w/portcullis.toml"), None);
}

#[test]
fn a_rule_is_added_without_losing_a_comment() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("portcullis.toml");
    fs::write(&path, "# mine\nmode = \"build\" # calm\n\n[rules]\n# tests are fine\nallow = [\n  \"npm test:*\", # always\n]\n").expect("written");
    assert!(
        write(
            &path,
            &Change::Add(RuleList::Allow, "cargo test:*".into(), None)
        )
        .expect("changed")
    );
    assert!(
        !write(
            &path,
            &Change::Add(RuleList::Allow, "cargo test:*".into(), None)
        )
        .expect("unchanged")
    );
    let text = fs::read_to_string(&path).expect("read");
    for kept in [
        "# mine",
        "# calm",
        "# tests are fine",
        "# always",
        "\"npm test:*\"",
        "\"cargo test:*\"",
    ] {
        assert!(text.contains(kept), "{kept} is lost in\n{text}");
    }
    assert!(write(&path, &Change::Remove(RuleList::Allow, "npm test:*".into())).expect("changed"));
    let file = read(&path).expect("valid").expect("there").0;
    assert_eq!(
        file.rules
            .allow
            .iter()
            .map(RuleEntry::text)
            .collect::<Vec<_>>(),
        ["cargo test:*"]
    );
}

#[test]
fn a_file_that_is_not_there_is_made() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["sub/portcullis.toml", "portcullis.json"] {
        let path = dir.path().join(name);
        assert!(
            write(
                &path,
                &Change::Add(RuleList::Deny, "rm:*".into(), Some("never".into()))
            )
            .expect("made")
        );
        let file = read(&path).expect("valid").expect("there").0;
        assert_eq!(
            file.rules
                .deny
                .iter()
                .map(RuleEntry::text)
                .collect::<Vec<_>>(),
            ["rm:*"]
        );
    }
}

#[test]
fn a_bad_file_is_left_as_it_was() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("portcullis.toml");
    fs::write(&path, "mode = \n").expect("written");
    write(&path, &Change::Add(RuleList::Deny, "rm:*".into(), None)).expect_err("a fault");
    assert_eq!(fs::read_to_string(&path).expect("read"), "mode = \n");
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("portcullis.toml");
    fs::write(&path, "").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
    write(
        &path,
        &Change::Add(RuleList::Ask, "git push:*".into(), None),
    )
    .expect("changed");
    assert_eq!(
        fs::metadata(&path).expect("there").permissions().mode() & 0o777,
        0o640
    );
}

#[test]
fn twenty_writers_at_once_all_win() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("portcullis.toml");
    std::thread::scope(|scope| {
        for n in 0..20 {
            let path = &path;
            scope.spawn(move || {
                write(
                    path,
                    &Change::Add(RuleList::Allow, format!("tool{n}:*"), None),
                )
                .expect("changed")
            });
        }
    });
    assert_eq!(
        read(&path)
            .expect("valid")
            .expect("there")
            .0
            .rules
            .allow
            .len(),
        20
    );
}

#[test]
fn trust_is_lost_with_the_first_changed_byte() {
    let path = Path::new("/nowhere/portcullis.toml");
    let trust = Trust::for_test(&[(path, "mode = \"yolo\"\n")]);
    assert!(trust.holds(path, "mode = \"yolo\"\n"));
    assert!(!trust.holds(path, "mode = \"yolo\" \n"));
    assert!(!trust.holds(Path::new("/other/portcullis.toml"), "mode = \"yolo\"\n"));
}

#[test]
fn the_schema_knows_every_key_and_mode() {
    let schema = schema();
    let text = schema.to_string();
    for key in [
        "mode",
        "analysis",
        "askNetwork",
        "allowSensitiveReads",
        "rules",
        "commands",
        "noMatch",
        "justification",
        "acceptEdits",
        "dontAsk",
    ] {
        assert!(
            text.contains(&format!("\"{key}\"")),
            "{key} is not in the schema"
        );
    }
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
}

fn source(layer: Layer, trusted: bool, text: &str) -> Source {
    let path = PathBuf::from(format!("/{layer:?}.toml"));
    let file = read::parse(&path, text).expect("valid");
    Source {
        layer,
        path,
        file,
        text: text.into(),
        trusted,
    }
}

#[test]
fn an_untrusted_project_only_tightens() {
    let text = "mode = \"yolo\"\nallowSensitiveReads = true\naskNetwork = true\n[rules]\nallow = [\"rm:*\"]\ndeny = [\"curl:*\"]\n";
    let loaded = Loaded {
        sources: vec![source(Layer::Project, false, text)],
    };
    let config = loaded.policy(LayerConfig::default());
    assert!(config.project.allow.is_empty() && config.project.deny.len() == 1);
    assert_eq!(config.settings.mode, policy_core::facts::Mode::Build);
    assert!(config.settings.ask_network && !config.settings.allow_sensitive_reads);
    let trusted = Loaded {
        sources: vec![source(Layer::Project, true, text)],
    };
    assert_eq!(
        trusted.policy(LayerConfig::default()).project.allow.len(),
        1
    );
}

#[test]
fn the_strongest_layer_sets_a_single_value() {
    let loaded = Loaded {
        sources: vec![
            source(Layer::Managed, true, "mode = \"plan\"\n"),
            source(Layer::User, true, "mode = \"yolo\"\n"),
        ],
    };
    assert_eq!(
        loaded.policy(LayerConfig::default()).settings.mode,
        policy_core::facts::Mode::Plan
    );
}

#[test]
fn a_bad_rule_is_found_again_in_its_file() {
    let first = source(Layer::User, true, "[rules]\nallow = [\"ls:*\"]\n");
    let mut second = source(
        Layer::User,
        true,
        "[rules]\nallow = [\n  \"ok:*\",\n  \"git:* push:*\",\n]\n",
    );
    second.path = "/second.toml".into();
    let loaded = Loaded {
        sources: vec![first, second],
    };
    let fault = policy_core::ConfigFault {
        layer: Some(policy_core::Layer::User),
        list: Some(policy_core::Decision::Allow),
        set: None,
        index: 2,
        rule: "git:* push:*".into(),
        message: "bad".into(),
        help: None,
        span: policy_core::Span::new(0, 3),
    };
    let fault = loaded.locate(&fault);
    assert_eq!(
        (fault.path.to_str(), fault.position),
        (Some("/second.toml"), Some((4, 4)))
    );
}
