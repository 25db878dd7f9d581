//! The command line: arguments in, one sub-command run, an exit status out.
//!
//! One file a sub-command. Each returns its status or a `Failure`, which is printed here; `print` alone writes to the
//! terminal. Nothing here judges or starts processes: that is `engine` and `session`.

mod args;
mod batch;
mod check;
mod config;
mod explain;
mod import;
mod parse;
mod print;
mod prompt;
mod replay;
mod rules;
mod run;
mod safe;
mod setup;
mod suggest;
mod tasks;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Verb};

/// Statuses of `check` and of everything that fails before a command could run.
mod status {
    pub(super) const ALLOW: u8 = 0;
    pub(super) const FAULT: u8 = 1;
    pub(super) const USAGE: u8 = 2;
    pub(super) const ASK: u8 = 3;
    pub(super) const DENY: u8 = 4;
    /// `run`: the command was not run.
    pub(super) const REFUSED: u8 = 126;
    /// `run`: the shell could not be started.
    pub(super) const NO_SHELL: u8 = 127;
}

/// Why a sub-command gave no result.
struct Failure {
    status: u8,
    /// One fault a line, with what to do next.
    message: String,
}

impl Failure {
    fn usage(message: impl Into<String>) -> Self {
        Self {
            status: status::USAGE,
            message: message.into(),
        }
    }

    fn internal(message: impl Into<String>) -> Self {
        Self {
            status: status::FAULT,
            message: message.into(),
        }
    }
}

/// What a sub-command ends with: an exit status.
type Outcome = Result<u8, Failure>;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors and go to stdout, with status 0.
            let code = if error.use_stderr() { status::USAGE } else { 0 };
            print::clap(&error);
            return ExitCode::from(code);
        }
    };
    let outcome = match cli.verb {
        Verb::Check(args) => check::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Suggest(args) => suggest::run(&args),
        Verb::Parse(args) => parse::run(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Tasks(args) => tasks::run(&args),
        Verb::Rules(args) => rules::run(&args),
        Verb::Config(args) => config::run(&args),
        Verb::Replay(args) => replay::run(&args),
        Verb::Completions(args) => {
            print::completions(args.shell, &mut Cli::command());
            Ok(0)
        }
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            print::error(&failure.message);
            ExitCode::from(failure.status)
        }
    }
}
