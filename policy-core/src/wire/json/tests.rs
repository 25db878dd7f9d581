//! The reader and the writer say what `serde_json` says.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::fmt::Debug;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::*;
use crate::{
    decision::{Decision, Layer},
    facts::{GitFacts, GitState, Mode, Platform, Session, Shell},
    outcome::Tools,
    rules::shape::{Assignments, Resolution, SetMatch},
    wire::{Analysis, Request, config::PolicyConfig},
};

/// Reads with both, which must agree; the words when it is not read.
fn both<T: Read + for<'de> Deserialize<'de> + PartialEq + Debug>(
    text: &str,
) -> Option<[String; 2]> {
    let words = |fault: &str| fault.split(" at line ").next().unwrap_or_default().into();
    match (read::<T>(text), serde_json::from_str::<T>(text)) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(ours, theirs, "{text}");
            None
        }
        (Err(ours), Err(theirs)) => Some([words(&ours), words(&theirs.to_string())]),
        // Neither is on the wire: numbers with a fraction, and structs whose fields stand in a list.
        (Err(ours), Ok(_))
            if ours.contains("is no whole number")
                || ours.contains("sequence, expected struct") =>
        {
            None
        }
        (ours, theirs) => panic!("{text}: {ours:?} against {theirs:?}"),
    }
}

/// Whether both read it; else they say the same.
fn same<T: Read + for<'de> Deserialize<'de> + PartialEq + Debug>(text: &str) -> bool {
    let words = both::<T>(text);
    if let Some([ours, theirs]) = &words {
        assert_eq!(ours, theirs, "{text}");
    }
    words.is_none()
}

const REQUESTS: &[&str] = &[
    r#"{"command":"ls"}"#,
    " {\t\"command\" :\n\"ls\" , \"workspace\" : [ \"/a\" , \"/b\" ] } \r\n",
    r#"{"command":"l\u0073 \"\\\/\b\f\n\r\t é \ud83d\ude00","cwd":null,"workspace":"/w","platform":"darwin"}"#,
    r#"{"command":"x","git":"trusted","mode":"acceptEdits","answers":{"q":true,"p":false},"hook":"allow"}"#,
    r#"{"command":"x","git":{"state":"suspicious","executingKeys":["a.b"]},"sandbox":{"available":true}}"#,
];

const CONFIGS: &[&str] = &[
    "{}",
    r#"{"user":{"allow":["npm test:*",{"rule":"x","because":"y"}]},"settings":{"mode":"yolo","askNetwork":true}}"#,
    r#"{"ruleSets":[{"name":"n","match":"words","rules":[{"match":"ls","decision":"allow","from":{"file":"f","line":3,"column":1}}]}]}"#,
    r#"{"commands":[{"name":"x","a":[1,-12,18446744073709551615,-9223372036854775808,{"b":null}],"c":false}]}"#,
];

/// Every key and every name there is.
const FULL: &[&str] = &[
    r#"{"command":"ls","cwd":"/w","workspace":["/w"],"home":"/h","platform":"windows","shell":"zsh","mode":"plan","session":"subagent",
      "unattended":true,"git":{"state":"none","executingKeys":["a"]},"sandbox":{"available":true,"enabled":true,"autoAllow":true,
      "excluded":["x"],"disabledByCall":true},"canApplyConditions":true,"askNetwork":true,"allowSensitiveReads":false,
      "analysis":"strict","allow":["a"],"ask":["b"],"deny":["c"],"hook":"ask","answers":{"q":false}}"#,
    r#"{"command":"x","mode":null,"analysis":null,"askNetwork":null,"allowSensitiveReads":null,"hook":null,"home":null}"#,
    r#"{"command":"x","mode":{"edit":null},"git":{"trusted":null},"platform":{"macos":null}}"#,
    r#"{"command":"x","git":"unknown","workspace":[]}"#,
];

const FULL_CONFIG: &str = r#"{"managed":{"allow":["a"]},"commandLine":{"ask":["b"]},"local":{"deny":["c"]},"project":{},
    "user":{"allow":[{"rule":"r","justification":"j","match":["m"],"noMatch":["n"]},{"rule":"r","because":"j","notMatch":["n"]}]},
    "settings":{"mode":"yolo","analysis":"strict","askNetwork":true,"allowSensitiveReads":true},"commands":[{"name":"x"}],
    "ruleSets":[{"vendor":"v","file":"f","layer":"project","resolution":"lastMatch","assignments":"never","plainOnly":true,
    "wholeText":true,"tightenOnly":true,"exactOnly":[["a","b"],[]],"executables":{"a":["/b"]},"rules":[{"rule":"r","decision":"deny",
    "match":{"words":[["a"],["b","c"]]},"line":3,"column":4294967295,"priority":-3,"justification":"j","modes":["plan","edit"],
    "wholeLine":true},{"rule":"r","decision":"allow","match":{"glob":"g"},"priority":9223372036854775807},
    {"rule":"r","decision":"ask","match":{"json":"g"}},{"rule":"r","decision":"ask","match":{"regex":"g"}},
    {"rule":"r","decision":"ask","match":{"wild":"g"}}]}]}"#;

const FULL_TOOLS: &str = r#"{"shell":"sh","defaultTimeout":1,"maxTimeout":18446744073709551615,"glob":"g","grep":"h","read":"r","edit":"e",
    "write":"w","background":true,"sandbox":true,"mayLeaveSandbox":true}"#;

/// A text with each of its keys left out, written twice and misspelt.
fn damaged(text: &str) -> impl Iterator<Item = String> {
    let keys = text.match_indices("\":").map(|(end, _)| {
        let start = text[..end].rfind('"').map_or(0, |start| start + 1);
        (start, end)
    });
    keys.flat_map(move |(start, end)| {
        let key = &text[start..end];
        [
            format!("{}{key}\":1,\"{}", &text[..start], &text[start..]),
            format!("{}{key}\":null,\"{}", &text[..start], &text[start..]),
            format!("{}x{}", &text[..start], &text[start..]),
            format!("{}null,\"x\":{}", &text[..end + 2], &text[end + 2..]),
        ]
    })
}

#[test]
fn every_key_and_every_name_is_read_alike() {
    assert!(FULL.iter().all(|text| same::<Request>(text)));
    assert!(same::<PolicyConfig>(FULL_CONFIG));
    assert!(both::<Tools>(FULL_TOOLS).is_none() && both::<Tools>("{}").is_none());
    // Of what is no name serde says other words where it stands in an object.
    for text in FULL.iter().flat_map(|text| damaged(text)) {
        both::<Request>(&text);
    }
    for text in damaged(FULL[0]) {
        same::<Request>(&text);
    }
    for text in damaged(FULL_CONFIG) {
        same::<PolicyConfig>(&text);
    }
    for text in damaged(FULL_TOOLS) {
        same::<Tools>(&text);
    }
    for name in [
        "linux",
        "macos",
        "darwin",
        "windows",
        "win32",
        "bash",
        "zsh",
        "sh",
        "plan",
        "build",
        "default",
        "manual",
        "edit",
        "acceptEdits",
        "yolo",
        "bypass",
        "bypassPermissions",
        "dontAsk",
        "main",
        "subagent",
        "idle",
        "trusted",
        "suspicious",
        "unknown",
        "none",
        "strict",
        "deep",
        "allow",
        "ask",
        "deny",
        "managed",
        "commandLine",
        "local",
        "project",
        "user",
        "strictest",
        "priority",
        "lastMatch",
        "strip",
        "keep",
        "never",
        "Plan",
        "",
    ] {
        let text = format!("\"{name}\"");
        same::<Platform>(&text);
        same::<Shell>(&text);
        same::<Mode>(&text);
        same::<Session>(&text);
        same::<GitState>(&text);
        same::<Analysis>(&text);
        same::<Decision>(&text);
        same::<Layer>(&text);
        same::<Resolution>(&text);
        same::<Assignments>(&text);
        same::<SetMatch>(&text);
        same::<GitFacts>(&text);
    }
}

#[test]
fn what_is_right_is_read_alike() {
    for text in REQUESTS {
        assert!(same::<Request>(text), "{text}");
        assert!(same::<Value>(text), "{text}");
    }
    for text in CONFIGS {
        same::<PolicyConfig>(text);
        assert!(same::<Value>(text), "{text}");
    }
    assert!(same::<PolicyConfig>(CONFIGS[1]) && same::<PolicyConfig>(CONFIGS[3]));
}

#[test]
fn what_is_wrong_is_told_in_the_same_words() {
    for text in [
        "",
        "nul",
        "nulx",
        "tru",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[1 2]",
        "[,1]",
        "{",
        "{\"a\"",
        "{\"a\" 1}",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{1:2}",
        "{\"a\":1 \"b\":2}",
        "\"",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\u0041\"",
        "\"a\nb\"",
        "01",
        "-",
        "-x",
        "1 2",
        "{} x",
        "]",
        "}",
        "#",
    ] {
        assert!(!same::<Value>(text), "{text}");
    }
    for text in [
        "null",
        "3",
        r#""ls""#,
        "{}",
        r#"{"command":3}"#,
        r#"{"command":null}"#,
        r#"{"command":["ls"]}"#,
        r#"{"command":"a","command":"b"}"#,
        r#"{"command":"a","alow":[]}"#,
        r#"{"command":"a","allow":"b"}"#,
        r#"{"command":"a","allow":[3]}"#,
        r#"{"command":"a","allow":{}}"#,
        r#"{"command":"a","mode":"fast"}"#,
        r#"{"command":"a","mode":3}"#,
        r#"{"command":"a","mode":{"edit":1}}"#,
        r#"{"command":"a","git":"x"}"#,
        r#"{"command":"a","unattended":"yes"}"#,
        r#"{"command":"a","unattended":-1}"#,
        r#"{"command":"a","answers":{"q":1}}"#,
        r#"{"command":"a","answers":[]}"#,
        r#"{"command":"a","sandbox":true}"#,
        r#"{"command":"a","workspace":[1]}"#,
    ] {
        assert!(!same::<Request>(text), "{text}");
    }
    for text in [
        r#"{"user":"x"}"#,
        r#"{"user":{"allow":[3]}}"#,
        r#"{"user":{"allow":[{"rul":"x"}]}}"#,
        r#"{"ruleSets":[{}]}"#,
        r#"{"ruleSets":{}}"#,
        r#"{"settings":{"mode":"x"}}"#,
        r#"{"uzer":{}}"#,
    ] {
        assert!(!same::<PolicyConfig>(text), "{text}");
    }
}

#[test]
fn what_is_written_is_what_serde_json_writes() {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        Unit,
        Newtype(u8),
        Tuple(bool, Option<char>),
        Struct { a: (), b: [i64; 2] },
    }
    let every: String = ('\0'..='\u{a1}')
        .chain("é\u{2028}😀\u{ffff}".chars())
        .collect();
    let values = (
        [
            Kind::Unit,
            Kind::Newtype(0),
            Kind::Tuple(true, Some('"')),
            Kind::Tuple(false, None),
        ],
        Kind::Struct {
            a: (),
            b: [i64::MIN, i64::MAX],
        },
        (
            every.as_str(),
            u64::MAX,
            -1_i8,
            1.5,
            f64::NAN,
            3.0,
            "{",
            "[",
        ),
        BTreeMap::from([(3, Vec::new()), (7, vec!["[", "{"])]),
        BTreeMap::from([(every.as_str(), BTreeMap::from([("", ""), ("{", "")]))]),
    );
    assert_eq!(
        Ok(write(&values)),
        serde_json::to_string(&values).map_err(|_| ())
    );
    for text in FULL {
        let request: Request = read(text).expect("readable");
        let written = serde_json::to_string(&request).map_err(|_| ());
        assert_eq!(Ok(write(&request)), written);
    }
    let config: PolicyConfig = read(FULL_CONFIG).expect("readable");
    assert_eq!(
        Ok(write(&config)),
        serde_json::to_string(&config).map_err(|_| ())
    );
}

#[test]
fn the_place_is_where_reading_stopped() {
    let fault =
        read::<Request>("{\n  \"command\": \"ls\",\n  \"comand\": 1}").expect_err("unknown");
    assert!(fault.ends_with(" at line 3 column 10"), "{fault}");
}

#[test]
fn only_whole_numbers_are_numbers() {
    for text in [
        "1.5",
        "1e3",
        "-0.0",
        "18446744073709551616",
        "-9223372036854775809",
    ] {
        let fault = read::<Value>(&format!("[{text}]")).expect_err("not whole");
        assert!(
            fault.starts_with(&format!("`{text}` is no whole number of 64 bits at line 1")),
            "{fault}"
        );
        let request = format!(r#"{{"command":"a","unattended":{text}}}"#);
        assert!(
            read::<Request>(&request)
                .expect_err("not whole")
                .contains(text)
        );
    }
    assert!(same::<Value>("[0,-1]"));
    assert_eq!(
        read::<Request>("[\"ls\"]").expect_err("no object"),
        "invalid type: sequence, expected struct Flat at line 1 column 0"
    );
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(same::<Value>(&nested(127)));
    assert!(!same::<Value>(&nested(128)));
}

#[test]
fn texts_cut_and_changed_anywhere_are_read_alike() {
    let replacements = [
        "", "\"", "{", "}", "[", "]", ",", ":", "\\", " ", "0", "null", "é",
    ];
    for text in REQUESTS.iter().chain(CONFIGS) {
        for (at, letter) in text.char_indices() {
            let after = at + letter.len_utf8();
            let cut = &text[..at];
            let changed = replacements.map(|by| format!("{cut}{by}{}", &text[after..]));
            for text in core::iter::once(String::from(cut)).chain(changed) {
                both::<Value>(&text);
                both::<Request>(&text);
                both::<PolicyConfig>(&text);
            }
        }
    }
}
