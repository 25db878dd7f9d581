//! Changes a configuration file and keeps its comments, order and permissions.
//!
//! A change is read, made and written under a lock beside the file, by a new file renamed over the old one: two writers at once
//! both win, and whoever reads meanwhile sees the old or the new file whole.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use policy_core::{RuleDetails, RuleEntry, RuleSet};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use super::{ConfigFault, File, edit, read::parse};

/// One of the three lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleList {
    /// `rules.allow`
    Allow,
    /// `rules.ask`
    Ask,
    /// `rules.deny`
    Deny,
}

impl RuleList {
    /// The key in the file.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A change to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Adds a rule at the end of a list, unless it is there; with the reason for it, if any.
    Add(RuleList, String, Option<String>),
    /// Removes every entry of this text from a list.
    Remove(RuleList, String),
    /// Puts in the rules of another tool's file, in the place of those that came from it before.
    Set(Box<RuleSet>),
}

/// Makes a change; says whether anything changed. A file that is not there is made.
///
/// # Errors
/// When the file is not valid as it is, or cannot be written; it then stays as it was.
pub fn write(path: &Path, change: &Change) -> Result<bool, ConfigFault> {
    let fail =
        |what: &str, error: std::io::Error| ConfigFault::new(path, format!("{what}: {error}"));
    // A link is followed, so that the file it names is changed and the link stays.
    let path_buf = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let path = path_buf.as_path();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| fail("its folder cannot be made", error))?;
    let lock = fs::File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(lock_path(path))
        .map_err(|error| fail("cannot be locked", error))?;
    lock.lock()
        .map_err(|error| fail("cannot be locked", error))?;
    let old = super::read(path)?;
    let text = old.as_ref().map_or("", |(_, text)| text.as_str());
    let Some(new) = changed(path, text, change)? else {
        return Ok(false);
    };
    parse(path, &new)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .map_err(|error| fail("cannot be written", error))?;
    file.write_all(new.as_bytes())
        .and_then(|()| file.as_file().sync_all())
        .map_err(|error| fail("cannot be written", error))?;
    if let Ok(about) = fs::metadata(path) {
        file.as_file()
            .set_permissions(about.permissions())
            .map_err(|error| fail("cannot be written", error))?;
    }
    file.persist(path)
        .map_err(|error| fail("cannot be written", error.error))?;
    Ok(true)
}

/// The lock of a file: `.portcullis.toml.lock` beside it, so that the file itself can be replaced.
fn lock_path(path: &Path) -> PathBuf {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    path.with_file_name(format!(".{name}.lock"))
}

fn changed(path: &Path, text: &str, change: &Change) -> Result<Option<String>, ConfigFault> {
    if path.extension().is_some_and(|ending| ending == "json") {
        changed_json(path, text, change)
    } else {
        changed_toml(path, text, change)
    }
}

fn changed_toml(path: &Path, text: &str, change: &Change) -> Result<Option<String>, ConfigFault> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        ConfigFault::new(path, error.message().to_owned())
    })?;
    let (list, rule) = match change {
        Change::Add(list, rule, _) | Change::Remove(list, rule) => (list, rule),
        Change::Set(set) => {
            return put_set(path, &mut document, set)
                .map(|changed| changed.then(|| document.to_string()));
        }
    };
    let rules = document
        .entry("rules")
        .or_insert_with(|| Item::Table(Table::new()));
    let Some(rules) = rules.as_table_like_mut() else {
        return Err(ConfigFault::new(path, "`rules` is not a table"));
    };
    let entry = rules
        .entry(list.key())
        .or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let Some(array) = entry.as_array_mut() else {
        return Err(ConfigFault::new(
            path,
            format!("`rules.{}` is not a list", list.key()),
        ));
    };
    let at: Vec<usize> = array
        .iter()
        .enumerate()
        .filter(|(_, value)| rule_of(value) == Some(rule))
        .map(|(index, _)| index)
        .collect();
    match change {
        Change::Add(_, rule, because) => {
            if !at.is_empty() {
                return Ok(None);
            }
            let multiline = array.is_empty()
                || array.iter().any(|value| {
                    value
                        .decor()
                        .prefix()
                        .and_then(|prefix| prefix.as_str())
                        .is_some_and(|prefix| prefix.contains('\n'))
                });
            let mut value: Value = match because {
                None => rule.as_str().into(),
                Some(because) => {
                    let mut table = InlineTable::new();
                    table.insert("rule", rule.as_str().into());
                    table.insert("justification", because.as_str().into());
                    Value::InlineTable(table)
                }
            };
            if multiline {
                value.decor_mut().set_prefix("\n  ");
                array.push_formatted(value);
                if !array
                    .trailing()
                    .as_str()
                    .is_some_and(|trailing| trailing.contains('\n'))
                {
                    array.set_trailing("\n");
                }
                array.set_trailing_comma(true);
            } else {
                array.push(value);
            }
        }
        Change::Remove(..) => {
            if at.is_empty() {
                return Ok(None);
            }
            for index in at.into_iter().rev() {
                array.remove(index);
            }
        }
        Change::Set(_) => {}
    }
    Ok(Some(document.to_string()))
}

/// Puts a set at the end of `[[ruleSets]]`, or where the one of the same file stands; says whether that changes anything.
fn put_set(path: &Path, document: &mut DocumentMut, set: &RuleSet) -> Result<bool, ConfigFault> {
    let entry = document
        .entry("ruleSets")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(sets) = entry.as_array_of_tables_mut() else {
        return Err(ConfigFault::new(path, "`ruleSets` is no list of tables")
            .help("write each set under `[[ruleSets]]`"));
    };
    let text =
        |table: &Table, key: &str| table.get(key).and_then(Item::as_str).map(ToOwned::to_owned);
    let same = |table: &Table| {
        text(table, "vendor").as_deref() == Some(&set.vendor)
            && text(table, "file").as_deref() == Some(&set.file)
    };
    let fresh = set_table(path, set)?;
    let at = sets.iter().position(same);
    match at.and_then(|at| sets.get_mut(at)) {
        None => sets.push(fresh),
        Some(old) => {
            let plain = |table: &Table| {
                let mut table = table.clone();
                table.decor_mut().clear();
                table.to_string()
            };
            if plain(old) == plain(&fresh) {
                return Ok(false);
            }
            // What was written above it stays there.
            let decor = old.decor().clone();
            let position = old.position();
            *old = fresh;
            *old.decor_mut() = decor;
            old.set_position(position);
        }
    }
    Ok(true)
}

/// The set as a table: its rules one a line.
fn set_table(path: &Path, set: &RuleSet) -> Result<Table, ConfigFault> {
    let value =
        serde_json::to_value(set).map_err(|error| ConfigFault::new(path, error.to_string()))?;
    let mut table = Table::new();
    // The order of the schema, not of the letters.
    let keys = [
        "vendor",
        "file",
        "resolution",
        "assignments",
        "plainOnly",
        "wholeText",
        "tightenOnly",
        "exactOnly",
        "executables",
        "rules",
    ];
    for key in keys {
        let Some(value) = value.get(key) else {
            continue;
        };
        let mut value = toml_value(value);
        if key == "rules"
            && let Value::Array(rules) = &mut value
        {
            for rule in rules.iter_mut() {
                rule.decor_mut().set_prefix("\n  ");
            }
            rules.set_trailing("\n");
            rules.set_trailing_comma(true);
        }
        table.insert(key, Item::Value(value));
    }
    Ok(table)
}

fn toml_value(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Bool(value) => (*value).into(),
        serde_json::Value::Number(number) => number.as_i64().unwrap_or_default().into(),
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(items) => Value::Array(items.iter().map(toml_value).collect()),
        serde_json::Value::Object(members) => {
            // What a person looks for first stands first.
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort_by_key(|key| {
                ["rule", "decision", "match", "line", "column"]
                    .iter()
                    .position(|first| first == key)
                    .unwrap_or(9)
            });
            let mut table = InlineTable::new();
            for key in keys {
                if let Some(value) = members.get(key) {
                    table.insert(key, toml_value(value));
                }
            }
            Value::InlineTable(table)
        }
        serde_json::Value::Null => "".into(),
    }
}

fn rule_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.value()),
        Value::InlineTable(table) => table.get("rule").and_then(Value::as_str),
        _ => None,
    }
}

fn changed_json(path: &Path, text: &str, change: &Change) -> Result<Option<String>, ConfigFault> {
    let mut file: File = if text.trim().is_empty() {
        File::default()
    } else {
        parse(path, text)?
    };
    let (list, rule) = match change {
        Change::Add(list, rule, _) | Change::Remove(list, rule) => (*list, rule),
        Change::Set(set) => {
            let sets = &mut file.rule_sets;
            let same = |old: &RuleSet| old.vendor == set.vendor && old.file == set.file;
            match sets.iter_mut().find(|old| same(old)) {
                Some(old) if *old == **set => return Ok(None),
                Some(old) => *old = (**set).clone(),
                None => sets.push((**set).clone()),
            }
            return pretty(path, &file).map(Some);
        }
    };
    let entries = match list {
        RuleList::Allow => &mut file.rules.allow,
        RuleList::Ask => &mut file.rules.ask,
        RuleList::Deny => &mut file.rules.deny,
    };
    let entry = match change {
        Change::Add(_, rule, because) => {
            if entries.iter().any(|entry| entry.text() == rule) {
                return Ok(None);
            }
            match because {
                None => RuleEntry::Text(rule.clone()),
                Some(because) => RuleEntry::Full(RuleDetails {
                    rule: rule.clone(),
                    justification: Some(because.clone()),
                    ..RuleDetails::default()
                }),
            }
        }
        Change::Remove(..) | Change::Set(_) => {
            let at: Vec<usize> = (0..entries.len())
                .filter(|at| entries.get(*at).is_some_and(|entry| entry.text() == rule))
                .collect();
            if at.is_empty() {
                return Ok(None);
            }
            if let Some(edited) = edit::remove(text, list, &at) {
                return Ok(Some(edited));
            }
            entries.retain(|entry| entry.text() != rule);
            return pretty(path, &file).map(Some);
        }
    };
    let json =
        serde_json::to_string(&entry).map_err(|error| ConfigFault::new(path, error.to_string()))?;
    if let Some(edited) = edit::add(text, list, &json) {
        return Ok(Some(edited));
    }
    entries.push(entry);
    pretty(path, &file).map(Some)
}

fn pretty(path: &Path, file: &File) -> Result<String, ConfigFault> {
    let mut text = serde_json::to_string_pretty(file)
        .map_err(|error| ConfigFault::new(path, error.to_string()))?;
    text.push('\n');
    Ok(text)
}
