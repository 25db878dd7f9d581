//! What the suites share: the corpora and how they are read.

pub mod corpus;
