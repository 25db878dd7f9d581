//! `portcullis rules`: the rules that count, and changes to a file of them.

use std::path::PathBuf;

use policy_core::{Decision, Layer, LayerConfig, Policy};

use super::{
    Failure, Outcome,
    args::{FileName, ListName, RulesArgs, RulesVerb},
    import, print, setup,
};
use crate::{
    config::{self, Change, RuleList},
    engine::facts::project_root,
};

pub(super) fn run(args: &RulesArgs) -> Outcome {
    match &args.verb {
        RulesVerb::List { policy, json } => list(policy, *json),
        RulesVerb::Lint { policy, json } => lint(policy, *json),
        RulesVerb::Import(args) => import::run(args),
        RulesVerb::Add {
            list,
            rule,
            because,
            file,
        } => {
            checked(rule)?;
            change(
                *file,
                &Change::Add(key(*list), rule.clone(), because.clone()),
                "it is there already",
            )
        }
        RulesVerb::Remove { list, rule, file } => change(
            *file,
            &Change::Remove(key(*list), rule.clone()),
            "there is no such rule in it",
        ),
    }
}

fn lint(policy: &super::args::PolicyArgs, json: bool) -> Outcome {
    let (loaded, config) = setup::policy(policy)?;
    let policy = Policy::new(config).map_err(|faults| {
        let faults: Vec<String> = faults
            .iter()
            .map(|fault| loaded.locate(fault).to_string())
            .collect();
        Failure::usage(faults.join("\n"))
    })?;
    let found = policy.lint();
    for one in &found {
        if json {
            let text = serde_json::to_string(one).map_err(|e| Failure::internal(e.to_string()))?;
            let _ = print::line(&text);
        } else {
            print::safe_line(&format!("`{}`: {}", one.rule, one.message));
            print::safe_line(&format!("  help: {}", one.help));
        }
    }
    Ok(u8::from(!found.is_empty()))
}

fn list(policy: &super::args::PolicyArgs, json: bool) -> Outcome {
    let (_, config) = setup::policy(policy)?;
    let layers: [(Layer, &LayerConfig); 5] = [
        (Layer::Managed, &config.managed),
        (Layer::CommandLine, &config.command_line),
        (Layer::Local, &config.local),
        (Layer::Project, &config.project),
        (Layer::User, &config.user),
    ];
    for (layer, rules) in layers {
        for (word, entries) in [
            ("deny", &rules.deny),
            ("ask", &rules.ask),
            ("allow", &rules.allow),
        ] {
            for entry in entries {
                if json {
                    let row =
                        serde_json::json!({ "layer": layer.key(), "list": word, "rule": entry });
                    let _ = print::line(&row.to_string());
                } else {
                    print::safe_line(&format!("{word:5}  {:11}  {}", layer.key(), entry.text()));
                }
            }
        }
    }
    for set in &config.rule_sets {
        for rule in &set.rules {
            if json {
                let row = serde_json::json!({
                    "layer": set.layer.key(), "list": rule.decision, "rule": rule, "vendor": set.vendor,
                    "file": set.file, "counts": !(set.tighten_only && rule.decision == Decision::Allow),
                });
                let _ = print::line(&row.to_string());
            } else {
                let word = import::word(rule.decision);
                let place = format!("{}:{}", set.file, rule.line);
                let idle = if set.tighten_only && rule.decision == Decision::Allow {
                    " (not trusted)"
                } else {
                    ""
                };
                let layer = set.layer.key();
                print::safe_line(&format!(
                    "{word:5}  {layer:11}  {} ({place}){idle}",
                    rule.rule
                ));
            }
        }
    }
    Ok(0)
}

/// A rule that cannot be read is not written to any file.
fn checked(rule: &str) -> Result<(), Failure> {
    let lists = policy_core::RuleLists {
        allow: vec![rule.to_owned()],
        ..policy_core::RuleLists::default()
    };
    let faults = Policy::check_rules(&lists);
    match faults.first() {
        None => Ok(()),
        Some(fault) => Err(Failure::usage(match &fault.help {
            Some(help) => format!("rule `{rule}`: {}\n  help: {help}", fault.message),
            None => format!("rule `{rule}`: {}", fault.message),
        })),
    }
}

fn change(file: FileName, change: &Change, idle: &str) -> Outcome {
    let path = path(file)?;
    let changed =
        config::write(&path, change).map_err(|fault| Failure::usage(fault.to_string()))?;
    let what = if changed { "changed" } else { idle };
    print::safe_line(&format!("{}: {what}", path.display()));
    Ok(0)
}

/// The file to change: the first that exists, else the TOML one.
pub(super) fn path(file: FileName) -> Result<PathBuf, Failure> {
    let cwd = std::env::current_dir().map_err(|error| Failure::usage(error.to_string()))?;
    let root = project_root(&cwd);
    let places = config::places(&root, &root);
    let paths = match file {
        FileName::User => places.user,
        FileName::Project => places.project,
        FileName::Local => places.local,
    };
    paths
        .iter()
        .find(|path| path.exists())
        .or(paths.first())
        .cloned()
        .ok_or_else(|| Failure::usage("there is no place for this file: set HOME"))
}

const fn key(list: ListName) -> RuleList {
    match list {
        ListName::Allow => RuleList::Allow,
        ListName::Ask => RuleList::Ask,
        ListName::Deny => RuleList::Deny,
    }
}
