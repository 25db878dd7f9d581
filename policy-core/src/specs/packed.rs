//! The packed form of specs: how it is read.
//!
//! Numbers are LEB128. A text is its length and its bytes; a flag byte holds what is small. A block is a number and, when that is even,
//! half as many bytes; when it is odd, the block stands where half of it says, counted from the start of all bytes, so that equal
//! lists and forms are stored once. A list is a block of its items. Nothing is read before it is looked at, nothing is copied, and
//! bytes that `pack` did not write end a list early instead of failing.

use core::marker::PhantomData;

use super::model::{
    Flag, FlagValue, Form, Grammar, Kind, Notes, Operand, Operands, Runs, Spec, Sub, Wrapper,
};
use crate::effect::Effect;

pub(super) const KINDS: &[Kind] = &[
    Kind::Search,
    Kind::Read,
    Kind::List,
    Kind::Neutral,
    Kind::FileOp,
    Kind::Vcs,
    Kind::Build,
    Kind::Package,
    Kind::Network,
    Kind::Process,
    Kind::System,
    Kind::Container,
    Kind::Cloud,
    Kind::Database,
    Kind::Interpreter,
    Kind::Wrapper,
    Kind::Unknown,
];

pub(super) const EFFECTS: &[Effect] = &[
    Effect::Read,
    Effect::Write,
    Effect::Delete,
    Effect::Network,
    Effect::Exec,
    Effect::Process,
    Effect::System,
];

pub(super) const GRAMMARS: &[Grammar] = &[
    Grammar::Gnu,
    Grammar::Posix,
    Grammar::GnuCount,
    Grammar::SingleDash,
    Grammar::None,
];

pub(super) const VALUES: &[FlagValue] = &[
    FlagValue::None,
    FlagValue::Number,
    FlagValue::String,
    FlagValue::OptionalString,
    FlagValue::Char,
    FlagValue::Path,
    FlagValue::OutPath,
    FlagValue::Name,
    FlagValue::Braces,
    FlagValue::Eof,
];

pub(super) const RUNS: &[Runs] = &[Runs::Argv, Runs::ArgvAndMore, Runs::ShellText];

/// Operands without a text of their own; the number after the last is [`Operand::OneOf`].
pub(super) const OPERANDS: &[Operand<'static>] = &[
    Operand::Text,
    Operand::Read,
    Operand::Write,
    Operand::Delete,
    Operand::Host,
    Operand::Assignment,
];

/// Items in their packed form.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct List<'a, T> {
    reader: Reader<'a>,
    items: PhantomData<T>,
}

impl<T> List<'_, T> {
    /// No items.
    pub(super) const NONE: Self = Self {
        reader: Reader {
            all: &[],
            rest: &[],
        },
        items: PhantomData,
    };
}

impl<'a, T: Packed<'a>> List<'a, T> {
    /// The items of `bytes`, which are nothing but items.
    #[must_use]
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self {
            reader: Reader {
                all: bytes,
                rest: bytes,
            },
            items: PhantomData,
        }
    }

    /// The items in order.
    #[must_use]
    pub fn iter(&self) -> Iter<'a, T> {
        Iter {
            reader: self.reader,
            items: PhantomData,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reader.rest.is_empty()
    }

    /// How many there are: it counts them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// The first.
    #[must_use]
    pub fn first(&self) -> Option<T> {
        self.iter().next()
    }

    /// Whether `wanted` is one of them.
    #[must_use]
    pub fn contains(&self, wanted: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|item| item == *wanted)
    }
}

impl<'a> List<'a, Flag<'a>> {
    /// The first flag with this spelling. Nothing of the others is unpacked: a form may have hundreds.
    #[must_use]
    pub(super) fn spelled(&self, name: &str) -> Option<Flag<'a>> {
        let mut next = self.reader;
        loop {
            let mut flag = next;
            let bits = next.byte()?;
            let names = next.bytes()?;
            if bits & ALLOWED != 0 {
                next.bytes()?;
            }
            if is_spelled(names, name.as_bytes()) {
                return Flag::unpack(&mut flag);
            }
        }
    }
}

impl<'a> List<'a, Sub<'a>> {
    /// Those whose words may begin with `word`: by the first letter, as a tool may have a hundred and more.
    pub(super) fn near(&self, word: &str) -> impl Iterator<Item = Sub<'a>> + use<'a> {
        let letter = word.bytes().next();
        let mut next = self.reader;
        core::iter::from_fn(move || {
            loop {
                let mut sub = next;
                let first = next.bytes()?.first().copied();
                next.skip_block()?;
                if first == letter || first == Some(b'*') {
                    return Sub::unpack(&mut sub);
                }
            }
        })
    }
}

/// Whether `name` is one of the words of `names`. A search for the blank first takes longer than the comparison.
pub(super) fn is_spelled(names: &[u8], name: &[u8]) -> bool {
    let mut rest = names;
    loop {
        let after = rest.strip_prefix(name);
        if after.is_some_and(|after| matches!(after.first(), None | Some(b' '))) {
            // A quoted word of two spellings is neither.
            return !name.is_empty() && !name.contains(&b' ');
        }
        let Some(blank) = rest.iter().position(|byte| *byte == b' ') else {
            return false;
        };
        rest = rest.get(blank + 1..).unwrap_or_default();
    }
}

impl<'a, T: Packed<'a>> IntoIterator for List<'a, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// The items of a [`List`], read one after another.
#[derive(Clone, Debug)]
pub struct Iter<'a, T> {
    reader: Reader<'a>,
    items: PhantomData<T>,
}

impl<'a, T: Packed<'a>> Iterator for Iter<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.reader.rest.is_empty() {
            return None;
        }
        T::unpack(&mut self.reader)
    }
}

/// What has a packed form.
pub trait Packed<'a>: Sized {
    /// Reads one; `None` when the bytes hold none.
    fn unpack(reader: &mut Reader<'a>) -> Option<Self>;
}

/// A place in packed bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reader<'a> {
    /// All bytes, which shared blocks are counted in.
    all: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// At `offset` of `all`.
    #[must_use]
    pub fn at(all: &'a [u8], offset: usize) -> Option<Self> {
        Some(Self {
            all,
            rest: all.get(offset..)?,
        })
    }

    #[inline(always)]
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let mut value = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        core::str::from_utf8(self.bytes()?).ok()
    }

    /// A text that nobody reads as one.
    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.number()?;
        self.take(count)
    }

    fn block(&mut self) -> Option<Self> {
        let size = self.number()?;
        let rest = if size & 1 == 0 {
            self.take(size / 2)?
        } else {
            let mut shared = Self::at(self.all, size / 2)?;
            let size = shared.number()?;
            shared.take(size / 2)?
        };
        Some(Self {
            all: self.all,
            rest,
        })
    }

    fn skip_block(&mut self) -> Option<()> {
        let size = self.number()?;
        if size & 1 == 0 {
            self.take(size / 2)?;
        }
        Some(())
    }

    fn list<T>(&mut self) -> Option<List<'a, T>> {
        Some(List {
            reader: self.block()?,
            items: PhantomData,
        })
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(usize::from(self.byte()?)).copied()
    }
}

impl<'a> Packed<'a> for &'a str {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        reader.text()
    }
}

impl<'a> Packed<'a> for Effect {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        reader.one_of(EFFECTS)
    }
}

impl<'a> Packed<'a> for Spec<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        let reader = &mut reader.block()?;
        Some(Self {
            name: reader.text()?,
            aliases: reader.list()?,
            globals_anywhere: reader.byte()? != 0,
            globals: reader.list()?,
            root: Form::unpack(reader)?,
            subs: reader.list()?,
        })
    }
}

impl<'a> Packed<'a> for Notes<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        Some(Self {
            summary: reader.text()?,
            manual: reader.text()?,
            examples_read_only: reader.list()?,
            examples_not_read_only: reader.list()?,
        })
    }
}

impl<'a> Packed<'a> for Sub<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        let words = reader.text()?;
        let form = *reader;
        reader.skip_block()?;
        Some(Self { words, form })
    }
}

/// Bits of a form's flag byte above its [`Kind`].
pub(super) const READ_ONLY: u8 = 0x20;
pub(super) const ANY_FLAGS: u8 = 0x40;
pub(super) const WRAPPER: u8 = 0x80;

impl<'a> Packed<'a> for Form<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        let reader = &mut reader.block()?;
        let bits = reader.byte()?;
        Some(Self {
            kind: *KINDS.get(usize::from(bits & 0x1f))?,
            read_only: bits & READ_ONLY != 0,
            any_flags: bits & ANY_FLAGS != 0,
            wrapper: if bits & WRAPPER != 0 {
                Some(Wrapper::unpack(reader)?)
            } else {
                None
            },
            grammar: reader.one_of(GRAMMARS)?,
            effects: reader.list()?,
            flags: reader.list()?,
            operands: Operands::unpack(reader)?,
            info: reader.text()?,
            check: Some(reader.text()?).filter(|check| !check.is_empty()),
        })
    }
}

impl<'a> Packed<'a> for Wrapper {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        Some(Self {
            skip: reader.byte()?,
            assignments: reader.byte()? != 0,
            runs: reader.one_of(RUNS)?,
            privileged: reader.byte()? != 0,
        })
    }
}

impl<'a> Packed<'a> for Operands<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        Some(Self {
            kinds: reader.list()?,
            repeat: reader.byte()?.checked_sub(1),
            min: reader.byte()?,
            dropped_by: reader.text()?,
            only_with: reader.text()?,
        })
    }
}

impl<'a> Packed<'a> for Operand<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        let kind = usize::from(reader.byte()?);
        match OPERANDS.get(kind) {
            Some(kind) => Some(*kind),
            None => Some(Operand::OneOf(reader.text()?)),
        }
    }
}

/// The bit of a flag's byte that says that its values are listed; below are its effect and its value.
pub(super) const ALLOWED: u8 = 0x80;

impl<'a> Packed<'a> for Flag<'a> {
    fn unpack(reader: &mut Reader<'a>) -> Option<Self> {
        let bits = reader.byte()?;
        Some(Self {
            value: *VALUES.get(usize::from(bits & 0x0f))?,
            effect: match usize::from((bits & 0x70) >> 4) {
                0 => None,
                effect => Some(*EFFECTS.get(effect - 1)?),
            },
            names: reader.text()?,
            allowed: if bits & ALLOWED != 0 {
                reader.text()?
            } else {
                ""
            },
        })
    }
}
