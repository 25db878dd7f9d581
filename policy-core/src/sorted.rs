//! Maps, sets and sorting, made to be small: what `alloc` has for them is compiled anew for each type of key and value, 10 KB at a
//! time, and a web page has to load it.
//!
//! A map is a list of runs, each sorted and of at most `RUN` entries, so that an insertion moves few of them however many
//! there are. Sorting is stable; the order is found over indices by one function for all types.

use alloc::{vec, vec::Vec};
use core::{borrow::Borrow, cmp::Ordering, fmt, slice};

/// Most entries of a run; when there are more, it is cut in half.
const RUN: usize = 64;

/// A sorted map.
#[derive(Clone)]
pub struct Map<K, V> {
    /// None is empty.
    runs: Vec<Vec<(K, V)>>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Map<K, V> {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { runs: Vec::new() }
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many entries it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.iter().map(Vec::len).sum()
    }

    /// The entries in order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter {
            runs: self.runs.iter(),
            run: [].iter(),
        }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// The values in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.runs.iter_mut().flatten().map(|(_, value)| value)
    }
}

impl<K: Ord, V> Map<K, V> {
    /// The run and the place in it where a key is, or else would be.
    #[inline(never)]
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> (usize, Result<usize, usize>)
    where
        K: Borrow<Q>,
    {
        let begins_after =
            |run: &Vec<(K, V)>| run.first().is_some_and(|(first, _)| first.borrow() > key);
        let run = self.runs.partition_point(|run| !begins_after(run));
        let run = run.saturating_sub(1);
        let place = self.runs.get(run).map_or(Err(0), |run| {
            run.binary_search_by(|(known, _)| known.borrow().cmp(key))
        });
        (run, place)
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (run, place) = self.find(key);
        Some(&self.runs.get(run)?.get(place.ok()?)?.1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (run, place) = self.find(key);
        Some(&mut self.runs.get_mut(run)?.get_mut(place.ok()?)?.1)
    }

    /// Whether there is a value of a key.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).1.is_ok()
    }

    /// The value of a key, which is made when there is none.
    pub fn entry(&mut self, key: K, value: impl FnOnce() -> V) -> Option<&mut V> {
        let (mut run, place) = self.find(&key);
        let place = match place {
            Ok(place) => place,
            Err(mut place) => {
                if self.runs.is_empty() {
                    self.runs.push(Vec::new());
                }
                let full = self.runs.get_mut(run)?;
                // What comes in order fills the runs; else both halves keep room.
                if full.len() >= RUN {
                    let half = if place == RUN { RUN } else { RUN / 2 };
                    let rest = full.split_off(half);
                    if place >= half {
                        place -= half;
                        run += 1;
                        self.runs.insert(run, rest);
                    } else {
                        self.runs.insert(run + 1, rest);
                    }
                }
                self.runs.get_mut(run)?.insert(place, (key, value()));
                place
            }
        };
        Some(&mut self.runs.get_mut(run)?.get_mut(place)?.1)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        let mut value = Some(value);
        let (run, place) = self.find(&key);
        if let (Ok(place), Some(run)) = (place, self.runs.get_mut(run)) {
            if let (Some(entry), Some(value)) = (run.get_mut(place), value.take()) {
                entry.1 = value;
            }
        } else if let Some(value) = value {
            self.entry(key, || value);
        }
    }

    /// Puts an entry behind all others, where its key belongs.
    pub fn append(&mut self, key: K, value: V) {
        match self.runs.last_mut() {
            Some(run) if run.len() < RUN => run.push((key, value)),
            _ => self.runs.push(vec![(key, value)]),
        }
    }

    /// Takes a key and its value out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        let (run, place) = self.find(key);
        if let (Ok(place), Some(entries)) = (place, self.runs.get_mut(run)) {
            entries.remove(place);
            if entries.is_empty() {
                self.runs.remove(run);
            }
        }
    }

    /// The entries from a key on.
    pub fn from<Q: Ord + ?Sized>(&self, key: &Q) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let (run, Ok(place) | Err(place)) = self.find(key);
        Iter {
            runs: self.runs.get(run + 1..).unwrap_or_default().iter(),
            run: self
                .runs
                .get(run)
                .and_then(|run| run.get(place..))
                .unwrap_or_default()
                .iter(),
        }
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for Map<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_map().entries(self).finish()
    }
}

/// The entries of a [`Map`].
#[derive(Clone, Debug)]
pub struct Iter<'a, K, V> {
    runs: slice::Iter<'a, Vec<(K, V)>>,
    run: slice::Iter<'a, (K, V)>,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.run.as_slice().is_empty() {
            self.run = self.runs.next()?.iter();
        }
        self.run.next().map(|(key, value)| (key, value))
    }
}

/// A sorted set.
#[derive(Clone, PartialEq, Eq)]
pub struct Set<K>(Map<K, ()>);

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self(Map::new())
    }
}

impl<K> Set<K> {
    /// A set of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What is in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }
}

impl<K: Ord> Set<K> {
    /// Whether something is in it.
    #[must_use]
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Puts something in; whether it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        let mut is_new = false;
        self.0.entry(key, || is_new = true);
        is_new
    }

    /// Takes something out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.0.remove(key);
    }

    /// Takes out what `keep` is not said of.
    pub fn retain(&mut self, keep: impl Fn(&K) -> bool) {
        for run in &mut self.0.runs {
            run.retain(|(key, ())| keep(key));
        }
        self.0.runs.retain(|run| !run.is_empty());
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K: fmt::Debug> fmt::Debug for Set<K> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_set().entries(self.iter()).finish()
    }
}

/// Sorts; equal ones keep their order.
pub fn sort<T: Ord>(all: &mut [T]) {
    sort_by(all, T::cmp);
}

/// Sorts by what `key` says of each.
pub fn sort_by_key<T, K: Ord>(all: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(all, |left, right| key(left).cmp(&key(right)));
}

/// Sorts by an order.
pub fn sort_by<T>(all: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let compare = |left: usize, right: usize| match (all.get(left), all.get(right)) {
        (Some(left), Some(right)) => order(left, right),
        _ => Ordering::Equal,
    };
    let Some(mut places) = sorted(all.len(), &compare) else {
        return;
    };
    // Each swap of a cycle brings one to its place.
    for start in 0..places.len() {
        let mut at = start;
        while let Some(place) = places.get_mut(at) {
            let next = core::mem::replace(place, at);
            if next == start || next == at {
                break;
            }
            all.swap(at, next);
            at = next;
        }
    }
}

/// The indices below `count` in order: runs of 1, 2, 4, … are merged. None when they are in order as they stand.
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    if (1..count).all(|at| compare(at - 1, at) != Ordering::Greater) {
        return None;
    }
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = vec![];
    let mut width = 1;
    while width < count {
        merged.clear();
        for pair in order.chunks(width * 2) {
            let (left, right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
            loop {
                let is_left = match (left.peek(), right.peek()) {
                    (Some(left), Some(right)) => compare(**left, **right) != Ordering::Greater,
                    (left, _) => left.is_some(),
                };
                let Some(next) = (if is_left { &mut left } else { &mut right }).next() else {
                    break;
                };
                merged.push(*next);
            }
        }
        core::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use alloc::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Numbers below `limit`, ever the same ones.
    fn numbers(count: usize, limit: u32) -> Vec<u32> {
        let mut state = 88_172_645_u32;
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state % limit
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn a_map_does_what_that_of_alloc_does() {
        for limit in [3, 40, 500, 100_000] {
            let (mut ours, mut theirs) = (Map::new(), BTreeMap::new());
            for (at, key) in numbers(3000, limit).into_iter().enumerate() {
                match at % 5 {
                    0 => {
                        ours.remove(&key);
                        theirs.remove(&key);
                    }
                    1 => {
                        ours.entry(key, || at);
                        theirs.entry(key).or_insert(at);
                    }
                    _ => {
                        ours.insert(key, at);
                        theirs.insert(key, at);
                    }
                }
                assert_eq!(ours.get(&key), theirs.get(&key));
            }
            assert!(ours.iter().eq(&theirs), "{limit}");
            assert_eq!(ours.len(), theirs.len());
            assert!(ours.runs.iter().all(|run| (1..=RUN).contains(&run.len())));
            for key in numbers(300, limit + 2) {
                assert_eq!(ours.contains_key(&key), theirs.contains_key(&key));
                assert!(ours.from(&key).eq(theirs.range(key..)), "{limit}: {key}");
            }
        }
    }

    #[test]
    fn a_map_is_filled_in_order_and_against_it() {
        let up: Map<u32, u32> = (0..1000).map(|key| (key, key)).collect();
        let down: Map<u32, u32> = (0..1000).rev().map(|key| (key, key)).collect();
        assert_eq!(up, down);
        assert_eq!(up.runs.len(), 1000_usize.div_ceil(RUN));
        let mut appended = Map::new();
        for key in 0..1000 {
            appended.append(key, key);
        }
        assert_eq!(appended, up);
        assert_eq!(appended.runs.len(), up.runs.len());
    }

    #[test]
    fn a_set_says_what_is_new() {
        let (mut ours, mut theirs) = (Set::new(), BTreeSet::new());
        for key in numbers(1000, 300) {
            assert_eq!(ours.insert(key), theirs.insert(key));
        }
        assert!(ours.iter().eq(&theirs));
    }

    #[test]
    fn sorting_is_that_of_alloc_and_stable() {
        for count in [0, 1, 2, 3, 7, 8, 9, 100, 1000] {
            for limit in [2, 10, 100_000] {
                let all: Vec<(u32, usize)> = numbers(count, limit).into_iter().zip(0..).collect();
                let (mut ours, mut theirs) = (all.clone(), all);
                sort_by_key(&mut ours, |(key, _)| *key);
                theirs.sort_by_key(|(key, _)| *key);
                assert_eq!(ours, theirs);
                sort_by_key(&mut ours, |(key, at)| core::cmp::Reverse((*key, *at)));
                theirs.sort_by_key(|(key, at)| core::cmp::Reverse((*key, *at)));
                assert_eq!(ours, theirs);
            }
        }
    }
}
