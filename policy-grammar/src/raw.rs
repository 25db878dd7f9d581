//! A language as tree-sitter lays it out in memory (`tree_sitter/parser.h`, ABI 15).

use core::ffi::{c_char, c_void};

/// What tree-sitter's parser reads.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) abi_version: u32,
    pub(crate) symbol_count: u32,
    pub(crate) alias_count: u32,
    pub(crate) token_count: u32,
    pub(crate) external_token_count: u32,
    pub(crate) state_count: u32,
    pub(crate) large_state_count: u32,
    pub(crate) production_id_count: u32,
    pub(crate) field_count: u32,
    pub(crate) max_alias_sequence_length: u16,
    pub(crate) parse_table: *const u16,
    pub(crate) small_parse_table: *const u16,
    pub(crate) small_parse_table_map: *const u32,
    pub(crate) parse_actions: *const Action,
    pub(crate) symbol_names: *const *const c_char,
    pub(crate) field_names: *const *const c_char,
    pub(crate) field_map_slices: *const [u16; 2],
    pub(crate) field_map_entries: *const [u8; 4],
    pub(crate) symbol_metadata: *const [u8; 3],
    pub(crate) public_symbol_map: *const u16,
    pub(crate) alias_map: *const u16,
    pub(crate) alias_sequences: *const u16,
    pub(crate) lex_modes: *const [u16; 3],
    pub(crate) lex_fn: unsafe extern "C" fn(*mut Lexer, u16) -> bool,
    pub(crate) keyword_lex_fn: unsafe extern "C" fn(*mut Lexer, u16) -> bool,
    pub(crate) keyword_capture_token: u16,
    pub(crate) external_scanner: Scanner,
    pub(crate) primary_state_ids: *const u16,
    pub(crate) name: *const c_char,
    pub(crate) reserved_words: *const u16,
    pub(crate) max_reserved_word_set_size: u16,
    pub(crate) supertype_count: u32,
    pub(crate) supertype_symbols: *const u16,
    pub(crate) supertype_map_slices: *const [u16; 2],
    pub(crate) supertype_map_entries: *const u16,
    pub(crate) metadata: [u8; 3],
}

/// An entry of the actions: the head of a list (count, reusable) or one action of it.
#[repr(C, align(2))]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Action(pub(crate) [u8; 8]);

/// The hand-written part of a grammar.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Scanner {
    pub(crate) states: *const u8,
    pub(crate) symbol_map: *const u16,
    pub(crate) create: unsafe extern "C" fn() -> *mut c_void,
    pub(crate) destroy: unsafe extern "C" fn(*mut c_void),
    pub(crate) scan: unsafe extern "C" fn(*mut c_void, *mut Lexer, *const u8) -> bool,
    pub(crate) serialize: unsafe extern "C" fn(*mut c_void, *mut c_char) -> u32,
    pub(crate) deserialize: unsafe extern "C" fn(*mut c_void, *const c_char, u32),
}

/// The text under the lexer, as tree-sitter gives it.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Lexer {
    pub(crate) lookahead: i32,
    pub(crate) result_symbol: u16,
    pub(crate) advance: unsafe extern "C" fn(*mut Lexer, bool),
    pub(crate) mark_end: unsafe extern "C" fn(*mut Lexer),
    pub(crate) get_column: unsafe extern "C" fn(*mut Lexer) -> u32,
    pub(crate) is_at_included_range_start: unsafe extern "C" fn(*const Lexer) -> bool,
    pub(crate) eof: unsafe extern "C" fn(*const Lexer) -> bool,
    pub(crate) log: *const c_void,
}
