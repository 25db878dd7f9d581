//! UTF-8 byte offsets to UTF-16 code units, for JavaScript.

use alloc::vec::Vec;

use super::{
    Verdict,
    report::{Explanation, ParseReport, RedirectReport},
};
use crate::span::Span;

/// Converts spans of one text.
pub struct Utf16 {
    /// (byte offset, how much smaller the UTF-16 offset is) after each character that is not ASCII.
    steps: Vec<(u32, u32)>,
}

impl Utf16 {
    /// For the spans of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut steps = Vec::new();
        let mut less = 0u32;
        for (at, each) in text.char_indices() {
            let (bytes, units) = (each.len_utf8(), each.len_utf16());
            if bytes != units {
                less += u32::try_from(bytes - units).unwrap_or(0);
                steps.push((u32::try_from(at + bytes).unwrap_or(u32::MAX), less));
            }
        }
        Self { steps }
    }

    /// The same stretch in UTF-16 code units.
    #[must_use]
    pub fn span(&self, span: Span) -> Span {
        Span {
            start: self.offset(span.start),
            end: self.offset(span.end),
        }
    }

    fn offset(&self, byte: u32) -> u32 {
        let passed = self.steps.partition_point(|(after, _)| *after <= byte);
        let less = passed
            .checked_sub(1)
            .and_then(|at| self.steps.get(at))
            .map_or(0, |(_, less)| *less);
        byte.saturating_sub(less)
    }
}

impl Verdict {
    /// Turns every span into UTF-16 offsets of `text`, which must be the command that was judged.
    pub fn spans_to_utf16(&mut self, text: &str) {
        let to = Utf16::new(text);
        self.reason.span = to.span(self.reason.span);
        for command in &mut self.commands {
            command.span = to.span(command.span);
            command.reason.span = to.span(command.reason.span);
        }
    }
}

impl Explanation {
    /// Turns every span into UTF-16 offsets of its command.
    pub fn spans_to_utf16(&mut self) {
        let to = Utf16::new(&self.command);
        self.reason.span = to.span(self.reason.span);
        for part in &mut self.spans {
            part.span = to.span(part.span);
            part.reason.span = to.span(part.reason.span);
        }
    }
}

impl ParseReport {
    /// Turns every span into UTF-16 offsets of `text`, which must be the command that was read.
    pub fn spans_to_utf16(&mut self, text: &str) {
        let to = Utf16::new(text);
        let redirect = |each: &mut RedirectReport| {
            each.span = to.span(each.span);
            if let Some(target) = &mut each.target {
                target.span = to.span(target.span);
            }
        };
        if let Some(fault) = &mut self.fault {
            fault.span = to.span(fault.span);
        }
        for invocation in &mut self.invocations {
            invocation.span = to.span(invocation.span);
            for word in &mut invocation.argv {
                word.span = to.span(word.span);
            }
            for assignment in &mut invocation.assignments {
                assignment.value.span = to.span(assignment.value.span);
            }
            invocation.redirects.iter_mut().for_each(redirect);
        }
        self.redirects.iter_mut().for_each(redirect);
        for hazard in &mut self.hazards {
            hazard.span = to.span(hazard.span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_code_units() {
        let text = "aé€😀b";
        let to = Utf16::new(text);
        for (at, _) in text.char_indices() {
            let head = text.get(..at).unwrap_or_default();
            let span = to.span(Span::new(at, text.len()));
            assert_eq!(span.start as usize, head.encode_utf16().count());
            assert_eq!(span.end as usize, text.encode_utf16().count());
        }
    }
}
