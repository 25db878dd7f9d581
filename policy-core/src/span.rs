//! A stretch of the command text, in UTF-8 bytes.
//!
//! Every node, invocation and reason points into the text that was given. Offsets are bytes of that
//! text, half open, always on character boundaries; JavaScript hosts get UTF-16 offsets instead
//! (`wire` converts).

use serde::{Deserialize, Serialize};

/// `start..end` in bytes of the command text.
///
/// Serialized as the two-element array `[start, end]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end`; offsets past `u32::MAX` saturate (texts are limited long before).
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The text under the span; empty when the span does not lie on character boundaries of `text`.
    #[must_use]
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }

    /// Whether `other` lies wholly inside.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Number of bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether no byte is under it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

impl Serialize for Span {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.start, self.end).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u32, u32)>::deserialize(deserializer).map(|(start, end)| Self { start, end })
    }
}
