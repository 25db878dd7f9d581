//! One file to a [`File`], or one fault with its position.

use std::{fs, io, path::Path};

use super::{ConfigFault, File};

/// Largest configuration file, in bytes: far more than tens of thousands of rules.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Reads a file; `None` when there is none. The text comes along for the trust check.
///
/// # Errors
/// When it is there but cannot be used.
pub fn read(path: &Path) -> Result<Option<(File, String)>, ConfigFault> {
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(ConfigFault::new(path, format!("cannot be read: {error}"))),
    };
    if about.is_dir() {
        return Err(ConfigFault::new(path, "is a folder, not a file")
            .help("move the folder away, or put the settings into a file of this name"));
    }
    if !about.is_file() {
        return Err(ConfigFault::new(path, "is no regular file"));
    }
    if about.len() > MAX_BYTES {
        return Err(ConfigFault::new(
            path,
            format!(
                "has {} bytes, more than the {MAX_BYTES} that are read",
                about.len()
            ),
        ));
    }
    let bytes = fs::read(path)
        .map_err(|error| ConfigFault::new(path, format!("cannot be read: {error}")))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default())
                .into_owned();
            return Err(ConfigFault::new(path, "is not UTF-8 text")
                .at(&before, before.len())
                .help("save the file as UTF-8"));
        }
    };
    parse(path, &text).map(|file| Some((file, text)))
}

/// Reads the text of a file; its name says whether it is TOML or JSON.
///
/// # Errors
/// When it is not valid.
pub(super) fn parse(path: &Path, text: &str) -> Result<File, ConfigFault> {
    if path.extension().is_some_and(|ending| ending == "json") {
        serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let message = message
                .split(" at line ")
                .next()
                .unwrap_or(&message)
                .to_owned();
            ConfigFault::new(path, message).at_line(error.line(), error.column())
        })
    } else {
        toml::from_str(text).map_err(|error| {
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            let fault = ConfigFault::new(path, message);
            match error.span() {
                Some(span) => fault.at(text, span.start),
                None => fault,
            }
        })
    }
}
