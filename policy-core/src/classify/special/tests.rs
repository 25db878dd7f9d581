//! The checks on whole command lines: the words are read by the built-in spec, then the check of its form runs.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{super::check::CheckInput, lookup};
use crate::{
    classify::{classify, model::Why},
    command::model::{Arg, Connector, Cwd, Invocation, Program, Site, Stdin, Value},
    effect::{Effect, Touch},
    facts::{Facts, GitFacts, GitState, Platform},
    span::Span,
    specs::{SpecSet, builtin, options},
};

/// Splits as a shell would at blanks and quotes; `$x` is any number of words, `"$x"` one unknown word.
fn words(line: &str) -> Vec<Arg> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, ' ') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let unknown = |text: &str| match text {
        "$x" => Value::Many(String::new()),
        "$1" => Value::Unknown,
        text => Value::Exact(text.to_string()),
    };
    words
        .iter()
        .map(|text| Arg::new(unknown(text), Span::default()))
        .collect()
}

fn invocation(line: &str) -> Invocation {
    Invocation {
        argv: words(line),
        span: Span::default(),
        text: line.to_string(),
        assignments: Vec::new(),
        redirects: Vec::new(),
        connector: Connector::Start,
        site: Site::Top,
        parent: None,
        wrappers: Vec::new(),
        cwd: Cwd::Initial,
        stdin: Stdin::Inherited,
        stdout_terminal: true,
    }
}

/// A line that needs no shell: one command, no expansion but `$x`, `"$x"` and a lone `*`.
fn is_simple(line: &str) -> bool {
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (
                None,
                '|' | '&' | ';' | '<' | '>' | '$' | '`' | '\\' | '*' | '?' | '~' | '{' | '(' | '\n'
                | '=',
            )
            | (Some('"'), '$' | '`' | '\\')
                // An assignment before the command is the only `=` that matters; all are left out.
                if (c != '=' || !line.starts_with(|c: char| c.is_ascii_lowercase())) => {
                    return false;
                }
            _ => {}
        }
    }
    true
}

#[test]
fn simple_examples_of_the_specs_hold() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    let facts = Facts {
        cwd: Some("/w/app".into()),
        workspace: alloc::vec!["/w/app".into()],
        home: Some("/home/u".into()),
        git: GitFacts {
            state: GitState::Trusted,
            executing_keys: Vec::new(),
        },
        can_apply_conditions: true,
        ..Facts::default()
    };
    for (spec, notes) in builtin::noted() {
        let all = [
            (notes.examples_read_only, true),
            (notes.examples_not_read_only, false),
        ];
        for (examples, read_only) in all {
            // The state of the shell and of a repository is judged elsewhere, and so is the command that fd starts.
            let apart = matches!(spec.name, "set" | "export" | "git" | "fd");
            for line in examples.iter().filter(|line| !apart && is_simple(line)) {
                let program = Program {
                    invocations: alloc::vec![invocation(line)],
                    ..Program::default()
                };
                if program.invocations.first().is_none_or(|one| {
                    one.argv.first().and_then(|word| word.value.exact()) != Some(spec.name)
                        && !spec.aliases.iter().any(|alias| {
                            one.argv.first().and_then(|word| word.value.exact()) == Some(alias)
                        })
                }) || spec.root.wrapper.is_some()
                    // Their examples need the whole engine: scripts in strings, facts of the repository.
                    || matches!(spec.name, "bash" | "git")
                {
                    continue;
                }
                tried += 1;
                let found = classify(&program, 0, &facts, &SpecSet::default());
                let free = found
                    .as_ref()
                    .is_some_and(|found| found.read_only && found.sensitive.is_none());
                if free != read_only {
                    wrong.push((
                        line.to_string(),
                        read_only,
                        found.map(|found| found.why.message),
                    ));
                }
            }
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn judge_on(line: &str, platform: Platform) -> Option<Result<Vec<Touch>, Why>> {
    let invocation = invocation(line);
    let name = invocation
        .argv
        .first()
        .and_then(|word| word.value.exact())?
        .to_string();
    let spec = builtin::find(&name)?;
    let parsed = options::read(spec, &invocation.argv);
    let facts = Facts {
        platform,
        ..Facts::default()
    };
    let specs = SpecSet::default();
    let check = lookup(parsed.form.check?)?;
    Some(check(&CheckInput {
        invocation: &invocation,
        parsed: &parsed,
        facts: &facts,
        specs: &specs,
    }))
}

fn passes(line: &str) {
    let found = judge_on(line, Platform::Linux);
    assert!(
        matches!(&found, Some(Ok(all)) if all.iter().all(|one| one.effect == Effect::Read)),
        "{line}: {found:?}"
    );
}

fn stops(line: &str) {
    let found = judge_on(line, Platform::Linux);
    assert!(
        !matches!(&found, Some(Ok(all)) if all.iter().all(|one| one.effect == Effect::Read))
            && found.is_some(),
        "{line}: {found:?}"
    );
}

fn writes(line: &str, platform: Platform) -> Vec<Option<String>> {
    match judge_on(line, platform) {
        Some(Ok(all)) => all
            .into_iter()
            .filter(|one| one.effect == Effect::Write)
            .map(|one| one.target)
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn sed_finds_its_scripts() {
    for line in [
        "sed -n 1,5p f",
        "sed -e p -e d f",
        "sed -es/a/b/ f",
        "sed --expression=p f",
        "sed -nEz p f",
        "sed -e 'a\\' -e 'w out' f",
        "sed -n '/source: \"tool\",/p' f",
        "sed",
        "sed p -",
    ] {
        passes(line);
    }
    for line in [
        "sed -e 'w out' f",
        "sed --expression='1w out' f",
        "sed -e p -e 'w out' f",
        "sed $1 f",
        "sed p $x",
        "sed -e $1 f",
        "sed -n e f",
        "sed -i p f",
        "sed -ni.b p f",
        "sed --in-place=.bak p f",
        "sed f -e 'w out'",
    ] {
        stops(line);
    }
    assert_eq!(
        writes("sed -i s/a/b/ f g", Platform::Linux),
        [Some("f".into()), Some("g".into())]
    );
    assert_eq!(
        writes("sed -i '' s/a/b/ f", Platform::Linux),
        [Some("f".into())]
    );
    assert_eq!(
        writes("sed -i .bak 's/a/b/w out' f", Platform::Macos),
        [Some("out".into()), Some("f".into())]
    );
    assert_eq!(
        writes("sed -i -e s/a/b/ f", Platform::Linux),
        [Some("f".into())]
    );
}

#[test]
fn awk_finds_its_program() {
    for line in [
        "awk '{print $1}' f",
        "awk -F: '{print $1}' f",
        "awk -F : -v n=3 '{print n}' f x=3 g",
        "awk -vn=3 '{print n}' $x",
        "awk -v n=$1 '{print n}' f",
        "gawk --field-separator=, '{print}' f",
        "awk -- '{print}' f",
        "gawk -e '{print}' f",
        "awk '{print}' -",
    ] {
        passes(line);
    }
    for line in [
        "awk $1 f",
        "awk $x '{print}' f",
        "awk '{system($1)}' f",
        "gawk -e '{print}' -e '{system(1)}' f",
        "gawk '{print}' /inet/tcp/0/h/80",
        "awk '{print}' -f evil",
        "awk -F: '{print > \"out\"}' f",
    ] {
        stops(line);
    }
}

#[test]
fn jq_finds_its_filter() {
    for line in [
        "jq . f",
        "jq -r .a f g",
        "jq --arg a env .a f",
        "jq --arg k $1 -r .name f",
        "jq -n --argjson a '{\"b\":1}' '$a'",
        "jq --args -n null a b",
        "jq -n --indent 2 .",
        "jq . -",
        "jq -nr --args '$ARGS' env import",
        "jq -- .a f",
    ] {
        passes(line);
    }
    for line in [
        "jq env f",
        "jq --arg a b env",
        "jq -n --arg a b -- env",
        "jq -f p f",
        "jq -nf p",
        "jq --from-file p f",
        "jq -L m . f",
        "jq --rawfile a f . g",
        "jq --slurpfile a f . g",
        "jq $1 f",
        "jq . $x",
        "jq --arg $x .a f",
        "jq --frobnicate . f",
        "jq --argfile a f .",
    ] {
        stops(line);
    }
}

#[test]
fn yq_is_read_both_ways() {
    for line in [
        "yq .a f",
        "yq -r '.a.b[]' f",
        "yq e '.a' f",
        "yq -p yaml -o json f",
        "yq eval --expression .a f",
        "yq -o=json f",
    ] {
        passes(line);
    }
    for line in [
        "yq 'load(\"/x\") | env(SECRET)' f",
        "yq e 'strenv(TOKEN)' f",
        "yq f --expression 'eval(.x)'",
        "yq -i '.a = 1' f",
        "yq eval -i '.a = 1' f",
        "yq --inplace=true '.a = 1' f",
        "yq env f",
    ] {
        stops(line);
    }
    assert_eq!(
        writes("yq -i '.a = 1' f", Platform::Linux),
        [Some("f".into())]
    );
}
