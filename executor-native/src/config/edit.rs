//! A change to a JSON text, with everything else in it as it was: order of keys, blanks, line ends.
//!
//! Only the list in question is touched; what is put in is laid out as its neighbours are.

use super::write::RuleList;
use crate::import::json::{Json, Node, read};

/// Puts an entry (as JSON) at the end of a list; `None` when the text is not shaped as expected.
pub(super) fn add(text: &str, list: RuleList, entry: &str) -> Option<String> {
    let root = read(text, false).ok()?;
    let key = list.key();
    let Some(rules) = root.get("rules") else {
        return member(text, &root, "rules", &format!("{{ {key:?}: [{entry}] }}"));
    };
    match rules.get(key) {
        None => member(text, rules, key, &format!("[{entry}]")),
        Some(items) => {
            let (at, lead) =
                after_last(text, items, items.items().last().map(|last| last.bytes.end))?;
            let first = items.items().first().map(|first| first.bytes.start);
            insert(
                text,
                at,
                &lead,
                first.map(|first| (items.bytes.start + 1, first)),
                entry,
            )
        }
    }
}

/// Takes entries out of a list, by their positions.
pub(super) fn remove(text: &str, list: RuleList, positions: &[usize]) -> Option<String> {
    let root = read(text, false).ok()?;
    let items = root.get("rules")?.get(list.key())?.items();
    // The first and others but not all: the comma that is left over would have to be looked for.
    if positions.len() > 1 && positions.len() < items.len() && positions.contains(&0) {
        return None;
    }
    let mut out = text.to_owned();
    for position in positions.iter().rev() {
        let item = items.get(*position)?;
        // With the comma before it, or after it when it is the first.
        let range = match position.checked_sub(1).and_then(|before| items.get(before)) {
            Some(before) => before.bytes.end..item.bytes.end,
            None => match items
                .get(position + 1)
                .filter(|_| !positions.contains(&(position + 1)))
            {
                Some(next) => item.bytes.start..next.bytes.start,
                None => item.bytes.clone(),
            },
        };
        out.replace_range(range, "");
    }
    Some(out)
}

/// Puts a key at the end of an object.
fn member(text: &str, object: &Node, key: &str, value: &str) -> Option<String> {
    let Json::Object(members) = &object.value else {
        return None;
    };
    let last = members.last().map(|(_, value)| value.bytes.end);
    let (at, lead) = after_last(text, object, last)?;
    let first = members.first().map(|(_, value)| value.bytes.start);
    // The key of the first member stands between the brace and its value.
    let first = first.and_then(|value| {
        let between = text.get(object.bytes.start + 1..value)?;
        Some(object.bytes.start + 1 + between.find('"')?)
    });
    let entry = format!("{key:?}: {value}");
    insert(
        text,
        at,
        &lead,
        first.map(|first| (object.bytes.start + 1, first)),
        &entry,
    )
}

/// Where the next entry goes, and the comma before it.
fn after_last(text: &str, node: &Node, last: Option<usize>) -> Option<(usize, String)> {
    text.get(node.bytes.clone())?;
    Some(match last {
        Some(end) => (end, ",".to_owned()),
        None => (node.bytes.start + 1, String::new()),
    })
}

/// The entry, with the blanks that stand before the first of its list.
fn insert(
    text: &str,
    at: usize,
    lead: &str,
    before_first: Option<(usize, usize)>,
    entry: &str,
) -> Option<String> {
    let blank = match before_first {
        Some((open, first)) => match text.get(open..first)? {
            "" => " ",
            blank => blank,
        },
        None => "",
    };
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    Some(format!("{before}{lead}{blank}{entry}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_else_stays() {
        let text = "{\n    \"rules\": {\n        \"deny\": [],\n        \"allow\": [\n            \"a:*\",\n            { \"rule\": \"b\" }\n        ]\n    },\n    \"mode\":\"edit\"\n}\n";
        let added = add(text, RuleList::Allow, "\"c:*\"").expect("shaped so");
        assert_eq!(
            added,
            text.replace("\"b\" }", "\"b\" },\n            \"c:*\"")
        );
        let denied = add(text, RuleList::Deny, "\"x\"").expect("shaped so");
        assert_eq!(denied, text.replace("[]", "[\"x\"]"));
        let asked = add(text, RuleList::Ask, "\"x\"").expect("shaped so");
        assert_eq!(
            asked,
            text.replace("]\n    },", "],\n        \"ask\": [\"x\"]\n    },")
        );
        assert_eq!(
            add("{ \"mode\": \"edit\" }", RuleList::Ask, "\"x\"").as_deref(),
            Some("{ \"mode\": \"edit\", \"rules\": { \"ask\": [\"x\"] } }")
        );
        assert_eq!(
            add("{}", RuleList::Ask, "\"x\"").as_deref(),
            Some("{\"rules\": { \"ask\": [\"x\"] }}")
        );
        assert_eq!(
            add("{\"rules\": {\"ask\": [\"a\"]}}", RuleList::Ask, "\"x\"").as_deref(),
            Some("{\"rules\": {\"ask\": [\"a\", \"x\"]}}")
        );
        assert_eq!(
            remove(text, RuleList::Allow, &[0]).as_deref(),
            Some(text.replace("\"a:*\",\n            ", "").as_str())
        );
        assert_eq!(
            remove(text, RuleList::Allow, &[1]).as_deref(),
            Some(
                text.replace(",\n            { \"rule\": \"b\" }", "")
                    .as_str()
            )
        );
        assert_eq!(
            remove(
                "{\"rules\": {\"ask\": [\"a\", \"a\"]}}",
                RuleList::Ask,
                &[0, 1]
            )
            .as_deref(),
            Some("{\"rules\": {\"ask\": []}}")
        );
    }
}
