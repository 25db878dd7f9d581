//! How words are read by a spec: spellings, clusters, values, subcommands, what is unknown.

use alloc::{string::ToString, vec};

use super::*;
use crate::{
    effect::Effect,
    span::Span,
    specs::{
        self,
        compile::compile,
        pack::Packer,
        packed::{Packed, Reader},
        raw::{RawGrammar, RawSpec, RawSub},
    },
};

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn raw(grammar: RawGrammar) -> RawSpec {
    let document = r#"{
        "name": "tool", "summary": "a tool", "manual": "man 1 tool", "kind": "read",
        "operands": ["read*"],
        "flags": {
            "none": ["-a --all", "-b", "-rf"], "number": ["-n --lines"], "string": ["-e --expr"], "optional": ["-i --color"]
        },
        "refuse": { "write": ["-o --output PATH"] },
        "examples": { "readOnly": ["tool"], "notReadOnly": ["tool > f"] }
    }"#;
    let document = serde_json::from_str(document).expect("JSON");
    let mut raw = specs::read::read(&document).expect("a document");
    raw.grammar = Some(grammar);
    raw
}

/// A spec of the document, in bytes that live as long as the tests.
fn packed(raw: &RawSpec) -> Spec<'static> {
    let mut packer = Packer::default();
    let at = packer.spec(&compile(raw, None).expect("no faults"));
    let bytes: &'static [u8] = packer.bytes.leak();
    Reader::at(bytes, at)
        .and_then(|mut reader| Spec::unpack(&mut reader))
        .expect("what was packed is read")
}

fn spec(grammar: RawGrammar) -> Spec<'static> {
    packed(&raw(grammar))
}

fn with_subs() -> Spec<'static> {
    let mut raw = raw(RawGrammar::Gnu);
    raw.operands = Vec::new();
    raw.globals.flags.string = texts(&["-C"]);
    let sub = |words: &str| -> RawSub {
        let document = serde_json::json!({
            "name": "tool", "summary": "a tool", "manual": "man 1 tool", "kind": "read",
            "sub": [{ "words": words, "operands": ["text*"], "flags": { "none": ["-p"] } }],
        });
        let raw = specs::read::read(&document).expect("a document");
        raw.sub.into_iter().next().expect("one subcommand")
    };
    raw.sub = vec![sub("remote"), sub("remote show"), sub("ec2 describe-*")];
    packed(&raw)
}

fn arg(value: Value) -> Arg {
    Arg::new(value, Span::default())
}

fn exact(words: &[&str]) -> Vec<Arg> {
    words
        .iter()
        .map(|word| arg(Value::Exact((*word).into())))
        .collect()
}

/// Options as `name=value`, in order.
fn options(parsed: &Parsed<'_>) -> Vec<String> {
    parsed
        .options
        .iter()
        .map(
            |option| match option.value.as_ref().and_then(Value::exact) {
                Some(value) => format!("{}={value}", option.name),
                None => option.name.clone(),
            },
        )
        .collect()
}

use alloc::format;

#[test]
fn clusters_and_attached_values() {
    let spec = spec(RawGrammar::Gnu);
    let argv = exact(&[
        "tool",
        "-abn5",
        "-abe",
        "x",
        "--lines=7",
        "--expr",
        "y",
        "-ifoo",
        "f",
        "-",
        "-rf",
    ]);
    let parsed = read(spec, &argv);
    assert_eq!(
        options(&parsed),
        [
            "-a",
            "-b",
            "-n=5",
            "-a",
            "-b",
            "-e=x",
            "--lines=7",
            "--expr=y",
            "-i=foo",
            "-rf"
        ]
    );
    assert_eq!(parsed.operands, [8, 9]);
    assert!(parsed.unknown.is_empty());
}

#[test]
fn a_double_dash_ends_options() {
    let spec = spec(RawGrammar::Gnu);
    let argv = exact(&["tool", "-a", "--", "-o", "x"]);
    let parsed = read(spec, &argv);
    assert_eq!(options(&parsed), ["-a"]);
    assert_eq!(parsed.operands, [3, 4]);
    assert_eq!(parsed.end_of_options, Some(2));
}

#[test]
fn abbreviations_are_known_only_where_they_act() {
    let spec = spec(RawGrammar::Gnu);
    let argv = exact(&["tool", "--outp=x", "--al"]);
    let parsed = read(spec, &argv);
    assert_eq!(
        parsed.options[0].flag.and_then(|flag| flag.effect),
        Some(Effect::Write)
    );
    assert_eq!(parsed.unknown, [2]);
    assert_eq!(parsed.unknown_names, ["--al"]);
}

#[test]
fn counts_belong_to_their_grammar() {
    let counting = spec(RawGrammar::GnuCount);
    let argv = exact(&["tool", "-20", "f"]);
    assert_eq!(options(&read(counting, &argv)), ["-NUM=20"]);
    let plain = spec(RawGrammar::Gnu);
    assert_eq!(read(plain, &argv).unknown, [1]);
}

#[test]
fn posix_options_end_at_the_first_operand() {
    let spec = spec(RawGrammar::Posix);
    let argv = exact(&["tool", "-a", "ls", "-o", "x"]);
    let parsed = read(spec, &argv);
    assert_eq!(options(&parsed), ["-a"]);
    assert_eq!(parsed.operands, [2, 3, 4]);
}

#[test]
fn words_only_known_at_run_time_are_uncertain_unless_they_cannot_be_options() {
    let spec = spec(RawGrammar::Gnu);
    let cases = [
        (Value::Unknown, true),
        (Value::Many(String::new()), true),
        (Value::Prefix("-".into()), true),
        (Value::Prefix("./".into()), false),
        (Value::Many("src/".into()), false),
        (Value::OneOf(texts(&["a", "b"])), false),
        (Value::OneOf(texts(&["a", "-b"])), true),
        (Value::Prefix("-n".into()), false),
        (Value::Prefix("--lines=".into()), false),
        (Value::Prefix("--li".into()), true),
    ];
    for (value, uncertain) in cases {
        let argv = [exact(&["tool"]), vec![arg(value.clone())]].concat();
        assert_eq!(
            read(spec, &argv).uncertain.is_some(),
            uncertain,
            "{value:?}"
        );
        let ended = [exact(&["tool", "--"]), vec![arg(value.clone())]].concat();
        assert_eq!(read(spec, &ended).uncertain, None, "{value:?}");
    }
}

#[test]
fn an_unknown_word_can_be_the_value_of_an_option() {
    let spec = spec(RawGrammar::Gnu);
    let argv = [
        exact(&["tool", "-e"]),
        vec![arg(Value::Unknown)],
        exact(&["f"]),
    ]
    .concat();
    let parsed = read(spec, &argv);
    assert_eq!(parsed.uncertain, None);
    assert_eq!(parsed.operands, [3]);
    let several = [
        exact(&["tool", "-e"]),
        vec![arg(Value::Many(String::new()))],
    ]
    .concat();
    assert_eq!(read(spec, &several).uncertain, Some(2));
}

#[test]
fn the_longest_subcommand_wins() {
    let spec = with_subs();
    let name = |words: &[&str]| {
        let argv = exact(words);
        let parsed = read(spec, &argv);
        (
            parsed.sub.map(|sub| sub.words.to_string()),
            parsed.unknown_sub,
            parsed.start,
        )
    };
    assert_eq!(
        name(&["tool", "remote", "show", "x"]),
        (Some("remote show".into()), None, 3)
    );
    assert_eq!(
        name(&["tool", "-C", "d", "remote", "x"]),
        (Some("remote".into()), None, 4)
    );
    assert_eq!(
        name(&["tool", "ec2", "describe-hosts"]),
        (Some("ec2 describe-*".into()), None, 3)
    );
    assert_eq!(name(&["tool", "ec2", "run"]), (None, Some(1), 1));
    assert_eq!(name(&["tool", "frob"]), (None, Some(1), 1));
    assert_eq!(name(&["tool"]), (None, None, 1));
}

#[test]
fn an_unknown_word_after_a_subcommand_may_make_it_another() {
    let spec = with_subs();
    let argv = [
        exact(&["tool", "remote"]),
        vec![arg(Value::Prefix("sh".into()))],
    ]
    .concat();
    assert_eq!(read(spec, &argv).uncertain, Some(2));
}
