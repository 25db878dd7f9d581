//! `portcullis rules import`: the rules of other tools, shown first, then written as rule sets.

use std::{
    fs,
    io::{IsTerminal as _, Write as _},
    path::Path,
};

use policy_core::{Decision, Layer, SetMatch};

use super::{
    Failure, Outcome,
    args::{FileName, ImportArgs, VendorName},
    print, rules, status,
};
use crate::{
    config::{self, Change},
    engine::facts::project_root,
    import::{self, Around, Found, Grade, Import, Vendor},
};

pub(super) fn run(args: &ImportArgs) -> Outcome {
    let files = files(args)?;
    if files.is_empty() {
        print::note("no rules of other tools are in the usual places; name their files");
        return Ok(0);
    }
    let mut read = Vec::new();
    let mut faults = Vec::new();
    for found in &files {
        match one(found) {
            Ok(import) => read.push((found, import)),
            Err(fault) => faults.push(fault),
        }
    }
    for (found, import) in &read {
        if args.json {
            json(found, import)?;
        } else {
            show(found, import, target(args, found));
        }
    }
    if !faults.is_empty() {
        return Err(Failure::usage(faults.join("\n")));
    }
    let lost = read
        .iter()
        .map(|(_, import)| import.lost().count())
        .sum::<usize>();
    if lost > 0 && !args.partial {
        print::note(&format!(
            "{lost} rules that deny or ask cannot be kept{}",
            if args.check {
                ""
            } else {
                "; nothing is written. Give --partial to go on without them"
            }
        ));
        return Ok(status::FAULT);
    }
    if args.check {
        return Ok(0);
    }
    let whole: Vec<_> = read
        .into_iter()
        .filter(|(_, import)| !import.set.rules.is_empty())
        .collect();
    if whole.is_empty() {
        print::note("there is nothing to import");
        return Ok(0);
    }
    if args.files.is_empty() && !args.yes && !agreed(whole.len())? {
        print::note("nothing is written");
        return Ok(0);
    }
    for (found, import) in whole {
        let file = target(args, found);
        let path = rules::path(file)?;
        let count = import.set.rules.len();
        let changed = config::write(&path, &Change::Set(Box::new(import.set)))
            .map_err(|fault| Failure::usage(fault.to_string()))?;
        let what = if changed {
            format!("{count} rules of {}", found.path.display())
        } else {
            format!("{} is there already", found.path.display())
        };
        print::safe_line(&format!("{}: {what}", path.display()));
        if changed && file != FileName::User {
            print::note(&format!(
                "its allow rules count once you trust it: portcullis config trust {}",
                path.display()
            ));
        }
    }
    Ok(0)
}

/// The files that were named, or those in the usual places.
fn files(args: &ImportArgs) -> Result<Vec<Found>, Failure> {
    let vendors: Vec<Vendor> = args.from.iter().map(|name| vendor(*name)).collect();
    let cwd = std::env::current_dir().map_err(|error| Failure::usage(error.to_string()))?;
    if args.files.is_empty() {
        let wanted = if vendors.is_empty() {
            Vendor::ALL.to_vec()
        } else {
            vendors
        };
        return Ok(import::discover(
            &wanted,
            home().as_deref().map(Path::new),
            &project_root(&cwd),
        ));
    }
    let mut found = Vec::new();
    for path in &args.files {
        let path = std::path::absolute(path).map_err(|error| Failure::usage(error.to_string()))?;
        let vendor = match vendors.as_slice() {
            [] => Vendor::of(&path).ok_or_else(|| {
                Failure::usage(format!(
                    "`{}`: which tool it is of cannot be told; say it with --from",
                    path.display()
                ))
            })?,
            [one] => *one,
            _ => return Err(Failure::usage("with files give --from once")),
        };
        let outside = home().is_some_and(|home| path.starts_with(&home))
            && !path.starts_with(project_root(&cwd));
        let layer = if outside || !path.starts_with(&cwd) {
            Layer::User
        } else {
            Layer::Project
        };
        found.push(Found {
            vendor,
            path,
            layer,
        });
    }
    Ok(found)
}

fn home() -> Option<String> {
    std::env::var("HOME").ok().filter(|home| !home.is_empty())
}

fn one(found: &Found) -> Result<Import, String> {
    let shown = named(found);
    let file = found.path.display().to_string();
    let bytes =
        fs::read(&found.path).map_err(|error| format!("{file}: cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before =
            String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default()).into_owned();
        let at = import::Spot::of(&before, before.len());
        format!("{file}:{}:{}: is not UTF-8 text", at.line, at.column)
    })?;
    let home = home();
    let around = Around {
        file: &shown,
        home: home.as_deref(),
        layer: Layer::User,
    };
    import::read(found.vendor, &text, around).map_err(|fault| {
        format!(
            "{file}:{}:{}: {}",
            fault.at.line, fault.at.column, fault.message
        )
    })
}

/// The file as rules and verdicts name it: below the home folder, or below the project, whose own file is shared.
fn named(found: &Found) -> String {
    let home = home();
    let root = found.path.parent().map(project_root);
    let below = match (&home, root) {
        (_, Some(root)) if found.layer != Layer::User => found.path.strip_prefix(root).ok(),
        (Some(home), _) => {
            let below = found.path.strip_prefix(home).ok();
            return match below {
                Some(below) => format!("~/{}", below.display()),
                None => found.path.display().to_string(),
            };
        }
        _ => None,
    };
    below.unwrap_or(&found.path).display().to_string()
}

fn show(found: &Found, import: &Import, target: FileName) {
    let into = match target {
        FileName::User => "the user's rules",
        FileName::Project => "the project's rules",
        FileName::Local => "the local rules",
    };
    let count = import.set.rules.len();
    let rules = if count == 1 { "rule" } else { "rules" };
    print::safe_line(&format!(
        "{} ({}): {count} {rules}, for {into}",
        found.path.display(),
        found.vendor
    ));
    let place = |line: u32, column: u32| format!("{line}:{column}");
    let wide = import
        .set
        .rules
        .iter()
        .map(|rule| rule.rule.chars().count())
        .max()
        .unwrap_or(0)
        .min(48);
    for rule in &import.set.rules {
        print::safe_line(&format!(
            "  {:>7}  {:5}  {:wide$}  {}",
            place(rule.line, rule.column),
            word(rule.decision),
            rule.rule,
            normal(&rule.matches)
        ));
    }
    for note in &import.notes {
        print::safe_line(&format!(
            "  {:>7}  {}: `{}`: {}",
            place(note.at.line, note.at.column),
            note.grade.key(),
            note.what,
            note.message
        ));
    }
}

/// What a rule matches, as it is stored.
fn normal(matches: &SetMatch) -> String {
    match matches {
        SetMatch::Glob(text) => format!("glob {text}"),
        SetMatch::Wild(text) => format!("wild {text}"),
        SetMatch::Regex(text) => format!("regex {text}"),
        SetMatch::Json(text) => format!("json {text}"),
        SetMatch::Words(words) => {
            let words: Vec<String> = words.iter().map(|each| each.join("|")).collect();
            format!("words {}", words.join(" "))
        }
    }
}

fn json(found: &Found, import: &Import) -> Result<(), Failure> {
    let notes: Vec<serde_json::Value> = import
        .notes
        .iter()
        .map(|note| {
            serde_json::json!({
                "grade": note.grade.key(), "line": note.at.line, "column": note.at.column,
                "what": note.what, "message": note.message,
            })
        })
        .collect();
    let lost = import.notes.iter().any(|note| note.grade == Grade::Lost);
    let row = serde_json::json!({
        "file": found.path, "vendor": found.vendor.key(), "ruleSet": import.set, "notes": notes, "lost": lost,
    });
    let _ = print::line(&row.to_string());
    Ok(())
}

fn agreed(count: usize) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "nobody is there to say yes: give --yes, or name the files",
        ));
    }
    print::prompt(&format!("write these {count} sets of rules? [y/N] "));
    let mut line = String::new();
    let _ = std::io::stderr().flush();
    let read = std::io::stdin().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}

fn target(args: &ImportArgs, found: &Found) -> FileName {
    args.file.unwrap_or(match found.layer {
        Layer::Project => FileName::Project,
        Layer::Local => FileName::Local,
        _ => FileName::User,
    })
}

const fn vendor(name: VendorName) -> Vendor {
    match name {
        VendorName::Claude => Vendor::Claude,
        VendorName::Codex => Vendor::Codex,
        VendorName::Gemini => Vendor::Gemini,
        VendorName::OpenCode => Vendor::OpenCode,
        VendorName::VsCode => Vendor::VsCode,
    }
}

/// The word for a decision.
pub(super) const fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}
