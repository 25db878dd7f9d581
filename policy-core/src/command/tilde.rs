//! Tilde prefixes: where bash finds one, what it becomes, and what it takes along.
//!
//! bash 5.2 expands the text from `~` up to the first `/` (after an assignment's `=` or `:` also up to a `:`) as one piece, unless a
//! quote stands in it. The user's name in it ends at a `:` or a `=~`; what follows the name is taken as it is, without expansion. A
//! name that no user has leaves the tilde as it is. (The manual tells the plain cases; the rest was seen in bash 5.2.15.)

use alloc::string::{String, ToString};

use super::{atoms::Atom, cwd, fields::Seg, words::Expander};
use crate::facts::Platform;

/// Where a tilde stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At the beginning of an argument.
    Start,
    /// At the beginning of a word that is not split, where what is taken along differs by the place.
    Word,
    /// After `=` or `:` in an argument that looks like an assignment.
    LikeAssignment,
    /// After `=` or `:` of an assignment.
    Assignment,
}

impl<'a> Expander<'a> {
    /// The tilde prefix at the start of `atoms`: what it becomes and how many atoms it takes. `None` when the tilde means itself.
    pub(super) fn tilde(&self, atoms: &[Atom<'a>], place: Place) -> Option<(Seg, usize)> {
        let (Atom::Char('~'), after) = atoms.split_first()? else {
            return None;
        };
        let begins = matches!(place, Place::Start | Place::Word);
        let length = after
            .iter()
            .position(|atom| match atom {
                Atom::Char(c) => *c == '/' || (*c == ':' && !begins),
                _ => false,
            })
            .unwrap_or(after.len());
        let prefix = after.get(..length)?;
        let quoted = |atom: &Atom<'_>| matches!(atom, Atom::Quoted(_) | Atom::Part(_, true));
        if prefix.iter().any(quoted) {
            return None;
        }
        let is = |at: usize, c: char| matches!(prefix.get(at), Some(Atom::Char(it)) if *it == c);
        let suffix = (0..prefix.len()).find(|at| match place {
            Place::Start | Place::Word => is(*at, ':') || (is(*at, '=') && is(at + 1, '~')),
            Place::LikeAssignment => is(*at, '=') && is(at + 1, '~'),
            Place::Assignment => false,
        });
        // Each `=~` in it is another prefix.
        if place == Place::LikeAssignment && suffix.is_some() {
            return Some((Seg::Many, 1 + length));
        }
        let name = text_of(prefix.get(..suffix.unwrap_or(length))?)?;
        let mut seg = self.user(&name)?;
        if let Some(rest) = suffix.and_then(|at| prefix.get(at..)) {
            // What is taken along unexpanded. (Whether `=~` ends the name depends on the tildes that were expanded before.)
            let sure = matches!(rest.first(), Some(Atom::Char(':')));
            let plain = |c: char| !c.is_ascii_punctuation() || "=~:,.-_+@%".contains(c);
            let kept = text_of(rest).filter(|text| text.chars().all(plain));
            seg = match (seg, kept) {
                (Seg::Text(mut home), Some(kept)) if sure && place == Place::Start => {
                    home.push_str(&kept);
                    Seg::Text(home)
                }
                _ => Seg::Many,
            };
        }
        Some((seg, 1 + length))
    }

    /// What `~name` becomes; `None` when there can be no such user.
    fn user(&self, name: &str) -> Option<Seg> {
        let entry = name.strip_prefix(['+', '-']).unwrap_or(name);
        Some(match name {
            "" => match self.scope.variable("HOME") {
                None => Seg::Text(cwd::home(self.facts).to_string()),
                Some(known) => known
                    .only()
                    .map_or(Seg::One, |home| Seg::Text(home.to_string())),
            },
            "root" if self.facts.platform == Platform::Linux => Seg::Text("/root".into()),
            "+" => cwd::absolute(&self.scope.cwd, self.facts).map_or(Seg::One, Seg::Text),
            // An entry of the directory stack, or as it is.
            _ if entry.bytes().all(|byte| byte.is_ascii_digit()) => Seg::One,
            _ if !name
                .chars()
                .all(|c| c.is_alphanumeric() || "._-+@".contains(c)) =>
            {
                return None;
            }
            // Another user's home, if there is one; if not, it stays as it is.
            _ => {
                let mut literal = String::from("~");
                literal.push_str(name);
                let mut path = String::from("/");
                path.push_str(&literal);
                Seg::OneOf(alloc::vec![path, literal])
            }
        })
    }
}

/// The text of characters without an expansion.
fn text_of(atoms: &[Atom<'_>]) -> Option<String> {
    atoms
        .iter()
        .map(|atom| match atom {
            Atom::Char(c) => Some(*c),
            Atom::Quoted(_) | Atom::Part(..) => None,
        })
        .collect()
}
