//! The unpacked grammar is the package's: every table, and every step of the lexers.

use alloc::vec::Vec;

use crate::{
    LANGUAGE,
    raw::{Language, Lexer},
    tables::tables,
};

fn language(grammar: tree_sitter_language::LanguageFn) -> &'static Language {
    // SAFETY: both are laid out as tree-sitter's generator does, and live for ever.
    unsafe {
        grammar.into_raw()()
            .cast::<Language>()
            .as_ref()
            .expect("a language")
    }
}

#[test]
fn every_table_is_what_the_package_has() {
    // SAFETY: as above.
    let (ours, theirs) = unsafe {
        (
            tables(language(LANGUAGE)),
            tables(language(tree_sitter_bash::LANGUAGE)),
        )
    };
    assert!(theirs.small_parse_table.len() > 300_000 && theirs.parse_actions.len() > 17_000);
    assert!(ours == theirs);
}

/// A text under a lexer, which keeps what the lexer does.
#[repr(C)]
struct Text {
    lexer: Lexer,
    characters: Vec<i32>,
    at: usize,
    log: Vec<(usize, char)>,
}

impl Text {
    unsafe extern "C" fn advance(lexer: *mut Lexer, skip: bool) {
        // SAFETY (here and below): the lexer is the first field of a text.
        let text = unsafe { &mut *lexer.cast::<Self>() };
        text.log.push((text.at, if skip { 's' } else { 'a' }));
        text.at += 1;
        text.lexer.lookahead = text.characters.get(text.at).copied().unwrap_or(0);
    }

    unsafe extern "C" fn mark_end(lexer: *mut Lexer) {
        let text = unsafe { &mut *lexer.cast::<Self>() };
        text.log.push((text.at, 'm'));
    }

    unsafe extern "C" fn column(_: *mut Lexer) -> u32 {
        0
    }

    unsafe extern "C" fn starts(_: *const Lexer) -> bool {
        false
    }

    unsafe extern "C" fn eof(lexer: *const Lexer) -> bool {
        let text = unsafe { &*lexer.cast::<Self>() };
        text.at >= text.characters.len()
    }

    fn lex(
        characters: &[i32],
        state: u16,
        lex: unsafe extern "C" fn(*mut Lexer, u16) -> bool,
    ) -> (bool, u16, Vec<(usize, char)>) {
        let mut text = Self {
            lexer: Lexer {
                lookahead: characters.first().copied().unwrap_or(0),
                result_symbol: 0,
                advance: Self::advance,
                mark_end: Self::mark_end,
                get_column: Self::column,
                is_at_included_range_start: Self::starts,
                eof: Self::eof,
                log: core::ptr::null(),
            },
            characters: characters.to_vec(),
            at: 0,
            log: Vec::new(),
        };
        let pointer = core::ptr::from_mut(&mut text).cast();
        let accepted = unsafe { lex(pointer, state) };
        (accepted, text.lexer.result_symbol, text.log)
    }
}

#[test]
fn the_lexers_take_the_steps_of_the_package() {
    let (ours, theirs) = (language(LANGUAGE), language(tree_sitter_bash::LANGUAGE));
    let mut tried = 0;
    let mut compare = |characters: &[i32], state: u16| {
        tried += 1;
        assert_eq!(
            Text::lex(characters, state, ours.lex_fn),
            Text::lex(characters, state, theirs.lex_fn),
            "state {state} of the lexer on {characters:?}"
        );
        assert_eq!(
            Text::lex(characters, state, ours.keyword_lex_fn),
            Text::lex(characters, state, theirs.keyword_lex_fn),
            "state {state} of the lexer of keywords on {characters:?}"
        );
    };
    let states = 0..1000;
    // Every state on every character that a constant of the lexers could tell from its neighbours.
    let single: Vec<i32> = (-1..0x250)
        .chain([0x2028, 0xfeff, 0xffff, 0x1_f600, 0x10_ffff])
        .collect();
    for state in states.clone() {
        compare(&[], state);
        for &character in &single {
            compare(&[character], state);
        }
    }
    // And on texts, from the states in which lexing begins.
    let mut random = 88_172_645_u32;
    let mut below = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random as usize % limit
    };
    let parts = [
        "if", "then", "esac", "done", "function", "declare", "unsetenv", "time", "select", "-",
        "--", "-eq", "$", "${", "$((", "<<", "<<<", "<<-", ">|", "&>>", "&&", "||", ";;&", "=~",
        "!=", "+=", "**=", "{", "}", "[[", "]]", "\"", "'", "\\\n", "\\", "\n", " ", "\t", "#",
        "a", "0", "1", "9f", "_", "x=", "é", "\0", "`", "%", "/#", ":-", "..", "(", ")", "@", "*",
        "?", "~", "^", ",",
    ];
    for _ in 0..200_000 {
        let text: alloc::string::String =
            (0..=below(6)).map(|_| parts[below(parts.len())]).collect();
        let characters: Vec<i32> = text.chars().map(|letter| letter as i32).collect();
        compare(&characters, u16::try_from(below(1000)).expect("small"));
    }
    assert!(tried > 700_000, "{tried}");
}
