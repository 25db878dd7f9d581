//! A language as tree-sitter lays it out in memory (`tree_sitter/parser.h`, ABI 15), and its tables as slices.

use core::{
    ffi::{CStr, c_char, c_void},
    slice,
};

/// What tree-sitter's parser reads.
#[repr(C)]
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are tree-sitter's")]
pub struct Language {
    pub abi_version: u32,
    pub symbol_count: u32,
    pub alias_count: u32,
    pub token_count: u32,
    pub external_token_count: u32,
    pub state_count: u32,
    pub large_state_count: u32,
    pub production_id_count: u32,
    pub field_count: u32,
    pub max_alias_sequence_length: u16,
    pub parse_table: *const u16,
    pub small_parse_table: *const u16,
    pub small_parse_table_map: *const u32,
    pub parse_actions: *const Action,
    pub symbol_names: *const *const c_char,
    pub field_names: *const *const c_char,
    pub field_map_slices: *const [u16; 2],
    pub field_map_entries: *const [u8; 4],
    pub symbol_metadata: *const [u8; 3],
    pub public_symbol_map: *const u16,
    pub alias_map: *const u16,
    pub alias_sequences: *const u16,
    pub lex_modes: *const [u16; 3],
    pub lex_fn: unsafe extern "C" fn(*mut Lexer, u16) -> bool,
    pub keyword_lex_fn: unsafe extern "C" fn(*mut Lexer, u16) -> bool,
    pub keyword_capture_token: u16,
    pub external_scanner: Scanner,
    pub primary_state_ids: *const u16,
    pub name: *const c_char,
    pub reserved_words: *const u16,
    pub max_reserved_word_set_size: u16,
    pub supertype_count: u32,
    pub supertype_symbols: *const u16,
    pub supertype_map_slices: *const [u16; 2],
    pub supertype_map_entries: *const u16,
    pub metadata: [u8; 3],
}

/// An entry of the actions: the head of a list (count, reusable) or one action of it.
#[repr(C, align(2))]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Action(pub [u8; 8]);

/// The hand-written part of a grammar.
#[repr(C)]
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are tree-sitter's")]
pub struct Scanner {
    pub states: *const u8,
    pub symbol_map: *const u16,
    pub create: unsafe extern "C" fn() -> *mut c_void,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub scan: unsafe extern "C" fn(*mut c_void, *mut Lexer, *const u8) -> bool,
    pub serialize: unsafe extern "C" fn(*mut c_void, *mut c_char) -> u32,
    pub deserialize: unsafe extern "C" fn(*mut c_void, *const c_char, u32),
}

/// The text under the lexer, as tree-sitter gives it.
#[repr(C)]
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are tree-sitter's")]
pub struct Lexer {
    pub lookahead: i32,
    pub result_symbol: u16,
    pub advance: unsafe extern "C" fn(*mut Lexer, bool),
    pub mark_end: unsafe extern "C" fn(*mut Lexer),
    pub get_column: unsafe extern "C" fn(*mut Lexer) -> u32,
    pub is_at_included_range_start: unsafe extern "C" fn(*const Lexer) -> bool,
    pub eof: unsafe extern "C" fn(*const Lexer) -> bool,
    pub log: *const c_void,
}

/// The tables of a language, but for those that only queries look at (`primary_state_ids`).
#[derive(PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are tree-sitter's")]
pub struct Tables<'a> {
    /// ABI, symbols, aliases, tokens, external tokens, states, large states, productions, fields, longest alias sequence, keyword
    /// token, largest reserved set, supertypes, version (three).
    pub numbers: [u32; 16],
    pub parse_table: &'a [u16],
    pub small_parse_table: &'a [u16],
    pub small_parse_table_map: &'a [u32],
    pub parse_actions: &'a [Action],
    pub symbol_names: alloc::vec::Vec<&'a CStr>,
    /// Without the first, which is none.
    pub field_names: alloc::vec::Vec<&'a CStr>,
    pub field_map_slices: &'a [[u16; 2]],
    pub field_map_entries: &'a [[u8; 4]],
    pub symbol_metadata: &'a [[u8; 3]],
    pub public_symbol_map: &'a [u16],
    pub alias_map: &'a [u16],
    pub alias_sequences: &'a [u16],
    pub lex_modes: &'a [[u16; 3]],
    pub scanner_states: &'a [u8],
    pub scanner_symbols: &'a [u16],
    pub supertype_symbols: &'a [u16],
    pub supertype_map_slices: &'a [[u16; 2]],
    pub supertype_map_entries: &'a [u16],
}

/// The tables of a language of ABI 15 without reserved words.
///
/// # Safety
/// `language` comes from tree-sitter's generator, or is laid out likewise, and lives for ever.
///
/// # Panics
/// When a count does not fit the machine's memory.
#[must_use]
pub unsafe fn tables(language: &'static Language) -> Tables<'static> {
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
