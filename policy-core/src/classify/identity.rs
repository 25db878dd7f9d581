//! Command word → the name of a known tool.
//!
//! Only a bare name, or one in a folder that belongs to the system, is the tool of that name: `./ls` and `/tmp/ls` can
//! be anything.

use alloc::{borrow::Cow, string::ToString};

use crate::facts::Platform;

/// Folders whose programs are what their names say.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/opt/homebrew/bin",
];

/// The tool's name; `None` when the word names a file elsewhere.
#[must_use]
pub(super) fn identify(word: &str, platform: Platform) -> Option<Cow<'_, str>> {
    let windows = platform == Platform::Windows;
    let name = match word.rsplit_once('/') {
        None if windows && word.contains('\\') => return None,
        None => word,
        Some((folder, name)) if SYSTEM_FOLDERS.contains(&folder) => name,
        Some(_) => return None,
    };
    if !windows {
        return Some(Cow::Borrowed(name));
    }
    // Windows finds `LS` and `ls.exe` for `ls`.
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_suffix(".exe").unwrap_or(&lower);
    Some(Cow::Owned(bare.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_names_and_system_folders_are_tools() {
        let linux = |word| identify(word, Platform::Linux).map(Cow::into_owned);
        assert_eq!(linux("ls").as_deref(), Some("ls"));
        assert_eq!(linux("/usr/bin/git").as_deref(), Some("git"));
        assert_eq!(linux("./ls"), None);
        assert_eq!(linux("/tmp/ls"), None);
        assert_eq!(linux("/usr/bin/../../tmp/ls"), None);
        assert_eq!(linux("bin/ls"), None);
        assert_eq!(linux("LS").as_deref(), Some("LS"));
    }

    #[test]
    fn windows_names_have_no_case() {
        assert_eq!(identify("LS.EXE", Platform::Windows).as_deref(), Some("ls"));
        assert_eq!(identify(".\\ls", Platform::Windows), None);
    }
}
