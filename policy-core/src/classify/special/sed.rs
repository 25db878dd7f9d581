//! sed scripts: the script grammar of GNU sed, and of the BSD one where they differ.
//!
//! Text in (the `-e` pieces and the script operand joined by newlines, as sed does), files read and written
//! out; a command that runs a program is a fault, and so is everything that is not valid or not followed. Which
//! words of the command line are scripts is the business of `sed_command`.
//! Sources: GNU sed manual and `sed/compile.c` 4.8/4.9, FreeBSD `usr.bin/sed/compile.c`, POSIX.

use alloc::{format, vec::Vec};

use super::script::{Cursor, Fault, touch};
use crate::effect::{Effect, Touch};

/// What running `text` touches.
///
/// Implementations disagree on whether a delimiter inside a bracket expression ends the pattern (GNU 4.9 and BSD:
/// no; older GNU: yes) and on backslashes there, so the script is read in each way: none may act, and one
/// at least must be valid.
pub(crate) fn read_script(text: &str) -> Result<Vec<Touch>, Fault> {
    let ways: &[Brackets] = if text.contains('[') {
        &[Brackets::Posix, Brackets::Ignored, Brackets::Escapes]
    } else {
        &[Brackets::Ignored]
    };
    let mut all = Vec::new();
    let mut valid = false;
    let mut first_fault = None;
    for &brackets in ways {
        let mut scan = Scan {
            text: Cursor::new(text),
            brackets,
            touches: Vec::new(),
        };
        match scan.script() {
            Ok(()) => valid = true,
            Err(fault) if fault.acts => return Err(fault),
            Err(fault) => first_fault = first_fault.or(Some(fault)),
        }
        for one in scan.touches {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    match first_fault {
        Some(fault) if !valid => Err(fault),
        _ => Ok(all),
    }
}

/// How brackets count while looking for the end of a pattern.
#[derive(Clone, Copy, PartialEq)]
enum Brackets {
    /// Not at all.
    Ignored,
    /// A delimiter inside is literal, a backslash too.
    Posix,
    /// A delimiter inside is literal, a backslash escapes.
    Escapes,
}

struct Scan<'a> {
    text: Cursor<'a>,
    brackets: Brackets,
    touches: Vec<Touch>,
}

impl<'a> Scan<'a> {
    fn script(&mut self) -> Result<(), Fault> {
        loop {
            self.text
                .take_while(|c| c == ';' || c == ' ' || c == '\t' || c == '\n');
            if self.text.peek().is_none() {
                return Ok(());
            }
            self.command()?;
        }
    }

    fn command(&mut self) -> Result<(), Fault> {
        if self.address(false)? {
            self.text.skip_blanks();
            if self.text.eat(",") {
                self.text.skip_blanks();
                if !self.address(true)? {
                    return Err(self.unread("an address is missing after `,`"));
                }
                self.text.skip_blanks();
            }
        }
        // BSD takes any number of `!`, with blanks.
        self.text.take_while(|c| c == '!' || c == ' ' || c == '\t');
        let at = self.text.at();
        let Some(command) = self.text.bump() else {
            return Err(self.unread("a command is missing"));
        };
        match command {
            '{' => Ok(()),
            '}' | '=' | 'd' | 'D' | 'F' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x'
            | 'z' => self.end_of_command(),
            '#' => {
                self.text.take_while(|c| c != '\n');
                Ok(())
            }
            'q' | 'Q' | 'l' | 'L' => {
                self.text.skip_blanks();
                self.text.take_while(|c| c.is_ascii_digit());
                self.end_of_command()
            }
            ':' | 'b' | 't' | 'T' | 'v' => self.label(),
            'a' | 'i' | 'c' => self.text_argument(),
            'r' | 'R' => {
                let name = self.file_name()?;
                if name != "/dev/stdin" {
                    self.touches.push(touch(Effect::Read, Some(name)));
                }
                Ok(())
            }
            'w' | 'W' => self.write_file(),
            's' => self.substitute(),
            'y' => {
                let delimiter = self.delimiter()?;
                self.delimited(delimiter, false)?;
                self.delimited(delimiter, false)?;
                self.end_of_command()
            }
            'e' => Err(Fault::acts(at, "`e` in the sed script runs a command")),
            other => Err(Fault::unread(at, format!("`{other}` is no sed command"))),
        }
    }

    /// Reads an address; false when none stands here.
    fn address(&mut self, second: bool) -> Result<bool, Fault> {
        match self.text.peek() {
            Some('$') => {
                self.text.bump();
            }
            Some('0'..='9') => {
                self.text.take_while(|c| c.is_ascii_digit());
                let mut ahead = self.text;
                ahead.skip_blanks();
                if ahead.eat("~") {
                    ahead.skip_blanks();
                    ahead.take_while(|c| c.is_ascii_digit());
                    self.text = ahead;
                }
            }
            Some('+' | '~') if second => {
                self.text.bump();
                self.text.skip_blanks();
                if self.text.take_while(|c| c.is_ascii_digit()).is_empty() {
                    return Err(self.unread("a number is missing in an address"));
                }
            }
            Some('/') => {
                self.text.bump();
                self.delimited('/', true)?;
                self.address_flags();
            }
            Some('\\') => {
                self.text.bump();
                let delimiter = self.delimiter()?;
                self.delimited(delimiter, true)?;
                self.address_flags();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn address_flags(&mut self) {
        loop {
            let mut ahead = self.text;
            ahead.skip_blanks();
            if ahead.eat("I") || ahead.eat("M") {
                self.text = ahead;
            } else {
                return;
            }
        }
    }

    /// After a command: blanks and `;`, a newline, the end, or `}` and `#`, which are read on.
    fn end_of_command(&mut self) -> Result<(), Fault> {
        self.text.skip_blanks();
        match self.text.peek() {
            None | Some('}' | '#') => Ok(()),
            Some(';' | '\n') => {
                self.text.bump();
                Ok(())
            }
            Some(_) => Err(self.unread("something stands after a sed command")),
        }
    }

    /// GNU ends a label at blanks, `;` and (since 4.9) `}`; BSD only at the newline. A plain name means the
    /// same to all, save that BSD then skips the rest of the line, which must not open a text that runs on.
    fn label(&mut self) -> Result<(), Fault> {
        self.text.skip_blanks();
        self.text
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let line = self.text.rest().split('\n').next().unwrap_or("");
        if line.ends_with('\\') {
            return Err(self.unread("a label before a continued line"));
        }
        self.end_of_command()
    }

    /// The text of `a`, `i`, `c`: up to a newline that no backslash stands before.
    fn text_argument(&mut self) -> Result<(), Fault> {
        self.text.skip_blanks();
        if self.text.peek().is_none() {
            return Err(self.unread("text is missing after `a`, `i` or `c`"));
        }
        let mut ahead = self.text;
        if ahead.eat("\\") && matches!(ahead.peek(), Some(' ' | '\t')) {
            ahead.skip_blanks();
            // Some end the text here, some skip the blanks and take the next line.
            if matches!(ahead.peek(), None | Some('\n')) {
                return Err(self.unread("a backslash and blanks end the line of `a`, `i` or `c`"));
            }
        }
        while let Some(next) = self.text.bump() {
            match next {
                '\\' => {
                    self.text.bump();
                }
                '\n' => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// A file name runs to the end of the line, whatever stands there.
    fn file_name(&mut self) -> Result<&'a str, Fault> {
        self.text.skip_blanks();
        let at = self.text.at();
        let name = self.text.take_while(|c| c != '\n');
        if name.is_empty() {
            return Err(Fault::unread(at, "a file name is missing"));
        }
        Ok(name)
    }

    fn write_file(&mut self) -> Result<(), Fault> {
        let name = self.file_name()?;
        if !matches!(name, "/dev/stdout" | "/dev/stderr" | "/dev/null") {
            let write = touch(Effect::Write, Some(name));
            self.touches.push(write);
        }
        Ok(())
    }

    fn substitute(&mut self) -> Result<(), Fault> {
        let delimiter = self.delimiter()?;
        self.delimited(delimiter, true)?;
        self.delimited(delimiter, false)?;
        loop {
            let at = self.text.at();
            match self.text.peek() {
                None | Some('}' | '#') => return Ok(()),
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' | ' ' | '\t') => {
                    self.text.bump();
                }
                Some(';' | '\n') => {
                    self.text.bump();
                    return Ok(());
                }
                Some('w') => {
                    self.text.bump();
                    return self.write_file();
                }
                Some('e') => {
                    return Err(Fault::acts(at, "the flag `e` of `s` runs the result"));
                }
                Some(other) => {
                    return Err(Fault::unread(at, format!("`{other}` is no flag of `s`")));
                }
            }
        }
    }

    fn delimiter(&mut self) -> Result<char, Fault> {
        match self.text.bump() {
            Some(c) if c.is_ascii() && c != '\\' && c != '\n' => Ok(c),
            _ => Err(self.unread("this delimiter is not followed")),
        }
    }

    /// Takes text up to and with the delimiter.
    fn delimited(&mut self, delimiter: char, pattern: bool) -> Result<(), Fault> {
        let start = self.text.at();
        while let Some(next) = self.text.bump() {
            if next == delimiter {
                return Ok(());
            }
            match next {
                '\\' => {
                    self.text.bump();
                }
                '\n' if pattern => break,
                '[' if pattern && self.brackets != Brackets::Ignored => self.bracket(),
                _ => {}
            }
        }
        Err(Fault::unread(
            start,
            format!("the closing `{delimiter}` is missing"),
        ))
    }

    /// Takes the rest of a bracket expression; nothing when it is never closed (then `[` stands for itself).
    fn bracket(&mut self) {
        let mut ahead = self.text;
        ahead.eat("^");
        ahead.eat("]");
        while let Some(next) = ahead.bump() {
            match next {
                ']' => {
                    self.text = ahead;
                    return;
                }
                '\n' => return,
                '\\' if self.brackets == Brackets::Escapes => {
                    ahead.bump();
                }
                '[' => {
                    if let Some(class @ ('.' | ':' | '=')) = ahead.peek() {
                        let mut inner = ahead;
                        inner.bump();
                        while let Some(c) = inner.bump() {
                            if c == class && inner.eat("]") {
                                ahead = inner;
                                break;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn unread(&self, what: &str) -> Fault {
        Fault::unread(self.text.at(), what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn reads(script: &str) {
        let found = read_script(script);
        assert!(
            found
                .as_ref()
                .is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read)),
            "{script:?}: {found:?}"
        );
    }

    fn refuses(script: &str) {
        let found = read_script(script);
        assert!(
            !found
                .as_ref()
                .is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read)),
            "{script:?}: {found:?}"
        );
    }

    #[test]
    fn everyday_scripts_only_print() {
        for script in [
            "",
            "p",
            "1,10p",
            "$d",
            "$!d",
            "1~2p",
            "/needle/p",
            "/source: \"tool\",/p",
            "/w /d",
            "/start/,/end/d",
            "/a/,+3p",
            "0,/x/s//y/",
            "s/foo/bar/g",
            "s/foo/bar/2p",
            "s|/usr/w|/e|gI",
            "s,a\\,b,c,;s/x/r /",
            "s/a/b/;s/c/d/ ; p",
            "s/w e/ew/",
            "y/abc/xyz/",
            ":a;N;$!ba;s/\\n/ /g",
            ":a\nN\n$!ba\ns/\\n/ /g",
            "/x/{n;p}",
            "/x/{\n  s/a/b/\n  p\n}",
            "$!N;P;D",
            "a hello; w out",
            "i\\\nw out\\\nand more",
            "c\\w out",
            "# w out\np",
            "/x/{s/a/b/;b};d",
            "s/[/]/x/",
            "s/[^/]*$//",
            "\\,w e,p",
            "q5",
            "10q",
            "l 5",
            "=;F;z;x;G;H;h",
            "s/\\(a\\)\\/w/\\1/",
            "s/a/x\\\ny/",
            "/a/I,/b/Mp",
            "s/a/b/w /dev/stdout",
            "w /dev/stderr",
            "s/a/b/#c",
            "2!{p}",
            "tend;p;:end",
        ] {
            reads(script);
        }
    }

    #[test]
    fn what_writes_or_runs_is_seen() {
        for script in [
            "e",
            "1e date",
            "/x/e touch y",
            "s/a/b/e",
            "s/a/b/ge",
            "s/a/touch x/e;p",
            "w out",
            "1w out",
            "1!w out",
            "$!w out",
            "/x/,$w out",
            "1,3!Wout",
            "s/a/b/w out",
            "s/a/b/gpwout",
            "p;w out",
            "{p;w out\n}",
            "/a/{w out\n}",
            "s,a,b,wout",
            "y/a/b/;w out",
            "#n\nw out",
            "a x\nw out",
            "a\\\ntext\nw out",
            "s/[/]/w out/w out",
            "s/[/]/x/;s/b/]/w out",
            "/[/]/w out\n/p",
            "\\xaxw out",
            "1~2w out",
            "1,~2w out",
            "1,+2w out",
            "n;e",
            "}w out",
            "{{e}",
            "b;e",
            ":a\ne",
            "ba}w out",
            "a\\ \nw out",
            "s a b w out",
            "/x/I w out",
            "s/a/b/ w out",
            "1 ! w out",
        ] {
            refuses(script);
        }
    }

    #[test]
    fn what_is_not_valid_or_not_followed_is_refused() {
        for script in [
            "k",
            "s/a/b",
            "s/a",
            "/a",
            "s\\a\\b\\",
            "y/a",
            "p p",
            "s/a/b/k",
            "b a}s/;w out\\\n/x/",
            "1,",
            "1",
            "r",
            "w",
            "a",
            "séaébé",
            ":a;i\\\nw out",
            "dw out",
        ] {
            assert!(read_script(script).is_err(), "{script:?}");
        }
    }

    #[test]
    fn the_fault_says_what_and_where() {
        let fault = read_script("p;s/a/b/e").err();
        let fault = fault.map(|fault| (fault.at, fault.what, fault.acts));
        assert_eq!(
            fault,
            Some((8, String::from("the flag `e` of `s` runs the result"), true))
        );
    }

    #[test]
    fn files_are_named() {
        assert_eq!(
            read_script("1r /etc/shadow\n$w out;p"),
            Ok(alloc::vec![
                touch(Effect::Read, Some("/etc/shadow")),
                touch(Effect::Write, Some("out;p")),
            ])
        );
    }
}
