//! Small questions to Rust sources: the files of a folder, the arguments of a generic type, the rows of `codes!`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use syn::{Token, Type};

/// `T` of `Name<T>`.
pub(super) fn generic<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    (path.path.segments.last()?.ident == name).then(|| argument(ty, 0))?
}

pub(super) fn argument(ty: &Type, at: usize) -> Option<&Type> {
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
pub(super) fn code_rows(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<(String, String)>> {
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

pub(super) fn rust_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
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
