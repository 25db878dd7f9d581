//! Runs shell commands well, once they are judged: nothing hangs, nothing is lost, nothing is left behind.

pub mod cli;
pub mod config;
pub mod engine;
pub mod env;
pub mod output;
pub mod permit;
pub mod plan;
pub mod replay;
pub mod shell;
pub mod spawn;

pub use spawn::supervise_if_asked;
