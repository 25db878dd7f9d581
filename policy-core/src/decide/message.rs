//! Small helpers for reasons: one line, lower case, input in backticks and never with control characters.

use alloc::{format, string::String};

/// The longest stretch of input quoted in a message, in characters.
const LONGEST: usize = 80;

/// Input, quoted: control and direction-changing characters are replaced, long text is cut.
pub(crate) fn tick(text: &str) -> String {
    format!("`{}`", clean(text, LONGEST))
}

/// Text that is safe to show on one line.
pub(crate) fn clean(text: &str, longest: usize) -> String {
    let mut out = String::new();
    for (count, each) in text.chars().enumerate() {
        if count == longest {
            out.push('…');
            break;
        }
        let hidden = each.is_control()
            || matches!(each, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        out.push(match each {
            '\n' | '\t' => ' ',
            _ if hidden => '\u{fffd}',
            _ => each,
        });
    }
    out
}
