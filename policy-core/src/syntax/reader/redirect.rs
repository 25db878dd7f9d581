//! Redirects: the descriptor, the operator and the target.

use alloc::string::String;

use crate::syntax::ast::{Descriptor, Part, Redirect, RedirectOp, Word};

use super::{Reader, words::Place};

impl Reader<'_> {
    /// A redirect at the cursor.
    pub(super) fn redirect(&mut self, byte: u8) -> Option<Redirect> {
        let start = self.pos;
        if byte == b'<' && self.zsh() && self.zsh_range_end().is_some() {
            return None;
        }
        let descriptor = match byte {
            b'<' | b'>' | b'&' => None,
            b'0'..=b'9' => Some(self.number_descriptor()?),
            b'{' => Some(self.variable_descriptor()?),
            _ => return None,
        };
        if byte != b'&' && self.peek_second() == Some(b'(') {
            self.pos = start;
            return None;
        }
        let Some(op) = self.redirect_operator() else {
            self.pos = start;
            return None;
        };
        let extended = matches!(
            op,
            RedirectOp::WriteBoth | RedirectOp::AppendBoth | RedirectOp::HereString
        );
        if extended || matches!(descriptor, Some(Descriptor::Variable(_))) {
            self.bash_only("this redirect", start);
        }
        self.node();
        if self.zsh()
            && matches!(
                op,
                RedirectOp::Write
                    | RedirectOp::Append
                    | RedirectOp::DupOutput
                    | RedirectOp::WriteBoth
                    | RedirectOp::AppendBoth
            )
        {
            let _ = self.eat(b'!') || self.eat(b'|');
        }
        self.skip_blanks();
        self.peek();
        let target_start = self.pos;
        let closes =
            matches!(op, RedirectOp::DupInput | RedirectOp::DupOutput) && self.peek() == Some(b'-');
        let target = if closes {
            // `>&-` is a token of its own: what follows the dash is another word.
            self.pos += 1;
            let span = self.span_from(target_start);
            Word {
                parts: alloc::vec![Part::Literal("-".into(), span)],
                span,
            }
        } else {
            self.word(Place::Plain)
        };
        if target.parts.is_empty() {
            let message = "a redirect has no target";
            self.fail(message, start);
        }
        let span = self.span_from(start);
        let heredoc = matches!(op, RedirectOp::HereDoc | RedirectOp::HereDocTabs)
            .then(|| self.begin_document(op, &target, start));
        Some(Redirect {
            descriptor,
            op,
            target,
            heredoc,
            span,
        })
    }

    fn number_descriptor(&mut self) -> Option<Descriptor> {
        let start = self.pos;
        let mut at = start;
        let mut digits = String::new();
        while let Some(byte) = self.at(at).filter(u8::is_ascii_digit) {
            if digits.len() > 10 {
                return None;
            }
            digits.push(char::from(byte));
            at = self.joined(at + 1);
        }
        // zsh knows descriptors of one digit only.
        if !matches!(self.at(at), Some(b'<' | b'>')) || (self.zsh() && digits.len() > 1) {
            return None;
        }
        let number = digits
            .parse::<i32>()
            .ok()
            .and_then(|number| u32::try_from(number).ok())?;
        self.pos = at;
        Some(Descriptor::Number(number))
    }

    fn variable_descriptor(&mut self) -> Option<Descriptor> {
        let start = self.pos;
        self.bump();
        let name = self.name();
        let closed = !name.is_empty() && self.eat(b'}') && matches!(self.peek(), Some(b'<' | b'>'));
        if closed {
            return Some(Descriptor::Variable(name));
        }
        self.pos = start;
        None
    }

    fn redirect_operator(&mut self) -> Option<RedirectOp> {
        let first = self.peek()?;
        let second = self.peek_second();
        let third = self.peek_third();
        let (op, width) = match (first, second, third) {
            (b'<', Some(b'<'), Some(b'<')) => (RedirectOp::HereString, 3),
            (b'<', Some(b'<'), Some(b'-')) => (RedirectOp::HereDocTabs, 3),
            (b'<', Some(b'<'), _) => (RedirectOp::HereDoc, 2),
            (b'<', Some(b'&'), _) => (RedirectOp::DupInput, 2),
            (b'<', Some(b'>'), _) => (RedirectOp::ReadWrite, 2),
            (b'<', _, _) => (RedirectOp::Read, 1),
            (b'>', Some(b'>'), Some(b'&')) if self.zsh() => (RedirectOp::AppendBoth, 3),
            (b'>', Some(b'>'), _) => (RedirectOp::Append, 2),
            (b'>', Some(b'|'), _) => (RedirectOp::Clobber, 2),
            (b'>', Some(b'&'), _) => (RedirectOp::DupOutput, 2),
            (b'>', _, _) => (RedirectOp::Write, 1),
            (b'&', Some(b'>'), Some(b'>')) => (RedirectOp::AppendBoth, 3),
            (b'&', Some(b'>'), _) => (RedirectOp::WriteBoth, 2),
            _ => return None,
        };
        for _ in 0..width {
            self.bump();
        }
        Some(op)
    }
}
