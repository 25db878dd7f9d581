//! The effect oracle: commands judged read-only are really run, and the system calls say what they did.
//!
//! `tree` makes the throw-away tree, `trace` runs a command in it (bwrap, no network, strace), `acts` reads the trace and names
//! what acted, `combine` makes commands out of a spec's safe flags. A command judged read-only that
//! wrote, removed, connected or started something unnamed is a security fault.

pub mod acts;
pub mod combine;
pub mod trace;
pub mod tree;
