//! What the suites share: the corpora and how they are read, and the oracles.

pub mod corpus;
pub mod effect;
pub mod holds;
pub mod hosts;
pub mod oracle;
