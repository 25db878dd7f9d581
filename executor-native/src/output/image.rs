//! Output that is exactly one image, as a data URL, becomes an image block; scaled if it is large.
//!
//! What cannot be decoded is passed on as it is when its header is that of the type it claims, else it stays text.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use policy_core::outcome::data_url;
use serde::Serialize;

/// The most that is read for one image.
pub const IMAGE_MOST: usize = 20 * 1024 * 1024;
/// The longer side after scaling, in pixels.
#[cfg(feature = "images")]
const SIDE_MOST: u32 = 2_000;
/// Larger images are not decoded: memory.
#[cfg(feature = "images")]
const DECODED_MOST: u64 = 256 * 1024 * 1024;

/// An image for a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// `image/png` and so on.
    pub media_type: String,
    /// The bytes, in base64.
    pub data: String,
}

/// The image that `output` is, if it is one.
pub fn image_block(output: &[u8]) -> Option<Image> {
    let text = std::str::from_utf8(output).ok()?;
    let url = data_url(text)?;
    let compact: String = url
        .data
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .collect();
    let bytes = STANDARD.decode(compact.as_bytes()).ok()?;
    if !has_header(url.media_type, &bytes) {
        return None;
    }
    let original = || Image {
        media_type: url.media_type.to_owned(),
        data: compact.clone(),
    };
    Some(scaled(url.media_type, &bytes).unwrap_or_else(original))
}

fn has_header(media_type: &str, bytes: &[u8]) -> bool {
    match media_type {
        "image/png" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" | "image/jpg" => bytes.starts_with(b"\xff\xd8\xff"),
        "image/gif" => bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a"),
        "image/webp" => bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"),
        _ => false,
    }
}

#[cfg(not(feature = "images"))]
fn scaled(_media_type: &str, _bytes: &[u8]) -> Option<Image> {
    None
}

/// The image at most [`SIDE_MOST`] wide and high; `None` when it is small enough, or cannot be decoded.
#[cfg(feature = "images")]
fn scaled(media_type: &str, bytes: &[u8]) -> Option<Image> {
    use image::{DynamicImage, ImageFormat, ImageReader, Limits};
    let format = ImageFormat::from_mime_type(media_type)?;
    let (width, height) = ImageReader::with_format(std::io::Cursor::new(bytes), format)
        .into_dimensions()
        .ok()?;
    if width <= SIDE_MOST && height <= SIDE_MOST {
        return None;
    }
    let mut reader = ImageReader::with_format(std::io::Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODED_MOST);
    reader.limits(limits);
    let small: DynamicImage = reader.decode().ok()?.thumbnail(SIDE_MOST, SIDE_MOST);
    let mut out = std::io::Cursor::new(Vec::new());
    let (format, media_type) = match format {
        ImageFormat::Jpeg => (ImageFormat::Jpeg, "image/jpeg"),
        _ => (ImageFormat::Png, "image/png"),
    };
    small.write_to(&mut out, format).ok()?;
    Some(Image {
        media_type: media_type.to_owned(),
        data: STANDARD.encode(out.into_inner()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    #[test]
    fn d20_one_image_is_an_image_and_other_text_is_not() {
        let image = image_block(format!("data:image/png;base64,{PIXEL}\n").as_bytes()).unwrap();
        assert_eq!(image.media_type, "image/png");
        assert_eq!(image.data, PIXEL);
        assert!(image_block(format!("see data:image/png;base64,{PIXEL}").as_bytes()).is_none());
        assert!(image_block(b"data:image/png;base64,AAAA").is_none());
        assert!(image_block(format!("data:image/jpeg;base64,{PIXEL}").as_bytes()).is_none());
        assert!(image_block(b"data:text/html;base64,AAAA").is_none());
    }

    #[cfg(feature = "images")]
    #[test]
    fn large_images_are_scaled() {
        let mut png = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(3_000, 10)
            .write_to(&mut png, image::ImageFormat::Png)
            .unwrap();
        let url = format!(
            "data:image/png;base64,{}",
            STANDARD.encode(png.into_inner())
        );
        let image = image_block(url.as_bytes()).unwrap();
        let bytes = STANDARD.decode(image.data).unwrap();
        let (width, _) =
            image::ImageReader::with_format(std::io::Cursor::new(bytes), image::ImageFormat::Png)
                .into_dimensions()
                .unwrap();
        assert_eq!(width, 2_000);
    }
}
