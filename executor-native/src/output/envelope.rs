//! What stands in a result for output that is too large to give whole.

use std::path::Path;

/// Characters of the preview.
pub const PREVIEW_CHARS: usize = 2_000;

/// The envelope: how much there is, where all of it is, and how it begins. A failed command's end is shown too:
/// that is where errors are told.
pub fn persisted(total: u64, path: &Path, head: &str, tail: Option<&str>) -> String {
    let mut text = format!(
        "<persisted-output>\nThe output has {}; only a part is shown here. All of it is in {}\n\nIt begins:\n{}\n",
        human_size(total),
        path.display(),
        first_chars(head, PREVIEW_CHARS).trim_end(),
    );
    if let Some(tail) = tail {
        text.push_str("\nIt ends:\n");
        text.push_str(last_chars(tail, PREVIEW_CHARS).trim());
        text.push('\n');
    }
    text.push_str("</persisted-output>");
    text
}

/// The short alternative: the last lines, and where all of it is.
pub fn tail_view(total: u64, path: &Path, tail: &str) -> String {
    let lines: Vec<&str> = tail.trim_end().lines().collect();
    let last = lines
        .get(lines.len().saturating_sub(5)..)
        .unwrap_or_default();
    format!(
        "{}\nThe output has {}; these are its last lines. All of it is in {}",
        last.join("\n"),
        human_size(total),
        path.display(),
    )
}

/// Bytes, for people.
pub fn human_size(bytes: u64) -> String {
    match bytes {
        0..=1_023 => format!("{bytes} bytes"),
        1_024..=1_048_575 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..=1_073_741_823 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

fn first_chars(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(at, _)| &text[..at])
}

fn last_chars(text: &str, most: usize) -> &str {
    match most.checked_sub(1) {
        Some(back) => text
            .char_indices()
            .nth_back(back)
            .map_or(text, |(at, _)| &text[at..]),
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_names_size_and_path_and_cuts_between_characters() {
        let text = persisted(
            5_000_000,
            Path::new("/s/b1.txt"),
            &"é".repeat(3_000),
            Some("x\nlast\n"),
        );
        assert!(text.contains("4.8 MiB") && text.contains("/s/b1.txt"));
        assert_eq!(text.matches('é').count(), 2_000);
        assert!(text.ends_with("x\nlast\n</persisted-output>"));
    }

    #[test]
    fn the_tail_view_has_five_lines() {
        let text = tail_view(100, Path::new("/o"), "1\n2\n3\n4\n5\n6\n7\n");
        assert!(text.starts_with("3\n4\n5\n6\n7\n"), "{text}");
    }

    #[test]
    fn last_characters() {
        assert_eq!(last_chars("abcé", 2), "cé");
        assert_eq!(last_chars("ab", 5), "ab");
    }
}
