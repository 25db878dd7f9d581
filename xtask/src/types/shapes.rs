//! The types of the sources that cross a boundary, and the TypeScript declaration of each.
//!
//! A declaration says which other types it uses, so that the caller can follow them. What serde does to a shape is read
//! by `attributes`; a shape that is not known here is an error that names the field.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context as _, bail, ensure};
use syn::{Field, Fields, Item, ItemEnum, ItemStruct, Type};

use super::{
    BY_HAND, READERS, THROUGH, Way,
    attributes::{Serde, derives, derives_serde, doc, docs},
    source::{argument, code_rows, generic, rust_files},
};

/// Every type of the sources that crosses a boundary, by name.
#[derive(Default)]
pub(super) struct Shapes {
    structs: BTreeMap<String, ItemStruct>,
    enums: BTreeMap<String, ItemEnum>,
    codes: Vec<(String, String)>,
    aliases: BTreeMap<String, Type>,
    twice: BTreeSet<String>,
    by_hand: BTreeSet<String>,
}

impl Shapes {
    pub(super) fn read(sources: &Path) -> anyhow::Result<Self> {
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

    pub(super) fn take(&mut self, item: Item) -> anyhow::Result<()> {
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
    pub(super) fn write(
        &self,
        name: &str,
        way: Way,
        used: &mut Vec<String>,
    ) -> anyhow::Result<String> {
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
