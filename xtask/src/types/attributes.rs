//! The attributes of a type that TypeScript sees: what serde makes of its names and keys, and its documentation.
//!
//! An attribute of serde that is not known here is an error: it might change the shape.

use anyhow::bail;
use syn::{Attribute, Expr, Lit, Meta, Token, punctuated::Punctuated};

/// The serde attributes that change a shape.
#[derive(Default)]
pub(super) struct Serde {
    pub(super) rename: Option<String>,
    pub(super) rename_all: Option<String>,
    pub(super) rename_all_fields: Option<String>,
    pub(super) tag: Option<String>,
    pub(super) reader: Option<String>,
    pub(super) aliases: Vec<String>,
    pub(super) default: bool,
    pub(super) flatten: bool,
    pub(super) skip: bool,
    pub(super) skip_if: bool,
    pub(super) untagged: bool,
}

impl Serde {
    pub(super) fn of(attrs: &[Attribute]) -> anyhow::Result<Self> {
        let mut serde = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            for meta in attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
                serde.add(&meta)?;
            }
        }
        Ok(serde)
    }

    fn add(&mut self, meta: &Meta) -> anyhow::Result<()> {
        let key = meta
            .path()
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        let value = match meta {
            Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match (key.as_str(), value) {
            ("rename", Some(value)) => self.rename = Some(value),
            ("rename_all", Some(value)) => self.rename_all = Some(value),
            ("rename_all_fields", Some(value)) => self.rename_all_fields = Some(value),
            ("tag", Some(value)) => self.tag = Some(value),
            ("alias", Some(value)) => self.aliases.push(value),
            ("deserialize_with", Some(value)) => self.reader = Some(value),
            ("skip_serializing_if", Some(_)) => self.skip_if = true,
            ("default", _) => self.default = true,
            ("flatten", None) => self.flatten = true,
            ("skip", None) => self.skip = true,
            ("untagged", None) => self.untagged = true,
            ("deny_unknown_fields" | "transparent", None) | ("bound" | "crate", Some(_)) => {}
            (key, _) => bail!("the serde attribute `{key}` is not known here"),
        }
        Ok(())
    }

    pub(super) fn case(&self, name: &str) -> String {
        match self.rename_all.as_deref() {
            Some("camelCase") => camel(name),
            Some("kebab-case") => name.replace('_', "-"),
            _ => name.to_owned(),
        }
    }

    pub(super) fn variant_case(&self, name: &str) -> String {
        match self.rename_all.as_deref() {
            Some("camelCase") => lower_first(name),
            Some("lowercase") => name.to_lowercase(),
            Some("kebab-case") => snake(name).replace('_', "-"),
            Some("snake_case") => snake(name),
            _ => name.to_owned(),
        }
    }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut out, part| {
        let mut letters = part.chars();
        out.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        out.push_str(letters.as_str());
        out
    })
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|letter| letter.to_ascii_lowercase())
        .into_iter()
        .chain(letters)
        .collect()
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

pub(super) fn doc(attrs: &[Attribute], indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut example = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        let Meta::NameValue(pair) = &attr.meta else {
            continue;
        };
        let Expr::Lit(syn::ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        else {
            continue;
        };
        // Examples are Rust, which helps nobody here.
        let text = text.value();
        if text.trim().starts_with("```") {
            example = !example;
        } else if !example {
            lines.push(words(text.trim()));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let body: String = lines
                .iter()
                .map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n")
                .collect();
            format!("{indent}/**\n{body}{indent} */\n")
        }
    }
}

/// Documentation with Rust's links and paths as TypeScript's readers would write them: `Mode::Build` is `build`.
fn words(line: &str) -> String {
    let plain = line
        .replace("[`", "`")
        .replace("`]", "`")
        .replace("*/", "* /");
    let parts = plain.split('`').enumerate().map(|(at, part)| {
        let last = part.rsplit("::").next().unwrap_or(part);
        if at % 2 == 1 && part.contains("::") {
            lower_first(last)
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("`")
}

pub(super) fn docs(attrs: &[Attribute]) -> impl Iterator<Item = Attribute> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .cloned()
}

pub(super) fn derives_serde(attrs: &[Attribute]) -> bool {
    derives(attrs, "Serialize") || derives(attrs, "Deserialize")
}

pub(super) fn derives(attrs: &[Attribute], name: &str) -> bool {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("derive"))
        .any(|attr| {
            attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated)
                .is_ok_and(|paths| {
                    paths
                        .iter()
                        .any(|path| path.segments.last().is_some_and(|last| last.ident == name))
                })
        })
}
