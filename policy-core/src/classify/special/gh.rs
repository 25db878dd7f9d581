//! GitHub's command line: values that may name another host, filters, and which calls of `gh api` only read.
//!
//! Source: <https://cli.github.com/manual>, `gh help api`: the method is GET unless fields or a body are given.

use alloc::vec::Vec;

use super::{
    super::{check::CheckInput, model::Why},
    jq,
    service::{Outcome, refuse},
};
use crate::{command::model::Value, diagnostic::Code};

/// Reading verbs: the repository and the operands stay on the configured host, the filter reads no environment.
pub(super) fn reading(input: &CheckInput<'_>) -> Outcome {
    let argv = &input.invocation.argv;
    let repositories = input
        .parsed
        .all("-R --repo")
        .filter_map(|option| argv.get(option.value_index.unwrap_or(option.index)));
    let operands = input
        .parsed
        .operands
        .iter()
        .filter_map(|&index| argv.get(index));
    for arg in repositories.chain(operands) {
        let Some(text) = arg.value.exact() else {
            // A number or name computed by the text itself; a host needs a slash or a scheme in front.
            if matches!(arg.value, Value::Digits) {
                continue;
            }
            return Err(refuse(
                arg,
                "is only known when it runs and may name another host",
            ));
        };
        let value = text.rsplit_once('=').map_or(text, |(_, value)| value);
        let github = value.starts_with("https://github.com/");
        if !github
            && (value.contains("://") || value.contains('@') || value.matches('/').count() >= 2)
        {
            return Err(refuse(arg, "may name another host"));
        }
    }
    jq::check_flag(input)
}

/// `gh api`: GET (or HEAD) of a path, or a GraphQL query that is no mutation; no body from a file.
pub(super) fn api(input: &CheckInput<'_>) -> Outcome {
    let argv = &input.invocation.argv;
    let parsed = input.parsed;
    let value_of = |names: &str| {
        parsed
            .all(names)
            .filter_map(|option| option.value.clone().map(|value| (value, option.index)))
            .collect::<Vec<_>>()
    };
    let at = |index: usize| argv.get(index);
    let Some(endpoint) = parsed.operands.first().and_then(|&index| at(index)) else {
        return Err(Why {
            code: Code::CommandOperand,
            message: "`gh api` names no endpoint".into(),
            span: input.invocation.span,
        });
    };
    let path = endpoint.value.known_prefix();
    let whole = matches!(
        endpoint.value,
        Value::Exact(_) | Value::Prefix(_) | Value::Many(_)
    ) && !path.is_empty()
        && !path.starts_with('-');
    if !whole || path.contains("://") || path.starts_with("http") || path.starts_with("//") {
        return Err(refuse(endpoint, "may name another host"));
    }
    for (value, index) in value_of("-H --header") {
        let harmless = value.exact().is_some_and(|header| {
            let name = header.split(':').next().unwrap_or("").trim();
            ["accept", "x-github-api-version", "if-none-match"]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known))
        });
        if !harmless {
            return Err(at(index).map_or_else(
                || refuse(endpoint, "sends a header"),
                |arg| refuse(arg, "sends a header that may change what the call does"),
            ));
        }
    }
    let fields = value_of("-f --raw-field -F --field");
    let typed = value_of("-F --field");
    // `-F name=@file` sends the content of a file.
    for (value, index) in &typed {
        let file = value.exact().is_none_or(|field| {
            field
                .split_once('=')
                .is_some_and(|(_, value)| value.starts_with('@'))
        });
        if file {
            return Err(at(*index).map_or_else(
                || refuse(endpoint, "sends a file"),
                |arg| refuse(arg, "sends the content of a file"),
            ));
        }
    }
    let methods = value_of("-X --method");
    let reads = |method: &Value| {
        method.exact().is_some_and(|method| {
            method.eq_ignore_ascii_case("GET") || method.eq_ignore_ascii_case("HEAD")
        })
    };
    if path.trim_matches('/') == "graphql" {
        let query = fields
            .iter()
            .find_map(|(value, _)| value.exact().and_then(|field| field.strip_prefix("query=")));
        if !query.is_some_and(only_queries) {
            return Err(refuse(
                endpoint,
                "is asked something that is not a plain query",
            ));
        }
    } else if let Some((method, index)) = methods.iter().find(|(method, _)| !reads(method)) {
        let arg = at(*index).unwrap_or(endpoint);
        let _ = method;
        return Err(refuse(arg, "is a method that changes something"));
    } else if !fields.is_empty() && methods.is_empty() {
        return Err(refuse(
            endpoint,
            "is posted to, since fields are given without `--method GET`",
        ));
    }
    jq::check_flag(input)
}

/// A GraphQL document all of whose operations are queries: no word `mutation` or `subscription` outside strings and
/// comments starts one.
fn only_queries(document: &str) -> bool {
    let mut depth = 0_u32;
    let mut chars = document.chars().peekable();
    let mut word = alloc::string::String::new();
    while let Some(c) = chars.next() {
        if c == '"' {
            while let Some(c) = chars.next() {
                match c {
                    '\\' => {
                        chars.next();
                    }
                    '"' => break,
                    _ => {}
                }
            }
            continue;
        }
        if c == '#' {
            for c in chars.by_ref() {
                if c == '\n' {
                    break;
                }
            }
            continue;
        }
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if depth == 0 && (word == "mutation" || word == "subscription") {
            return false;
        }
        word.clear();
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    !(depth == 0 && (word == "mutation" || word == "subscription"))
}

#[cfg(test)]
mod tests {
    use super::only_queries;

    #[test]
    fn mutations_are_told_from_queries() {
        assert!(only_queries("{viewer{login}}"));
        assert!(only_queries("query($n: Int){ a(first: $n){ mutation } }"));
        assert!(only_queries("{ a(name: \"mutation {\") { b } } # mutation"));
        assert!(!only_queries("mutation { a }"));
        assert!(!only_queries("query A { a } mutation B { b }"));
        assert!(!only_queries("# x\n mutation{a}"));
    }
}
