//! The second reader: what tree-sitter-bash sees in one top-level statement.
//!
//! Gives landmarks (where commands, their words, assignments, redirects and here-document bodies begin) and the leaves whose inside
//! it does not look into. `None` when it cannot read the statement: it is a witness, and where it has nothing to say
//! our reader's word stands. Node kinds are a closed list. Work is bounded for all statements of a text together: parser steps by the
//! progress callback, and the bytes that the grammar's scanner reads again and again by handing them out in pieces.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, TreeCursor};

use super::landmark::{self, Kind, Landmark};
use crate::sorted;

/// Most calls of the progress callback (one for about a hundred parser steps) for one text.
const MAX_PROGRESS: usize = 600;
/// So many calls are counted for a statement that it cannot read.
const STEPS_OF_ERROR: usize = 10;
/// Bytes that are handed out at once.
const CHUNK: usize = 512;
/// Most bytes that are handed out for one text, for each of its own. What it can read takes two; where it looks for a way around an
/// error it begins again and again.
const MAX_READS: usize = 6;
/// And besides, so that a short text has room.
const SPARE_BYTES: usize = 32 * 1024;

/// What the witness says of a statement.
pub(super) enum Testimony {
    /// It cannot read it.
    Silent,
    /// It takes too long.
    TooLong,
    /// It meets a kind of node that is not known here.
    Unknown,
    /// What it sees.
    Seen(Seen),
}

/// Landmarks and leaves, sorted by where they begin.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) landmarks: Vec<Landmark>,
    /// Stretches the witness takes as plain text, or does not split into words: where each begins, and the furthest end of it and all
    /// before it.
    pub(super) leaves: Vec<(u32, u32)>,
}

/// The parser, ready for bash, and how much it may still do.
pub(super) struct Witness {
    parser: Parser,
    /// Calls of the progress callback.
    steps: usize,
    /// Bytes to hand out.
    bytes: usize,
}

impl Witness {
    /// For the statements of a text of this many bytes. `None` when the grammar does not fit the library, which a test rules out.
    pub(super) fn new(length: usize) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&policy_grammar::LANGUAGE.into()).ok()?;
        Some(Self {
            parser,
            steps: MAX_PROGRESS,
            bytes: MAX_READS * length + SPARE_BYTES,
        })
    }

    /// Reads one statement, which stands at `base` of the whole text.
    pub(super) fn hear(&mut self, statement: &str, base: u32) -> Testimony {
        let (steps, left) = (&mut self.steps, &mut self.bytes);
        let mut in_error = false;
        let mut progress = |state: &tree_sitter::ParseState| {
            // All that it still tries holds an error: it will not read this.
            in_error = state.has_error();
            match steps.checked_sub(1) {
                Some(fewer) if !in_error => {
                    *steps = fewer;
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = statement.as_bytes();
        let mut starved = false;
        let mut input = |at: usize, _| {
            // Never through a character: the library asks for the rest of one, and reads it even where it is told that there is
            // none (lexer.c, `ts_lexer__get_lookahead`), which is past the end when the bytes are spent.
            let end = statement.floor_char_boundary(at + CHUNK);
            let chunk = bytes.get(at..end).unwrap_or_default();
            if starved || *left < chunk.len() {
                starved = true;
                return &[][..];
            }
            *left -= chunk.len();
            chunk
        };
        let tree = self
            .parser
            .parse_with_options(&mut input, None, Some(options));
        let Some(tree) = tree.filter(|_| !starved) else {
            self.parser.reset();
            if !in_error || starved {
                return Testimony::TooLong;
            }
            self.steps = self.steps.saturating_sub(STEPS_OF_ERROR);
            return Testimony::Silent;
        };
        if tree.root_node().has_error() {
            // An error is dearer than the steps that are counted while it looks for a way around it.
            self.steps = self.steps.saturating_sub(STEPS_OF_ERROR);
            return Testimony::Silent;
        }
        let mut seen = Seen::default();
        if !walk(&mut tree.walk(), statement, base, &mut seen) {
            return Testimony::Unknown;
        }
        sorted::sort(&mut seen.landmarks);
        seen.landmarks.dedup();
        sorted::sort(&mut seen.leaves);
        landmark::carry_ends(&mut seen.leaves);
        Testimony::Seen(seen)
    }
}

/// The nodes whose children mean something to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    Command,
    Declaration,
    Redirect,
    HereDoc,
    For,
    Other,
}

/// What is known while inside a node.
#[derive(Clone, Copy)]
struct Inside {
    parent: Parent,
    /// Inside arithmetic an assignment is no command.
    arithmetic: bool,
    /// Children that count so far: the keyword of a declaration, the destination of a redirect.
    count: u32,
}

/// Walks without recursion: the tree of a long list is as deep as the list is long.
fn walk(cursor: &mut TreeCursor<'_>, statement: &str, base: u32, seen: &mut Seen) -> bool {
    let mut stack: Vec<Inside> = Vec::new();
    loop {
        let node = cursor.node();
        let (start, end) = (
            base + offset(node.start_byte()),
            base + offset(node.end_byte()),
        );
        let kind = node.kind();
        if node.is_named() && KINDS.binary_search(&kind).is_err() {
            return false;
        }
        let arithmetic = stack.last().is_some_and(|inside| inside.arithmetic);
        let field = cursor.field_name();
        if let Some(inside) = stack.last_mut() {
            if let Some(found) = landmark_of(inside, kind, field) {
                seen.landmarks.push(Landmark {
                    start,
                    kind: found,
                    end: 0,
                });
            }
        } else if kind == "variable_assignment" {
            seen.landmarks.push(Landmark {
                start,
                kind: Kind::Assignment,
                end: 0,
            });
        }
        if kind == "heredoc_body" {
            let body = landmark::body(statement, start - base, end - base);
            seen.landmarks.extend(body.map(|body| Landmark {
                start: base + body.start,
                end: base + body.end,
                ..body
            }));
        }
        if node.child_count() == 0
            || matches!(kind, "test_command" | "extglob_pattern" | "regex" | "array")
        {
            seen.leaves.push((start, end));
        }
        if kind == "test_command" && node.child(0).is_some_and(|first| first.kind() == "[") {
            seen.landmarks.push(Landmark {
                start,
                kind: Kind::Command,
                end: 0,
            });
        }
        if cursor.goto_first_child() {
            let parent = match kind {
                "command" => Parent::Command,
                "declaration_command" | "unset_command" => Parent::Declaration,
                "file_redirect" => Parent::Redirect,
                "heredoc_redirect" => Parent::HereDoc,
                "for_statement" => Parent::For,
                _ => Parent::Other,
            };
            let opens_arithmetic = matches!(
                kind,
                "arithmetic_expansion" | "c_style_for_statement" | "subscript" | "test_command"
            ) || (kind == "compound_statement"
                && cursor.node().kind() == "((");
            let opens_list = matches!(
                kind,
                "command_substitution" | "process_substitution" | "do_group"
            );
            let arithmetic = (arithmetic || opens_arithmetic)
                && !opens_list
                && !(kind == "compound_statement" && cursor.node().kind() == "{");
            stack.push(Inside {
                parent,
                arithmetic,
                count: 0,
            });
            continue;
        }
        while !cursor.goto_next_sibling() {
            stack.pop();
            if !cursor.goto_parent() || stack.is_empty() {
                return true;
            }
        }
    }
}

fn offset(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

/// What a child of a node is to us.
fn landmark_of(inside: &mut Inside, kind: &str, field: Option<&str>) -> Option<Kind> {
    let redirect = matches!(
        kind,
        "file_redirect" | "heredoc_redirect" | "herestring_redirect"
    );
    if redirect {
        return Some(Kind::Redirect);
    }
    match inside.parent {
        Parent::Command => match kind {
            "command_name" => Some(Kind::Command),
            "variable_assignment" => Some(Kind::Assignment),
            "comment" => None,
            _ => Some(Kind::Word),
        },
        Parent::Declaration => {
            if kind == "comment" {
                return None;
            }
            inside.count += 1;
            Some(if inside.count == 1 {
                Kind::Command
            } else {
                Kind::Word
            })
        }
        Parent::Redirect => {
            if field == Some("destination") {
                inside.count += 1;
            }
            // The grammar takes the words after a target as further targets.
            (field == Some("destination") && inside.count > 1).then_some(Kind::Word)
        }
        Parent::HereDoc => (field == Some("argument")).then_some(Kind::Word),
        Parent::For => (field == Some("value")).then_some(Kind::Word),
        Parent::Other => {
            (kind == "variable_assignment" && !inside.arithmetic).then_some(Kind::Assignment)
        }
    }
}

/// Every named kind of the grammar that is understood here, sorted.
const KINDS: &[&str] = &[
    "ansi_c_string",
    "arithmetic_expansion",
    "array",
    "binary_expression",
    "brace_expression",
    "c_style_for_statement",
    "case_item",
    "case_statement",
    "command",
    "command_name",
    "command_substitution",
    "comment",
    "compound_statement",
    "concatenation",
    "declaration_command",
    "do_group",
    "elif_clause",
    "else_clause",
    "expansion",
    "extglob_pattern",
    "file_descriptor",
    "file_redirect",
    "for_statement",
    "function_definition",
    "heredoc_body",
    "heredoc_content",
    "heredoc_end",
    "heredoc_redirect",
    "heredoc_start",
    "herestring_redirect",
    "if_statement",
    "list",
    "negated_command",
    "number",
    "parenthesized_expression",
    "pipeline",
    "postfix_expression",
    "process_substitution",
    "program",
    "raw_string",
    "redirected_statement",
    "regex",
    "simple_expansion",
    "special_variable_name",
    "string",
    "string_content",
    "subscript",
    "subshell",
    "ternary_expression",
    "test_command",
    "test_operator",
    "translated_string",
    "unary_expression",
    "unset_command",
    "variable_assignment",
    "variable_assignments",
    "variable_name",
    "while_statement",
    "word",
];

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn what_cannot_be_read_is_silent_until_there_is_too_much_of_it() {
        let statement = "echo @(a|echo @(a|echo @(a|b)))";
        let mut witness = Witness::new(3_000).expect("a grammar");
        let most = MAX_PROGRESS / STEPS_OF_ERROR;
        for count in 0..most * 2 {
            match witness.hear(statement, 0) {
                Testimony::Silent => assert!(count < most, "{count}"),
                Testimony::TooLong => {
                    assert!(count > most / 2, "{count}");
                    return;
                }
                _ => panic!("it reads it"),
            }
        }
        panic!("it goes on and on");
    }

    #[test]
    fn bytes_that_run_out_within_a_character_end_the_reading() {
        let text = format!("echo {} \"$x\"", "é".repeat(1_000));
        for bytes in (500..1_100).step_by(25) {
            let mut witness = Witness::new(text.len()).expect("a grammar");
            witness.bytes = bytes;
            assert!(
                matches!(witness.hear(&text, 0), Testimony::TooLong),
                "{bytes}"
            );
        }
    }
}
