//! Statements so plain that two readers cannot read them differently: the witness is not asked about them.
//!
//! Plain are words of `[A-Za-z0-9_./:,+@%-]`, one blank between, joined by ` | `, ` && `, ` || ` and `; `, with no reserved word (of
//! bash or zsh) where a command begins. Nothing in them quotes, expands, assigns, redirects, groups or comments: where a command
//! begins is a matter of blanks and connectors. A test compares both ways over every corpus and over generated texts.

use super::reader::is_reserved;

/// Whether a statement is plain.
pub(super) fn is_plain(statement: &str) -> bool {
    // Before a word: a command begins here.
    let mut begins = true;
    for token in statement.split(' ') {
        if matches!(token, "|" | "&&" | "||") {
            if begins {
                return false;
            }
            begins = true;
            continue;
        }
        let (word, ends) = match token.strip_suffix(';') {
            Some(word) => (word, true),
            None => (token, false),
        };
        if word.is_empty() || !word.bytes().all(is_plain_byte) || (begins && is_reserved(word)) {
            return false;
        }
        begins = ends;
    }
    !begins
}

const fn is_plain_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'.' | b'/' | b':' | b',' | b'+' | b'@' | b'%' | b'-'
        )
}

#[cfg(test)]
mod tests;
