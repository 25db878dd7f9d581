//! Output that is one image, as a data URL.

/// A data URL with base64 data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataUrl<'a> {
    /// `image/png` and so on.
    pub media_type: &'a str,
    /// The base64 text; it may hold line breaks.
    pub data: &'a str,
}

/// The image URL that `output` is, if it is nothing else.
#[must_use]
pub fn data_url(output: &str) -> Option<DataUrl<'_>> {
    let rest = output.trim().strip_prefix("data:")?;
    let (head, data) = rest.split_once(',')?;
    let media_type = head.strip_suffix(";base64")?.split(';').next()?;
    let subtype = media_type.strip_prefix("image/")?;
    let named = !subtype.is_empty()
        && subtype
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let coded = !data.is_empty()
        && data
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '\n' | '\r'));
    (named && coded).then_some(DataUrl { media_type, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_url_and_nothing_else() {
        let url = data_url("\n data:image/png;base64,iVBO\nRw0= \n").unwrap();
        assert_eq!((url.media_type, url.data), ("image/png", "iVBO\nRw0="));
        assert_eq!(data_url("x data:image/png;base64,AAAA"), None);
        assert_eq!(data_url("data:image/png;base64,AA AA"), None);
        assert_eq!(data_url("data:text/plain;base64,AAAA"), None);
        assert_eq!(data_url("data:image/svg+xml,<svg/>"), None);
    }
}
