//! The TypeScript of every boundary, made from the Rust types: `policy-core/src/**` → `wire.ts` of the npm package.
//!
//! Reads the sources (not a build of them), follows every type that the roots reach, and turns its serde attributes into
//! TypeScript. A shape it does not know is an error, never a guess. Types whose serde is written by hand, and no others,
//! have their TypeScript in [`BY_HAND`].

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use syn::{
    Attribute, Expr, Field, Fields, Item, ItemEnum, ItemStruct, Lit, Meta, Token, Type,
    punctuated::Punctuated,
};

use crate::Mode;

/// What the boundary is made of; everything else is reached from these.
const ROOTS: &[(&str, Way)] = &[
    ("Request", Way::In),
    ("PolicyConfig", Way::In),
    ("Tools", Way::In),
    ("Verdict", Way::Out),
    ("ParseReport", Way::Out),
    ("Explanation", Way::Out),
];

/// Types that are read through another struct, and where the documentation of its fields stands.
const THROUGH: &[(&str, &str, &[&str])] =
    &[("Request", "Flat", &["Request", "Facts", "RuleLists"])];

/// Which way a type goes through the boundary, which says what its optional keys are: a host may leave out what has a
/// default, and is never given what is left out when empty. A type that goes both ways is written as it goes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    In,
    Out,
}

/// Where the result goes.
const PLACE: &str = "host-js/src/generated/wire.ts";

/// Types with serde written by hand, and what their code reads and writes.
const BY_HAND: &[(&str, &str)] = &[
    ("Span", "[start: number, end: number]"),
    (
        "GitFacts",
        "GitState | { state: GitState; executingKeys?: string[] }",
    ),
];

/// Functions named by `deserialize_with`, and what they read (`$` is the type of the field's items).
const READERS: &[(&str, &str)] = &[("one_or_many", "$ | $[]")];

/// Writes the files, or compares them.
pub(crate) fn run(root: &Path, mode: Mode, _words: &[String]) -> anyhow::Result<()> {
    let text = generate(&root.join("policy-core/src"))?;
    let path = root.join(PLACE);
    if mode == Mode::Write {
        return fs::write(&path, &text).with_context(|| format!("write {PLACE}"));
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    ensure!(
        there == text,
        "{PLACE} is not what `./x types` makes of the Rust types: run it and commit the result"
    );
    Ok(())
}

fn generate(sources: &Path) -> anyhow::Result<String> {
    let shapes = Shapes::read(sources)?;
    let mut out = String::from(
        "// Made by `./x types` from the Rust types of policy-core; do not edit.\n\
         // Spans are UTF-16 offsets here: `command.slice(...span)` is the text meant.\n",
    );
    let mut seen = BTreeSet::new();
    let mut queue: VecDeque<(String, Way)> = ROOTS
        .iter()
        .map(|&(name, way)| (name.to_owned(), way))
        .collect();
    // Everything that goes in comes first, so that a type of both ways is written so.
    while let Some((name, way)) = take_first(&mut queue) {
        if !seen.insert(name.clone()) {
            continue;
        }
        let mut used = Vec::new();
        out.push('\n');
        out.push_str(
            &shapes
                .write(&name, way, &mut used)
                .with_context(|| format!("type `{name}`"))?,
        );
        queue.extend(used.into_iter().map(|name| (name, way)));
    }
    Ok(out)
}

fn take_first(queue: &mut VecDeque<(String, Way)>) -> Option<(String, Way)> {
    let at = queue.iter().position(|(_, way)| *way == Way::In);
    queue.remove(at.unwrap_or(0))
}

/// Every type of the sources that crosses a boundary, by name.
#[derive(Default)]
struct Shapes {
    structs: BTreeMap<String, ItemStruct>,
    enums: BTreeMap<String, ItemEnum>,
    codes: Vec<(String, String)>,
    aliases: BTreeMap<String, Type>,
    twice: BTreeSet<String>,
    by_hand: BTreeSet<String>,
}

impl Shapes {
    fn read(sources: &Path) -> anyhow::Result<Self> {
        let mut shapes = Self::default();
        for path in rust_files(sources)? {
            let text = fs::read_to_string(&path)?;
            let file =
                syn::parse_file(&text).with_context(|| format!("parse {}", path.display()))?;
            for item in file.items {
                shapes.take(item)?;
            }
        }
        Ok(shapes)
    }

    fn take(&mut self, item: Item) -> anyhow::Result<()> {
        match item {
            Item::Struct(item) if derives_serde(&item.attrs) => {
                let name = item.ident.to_string();
                if self.structs.insert(name.clone(), item).is_some()
                    || self.enums.contains_key(&name)
                {
                    self.twice.insert(name);
                }
            }
            Item::Enum(item) if derives_serde(&item.attrs) => {
                let name = item.ident.to_string();
                if self.enums.insert(name.clone(), item).is_some()
                    || self.structs.contains_key(&name)
                {
                    self.twice.insert(name);
                }
            }
            Item::Type(item) => {
                self.aliases.insert(item.ident.to_string(), *item.ty);
            }
            Item::Impl(item) => {
                let of_serde = item
                    .trait_
                    .as_ref()
                    .and_then(|(_, path, _)| path.segments.last())
                    .is_some_and(|last| last.ident == "Serialize" || last.ident == "Deserialize");
                if of_serde
                    && let Type::Path(ty) = &*item.self_ty
                    && let Some(last) = ty.path.segments.last()
                {
                    self.by_hand.insert(last.ident.to_string());
                }
            }
            Item::Macro(item) if item.mac.path.is_ident("codes") => {
                self.codes = item.mac.parse_body_with(code_rows)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The declaration of one type; names it uses are pushed.
    fn write(&self, name: &str, way: Way, used: &mut Vec<String>) -> anyhow::Result<String> {
        ensure!(!self.twice.contains(name), "two types have this name");
        if name == "Code" {
            return Ok(self.write_codes());
        }
        let by_hand = BY_HAND.iter().find(|(of, _)| *of == name);
        if let Some((_, text)) = by_hand {
            ensure!(
                self.by_hand.contains(name),
                "its serde is derived now: take it out of BY_HAND"
            );
            used.extend(
                text.split(|c: char| !c.is_alphanumeric())
                    .filter(|word| self.knows(word))
                    .map(str::to_owned),
            );
            return Ok(format!(
                "/** On the wire: `{text}`. */\nexport type {name} = {text};\n"
            ));
        }
        let through = THROUGH
            .iter()
            .find(|(of, ..)| way == Way::In && *of == name && self.by_hand.contains(name));
        if let Some((_, other, documented)) = through {
            return self.write_through(name, other, documented, used);
        }
        ensure!(
            !self.by_hand.contains(name),
            "its serde is written by hand: name its TypeScript in BY_HAND"
        );
        if let Some(item) = self.structs.get(name) {
            return self.write_struct(item, way, used);
        }
        match self.enums.get(name) {
            Some(item) => self.write_enum(item, way, used),
            None => bail!("not found among the types with serde"),
        }
    }

    /// A struct that is read through `other`, with documentation from where its fields are described.
    fn write_through(
        &self,
        name: &str,
        other: &str,
        documented: &[&str],
        used: &mut Vec<String>,
    ) -> anyhow::Result<String> {
        let item = self.structs.get(name).context("no such struct")?;
        let mut read = self
            .structs
            .get(other)
            .with_context(|| format!("it is read through `{other}`, which is not there"))?
            .clone();
        read.ident = item.ident.clone();
        read.attrs.extend(docs(&item.attrs));
        let described = documented
            .iter()
            .filter_map(|name| self.structs.get(*name))
            .flat_map(|item| &item.fields);
        let described: BTreeMap<String, &Field> = described
            .filter_map(|field| Some((field.ident.as_ref()?.to_string(), field)))
            .collect();
        for field in &mut read.fields {
            let name = field.ident.as_ref().map(ToString::to_string);
            if let Some(there) = name.and_then(|name| described.get(&name)) {
                field.attrs.extend(docs(&there.attrs));
            }
        }
        self.write_struct(&read, Way::In, used)
    }

    fn knows(&self, name: &str) -> bool {
        self.structs.contains_key(name) || self.enums.contains_key(name)
    }

    fn write_codes(&self) -> String {
        let mut out = String::from(
            "/** Why a verdict is what it is: the closed list of reason codes. */\nexport type Code =",
        );
        for (slug, meaning) in &self.codes {
            out.push_str(&format!("\n  /** {meaning} */\n  | {slug:?}"));
        }
        out.push_str(";\n");
        out
    }

    fn write_struct(
        &self,
        item: &ItemStruct,
        way: Way,
        used: &mut Vec<String>,
    ) -> anyhow::Result<String> {
        let serde = Serde::of(&item.attrs)?;
        let name = item.ident.to_string();
        let Fields::Named(fields) = &item.fields else {
            let Fields::Unnamed(fields) = &item.fields else {
                bail!("a struct without fields")
            };
            ensure!(
                fields.unnamed.len() == 1,
                "a tuple struct of several fields"
            );
            let Some(field) = fields.unnamed.first() else {
                bail!("a tuple struct without fields")
            };
            return Ok(format!(
                "{}export type {name} = {};\n",
                doc(&item.attrs, ""),
                self.ty(&field.ty, used)?
            ));
        };
        let needed = match way {
            Way::In => "Deserialize",
            Way::Out => "Serialize",
        };
        ensure!(derives(&item.attrs, needed), "it does not derive {needed}");
        let mut parents = Vec::new();
        let mut body = String::new();
        for field in &fields.named {
            let attrs = Serde::of(&field.attrs)?;
            if attrs.skip {
                continue;
            }
            if attrs.flatten {
                parents.push(self.ty(&field.ty, used)?);
                continue;
            }
            body.push_str(&doc(&field.attrs, "  "));
            body.push_str(&format!(
                "  {}\n",
                self.member(field, &attrs, &serde, way, used)?
            ));
        }
        let extends = if parents.is_empty() {
            String::new()
        } else {
            format!(" extends {}", parents.join(", "))
        };
        Ok(format!(
            "{}export interface {name}{extends} {{\n{body}}}\n",
            doc(&item.attrs, "")
        ))
    }

    /// `name?: type;` with what serde makes of it.
    fn member(
        &self,
        field: &Field,
        attrs: &Serde,
        container: &Serde,
        way: Way,
        used: &mut Vec<String>,
    ) -> anyhow::Result<String> {
        let rust = field
            .ident
            .as_ref()
            .context("a field without a name")?
            .to_string();
        let name = attrs
            .rename
            .clone()
            .unwrap_or_else(|| container.case(&rust));
        let inner = generic(&field.ty, "Option");
        let optional = if way == Way::In {
            container.default || attrs.default || inner.is_some()
        } else {
            attrs.skip_if
        };
        let mut ty = match &attrs.reader {
            Some(reader) => {
                let Some((_, form)) = READERS
                    .iter()
                    .find(|(name, _)| reader.rsplit("::").next() == Some(name))
                else {
                    bail!("field `{rust}`: `deserialize_with = \"{reader}\"` is not in READERS");
                };
                let items = generic(&field.ty, "Vec").unwrap_or(&field.ty);
                form.replace('$', &self.ty(items, used)?)
            }
            None => self
                .ty(inner.unwrap_or(&field.ty), used)
                .with_context(|| format!("field `{rust}`"))?,
        };
        // Left out when absent, or present as null: serde writes the one or the other, and reads both.
        if inner.is_some() && !optional {
            ty.push_str(" | null");
        }
        Ok(format!("{name}{}: {ty};", if optional { "?" } else { "" }))
    }

    fn write_enum(
        &self,
        item: &ItemEnum,
        way: Way,
        used: &mut Vec<String>,
    ) -> anyhow::Result<String> {
        let serde = Serde::of(&item.attrs)?;
        let mut out = format!("{}export type {} =", doc(&item.attrs, ""), item.ident);
        for variant in &item.variants {
            let attrs = Serde::of(&variant.attrs)?;
            let name = attrs
                .rename
                .clone()
                .unwrap_or_else(|| serde.variant_case(&variant.ident.to_string()));
            let mut forms = vec![self.variant(&name, variant, &serde, way, used)?];
            if way == Way::In && matches!(variant.fields, Fields::Unit) {
                forms.extend(attrs.aliases.iter().map(|alias| format!("{alias:?}")));
            }
            for form in forms {
                out.push_str(&format!("\n{}  | {form}", doc(&variant.attrs, "  ")));
            }
        }
        out.push_str(";\n");
        Ok(out)
    }

    fn variant(
        &self,
        name: &str,
        variant: &syn::Variant,
        serde: &Serde,
        way: Way,
        used: &mut Vec<String>,
    ) -> anyhow::Result<String> {
        let content = match &variant.fields {
            Fields::Unit => None,
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields
                .unnamed
                .first()
                .map(|field| self.ty(&field.ty, used))
                .transpose()?,
            Fields::Unnamed(_) => bail!("variant `{name}` has several fields without names"),
            Fields::Named(fields) => {
                // `rename_all` of an enum is about its variants; their fields have `rename_all_fields`.
                let container = Serde {
                    rename_all: serde.rename_all_fields.clone(),
                    ..Serde::default()
                };
                let members = fields.named.iter().map(|field| {
                    self.member(field, &Serde::of(&field.attrs)?, &container, way, used)
                });
                Some(format!(
                    "{{ {} }}",
                    members.collect::<anyhow::Result<Vec<_>>>()?.join(" ")
                ))
            }
        };
        Ok(match (&serde.tag, content) {
            (_, Some(content)) if serde.untagged => content,
            (None, None) => format!("{name:?}"),
            (None, Some(content)) => format!("{{ {name}: {content} }}"),
            (Some(tag), None) => format!("{{ {tag}: {name:?} }}"),
            (Some(tag), Some(content)) => format!("{{ {tag}: {name:?} }} & {content}"),
        })
    }

    /// The TypeScript of a Rust type.
    fn ty(&self, ty: &Type, used: &mut Vec<String>) -> anyhow::Result<String> {
        match ty {
            Type::Reference(reference) => return self.ty(&reference.elem, used),
            Type::Slice(slice) => return self.list(&slice.elem, used),
            Type::Array(array) => return self.list(&array.elem, used),
            Type::Tuple(tuple) => {
                let parts = tuple
                    .elems
                    .iter()
                    .map(|part| self.ty(part, used))
                    .collect::<anyhow::Result<Vec<_>>>()?;
                return Ok(format!("[{}]", parts.join(", ")));
            }
            _ => {}
        }
        let Type::Path(path) = ty else {
            bail!("a type that TypeScript has no word for")
        };
        let last = path.path.segments.last().context("an empty path")?;
        let name = last.ident.to_string();
        if let Some(inner) = ["Vec", "BTreeSet", "List"]
            .iter()
            .find_map(|list| generic(ty, list))
        {
            return self.list(inner, used);
        }
        if let Some(inner) = generic(ty, "Option") {
            return Ok(format!("{} | null", self.ty(inner, used)?));
        }
        if let Some(inner) = ["Box", "Rc", "Arc"]
            .iter()
            .find_map(|owner| generic(ty, owner))
        {
            return self.ty(inner, used);
        }
        if matches!(name.as_str(), "BTreeMap" | "Map")
            && let Some(value) = argument(ty, 1)
        {
            return Ok(format!("Record<string, {}>", self.ty(value, used)?));
        }
        Ok(match name.as_str() {
            "String" | "str" | "Text" | "char" | "Cow" => "string".to_owned(),
            "bool" => "boolean".to_owned(),
            "u8" | "u16" | "u32" | "i8" | "i16" | "i32" | "usize" | "isize" | "u64" | "i64"
            | "f32" | "f64" => "number".to_owned(),
            "Value" if !self.knows(&name) => "unknown".to_owned(),
            _ if self.knows(&name)
                || name == "Code"
                || BY_HAND.iter().any(|(of, _)| *of == name) =>
            {
                used.push(name.clone());
                name
            }
            _ => match self.aliases.get(&name) {
                Some(alias) => self.ty(alias, used)?,
                None => bail!("`{name}` has no serde and is no basic type"),
            },
        })
    }

    fn list(&self, items: &Type, used: &mut Vec<String>) -> anyhow::Result<String> {
        let items = self.ty(items, used)?;
        Ok(if items.contains(' ') {
            format!("({items})[]")
        } else {
            format!("{items}[]")
        })
    }
}

/// The serde attributes that change a shape.
#[derive(Default)]
struct Serde {
    rename: Option<String>,
    rename_all: Option<String>,
    rename_all_fields: Option<String>,
    tag: Option<String>,
    reader: Option<String>,
    aliases: Vec<String>,
    default: bool,
    flatten: bool,
    skip: bool,
    skip_if: bool,
    untagged: bool,
}

impl Serde {
    fn of(attrs: &[Attribute]) -> anyhow::Result<Self> {
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

    fn case(&self, name: &str) -> String {
        match self.rename_all.as_deref() {
            Some("camelCase") => camel(name),
            Some("kebab-case") => name.replace('_', "-"),
            _ => name.to_owned(),
        }
    }

    fn variant_case(&self, name: &str) -> String {
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

fn doc(attrs: &[Attribute], indent: &str) -> String {
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

fn docs(attrs: &[Attribute]) -> impl Iterator<Item = Attribute> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .cloned()
}

fn derives_serde(attrs: &[Attribute]) -> bool {
    derives(attrs, "Serialize") || derives(attrs, "Deserialize")
}

fn derives(attrs: &[Attribute], name: &str) -> bool {
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

/// `T` of `Name<T>`.
fn generic<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    (path.path.segments.last()?.ident == name).then(|| argument(ty, 0))?
}

fn argument(ty: &Type, at: usize) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
    else {
        return None;
    };
    arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .nth(at)
}

/// Slug and meaning of each row of `codes!`.
fn code_rows(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<(String, String)>> {
    let mut rows = Vec::new();
    while !input.is_empty() {
        let _: syn::Ident = input.parse()?;
        let mut texts = Vec::new();
        while input.peek(Token![,]) {
            let _: Token![,] = input.parse()?;
            texts.push(input.parse::<syn::LitStr>()?.value());
        }
        let _: Token![;] = input.parse()?;
        let mut texts = texts.into_iter();
        rows.push((
            texts.next().unwrap_or_default(),
            texts.next().unwrap_or_default(),
        ));
    }
    Ok(rows)
}

fn rust_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("read {}", folder.display()))? {
            let path = entry?.path();
            let test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !test {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> Shapes {
        let mut shapes = Shapes::default();
        for item in syn::parse_file(text).expect("valid").items {
            shapes.take(item).expect("taken");
        }
        shapes
    }

    fn written(text: &str, name: &str, way: Way) -> String {
        shapes(text)
            .write(name, way, &mut Vec::new())
            .expect("written")
    }

    #[test]
    fn what_is_read_has_optional_keys_where_serde_has_defaults() {
        let rust = r#"
            /// A.
            #[derive(Deserialize, Serialize)]
            #[serde(rename_all = "camelCase")]
            struct A { must_be: String, #[serde(default)] may_be: Vec<u8>, other: Option<bool>, #[serde(flatten)] more: B }
            #[derive(Deserialize)]
            struct B {}
        "#;
        assert_eq!(
            written(rust, "A", Way::In),
            "/** A. */\nexport interface A extends B {\n  mustBe: string;\n  mayBe?: number[];\n  other?: boolean;\n}\n"
        );
    }

    #[test]
    fn what_is_only_written_is_null_or_left_out_as_serde_does_it() {
        let rust = r#"
            #[derive(Serialize)]
            struct A { a: Option<String>, #[serde(skip_serializing_if = "Option::is_none")] b: Option<String>, c: Vec<Option<String>> }
        "#;
        assert_eq!(
            written(rust, "A", Way::Out),
            "export interface A {\n  a: string | null;\n  b?: string;\n  c: (string | null)[];\n}\n"
        );
    }

    #[test]
    fn words_of_an_enum_include_the_aliases_that_are_read() {
        let rust = r#"
            #[derive(Deserialize)]
            #[serde(rename_all = "camelCase")]
            enum A { #[serde(alias = "one")] TooLong, B }
        "#;
        assert_eq!(
            written(rust, "A", Way::In),
            "export type A =\n  | \"tooLong\"\n  | \"one\"\n  | \"b\";\n"
        );
    }

    #[test]
    fn documentation_has_no_rust_in_it() {
        let rust = r#"
            /// As [`Mode::Build`].
            ///
            /// ```
            /// let a = A {};
            /// ```
            #[derive(Serialize)]
            struct A {}
        "#;
        assert_eq!(
            written(rust, "A", Way::Out),
            "/** As `build`. */\nexport interface A {\n}\n"
        );
    }

    #[test]
    fn a_shape_that_is_not_known_is_an_error() {
        let rust = "#[derive(Serialize)] struct A { a: HashMap<u8, u8> }";
        let error = shapes(rust)
            .write("A", Way::Out, &mut Vec::new())
            .expect_err("no such type");
        assert_eq!(
            format!("{error:#}"),
            "field `a`: `HashMap` has no serde and is no basic type"
        );
        let by_hand = "#[derive(Serialize)] struct A { a: u8 } impl Deserialize for A {}";
        assert!(
            shapes(by_hand)
                .write("A", Way::Out, &mut Vec::new())
                .is_err()
        );
    }
}
