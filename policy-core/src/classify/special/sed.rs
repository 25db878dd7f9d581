//! sed scripts: the script grammar of GNU sed, and of the BSD one where they differ.
//!
//! Text in (the `-e` pieces and the script operand joined by newlines, as sed does), files read and written
//! out; a command that runs a program is a fault, and so is everything that is not valid or not followed.
//! Sources: GNU sed manual and `sed/compile.c` 4.8/4.9, FreeBSD `usr.bin/sed/compile.c`, POSIX.

use alloc::{format, string::String, vec::Vec};

use super::script::{Cursor, Fault, touch};
use crate::{
    classify::{check::CheckInput, model::Why},
    command::model::Value,
    effect::{Effect, Touch},
    facts::Platform,
};

/// The check `sed`: finds the scripts of a command line and what `-i` writes.
///
/// Without `-e` the first operand is the script. BSD's `-i` takes the next word as its suffix, so `sed -i '' s/a/b/ f`
/// has its script in the second operand there; with an empty first operand both readings must hold.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    input.certain()?;
    let mut scripts: Vec<(usize, &Value)> = input
        .parsed
        .all("-e --expression")
        .filter_map(|option| Some((option.value_index?, option.value.as_ref()?)))
        .collect();
    let mut operands: Vec<(usize, &Value)> = input.operands().collect();
    let mut in_place = input.parsed.all("-i --in-place -I").peekable();
    let writes = in_place.peek().is_some();
    let takes_word = in_place.any(|option| option.name == "-i" && option.value.is_none());
    drop(in_place);
    if scripts.is_empty() && !operands.is_empty() {
        let first = operands.remove(0);
        let suffix =
            takes_word && (input.facts.platform == Platform::Macos || first.1.exact() == Some(""));
        // On BSD the first is no script; an empty one is harmless as either.
        scripts.push(match suffix && !operands.is_empty() {
            true => operands.remove(0),
            false => first,
        });
    }
    let mut touches = read_scripts(input, &scripts)?;
    if writes {
        for (_, value) in &operands {
            touches.push(touch(Effect::Write, value.exact()));
            touches.extend(kept_copies(input, value));
        }
    }
    Ok(touches)
}

/// What `-iSUFFIX` writes besides: the old text under a name in which `*` stands for the file's own (GNU sed, `--in-place`).
fn kept_copies(input: &CheckInput<'_>, file: &Value) -> Vec<Touch> {
    let suffixes = input.parsed.all("-i --in-place");
    let copies = suffixes.filter_map(|option| {
        let suffix = option.value.as_ref().map(Value::exact)?;
        let name = match (suffix, file.exact()) {
            (Some(""), _) => return None,
            (Some(suffix), Some(file)) if !suffix.contains('/') => {
                let at = file.rfind('/').map_or(0, |slash| slash + 1);
                let (folder, name) = file.split_at_checked(at)?;
                let copy = match suffix.contains('*') {
                    true => suffix.replace('*', name),
                    false => [name, suffix].concat(),
                };
                Some([folder, &copy].concat())
            }
            _ => None,
        };
        Some(touch(Effect::Write, name.as_deref()))
    });
    copies.collect()
}

/// Every script, and all of them as sed joins them: by newlines.
fn read_scripts(input: &CheckInput<'_>, scripts: &[(usize, &Value)]) -> Result<Vec<Touch>, Why> {
    let mut joined = String::new();
    for &(index, value) in scripts {
        let Some(known) = input.texts(index, value) else {
            return Err(input.unknown(index));
        };
        match known.as_slice() {
            [one] => {
                if !joined.is_empty() {
                    joined.push('\n');
                }
                joined.push_str(one);
            }
            // A loop over scripts, or one with numbers in it: one at a time. With no number it may be none that sed reads.
            many if scripts.len() == 1 => {
                let is_sample = value.exact().is_none() && !matches!(value, Value::OneOf(_));
                let mut touches = None;
                let mut invalid = None;
                for one in many {
                    match read_script(one) {
                        Ok(more) => touches.get_or_insert_with(Vec::new).extend(more),
                        Err(fault) if fault.acts || !is_sample => {
                            return Err(input.fault(index, &fault));
                        }
                        Err(fault) => invalid = Some(fault),
                    }
                }
                return touches.ok_or_else(|| match invalid {
                    Some(fault) => input.fault(index, &fault),
                    None => input.unknown(index),
                });
            }
            _ => return Err(input.unknown(index)),
        }
    }
    let index = scripts.first().map_or(0, |&(index, _)| index);
    read_script(&joined).map_err(|fault| input.fault(index, &fault))
}

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
#[path = "sed/tests.rs"]
mod tests;
