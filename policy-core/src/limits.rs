//! The bounds that make a verdict cheap whatever the text: past any of them the answer is "ask".
//!
//! Each has its own reason code (`diagnostic`), and deny rules still see what could be read.

/// Longest command text, in characters (Unicode scalar values). Longer: `parse.too-long`.
pub const MAX_CHARS: usize = 10_000;
/// Deepest nesting of compound commands, substitutions and `bash -c` scripts. Deeper: `parse.too-complex`.
pub const MAX_DEPTH: usize = 40;
/// Most nodes (words, commands, parts) in one tree, nested scripts included. More: `parse.too-complex`.
pub const MAX_NODES: usize = 20_000;
/// Most invocations reported for one text. More: `parse.too-complex`.
pub const MAX_INVOCATIONS: usize = 360;
/// Most words that one brace expansion may make. More: the word is of unknown number.
pub const MAX_BRACE_WORDS: usize = 64;
/// Most words that braces and variables may make of the words of one text, beyond those it has. More: `shell.too-many`.
pub const MAX_MADE_WORDS: usize = 2_000;
/// Most values a variable is known to take (a loop over literals). More: one unknown word.
pub const MAX_VALUES: usize = 32;
/// Most variables whose values are followed. More: nothing is known of the later ones.
pub const MAX_VARIABLES: usize = 100;
/// Most bytes of variables' values that are put into words of one text. More: nothing is known of a value.
pub const MAX_EXPANDED_BYTES: usize = 100_000;
/// Deepest chain of wrappers around one command (`timeout 5 nice nohup …`). Deeper: `shell.too-deep`.
pub const MAX_WRAPPERS: usize = 8;
/// Most words that the commands behind wrappers have in one text, each counted for every wrapper before it. More: `shell.too-many`.
pub const MAX_WRAPPED_WORDS: usize = 10_000;
/// Deepest chain of scripts in strings (`bash -c 'bash -c …'`). Deeper: `shell.too-deep`.
pub const MAX_SCRIPT_DEPTH: usize = 4;
