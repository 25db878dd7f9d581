//! The reader says what `serde_json` says.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt::Debug;

use serde_json::Value;

use super::*;
use crate::wire::{Request, config::PolicyConfig};

/// Reads with both, which must agree; the words when it is not read.
fn both<T: for<'de> Deserialize<'de> + PartialEq + Debug>(text: &str) -> Option<[String; 2]> {
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
fn same<T: for<'de> Deserialize<'de> + PartialEq + Debug>(text: &str) -> bool {
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
