//! `grammar.bin` to the tables that tree-sitter's parser reads; the build script packs them.
//!
//! Numbers are LEB128. A list is its length and its items; of two-byte items first all low bytes stand, then all high ones, where that is
//! smaller ("split"). What tends to come again is "recent": a byte for its place among the values of the same kind, last used first, or
//! 0, and then it stands in a list of new values. Like stands by like: the large table is recent by its columns. A row of the small
//! table is a template (which groups of symbols have a common action or successor) and for each group what it is, recent by
//! the first symbol of the group, whose places stand together. New actions come in the order of their numbers, so a new one
//! is told from the largest so far. The lexer's state is recent by the template, that of the scanner by the lexer's. Action lists
//! are a shape, and the states and reductions that fill the shapes.

use alloc::{vec, vec::Vec};
use core::{
    ffi::{c_char, c_void},
    ptr,
};

use crate::{
    lexer::{self, Table},
    raw::{Action, Language, Lexer, Scanner},
};

// Of the package `tree-sitter-bash` the scanner alone is linked: its crate would bring the standard library.
#[link(name = "tree-sitter-bash", kind = "static")]
unsafe extern "C" {
    fn tree_sitter_bash_external_scanner_create() -> *mut c_void;
    fn tree_sitter_bash_external_scanner_destroy(payload: *mut c_void);
    fn tree_sitter_bash_external_scanner_scan(
        payload: *mut c_void,
        lexer: *mut Lexer,
        wanted: *const u8,
    ) -> bool;
    fn tree_sitter_bash_external_scanner_serialize(payload: *mut c_void, to: *mut c_char) -> u32;
    fn tree_sitter_bash_external_scanner_deserialize(
        payload: *mut c_void,
        from: *const c_char,
        length: u32,
    );
}

/// A language and the tables its pointers point into.
pub(crate) struct Unpacked {
    pub(crate) language: Language,
    pub(crate) lexer: Table,
    pub(crate) keywords: Table,
    _tables: Tables,
}

// SAFETY: nothing in it changes once it is made.
unsafe impl Sync for Unpacked {}

/// What the language points into. Moving it moves no table.
struct Tables {
    _bytes: Vec<Vec<u8>>,
    _words: Vec<Vec<u16>>,
    _map: Vec<u32>,
    _actions: Vec<Action>,
    _names: Vec<Vec<*const c_char>>,
}

/// A place in the packed bytes.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn number(&mut self) -> Option<usize> {
        let mut value = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u16> {
        self.number()?.try_into().ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.number()?;
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn words(&mut self) -> Option<Vec<u16>> {
        let bytes = self.bytes()?;
        let (words, _) = bytes.as_chunks::<2>();
        Some(words.iter().map(|word| u16::from_le_bytes(*word)).collect())
    }

    fn split(&mut self) -> Option<Vec<u16>> {
        let bytes = self.bytes()?;
        let (low, high) = bytes.split_at(bytes.len() / 2);
        let both = low.iter().zip(high);
        Some(
            both.map(|(low, high)| u16::from_le_bytes([*low, *high]))
                .collect(),
        )
    }

    /// Values that tend to come again, by the kind of each.
    fn recent(&mut self, kinds: &mut dyn Iterator<Item = usize>) -> Option<Vec<u16>> {
        let mut places = self.bytes()?.iter();
        let mut fresh = self.split()?.into_iter();
        let mut recent = Recent::default();
        kinds
            .map(|kind| recent.value(kind, *places.next()?, || fresh.next()))
            .collect()
    }

    /// Lists of numbers, each of which is told by its distance to the one before (both ways: zigzag).
    fn lists(&mut self) -> Option<Vec<Vec<u16>>> {
        let count = self.number()?;
        let mut lists = Vec::with_capacity(count);
        for _ in 0..count {
            let mut before = 0;
            let mut list = Vec::new();
            for _ in 0..self.number()? {
                before = unzigzag(self.small()?).wrapping_add(before);
                list.push(before);
            }
            lists.push(list);
        }
        Some(lists)
    }
}

const fn unzigzag(value: u16) -> u16 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// All numbers and tables, in the order in which they stand.
pub(crate) fn unpack(bytes: &'static [u8]) -> Option<Unpacked> {
    let mut reader = Reader(bytes);
    let mut numbers = [0_u32; 16];
    for number in &mut numbers {
        *number = reader.number()?.try_into().ok()?;
    }
    let [
        abi_version,
        symbol_count,
        alias_count,
        token_count,
        external_token_count,
        state_count,
        large_state_count,
        production_id_count,
        field_count,
        aliases,
        keyword,
        reserved,
        supertype_count,
        major,
        minor,
        patch,
    ] = numbers;
    let mut symbol_names = names(reader.bytes()?);
    let mut field_names = names(reader.bytes()?);
    field_names.insert(0, ptr::null());
    let symbol_metadata = reader.bytes()?.to_vec();
    let field_map_entries = reader.bytes()?.to_vec();
    let scanner_states = reader.bytes()?.to_vec();
    let public_symbol_map = reader.words()?;
    let field_map_slices = reader.words()?;
    let alias_map = reader.words()?;
    let alias_sequences = reader.words()?;
    let scanner_symbols = reader.words()?;
    let supertype_symbols = reader.words()?;
    let supertype_map_slices = reader.words()?;
    let supertype_map_entries = reader.words()?;
    // Which states are alike only spares queries some work, and takes 8 KB: here each state is like itself alone.
    let primary_state_ids: Vec<u16> = (0..u16::try_from(state_count).ok()?).collect();
    let parse_table = large_table(&mut reader, &numbers)?;
    let (small_parse_table, map, rows) = small_table(&mut reader, &parse_table, &numbers)?;
    // The large states have no template: they count as one of their own.
    let large = core::iter::repeat_n(0, large_state_count as usize);
    let mut kinds = large.chain(rows.iter().map(|row| usize::from(*row) + 1));
    let lex = reader.recent(&mut kinds)?;
    let external = reader.recent(&mut lex.iter().map(|lex| usize::from(*lex)))?;
    let lex_modes: Vec<u16> = lex
        .iter()
        .zip(&external)
        .flat_map(|(lex, external)| [*lex, *external, 0])
        .collect();
    let parse_actions = actions(&mut reader)?;
    let lexer = Table::unpack(&mut reader)?;
    let keywords = Table::unpack(&mut reader)?;
    let language = Language {
        abi_version,
        symbol_count,
        alias_count,
        token_count,
        external_token_count,
        state_count,
        large_state_count,
        production_id_count,
        field_count,
        max_alias_sequence_length: aliases.try_into().ok()?,
        parse_table: parse_table.as_ptr(),
        small_parse_table: small_parse_table.as_ptr(),
        small_parse_table_map: map.as_ptr(),
        parse_actions: parse_actions.as_ptr(),
        symbol_names: symbol_names.as_mut_ptr(),
        field_names: field_names.as_mut_ptr(),
        field_map_slices: field_map_slices.as_ptr().cast(),
        field_map_entries: field_map_entries.as_ptr().cast(),
        symbol_metadata: symbol_metadata.as_ptr().cast(),
        public_symbol_map: public_symbol_map.as_ptr(),
        alias_map: alias_map.as_ptr(),
        alias_sequences: alias_sequences.as_ptr(),
        lex_modes: lex_modes.as_ptr().cast(),
        lex_fn: lexer::lex,
        keyword_lex_fn: lexer::lex_keywords,
        keyword_capture_token: keyword.try_into().ok()?,
        external_scanner: Scanner {
            states: scanner_states.as_ptr(),
            symbol_map: scanner_symbols.as_ptr(),
            create: tree_sitter_bash_external_scanner_create,
            destroy: tree_sitter_bash_external_scanner_destroy,
            scan: tree_sitter_bash_external_scanner_scan,
            serialize: tree_sitter_bash_external_scanner_serialize,
            deserialize: tree_sitter_bash_external_scanner_deserialize,
        },
        primary_state_ids: primary_state_ids.as_ptr(),
        name: c"bash".as_ptr(),
        reserved_words: ptr::null(),
        max_reserved_word_set_size: reserved.try_into().ok()?,
        supertype_count,
        supertype_symbols: supertype_symbols.as_ptr(),
        supertype_map_slices: supertype_map_slices.as_ptr().cast(),
        supertype_map_entries: supertype_map_entries.as_ptr(),
        metadata: [major, minor, patch].map(|part| u8::try_from(part).unwrap_or(0)),
    };
    Some(Unpacked {
        language,
        lexer,
        keywords,
        _tables: Tables {
            _bytes: vec![symbol_metadata, field_map_entries, scanner_states],
            _words: vec![
                public_symbol_map,
                field_map_slices,
                alias_map,
                alias_sequences,
                scanner_symbols,
                supertype_symbols,
                supertype_map_slices,
                supertype_map_entries,
                lex_modes,
                primary_state_ids,
                parse_table,
                small_parse_table,
            ],
            _map: map,
            _actions: parse_actions,
            _names: vec![symbol_names, field_names],
        },
    })
}

/// Pointers to names that stand one after another, each with a zero byte at its end.
fn names(all: &'static [u8]) -> Vec<*const c_char> {
    all.split_inclusive(|byte| *byte == 0)
        .map(|name| name.as_ptr().cast())
        .collect()
}

/// The values of each kind, last used last: what is used most is found and moved soonest.
#[derive(Default)]
struct Recent(Vec<Vec<u16>>);

impl Recent {
    /// The value at a place, or for place 0 a fresh one.
    fn value(
        &mut self,
        kind: usize,
        place: u8,
        fresh: impl FnOnce() -> Option<u16>,
    ) -> Option<u16> {
        if kind >= self.0.len() {
            self.0.resize(kind + 1, Vec::new());
        }
        let used = self.0.get_mut(kind)?;
        let value = match used.len().checked_sub(usize::from(place))? {
            at if at < used.len() => used.remove(at),
            _ => fresh()?,
        };
        used.push(value);
        Some(value)
    }
}

/// The rows of the large states.
fn large_table(reader: &mut Reader<'_>, numbers: &[u32; 16]) -> Option<Vec<u16>> {
    let [_, symbols, _, _, _, _, large, ..] = numbers.map(|number| number as usize);
    let columns = reader.recent(&mut (0..symbols * large).map(|at| at / large))?;
    let mut table = vec![0; columns.len()];
    for (at, value) in columns.into_iter().enumerate() {
        *table.get_mut(at % large * symbols + at / large)? = value;
    }
    Some(table)
}

/// The rows of the small states, where each begins, and the template of each.
fn small_table(
    reader: &mut Reader<'_>,
    large: &[u16],
    numbers: &[u32; 16],
) -> Option<(Vec<u16>, Vec<u32>, Vec<u16>)> {
    let [_, symbols, _, tokens, ..] = numbers.map(|number| number as usize);
    let groups = reader.lists()?;
    let templates = reader.lists()?;
    let mut next_row = 0;
    let mut rows = reader.split()?;
    // 0 is a template that is new, else how far before the next new one it is.
    for row in &mut rows {
        *row = u16::checked_sub(next_row, *row)?;
        next_row = next_row.max(*row + 1);
    }
    let mut places = Vec::with_capacity(symbols);
    for _ in 0..symbols {
        places.push(reader.bytes()?.iter());
    }
    let mut new_actions = reader.split()?.into_iter();
    let mut new_states = reader.split()?.into_iter();
    // The largest action so far, and the last new state.
    let mut largest = large
        .chunks(symbols)
        .flat_map(|row| row.iter().take(tokens))
        .max()
        .copied()?;
    let mut state = 0_u16;
    let mut recent = Recent::default();
    let mut table = Vec::new();
    let mut map = Vec::with_capacity(rows.len());
    for row in &rows {
        map.push(u32::try_from(table.len()).ok()?);
        let template = templates.get(usize::from(*row))?;
        table.push(u16::try_from(template.len()).ok()?);
        for &group in template {
            let group = groups.get(usize::from(group))?;
            let first = usize::from(*group.first()?);
            let place = *places.get_mut(first)?.next()?;
            let value = recent.value(first, place, || {
                if first < tokens {
                    let value = unzigzag(new_actions.next()?).wrapping_add(largest);
                    largest = largest.max(value);
                    Some(value)
                } else {
                    state = unzigzag(new_states.next()?).wrapping_add(state);
                    Some(state)
                }
            })?;
            table.extend([value, u16::try_from(group.len()).ok()?]);
            table.extend(group);
        }
    }
    Some((table, map, rows))
}

/// The lists of actions.
fn actions(reader: &mut Reader<'_>) -> Option<Vec<Action>> {
    let count = reader.number()?;
    let mut shapes = Vec::with_capacity(count);
    for _ in 0..count {
        shapes.push(reader.bytes()?);
    }
    let lists = reader.bytes()?;
    let mut targets = reader.split()?.into_iter();
    let (reductions, _) = reader.bytes()?.as_chunks::<8>();
    let mut reduced = reader.split()?.into_iter();
    let mut table = Vec::new();
    for &shape in lists {
        let (&reusable, kinds) = shapes.get(usize::from(shape))?.split_first()?;
        let count = u8::try_from(kinds.len()).ok()?;
        table.push(Action([count, reusable, 0, 0, 0, 0, 0, 0]));
        for kind in kinds {
            table.push(Action(match kind {
                0 | 1 => {
                    let [low, high] = targets.next()?.to_le_bytes();
                    [0, 0, low, high, 0, *kind, 0, 0]
                }
                2 => [0, 0, 0, 0, 1, 0, 0, 0],
                3 => *reductions.get(usize::from(reduced.next()?))?,
                kind => [*kind - 2, 0, 0, 0, 0, 0, 0, 0],
            }));
        }
    }
    Some(table)
}
