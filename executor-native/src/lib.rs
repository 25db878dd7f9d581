//! Runs shell commands well, once they are judged: nothing hangs, nothing is lost, nothing is left behind.

pub mod approve;
pub mod cli;
pub mod config;
pub mod cwd;
pub mod engine;
pub mod env;
pub mod import;
pub mod input;
pub mod lifecycle;
mod off_thread;
pub mod output;
pub mod permit;
pub mod plan;
pub mod protocol;
pub mod read_state;
pub mod replay;
pub mod session;
pub mod shell;
pub mod spawn;
pub mod tasks;

pub use session::{Executor, ExecutorOptions, Outcome, RunError, Session, SessionOptions};
pub use spawn::supervise_if_asked;
