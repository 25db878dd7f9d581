//! The built-in specs, as the build script packed them from `commands/**/*.toml`.

use super::{
    model::{Notes, Spec},
    packed::{List, Packed, Reader},
};

static SPECS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/specs.bin"));
/// Where each name stands below, two bytes each, then names (and aliases), sorted, with the place of their spec.
static NAMES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/names.bin"));
/// In the order of the specs. What nobody asks for is left out of a linked program.
static NOTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/notes.bin"));

/// Every built-in spec, sorted by name.
pub fn all() -> impl Iterator<Item = Spec<'static>> {
    (0..count()).filter_map(|index| {
        let (name, spec) = entry(index)?;
        let spec = spec_at(spec)?;
        // The other names of a spec are aliases.
        (spec.name == name).then_some(spec)
    })
}

/// Every built-in spec with what is said of it, sorted by name.
pub fn noted() -> impl Iterator<Item = (Spec<'static>, Notes<'static>)> {
    all().zip(List::of(NOTES).iter())
}

/// The built-in spec of a command by name or alias.
#[must_use]
pub fn find(name: &str) -> Option<Spec<'static>> {
    let (mut low, mut high) = (0, count());
    while low < high {
        let middle = low + (high - low) / 2;
        let (known, spec) = entry(middle)?;
        match known.cmp(name) {
            core::cmp::Ordering::Equal => return spec_at(spec),
            core::cmp::Ordering::Less => low = middle + 1,
            core::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

fn count() -> usize {
    place(0).unwrap_or(0) / 2
}

/// The name at an index, and where its spec begins.
fn entry(index: usize) -> Option<(&'static str, usize)> {
    let mut reader = Reader::at(NAMES, place(index)?)?;
    Some((reader.text()?, reader.number()?))
}

fn place(index: usize) -> Option<usize> {
    let bytes = NAMES.get(index * 2..)?.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*bytes)))
}

fn spec_at(at: usize) -> Option<Spec<'static>> {
    Spec::unpack(&mut Reader::at(SPECS, at)?)
}
