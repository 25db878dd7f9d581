//! sqlite3's command line and the SQL it runs: only statements that read.
//!
//! Words in, touches out. SQL is split into tokens (strings, quoted names, comments), every statement must begin with a
//! reading word, and functions that write, load or run are faults; of the dot commands only those that show
//! pass. Sources: sqlite.org `cli.html`, `lang.html`, `pragma.html`.

use alloc::{format, string::String, vec::Vec};

use super::{
    super::{check::CheckInput, model::Why},
    script::{Cursor, Fault, texts},
};
use crate::{diagnostic::Code, effect::Touch};

/// Whether an address of a database says that nothing is written (sqlite.org/uri.html): of two modes the last counts, a
/// fragment or an escape may hide one, and `immutable=1` alone makes a missing file.
fn only_reads(address: &str) -> bool {
    address.split_once('?').is_some_and(|(_, query)| {
        let mut modes = query.split('&').filter(|part| part.starts_with("mode"));
        let only = modes.next() == Some("mode=ro") && modes.next().is_none();
        only && !query.contains('%') && !address.contains('#')
    })
}

/// The check `sqlite3`: every operand after the database must be SQL that reads or a dot command that shows, and
/// there must be one (otherwise it reads commands from its input).
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    input.certain()?;
    let mut given = false;
    let database = input.operands().next().and_then(|(_, value)| value.exact());
    let keeps = database
        .is_some_and(|name| name == ":memory:" || (name.starts_with("file:") && only_reads(name)));
    if !keeps && !input.parsed.has("-readonly") {
        return Err(input.refuse(
            Code::CommandEffect,
            0,
            "without `-readonly` sqlite3 makes a missing database and mends an unfinished one",
        ));
    }
    for (index, value) in input.operands().skip(1) {
        for text in texts(value).ok_or_else(|| input.unknown(index))? {
            let outcome = match text.trim_start().strip_prefix('.') {
                Some(command) => read_dot_command(command),
                None => read_statements(text),
            };
            outcome.map_err(|fault| input.fault(index, &fault))?;
        }
        given = true;
    }
    if given {
        Ok(Vec::new())
    } else {
        Err(input.refuse(
            Code::CommandOperand,
            0,
            "without SQL in the command line it runs what it reads",
        ))
    }
}

fn read_dot_command(command: &str) -> Result<(), Fault> {
    let name = command.split_whitespace().next().unwrap_or("");
    let shows = matches!(
        name,
        "tables"
            | "schema"
            | "indexes"
            | "indices"
            | "databases"
            | "mode"
            | "headers"
            | "header"
            | "show"
            | "help"
            | "version"
            | "width"
            | "nullvalue"
            | "separator"
            | "fullschema"
            | "dbinfo"
            | "dump"
            | "timeout"
            | "stats"
            | "eqp"
            | "changes"
            | "bail"
    );
    if shows && !command.contains('\n') && !command.contains('|') {
        Ok(())
    } else {
        Err(Fault::acts(
            0,
            format!("`.{name}` is not known to only show"),
        ))
    }
}

/// Judges SQL text: every statement reads.
pub(crate) fn read_statements(sql: &str) -> Result<(), Fault> {
    let mut text = Cursor::new(sql);
    let mut first = true;
    let mut pragma = false;
    let mut explain = false;
    while let Some(next) = text.peek() {
        let at = text.at();
        match next {
            c if c.is_ascii_whitespace() => {
                text.bump();
                if c == '\n' && text.rest().starts_with('.') {
                    return Err(Fault::unread(at, "a line that begins with a dot"));
                }
                continue;
            }
            '-' if text.rest().starts_with("--") => {
                text.take_while(|c| c != '\n');
                continue;
            }
            '/' if text.rest().starts_with("/*") => {
                text.eat("/*");
                while !text.eat("*/") {
                    if text.bump().is_none() {
                        return Err(Fault::unread(at, "a comment is not closed"));
                    }
                }
                continue;
            }
            '\'' | '"' | '`' | '[' if first => {
                return Err(Fault::unread(
                    at,
                    "a statement that does not begin with a word",
                ));
            }
            '\'' | '"' | '`' | '[' => {
                text.bump();
                let close = if next == '[' { ']' } else { next };
                let start = text.at();
                text.take_while(|c| c != close);
                let quoted = text.since(start);
                if text.bump().is_none() {
                    return Err(Fault::unread(at, "a string is not closed"));
                }
                // A quoted name may be called like any other.
                refuse_name(quoted, at)?;
            }
            ';' => {
                text.bump();
                first = true;
                pragma = false;
                explain = false;
                continue;
            }
            '=' if pragma => return Err(Fault::acts(at, "a pragma is set")),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let word: String = text
                    .take_while(|c| c.is_alphanumeric() || c == '_' || c == '$')
                    .to_ascii_lowercase();
                if first || explain {
                    pragma = word == "pragma";
                    let continues = explain && matches!(word.as_str(), "query" | "plan");
                    let reads = matches!(
                        word.as_str(),
                        "select" | "with" | "values" | "explain" | "pragma"
                    );
                    if !reads && !continues {
                        return Err(Fault::acts(at, format!("`{word}` is no reading statement")));
                    }
                    explain = word == "explain" || continues;
                    first = false;
                    continue;
                }
                if pragma && !is_reading_pragma(&word) && !word.is_empty() {
                    return Err(Fault::unread(
                        at,
                        format!("`{word}` is not known to only show"),
                    ));
                }
                if pragma {
                    // Its argument names what is shown.
                    text.take_while(|c| c.is_ascii_whitespace());
                    if text.eat("(") {
                        text.take_while(|c| c != ')' && c != ';');
                        text.eat(")");
                    }
                    continue;
                }
                refuse_name(&word, at)?;
            }
            _ => {
                if first {
                    return Err(Fault::unread(
                        at,
                        "a statement that does not begin with a word",
                    ));
                }
                text.bump();
            }
        }
        first = false;
    }
    Ok(())
}

fn refuse_name(name: &str, at: usize) -> Result<(), Fault> {
    let acts = [
        "load_extension",
        "writefile",
        "edit",
        "readfile",
        "insert",
        "update",
        "delete",
        "attach",
        "detach",
        "vacuum",
        "drop",
        "create",
        "alter",
        "fts3_tokenizer",
        "lsdir",
        "fsdir",
        "zipfile",
        "sqlar_uncompress",
        "shell_add_schema",
        "reindex",
        "into",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known));
    if acts {
        Err(Fault::acts(at, format!("`{name}` may write, load or run")))
    } else {
        Ok(())
    }
}

fn is_reading_pragma(name: &str) -> bool {
    matches!(
        name,
        "table_info"
            | "table_xinfo"
            | "table_list"
            | "index_list"
            | "index_info"
            | "index_xinfo"
            | "foreign_key_list"
            | "foreign_key_check"
            | "database_list"
            | "collation_list"
            | "function_list"
            | "compile_options"
            | "user_version"
            | "schema_version"
            | "application_id"
            | "page_count"
            | "page_size"
            | "freelist_count"
            | "encoding"
            | "integrity_check"
            | "quick_check"
            | "foreign_keys"
            | "main"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_read() {
        for sql in [
            "SELECT * FROM users",
            "select count(*) from t where a = 'drop table'; ",
            "SELECT 1; SELECT 2;",
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "EXPLAIN QUERY PLAN SELECT 1",
            "PRAGMA table_info(users)",
            "PRAGMA user_version;",
            "-- insert\nSELECT replace(a, 'x', 'y') FROM t",
            "/* delete */ values (1)",
            "SELECT \"a b\", [c d] FROM t ORDER BY 1 LIMIT 5",
        ] {
            assert_eq!(read_statements(sql), Ok(()), "{sql}");
        }
    }

    #[test]
    fn statements_that_act() {
        for sql in [
            "INSERT INTO t VALUES (1)",
            "SELECT 1; DROP TABLE t",
            "DELETE FROM t",
            "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
            "SELECT load_extension('./x')",
            "SELECT writefile('x', 'y')",
            "SELECT \"writefile\"('x', 'y')",
            "SELECT edit('a', 'vi')",
            "ATTACH 'x' AS y",
            "PRAGMA user_version = 3",
            "PRAGMA journal_mode(wal)",
            "PRAGMA writable_schema=1",
            "EXPLAIN DROP TABLE t",
            "select 'open",
            "'x'; select 1",
            "SELECT 1\n.shell touch x",
            "VACUUM INTO 'x'",
            "/* open",
        ] {
            assert!(read_statements(sql).is_err(), "{sql}");
        }
    }

    #[test]
    fn dot_commands() {
        assert!(read_dot_command("tables").is_ok() && read_dot_command("schema users").is_ok());
        for command in [
            "shell ls",
            "system ls",
            "output x",
            "once x",
            "read x",
            "load x",
            "import a b",
            "open x",
            "mode\n.shell x",
        ] {
            assert!(read_dot_command(command).is_err(), "{command}");
        }
    }
}
