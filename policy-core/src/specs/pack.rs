//! A checked spec to its packed form, which `packed` describes and reads.
//!
//! Used by the build script for the built-in specs (all in one, so that they share equal parts) and at run time
//! for each of a user's own.

use alloc::vec::Vec;

use super::{
    draft::{Flag, Form, Operand, Spec},
    packed::{
        ALLOWED, ANY_FLAGS, EFFECTS, GRAMMARS, KINDS, OPERANDS, READ_ONLY, RUNS, VALUES, WRAPPER,
    },
};
use crate::sorted::Map;

/// Packed specs, as they are written.
#[derive(Default)]
pub struct Packer {
    /// What was written so far.
    pub bytes: Vec<u8>,
    /// Where a block of these bytes stands.
    known: Map<Vec<u8>, usize>,
}

impl Packer {
    /// Writes a spec and returns where it begins.
    pub fn spec(&mut self, spec: &Spec) -> usize {
        // Blocks that may be shared are written outside of the spec: inside, their place would not be known yet.
        let globals = self.flags(&spec.globals);
        let root = self.form(&spec.root);
        let mut subs = Vec::new();
        for sub in &spec.subs {
            text(&mut subs, &sub.words);
            number(&mut subs, self.form(&sub.form) * 2 + 1);
        }
        let mut body = Vec::new();
        text(&mut body, &spec.name);
        texts(&mut body, &spec.aliases);
        body.push(u8::from(spec.globals_anywhere));
        number(&mut body, globals * 2 + 1);
        number(&mut body, root * 2 + 1);
        block(&mut body, &subs);
        let at = self.bytes.len();
        block(&mut self.bytes, &body);
        at
    }

    /// Writes a block, unless it stands there already; returns its place.
    fn shared(&mut self, body: Vec<u8>) -> usize {
        let at = self.bytes.len();
        if let Some(&known) = self.known.get(&body) {
            return known;
        }
        block(&mut self.bytes, &body);
        self.known.insert(body, at);
        at
    }

    fn flags(&mut self, flags: &[Flag]) -> usize {
        let mut body = Vec::new();
        for flag in flags {
            let effect = flag.effect.map_or(0, |effect| index(EFFECTS, &effect) + 1);
            let listed = if flag.allowed.is_empty() { 0 } else { ALLOWED };
            body.push(index(VALUES, &flag.value) | effect << 4 | listed);
            text(&mut body, &flag.names);
            if listed != 0 {
                text(&mut body, &flag.allowed);
            }
        }
        self.shared(body)
    }

    fn form(&mut self, form: &Form) -> usize {
        let flags = self.flags(&form.flags);
        let mut body = Vec::new();
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        body.push(
            index(KINDS, &form.kind)
                | bit(form.read_only, READ_ONLY)
                | bit(form.any_flags, ANY_FLAGS)
                | bit(form.wrapper.is_some(), WRAPPER),
        );
        if let Some(wrapper) = &form.wrapper {
            body.extend([
                wrapper.skip,
                u8::from(wrapper.assignments),
                index(RUNS, &wrapper.runs),
                u8::from(wrapper.privileged),
            ]);
        }
        body.push(index(GRAMMARS, &form.grammar));
        let effects: Vec<u8> = form
            .effects
            .iter()
            .map(|effect| index(EFFECTS, effect))
            .collect();
        block(&mut body, &effects);
        number(&mut body, flags * 2 + 1);
        let mut kinds = Vec::new();
        for kind in &form.operands.kinds {
            operand(&mut kinds, kind);
        }
        block(&mut body, &kinds);
        body.push(form.operands.repeat.map_or(0, |repeat| repeat + 1));
        body.push(form.operands.min);
        text(&mut body, &form.operands.dropped_by);
        text(&mut body, &form.operands.only_with);
        text(&mut body, &form.info);
        text(&mut body, form.check.as_deref().unwrap_or_default());
        self.shared(body)
    }
}

/// The notes of a spec; those of all specs stand one after another.
pub fn notes(bytes: &mut Vec<u8>, spec: &Spec) {
    text(bytes, &spec.summary);
    text(bytes, &spec.manual);
    texts(bytes, &spec.examples_read_only);
    texts(bytes, &spec.examples_not_read_only);
}

fn operand(bytes: &mut Vec<u8>, kind: &Operand) {
    let plain = |at: u8| (at, "");
    let (at, words) = match kind {
        Operand::Text => plain(0),
        Operand::Read => plain(1),
        Operand::Write => plain(2),
        Operand::Delete => plain(3),
        Operand::Host => plain(4),
        Operand::Assignment => plain(5),
        Operand::OneOf(words) => (u8::try_from(OPERANDS.len()).unwrap_or(u8::MAX), &**words),
    };
    bytes.push(at);
    if !words.is_empty() {
        text(bytes, words);
    }
}

/// The place of an enum's value in the list of all; each is in its list.
fn index<T: PartialEq>(all: &[T], wanted: &T) -> u8 {
    let at = all.iter().position(|each| each == wanted);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

/// LEB128.
pub fn number(bytes: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or(0);
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

/// A length and the bytes.
pub fn text(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

fn texts(bytes: &mut Vec<u8>, all: &[alloc::string::String]) {
    let mut body = Vec::new();
    for each in all {
        text(&mut body, each);
    }
    block(bytes, &body);
}

fn block(bytes: &mut Vec<u8>, body: &[u8]) {
    number(bytes, body.len() * 2);
    bytes.extend_from_slice(body);
}
