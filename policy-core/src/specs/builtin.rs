//! The built-in specs, as the build script packed them from `commands/**/*.toml`.

use super::{
    model::{Notes, Spec},
    packed::{List, Packed, Reader},
};

static SPECS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/specs.bin"));
/// Where each sixteenth name stands below, two bytes each, then names (and aliases), sorted, with the place of their spec.
static NAMES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/names.bin"));
/// In the order of the specs. What nobody asks for is left out of a linked program.
static NOTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/notes.bin"));

/// A name and where its spec begins.
struct Entry {
    name: &'static str,
    spec: usize,
}

impl Packed<'static> for Entry {
    fn unpack(reader: &mut Reader<'static>) -> Option<Self> {
        Some(Self {
            name: reader.text()?,
            spec: reader.number()?,
        })
    }
}

/// Every built-in spec, sorted by name.
pub fn all() -> impl Iterator<Item = Spec<'static>> {
    entries(0).into_iter().flatten().filter_map(|entry| {
        let spec = spec_at(entry.spec)?;
        // The other names of a spec are aliases.
        (spec.name == entry.name).then_some(spec)
    })
}

/// Every built-in spec with what is said of it, sorted by name.
pub fn noted() -> impl Iterator<Item = (Spec<'static>, Notes<'static>)> {
    all().zip(List::of(NOTES).iter())
}

/// The built-in spec of a command by name or alias.
#[must_use]
pub fn find(name: &str) -> Option<Spec<'static>> {
    // The last of the listed names that is not behind it, and from there one by one.
    let (mut low, mut high) = (0, place(0)? / 2);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if entries(middle)?.first()?.name <= name {
            low = middle;
        } else {
            high = middle;
        }
    }
    let entry = entries(low)?.iter().find(|entry| entry.name >= name)?;
    if entry.name == name {
        spec_at(entry.spec)
    } else {
        None
    }
}

/// The names from a listed one on.
fn entries(listed: usize) -> Option<List<'static, Entry>> {
    Some(List::of(NAMES.get(place(listed)?..)?))
}

fn place(listed: usize) -> Option<usize> {
    let bytes = NAMES.get(listed * 2..)?.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*bytes)))
}

fn spec_at(at: usize) -> Option<Spec<'static>> {
    Spec::unpack(&mut Reader::at(SPECS, at)?)
}
