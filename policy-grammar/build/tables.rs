//! The tables of a language as slices: for the build script, which packs them, and for the test, which compares them.

use alloc::vec::Vec;
use core::{
    ffi::{CStr, c_char},
    slice,
};

use crate::raw::{Action, Language};

/// The tables of a language, but for those that only queries look at (`primary_state_ids`).
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Tables<'a> {
    /// ABI, symbols, aliases, tokens, external tokens, states, large states, productions, fields, longest alias sequence, keyword
    /// token, largest reserved set, supertypes, version (three).
    pub(crate) numbers: [u32; 16],
    pub(crate) parse_table: &'a [u16],
    pub(crate) small_parse_table: &'a [u16],
    pub(crate) small_parse_table_map: &'a [u32],
    pub(crate) parse_actions: &'a [Action],
    pub(crate) symbol_names: Vec<&'a CStr>,
    /// Without the first, which is none.
    pub(crate) field_names: Vec<&'a CStr>,
    pub(crate) field_map_slices: &'a [[u16; 2]],
    pub(crate) field_map_entries: &'a [[u8; 4]],
    pub(crate) symbol_metadata: &'a [[u8; 3]],
    pub(crate) public_symbol_map: &'a [u16],
    pub(crate) alias_map: &'a [u16],
    pub(crate) alias_sequences: &'a [u16],
    pub(crate) lex_modes: &'a [[u16; 3]],
    pub(crate) scanner_states: &'a [u8],
    pub(crate) scanner_symbols: &'a [u16],
    pub(crate) supertype_symbols: &'a [u16],
    pub(crate) supertype_map_slices: &'a [[u16; 2]],
    pub(crate) supertype_map_entries: &'a [u16],
}

/// The tables of a language of ABI 15 without reserved words.
///
/// # Safety
/// `language` comes from tree-sitter's generator, or is laid out likewise, and lives for ever.
///
/// # Panics
/// When a count does not fit the machine's memory.
#[must_use]
pub(crate) unsafe fn tables(language: &'static Language) -> Tables<'static> {
    let l = language;
    let [symbols, states, large, productions] = [
        l.symbol_count,
        l.state_count,
        l.large_state_count,
        l.production_id_count,
    ]
    .map(|count| count as usize);
    // SAFETY (all blocks below): each table is as long as the generator makes it.
    let at = |table: *const u16, count| unsafe { slice::from_raw_parts(table, count) };
    let parse_table = at(l.parse_table, large * symbols);
    let map = unsafe { slice::from_raw_parts(l.small_parse_table_map, states - large) };
    let mut small = 0;
    let mut actions = parse_table
        .chunks(symbols)
        .flat_map(|row| row.iter().take(l.token_count as usize))
        .max()
        .map_or(0, |last| usize::from(*last));
    for &start in map {
        let mut end = start as usize + 1;
        let word = |index: usize| usize::from(unsafe { *l.small_parse_table.add(index) });
        for _ in 0..word(start as usize) {
            if word(end + 2) < l.token_count as usize {
                actions = actions.max(word(end));
            }
            end += 2 + word(end + 1);
        }
        small = small.max(end);
    }
    let last = unsafe { *l.parse_actions.add(actions) };
    let slices = unsafe { slice::from_raw_parts(l.field_map_slices, productions) };
    let reach = |slices: &[[u16; 2]]| {
        let ends = slices
            .iter()
            .map(|&[at, count]| usize::from(at) + usize::from(count));
        ends.max().unwrap_or(0)
    };
    let names = |table: *const *const c_char, from: usize, to: usize| {
        (from..to)
            .map(|index| unsafe { CStr::from_ptr(*table.add(index)) })
            .collect()
    };
    let mut aliases = 0;
    while at(l.alias_map, aliases + 1)[aliases] != 0 {
        aliases += 2 + usize::from(at(l.alias_map, aliases + 2)[aliases + 1]);
    }
    let scanner = &l.external_scanner;
    let external = l.external_token_count as usize;
    let modes = unsafe { slice::from_raw_parts(l.lex_modes, states) };
    let scanner_states = modes
        .iter()
        .map(|mode| usize::from(mode[1]) + 1)
        .max()
        .unwrap_or(0);
    let supertypes = at(l.supertype_symbols, l.supertype_count as usize);
    let super_slices = supertypes
        .iter()
        .max()
        .map_or(0, |last| usize::from(*last) + 1);
    let super_slices = unsafe { slice::from_raw_parts(l.supertype_map_slices, super_slices) };
    let [major, minor, patch] = l.metadata.map(u32::from);
    Tables {
        numbers: [
            l.abi_version,
            l.symbol_count,
            l.alias_count,
            l.token_count,
            l.external_token_count,
            l.state_count,
            l.large_state_count,
            l.production_id_count,
            l.field_count,
            l.max_alias_sequence_length.into(),
            l.keyword_capture_token.into(),
            l.max_reserved_word_set_size.into(),
            l.supertype_count,
            major,
            minor,
            patch,
        ],
        parse_table,
        small_parse_table: at(l.small_parse_table, small),
        small_parse_table_map: map,
        parse_actions: unsafe {
            slice::from_raw_parts(l.parse_actions, actions + 1 + usize::from(last.0[0]))
        },
        symbol_names: names(l.symbol_names, 0, symbols),
        field_names: names(l.field_names, 1, l.field_count as usize + 1),
        field_map_slices: slices,
        field_map_entries: unsafe { slice::from_raw_parts(l.field_map_entries, reach(slices)) },
        symbol_metadata: unsafe { slice::from_raw_parts(l.symbol_metadata, symbols) },
        public_symbol_map: at(l.public_symbol_map, symbols),
        alias_map: at(l.alias_map, aliases + 1),
        alias_sequences: at(
            l.alias_sequences,
            productions * usize::from(l.max_alias_sequence_length),
        ),
        lex_modes: modes,
        scanner_states: unsafe { slice::from_raw_parts(scanner.states, scanner_states * external) },
        scanner_symbols: at(scanner.symbol_map, external),
        supertype_symbols: supertypes,
        supertype_map_slices: super_slices,
        supertype_map_entries: at(l.supertype_map_entries, reach(super_slices)),
    }
}
