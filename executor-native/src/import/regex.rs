//! Literal texts as parts of a regular expression.

/// The text with everything escaped that means something in a pattern.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for each in text.chars() {
        if "\\^$.|?*+()[]{}-/".contains(each) {
            out.push('\\');
        }
        out.push(each);
    }
    out
}
