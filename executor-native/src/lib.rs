//! executor-native

pub mod config;
