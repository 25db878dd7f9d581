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
    /// The ASCII characters with which a key begins, in lower case.
    begins: u128,
    /// Every wild one holds a dot in its first component.
    dotted: bool,
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
        let mut dotted = true;
        let mut at = anchored;
        while at < unkeyed {
            dotted &= has_before_slash(patterns[at], b'.');
            at += 1;
        }
        let mut begins = 0;
        let mut at = unkeyed;
        while at < N {
            begins |= bit(patterns[at].as_bytes()[0]);
            at += 1;
        }
        Self {
            patterns,
            anchored,
            unkeyed,
            begins,
            dotted,
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

    /// Those of them that may stand for this component.
    pub(super) fn wild_for(&self, component: &str) -> &[&'static str] {
        if self.dotted && !component.as_bytes().contains(&b'.') {
            return &[];
        }
        self.wild()
    }

    /// Those with one.
    pub(super) fn keyed(&self) -> &[&'static str] {
        self.patterns.get(self.unkeyed..).unwrap_or_default()
    }

    /// Those whose first component is this one, in upper or lower case.
    pub(super) fn of(&self, component: &str) -> &[&'static str] {
        self.between(component.as_bytes(), compare)
    }

    /// Those that begin as this component does, in upper or lower case.
    pub(super) fn alike(&self, component: &str) -> &[&'static str] {
        let first = component.as_bytes().get(..1).unwrap_or_default();
        self.between(first, |pattern, first| {
            byte(pattern, 0).cmp(&byte(first, 0))
        })
    }

    fn between(&self, component: &[u8], order: fn(&[u8], &[u8]) -> Ordering) -> &[&'static str] {
        // Most components begin as no pattern does.
        let first = component.first().map_or(0, |first| bit(*first));
        if self.begins & first == 0 {
            return &[];
        }
        let keyed = self.keyed();
        let order = |pattern: &&str| order(pattern.as_bytes(), component);
        let from = keyed.partition_point(|pattern| order(pattern) == Ordering::Less);
        let rest = keyed.get(from..).unwrap_or_default();
        let count = rest.partition_point(|pattern| order(pattern) == Ordering::Equal);
        rest.get(..count).unwrap_or_default()
    }
}

/// The first component of a pattern against a component, in lower case, byte by byte.
fn compare(pattern: &[u8], component: &[u8]) -> Ordering {
    let mut at = 0;
    loop {
        let (wanted, there) = (byte(pattern, at), byte(component, at));
        if wanted != there || wanted == 0 {
            return wanted.cmp(&there);
        }
        at += 1;
    }
}

/// The byte of the first component in lower case, 0 behind its end.
fn byte(path: &[u8], at: usize) -> u8 {
    match path.get(at) {
        None | Some(b'/') => 0,
        Some(byte) => byte.to_ascii_lowercase(),
    }
}

/// One of the ASCII characters, in lower case.
const fn bit(byte: u8) -> u128 {
    let byte = byte.to_ascii_lowercase();
    if byte < 128 { 1 << byte } else { 0 }
}

#[expect(
    clippy::indexing_slicing,
    reason = "while compiling, where a fault is an error"
)]
const fn is_anchored(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    bytes[0] == b'/' || (bytes[0] == b'~' && bytes[1] == b'/')
}

const fn has_before_slash(pattern: &str, sign: u8) -> bool {
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while at < bytes.len() && bytes[at] != b'/' {
        if bytes[at] == sign {
            return true;
        }
        at += 1;
    }
    false
}

const fn has_key(pattern: &str) -> bool {
    !is_anchored(pattern) && !has_before_slash(pattern, b'*')
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
        assert_eq!(INDEX.wild_for("x"), INDEX.wild());
        const DOTTED: Index<2> = Index::new(&["*.pem", "/etc"]);
        assert_eq!(DOTTED.wild_for("x.y"), ["*.pem"]);
        assert!(DOTTED.wild_for("x").is_empty());
        assert_eq!(INDEX.of(".git"), [".git/config", ".GIT/hooks"]);
        assert_eq!(INDEX.of(".SSH"), [".ssh"]);
        assert!(INDEX.of(".gi").is_empty() && INDEX.of("").is_empty());
        assert!(INDEX.of("bin").is_empty() && INDEX.of(".zz").is_empty());
        assert_eq!(INDEX.alike(".x").len(), 3);
        assert!(INDEX.alike("x").is_empty() && INDEX.alike("").is_empty());
        assert_eq!(INDEX.keyed().len(), 3);
    }
}
