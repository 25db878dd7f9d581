//! Where verdicts are made: a request is understood (`case`), judged (`judge`, the documented order) and reported (`verdict`).
//!
//! [`Policy`] is the front door. Total: any text and any rules give an answer, in bounded work.

mod case;
mod judge;
mod message;
mod names;
mod policy;
mod raw;
mod verdict;

pub use policy::Policy;
