//! Spans cut out exactly what they are about, in bytes and in UTF-16 units, behind characters of several bytes and on several lines.

use policy_core::service::{Offsets, Service};
use serde_json::{Value, json};

/// Three kinds of width before each thing of interest: two bytes, three, and two UTF-16 units.
const TEXT: &str = "echo 'é😀'\ncat €.txt | rm -f '日本' && v=é ls >ü\ncat <<E\n😀 $(touch é)\nE\n";

fn call(operation: &str, text: &str, offsets: Offsets) -> Value {
    let mut service = Service::new("", Offsets::Utf8).expect("no configuration is one");
    let request = json!({"command": text, "cwd": "/w/app", "workspace": ["/w/app"]}).to_string();
    let answer = service
        .call(operation, &request, offsets)
        .expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

/// The text under a span of either unit.
fn under(text: &str, span: &Value, offsets: Offsets) -> String {
    let at =
        |index: usize| usize::try_from(span[index].as_u64().expect("a number")).expect("small");
    let (start, end) = (at(0), at(1));
    match offsets {
        Offsets::Utf8 => text[start..end].to_owned(),
        Offsets::Utf16 => {
            let units: Vec<u16> = text.encode_utf16().collect();
            String::from_utf16(&units[start..end]).expect("no half of a pair")
        }
    }
}

fn both(mut look: impl FnMut(Offsets)) {
    for offsets in [Offsets::Utf8, Offsets::Utf16] {
        look(offsets);
    }
}

#[test]
fn commands_and_words() {
    both(|offsets| {
        let report = call("parse", TEXT, offsets);
        let cut = |span: &Value| under(TEXT, span, offsets);
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let invocations = list(&report["invocations"]);
        let texts: Vec<String> = invocations.iter().map(|one| cut(&one["span"])).collect();
        let expected = [
            "echo 'é😀'",
            "cat €.txt",
            "rm -f '日本'",
            "v=é ls >ü",
            "cat <<E",
            "touch é",
        ];
        assert_eq!(texts, expected);
        let words: Vec<String> = invocations
            .iter()
            .flat_map(|one| list(&one["argv"]))
            .map(|word| cut(&word["span"]))
            .collect();
        let expected = [
            "echo", "'é😀'", "cat", "€.txt", "rm", "-f", "'日本'", "ls", "cat", "touch", "é",
        ];
        assert_eq!(words, expected);
        assert_eq!(
            cut(&invocations[3]["assignments"][0]["value"]["span"]),
            "v=é"
        );
        assert_eq!(cut(&invocations[3]["redirects"][0]["span"]), ">ü");
    });
}

#[test]
fn reasons() {
    both(|offsets| {
        let verdict = call("evaluate", TEXT, offsets);
        assert_eq!(verdict["decision"], "ask");
        let commands = verdict["commands"].as_array().expect("commands");
        let about: Vec<String> = commands
            .iter()
            .map(|command| under(TEXT, &command["span"], offsets))
            .collect();
        assert!(about.contains(&"rm -f '日本'".to_owned()), "{about:?}");
        for command in commands {
            // What a command's reason is about lies in the command, or is the command it is nested in.
            let reason = under(TEXT, &command["reason"]["span"], offsets);
            assert!(TEXT.contains(&reason) && !reason.is_empty(), "{reason:?}");
        }
        let whole = under(TEXT, &verdict["reason"]["span"], offsets);
        assert_eq!(whole, "rm -f '日本'");
    });
}

#[test]
fn faults_hazards_and_explanations() {
    both(|offsets| {
        let text = "echo '😀é'\nfi";
        let report = call("parse", text, offsets);
        assert_eq!(under(text, &report["fault"]["span"], offsets), "f");

        let text = "echo '😀'\necho \u{202e}é; eval \"$日\" \"$x\"";
        let hazards = call("parse", text, offsets)["hazards"].clone();
        let cut: Vec<String> = hazards
            .as_array()
            .expect("hazards")
            .iter()
            .map(|hazard| under(text, &hazard["span"], offsets))
            .collect();
        assert!(cut.contains(&"\u{202e}".to_owned()), "{cut:?}");
        assert!(cut.iter().any(|cut| cut.contains("$x")), "{cut:?}");

        let text = "echo 'é😀'\ntouch '€'";
        let spans = call("explain", text, offsets)["spans"].clone();
        let cut: Vec<String> = spans
            .as_array()
            .expect("spans")
            .iter()
            .map(|part| under(text, &part["span"], offsets))
            .collect();
        assert!(cut.contains(&"touch '€'".to_owned()), "{cut:?}");
    });
}

/// A fault in a rule points at the same character in either unit.
#[test]
fn places_in_rules() {
    let config = json!({"user": {"deny": ["Bash(é😀"]}}).to_string();
    let place = |offsets| {
        let Err(fault) = Service::new(&config, offsets) else {
            panic!("an open parenthesis is refused")
        };
        usize::try_from(fault.position.expect("a place").offset).expect("small")
    };
    let bytes = place(Offsets::Utf8);
    let units = place(Offsets::Utf16);
    let before = "Bash(é😀".get(..bytes).expect("a boundary");
    assert_eq!(before.encode_utf16().count(), units);
}
