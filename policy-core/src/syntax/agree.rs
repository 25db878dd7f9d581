//! Whether the two readers see the same commands in a text.
//!
//! Everything the witness sees must be in our tree at the same place. What only our reader sees is accepted where the witness
//! looked at plain text (a leaf): there ours knows more. Anything else is a disagreement. Known differences of modelling
//! are evened out in `witness` and here, each with its reason.

use alloc::string::String;

use super::{
    ast::Script,
    landmark::{self, Found, Kind, Landmark},
    plain::is_plain,
    reader::Piece,
    witness::{Seen, Testimony, Witness},
};
use crate::{limits::MAX_INVOCATIONS, span::Span};

/// What the comparison gives.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// Nothing speaks against our reading.
    Whole,
    /// The place where they part, and how.
    Parts(Span, String),
    /// The witness would take too long.
    TooLong,
}

/// Compares the readings of all statements; of plain ones there is but one.
pub(super) fn compare(text: &str, script: &Script, pieces: &[Piece]) -> Agreement {
    hear(
        text,
        script,
        pieces
            .iter()
            .filter(|piece| !is_plain(piece.span.slice(text))),
    )
}

/// As [`compare`], and the witness is asked about plain statements too.
#[cfg(test)]
pub(super) fn hear_all(text: &str, script: &Script, pieces: &[Piece]) -> Agreement {
    hear(text, script, pieces.iter())
}

fn hear<'a>(text: &str, script: &Script, pieces: impl Iterator<Item = &'a Piece>) -> Agreement {
    // Made for the first statement that needs it.
    let mut ready = None;
    let mut most = Heard::default();
    for piece in pieces {
        let items = script
            .items
            .get(piece.items.0..piece.items.1)
            .unwrap_or(&[]);
        let ours = landmark::of_items(text, items);
        most.add(&ours.landmarks);
        // More than is reported. (A command may be an assignment or a redirect alone; the second reader takes many of them in one
        // statement quadratic time, and each statement it cannot read its time.)
        if most.any_above(MAX_INVOCATIONS) {
            return Agreement::TooLong;
        }
        let Some(witness) = ready.get_or_insert_with(|| Witness::new(text.len())) else {
            return Agreement::Parts(
                Span::new(0, text.len()),
                "the second reader is not there".into(),
            );
        };
        let seen = match witness.hear(piece.span.slice(text), piece.span.start) {
            Testimony::Silent => continue,
            Testimony::TooLong => return Agreement::TooLong,
            Testimony::Unknown => {
                return Agreement::Parts(
                    piece.span,
                    "the second reader sees syntax that is not known".into(),
                );
            }
            Testimony::Seen(seen) => seen,
        };
        if let Some((at, message)) = difference(text, &ours, &seen) {
            let end = piece.span.end.max(at);
            return Agreement::Parts(Span { start: at, end }, message.into());
        }
    }
    Agreement::Whole
}

/// How much the second reader was given of one text.
#[derive(Default)]
struct Heard {
    statements: usize,
    commands: usize,
    assignments: usize,
    redirects: usize,
}

impl Heard {
    fn add(&mut self, statement: &[Landmark]) {
        self.statements += 1;
        for landmark in statement {
            match landmark.kind {
                Kind::Command => self.commands += 1,
                Kind::Assignment => self.assignments += 1,
                Kind::Redirect => self.redirects += 1,
                Kind::Word | Kind::Body => {}
            }
        }
    }

    fn any_above(&self, limit: usize) -> bool {
        [
            self.statements,
            self.commands,
            self.assignments,
            self.redirects,
        ]
        .iter()
        .any(|count| *count > limit)
    }
}

/// The first landmark that only one reader sees.
fn difference(text: &str, ours: &Found, seen: &Seen) -> Option<(u32, &'static str)> {
    let missing = seen
        .landmarks
        .iter()
        .find(|theirs| !ours.landmarks.contains_sorted(theirs) && !is_alias(text, ours, theirs));
    if let Some(theirs) = missing {
        return Some((theirs.start, describe(theirs.kind, false)));
    }
    let extra = ours.landmarks.iter().find(|mine| {
        !seen.landmarks.contains_sorted(mine)
            && !landmark::lies_inside(mine.start, &seen.leaves)
            && !is_unseen(text, mine, ours)
    })?;
    Some((extra.start, describe(extra.kind, true)))
}

fn describe(kind: Kind, ours: bool) -> &'static str {
    match (kind, ours) {
        (Kind::Command, false) => "the second reader sees a command here",
        (Kind::Word, false) => "the second reader sees an argument here",
        (Kind::Assignment, false) => "the second reader sees an assignment here",
        (Kind::Redirect, false) => "the second reader sees a redirect here",
        (Kind::Body, false) => "the second reader sees another here-document here",
        (Kind::Command, true) => "the second reader sees no command here",
        (Kind::Word, true) => "the second reader sees no argument here",
        (Kind::Assignment, true) => "the second reader sees no assignment here",
        (Kind::Redirect, true) => "the second reader sees no redirect here",
        (Kind::Body, true) => "the second reader sees no here-document here",
    }
}

trait Sorted {
    fn contains_sorted(&self, landmark: &Landmark) -> bool;
}

impl Sorted for [Landmark] {
    fn contains_sorted(&self, landmark: &Landmark) -> bool {
        self.binary_search(landmark).is_ok()
    }
}

/// Differences of modelling where the witness names a place otherwise.
fn is_alias(text: &str, ours: &Found, theirs: &Landmark) -> bool {
    let at = theirs.start;
    let before = text.get(..at as usize).unwrap_or("");
    let after = text.get(at as usize..).unwrap_or("");
    // A continued line inside a word: bash removes it, the grammar begins another word. The same with `$"`.
    let splits = before.ends_with("\\\n") || (before.ends_with('$') && after.starts_with('"'));
    if splits
        && ours
            .joined
            .iter()
            .any(|word| word.start < at && at < word.end)
    {
        return matches!(theirs.kind, Kind::Word | Kind::Command);
    }
    // `"a"\#`: the grammar parts words where no blank and no operator stands; bash never does.
    let joins = before.bytes().last().is_some_and(|byte| {
        !byte.is_ascii_whitespace()
            && !byte.is_ascii_control()
            && !matches!(byte, b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>')
    });
    // `\ b`: it drops the two characters.
    let escaped = before.ends_with("\\ ") || before.ends_with("\\\t");
    if theirs.kind == Kind::Word && (joins || escaped) && landmark::lies_inside(at, &ours.words) {
        return true;
    }
    // `{name}>file`: a word and a redirect to the grammar.
    if let Some(named) = ours
        .named
        .iter()
        .find(|named| named.start <= at && at < named.end)
    {
        return theirs.kind
            == if at == named.start {
                Kind::Word
            } else {
                Kind::Redirect
            };
    }
    // `time`, and a `!` after another, are reserved words to bash and commands to the grammar.
    if ours
        .timed
        .iter()
        .any(|timed| timed.start <= at && at <= timed.end)
    {
        let keyword = after.starts_with("time") || after.starts_with(['!', '}']);
        return theirs.kind == Kind::Word || (theirs.kind == Kind::Command && keyword);
    }
    // `$(( $((1)) ))`: only where nothing in it could part or redirect commands.
    let plain = |span: &Span| {
        !span
            .slice(text)
            .contains([';', '|', '&', '<', '>', '\n', '`', '"', '\'', '\\', '#'])
    };
    ours.nested_arithmetic
        .iter()
        .any(|span| span.start <= at.saturating_add(1) && at < span.end && plain(span))
}

/// Places that the witness's grammar is known to pass over, or names otherwise.
fn is_unseen(text: &str, mine: &Landmark, ours: &Found) -> bool {
    if ours.timed.iter().any(|timed| timed.end == mine.start) {
        return mine.kind == Kind::Command;
    }
    if ours.named.iter().any(|named| named.start == mine.start) {
        return mine.kind == Kind::Redirect;
    }
    // `git commit -F - <<'E'`: the grammar drops a dash that stands before a here-document.
    let rest = text.get(mine.start as usize..).unwrap_or("");
    let dash = rest
        .strip_prefix('-')
        .map(|rest| rest.trim_start_matches([' ', '\t']));
    // A word that begins with an escaped blank: the grammar drops the two characters.
    let escaped_blank = rest.starts_with("\\ ") || rest.starts_with("\\\t");
    mine.kind == Kind::Word
        && (escaped_blank
            || dash.is_some_and(|rest| rest.starts_with("<<") && !rest.starts_with("<<<")))
}
