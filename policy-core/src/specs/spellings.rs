//! The flags of a list by their spellings: a search for each option, where a command has many and the list has hundreds.
//!
//! Made only for such commands; for a few options to look through the list is cheaper. Both find the same flag.

use alloc::vec::Vec;

use super::{model::Flag, packed::List};
use crate::sorted;

/// So many options are looked up in the list before this is made.
const FEW: usize = 32;

/// The flags of a list, to be asked again and again.
pub(super) struct Spellings<'a> {
    list: List<'a, Flag<'a>>,
    asked: usize,
    flags: Vec<Flag<'a>>,
    /// Every spelling and the place of its flag, in order.
    names: Vec<(&'a str, usize)>,
}

impl<'a> Spellings<'a> {
    /// Of a list.
    pub(super) fn of(list: List<'a, Flag<'a>>) -> Self {
        Self {
            list,
            asked: 0,
            flags: Vec::new(),
            names: Vec::new(),
        }
    }

    /// The first flag with this spelling.
    pub(super) fn flag(&mut self, name: &str) -> Option<Flag<'a>> {
        if !self.is_sorted() {
            return self.list.spelled(name);
        }
        let (known, place) = self.from(name).first()?;
        self.flags.get(*place).filter(|_| *known == name).copied()
    }

    /// The first flag with an effect that has a spelling which begins so.
    pub(super) fn effect(&mut self, beginning: &str) -> Option<Flag<'a>> {
        let begins = |known: &str| known.starts_with(beginning);
        if !self.is_sorted() {
            return self
                .list
                .iter()
                .find(|flag| flag.effect.is_some() && flag.names.split(' ').any(begins));
        }
        let alike = self.from(beginning).iter();
        let alike = alike.take_while(|(known, _)| begins(known));
        let flags = alike.filter_map(|(_, place)| Some((*place, self.flags.get(*place)?)));
        let acting = flags.filter(|(_, flag)| flag.effect.is_some());
        acting
            .min_by_key(|(place, _)| *place)
            .map(|(_, flag)| *flag)
    }

    /// The spellings from this one on.
    fn from(&self, name: &str) -> &[(&'a str, usize)] {
        let at = self.names.partition_point(|(known, _)| *known < name);
        self.names.get(at..).unwrap_or_default()
    }

    /// Counts a question, and sorts the flags once there were many.
    fn is_sorted(&mut self) -> bool {
        self.asked += 1;
        if self.asked == FEW {
            self.flags = self.list.iter().collect();
            for (place, flag) in self.flags.iter().enumerate() {
                let names = flag.names.split(' ').filter(|name| !name.is_empty());
                self.names.extend(names.map(|name| (name, place)));
            }
            sorted::sort(&mut self.names);
        }
        self.asked >= FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specs::builtin;

    #[test]
    fn both_ways_find_the_same() {
        for spec in builtin::all() {
            let forms = spec.subs.iter().map(|sub| sub.form().flags);
            for list in forms.chain([spec.root.flags, spec.globals]) {
                let mut quick = Spellings::of(list);
                while !quick.is_sorted() {}
                let names: Vec<_> = list.iter().flat_map(|flag| flag.names.split(' ')).collect();
                for name in names
                    .into_iter()
                    .chain(["--", "-", "", "--x", "-\u{e9}", "~"])
                {
                    assert_eq!(quick.flag(name), list.spelled(name), "{} {name}", spec.name);
                    for end in 1..name.len() {
                        let Some(beginning) = name.get(..end) else {
                            continue;
                        };
                        let (quick, slow) = (
                            quick.effect(beginning),
                            Spellings::of(list).effect(beginning),
                        );
                        assert_eq!(quick, slow, "{} {beginning}", spec.name);
                    }
                }
            }
        }
    }
}
