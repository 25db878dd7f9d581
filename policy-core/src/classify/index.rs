//! Lists of path patterns, sorted when the crate is compiled, so that one component of a path is looked up and not compared with all.
//!
//! A pattern is a few components joined by `/`, `*` for any text within one. Those that begin with `~/` or `/` are anchored; those whose
//! first component holds a `*` are wild. Neither has a component to be looked up by, so they stand first.

use core::cmp::Ordering;

/// The patterns of a list.
pub(super) struct Index<const N: usize> {
    /// First the anchored ones, then the wild ones, then the others by their first component in lower case.
    patterns: [&'static str; N],
    anchored: usize,
    /// How many have no key: anchored and wild.
    unkeyed: usize,
}

impl<const N: usize> Index<N> {
    /// Sorts a list.
    #[expect(
        clippy::indexing_slicing,
        reason = "while compiling, where a fault is an error"
    )]
    pub(super) const fn new(list: &[&'static str]) -> Self {
        let mut patterns = [""; N];
        let (mut anchored, mut unkeyed) = (0, 0);
        let mut at = 0;
        while at < N {
            patterns[at] = list[at];
            if is_anchored(patterns[at]) {
                anchored += 1;
            }
            if !has_key(patterns[at]) {
                unkeyed += 1;
            }
            let mut place = at;
            while place > 0 && is_before(patterns[place], patterns[place - 1]) {
                let moved = patterns[place];
                patterns[place] = patterns[place - 1];
                patterns[place - 1] = moved;
                place -= 1;
            }
            at += 1;
        }
        Self {
            patterns,
            anchored,
            unkeyed,
        }
    }

    /// Those that begin with `/` or `~/`.
    pub(super) fn anchored(&self) -> &[&'static str] {
        self.patterns.get(..self.anchored).unwrap_or_default()
    }

    /// Those that may stand anywhere and whose first component holds a `*`.
    pub(super) fn wild(&self) -> &[&'static str] {
        self.patterns
            .get(self.anchored..self.unkeyed)
            .unwrap_or_default()
    }

    /// Those with one.
    pub(super) fn keyed(&self) -> &[&'static str] {
        self.patterns.get(self.unkeyed..).unwrap_or_default()
    }

    /// Those whose first component is this one, in upper or lower case.
    pub(super) fn of(&self, component: &str) -> &[&'static str] {
        let keyed = self.keyed();
        let order = |pattern: &str| compare(key(pattern), component.as_bytes());
        let from = keyed.partition_point(|pattern| order(pattern) == Ordering::Less);
        let rest = keyed.get(from..).unwrap_or_default();
        let count = rest.partition_point(|pattern| order(pattern) == Ordering::Equal);
        rest.get(..count).unwrap_or_default()
    }
}

/// The first component.
fn key(pattern: &str) -> &[u8] {
    pattern.split('/').next().unwrap_or(pattern).as_bytes()
}

/// In lower case, byte by byte.
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    let lower = |byte: &u8| byte.to_ascii_lowercase();
    left.iter().map(lower).cmp(right.iter().map(lower))
}

#[expect(
    clippy::indexing_slicing,
    reason = "while compiling, where a fault is an error"
)]
const fn is_anchored(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    bytes[0] == b'/' || (bytes[0] == b'~' && bytes[1] == b'/')
}

#[expect(
    clippy::indexing_slicing,
    reason = "while compiling, where a fault is an error"
)]
const fn has_key(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while at < bytes.len() && bytes[at] != b'/' {
        if bytes[at] == b'*' {
            return false;
        }
        at += 1;
    }
    !is_anchored(pattern)
}

/// The byte of the first component, 0 behind its end.
#[expect(
    clippy::indexing_slicing,
    reason = "while compiling, where a fault is an error"
)]
const fn byte_of(pattern: &[u8], at: usize) -> u8 {
    if at < pattern.len() && pattern[at] != b'/' {
        pattern[at].to_ascii_lowercase()
    } else {
        0
    }
}

const fn is_before(left: &str, right: &str) -> bool {
    match (has_key(left), has_key(right)) {
        (false, true) => return true,
        (true, false) => return false,
        (false, false) => return is_anchored(left) && !is_anchored(right),
        (true, true) => {}
    }
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut at = 0;
    loop {
        let (one, other) = (byte_of(left, at), byte_of(right, at));
        if one != other {
            return one < other;
        }
        if one == 0 {
            return false;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_by_their_first_component() {
        const INDEX: Index<7> = Index::new(&[
            ".ssh",
            "/etc",
            ".git/config",
            "*.pem",
            "~/bin",
            ".GIT/hooks",
            "a*/b",
        ]);
        assert_eq!(INDEX.anchored(), ["/etc", "~/bin"]);
        assert_eq!(INDEX.wild(), ["*.pem", "a*/b"]);
        assert_eq!(INDEX.of(".git"), [".git/config", ".GIT/hooks"]);
        assert_eq!(INDEX.of(".SSH"), [".ssh"]);
        assert!(INDEX.of(".gi").is_empty() && INDEX.of("").is_empty());
        assert_eq!(INDEX.keyed().len(), 3);
    }
}
