//! The lexers of the grammar as tables: what tree-sitter generates as two functions of 16,000 lines.
//!
//! A state may accept a token, and has for stretches of characters the state that follows. A character counts one more than its
//! code point, so that 0 is what tree-sitter makes of bytes that are no text.

use alloc::vec::Vec;

use crate::{
    raw,
    unpack::{Reader, Unpacked},
    unpacked,
};

/// No token, or no next state.
const NONE: u16 = u16::MAX;

#[derive(Debug)]
pub(crate) struct Table {
    states: Vec<State>,
    stretches: Vec<Stretch>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// The token it accepts.
    accepts: u16,
    /// The end of the text: 0 where it counts as the character 0, 1 where the lexer stops, else two more than a step.
    end: u16,
    /// Its stretches: from here to where those of the next begin.
    from: u32,
}

#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: u32,
    last: u32,
    /// Twice the next state, and one more when the character is skipped.
    step: u16,
}

impl Table {
    pub(crate) fn unpack(reader: &mut Reader<'_>) -> Option<Self> {
        let count = reader.number()?;
        let mut states = Vec::with_capacity(count);
        let mut stretches = Vec::new();
        for _ in 0..count {
            states.push(State {
                accepts: u16::try_from(reader.number()?).ok()?.wrapping_sub(1),
                end: u16::try_from(reader.number()?).ok()?,
                from: u32::try_from(stretches.len()).ok()?,
            });
            let mut next = 0;
            for _ in 0..reader.number()? {
                let first = next + u32::try_from(reader.number()?).ok()?;
                let last = first + u32::try_from(reader.number()?).ok()?;
                let step = u16::try_from(reader.number()?).ok()?;
                stretches.push(Stretch { first, last, step });
                next = last + 1;
            }
        }
        Some(Self { states, stretches })
    }

    fn step(&self, state: usize, character: i32) -> u16 {
        let from = self
            .states
            .get(state)
            .map_or(0, |state| state.from as usize);
        let to = self.states.get(state + 1).map(|next| next.from as usize);
        let all = self
            .stretches
            .get(from..to.unwrap_or(self.stretches.len()))
            .unwrap_or_default();
        let character = character.wrapping_add(1).cast_unsigned();
        let at = all.partition_point(|stretch| stretch.last < character);
        match all.get(at) {
            Some(stretch) if stretch.first <= character => stretch.step,
            _ => NONE,
        }
    }
}

/// Runs a lexer from `state`.
///
/// # Safety
/// `text` is a lexer of tree-sitter's.
unsafe fn run(table: &Table, text: *mut raw::Lexer, state: u16) -> bool {
    let mut state = usize::from(state);
    let mut accepted = false;
    while let Some(here) = table.states.get(state) {
        // SAFETY: by the contract; the calls are those of the generated lexer.
        unsafe {
            if here.accepts != NONE {
                accepted = true;
                (*text).result_symbol = here.accepts;
                ((*text).mark_end)(text);
            }
            let step = if here.end > 0 && ((*text).eof)(text) {
                here.end.checked_sub(2).unwrap_or(NONE)
            } else {
                table.step(state, (*text).lookahead)
            };
            if step == NONE {
                break;
            }
            ((*text).advance)(text, step & 1 == 1);
            state = usize::from(step >> 1);
        }
    }
    accepted
}

fn table(which: impl Fn(&'static Unpacked) -> &'static Table) -> Option<&'static Table> {
    unpacked().map(which)
}

/// # Safety
/// As [`run`].
pub(crate) unsafe extern "C" fn lex(text: *mut raw::Lexer, state: u16) -> bool {
    // SAFETY: passed on.
    table(|all| &all.lexer).is_some_and(|table| unsafe { run(table, text, state) })
}

/// # Safety
/// As [`run`].
pub(crate) unsafe extern "C" fn lex_keywords(text: *mut raw::Lexer, state: u16) -> bool {
    // SAFETY: passed on.
    table(|all| &all.keywords).is_some_and(|table| unsafe { run(table, text, state) })
}
