//! A spec document to the shape of `raw`: every key is known, and every value of its type.
//!
//! By hand, for one document of every kind of table: what derives make of these types is several times as much code, and
//! stops at the first mistake. Here all mistakes are told, each with the key it is in.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::cell::RefCell;

use serde_json::{Map, Value};

use super::{
    compile::Fault,
    model::Kind,
    raw::{
        OneOrMany, RawExamples, RawFlags, RawGlobals, RawGrammar, RawRefuse, RawRuns, RawSet,
        RawSpec, RawSub, RawWrapper,
    },
};
use crate::{effect::Effect, sorted};

const KINDS: &[(&str, Kind)] = &[
    ("search", Kind::Search),
    ("read", Kind::Read),
    ("list", Kind::List),
    ("neutral", Kind::Neutral),
    ("fileOp", Kind::FileOp),
    ("vcs", Kind::Vcs),
    ("build", Kind::Build),
    ("package", Kind::Package),
    ("network", Kind::Network),
    ("process", Kind::Process),
    ("system", Kind::System),
    ("container", Kind::Container),
    ("cloud", Kind::Cloud),
    ("database", Kind::Database),
    ("interpreter", Kind::Interpreter),
    ("wrapper", Kind::Wrapper),
    ("unknown", Kind::Unknown),
];

const EFFECTS: &[(&str, Effect)] = &[
    ("read", Effect::Read),
    ("write", Effect::Write),
    ("delete", Effect::Delete),
    ("network", Effect::Network),
    ("exec", Effect::Exec),
    ("process", Effect::Process),
    ("system", Effect::System),
];

const GRAMMARS: &[(&str, RawGrammar)] = &[
    ("gnu", RawGrammar::Gnu),
    ("posix", RawGrammar::Posix),
    ("gnuCount", RawGrammar::GnuCount),
    ("singleDash", RawGrammar::SingleDash),
    ("none", RawGrammar::None),
];

const RUNS: &[(&str, RawRuns)] = &[
    ("argv", RawRuns::Argv),
    ("argvAndMore", RawRuns::ArgvAndMore),
    ("shellText", RawRuns::ShellText),
];

/// The keys of a form, which the root and a subcommand have.
const FORM: &[&str] = &[
    "kind",
    "grammar",
    "anyFlags",
    "readOnly",
    "effects",
    "check",
    "info",
    "use",
    "flags",
    "refuse",
    "choices",
    "operands",
    "droppedBy",
    "operandsOnlyWith",
    "wrapper",
];

/// Reads a document.
///
/// # Errors
/// All mistakes found in its keys and their types.
pub fn read(document: &Value) -> Result<RawSpec, Vec<Fault>> {
    let faults = RefCell::default();
    let spec = spec(&Table::new(document, String::new(), &faults));
    let faults = faults.into_inner();
    if faults.is_empty() {
        Ok(spec)
    } else {
        Err(faults)
    }
}

fn spec(table: &Table<'_>) -> RawSpec {
    let own = [
        "name", "aliases", "summary", "manual", "globals", "sets", "sub", "examples",
    ];
    table.only(&own, FORM);
    let RawSub {
        words: _,
        kind,
        grammar,
        any_flags,
        read_only,
        effects,
        check,
        info,
        uses,
        flags,
        refuse,
        choices,
        operands,
        dropped_by,
        operands_only_with,
        wrapper,
    } = form(table);
    let mut globals = RawGlobals::default();
    if let Some(inner) = table.table("globals") {
        inner.only(&["anywhere"], SET);
        let set = set(&inner);
        globals = RawGlobals {
            anywhere: inner.switch("anywhere").unwrap_or_default(),
            uses: set.uses,
            flags: set.flags,
            refuse: set.refuse,
            choices: set.choices,
        };
    }
    let mut sets = sorted::Map::new();
    if let Some(inner) = table.table("sets") {
        for name in inner.map.into_iter().flat_map(Map::keys) {
            if let Some(one) = inner.table(name) {
                one.only(&[], SET);
                sets.insert(name.clone(), set(&one));
            }
        }
    }
    let sub = table
        .values("sub")
        .enumerate()
        .map(|(index, value)| {
            let inner = Table::new(value, table.key(&format!("sub[{index}]")), table.faults);
            inner.only(&["words"], FORM);
            let mut sub = form(&inner);
            sub.words = match inner.get("words") {
                Some(Value::String(words)) => OneOrMany::One(words.clone()),
                Some(_) => OneOrMany::Many(inner.texts("words")),
                None => {
                    inner.fault("words", "missing");
                    OneOrMany::Many(Vec::new())
                }
            };
            sub
        })
        .collect();
    let examples = table.table("examples").map(|inner| {
        inner.only(&["readOnly", "notReadOnly"], &[]);
        let list = |key| inner.get(key).map(|_| inner.texts(key));
        RawExamples {
            read_only: list("readOnly"),
            not_read_only: list("notReadOnly"),
        }
    });
    if table.get("kind").is_none() {
        table.fault("kind", "missing");
    }
    RawSpec {
        name: table.needed("name"),
        aliases: table.texts("aliases"),
        summary: table.needed("summary"),
        manual: table.needed("manual"),
        kind: kind.unwrap_or(Kind::Unknown),
        grammar,
        any_flags,
        read_only,
        effects,
        check,
        info,
        uses,
        flags,
        refuse,
        choices,
        operands,
        dropped_by,
        operands_only_with,
        wrapper,
        globals,
        sets,
        sub,
        examples,
    }
}

/// The keys of a form, with no words.
fn form(table: &Table<'_>) -> RawSub {
    let set = set(table);
    RawSub {
        words: OneOrMany::Many(Vec::new()),
        kind: table.named("kind", KINDS),
        grammar: table.named("grammar", GRAMMARS),
        any_flags: table.switch("anyFlags").unwrap_or_default(),
        read_only: table.switch("readOnly"),
        effects: table
            .texts("effects")
            .iter()
            .filter_map(|name| table.one_of("effects", name, EFFECTS))
            .collect(),
        check: table.text("check"),
        info: table.texts("info"),
        uses: set.uses,
        flags: set.flags,
        refuse: set.refuse,
        choices: set.choices,
        operands: table.texts("operands"),
        dropped_by: table.texts("droppedBy"),
        operands_only_with: table.texts("operandsOnlyWith"),
        wrapper: table.table("wrapper").map(|inner| wrapper(&inner)),
    }
}

fn wrapper(table: &Table<'_>) -> RawWrapper {
    table.only(&["skip", "assignments", "runs", "privileged"], &[]);
    let skip = table.get("skip").map(Value::as_u64);
    let skip = skip.map(|number| number.and_then(|number| u8::try_from(number).ok()));
    if skip == Some(None) {
        table.fault("skip", "a number from 0 to 255 is needed");
    }
    let runs = table.named("runs", RUNS);
    if table.get("runs").is_none() {
        table.fault("runs", "missing");
    }
    RawWrapper {
        skip: skip.flatten().unwrap_or_default(),
        assignments: table.switch("assignments").unwrap_or_default(),
        runs: runs.unwrap_or(RawRuns::Argv),
        privileged: table.switch("privileged").unwrap_or_default(),
    }
}

/// The keys of a set of flags.
const SET: &[&str] = &["use", "flags", "refuse", "choices"];

fn set(table: &Table<'_>) -> RawSet {
    let mut set = RawSet {
        uses: table.texts("use"),
        flags: RawFlags::default(),
        refuse: RawRefuse::default(),
        choices: sorted::Map::new(),
    };
    if let Some(inner) = table.table("flags") {
        let all = &mut set.flags;
        inner.lists(&mut [
            ("none", &mut all.none),
            ("number", &mut all.number),
            ("string", &mut all.string),
            ("optional", &mut all.optional),
            ("char", &mut all.char),
            ("path", &mut all.path),
            ("name", &mut all.name),
            ("braces", &mut all.braces),
            ("eof", &mut all.eof),
        ]);
    }
    if let Some(inner) = table.table("refuse") {
        let all = &mut set.refuse;
        inner.lists(&mut [
            ("read", &mut all.read),
            ("write", &mut all.write),
            ("delete", &mut all.delete),
            ("exec", &mut all.exec),
            ("network", &mut all.network),
            ("process", &mut all.process),
            ("system", &mut all.system),
        ]);
    }
    if let Some(inner) = table.table("choices") {
        for name in inner.map.into_iter().flat_map(Map::keys) {
            set.choices
                .insert(name.clone(), inner.text(name).unwrap_or_default());
        }
    }
    set
}

/// A table of the document.
struct Table<'a> {
    /// None where there is no table; then every key is absent.
    map: Option<&'a Map<String, Value>>,
    /// Its own key and those around it.
    place: String,
    faults: &'a RefCell<Vec<Fault>>,
}

impl<'a> Table<'a> {
    fn new(value: &'a Value, place: String, faults: &'a RefCell<Vec<Fault>>) -> Self {
        let table = Self {
            map: value.as_object(),
            place,
            faults,
        };
        if table.map.is_none() {
            table.fault("", "a table is needed");
        }
        table
    }

    /// A key with those around it.
    fn key(&self, key: &str) -> String {
        match (self.place.as_str(), key) {
            ("", key) => key.into(),
            (place, "") => place.into(),
            (place, key) => format!("{place}.{key}"),
        }
    }

    fn fault(&self, key: &str, message: &str) {
        self.faults.borrow_mut().push(Fault {
            field: self.key(key),
            message: message.into(),
        });
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.map?.get(key)
    }

    /// Refuses every other key.
    fn only(&self, keys: &[&str], more: &[&str]) {
        for key in self.map.into_iter().flat_map(Map::keys) {
            if !keys.contains(&key.as_str()) && !more.contains(&key.as_str()) {
                self.fault(key, "there is no such key");
            }
        }
    }

    fn text(&self, key: &str) -> Option<String> {
        let text = self.get(key)?.as_str();
        if text.is_none() {
            self.fault(key, "a text is needed");
        }
        text.map(ToString::to_string)
    }

    fn needed(&self, key: &str) -> String {
        if self.get(key).is_none() {
            self.fault(key, "missing");
        }
        self.text(key).unwrap_or_default()
    }

    fn switch(&self, key: &str) -> Option<bool> {
        let switch = self.get(key)?.as_bool();
        if switch.is_none() {
            self.fault(key, "true or false is needed");
        }
        switch
    }

    fn values(&self, key: &str) -> core::slice::Iter<'a, Value> {
        match self.get(key) {
            Some(Value::Array(all)) => all.iter(),
            other => {
                if other.is_some() {
                    self.fault(key, "a list is needed");
                }
                [].iter()
            }
        }
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for value in self.values(key) {
            match value.as_str() {
                Some(text) => texts.push(text.into()),
                None => self.fault(key, "a list of texts is needed"),
            }
        }
        texts
    }

    /// Reads lists, and refuses other keys.
    fn lists(&self, lists: &mut [(&str, &mut Vec<String>)]) {
        let keys: Vec<&str> = lists.iter().map(|(key, _)| *key).collect();
        self.only(&keys, &[]);
        for (key, list) in lists {
            **list = self.texts(key);
        }
    }

    fn named<T: Copy>(&self, key: &str, names: &[(&str, T)]) -> Option<T> {
        self.one_of(key, &self.text(key)?, names)
    }

    fn one_of<T: Copy>(&self, key: &str, name: &str, names: &[(&str, T)]) -> Option<T> {
        let found = names.iter().find(|(known, _)| *known == name);
        if found.is_none() {
            let known: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
            self.fault(key, &format!("`{name}` is none of {}", known.join(", ")));
        }
        found.map(|(_, value)| *value)
    }

    fn table(&self, key: &str) -> Option<Self> {
        Some(Self::new(self.get(key)?, self.key(key), self.faults))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_mistake_is_told_with_its_key() {
        let document = json!({
            "name": "tool", "summary": 1, "kind": "raed", "wrong": true,
            "flags": {"none": "-a", "nnone": []},
            "sub": [{"words": "x", "wrapper": {"skip": 300}}, {"effects": ["write", "wirte"]}],
            "sets": {"s": {"flags": {"none": [1]}}},
        });
        let faults = read(&document).expect_err("there are mistakes");
        let mut lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        lines.sort();
        assert_eq!(
            lines,
            [
                "flags.nnone: there is no such key",
                "flags.none: a list is needed",
                "kind: `raed` is none of search, read, list, neutral, fileOp, vcs, build, package, network, process, system, \
                 container, cloud, database, interpreter, wrapper, unknown",
                "manual: missing",
                "sets.s.flags.none: a list of texts is needed",
                "sub[0].wrapper.runs: missing",
                "sub[0].wrapper.skip: a number from 0 to 255 is needed",
                "sub[1].effects: `wirte` is none of read, write, delete, network, exec, process, system",
                "sub[1].words: missing",
                "summary: a text is needed",
                "wrong: there is no such key",
            ]
        );
        assert!(read(&json!([])).is_err());
    }

    #[test]
    fn keys_come_where_they_belong() {
        let raw = read(&json!({
            "name": "tool", "aliases": ["t"], "summary": "a tool", "manual": "man 1 tool", "kind": "fileOp", "grammar": "gnuCount",
            "globals": {"anywhere": true, "flags": {"string": ["-C"]}},
            "sub": [{"words": ["a", "b"], "refuse": {"exec": ["-x"]}, "choices": {"-c": "a|b"},
                     "wrapper": {"runs": "argvAndMore", "skip": 2, "privileged": true}}],
            "examples": {"readOnly": ["tool a"]},
        }))
        .expect("no mistakes");
        assert_eq!(
            (raw.kind, raw.grammar),
            (Kind::FileOp, Some(RawGrammar::GnuCount))
        );
        assert!(raw.globals.anywhere && raw.globals.flags.string == ["-C"]);
        let sub = raw.sub.first().expect("one");
        assert_eq!(sub.words, OneOrMany::Many(["a".into(), "b".into()].into()));
        assert_eq!(sub.refuse.exec, ["-x"]);
        assert_eq!(sub.choices.get("-c").map(String::as_str), Some("a|b"));
        assert_eq!(
            sub.wrapper.map(|wrapper| (wrapper.runs, wrapper.skip)),
            Some((RawRuns::ArgvAndMore, 2))
        );
        let examples = raw.examples.expect("there");
        assert!(examples.read_only.is_some() && examples.not_read_only.is_none());
    }
}
