//! Shells as commands: harmless in themselves only when what they run is an invocation of its own.
//!
//! `command` reads the script of `-c` and of a literal here-document and reports what is in it; what it cannot read is a
//! hazard of the text. What is left to refuse here are scripts in files and shells that read from whoever is there.

use alloc::{format, vec::Vec};

use super::super::{check::CheckInput, model::Why};
use crate::{
    command::{model::Stdin, only_checks_syntax},
    diagnostic::Code,
    effect::Touch,
};

/// The check of `bash`, `sh` and kin.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    let argv = &input.invocation.argv;
    let parsed = input.parsed;
    let fault = |message: alloc::string::String, span| {
        Err(Why {
            code: Code::CommandScript,
            message,
            span,
        })
    };
    if parsed.has("-c") || only_checks_syntax(argv) {
        return Ok(Vec::new());
    }
    if let Some(arg) = parsed.operands.first().and_then(|&index| argv.get(index))
        && !parsed.has("-s")
    {
        return fault(
            format!(
                "`{}` is a script, and what it does is not known",
                arg.value.known_prefix()
            ),
            arg.span,
        );
    }
    match input.invocation.stdin {
        Stdin::Inherited => fault(
            "a shell that reads its commands from elsewhere".into(),
            input.invocation.span,
        ),
        Stdin::Pipe | Stdin::Redirected => Ok(Vec::new()),
    }
}
