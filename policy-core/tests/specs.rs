//! Every command spec as a specification: its examples through the whole engine, all spellings of its options judged
//! alike, tables that lookup can rely on, checks that exist.

use std::collections::BTreeSet;

use policy_core::{
    Facts, Policy, PolicyConfig, Request, Span,
    classify::{self, model::Finding, special},
    command::model::{Arg, Connector, Cwd, Invocation, Program, Site, Stdin, Value},
    facts::{GitFacts, GitState},
    specs::{
        SpecSet, builtin,
        model::{Flag, FlagValue, Form, Grammar, Spec},
    },
};

fn facts() -> Facts {
    Facts {
        cwd: Some("/w/app".into()),
        workspace: vec!["/w/app".into()],
        home: Some("/home/u".into()),
        git: GitFacts {
            state: GitState::Trusted,
            executing_keys: Vec::new(),
        },
        can_apply_conditions: true,
        ..Facts::default()
    }
}

/// The root and the subcommands, each with its words.
fn forms(spec: Spec<'static>) -> Vec<(Vec<&'static str>, Form<'static>)> {
    let root = (vec![spec.name], spec.root);
    let subs = spec.subs.iter().map(|sub| {
        let words = std::iter::once(spec.name).chain(sub.words.split(' '));
        (words.collect(), sub.form())
    });
    std::iter::once(root).chain(subs).collect()
}

#[test]
fn examples_come_out_as_they_say() {
    let policy = Policy::new(PolicyConfig::default()).expect("no rules");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (spec, notes) in builtin::noted() {
        let wanted = [
            (notes.examples_read_only, true),
            (notes.examples_not_read_only, false),
        ];
        for (example, want) in wanted
            .iter()
            .flat_map(|(list, want)| list.iter().map(move |example| (example, *want)))
        {
            count += 1;
            let verdict = policy.evaluate(&Request {
                command: example.to_string(),
                facts: facts(),
                ..Request::default()
            });
            if verdict.capability.read_only != want {
                wrong.push(format!(
                    "{}: `{example}`: read-only should be {want}: {} {}",
                    spec.name,
                    verdict.reason.code.slug(),
                    verdict.reason.message
                ));
            }
        }
    }
    assert!(count > 500, "only {count} examples");
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn all_spellings_of_an_option_are_judged_alike() {
    let mut wrong = Vec::new();
    for spec in builtin::all() {
        for (words, form) in forms(spec) {
            for flag in form.flags.iter() {
                // Only as a word of its own does it begin a command that is judged apart.
                if spec.name == "fd" && flag.names.contains("--exec") {
                    continue;
                }
                let ways = spellings(&flag, &form);
                let full = |way: &[String]| -> Vec<String> {
                    let words = words.iter().map(|word| (*word).to_owned());
                    words.chain(way.iter().cloned()).collect()
                };
                let verdicts: BTreeSet<&str> = ways
                    .iter()
                    .map(|way| judge(&full(way)).why.code.slug())
                    .collect();
                if verdicts.len() > 1 {
                    wrong.push(format!(
                        "{} {}: {ways:?} are judged {verdicts:?}",
                        words.join(" "),
                        flag.names
                    ));
                }
                let clusters = clusters(&flag, &form);
                let together = clusters.iter().map(|(cluster, _)| cluster);
                for way in ways.iter().chain(together) {
                    if flag.effect.is_some() && judge(&full(way)).read_only {
                        wrong.push(format!(
                            "`{}` acts but is judged read-only",
                            full(way).join(" ")
                        ));
                    }
                }
                for (cluster, apart) in &clusters {
                    if judge(&full(cluster)).read_only && !judge(&full(apart)).read_only {
                        wrong.push(format!(
                            "`{}` is judged looser than apart",
                            full(cluster).join(" ")
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A value that the option takes.
fn value_for<'a>(flag: &Flag<'a>) -> &'a str {
    flag.allowed
        .split('|')
        .next()
        .filter(|word| !word.is_empty())
        .unwrap_or(match flag.value {
            FlagValue::Number => "1",
            FlagValue::Braces => "{}",
            FlagValue::Eof => "EOF",
            FlagValue::Char => ",",
            _ => "x",
        })
}

fn takes_value(flag: &Flag<'_>) -> bool {
    !matches!(flag.value, FlagValue::None | FlagValue::OptionalString)
}

/// The option in a cluster with another short one, and the same two apart.
fn clusters(flag: &Flag<'_>, form: &Form<'_>) -> Vec<(Vec<String>, Vec<String>)> {
    let is_short = |name: &&str| name.len() == 2 && name.starts_with('-');
    let others = form
        .flags
        .iter()
        .filter(|other| other.effect.is_none() && other.value == FlagValue::None);
    let Some(other) = others
        .flat_map(|other| other.names.split(' '))
        .find(is_short)
        .filter(|_| form.grammar != Grammar::SingleDash)
    else {
        return Vec::new();
    };
    let value = takes_value(flag).then(|| value_for(flag).to_owned());
    let with_value = |words: &[&str]| -> Vec<String> {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .chain(value.clone())
            .collect()
    };
    flag.names
        .split(' ')
        .filter(is_short)
        .map(|name| {
            let cluster = format!("{other}{}", name.trim_start_matches('-'));
            (with_value(&[&cluster]), with_value(&[other, name]))
        })
        .filter(|(cluster, _)| {
            // Some tools have a long option of that spelling.
            !cluster
                .first()
                .is_some_and(|cluster| form.flags.iter().any(|flag| flag.is_spelled(cluster)))
        })
        .collect()
}

/// Every way to write the option alone: attached, apart, with `=`.
fn spellings(flag: &Flag<'_>, form: &Form<'_>) -> Vec<Vec<String>> {
    let value = value_for(flag);
    let takes = takes_value(flag);
    let one = |text: String| vec![text];
    let mut ways = Vec::new();
    for name in flag.names.split(' ') {
        let short = name.len() == 2 && form.grammar != Grammar::SingleDash;
        if !takes {
            ways.push(one(name.to_owned()));
        } else {
            ways.push(vec![name.to_owned(), value.to_owned()]);
            ways.push(one(if short {
                format!("{name}{value}")
            } else {
                format!("{name}={value}")
            }));
        }
        if flag.value == FlagValue::OptionalString {
            ways.push(one(if short {
                format!("{name}{value}")
            } else {
                format!("{name}={value}")
            }));
        }
    }
    ways
}

fn judge(argv: &[String]) -> Finding {
    let span = Span::default();
    let arg = |word: &String| Arg::new(Value::Exact(word.clone()), span);
    let invocation = Invocation {
        argv: argv.iter().map(arg).collect(),
        span,
        text: argv.join(" "),
        assignments: Vec::new(),
        redirects: Vec::new(),
        connector: Connector::Start,
        site: Site::Top,
        parent: None,
        wrappers: Vec::new(),
        cwd: Cwd::Initial,
        stdin: Stdin::Inherited,
        stdout_terminal: false,
    };
    let program = Program {
        invocations: vec![invocation],
        ..Program::default()
    };
    classify::classify(&program, 0, &facts(), &SpecSet::default()).expect("one invocation")
}

#[test]
fn every_check_that_is_named_exists() {
    for spec in builtin::all() {
        for (words, form) in forms(spec) {
            if let Some(check) = form.check {
                assert!(
                    special::lookup(check).is_some(),
                    "{}: no check `{check}`",
                    words.join(" ")
                );
            }
        }
    }
}

#[test]
fn lookup_finds_every_name() {
    let names: Vec<&str> = builtin::all().map(|spec| spec.name).collect();
    assert!(names.is_sorted() && names.len() > 200);
    assert_eq!(builtin::noted().count(), names.len());
    for (spec, notes) in builtin::noted() {
        for name in std::iter::once(spec.name).chain(spec.aliases.iter()) {
            assert_eq!(
                builtin::find(name).map(|found| found.name),
                Some(spec.name),
                "{name}"
            );
        }
        assert!(
            is_manual(notes.manual),
            "{}: `{}` is neither one URL nor `man N name`",
            spec.name,
            notes.manual
        );
    }
    assert!(builtin::find("frobnicate").is_none());
}

/// One URL, or `man N name`.
fn is_manual(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    match words.as_slice() {
        [url] => url.starts_with("https://") || url.starts_with("http://"),
        ["man", section, name] => {
            section.len() == 1
                && section.bytes().all(|byte| byte.is_ascii_digit())
                && !name.contains([',', ';'])
        }
        _ => false,
    }
}

#[test]
fn the_documented_example_of_a_users_own_command_is_loaded() {
    let page = include_str!("../../docs/spec-format.md");
    let (_, section) = page
        .split_once("## Your own commands")
        .expect("the section");
    let (_, block) = section.split_once("```json\n").expect("an example");
    let (json, _) = block.split_once("```").expect("its end");
    let config: PolicyConfig = serde_json::from_str(json).expect("a configuration");
    let policy = Policy::new(config).expect("a spec");
    let read_only = |command: &str| {
        let request = Request {
            command: command.into(),
            facts: facts(),
            ..Request::default()
        };
        policy.evaluate(&request).capability.read_only
    };
    assert!(read_only("deploy status --env prod"));
    assert!(read_only("deploy --version"));
    assert!(!read_only("deploy push --env prod"));
    assert!(!read_only("deploy status --frobnicate"));
    assert!(!read_only("deploy status --hook ./x"));
}
